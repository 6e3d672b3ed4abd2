//! The processes of a cluster: one line `host:port` for each, process 0 first. Blank lines and lines that begin with `#` are passed over.

use crate::work::threads::host;
use kachi_core::Error;
use std::net::{IpAddr, SocketAddr, ToSocketAddrs};

/// Where the processes listen, in their order.
///
/// ```
/// use kachi_lab::cluster::Hosts;
/// let hosts = Hosts::parse("# two machines\nalpha:2101\n10.0.0.2:2101\n").unwrap();
/// assert_eq!(hosts.names(), ["alpha:2101", "10.0.0.2:2101"]);
/// assert_eq!(Hosts::parse("alpha").unwrap_err().code, "bad_hosts");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hosts(Vec<String>);

/// More processes than this are taken for a mistake.
const MOST: usize = 1024;

impl Hosts {
    /// Reads the text of a file of hosts.
    ///
    /// # Errors
    /// `bad_hosts`, with the line.
    pub fn parse(text: &str) -> Result<Hosts, Error> {
        let bad = |message: String| {
            Error::new("bad_hosts", message).hint("a line for each process, such as alpha:2101")
        };
        let mut names: Vec<String> = Vec::new();
        for (number, line) in text.lines().enumerate().map(|(i, line)| (i + 1, line.trim())) {
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let port = line.rsplit_once(':').and_then(|(host, port)| Some((host, port.parse::<u16>().ok()?)));
            if port.is_none_or(|(host, port)| host.is_empty() || port == 0) {
                return Err(bad(format!("line {number} of the hosts is no host:port: {line:?}")));
            }
            if names.iter().any(|name| name == line) {
                return Err(bad(format!("line {number} of the hosts repeats {line}")));
            }
            names.push(line.to_owned());
        }
        match names.len() {
            0 => Err(bad("the file of hosts names no process".to_owned())),
            1..=MOST => Ok(Hosts(names)),
            many => Err(Error::too_large("processes", many, MOST)),
        }
    }

    /// Processes of this machine that listen on these ports.
    #[must_use]
    pub fn local(ports: &[u16]) -> Hosts {
        Hosts(ports.iter().map(|port| format!("127.0.0.1:{port}")).collect())
    }

    /// The hosts as they were written.
    #[must_use]
    pub fn names(&self) -> &[String] {
        &self.0
    }

    /// Where the processes were: processes that share one machine are told by its name, not by ports that nobody will see again.
    #[must_use]
    pub fn for_people(&self) -> Vec<String> {
        if self.0.iter().all(|name| name.starts_with("127.0.0.1:")) { vec![host()] } else { self.0.clone() }
    }

    /// How many processes there are.
    #[must_use]
    pub fn processes(&self) -> usize {
        self.0.len()
    }

    /// Where a process listens.
    ///
    /// # Errors
    /// `unknown_host` if the name cannot be resolved, `bad_process` if there is no such process.
    pub fn addresses(&self, process: usize) -> Result<Vec<SocketAddr>, Error> {
        let name = self.0.get(process).ok_or_else(|| {
            let message = format!("there is no process {process}: the hosts are 0 to {}", self.0.len() - 1);
            Error::new("bad_process", message).at_field("process")
        })?;
        let unknown = |why: String| Error::new("unknown_host", format!("cannot resolve {name}: {why}"));
        let found: Vec<SocketAddr> =
            name.to_socket_addrs().map_err(|error| unknown(error.to_string()))?.collect();
        if found.is_empty() { Err(unknown("it has no address".to_owned())) } else { Ok(found) }
    }

    /// The addresses from which connections are accepted: those of the hosts, and no others.
    ///
    /// # Errors
    /// `unknown_host`.
    pub fn welcome(&self) -> Result<Vec<IpAddr>, Error> {
        let mut all = Vec::new();
        for process in 0..self.processes() {
            all.extend(self.addresses(process)?.iter().map(|address| address.ip().to_canonical()));
        }
        all.sort_unstable();
        all.dedup();
        Ok(all)
    }
}

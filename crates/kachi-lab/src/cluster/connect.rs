//! The connections of a cluster: every process calls those with smaller numbers and is called by those with larger ones, once for data and once for
//! the pulse. Calls from addresses that are not among the hosts are hung up on; those that do not know the secret are refused.

use super::handshake::{Identity, Purpose, answer, call};
use super::hosts::Hosts;
use super::secret::Secret;
use kachi_core::Error;
use socket2::{Domain, Socket, Type};
use std::collections::BTreeMap;
use std::net::{IpAddr, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How a process takes part in a cluster.
#[derive(Debug)]
pub struct Config {
    /// All processes.
    pub hosts: Hosts,
    /// Which one this is.
    pub process: usize,
    /// Workers of each process.
    pub workers: usize,
    /// What they all know.
    pub secret: Secret,
    /// The program and its version.
    pub version: String,
    /// How long to wait for the others.
    pub patience: Duration,
    /// Where this process listens, if it does already.
    pub listener: Option<TcpListener>,
    /// Set from outside when somebody will not come any more.
    pub gone: Arc<AtomicBool>,
}

/// One process in its place, connected to all others: data and pulse of each, nothing for itself.
pub(super) type Lines = Vec<Option<(TcpStream, TcpStream)>>;

/// The first words take no longer than this.
const PROMPT: Duration = Duration::from_secs(5);
const AGAIN: Duration = Duration::from_millis(50);

impl Config {
    fn is_late(&self, until: Instant) -> bool {
        self.gone.load(Ordering::Relaxed) || Instant::now() >= until
    }

    fn identity(&self, campaign: &str) -> Identity {
        Identity {
            version: self.version.clone(),
            campaign: campaign.to_owned(),
            processes: self.hosts.processes(),
            workers: self.workers,
            process: self.process,
        }
    }
}

/// Connects to all others.
///
/// # Errors
/// `cannot_listen`, `cannot_connect` when somebody does not come in time, and what the [handshake](super::handshake) refuses.
pub(super) fn connect(
    config: &mut Config,
    campaign: &str,
    note: &(dyn Fn(&str) + Sync),
) -> Result<Lines, Error> {
    let (processes, own) = (config.hosts.processes(), config.process);
    config.hosts.addresses(own)?;
    let identity = config.identity(campaign);
    let until = Instant::now() + config.patience;
    let given_up = AtomicBool::new(false);
    let listener = if own + 1 < processes {
        let listener = match config.listener.take() {
            Some(listener) => listener,
            None => listen(&config.hosts, own)?,
        };
        listener.set_nonblocking(true).map_err(|error| cannot_listen(&config.hosts, own, &error))?;
        Some(listener)
    } else {
        None
    };
    let config = &*config;
    let door = Door { config, identity: &identity, until, given_up: &given_up, note };
    let (called, heard) = std::thread::scope(|scope| {
        let door = listener.as_ref().map(|listener| scope.spawn(|| door.wait(listener)));
        let called: Result<Vec<_>, Error> =
            (0..own).map(|process| call_process(config, &identity, process, until, &given_up)).collect();
        if called.is_err() {
            given_up.store(true, Ordering::Relaxed);
        }
        let broke = || Err(Error::new("cannot_listen", "the thread that listens broke down"));
        let heard = door.map_or(Ok(Vec::new()), |door| door.join().unwrap_or_else(|_| broke()));
        (called, heard)
    });
    // A refusal says more than that somebody was waited for in vain.
    let (called, heard) = match (called, heard) {
        (Ok(called), Ok(heard)) => (called, heard),
        (Err(error), _) | (Ok(_), Err(error)) => return Err(error),
    };
    let mut lines: Lines = called.into_iter().map(Some).collect();
    lines.push(None);
    lines.extend(heard.into_iter().map(Some));
    Ok(lines)
}

fn cannot_listen(hosts: &Hosts, process: usize, error: &std::io::Error) -> Error {
    let name = hosts.names().get(process).map_or("", String::as_str);
    Error::new("cannot_listen", format!("process {process} cannot listen on {name}: {error}"))
        .hint("line number PROCESS of the hosts (from 0) must be an address of this machine with a free port")
}

fn listen(hosts: &Hosts, process: usize) -> Result<TcpListener, Error> {
    let addresses = hosts.addresses(process)?;
    TcpListener::bind(&addresses[..]).map_err(|error| cannot_listen(hosts, process, &error))
}

fn late(config: &Config, process: usize, why: &str) -> Error {
    let name = &config.hosts.names()[process];
    let message = if config.gone.load(Ordering::Relaxed) {
        format!("process {process} ({name}) was not connected before another process of the cluster ended")
    } else {
        format!("process {process} ({name}) did not come within {} seconds{why}", config.patience.as_secs())
    };
    Error::new("cannot_connect", message)
        .hint("start every process with the same hosts, each with its own --process")
}

/// Calls a process with a smaller number, for data and for the pulse.
fn call_process(
    config: &Config,
    identity: &Identity,
    process: usize,
    until: Instant,
    given_up: &AtomicBool,
) -> Result<(TcpStream, TcpStream), Error> {
    let addresses = config.hosts.addresses(process)?;
    let data = call_for(config, identity, process, &addresses, Purpose::Data, until, given_up)?;
    let pulse = call_for(config, identity, process, &addresses, Purpose::Pulse, until, given_up)?;
    Ok((data, pulse))
}

fn call_for(
    config: &Config,
    identity: &Identity,
    process: usize,
    addresses: &[SocketAddr],
    purpose: Purpose,
    until: Instant,
    given_up: &AtomicBool,
) -> Result<TcpStream, Error> {
    let own = config.hosts.addresses(config.process)?;
    let mut hung_up = 0;
    loop {
        if given_up.load(Ordering::Relaxed) || config.is_late(until) {
            let why = if hung_up > 0 { ": it hangs up" } else { "" };
            return Err(late(config, process, why));
        }
        let reached = addresses.iter().find_map(|address| reach(*address, &own).ok());
        let Some(mut stream) = reached else {
            std::thread::sleep(AGAIN);
            continue;
        };
        let began =
            prompt(&stream).and_then(|()| call(&mut stream, &config.secret, identity, purpose, process));
        match began {
            Ok(()) => return at_leisure(stream),
            // It may not be ready to listen, or it may not want to.
            Err(error) if error.code == "bad_handshake" => {
                hung_up += 1;
                if hung_up >= 20 {
                    let name = &config.hosts.names()[process];
                    let message = format!("process {process} ({name}) hangs up: {}", error.message);
                    return Err(Error::new("refused", message)
                        .hint("is this machine in the file of hosts over there?"));
                }
                std::thread::sleep(AGAIN);
            }
            Err(error) => return Err(error),
        }
    }
}

/// Calls from the address under which the others know this process.
fn reach(to: SocketAddr, own: &[SocketAddr]) -> std::io::Result<TcpStream> {
    let socket = Socket::new(Domain::for_address(to), Type::STREAM, None)?;
    if let Some(own) = own.iter().find(|own| own.is_ipv4() == to.is_ipv4()) {
        socket.bind(&SocketAddr::new(own.ip(), 0).into())?;
    }
    socket.connect_timeout(&to.into(), PROMPT)?;
    Ok(socket.into())
}

fn prompt(stream: &TcpStream) -> Result<(), Error> {
    let set = stream.set_nonblocking(false);
    let set =
        set.and_then(|()| stream.set_read_timeout(Some(PROMPT))).and_then(|()| stream.set_nodelay(true));
    set.and_then(|()| stream.set_write_timeout(Some(PROMPT)))
        .map_err(|error| Error::new("cannot_connect", error.to_string()))
}

fn at_leisure(stream: TcpStream) -> Result<TcpStream, Error> {
    let set = stream.set_read_timeout(None).and_then(|()| stream.set_write_timeout(None));
    set.map_err(|error| Error::new("cannot_connect", error.to_string()))?;
    Ok(stream)
}

/// Those who call.
struct Door<'a> {
    config: &'a Config,
    identity: &'a Identity,
    until: Instant,
    given_up: &'a AtomicBool,
    note: &'a (dyn Fn(&str) + Sync),
}

type Guests = BTreeMap<(usize, Purpose), TcpStream>;

impl Door<'_> {
    /// Waits until everybody with a larger number has called, for data and for the pulse.
    fn wait(&self, listener: &TcpListener) -> Result<Vec<(TcpStream, TcpStream)>, Error> {
        let welcome = self.config.hosts.welcome()?;
        let guests: Mutex<Guests> = Mutex::default();
        let failure: Mutex<Option<Error>> = Mutex::default();
        let (own, processes) = (self.config.process, self.config.hosts.processes());
        let wanted = 2 * (processes - own - 1);
        let count = || guests.lock().unwrap_or_else(PoisonError::into_inner).len();
        std::thread::scope(|scope| {
            while count() < wanted
                && !self.config.is_late(self.until)
                && !self.given_up.load(Ordering::Relaxed)
            {
                match listener.accept() {
                    // Each on a thread of its own, so that one who says nothing holds up nobody.
                    Ok((stream, from)) => {
                        let (guests, failure) = (&guests, &failure);
                        let greet = self.greets(&welcome, from.ip());
                        scope.spawn(move || {
                            if greet {
                                self.greet(stream, from, guests, failure);
                            }
                        });
                    }
                    Err(_) => std::thread::sleep(Duration::from_millis(5)),
                }
            }
        });
        if let Some(error) = failure.into_inner().unwrap_or_else(PoisonError::into_inner) {
            return Err(error);
        }
        let mut guests = guests.into_inner().unwrap_or_else(PoisonError::into_inner);
        let pair = |process: usize| {
            let mut line =
                |purpose| guests.remove(&(process, purpose)).ok_or_else(|| late(self.config, process, ""));
            Ok((line(Purpose::Data)?, line(Purpose::Pulse)?))
        };
        (own + 1..processes).map(pair).collect()
    }

    fn greets(&self, welcome: &[IpAddr], from: IpAddr) -> bool {
        let listed = welcome.contains(&from.to_canonical());
        if !listed {
            (self.note)(&format!("hung up on {from}, which is not among the hosts"));
        }
        listed
    }

    fn greet(
        &self,
        mut stream: TcpStream,
        from: SocketAddr,
        guests: &Mutex<Guests>,
        failure: &Mutex<Option<Error>>,
    ) {
        let said = prompt(&stream).and_then(|()| answer(&mut stream, &self.config.secret, self.identity));
        match said.and_then(|who| Ok((who, at_leisure(stream)?))) {
            Ok((who, stream)) => {
                guests.lock().unwrap_or_else(PoisonError::into_inner).insert(who, stream);
            }
            // Strangers end nothing.
            Err(error) if matches!(error.code, "wrong_secret" | "bad_handshake") => {
                (self.note)(&format!("refused a connection from {from}: {}", error.message));
            }
            Err(error) => {
                failure.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
                self.given_up.store(true, Ordering::Relaxed);
            }
        }
    }
}

//! The connections of a cluster: every process calls those with smaller numbers and is called by those with larger ones, once for data and once for
//! the pulse. Calls from addresses that are not among the hosts are hung up on; those that do not know the secret are refused.

use super::handshake::{Birth, Claim, Identity, Purpose, answer, call};
use super::hosts::Hosts;
use super::secret::Secret;
use super::session::Leave;
use kachi_core::Error;
use socket2::{Domain, SockRef, Socket, TcpKeepalive, Type};
use std::collections::BTreeMap;
use std::io::{self, Read, Write};
use std::net::{IpAddr, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
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
    /// How the process ends when the run has failed and a thread does not notice; without it the thread is waited for.
    pub leave: Option<Leave>,
}

/// One process in its place, connected to all others: data and pulse of each, nothing for itself.
pub(super) type Lines = Vec<Option<(TcpStream, TcpStream)>>;

/// The first words take no longer than this, all together.
const PROMPT: Duration = Duration::from_secs(5);
const AGAIN: Duration = Duration::from_millis(50);
/// So many are listened to at once.
const GREETED: usize = 64;
/// A connection on which nothing moves is tried after so long, so that no router on the way forgets it.
const KEEP_ALIVE: Duration = Duration::from_secs(30);

impl Config {
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
/// `cannot_listen`, `cannot_connect` when somebody does not come in time, `interrupted` when `stop` is set meanwhile, and what the
/// [handshake](super::handshake) refuses.
pub(super) fn connect(
    config: &mut Config,
    campaign: &str,
    stop: &AtomicBool,
    note: &(dyn Fn(&str) + Sync),
) -> Result<Lines, Error> {
    let (processes, own) = (config.hosts.processes(), config.process);
    config.hosts.addresses(own)?;
    let identity = config.identity(campaign);
    let (until, given_up) = (Instant::now() + config.patience, AtomicBool::new(false));
    let birth = Birth::draw()?;
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
    let wait = Wait { config, until, given_up: &given_up, stop };
    let door = Door { wait, identity: &identity, note };
    let (called, heard) = std::thread::scope(|scope| {
        let door = listener.as_ref().map(|listener| scope.spawn(|| door.wait(listener)));
        let called: Result<Vec<_>, Error> =
            (0..own).map(|process| call_process(wait, &identity, birth, process)).collect();
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

/// How long the others are waited for.
#[derive(Clone, Copy)]
struct Wait<'a> {
    config: &'a Config,
    until: Instant,
    given_up: &'a AtomicBool,
    stop: &'a AtomicBool,
}

impl Wait<'_> {
    /// Is it of no use to wait any longer?
    fn is_over(&self) -> bool {
        let set = |sign: &AtomicBool| sign.load(Ordering::Relaxed);
        set(self.given_up) || set(self.stop) || set(&self.config.gone) || Instant::now() >= self.until
    }

    /// Why a process is not there.
    fn late(&self, process: usize, why: &str) -> Error {
        if self.stop.load(Ordering::Relaxed) {
            return Error::new("interrupted", "the run was interrupted before all processes were there");
        }
        let name = &self.config.hosts.names()[process];
        let message = if self.config.gone.load(Ordering::Relaxed) {
            format!(
                "process {process} ({name}) was not connected before another process of the cluster ended"
            )
        } else {
            let seconds = self.config.patience.as_secs();
            format!("process {process} ({name}) did not come within {seconds} seconds{why}")
        };
        Error::new("cannot_connect", message)
            .hint("start every process with the same hosts, each with its own --process")
    }
}

/// Calls a process with a smaller number, for data and for the pulse.
fn call_process(
    wait: Wait<'_>,
    identity: &Identity,
    birth: Birth,
    process: usize,
) -> Result<(TcpStream, TcpStream), Error> {
    let call = |purpose| call_for(wait, &Claim { identity: identity.clone(), purpose, birth }, process);
    Ok((call(Purpose::Data)?, call(Purpose::Pulse)?))
}

fn call_for(wait: Wait<'_>, claim: &Claim, process: usize) -> Result<TcpStream, Error> {
    let config = wait.config;
    let (own, addresses) = (config.hosts.addresses(config.process)?, config.hosts.addresses(process)?);
    let mut hung_up = 0;
    loop {
        if wait.is_over() {
            let why = if hung_up > 0 { ": it hangs up" } else { "" };
            return Err(wait.late(process, why));
        }
        let reached = addresses.iter().find_map(|address| reach(*address, &own).ok());
        let Some(stream) = reached else {
            std::thread::sleep(AGAIN);
            continue;
        };
        let began =
            Prompt::new(&stream).and_then(|mut words| call(&mut words, &config.secret, claim, process));
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

/// A connection during its first words, which take a limited time however they trickle in.
struct Prompt<'s> {
    stream: &'s TcpStream,
    until: Instant,
}

impl<'s> Prompt<'s> {
    fn new(stream: &'s TcpStream) -> Result<Prompt<'s>, Error> {
        stream
            .set_nonblocking(false)
            .and_then(|()| stream.set_nodelay(true))
            .map_err(|error| cannot_connect(&error))?;
        Ok(Prompt { stream, until: Instant::now() + PROMPT })
    }

    fn left(&self) -> io::Result<Option<Duration>> {
        match self.until.saturating_duration_since(Instant::now()) {
            Duration::ZERO => Err(io::ErrorKind::TimedOut.into()),
            left => Ok(Some(left)),
        }
    }
}

impl Read for Prompt<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.stream.set_read_timeout(self.left()?)?;
        self.stream.read(buffer)
    }
}

impl Write for Prompt<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.stream.set_write_timeout(self.left()?)?;
        self.stream.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.stream.flush()
    }
}

fn cannot_connect(error: &io::Error) -> Error {
    Error::new("cannot_connect", error.to_string())
}

fn at_leisure(stream: TcpStream) -> Result<TcpStream, Error> {
    let set = stream.set_read_timeout(None).and_then(|()| stream.set_write_timeout(None));
    set.map_err(|error| cannot_connect(&error))?;
    // Where the system cannot do it, the pulse still keeps watch.
    let _ = SockRef::from(&stream).set_tcp_keepalive(&TcpKeepalive::new().with_time(KEEP_ALIVE));
    Ok(stream)
}

/// Those who call.
struct Door<'a> {
    wait: Wait<'a>,
    identity: &'a Identity,
    note: &'a (dyn Fn(&str) + Sync),
}

/// A process with a larger number, as far as it is connected.
struct Guest {
    birth: Birth,
    data: Option<TcpStream>,
    pulse: Option<TcpStream>,
}

type Guests = Mutex<BTreeMap<usize, Guest>>;

fn inside(guests: &Guests) -> MutexGuard<'_, BTreeMap<usize, Guest>> {
    guests.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Door<'_> {
    /// Waits until everybody with a larger number has called, for data and for the pulse.
    fn wait(&self, listener: &TcpListener) -> Result<Vec<(TcpStream, TcpStream)>, Error> {
        let config = self.wait.config;
        let welcome = config.hosts.welcome()?;
        let guests = Guests::default();
        let (failure, refused): (Mutex<Option<Error>>, Mutex<String>) = Default::default();
        let greeted = AtomicUsize::new(0);
        let (own, processes) = (config.process, config.hosts.processes());
        let is_full = || {
            let guests = inside(&guests);
            let whole = guests.values().filter(|guest| guest.data.is_some() && guest.pulse.is_some());
            whole.count() == processes - own - 1
        };
        std::thread::scope(|scope| {
            while !is_full() && !self.wait.is_over() {
                match listener.accept() {
                    Ok((stream, from)) => {
                        // Others wait at the door until somebody has said his first words.
                        if !self.greets(&welcome, from.ip()) || greeted.load(Ordering::Relaxed) >= GREETED {
                            continue;
                        }
                        greeted.fetch_add(1, Ordering::Relaxed);
                        let (guests, failure, refused, greeted) = (&guests, &failure, &refused, &greeted);
                        // Each on a thread of its own, so that one who says nothing holds up nobody.
                        let greet = move || {
                            self.greet(stream, from, guests, failure, refused);
                            greeted.fetch_sub(1, Ordering::Relaxed);
                        };
                        if std::thread::Builder::new().spawn_scoped(scope, greet).is_err() {
                            greeted.fetch_sub(1, Ordering::Relaxed);
                        }
                    }
                    Err(_) => std::thread::sleep(Duration::from_millis(5)),
                }
            }
        });
        if let Some(error) = failure.into_inner().unwrap_or_else(PoisonError::into_inner) {
            return Err(error);
        }
        let mut guests = guests.into_inner().unwrap_or_else(PoisonError::into_inner);
        let refused = refused.into_inner().unwrap_or_else(PoisonError::into_inner);
        let pair = |process: usize| {
            let late = || self.wait.late(process, &refused);
            let guest = guests.remove(&process).ok_or_else(late)?;
            Ok((guest.data.ok_or_else(late)?, guest.pulse.ok_or_else(late)?))
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
        stream: TcpStream,
        from: SocketAddr,
        guests: &Guests,
        failure: &Mutex<Option<Error>>,
        refused: &Mutex<String>,
    ) {
        let secret = &self.wait.config.secret;
        // Two processes with the same number would each have half of the connections.
        let first = |claim: &Claim| {
            let number = claim.identity.process;
            let guest = Guest { birth: claim.birth, data: None, pulse: None };
            if inside(guests).entry(number).or_insert(guest).birth == claim.birth {
                return Ok(());
            }
            let message =
                format!("there is a process {number} already; every process has a number of its own");
            Err(Error::new("already_there", message).at_field("process"))
        };
        let said =
            Prompt::new(&stream).and_then(|mut words| answer(&mut words, secret, self.identity, &first));
        match said.and_then(|who| Ok((who, at_leisure(stream)?))) {
            Ok((who, stream)) => {
                if let Some(guest) = inside(guests).get_mut(&who.identity.process) {
                    match who.purpose {
                        Purpose::Data => guest.data = Some(stream),
                        Purpose::Pulse => guest.pulse = Some(stream),
                    }
                }
            }
            // Strangers end nothing, nor does one too many.
            Err(error) if ["wrong_secret", "bad_handshake", "already_there"].contains(&error.code) => {
                let words = format!("refused a connection from {from}: {}", error.message);
                (self.note)(&words);
                *refused.lock().unwrap_or_else(PoisonError::into_inner) = format!("; {words}");
            }
            Err(error) => {
                failure.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
                self.wait.given_up.store(true, Ordering::Relaxed);
            }
        }
    }
}

//! The first words on a connection. Both sides prove that they know the secret, each over both random numbers and its own description, and compare
//! what they are about to do: program version, campaign, number of processes and workers. Only then is the connection given to the engine.
//!
//! ```text
//! caller  -> hello    random number
//! listener-> answer   random number, description, proof
//! caller  -> claim    description, proof
//! listener-> verdict  welcome, or why not
//! ```

use super::secret::{Nonce, Secret, nonce};
use kachi_core::Error;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::io::{Read, Write};

/// The version of everything that is sent between processes.
pub const PROTOCOL: u32 = 2;

/// What a process says about itself. All but its number must be equal everywhere.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Identity {
    /// The program.
    pub version: String,
    /// The campaign.
    pub campaign: String,
    /// How many processes there are.
    pub processes: usize,
    /// Workers of each.
    pub workers: usize,
    /// Which one this is.
    pub process: usize,
}

impl Identity {
    /// The version of this program, as other processes see it.
    #[must_use]
    pub fn version() -> String {
        format!("kachi {} (protocol {PROTOCOL})", env!("CARGO_PKG_VERSION"))
    }

    /// Refuses a process that is about to do something else.
    fn fits(&self, other: &Identity) -> Result<(), Error> {
        let differs =
            |code: &'static str, what: &str, mine: &dyn std::fmt::Display, theirs: &dyn std::fmt::Display| {
                let message = format!(
                    "process {} has {what} {theirs}, and process {} has {mine}",
                    other.process, self.process
                );
                Err(Error::new(code, message))
            };
        if self.version != other.version {
            return differs("version_mismatch", "the program", &self.version, &other.version)
                .map_err(|error| error.hint("run the same program on every host"));
        }
        if self.campaign != other.campaign {
            return differs("campaign_mismatch", "the campaign", &self.campaign, &other.campaign).map_err(
                |error| error.hint("give every process the same campaign file, and tables of the same size"),
            );
        }
        if (self.processes, self.workers) != (other.processes, other.workers) {
            let count = |one: &Identity| format!("{} processes of {} workers", one.processes, one.workers);
            return differs("cluster_mismatch", "a cluster of", &count(self), &count(other))
                .map_err(|error| error.hint("give every process the same hosts and --workers"));
        }
        Ok(())
    }
}

/// What a connection is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Purpose {
    /// The data of the engine.
    Data,
    /// Signs of life.
    Pulse,
}

/// What tells two processes apart that both say they are process 1: a number drawn when it starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Birth(u64);

impl Birth {
    /// A new one.
    ///
    /// # Errors
    /// `no_randomness`, as for random numbers of a handshake.
    pub fn draw() -> Result<Birth, Error> {
        let [a, b, c, d, e, f, g, h, ..] = nonce()?;
        Ok(Birth(u64::from_le_bytes([a, b, c, d, e, f, g, h])))
    }
}

/// Who calls, and what for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Claim {
    /// What it says about itself.
    pub identity: Identity,
    /// What the connection is for.
    pub purpose: Purpose,
    /// Which of those it is that say so.
    pub birth: Birth,
}

/// Longer first words are nobody's we know.
const LONGEST: u32 = 1 << 16;

/// Begins a connection with a process that listens.
///
/// # Errors
/// `wrong_secret`, `version_mismatch`, `campaign_mismatch`, `cluster_mismatch`; `refused` with what the other side says; `bad_handshake`.
pub fn call<S: Read + Write>(
    stream: &mut S,
    secret: &Secret,
    claim: &Claim,
    expected: usize,
) -> Result<(), Error> {
    let mine = nonce()?;
    send(stream, &mine)?;
    let theirs: Nonce = hear(stream)?.try_into().map_err(|_| garbled())?;
    let description = hear(stream)?;
    if !secret.accepts(&[b"listener", &mine, &theirs, &description], &hear(stream)?) {
        return Err(wrong_secret(&format!("process {expected}")));
    }
    let other: Identity = serde_json::from_slice(&description).map_err(|_| garbled())?;
    let fits = claim.identity.fits(&other);
    let claim = serde_json::to_vec(claim).map_err(|_| garbled())?;
    send(stream, &claim)?;
    send(stream, &secret.proof(&[b"caller", &mine, &theirs, &claim]))?;
    fits?;
    let verdict = hear(stream)?;
    if !verdict.is_empty() {
        let said: Value = serde_json::from_slice(&verdict).map_err(|_| garbled())?;
        let message =
            format!("process {expected} refuses: {}", said["message"].as_str().unwrap_or("no reason given"));
        return Err(Error::new("refused", message));
    }
    if other.process != expected {
        let message = format!("process {} answers where process {expected} should be", other.process);
        return Err(Error::new("bad_hosts", message)
            .hint("the same file of hosts, in the same order, for every process"));
    }
    Ok(())
}

/// Answers a connection; gives who it is and what for. `welcome` has the last word about those who fit. An error with code `wrong_secret` or `bad_handshake`
/// comes from a stranger, any other from a process that knows the secret.
///
/// # Errors
/// As [`call`], and what `welcome` says.
pub fn answer<S: Read + Write>(
    stream: &mut S,
    secret: &Secret,
    own: &Identity,
    welcome: &dyn Fn(&Claim) -> Result<(), Error>,
) -> Result<Claim, Error> {
    let theirs: Nonce = hear(stream)?.try_into().map_err(|_| garbled())?;
    let mine = nonce()?;
    let description = serde_json::to_vec(own).map_err(|_| garbled())?;
    send(stream, &mine)?;
    send(stream, &description)?;
    send(stream, &secret.proof(&[b"listener", &theirs, &mine, &description]))?;
    // Who does not believe the proof says nothing more.
    let hung_up = |error: Error| {
        let message = format!("{}, after our proof: it may have another secret", error.message);
        Error::new("wrong_secret", message).hint("the same --secret-file or KACHI_SECRET for every process")
    };
    let claim = hear(stream).map_err(hung_up)?;
    if !secret.accepts(&[b"caller", &theirs, &mine, &claim], &hear(stream)?) {
        return Err(wrong_secret("a process"));
    }
    let claim: Claim = serde_json::from_slice(&claim).map_err(|_| garbled())?;
    let other = &claim.identity;
    let mut fits = own.fits(other);
    if fits.is_ok() && !(own.process + 1..own.processes).contains(&other.process) {
        let message = format!("process {} has no reason to call process {}", other.process, own.process);
        fits = Err(Error::new("bad_hosts", message));
    }
    let fits = fits.and_then(|()| welcome(&claim));
    let verdict = fits.as_ref().err().map(|error| serde_json::to_vec(error).unwrap_or_default());
    send(stream, &verdict.unwrap_or_default())?;
    fits?;
    Ok(claim)
}

fn wrong_secret(who: &str) -> Error {
    Error::new("wrong_secret", format!("{who} does not know the secret"))
        .hint("the same --secret-file or KACHI_SECRET for every process")
}

fn garbled() -> Error {
    Error::new("bad_handshake", "the first words on a connection were not those of kachi")
}

fn send<S: Write>(stream: &mut S, bytes: &[u8]) -> Result<(), Error> {
    let mut frame = (bytes.len() as u32).to_le_bytes().to_vec();
    frame.extend(bytes);
    stream.write_all(&frame).and_then(|()| stream.flush()).map_err(|error| broken(&error))
}

fn hear<S: Read>(stream: &mut S) -> Result<Vec<u8>, Error> {
    let mut length = [0; 4];
    stream.read_exact(&mut length).map_err(|error| broken(&error))?;
    let length = u32::from_le_bytes(length);
    if length > LONGEST {
        return Err(garbled());
    }
    let mut bytes = vec![0; length as usize];
    stream.read_exact(&mut bytes).map_err(|error| broken(&error))?;
    Ok(bytes)
}

fn broken(error: &std::io::Error) -> Error {
    Error::new("bad_handshake", format!("a connection ended within its first words: {error}"))
}

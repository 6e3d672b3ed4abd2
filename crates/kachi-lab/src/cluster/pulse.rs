//! Signs of life. Beside the connection for data, every pair of processes has one on which each side says once a second that it is there, and at the end that
//! it has finished or why it failed. A connection that breaks, or from which nothing is heard for ten seconds, means that the process is lost, and
//! the run stops here too.

use super::halt::Halt;
use kachi_core::Error;
use std::io::{Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

const BEAT: Duration = Duration::from_secs(1);
const SILENCE: Duration = Duration::from_secs(10);

/// What is said: a byte, and after `FAILED` the length and text of the reason.
const ALIVE: u8 = b'.';
const FINISHED: u8 = b'!';
const FAILED: u8 = b'?';
const LONGEST: usize = 4096;

/// The two threads of a connection.
pub(super) struct Pulse {
    stream: TcpStream,
    speaker: JoinHandle<()>,
    listener: JoinHandle<()>,
}

impl Pulse {
    /// Begins to speak and to listen.
    ///
    /// # Errors
    /// `no_threads`, `cannot_connect`.
    pub(super) fn begin(
        stream: TcpStream,
        process: usize,
        name: &str,
        halt: &Arc<Halt>,
    ) -> Result<Pulse, Error> {
        let failed = |error: std::io::Error| Error::new("cannot_connect", error.to_string());
        stream.set_read_timeout(Some(SILENCE)).map_err(failed)?;
        stream.set_write_timeout(Some(SILENCE)).map_err(failed)?;
        let thread = |what: &str| std::thread::Builder::new().name(format!("pulse:{what}-{process}"));
        let (mouth, speaks) = (stream.try_clone().map_err(failed)?, halt.clone());
        let (ear, hears) = (stream.try_clone().map_err(failed)?, halt.clone());
        let who = name.to_owned();
        let speaker = thread("speak").spawn(move || speak(mouth, &speaks)).map_err(failed)?;
        let listener = thread("listen").spawn(move || listen(ear, &who, &hears)).map_err(failed)?;
        Ok(Pulse { stream, speaker, listener })
    }

    /// Says the last word, hears that of the other side if all went well, and hangs up. The run must have ended.
    pub(super) fn end(self, halt: &Halt) {
        // A thread of ours that broke down has nothing more to say.
        let _ = self.speaker.join();
        if halt.is_done() {
            let _ = self.listener.join();
        }
        let _ = self.stream.shutdown(Shutdown::Both);
    }
}

fn speak(mut stream: TcpStream, halt: &Halt) {
    while halt.wait(BEAT) {
        // If nobody is there to hear it, the listener finds out.
        let _ = stream.write_all(&[ALIVE]);
    }
    let last = match halt.reason() {
        None => vec![FINISHED],
        Some(error) => {
            let mut text = error.message.into_bytes();
            text.truncate(LONGEST);
            let mut last = vec![FAILED];
            last.extend((text.len() as u16).to_le_bytes());
            last.extend(text);
            last
        }
    };
    let _ = stream.write_all(&last);
}

fn listen(mut stream: TcpStream, who: &str, halt: &Halt) {
    let lost = |why: &str| {
        Error::new("lost_process", format!("{who} is lost: {why}"))
            .hint("what is finished is kept; run the campaign again, with as many processes as you like, and it goes on")
    };
    let mut word = [0];
    // When the run is complete here, its last word is still waited for, so that nothing on the way to it is cut off.
    while halt.check().is_ok() {
        let failure = match stream.read(&mut word) {
            Ok(1) if word[0] == ALIVE => continue,
            Ok(1) if word[0] == FINISHED => return,
            Ok(1) if word[0] == FAILED => {
                let why = reason(&mut stream).unwrap_or_else(|| "it does not say why".to_owned());
                Error::new("lost_process", format!("{who} has stopped: {why}"))
            }
            Ok(1) => lost("it speaks another language"),
            Ok(_) => lost("the connection has ended"),
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
            Err(error)
                if matches!(error.kind(), std::io::ErrorKind::WouldBlock | std::io::ErrorKind::TimedOut) =>
            {
                lost(&format!("nothing was heard of it for {} seconds", SILENCE.as_secs()))
            }
            Err(error) => lost(&error.to_string()),
        };
        halt.fail(failure);
        return;
    }
}

fn reason(stream: &mut TcpStream) -> Option<String> {
    let mut length = [0; 2];
    stream.read_exact(&mut length).ok()?;
    let mut text = vec![0; usize::from(u16::from_le_bytes(length)).min(LONGEST)];
    stream.read_exact(&mut text).ok()?;
    Some(String::from_utf8_lossy(&text).into_owned())
}

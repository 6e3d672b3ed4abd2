//! A connection as the engine sees it: it counts the bytes, and when it breaks it does not bring down the thread that reads from it. That the other
//! process is lost is said by its pulse; if that goes on as if nothing had happened, the connection says it itself.

use super::halt::Halt;
use kachi_core::Error;
use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};
use timely::communication::allocator::zero_copy::stream::Stream;

/// Bytes that have gone over the network.
#[derive(Debug, Default)]
pub struct Traffic {
    sent: AtomicU64,
    received: AtomicU64,
}

impl Traffic {
    /// Bytes sent to other processes.
    #[must_use]
    pub fn sent(&self) -> u64 {
        self.sent.load(Ordering::Relaxed)
    }

    /// Bytes received from other processes.
    #[must_use]
    pub fn received(&self) -> u64 {
        self.received.load(Ordering::Relaxed)
    }
}

/// A counted connection.
pub(super) struct Wire {
    stream: TcpStream,
    traffic: Arc<Traffic>,
    /// Who is at the other end.
    other: Arc<str>,
    halt: Arc<Halt>,
    /// How many zeros were read last.
    zeros: usize,
}

/// A process that ends in order says goodbye with a header of six zeros.
const GOODBYE: usize = 6 * 8;

/// The pulse of a process that is lost has so long to say why.
const GRACE: Duration = Duration::from_secs(2);

impl Wire {
    /// The connection with another process of a run.
    pub(super) fn new(stream: TcpStream, other: &str, traffic: &Arc<Traffic>, halt: &Arc<Halt>) -> Wire {
        Wire { stream, traffic: traffic.clone(), other: other.into(), halt: halt.clone(), zeros: 0 }
    }

    /// The other side has hung up without a goodbye: the run is about to stop, and this thread has nothing to do any more.
    fn ended(&self, why: &str) -> ! {
        let began = Instant::now();
        while began.elapsed() < GRACE && self.halt.wait(GRACE) {}
        // Of no interest where the run is complete, and no news where its pulse was faster.
        self.halt.fail(
            Error::new("lost_process", format!("{} is lost: its connection has ended{why}", self.other)).hint(
                "what is finished is kept; run the campaign again, with as many processes as you like, and it goes on",
            ),
        );
        loop {
            std::thread::park();
        }
    }
}

impl Read for Wire {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            match self.stream.read(buffer) {
                Ok(0) if self.zeros >= GOODBYE => return Ok(0),
                Ok(0) => self.ended(""),
                Ok(count) => {
                    let zeros =
                        buffer[..count].iter().rev().take(GOODBYE).take_while(|&&byte| byte == 0).count();
                    self.zeros = if zeros == count { self.zeros + zeros } else { zeros };
                    self.traffic.received.fetch_add(count as u64, Ordering::Relaxed);
                    return Ok(count);
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => self.ended(&format!(" ({error})")),
            }
        }
    }
}

impl Write for Wire {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self.stream.write(bytes) {
            Ok(count) => {
                self.traffic.sent.fetch_add(count as u64, Ordering::Relaxed);
                Ok(count)
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => Err(error),
            // Nobody reads it.
            Err(error) => self.ended(&format!(" ({error})")),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Stream for Wire {
    fn try_clone(&self) -> io::Result<Self> {
        Ok(Wire::new(self.stream.try_clone()?, &self.other, &self.traffic, &self.halt))
    }

    fn set_nonblocking(&self, nonblocking: bool) -> io::Result<()> {
        self.stream.set_nonblocking(nonblocking)
    }

    fn shutdown(&self, how: Shutdown) -> io::Result<()> {
        // A connection that is closed already is shut down.
        let _ = self.stream.shutdown(how);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::TcpListener;

    #[test]
    fn a_broken_connection_ends_the_run_though_nobody_says_that_a_process_is_lost() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let here = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let (there, _) = listener.accept().unwrap();
        let halt = Arc::new(Halt::default());
        let mut wire = Wire::new(here, "process 1 (alpha:1)", &Arc::default(), &halt);
        // It waits for ever, as it must: the engine would break down if it came back.
        std::thread::spawn(move || wire.read(&mut [0; 8]));
        drop(there);
        let began = Instant::now();
        while halt.wait(10 * GRACE) && began.elapsed() < 10 * GRACE {}
        let told = halt.check().unwrap_err();
        assert_eq!(told.code, "lost_process");
        assert!(told.message.starts_with("process 1 (alpha:1) is lost"), "{told}");
    }

    #[test]
    fn a_connection_that_ends_after_the_run_ends_nothing() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let here = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let (mut there, _) = listener.accept().unwrap();
        let halt = Arc::new(Halt::default());
        let mut wire = Wire::new(here, "process 1 (alpha:1)", &Arc::default(), &halt);
        there.write_all(&[0; GOODBYE]).unwrap();
        drop(there);
        let mut read = 0;
        loop {
            match wire.read(&mut [0; 64]).unwrap() {
                0 => break,
                more => read += more,
            }
        }
        assert_eq!(read, GOODBYE);
        assert!(halt.is_going());
    }
}

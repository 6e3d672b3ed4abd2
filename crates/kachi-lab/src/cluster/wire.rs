//! A connection as the engine sees it: it counts the bytes, and when it breaks it does not bring down the thread that reads from it. That the other
//! process is lost is said by its pulse.

use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
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
    /// How many zeros were read last.
    zeros: usize,
}

/// A process that ends in order says goodbye with a header of six zeros.
const GOODBYE: usize = 6 * 8;

impl Wire {
    pub(super) fn new(stream: TcpStream, traffic: Arc<Traffic>) -> Wire {
        Wire { stream, traffic, zeros: 0 }
    }
}

/// The other side has hung up without a goodbye: the run is about to stop, and this thread has nothing to do any more.
fn ended() -> ! {
    loop {
        std::thread::park();
    }
}

impl Read for Wire {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            match self.stream.read(buffer) {
                Ok(0) if self.zeros >= GOODBYE => return Ok(0),
                Ok(0) => ended(),
                Ok(count) => {
                    let zeros =
                        buffer[..count].iter().rev().take(GOODBYE).take_while(|&&byte| byte == 0).count();
                    self.zeros = if zeros == count { self.zeros + zeros } else { zeros };
                    self.traffic.received.fetch_add(count as u64, Ordering::Relaxed);
                    return Ok(count);
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(_) => ended(),
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
            Err(_) => ended(),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Stream for Wire {
    fn try_clone(&self) -> io::Result<Self> {
        Ok(Wire::new(self.stream.try_clone()?, self.traffic.clone()))
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

//! Clusters of real processes: this test program starts itself. One thread, two threads, two and three processes over loopback, two hosts in network
//! namespaces: the same counts and the same bytes; killed at any moment and resumed, the same bytes; strangers refused.
#![allow(clippy::unwrap_used, reason = "an unwrap in a test is an assertion")]

mod bytes;
#[cfg(target_os = "linux")]
mod killed;
mod namespaces;
mod node;
mod strangers;

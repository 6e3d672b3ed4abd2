//! Clusters of real processes: this test program starts itself. One thread, two threads, two and three processes over loopback, two hosts in network
//! namespaces: the same counts and the same bytes; killed at any moment and resumed, the same bytes; strangers refused.

mod bytes;
mod killed;
mod namespaces;
mod node;
mod strangers;

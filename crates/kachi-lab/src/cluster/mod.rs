//! Many processes, on one machine or many: the engine for work that outgrows one. Processes know each other from a file of hosts, prove to each other that they
//! share a secret, and exchange their work with [timely dataflow](https://github.com/TimelyDataflow/timely-dataflow).
//!
//! | module | holds |
//! |---|---|
//! | [`hosts`] | where the processes are |
//! | [`secret`], [`handshake`], [`connect`] | who may come in |
//! | [`local`] | several processes on this machine, started by the first one |
//! | [`session`] | [`Session`]: one run, from joining to an orderly end |
//! | [`halt`], `pulse` | signs of life; when one process is lost, all stop |
//! | [`wire`] | connections that count their bytes |
//! | `mail` | letters between workers, by level: the dataflow |
//! | [`shards`] | simulations and claims: shards handed out, results kept by the first process |
//! | `space`, `levels`, `parts` | states found level by level, each by the owner of its key; parts of levels on disk |
//! | [`table`] | tables and counts: forward by key (`levels`), backward by question and answer (`backward`), and the file (`sections`) |
//! | [`job`], [`counts`] | both as work of the runner |
//! | [`plan`] | predictions for clusters that do not exist yet |
//!
//! **What is trusted.** A connection is accepted only from the addresses of the listed hosts, and only after both sides have proved that they know the secret and
//! run the same program on the same campaign. After that the traffic is plain TCP: whoever can listen to or change packets between the hosts can read and
//! change it. So the network between the hosts must be trusted, or be made so by a tunnel (WireGuard, ssh).

mod backward;
pub mod connect;
pub mod counts;
pub mod halt;
pub mod handshake;
pub mod hosts;
pub mod job;
mod levels;
pub mod local;
mod mail;
mod parts;
pub mod plan;
mod pulse;
pub mod secret;
mod sections;
pub mod session;
pub mod shards;
mod space;
pub mod table;
pub mod wire;

pub use connect::Config;
pub use hosts::Hosts;
pub use job::Job;
pub use secret::Secret;
pub use session::Session;
pub use shards::Cluster;

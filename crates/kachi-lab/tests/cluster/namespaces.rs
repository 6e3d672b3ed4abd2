//! Two hosts: two network namespaces joined by a cable, where the machine allows it. The same counts and bytes as on one host; and when the cable is pulled,
//! both hosts notice, say so and end, and the work goes on later.

use crate::node::{Coins, Job, Orders, SECRET, fresh, results};
use calculation::table::{Size, in_memory};
use kachi_core::Budget;
use kachi_lab::work::{Engine, OnDisk, Threads, Watch};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Two namespaces and their cable, gone afterwards. Tests run side by side, so each has its own.
struct Hosts {
    names: [String; 2],
    cable: [String; 2],
}

const ADDRESSES: [&str; 2] = ["10.99.71.1", "10.99.71.2"];

fn ip(words: &str) -> Result<(), String> {
    let done =
        Command::new("ip").args(words.split_whitespace()).output().map_err(|error| format!("ip: {error}"))?;
    if done.status.success() {
        Ok(())
    } else {
        Err(format!("ip {words}: {}", String::from_utf8_lossy(&done.stderr)))
    }
}

impl Hosts {
    /// Nothing where the machine does not allow it, which is told.
    fn joined(test: &str) -> Option<Hosts> {
        let hosts = Hosts {
            names: ["alpha", "beta"].map(|name| format!("kachi-{test}-{name}")),
            cable: [0, 1].map(|end| format!("k-{test}-{end}")),
        };
        hosts.forget();
        match hosts.join() {
            Ok(()) => Some(hosts),
            Err(why) => {
                println!("skipped: this machine allows no network namespaces ({})", why.trim());
                None
            }
        }
    }

    fn join(&self) -> Result<(), String> {
        let ([alpha, beta], [here, there]) = (&self.names, &self.cable);
        ip(&format!("netns add {alpha}"))?;
        ip(&format!("netns add {beta}"))?;
        ip(&format!("link add {here} netns {alpha} type veth peer name {there} netns {beta}"))?;
        for ((name, end), address) in self.names.iter().zip(&self.cable).zip(ADDRESSES) {
            ip(&format!("-n {name} addr add {address}/24 dev {end}"))?;
            ip(&format!("-n {name} link set {end} up"))?;
            ip(&format!("-n {name} link set lo up"))?;
        }
        Ok(())
    }

    fn forget(&self) {
        for name in &self.names {
            let _ = ip(&format!("netns del {name}"));
        }
    }

    /// Pulls the cable out of the first host.
    fn pull(&self) {
        ip(&format!("-n {} link set {} down", self.names[0], self.cable[0])).unwrap();
    }

    /// A process on each host, each with a folder of its own.
    fn start(&self, job: Job, folders: &[PathBuf; 2]) -> [Child; 2] {
        let hosts: String = ADDRESSES.iter().map(|address| format!("{address}:2101\n")).collect();
        [0, 1].map(|process| {
            let orders = Orders::new(job, &folders[process], 2, 1);
            let inner = Orders { process, hosts: Some(hosts.clone()), ..orders }.command();
            let mut outer = Command::new("ip");
            outer.args(["netns", "exec", &self.names[process]]);
            outer.arg(inner.get_program()).args(inner.get_args());
            outer
                .envs(inner.get_envs().filter_map(|(name, value)| Some((name, value?))))
                .env("KACHI_SECRET", SECRET);
            outer.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap()
        })
    }
}

impl Drop for Hosts {
    fn drop(&mut self) {
        self.forget();
    }
}

fn remove(folders: &[PathBuf]) {
    folders.iter().for_each(|folder| std::fs::remove_dir_all(folder).unwrap());
}

/// What the two hosts leave behind with the first of them.
fn together(hosts: &Hosts, name: &str, job: Job) -> Vec<(String, Vec<u8>)> {
    let folders = ["alpha", "beta"].map(|host| fresh(&format!("{name}-{host}")));
    for child in hosts.start(job, &folders) {
        let done = child.wait_with_output().unwrap();
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    }
    let left = results(&folders[0]);
    remove(&folders);
    left
}

/// What one process of one thread leaves behind.
fn alone(name: &str, job: Job) -> Vec<(String, Vec<u8>)> {
    let folder = fresh(&format!("{name}-alone"));
    Orders::new(job, &folder, 1, 1).complete();
    let left = results(&folder);
    remove(&[folder]);
    left
}

#[test]
fn two_hosts_find_the_same_as_one() {
    let Some(hosts) = Hosts::joined("same") else { return };
    let table = together(&hosts, "table", Job::Table(2, 6));
    let expected = in_memory(Size::new(2, 6).unwrap(), &mut Budget::default()).unwrap();
    assert!(table.len() == 1 && table[0].1 == *expected.bytes);
    for (name, job) in
        [("counts", Job::Count(3, 2, 4)), ("chains", Job::Count(2, 3, 2)), ("coins", Job::Coins(100))]
    {
        let found = together(&hosts, name, job);
        assert!(!found.is_empty() && found == alone(name, job), "{name}");
    }
}

#[test]
fn when_the_cable_is_pulled_both_hosts_end_and_the_work_goes_on() {
    let Some(hosts) = Hosts::joined("pull") else { return };
    let folders = ["alpha", "beta"].map(|host| fresh(&format!("pulled-{host}")));
    let running = hosts.start(Job::Coins(20_000), &folders);
    let shards = |folder: &Path| std::fs::read_dir(folder.join("shards")).map_or(0, Iterator::count);
    let began = Instant::now();
    while shards(&folders[0]) < 4 {
        assert!(began.elapsed() < Duration::from_secs(20), "no shards are kept");
        std::thread::sleep(Duration::from_millis(5));
    }
    hosts.pull();
    let pulled = Instant::now();
    for child in running {
        let done = child.wait_with_output().unwrap();
        let said = String::from_utf8_lossy(&done.stderr);
        assert_eq!(done.status.code(), Some(3), "{said}");
        // Nobody says goodbye and no connection ends: only silence tells.
        assert!(said.contains("lost_process"), "{said}");
    }
    assert!(pulled.elapsed() < Duration::from_secs(20), "{:?}", pulled.elapsed());
    let kept = shards(&folders[0]);
    Orders::new(Job::Coins(0), &folders[0], 2, 1).complete();
    let expected = fresh("pulled-expected");
    let store = OnDisk::open(&expected, "coins").unwrap();
    Threads::all().run(&Coins { slow: 0 }, &store, Watch::default()).unwrap();
    assert!(kept < shards(&expected), "pulled too late");
    assert!(results(&folders[0]) == results(&expected));
    remove(&[&folders[..], &[expected]].concat());
}

//! Two hosts: two network namespaces joined by a cable, where the machine allows it.

use crate::node::{Job, Orders, SECRET, fresh, results};
use calculation::table::{Size, in_memory};
use kachi_core::Budget;
use std::process::{Command, Stdio};

/// The namespaces of the test, gone afterwards.
struct Namespaces;

const NAMES: [&str; 2] = ["kachi-alpha", "kachi-beta"];
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

impl Namespaces {
    fn new() -> Result<Namespaces, String> {
        NAMES.iter().for_each(|name| {
            let _ = ip(&format!("netns del {name}"));
        });
        ip(&format!("netns add {}", NAMES[0]))?;
        let made = Namespaces;
        ip(&format!("netns add {}", NAMES[1]))?;
        ip(&format!("link add kachi0 netns {} type veth peer name kachi1 netns {}", NAMES[0], NAMES[1]))?;
        for i in 0..2 {
            ip(&format!("-n {} addr add {}/24 dev kachi{i}", NAMES[i], ADDRESSES[i]))?;
            ip(&format!("-n {} link set kachi{i} up", NAMES[i]))?;
            ip(&format!("-n {} link set lo up", NAMES[i]))?;
        }
        Ok(made)
    }
}

impl Drop for Namespaces {
    fn drop(&mut self) {
        NAMES.iter().for_each(|name| {
            let _ = ip(&format!("netns del {name}"));
        });
    }
}

#[test]
fn two_hosts_build_the_same_table() {
    let _namespaces = match Namespaces::new() {
        Ok(made) => made,
        Err(why) => {
            println!("skipped: this machine allows no network namespaces ({})", why.trim());
            return;
        }
    };
    let hosts: String = ADDRESSES.iter().map(|address| format!("{address}:2101\n")).collect();
    let folders = [fresh("alpha"), fresh("beta")];
    let started: Vec<_> = (0..2)
        .map(|process| {
            let orders = Orders::new(Job::Table(2, 6), &folders[process], 2, 1);
            let inner = Orders { process, hosts: Some(hosts.clone()), ..orders }.command();
            let mut outer = Command::new("ip");
            outer.args(["netns", "exec", NAMES[process]]).arg(inner.get_program()).args(inner.get_args());
            outer
                .envs(inner.get_envs().filter_map(|(name, value)| Some((name, value?))))
                .env("KACHI_SECRET", SECRET);
            outer.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap()
        })
        .collect();
    for child in started {
        let done = child.wait_with_output().unwrap();
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    }
    let expected = in_memory(Size::new(2, 6).unwrap(), &mut Budget::default()).unwrap();
    assert!(results(&folders[0])[0].1 == *expected.bytes);
    folders.iter().for_each(|folder| std::fs::remove_dir_all(folder).unwrap());
}

//! A process killed at a random moment: the others stop within seconds and say why, and the work goes on later, perhaps with another number of processes.

use crate::node::{Coins, Job, Orders, RESUMED, fresh, results};
use calculation::table::{Size, in_memory};
use kachi_core::Budget;
use kachi_core::random::Dealer;
use kachi_lab::table::Folder;
use kachi_lab::work::{Engine, OnDisk, Threads, Watch};
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

/// The process id of a process of the cluster, once it is there.
fn pid(folder: &Path, process: usize) -> Option<u32> {
    std::fs::read_to_string(folder.join(format!("pid-{process}"))).ok()?.parse().ok()
}

fn alive(pid: u32) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    stat.rsplit(')').next().is_some_and(|rest| !rest.trim().is_empty() && !rest.trim().starts_with('Z'))
}

/// Starts the work, kills one of its processes after a while, and sees the others end. True if it was in time.
fn kill_one(orders: &Orders, victim: usize, after: Duration) -> bool {
    for process in 0..orders.processes {
        let _ = std::fs::remove_file(orders.folder.join(format!("pid-{process}")));
    }
    let first = orders.start();
    let began = Instant::now();
    let all =
        || (0..orders.processes).map(|process| pid(&orders.folder, process)).collect::<Option<Vec<u32>>>();
    let pids = loop {
        match all() {
            Some(pids) => break pids,
            None if began.elapsed() > Duration::from_secs(20) => panic!("the processes do not come"),
            None => std::thread::sleep(Duration::from_millis(1)),
        }
    };
    std::thread::sleep(after);
    let killed = Command::new("kill").args(["-9", &pids[victim].to_string()]).status().unwrap().success();
    let dead = Instant::now();
    let done = first.wait_with_output().unwrap();
    if killed && victim != 0 && !done.status.success() {
        let said = String::from_utf8_lossy(&done.stderr);
        // Killed before it was connected, it did not come; afterwards it is lost.
        assert!(said.contains("lost_process") || said.contains("cannot_"), "{said}");
        assert_eq!(done.status.code(), Some(3));
    }
    while pids.iter().any(|&pid| alive(pid)) {
        // Sooner than silence would tell: a connection that ends is noticed at once.
        assert!(dead.elapsed() < Duration::from_secs(8), "somebody does not stop");
        std::thread::sleep(Duration::from_millis(2));
    }
    killed && !done.status.success()
}

#[test]
fn a_table_whose_process_was_killed_goes_on_with_any_number_of_processes() {
    let size = Size::new(2, 7).unwrap();
    let expected = in_memory(size, &mut Budget::default()).unwrap();
    // Fast machines must be killed sooner.
    let (whole, began) = (fresh("killed-nobody"), Instant::now());
    Orders::new(Job::Table(2, 7), &whole, 2, 1).complete();
    let took = began.elapsed().as_millis() as u64;
    std::fs::remove_dir_all(whole).unwrap();
    let (mut in_time, mut went_on) = (0, 0);
    for seed in 0..10 {
        let mut dealer = Dealer::new(seed);
        let folder = fresh(&format!("killed-{seed}"));
        let before = 2 + dealer.below(2) as usize;
        let victim = dealer.below(before as u64) as usize;
        let after = Duration::from_millis(dealer.below(took.max(1)));
        in_time += usize::from(kill_one(&Orders::new(Job::Table(2, 7), &folder, before, 1), victim, after));
        let now = 1 + dealer.below(3) as usize;
        Orders::new(Job::Table(2, 7), &folder, now, 1 + (seed % 2) as usize).complete();
        assert!(results(&folder)[0].1 == *expected.bytes, "seed {seed}: {before} processes, then {now}");
        went_on += usize::from(std::fs::read_to_string(folder.join(RESUMED)).unwrap() != "0");
        std::fs::remove_dir_all(folder).unwrap();
    }
    assert!(in_time > 3, "only {in_time} of ten were killed before they were done");
    assert!(went_on > 1, "only {went_on} of {in_time} went on from a level that was there");
}

#[test]
fn shards_whose_process_was_killed_are_made_again() {
    let folder = fresh("coins-expected");
    let store = OnDisk::open(&folder, "coins").unwrap();
    Threads::all().run(&Coins { slow: 0 }, &store, Watch::default()).unwrap();
    let expected = results(&folder);
    std::fs::remove_dir_all(folder).unwrap();
    let mut in_time = 0;
    for seed in 0..10 {
        let mut dealer = Dealer::new(100 + seed);
        let folder = fresh(&format!("killed-coins-{seed}"));
        let orders = Orders::new(Job::Coins(3000), &folder, 2, 1);
        let victim = dealer.below(2) as usize;
        in_time += usize::from(kill_one(&orders, victim, Duration::from_millis(30 + dealer.below(200))));
        Orders::new(Job::Coins(0), &folder, 3, 1).complete();
        assert!(results(&folder) == expected, "seed {seed}");
        std::fs::remove_dir_all(folder).unwrap();
    }
    assert!(in_time > 3, "only {in_time} of ten were killed before they were done");
}

#[test]
fn each_host_may_have_its_own_disk() {
    // Three processes with folders of their own, one killed; then the three in another order, so that parts have to be exchanged and brought home.
    let size = Size::new(2, 7).unwrap();
    let expected = in_memory(size, &mut Budget::default()).unwrap();
    let disks: Vec<_> = (0..3).map(|disk| fresh(&format!("disk-{disk}"))).collect();
    let together = |order: [usize; 3]| -> Vec<Orders> {
        let hosts: String = order.iter().map(|_| format!("127.0.0.1:{}\n", free_port())).collect();
        let place = |(process, disk): (usize, usize)| {
            let orders = Orders::new(Job::Table(2, 7), &disks[disk], order.len(), 1);
            Orders { process, hosts: Some(hosts.clone()), ..orders }
        };
        order.into_iter().enumerate().map(place).collect()
    };
    let mut running: Vec<_> = together([0, 1, 2]).iter().map(Orders::start).collect();
    let parts = |disk: usize| {
        let parts = Folder::of(&disks[disk]).building_parts(size);
        std::fs::read_dir(parts).map_or(0, Iterator::count)
    };
    let began = Instant::now();
    while parts(2) < 12 {
        assert!(began.elapsed() < Duration::from_secs(20), "no parts are kept");
        std::thread::sleep(Duration::from_millis(1));
    }
    running[1].kill().unwrap();
    running.iter_mut().for_each(|child| assert!(child.wait().is_ok()));
    assert!((0..3).all(|disk| parts(disk) > 0) && results(&disks[0]).len() > 1, "killed too late");
    let running: Vec<_> = together([0, 2, 1]).iter().map(Orders::start).collect();
    for child in running {
        let done = child.wait_with_output().unwrap();
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    }
    assert!(results(&disks[0])[0].1 == *expected.bytes);
    assert_ne!(std::fs::read_to_string(disks[0].join(RESUMED)).unwrap(), "0", "nothing was gone on from");
    assert!(disks[1..].iter().all(|disk| results(disk).is_empty()), "the table is with the first process");
    disks.iter().for_each(|disk| std::fs::remove_dir_all(disk).unwrap());
}

fn free_port() -> u16 {
    std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

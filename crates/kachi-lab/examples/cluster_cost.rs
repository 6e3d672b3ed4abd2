//! What a cluster costs: the same table by the plain loop on one thread, by one worker under timely, and by two processes over loopback; then counts of a
//! stack game of three chains. The constants of docs/sizing.md come from here.
//!
//! ```sh
//! cargo run --release -p kachi-lab --example cluster_cost -- 3 9
//! ```

use calculation::table::Size;
use kachi_core::Error;
use kachi_lab::cluster::Session;
use kachi_lab::cluster::local::{Children, started};
use kachi_lab::cluster::table::{Watch, build, count};
use kachi_lab::table::{Build, Folder};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

static NEVER: AtomicBool = AtomicBool::new(false);

fn main() -> Result<(), Error> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let number = |i: usize, usual: u64| words.get(i).and_then(|word| word.parse().ok()).unwrap_or(usual);
    let size = Size::new(number(0, 3), number(1, 8))?;
    let folder = words.get(3).map_or_else(
        || std::env::temp_dir().join(format!("kachi-cost-{}", std::process::id())),
        PathBuf::from,
    );
    if let Some(process) = words.get(2).and_then(|word| word.parse().ok()) {
        let session = Session::join(started(process, 1)?, "cost", &NEVER, &|_| ())?;
        return build(session, size, &Folder::of(&folder), watch(&|_, _, _| ())).map(|_| ());
    }
    println!("table of {size}");
    let plain = clocked(&folder, "plain loop, one thread", || {
        let build = Build {
            size,
            folder: Folder::of(&folder),
            threads: Some(1),
            memory: 8_000_000_000,
            stop: &|| false,
            progress: &|_| (),
        };
        Ok((build.run()?.states(), String::new()))
    })?;
    let timely = clocked(&folder, "timely, one worker", || {
        let turn = Mutex::new(None);
        let began = Instant::now();
        let hear = |what: &str, _: usize, _: u64| {
            if what != "finding states" {
                turn.lock()
                    .unwrap_or_else(PoisonError::into_inner)
                    .get_or_insert_with(|| began.elapsed().as_secs_f64());
            }
        };
        let counted = build(Session::alone(1), size, &Folder::of(&folder), watch(&hear))?;
        let (states, cost) = (counted.states.iter().sum::<u64>(), counted.cost);
        let found = turn.into_inner().ok().flatten().unwrap_or(0.0);
        let all = began.elapsed().as_secs_f64();
        let rates = format!(
            "; found {:.0}/s, valued {:.0}/s, {:.2} bytes a state on disk",
            states as f64 / found,
            states as f64 / (all - found),
            cost.disk as f64 / states as f64
        );
        Ok((states, rates))
    })?;
    println!("  timely takes {:.2} times as long as the plain loop", timely / plain);
    for processes in [2, 3] {
        clocked(&folder, &format!("{processes} processes over loopback"), || {
            let program =
                std::env::current_exe().map_err(|error| Error::new("cannot_start", error.to_string()))?;
            let place = |process: usize| -> Vec<OsString> {
                let numbers = [size.stacks(), size.ranks(), process].map(|number| number.to_string().into());
                numbers.into_iter().chain([folder.clone().into_os_string()]).collect()
            };
            let (config, _children) = Children::start(&program, processes, 1, &place)?;
            let session = Session::join(config, "cost", &NEVER, &|_| ())?;
            let counted = build(session, size, &Folder::of(&folder), watch(&|_, _, _| ()))?;
            let states = counted.states.iter().sum::<u64>();
            let each = counted.cost.sent as f64 / states as f64 * processes as f64;
            let abroad = 1.0 - 1.0 / processes as f64;
            Ok((
                states,
                format!("; {each:.1} bytes a state on the network, {:.1} if all of it left", each / abroad),
            ))
        })?;
    }
    for (stacks, chains, length) in [(3, 3, 4), (4, 3, 4)] {
        clocked(&folder, &format!("posets, {stacks} stacks, {chains} chains of {length}"), || {
            let counted = count(Session::alone(1), (stacks, chains, length), &folder, watch(&|_, _, _| ()))?;
            let states: u64 = counted.states.iter().sum();
            Ok((states, format!("; {:.2} bytes a state on disk", counted.cost.disk as f64 / states as f64)))
        })?;
    }
    Ok(())
}

fn watch<'a>(hear: &'a (dyn Fn(&str, usize, u64) + Sync)) -> Watch<'a> {
    Watch { stop: &NEVER, hear, memory: 8_000_000_000, is_over: false, keep: &|_| Ok(()) }
}

fn clocked(
    folder: &Path,
    name: &str,
    work: impl FnOnce() -> Result<(u64, String), Error>,
) -> Result<f64, Error> {
    let _ = std::fs::remove_dir_all(folder);
    let began = Instant::now();
    let (states, more) = work()?;
    let seconds = began.elapsed().as_secs_f64();
    println!("{name}: {states} states in {seconds:.2} s, {:.0} a second{more}", states as f64 / seconds);
    let _ = std::fs::remove_dir_all(folder);
    Ok(seconds)
}

//! Runs of the earlier layout. Their games are taken over with their settings as they were, shard by shard; a shard that cannot be trusted is left out.
//! Which version played them was not written down then, so nobody plays on: what is there can be summed up.

use super::clean::check_free;
use super::file::{Campaign, Simulation, What};
use super::moment;
use super::run::{FORMAT, Manifest, Run, pretty};
use crate::simulate::games::{Games, written};
use crate::simulate::{self, Recorded};
use crate::work::store::{cannot_write, write_whole};
use crate::work::{Made, Shard, Store};
use kachi_core::Error;
use serde_json::{Value, json};
use std::fs;
use std::io::Write;
use std::path::Path;

/// The version of games whose manifest names none. It is that of no program, so their games are never mixed with others.
pub const UNKNOWN: &str = "(version unknown)";

/// What an import took over.
pub struct Imported {
    /// The run.
    pub run: Run,
    /// Its games as work: settings as they were, so nobody can play on with them, but everything can be summed up.
    pub games: Games,
    /// Games taken over.
    pub taken: u64,
}

/// Takes a run of the earlier layout over into a new folder.
///
/// # Errors
/// `no_run`, `foreign_folder`, `other_run` if there is a run already, `too_large` or `bad_value` for games that nobody played, `cannot_write`.
pub fn import(from: &Path, into: &Path) -> Result<Imported, Error> {
    let folder = simulate::Folder::find(from)?
        .ok_or_else(|| Error::new("no_run", format!("{} holds no run", from.display())))?;
    if into.join("manifest.json").exists() {
        return Err(Error::new("other_run", format!("{} holds a run already", into.display()))
            .hint("name another folder with --out"));
    }
    check_free(into)?;
    let simulate::Simulation { settings, first_seed, games, shard } = folder.simulation().clone();
    let word = |key: &str| settings.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
    let stacks = settings.get("stacks").and_then(Value::as_u64).map(|stacks| stacks as usize);
    let campaign = Campaign {
        title: simulate::plot::name(&settings),
        what: What::Simulation(Simulation {
            game: word("game"),
            player: word("player"),
            games,
            first_seed,
            stacks,
            others: None,
            house: None,
        }),
    };
    let mut all = Games::new(vec![Box::new(Recorded(settings.clone()))], first_seed, games)?;
    all.shard = shard;
    fs::create_dir_all(into).map_err(|error| cannot_write(into, &error))?;
    let manifest = Manifest {
        format: FORMAT,
        kachi: folder.version().unwrap_or(UNKNOWN).to_owned(),
        campaign,
        settings: json!({"players": [settings], "first_seed": first_seed, "shard": shard}),
        hosts: Vec::new(),
        started: moment::now(),
        ended: None,
        hash: None,
    };
    write_whole(&into.join("manifest.json"), |out| out.write_all(pretty(&manifest).as_bytes()))?;
    let run = Run::at(into)?;
    let store = run.store()?;
    let mut taken = 0;
    for index in folder.present() {
        let games = folder.shard(index);
        if games.is_empty() {
            continue;
        }
        taken += games.len() as u64;
        let made = Made { result: written(&games), cost: written(&folder.costs(index)) };
        store.keep(Shard { line: 0, stage: 0, index }, &made)?;
    }
    Ok(Imported { run, games: all, taken })
}

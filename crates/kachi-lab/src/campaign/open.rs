//! From the data of a campaign to the work: players are found by their names, claims by theirs, tables by their sizes.

use super::file::{Campaign, Claims, Comparison, Levels, Simulation, What};
use super::study::Study;
use crate::simulate::calculation::Calculation;
use crate::simulate::face_up::FaceUp;
use crate::simulate::hana::Hana;
use crate::simulate::{Experiment, Games};
use crate::table::{self, Build, Size};
use kachi::registry::Registry;
use kachi::verify::select;
use kachi_core::Error;
use std::num::NonZeroUsize;

/// What a campaign needs from outside.
#[derive(Clone, Copy)]
pub struct Ground<'a> {
    /// The games whose claims can be checked.
    pub games: Registry<'a>,
    /// Where tables are kept.
    pub tables: Option<&'a table::Folder>,
    /// Threads for work that uses them itself.
    pub threads: Option<NonZeroUsize>,
}

impl Campaign {
    /// The work of the campaign.
    ///
    /// # Errors
    /// Everything that is wrong with its settings, at the field.
    pub fn open(&self, ground: Ground<'_>) -> Result<Box<dyn Study>, Error> {
        match &self.what {
            What::Simulation(part) => simulation(part),
            What::Comparison(part) => comparison(part),
            What::Claims(part) => claims(part, ground),
            What::Table(part) if part.chains.is_some() => {
                let message = "tables are of two chains; only counts have others";
                Err(Error::new("bad_campaign", message).at_field("chains").hint("leave it out"))
            }
            What::Table(part) => Ok(Box::new(table::Levels::of_table(levels(part, ground)?))),
            What::Counts(part) if part.chains.is_some_and(|chains| chains != 2) => counts(part, ground),
            What::Counts(part) => Ok(Box::new(table::Levels::of_counts(levels(part, ground)?))),
        }
    }

    /// A name for the campaign's run, of letters, digits and dashes.
    #[must_use]
    pub fn name(&self) -> String {
        let words = match &self.what {
            What::Simulation(part) => {
                let stacks = part.stacks.map(|stacks| format!("-{stacks}")).unwrap_or_default();
                format!("{}{stacks}-{}", part.game, part.player)
            }
            What::Comparison(part) => {
                let stacks = part.stacks.map(|stacks| format!("-{stacks}")).unwrap_or_default();
                format!("{}{stacks}-{}", part.game, part.players.join("-"))
            }
            What::Claims(part) => format!("claims-{}", part.game.as_deref().unwrap_or("all")),
            What::Table(part) => format!("table-{}-{}-{}", part.game, part.stacks, part.ranks),
            What::Counts(part) => {
                let chains = part.chains.map(|chains| format!("-{chains}")).unwrap_or_default();
                format!("counts-{}-{}{chains}-{}", part.game, part.stacks, part.ranks)
            }
        };
        words.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).take(60).collect()
    }
}

/// A player with what its game needs beside the name.
fn experiment(
    game: &str,
    player: &str,
    stacks: Option<usize>,
    others: Option<&str>,
    house: Option<&str>,
) -> Result<Box<dyn Experiment>, Error> {
    let unused = |field: &'static str| {
        Error::new("bad_campaign", format!("{game} has no {field}")).at_field(field).hint("leave it out")
    };
    match game {
        "calculation" => {
            if others.is_some() || house.is_some() {
                return Err(unused(if others.is_some() { "others" } else { "house" }));
            }
            let stacks = stacks.unwrap_or(3);
            // The game speaks to programs too, in JSON; a campaign is TOML.
            let in_toml =
                |error: Error| if error.code == "bad_stacks" { error.hint("stacks = 3") } else { error };
            Ok(match FaceUp::named(stacks, player).map_err(in_toml)? {
                Some(search) => Box::new(search),
                None => Box::new(Calculation::new(stacks, player).map_err(in_toml)?),
            })
        }
        "hana" => {
            if stacks.is_some() {
                return Err(unused("stacks"));
            }
            Ok(Box::new(Hana::new(player, others.unwrap_or("greedy"), house.unwrap_or("modern"))?))
        }
        _ => Err(Error::new("no_simulation", format!("there are no players to be measured for {game:?}"))
            .at_field("game")
            .hint("game = \"calculation\" or game = \"hana\"; the other games are solved exactly")),
    }
}

fn simulation(part: &Simulation) -> Result<Box<dyn Study>, Error> {
    let Simulation { game, player, games, first_seed, stacks, others, house } = part;
    let player = experiment(game, player, *stacks, others.as_deref(), house.as_deref())?;
    Ok(Box::new(Games::new(vec![player], *first_seed, *games)?))
}

fn comparison(part: &Comparison) -> Result<Box<dyn Study>, Error> {
    let Comparison { game, players, games, first_seed, stacks, others, house } = part;
    if players.len() < 2 {
        return Err(Error::new("bad_campaign", "a comparison has at least two players")
            .at_field("players")
            .hint("players = [\"plans-look0\", \"paper\"]"));
    }
    let seated: Result<Vec<Box<dyn Experiment>>, Error> = players
        .iter()
        .map(|player| experiment(game, player, *stacks, others.as_deref(), house.as_deref()))
        .collect();
    Ok(Box::new(Games::new(seated?, *first_seed, *games)?))
}

fn claims(part: &Claims, ground: Ground<'_>) -> Result<Box<dyn Study>, Error> {
    let chosen = select(ground.games, part.game.as_deref(), &part.claims)?;
    for name in part.sizes.keys() {
        if !chosen.iter().any(|stated| stated.claim.statement().id == name) {
            let message = format!("a size is given for {name:?}, which is not among the claims");
            return Err(Error::new("unknown_claim", message)
                .at_field(format!("sizes.{name}"))
                .hint("kachi verify --list shows all of them"));
        }
    }
    let size =
        |stated: &kachi::verify::Stated| part.sizes.get(stated.claim.statement().id).copied().or(part.size);
    Ok(Box::new(crate::claims::Claims::new(&chosen, size)))
}

/// Counts of any number of chains.
fn counts(part: &Levels, ground: Ground<'_>) -> Result<Box<dyn Study>, Error> {
    let Build { folder, memory, threads, .. } = levels(&Levels { ranks: 1, ..part.clone() }, ground)?;
    let game = (part.stacks as usize, part.chains.unwrap_or(2) as usize, part.ranks as usize);
    Ok(Box::new(crate::cluster::counts::Counts::new(game, &folder, memory, threads)?))
}

fn levels(part: &Levels, ground: Ground<'_>) -> Result<Build<'static>, Error> {
    if part.game != "calculation" {
        let message = format!("{:?} has no tables to build", part.game);
        return Err(Error::new("no_table", message).at_field("game").hint("game = \"calculation\""));
    }
    let folder = ground.tables.ok_or_else(|| {
        Error::new("no_data_folder", "there is no folder to keep tables in")
            .hint("name one with --data or in KACHI_DATA")
    })?;
    Ok(Build {
        size: Size::new(part.stacks, part.ranks).map_err(|error| error.hint("stacks = 3, ranks = 12"))?,
        folder: folder.clone(),
        threads: ground.threads.map(NonZeroUsize::get),
        memory: part.memory.saturating_mul(1_000_000_000),
        stop: &|| false,
        progress: &|_| {},
    })
}

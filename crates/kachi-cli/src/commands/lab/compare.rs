//! `kachi lab compare`: the players of two runs, deal by deal.

use super::games;
use super::runs::find;
use crate::failure::{Exit, Failure};
use crate::scene::Scene;
use clap::Args;
use kachi::core::Error;
use kachi_lab::simulate::recorded::{Line, players};
use kachi_lab::simulate::{Comparison, Recorded};
use serde_json::Value;

/// Compare the players of two runs on the deals that both have played
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  kachi lab compare calculation-3-plans calculation-3-paper
  kachi lab compare ./a ./b --json

Every player of the first run is set against every player of the second. Deals that both win or both lose tell \
little, so the interval of the difference is much narrower than those of the two rates suggest.")]
pub(super) struct CompareArgs {
    /// A finished run
    #[arg(value_name = "RUN")]
    first: String,

    /// Another one
    #[arg(value_name = "RUN")]
    second: String,
}

pub(super) fn run(args: &CompareArgs, scene: &mut Scene<'_>) -> Result<Exit, Failure> {
    let [first, second] = [players(&find(&args.first)?)?, players(&find(&args.second)?)?];
    let mut comparisons = Vec::new();
    for one in &first {
        for other in &second {
            comparisons.push(compared(one, other)?);
        }
    }
    if scene.json {
        scene.json_line(&comparisons)?;
        return Ok(Exit::Answered);
    }
    games::compare(&comparisons, scene)?;
    Ok(Exit::Answered)
}

/// Do two players play the same game, so that one may be set beside the other?
pub(super) fn same_game(settings: [&Value; 2]) -> Result<(), Error> {
    let games = settings.map(|settings| {
        ["game", "stacks", "deals", "others", "house"]
            .map(|key| settings.get(key).cloned().unwrap_or_default())
    });
    if games[0] == games[1] {
        return Ok(());
    }
    let names = settings.map(kachi_lab::simulate::plot::name);
    let message = format!("{} and {} did not play the same game", names[0], names[1]);
    Err(Error::new("not_comparable", message)
        .hint("compare runs of one game with the same stacks, others and house"))
}

fn compared(one: &Line, other: &Line) -> Result<Comparison, Error> {
    let settings = [one.summary.settings.clone(), other.summary.settings.clone()];
    same_game(settings.each_ref())?;
    let measure = Recorded::measure_of(&settings[0]);
    let comparison =
        Comparison::of(settings, measure, one.games.iter().cloned(), other.games.iter().cloned());
    if comparison.games == 0 {
        return Err(Error::new("not_comparable", "the two runs have no deal in common")
            .hint("give both the same first_seed"));
    }
    Ok(comparison)
}

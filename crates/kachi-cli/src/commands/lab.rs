//! `kachi lab`: many games by a player of the program, kept, summed up and drawn.

use crate::failure::{Exit, Failure};
use crate::interrupt;
use crate::positions::find_game;
use crate::scene::Scene;
use crate::text::{Cell, Table, count, thousands};
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use kachi::core::Error;
use kachi_lab::simulate::calculation::Calculation;
use kachi_lab::simulate::plot::{name, seconds, success_against_time};
use kachi_lab::simulate::statistics::wilson;
use kachi_lab::simulate::{
    Comparison, Ended, Experiment, Folder, Interval, Progress, Run, Simulation, Summary, Timing,
};
use serde::Serialize;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::Duration;

const EXAMPLES: &str = "\
Examples:
  kachi lab calculation --stacks 3 --player plans --games 10000 --seed 1
  kachi lab calculation --stacks 4 --player paper --games 500 --out paper4
  kachi lab calculation --player plans --against paper --games 1000

A run that was interrupted or killed goes on when it is asked for again, and one with more games goes
on from the fewer. The results are the same bytes for any number of threads. The folder then holds
results.jsonl, summary.json, times.jsonl, timing.json, lost.svg and time.svg.";

/// Play many games and sum them up: rate, interval, where games are lost
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct LabArgs {
    /// The game
    game: String,

    /// Waste stacks
    #[arg(long, value_name = "S", default_value_t = 3)]
    stacks: usize,

    /// Who plays
    #[arg(long, value_name = "PLAYER", default_value = "plans")]
    player: String,

    /// Another player on the same deals, compared deal by deal
    #[arg(long, value_name = "PLAYER")]
    against: Option<String>,

    /// How many games
    #[arg(long, value_name = "N", default_value = "1000")]
    games: NonZeroGames,

    /// The seed of the first deal; the others follow it
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// Where to keep the games; left out: a folder of its own in the data folder (KACHI_DATA)
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,

    /// Threads; the machine's cores by default
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,
}

/// A number of games that can be counted.
#[derive(Debug, Clone, Copy)]
struct NonZeroGames(u64);

impl std::str::FromStr for NonZeroGames {
    type Err = String;

    fn from_str(word: &str) -> Result<Self, String> {
        const MOST: u64 = 100_000_000;
        match word.replace([',', '_'], "").parse() {
            Ok(games @ 1..=MOST) => Ok(NonZeroGames(games)),
            _ => Err(format!("a number from 1 to {}", thousands(MOST))),
        }
    }
}

/// Games in a shard.
const SHARD: u32 = 50;

#[derive(Serialize)]
struct Told<'t> {
    folder: &'t Path,
    complete: bool,
    summary: &'t Summary,
    timing: &'t Timing,
    #[serde(skip_serializing_if = "Option::is_none")]
    against: Option<Against<'t>>,
}

#[derive(Serialize)]
struct Against<'t> {
    folder: &'t Path,
    summary: &'t Summary,
    timing: &'t Timing,
    comparison: &'t Comparison,
}

pub(crate) fn run(args: &LabArgs, scene: &mut Scene<'_>) -> Result<Exit, Failure> {
    let game = find_game(scene, &args.game)?.about().name;
    if game != "calculation" {
        let message = format!("{game} has no player whose games are worth counting: its answers are exact");
        return Err(Error::new("no_simulation", message).hint("kachi lab calculation").into());
    }
    interrupt::stop_gently();
    let player = Calculation::new(args.stacks, &args.player)?;
    let other = args.against.as_deref().map(|name| Calculation::new(args.stacks, name)).transpose()?;
    if !player.has_full_table() && !scene.json {
        let stacks = args.stacks;
        let words = "without the table of all pairs players are much weaker";
        writeln!(scene.stage.errors, "note: {words}: kachi table build calculation --stacks {stacks}")?;
    }
    let path = args.folder(&player);
    let Some((summary, timing)) = args.play(&player, &path, scene)? else { return Ok(Exit::Interrupted) };
    let mut told = Told { folder: &path, complete: true, summary: &summary, timing: &timing, against: None };
    let Some(other) = other else {
        show(&told, scene)?;
        return Ok(Exit::Answered);
    };
    let beside = path.join(format!("against-{}", args.against.as_deref().unwrap_or_default()));
    let Some((second, second_timing)) = args.play(&other, &beside, scene)? else {
        return Ok(Exit::Interrupted);
    };
    let folder = open(&path)?;
    let comparison = Comparison::of(&folder, &open(&beside)?);
    let text = serde_json::to_string_pretty(&comparison).unwrap_or_default() + "\n";
    folder.write("comparison.json", text.as_bytes())?;
    let both =
        [(name(&summary.settings), &summary, &timing), (name(&second.settings), &second, &second_timing)];
    folder.write("time.svg", success_against_time(&both).as_bytes())?;
    told.against =
        Some(Against { folder: &beside, summary: &second, timing: &second_timing, comparison: &comparison });
    show(&told, scene)?;
    Ok(Exit::Answered)
}

fn open(path: &Path) -> Result<Folder, Failure> {
    let missing = || Error::new("cannot_read", format!("{} holds no games any more", path.display()));
    Ok(Folder::find(path)?.ok_or_else(missing)?)
}

impl LabArgs {
    fn simulation(&self, player: &Calculation) -> Simulation {
        Simulation { settings: player.settings(), first_seed: self.seed, games: self.games.0, shard: SHARD }
    }

    /// The folder named, or one in the data folder whose name tells runs apart.
    fn folder(&self, player: &Calculation) -> PathBuf {
        self.out.clone().unwrap_or_else(|| {
            let data = kachi_lab::table::Folder::usual()
                .and_then(|tables| tables.path().parent().map(Path::to_owned));
            let run = self.simulation(player).fingerprint() >> 32;
            let name = format!("calculation-{}-{}-{run:08x}", self.stacks, self.player);
            data.unwrap_or_default().join("lab").join(name)
        })
    }

    /// Plays what is left to play; nothing when interrupted.
    fn play(
        &self,
        player: &Calculation,
        path: &Path,
        scene: &mut Scene<'_>,
    ) -> Result<Option<(Summary, Timing)>, Failure> {
        let simulation = self.simulation(player);
        let bar = Bar::new(simulation.games, &name(&simulation.settings), scene.colourful);
        let progress = |news: Progress| bar.hear(news);
        let cores = || std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
        let threads = self.threads.unwrap_or_else(cores);
        let run = Run { threads, stop: &interrupt::STOP, progress: &progress, ..Run::new(path) };
        let ended = run.play(&simulation, player);
        bar.finish();
        match ended? {
            Ended::Complete(shown) => Ok(Some(*shown)),
            Ended::Stopped { games, won } => {
                let (rate, of) = (with_interval(won, games), count(games, "game"));
                if scene.json {
                    scene.json_line(
                        &serde_json::json!({"folder": path, "complete": false, "games": games, "won": won}),
                    )?;
                } else {
                    writeln!(scene.stage.output, "Stopped after {of}: {rate} won.")?;
                    writeln!(
                        scene.stage.output,
                        "The same command goes on from there ({}).",
                        path.display()
                    )?;
                }
                Ok(None)
            }
        }
    }
}

/// `67.5 % (66.6 to 68.4)`.
fn with_interval(won: u64, games: u64) -> String {
    let Interval { low, high } = wilson(won, games);
    let rate = won as f64 / (games as f64).max(1.0);
    format!("{:.1} % ({:.1} to {:.1})", 100.0 * rate, 100.0 * low, 100.0 * high)
}

fn show(told: &Told<'_>, scene: &mut Scene<'_>) -> Result<(), Failure> {
    if scene.json {
        return scene.json_line(told);
    }
    player(told.summary, told.timing, scene)?;
    if let Some(against) = &told.against {
        player(against.summary, against.timing, scene)?;
        compare(against.comparison, scene)?;
    }
    let faint = scene.paint.faint;
    writeln!(scene.stage.output, "\n{faint}Games, summary and pictures: {}{faint:#}", told.folder.display())?;
    Ok(())
}

fn player(summary: &Summary, timing: &Timing, scene: &mut Scene<'_>) -> Result<(), Failure> {
    let strong = scene.paint.strong;
    writeln!(scene.stage.output, "{strong}{}{strong:#}", name(&summary.settings))?;
    let last = summary.first_seed + summary.games.saturating_sub(1);
    let mut table = Table::new(2, scene.width);
    table.row(vec![
        Cell::new("won"),
        Cell::new(format!(
            "{}, 95 % interval in brackets: {} of {}, seeds {} to {last}",
            with_interval(summary.won, summary.games),
            thousands(summary.won),
            count(summary.games, "game"),
            summary.first_seed
        )),
    ]);
    let most = |counts: Vec<(String, u64)>| {
        let mut counts = counts;
        counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        let shown: Vec<String> =
            counts.into_iter().take(3).map(|(word, count)| format!("{word} {count}×")).collect();
        shown.join(", ")
    };
    if summary.won < summary.games {
        let turns =
            summary.lost.by_turn.iter().map(|(turn, &count)| (format!("turn {turn}"), count)).collect();
        let cards = summary.lost.on.iter().map(|(card, &count)| (card.clone(), count)).collect();
        table.row(vec![
            Cell::new("lost"),
            Cell::new(format!("mostly in {}; on {}", most(turns), most(cards))),
        ]);
    }
    let kind = if timing.cpu { "of one core" } else { "passed" };
    table.row(vec![
        Cell::new("time"),
        Cell::new(format!(
            "{} {kind} a game on average; 95 of 100 within {}",
            seconds(timing.mean),
            seconds(timing.most)
        )),
    ]);
    table.write(scene.stage.output)?;
    Ok(())
}

fn compare(comparison: &Comparison, scene: &mut Scene<'_>) -> Result<(), Failure> {
    let Comparison { deals, difference, interval, chance_if_equal, .. } = comparison;
    let [first, second] = comparison.settings.each_ref().map(name);
    let out = &mut *scene.stage.output;
    writeln!(out, "On the same {}:", count(comparison.games, "deal"))?;
    writeln!(
        out,
        "  {first} wins {:+.1} points (95 % interval {:+.1} to {:+.1}) against {second}",
        100.0 * difference,
        100.0 * interval.low,
        100.0 * interval.high
    )?;
    writeln!(
        out,
        "  {} won only by the first, {} only by the second, {} by both, {} by neither; p = {chance_if_equal:.2e} (McNemar, exact)",
        thousands(deals.only_first),
        thousands(deals.only_second),
        thousands(deals.both),
        thousands(deals.neither)
    )?;
    Ok(())
}

/// Games played and won so far, how fast, and how sure the rate is; on standard error, when that is a terminal.
struct Bar(ProgressBar);

impl Bar {
    fn new(games: u64, name: &str, colourful: bool) -> Self {
        let bar = ProgressBar::new(games);
        let colour = if colourful { ".green" } else { "" };
        let template =
            format!("{{spinner}} {{prefix}} [{{bar:16{colour}}}] {{pos}}/{{len}}  {{wide_msg}} {{eta}}");
        // The template is ours and right; if it were not, the usual style would do.
        let style = ProgressStyle::with_template(&template).unwrap_or_else(|_| ProgressStyle::default_bar());
        bar.set_style(style.progress_chars("█░░"));
        bar.set_prefix(name.to_owned());
        bar.enable_steady_tick(Duration::from_millis(100));
        Bar(bar)
    }

    fn hear(&self, news: Progress) {
        if self.0.position() == 0 && news.found > 0 {
            // What earlier runs played took no time in this one.
            self.0.set_position(news.found);
            self.0.reset_eta();
        }
        self.0.set_position(news.games);
        let fresh = (news.games - news.found) as f64 / self.0.elapsed().as_secs_f64().max(1e-3);
        self.0.set_message(format!("won {}  {fresh:.1} games/s", with_interval(news.won, news.games)));
    }

    fn finish(&self) {
        self.0.finish_and_clear();
    }
}

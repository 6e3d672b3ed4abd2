//! Before the first play of a game that plays much better with a table: shall it be built now? Only a person at a terminal is asked, and only once.

use super::listen;
use crate::failure::Failure;
use crate::interrupt;
use crate::scene::Scene;
use crate::text::paragraph;
use indicatif::{ProgressBar, ProgressStyle};
use kachi::calculation::entry::stock;
use kachi::calculation::players::strongest;
use kachi::calculation::table::{Size, offer, offered};
use kachi::core::surface::Board;
use kachi_lab::table::{Build, Folder, Progress};
use std::sync::atomic::Ordering;

/// The table of three stacks takes a minute or two; the one of four a quarter of an hour, which is nothing to begin on the way to a game.
const OFFERED_STACKS: usize = 3;
const RANKS: u64 = 12;
const MEMORY: u64 = 4 << 30;

/// Offers to build the table that a board would be judged with.
pub(super) fn table(game: &str, board: &dyn Board, scene: &mut Scene<'_>) -> Result<(), Failure> {
    if game != "calculation" || scene.json || !scene.stage.typed || !scene.stage.read {
        return Ok(());
    }
    let Ok(rules) = stock::read(&board.notation()).map(|written| written.rules) else { return Ok(()) };
    let stacks = rules.stacks();
    let (Some(folder), Ok(size)) = (Folder::usual(), Size::new(stacks as u64, RANKS)) else { return Ok(()) };
    let refused = folder.path().join("no-table-wanted");
    let there = offered(stacks).is_some_and(|table| table.size() == size);
    if stacks != OFFERED_STACKS || there || refused.exists() {
        return Ok(());
    }
    let words = format!(
        "The table of all pairs of foundations is not built yet. With it {} would advise you, without it {} does. Building it takes a minute or two on two \
         cores, and 230 MB in {}.",
        strongest(&rules, true).words(),
        strongest(&rules, false).words(),
        folder.path().display()
    );
    paragraph(scene.stage.output, "", &words, scene.width)?;
    let answer = listen(scene, "build it now? [y/n]> ")?.unwrap_or_default().to_lowercase();
    if !answer.starts_with('y') {
        // Whoever said no is not asked again; a folder that cannot be written to costs no more than another question.
        let _ = std::fs::create_dir_all(folder.path()).and_then(|()| std::fs::write(&refused, ""));
        writeln!(scene.stage.output, "Later: kachi table build calculation\n")?;
        return Ok(());
    }
    build(size, folder, scene)
}

fn build(size: Size, folder: Folder, scene: &mut Scene<'_>) -> Result<(), Failure> {
    const STEPS: f64 = 1000.0;
    interrupt::stop_gently();
    let bar = ProgressBar::new(STEPS as u64);
    // The template is ours and right; if it were not, the usual style would do.
    let style = ProgressStyle::with_template("{spinner} [{bar:24}] {percent} %  {msg} {eta}");
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()).progress_chars("█░░"));
    let progress = |news: Progress| {
        bar.set_position((news.fraction * STEPS) as u64);
        bar.set_message(format!("{} cards left", news.cards));
    };
    let stop = || interrupt::STOP.load(Ordering::Relaxed);
    let built = Build { size, folder, threads: None, memory: MEMORY, stop: &stop, progress: &progress }.run();
    bar.finish_and_clear();
    match built {
        Ok(table) => {
            offer(table);
            Ok(writeln!(scene.stage.output, "The table is built.\n")?)
        }
        Err(error) if error.code == "interrupted" => {
            // The game goes on without it; the layers that are done stay for the next time.
            interrupt::STOP.store(false, Ordering::Relaxed);
            Ok(writeln!(scene.stage.output, "Stopped. kachi table build calculation goes on from there.\n")?)
        }
        Err(error) => Err(error.into()),
    }
}

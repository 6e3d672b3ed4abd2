//! What games by players show, for people.

use crate::failure::Failure;
use crate::scene::Scene;
use crate::text::{Cell, Table, count, paragraph, printable, thousands};
use kachi_lab::simulate::plot::{name, seconds};
use kachi_lab::simulate::summary::Lost;
use kachi_lab::simulate::words::{NO_INTERVAL, compared, rate_of, rest, significance};
use kachi_lab::simulate::{Comparison, Interval, Shown, Summary, Timing};
use serde_json::Value;

/// Tells the summary of a run of games.
pub(super) fn tell(summary: &Value, timing: Option<&Value>, scene: &mut Scene<'_>) -> Result<(), Failure> {
    let Ok(shown) = serde_json::from_value::<Shown>(summary.clone()) else { return Ok(()) };
    let timings: Vec<Timing> =
        timing.and_then(|timing| serde_json::from_value(timing.clone()).ok()).unwrap_or_default();
    for (place, summary) in shown.players.iter().enumerate() {
        player(summary, timings.get(place), scene)?;
    }
    compare(&shown.comparisons, scene)
}

/// One player: rate or mean, where games are lost, what they cost.
pub(super) fn player(
    summary: &Summary,
    timing: Option<&Timing>,
    scene: &mut Scene<'_>,
) -> Result<(), Failure> {
    let strong = scene.paint.strong;
    writeln!(scene.stage.output, "{strong}{}{strong:#}", printable(&name(&summary.settings)))?;
    let last = summary.first_seed + summary.games.saturating_sub(1);
    let mut table = Table::new(2, scene.width);
    let seeds = format!("seeds {} to {last}", summary.first_seed);
    if let Some(points) = &summary.points {
        let interval = match points.mean.interval {
            Some(Interval { low, high }) => format!("95 % interval {low:+.2} to {high:+.2}"),
            None => NO_INTERVAL.to_owned(),
        };
        let shown = format!(
            "{:+.2} {} ({interval}), {} in every seat, {seeds}",
            points.mean.mean,
            points.unit,
            count(summary.games, "deal"),
        );
        table.row(vec![Cell::new("mean"), Cell::new(shown)]);
    } else {
        let (won, games) = (thousands(summary.won), count(summary.games, "game"));
        let rate = rate_of(summary.won, summary.games);
        let shown = format!("{rate}, 95 % interval in brackets: {won} of {games}, {seeds}");
        table.row(vec![Cell::new("won"), Cell::new(shown)]);
    }
    let most = |mut counts: Vec<(String, u64)>| {
        counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        let shown: Vec<String> =
            counts.into_iter().take(3).map(|(word, count)| format!("{word} {count}×")).collect();
        shown.join(", ")
    };
    let Lost { by_turn, on, .. } = &summary.lost;
    if !by_turn.is_empty() {
        let on = most(on.iter().map(|(card, &count)| (card.clone(), count)).collect());
        let turns = by_turn.iter().map(|(turn, &count)| (format!("turn {turn}"), count)).collect();
        table.row(vec![Cell::new("lost"), Cell::new(format!("mostly in {}; on {on}", most(turns)))]);
    }
    if let Some(rest) = rest(&summary.lost) {
        table.row(vec![Cell::new("rest"), Cell::new(rest)]);
    }
    if let Some(timing) = timing {
        let kind = if timing.cpu { "time of one core" } else { "time that passed" };
        let (mean, most) = (seconds(timing.mean), seconds(timing.most));
        let shown = format!("{mean} a game on average, 95 of 100 within {most} ({kind})");
        table.row(vec![Cell::new("time"), Cell::new(shown)]);
    }
    table.write(scene.stage.output)?;
    Ok(())
}

/// Players two by two, deal by deal.
pub(super) fn compare(comparisons: &[Comparison], scene: &mut Scene<'_>) -> Result<(), Failure> {
    let (out, width) = (&mut *scene.stage.output, scene.width);
    let mut deals = None;
    for comparison in comparisons {
        if deals.replace(comparison.games) != Some(comparison.games) {
            writeln!(out, "On the same {}:", count(comparison.games, "deal"))?;
        }
        paragraph(out, "  ", &printable(&compared(comparison)), width)?;
        if comparison.points.is_none() {
            let Comparison { deals, chance_if_equal, .. } = comparison.better_first();
            let told = format!(
                "{} won only by the first, {} only by the second, {} by both, {} by neither; {} (McNemar, exact)",
                thousands(deals.only_first),
                thousands(deals.only_second),
                thousands(deals.both),
                thousands(deals.neither),
                significance(chance_if_equal)
            );
            paragraph(out, "    ", &told, width)?;
        }
    }
    Ok(())
}

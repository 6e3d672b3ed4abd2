//! What is said about a board: the chance of winning, the chance after every move, and the reason.

use crate::entry::board::{Play, Stage};
use crate::entry::engine::{self, Draw, EXACT, Ground, Judged};
use crate::picture::{self, Remarks};
use crate::players::strongest;
use crate::position::{Position, Rank};
use crate::rules::{Move, Rules};
use crate::why;
use kachi_core::surface::{By, Ended, MoveLine, Report, Status, Tone};
use kachi_core::{Budget, Error, Seat};

/// How a finished game ended.
pub(super) fn ended(rules: &Rules, position: &Position) -> Ended {
    if rules.is_won(position) {
        let words = "Every foundation is complete.".to_owned();
        return Ended { words, winners: vec![Seat::FIRST] };
    }
    let words =
        format!("Nothing can be moved any more: {} of {} cards are home.", position.played(), rules.cards());
    Ended { words, winners: Vec::new() }
}

/// A move with the chance that it keeps.
#[derive(Debug, Clone, PartialEq)]
pub struct Choice {
    /// The move as it is written.
    pub mv: String,
    /// What should follow it before the next card.
    pub then: Vec<Move>,
    /// The table when the next card is due.
    pub after: Position,
    /// How likely the game is won.
    pub chance: f64,
}

/// A judged board: a line for every legal move.
pub struct Judgement {
    /// The moves, in the order of the rules.
    pub options: Vec<Choice>,
    /// The best of them.
    pub best: Option<usize>,
    /// The chance of winning.
    pub chance: f64,
    /// The table whose plan is the reason: after the best moves.
    pub after: Position,
    /// What the chances rest on.
    pub ground: Ground,
}

/// Judges every legal move of a board.
pub(crate) fn judgement(play: &Play, budget: &mut Budget<'_>) -> Result<Judgement, Error> {
    let (rules, position) = (play.rules(), play.position());
    let judged = play.judge(budget)?;
    let mut options = Vec::new();
    for mv in play.moves() {
        let first = alike(rules, position, &mv);
        let starts = |way: &&engine::Way| way.moves.first().map(ToString::to_string) == first;
        if let Some(way) = best_of(judged.ways.iter().filter(starts)) {
            let then = way.moves.iter().skip(1).copied().collect();
            options.push(Choice { mv, then, after: way.after, chance: way.chance });
        }
    }
    let best = judged.ways.get(judged.best);
    let (chance, after) = best.map_or((0.0, *position), |way| (way.chance, way.after));
    let Judged { ground, .. } = judged;
    let mut best = None;
    for (i, option) in options.iter().enumerate() {
        if best.is_none_or(|best: usize| option.chance > options[best].chance * (1.0 + 1e-9)) {
            best = Some(i);
        }
    }
    Ok(Judgement { options, best, chance, after, ground })
}

/// The move that was judged in place of this one: empty stacks are alike, so only the first of them is judged; `draw` is no move of the rules.
fn alike(rules: &Rules, position: &Position, mv: &str) -> Option<String> {
    match mv.parse() {
        Ok(Move::Put(stack)) if position.stack(stack).is_empty() => {
            let first = rules.all_stacks().find(|&stack| position.stack(stack).is_empty());
            Some(Move::Put(first.unwrap_or(stack)).to_string())
        }
        Ok(mv) => Some(mv.to_string()),
        Err(_) => None,
    }
}

fn best_of<'w>(ways: impl Iterator<Item = &'w engine::Way>) -> Option<&'w engine::Way> {
    ways.fold(None, |best, way| match best {
        Some(best) if way.chance <= best.chance * (1.0 + 1e-9) => Some(best),
        _ => Some(way),
    })
}

/// A chance for people: percent with one digit, and no rounding to certainty.
pub(crate) fn percent(chance: f64) -> String {
    match chance {
        chance if chance <= 0.0 => "0 %".to_owned(),
        chance if chance >= 1.0 => "100 %".to_owned(),
        chance if chance < 0.0005 => "below 0.1 %".to_owned(),
        chance if chance > 0.9995 => "above 99.9 %".to_owned(),
        chance => format!("{:.1} %", chance * 100.0),
    }
}

fn words_of(mv: &str, drawn: Option<Rank>) -> String {
    match (mv.parse(), drawn) {
        (Ok(Move::Play(f)), Some(rank)) => format!("{rank} to foundation f{}", f.0),
        (Ok(Move::Put(s)), Some(rank)) => format!("{rank} on stack s{}", s.0),
        (Ok(Move::Unload { stack, foundation }), _) => {
            format!("top of stack s{} to foundation f{}", stack.0, foundation.0)
        }
        _ => "draw the next card".to_owned(),
    }
}

fn route(moves: &[Move]) -> String {
    moves.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}

/// Value, moves and reason of a board.
pub(super) fn report(play: &Play, budget: &mut Budget<'_>) -> Result<Report, Error> {
    let (rules, position) = (play.rules(), play.position());
    let stage = play.stage();
    if stage == Stage::Over {
        return Ok(over(rules, position));
    }
    let judgement = judgement(play, budget)?;
    let moves: Vec<MoveLine> =
        judgement.options.iter().map(|option| line(option, &judgement, position)).collect();
    let mut reason = Vec::new();
    if stage == Stage::Due {
        reason.push(engine::ask(rules, |judge| {
            let draws = judge.draws(position, budget)?;
            Ok(draws_in_words(&draws))
        })?);
    }
    let lost = judgement.chance <= 0.0;
    let exact = judgement.ground == Ground::Exact;
    if lost {
        reason.push(lost_words(exact).to_owned());
    } else if exact {
        reason.push(format!(
            "At most {EXACT} cards are unseen, so all their orders and all answers to them were tried: the chance is exact."
        ));
    } else {
        match engine::ask(rules, |judge| Ok(judge.reason(&judgement.after)))? {
            Some(why) => reason.extend(why::words::words(&why)),
            None => reason.push(
                "No plan is left for the stacked cards; only cards that come at the right moment can help."
                    .to_owned(),
            ),
        }
        reason.push(format!(
            "Everything that the player weighs, taken together, puts the chance at about {}.",
            percent(judgement.chance)
        ));
    }
    Ok(Report {
        verdict: verdict(&judgement, stage),
        standing: vec![judgement.chance],
        best: judgement.best,
        advice: advice(&judgement, position),
        moves,
        by: by(rules, judgement.ground, lost),
        reason,
        drawing: picture::drawing(rules, position),
    })
}

fn lost_words(exact: bool) -> &'static str {
    if exact {
        "Whatever comes, the stacks cannot be unloaded any more."
    } else {
        "Even if the unseen cards came in the best order, the stacks could not be unloaded any more."
    }
}

fn over(rules: &Rules, position: &Position) -> Report {
    let ended = ended(rules, position);
    let won = !ended.winners.is_empty();
    Report {
        verdict: ended.words.clone(),
        standing: vec![f64::from(won)],
        moves: Vec::new(),
        best: None,
        advice: String::new(),
        by: By { rule: "the rules".to_owned(), status: Status::Searched, reference: None, nodes: None },
        reason: vec![ended.words],
        drawing: picture::drawing(rules, position),
    }
}

fn verdict(judgement: &Judgement, stage: Stage) -> String {
    let chance = percent(judgement.chance);
    let when = match stage {
        Stage::Due => " before the next card",
        _ => "",
    };
    match judgement.ground {
        _ if judgement.chance <= 0.0 => "The game cannot be won any more.".to_owned(),
        Ground::Exact if judgement.chance >= 1.0 => "The game is won with best play.".to_owned(),
        Ground::Exact => format!("With best play {chance} of all orders of the unseen cards are won{when}."),
        Ground::Player { .. } => format!("The chance of winning is about {chance}{when}."),
    }
}

fn line(option: &Choice, judgement: &Judgement, position: &Position) -> MoveLine {
    let best = option.chance >= judgement.chance * (1.0 - 1e-9);
    let tone = match option.chance {
        chance if chance <= 0.0 => Tone::Losing,
        _ if best => Tone::Winning,
        _ => Tone::Middling,
    };
    let then = if option.then.is_empty() { String::new() } else { format!(", then {}", route(&option.then)) };
    let words = words_of(&option.mv, position.drawn());
    let note = format!("{}: {words}{then}", percent(option.chance));
    MoveLine { mv: option.mv.clone(), words, tone, note }
}

fn advice(judgement: &Judgement, position: &Position) -> String {
    let Some(best) = judgement.best.and_then(|best| judgement.options.get(best)) else {
        return String::new();
    };
    let then = if best.then.is_empty() { String::new() } else { format!(", then {}", route(&best.then)) };
    let words = words_of(&best.mv, position.drawn());
    if judgement.chance <= 0.0 {
        return format!("{}{then}: it makes no difference any more.", capitalised(&words));
    }
    format!("{}{then}: {}.", capitalised(&words), percent(best.chance))
}

fn capitalised(words: &str) -> String {
    let mut letters = words.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

/// What an answer rests on: the player with its measured rate, and what it lacks.
pub(crate) fn by(rules: &Rules, ground: Ground, lost: bool) -> By {
    let (rule, status) = match ground {
        Ground::Exact => ("search".to_owned(), Status::Searched),
        Ground::Player { .. } if lost => ("no order of the unseen cards helps".to_owned(), Status::Searched),
        Ground::Player { draws, full_table } => {
            let player = strongest(rules, full_table);
            let ahead = if draws == 0 { ", no draw ahead" } else { "" };
            let table = if full_table || !rules.is_full() {
                String::new()
            } else {
                format!(
                    "; without the table of pairs, which makes it stronger: kachi table build calculation --stacks {}",
                    rules.stacks()
                )
            };
            (format!("player {}{ahead}{table}", player.words()), Status::Estimated)
        }
    };
    By { rule, status, reference: None, nodes: None }
}

/// The next cards, the best first.
fn draws_in_words(draws: &[Draw]) -> String {
    let mut sorted: Vec<&Draw> = draws.iter().collect();
    sorted.sort_by(|a, b| b.chance.total_cmp(&a.chance).then(a.rank.cmp(&b.rank)));
    let each: Vec<String> =
        sorted.iter().map(|draw| format!("{} {}", draw.rank, percent(draw.chance))).collect();
    format!("After the next card: {}.", each.join(", "))
}

/// What the picture says beside every place.
pub(super) fn remarks(play: &Play, budget: &mut Budget<'_>) -> Result<Remarks, Error> {
    let mut remarks = Remarks::default();
    let stage = play.stage();
    if stage == Stage::Over {
        remarks.words = ended(play.rules(), play.position()).words;
        return Ok(remarks);
    }
    let judgement = judgement(play, budget)?;
    remarks.words = verdict(&judgement, stage);
    for (i, option) in judgement.options.iter().enumerate() {
        let remark = Some((percent(option.chance), judgement.best == Some(i)));
        match option.mv.parse() {
            Ok(Move::Play(f)) => remarks.on_foundation[f.index()] = remark,
            Ok(Move::Put(s)) => remarks.on_stack[s.index()] = remark,
            Ok(Move::Unload { stack, .. }) => remarks.on_stack[stack.index()] = remark,
            _ => {}
        }
    }
    Ok(remarks)
}

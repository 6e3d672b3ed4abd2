//! An analysis in the words of a player: the verdict, every draw with what it keeps or gives away and to whom, the
//! reason seat by seat, and a main line to the end.

use crate::contract::{by, random_last};
use crate::line::{End, MainLine, main_line};
use crate::picture;
use crate::position::{Card, Position, Standing, View, seat_name};
use crate::rules::draw;
use crate::search::chance;
use crate::shape::Fate;
use crate::strategy::{Judged, JudgedDraw, Rank, Sure, judge};
use crate::why::words::{guarantee, ordinal, reasons};
use kachi_core::surface::{By, MoveLine, Report, Status, Tone};
use kachi_core::{Budget, Error, Seat};
use std::fmt::Write;

/// Draws of the main line that are written out.
const SHOWN_DRAWS: usize = 24;
/// Standing of a seat that only endless play saves.
const SAVED_BY_ENDLESS_PLAY: f64 = 0.15;
/// Moves with a refutation that is worked out; large hands repeat themselves.
const MOST_NOTES: usize = 200;

/// The report about a position in which somebody is to move.
///
/// # Errors
/// `too_large` or `out_of_budget`.
pub fn report(position: &Position, budget: &mut Budget<'_>) -> Result<Report, Error> {
    match position.view() {
        View::Open => open(position, budget),
        View::Closed => Ok(closed(position)),
    }
}

/// The report about a play that is over.
pub fn over(position: &Position) -> Report {
    let standing = position.table().standing();
    let players = position.table().players();
    Report {
        verdict: over_words(position),
        standing: standing.iter().map(|&standing| out_standing(standing, players)).collect(),
        moves: Vec::new(),
        best: None,
        advice: "The game is over.".to_owned(),
        by: By { rule: "the rules".to_owned(), status: Status::Searched, reference: None, nodes: None },
        reason: vec!["Only the joker is left.".to_owned()],
        drawing: picture::links(position),
    }
}

/// One sentence about the end.
pub fn over_words(position: &Position) -> String {
    let table = position.table();
    let mut out: Vec<(u32, usize)> = Vec::new();
    for (seat, &standing) in table.standing().iter().enumerate() {
        if let Standing::Left(rank) = standing {
            out.push((rank, seat));
        }
    }
    out.sort_unstable();
    let last = seat_name(table.joker_seat().0);
    if out.is_empty() {
        return format!("{last} is left with the joker and is last.");
    }
    let order: Vec<String> =
        out.iter().map(|&(rank, seat)| format!("{} {}", ordinal(rank), seat_name(seat))).collect();
    format!("{last} is left with the joker and is last; {}.", order.join(", "))
}

fn out_standing(standing: Standing, players: usize) -> f64 {
    match standing {
        Standing::In => 0.0,
        Standing::Before => 1.0,
        Standing::Left(rank) => 1.0 - (f64::from(rank) - 1.0) / (players as f64 - 1.0).max(1.0),
    }
}

fn open(position: &Position, budget: &mut Budget<'_>) -> Result<Report, Error> {
    let spent = budget.spent();
    let judged = judge(position, budget)?;
    let nodes = budget.spent() - spent;
    let notes = notes(position, &judged, budget)?;
    let mut moves: Vec<(Card, MoveLine)> = Vec::new();
    for (draw, note) in judged.draws.iter().zip(&notes) {
        for (i, &card) in draw.cards.iter().enumerate() {
            let note = if i < MOST_NOTES { note.clone() } else { String::new() };
            let line = MoveLine {
                mv: position.name(card).to_owned(),
                words: words(position, &judged, draw, card),
                tone: tone(&judged, draw),
                note,
            };
            moves.push((card, line));
        }
    }
    moves.sort_by_key(|&(card, _)| card);
    let choice = choice(position, &judged);
    let best = moves.iter().position(|&(card, _)| Some(card) == choice);
    let line = main_line(position, budget)?;
    let mut reason: Vec<String> = reasons(&judged).into_iter().map(|reason| reason.words).collect();
    reason.push(match &line {
        Some(line) => line_words(position, line),
        None => "Nobody is sure of anything: whoever the others agree on can be made last.".to_owned(),
    });
    if let Some(outcomes) = crate::contract::rational_outcomes(position, &judged) {
        reason.push(rational_words(&judged, &outcomes));
    }
    Ok(Report {
        verdict: verdict(&judged),
        standing: standing(position, &judged),
        moves: moves.into_iter().map(|(_, line)| line).collect(),
        best,
        advice: advice(position, &judged, choice),
        by: by(&judged, nodes),
        reason,
        drawing: picture::links(position),
    })
}

/// What each draw of the judged position keeps or gives away, in the order of its draws.
///
/// # Errors
/// As [`judge`].
pub fn notes(position: &Position, judged: &Judged, budget: &mut Budget<'_>) -> Result<Vec<String>, Error> {
    judged.draws.iter().map(|draw| note(position, judged, draw, budget)).collect()
}

fn list(seats: &[usize]) -> String {
    let names: Vec<String> = seats.iter().map(|&seat| seat_name(seat)).collect();
    match &names[..] {
        [] => "nobody".to_owned(),
        [one] => one.clone(),
        [most @ .., last] => format!("{} and {last}", most.join(", ")),
    }
}

fn verdict(judged: &Judged) -> String {
    let first = judged.seats(|sure| sure.strict == judged.best);
    let safe = judged.seats(|sure| sure.strict > judged.best && sure.strict < judged.last);
    let endless = judged.seats(|sure| sure.strict == judged.last && sure.lenient < judged.last);
    let exposed = judged.seats(|sure| sure.lenient == judged.last);
    let mut parts = Vec::new();
    match first[..] {
        [] => parts.push("Nobody can force leaving first".to_owned()),
        _ => parts.push(format!("{} can force leaving first", list(&first))),
    }
    if !safe.is_empty() {
        parts.push(format!("{} can force not being last", list(&safe)));
    }
    if !endless.is_empty() {
        let verb = if endless.len() == 1 { "is" } else { "are" };
        parts.push(format!("{} {verb} safe only by endless play", list(&endless)));
    }
    if !exposed.is_empty() {
        let fate = if judged.order.len() == 2 { "will be last" } else { "can be made last" };
        parts.push(format!("{} {fate}", list(&exposed)));
    }
    parts.join("; ") + "."
}

/// How well each seat stands, for a bar: the guaranteed rank between first and last.
fn standing(position: &Position, judged: &Judged) -> Vec<f64> {
    let players = position.table().players();
    let span = f64::from(judged.last - judged.best).max(1.0);
    let of = |seat: usize| match judged.sure[seat] {
        None => out_standing(position.table().standing()[seat], players),
        Some(sure) if sure.strict < judged.last => f64::from(judged.last - sure.strict) / span,
        Some(sure) if sure.lenient < judged.last => SAVED_BY_ENDLESS_PLAY,
        Some(_) => 0.0,
    };
    (0..players).map(of).collect()
}

fn tone(judged: &Judged, draw: &JudgedDraw) -> Tone {
    if judged.keeps(draw) {
        Tone::Winning
    } else if draw.mover.lenient < judged.last {
        Tone::Middling
    } else {
        Tone::Losing
    }
}

fn words(position: &Position, judged: &Judged, draw: &JudgedDraw, card: Card) -> String {
    let victim = seat_name(judged.order[judged.order.len() - 1]);
    let what = if card.is_joker() { "the joker".to_owned() } else { position.name(card).to_owned() };
    let mut words = format!("take {what} from {victim}");
    if draw.pairs {
        words.push_str(", a pair");
    }
    match (draw.step.victim_left, draw.step.mover_left) {
        (true, true) => {
            let _ = write!(words, "; {victim} is out, and then {}", seat_name(judged.order[0]));
        }
        (true, false) => {
            let _ = write!(words, "; {victim} is out");
        }
        (false, true) => {
            let _ = write!(words, "; {} is out", seat_name(judged.order[0]));
        }
        (false, false) => {}
    }
    words
}

/// A guarantee in two or three words.
fn short(sure: Sure, best: Rank, last: Rank) -> String {
    let rank = |rank: Rank| {
        if rank == best {
            "first place".to_owned()
        } else if rank == last {
            "nothing".to_owned()
        } else if rank + 1 == last {
            "not being last".to_owned()
        } else {
            format!("{} place or better", ordinal(rank))
        }
    };
    if sure.strict < last || sure.lenient == last {
        rank(sure.strict)
    } else {
        format!("{} by endless play", rank(sure.lenient))
    }
}

/// What a draw keeps; for a loss, who profits and how the answer begins.
fn note(
    position: &Position,
    judged: &Judged,
    draw_: &JudgedDraw,
    budget: &mut Budget<'_>,
) -> Result<String, Error> {
    let (now, after) = (judged.mover(), draw_.mover);
    let (best, last) = (judged.best, judged.last);
    if now.lenient == last {
        let chance = chance_of_last(position, judged, draw_);
        let blind = chance.map(|chance| format!("; last in {:.0} % of blind games", 100.0 * chance));
        return Ok(format!("nothing was sure, nothing is lost{}", blind.unwrap_or_default()));
    }
    if judged.keeps(draw_) {
        let advised = if judged.is_recommended(draw_) { "" } else { ", but a pair would come nearer to it" };
        return Ok(format!("keeps {}{advised}", short(now, best, last)));
    }
    let mut note = format!("gives away {}, leaves {}", short(now, best, last), short(after, best, last));
    let mover = judged.order[0];
    let gain = |&seat: &usize| {
        let (before, now) = (judged.sure[seat]?, draw_.after[seat]?);
        (now.strict < before.strict).then_some((now.strict, seat, now))
    };
    if let Some((_, seat, sure)) =
        judged.order.iter().filter(|&&seat| seat != mover).filter_map(gain).min_by_key(|gain| gain.0)
    {
        let _ = write!(note, "; {} profits and {}", seat_name(seat), guarantee(sure, best, last));
    }
    if let Some((seat, card)) = reply(position, mover, draw_, budget)? {
        let name = if card.is_joker() { "the joker" } else { position.name(card) };
        let _ = write!(note, "; {}'s answer is {name}", seat_name(seat));
    }
    Ok(note)
}

/// The next mover's draw that holds the mover to what the draw left him.
fn reply(
    position: &Position,
    mover: usize,
    draw_: &JudgedDraw,
    budget: &mut Budget<'_>,
) -> Result<Option<(usize, Card)>, Error> {
    let Some(drawn) = draw_.cards.first().and_then(|&card| draw(position.table(), card)) else {
        return Ok(None);
    };
    if drawn.table.is_over() || drawn.table.standing()[mover] != Standing::In {
        return Ok(None);
    }
    let after = position.with(drawn.table);
    let judged = judge(&after, budget)?;
    let holds = |reply: &&JudgedDraw| reply.after[mover] == Some(draw_.mover);
    let reply = judged.draws.iter().find(holds).and_then(|reply| reply.cards.first());
    Ok(reply.map(|&card| (judged.order[0], card)))
}

/// The mover's chance of ending last after a draw if everybody then draws blindly; `None` when the game is not small.
fn chance_of_last(position: &Position, judged: &Judged, draw: &JudgedDraw) -> Option<f64> {
    match (draw.step.follow(judged.shape.seats, 0), &draw.step.after) {
        (Fate::Left(_), _) => Some(0.0),
        (Fate::Stays(_), None) => Some(1.0),
        (Fate::Stays(r), Some(after)) => chance::last(after, position.mode())?.get(r as usize).copied(),
    }
}

/// The card that the engine takes: the first recommended one; without a guarantee the one with the lowest chance of
/// ending last under blind play, and a pair if that is not known.
pub fn choice(position: &Position, judged: &Judged) -> Option<Card> {
    if let Some(&card) = judged.recommended().first() {
        return Some(card);
    }
    let mover = judged.order[0];
    let value = |draw: &JudgedDraw| {
        (draw.after[mover].map(|sure| sure.lenient), chance_of_last(position, judged, draw), !draw.pairs)
    };
    let better = |a: &&JudgedDraw, b: &&JudgedDraw| {
        value(a).partial_cmp(&value(b)).unwrap_or(std::cmp::Ordering::Equal)
    };
    judged.draws.iter().min_by(better).and_then(|draw| draw.cards.first().copied())
}

fn advice(position: &Position, judged: &Judged, choice: Option<Card>) -> String {
    let (now, mover) = (judged.mover(), seat_name(judged.order[0]));
    let Some(card) = choice else { return "There is nothing to draw.".to_owned() };
    let name = if card.is_joker() { "the joker".to_owned() } else { position.name(card).to_owned() };
    let pairs = judged.draws.iter().any(|draw| draw.pairs && draw.cards.contains(&card));
    if now.lenient == judged.last {
        let chance = random_last(position, judged).is_some();
        let why = if chance {
            "if the others play at random it ends last least often after this"
        } else {
            "it may as well pair"
        };
        return format!("{mover} has no guarantee; take {name}: {why}.");
    }
    let what = short(now, judged.best, judged.last);
    let how = if pairs {
        "it keeps it and makes a pair, and whoever always does so gets there"
    } else {
        "it keeps it, and no pairing draw does"
    };
    format!("{mover} is sure of {what}; take {name}: {how}.")
}

fn line_words(position: &Position, line: &MainLine) -> String {
    let hero = seat_name(line.hero);
    let mut words = "Main line: ".to_owned();
    let mut now = position.clone();
    for (i, &(seat, card)) in line.draws.iter().take(SHOWN_DRAWS).enumerate() {
        let Some(drawn) = draw(now.table(), card) else { break };
        let comma = if i == 0 { "" } else { ", " };
        let pair = if drawn.discarded.is_some() { " (pair)" } else { "" };
        let _ = write!(words, "{comma}{} takes {}{pair}", seat_name(seat), position.name(card));
        for left in &drawn.left {
            let _ = write!(words, ", {} is out", seat_name(left.0));
        }
        now = now.with(drawn.table);
    }
    if line.draws.len() > SHOWN_DRAWS {
        let _ = write!(words, ", and so on, {} draws in all", line.draws.len());
    }
    let _ = match line.end {
        End::Out(rank) => write!(words, ": {hero} leaves {}.", ordinal(rank)),
        End::Endless(from) => {
            write!(
                words,
                ": up to the names of cards the position after {from} draws is back, and the play is endless; {hero} is never last."
            )
        }
        End::Cut => write!(words, "."),
    };
    words
}

fn rational_words(judged: &Judged, outcomes: &[Vec<Option<Rank>>]) -> String {
    let one = |ranks: &Vec<Option<Rank>>| {
        let mut seats: Vec<(Rank, usize)> = Vec::new();
        let mut endless = Vec::new();
        for &seat in &judged.order {
            match ranks[seat] {
                Some(0) | None => endless.push(seat),
                Some(rank) => seats.push((rank, seat)),
            }
        }
        seats.sort_unstable();
        endless.sort_unstable();
        let order: Vec<String> = seats.iter().map(|&(_, seat)| seat_name(seat)).collect();
        match (&order[..], &endless[..]) {
            (_, []) => order.join(" before "),
            ([], _) => format!("{} for ever", list(&endless)),
            _ => format!("{} out, then {} for ever", order.join(" before "), list(&endless)),
        }
    };
    let shown: Vec<String> = outcomes.iter().take(6).map(one).collect();
    let more = if outcomes.len() > shown.len() {
        format!(" and {} more", outcomes.len() - shown.len())
    } else {
        String::new()
    };
    let lead = if outcomes.len() == 1 {
        "If everybody minds only the own rank, the one outcome is"
    } else {
        "If everybody minds only the own rank, the outcomes are"
    };
    format!("{lead}: {}{more}.", shown.join("; "))
}

/// A viewer who sees no hand.
const NOBODY: Seat = Seat(usize::MAX);

/// Closed hands: nobody knows the cards, so nothing is said that the mover cannot see.
fn closed(position: &Position) -> Report {
    let table = position.table();
    let order: Vec<usize> = table.seats_in().collect();
    let (mover, victim) = (order[0], order[order.len() - 1]);
    let sizes: Vec<u32> = order.iter().map(|&seat| table.hands()[seat].len() as u32).collect();
    let has_joker = table.joker_seat().0 == mover;
    let chances = chance::last_unseen(&sizes, has_joker);
    let mut standing: Vec<f64> =
        table.standing().iter().map(|&standing| out_standing(standing, table.players())).collect();
    for (r, &seat) in order.iter().enumerate() {
        standing[seat] = chances.as_ref().map_or(0.5, |chances| 1.0 - chances[r]);
    }
    let name = seat_name(mover);
    let verdict = match &chances {
        Some(chances) => {
            format!(
                "{name} draws blindly from {} and ends last with a chance of {:.1} %.",
                seat_name(victim),
                100.0 * chances[0]
            )
        }
        None => format!("{name} draws blindly from {}.", seat_name(victim)),
    };
    let mut reason = vec![format!(
        "{name} sees only the own hand{}; every deal that looks the same is equally likely, and everybody draws blindly.",
        if has_joker { ", and the joker in it" } else { ", and no joker in it" }
    )];
    for (r, &seat) in order.iter().enumerate() {
        if let Some(chances) = &chances {
            reason.push(format!(
                "{} holds {} and ends last with a chance of {:.1} %.",
                seat_name(seat),
                cards(sizes[r]),
                100.0 * chances[r]
            ));
        }
    }
    let held = sizes[order.len() - 1] as usize;
    let moves = (1..=held).map(|place| MoveLine {
        mv: format!("c{place}"),
        words: format!("take card {place} of {held} from {}", seat_name(victim)),
        tone: Tone::Middling,
        note: String::new(),
    });
    Report {
        verdict,
        standing,
        moves: moves.collect(),
        best: (held > 0).then_some(0),
        advice: "All backs look alike: any card is as good as another.".to_owned(),
        by: By {
            rule: "chances of blind draws, solved layer by layer".to_owned(),
            status: Status::Searched,
            reference: None,
            nodes: None,
        },
        reason,
        drawing: picture::table(position, NOBODY),
    }
}

fn cards(count: u32) -> String {
    if count == 1 { "one card".to_owned() } else { format!("{count} cards") }
}

//! Turns as people write them: `S8`, `pass`, `joker S9 then S8`; the same with vertex numbers.

use crate::position::{Colour, Graph};
use crate::rules::{Action, GraphRules, Turn};
use crate::search::arena::Arena;
use crate::search::turns::Turns;
use crate::theory::shape::Skeleton;
use kachi_core::{Error, Game};

/// Writes a turn; `name` names a vertex.
pub(super) fn write_turn(turn: &Turn, name: &dyn Fn(u32) -> String) -> String {
    let action = match turn.action {
        Action::Play(v) => name(v),
        Action::Pass => "pass".into(),
    };
    if turn.joker.is_empty() {
        return action;
    }
    let targets: Vec<String> = turn.joker.iter().map(|&v| name(v)).collect();
    format!("joker {} then {action}", targets.join(" "))
}

/// Reads a turn; `vertex` reads a name.
pub(super) fn read_turn(
    text: &str,
    vertex: &dyn Fn(&str) -> Result<u32, Error>,
    example: &str,
) -> Result<Turn, Error> {
    let split = |c: char| c.is_whitespace() || matches!(c, ',' | '+' | '/' | ':');
    let mut words: Vec<&str> = text.split(split).filter(|word| !word.is_empty()).collect();
    let is = |word: &str, names: &[&str]| names.iter().any(|name| word.eq_ignore_ascii_case(name));
    words.retain(|word| !is(word, &["then", "play", "on", "and"]));
    let bad = |message: String| Error::new("bad_move", message).hint(example.to_owned());
    let Some((&last, before)) = words.split_last() else {
        return Err(bad("a move is missing".into()));
    };
    let read = |word: &str| vertex(word).map_err(|error| bad(error.message.clone()));
    let action = if is(last, &["pass", "p"]) { Action::Pass } else { Action::Play(read(last)?) };
    let mut joker = Vec::new();
    if let Some((&first, targets)) = before.split_first() {
        if !is(first, &["joker", "jokers", "j", "*"]) {
            return Err(bad(format!("{text:?} is more than one card")));
        }
        if targets.is_empty() {
            return Err(bad("a joker needs a card of the opponent, and a card to play after it".into()));
        }
        for word in targets {
            joker.push(read(word)?);
        }
    }
    joker.sort_unstable();
    Ok(Turn { joker, action })
}

/// The legal turns in the order of answers, at most `limit` of those with jokers.
pub(super) fn legal_turns(graph: &Graph, limit: usize) -> Vec<Turn> {
    let setup = graph.setup();
    if graph.hands().contains(&0) {
        return Vec::new();
    }
    if let Some(arena) = Arena::<u128>::new(graph) {
        let turns = Turns::new(&arena, setup.variant);
        if let Ok(state) = turns.state(graph) {
            let mut turns: Vec<Turn> =
                turns.legal_turns(state, limit).into_iter().map(|(turn, _)| turn).collect();
            turns.sort_unstable();
            return turns;
        }
    }
    // Too large for jokers and labels: plain plays.
    if !setup.add.is_empty() || !setup.delete.is_empty() {
        return Vec::new();
    }
    let skeleton = Skeleton::new(graph);
    let open = (0..skeleton.ids.len()).filter(|&v| skeleton.access[v] && skeleton.owners[v] == setup.mover);
    open.map(|v| Turn::plain(Action::Play(skeleton.ids[v]))).collect()
}

/// The graph after a turn, if it is legal.
pub(super) fn play(graph: &Graph, turn: &Turn, name: &dyn Fn(u32) -> String) -> Result<Graph, Error> {
    let setup = graph.setup();
    let mover = setup.mover;
    let illegal = |message: String| {
        let plays: Vec<String> = legal_turns(graph, 0)
            .iter()
            .filter(|turn| turn.joker.is_empty())
            .take(16)
            .map(|turn| write_turn(turn, name))
            .collect();
        let hint = if plays.is_empty() {
            "no plain move is legal".into()
        } else {
            format!("legal: {}", plays.join(", "))
        };
        Error::new("illegal_move", message).hint(hint)
    };
    if graph.hands().contains(&0) {
        return Err(illegal("the game is over".into()));
    }
    let held = |v: u32| setup.colours.get(v as usize).copied();
    for (i, &v) in turn.joker.iter().enumerate() {
        if held(v) != Some(Colour::Held(mover.other())) || turn.joker[..i].contains(&v) {
            return Err(illegal(format!(
                "a joker cannot be laid on {}: the opponent does not hold it",
                name(v)
            )));
        }
    }
    let most = if setup.variant.one_right_per_turn { 1 } else { u32::MAX };
    if turn.joker.len() as u64 > u64::from(setup.rights[mover.index()].min(most)) {
        return Err(illegal(format!("{} jokers are left", setup.rights[mover.index()])));
    }
    // Only the colours after the jokers matter for the action.
    let mut turned = graph.clone().into_setup();
    for &v in &turn.joker {
        turned.colours[v as usize] = Colour::White;
    }
    let emptied = !turned.colours.contains(&Colour::Held(mover.other()));
    if emptied && !setup.variant.emptying_wins {
        return Err(illegal("a joker on the opponent's last card would make him win".into()));
    }
    if !emptied {
        turned.rights = [0; 2];
        let turned = Graph::new(turned)?;
        let action = Turn::plain(turn.action);
        if !legal_turns(&turned, 0).contains(&action) {
            let what = write_turn(&action, name);
            let why = match turn.action {
                Action::Pass => "no pass is left".into(),
                Action::Play(v) if held(v) != Some(Colour::Held(mover)) => format!("{what} is not your card"),
                Action::Play(_) => format!("{what} lies next to no card on the table"),
            };
            return Err(illegal(why));
        }
    }
    Ok(GraphRules.play(graph, turn))
}

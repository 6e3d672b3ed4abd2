//! A graph game in play, and what a graph and a deck have in common.

use super::turn_text::{legal_turns, play, read_turn, write_turn};
use crate::analysis::{GraphAnswer, Ground, analyse_graph};
use crate::contract::TurnReply;
use crate::notation::write_graph;
use crate::picture::{graph_dot, graph_scene, graph_svg, graph_text};
use crate::position::{Graph, Player};
use crate::rules::{Action, Turn};
use crate::strategy::best_turn;
use crate::why::{Names, reason_of, turn_words};
use kachi_core::scene::Scene;
use kachi_core::surface::{Board, Ended, MoveLine, Report, Tone};
use kachi_core::{Budget, Error, Seat};
use serde_json::{Value, json};

pub(super) struct GraphBoard(pub(super) Graph);

/// Turns with jokers that are listed.
pub(super) const LISTED_TURNS: usize = 600;
/// Situations of a strategy kept for an explanation.
const SITUATIONS: usize = 400;
/// Losing turns are refuted by name when the whole answer took at most this many nodes; nodes of the tunnel table are quick.
const CHEAP: u64 = 20_000;
const CHEAP_TUNNEL: u64 = 400_000;
/// Work that all refutations of a position together may take.
const REFUTING: u64 = 3_000_000;

/// How a game names its players and vertices.
pub(super) struct Dress<'a> {
    pub(super) names: Names,
    pub(super) vertex: &'a dyn Fn(u32) -> String,
    pub(super) analyse: &'a dyn Fn(&Graph, &mut Budget<'_>) -> Result<GraphAnswer, Error>,
}

impl Dress<'_> {
    /// How the play ended, if it has.
    pub(super) fn ended(&self, graph: &Graph) -> Option<Ended> {
        let setup = graph.setup();
        let hands = graph.hands();
        let name = |player: Player| self.names.of(player);
        if let Some(empty) = Player::BOTH.into_iter().find(|p| hands[p.index()] == 0) {
            let emptied = setup.variant.emptying_wins && empty == setup.mover;
            let winner = if emptied { empty.other() } else { empty };
            let words = if emptied {
                format!("{} has lost the last card to a joker; {} wins.", name(empty), name(winner))
            } else {
                format!("{} has no cards left and wins.", name(winner))
            };
            return Some(Ended { words, winners: vec![winner.seat()] });
        }
        let labelled = !setup.add.is_empty() || !setup.delete.is_empty();
        let large = hands[0] + hands[1] > 128;
        if (large && labelled) || !legal_turns(graph, LISTED_TURNS).is_empty() {
            return None;
        }
        let winner = setup.mover.other();
        let words = format!("{} cannot play and loses; {} wins.", name(setup.mover), name(winner));
        Some(Ended { words, winners: vec![winner.seat()] })
    }

    /// The reply that refutes a losing turn.
    fn refutation(&self, graph: &Graph, turn: &Turn, budget: &mut Budget<'_>) -> Option<String> {
        let after = play(graph, turn, self.vertex).ok()?;
        let answer = (self.analyse)(&after, budget).ok()?;
        let reply = best_turn(&[], &answer.winning);
        Some(match reply {
            Some(reply) => {
                format!("{} answers {}", self.names.of(after.setup().mover), write_turn(&reply, self.vertex))
            }
            None => format!("{} has won", self.names.of(answer.winner)),
        })
    }

    /// When a turn spends the last joker, the rest is decided by theory: the reason for the position it leads to.
    fn words_after(&self, graph: &Graph, turn: &Turn, budget: &mut Budget<'_>) -> Vec<String> {
        let spent = |after: &Graph| graph.setup().rights != [0; 2] && after.setup().rights == [0; 2];
        let Some(after) = play(graph, turn, self.vertex).ok().filter(spent) else {
            return Vec::new();
        };
        if after.hands().contains(&0) {
            return Vec::new();
        }
        let Ok(answer) = (self.analyse)(&after, budget) else { return Vec::new() };
        let mut words = vec![format!("After {} no joker is left:", turn_words(turn, self.vertex))];
        words.extend(reason_of(&after, &answer, 0, budget).words(self.names, self.vertex));
        words
    }

    /// Value, moves and reason in words.
    pub(super) fn report(
        &self,
        graph: &Graph,
        drawing: &dyn Fn(&[u32]) -> String,
        budget: &mut Budget<'_>,
    ) -> Result<Report, Error> {
        let answer = (self.analyse)(graph, budget)?;
        let mover = graph.setup().mover;
        let mut legal = legal_turns(graph, LISTED_TURNS);
        for turn in &answer.winning {
            if let Err(place) = legal.binary_search(turn)
                && legal.len() < 2 * LISTED_TURNS
            {
                legal.insert(place, turn.clone());
            }
        }
        let most = if matches!(answer.ground, Ground::Tunnel) { CHEAP_TUNNEL } else { CHEAP };
        let cheap = answer.by.nodes.unwrap_or(0) <= most;
        let (cards, before) = (graph.hands().iter().sum::<u64>(), budget.spent());
        let complete = answer.unfinished.is_none();
        let mut moves = Vec::new();
        for turn in &legal {
            let wins = answer.winning.binary_search(turn).is_ok();
            let tone = match (wins, complete || answer.winner != mover) {
                (true, _) => Tone::Winning,
                (false, true) => Tone::Losing,
                (false, false) => Tone::Middling,
            };
            // Rules that search nothing still read every card.
            let affordable = budget.spent() - before + cards <= REFUTING;
            let refute = cheap && tone == Tone::Losing && affordable && budget.spend(cards).is_ok();
            let note =
                if refute { self.refutation(graph, turn, budget).unwrap_or_default() } else { String::new() };
            moves.push(MoveLine {
                mv: write_turn(turn, self.vertex),
                words: turn_words(turn, self.vertex),
                tone,
                note,
            });
        }
        let chosen = best_turn(&legal, &answer.winning);
        let best = chosen.as_ref().and_then(|turn| legal.binary_search(turn).ok());
        let advice = match &chosen {
            None => format!("{} has no move.", self.names.of(mover)),
            Some(turn) if answer.winner == mover => {
                format!("{} wins.", capital(&turn_words(turn, self.vertex)))
            }
            Some(turn) => format!("Every move loses; {} is as good as any.", turn_words(turn, self.vertex)),
        };
        let reason = reason_of(graph, &answer, SITUATIONS, budget);
        let mut words = reason.words(self.names, self.vertex);
        if let (true, Some(turn)) = (answer.winner == mover, &chosen) {
            words.extend(self.words_after(graph, turn, budget));
        }
        if let Some(error) = &answer.unfinished {
            words.push(format!("Not all winning moves are listed: {error}."));
        }
        let starred: Vec<u32> = plain_plays(&answer.winning);
        let name = self.names.of(answer.winner);
        let count = match answer.winning.len() {
            _ if !complete => ", but not all winning turns were found within the limits".into(),
            0 => String::new(),
            1 => " with 1 winning turn".into(),
            n => format!(" with {n} winning turns"),
        };
        Ok(Report {
            verdict: format!("{name} wins ({} to move){count}.", self.names.of(mover)),
            standing: if answer.winner == Player::First { vec![1.0, 0.0] } else { vec![0.0, 1.0] },
            moves,
            best,
            advice,
            by: answer.by,
            reason: words,
            drawing: drawing(&starred),
        })
    }

    /// The contract's answer with a line for every move.
    pub(super) fn answer(
        &self,
        graph: &Graph,
        label: &dyn Fn(u32) -> Value,
        budget: &mut Budget<'_>,
    ) -> Result<String, Error> {
        let answer = (self.analyse)(graph, budget)?;
        let why = reason_of(graph, &answer, SITUATIONS, budget).json(self.names, label);
        let turn = |turn: &Turn| json!(TurnReply::new(turn, label));
        let moves: Vec<Value> = legal_turns(graph, LISTED_TURNS)
            .iter()
            .map(|mv| json!({"move": turn(mv), "wins": answer.winning.binary_search(mv).is_ok()}))
            .collect();
        let winning: Vec<Value> = answer.winning.iter().map(turn).collect();
        let key = if answer.unfinished.is_none() { "winning_moves" } else { "some_winning_moves" };
        let reply = json!({
            "winner": self.names.of(answer.winner),
            key: winning,
            "by": answer.by,
            "why": why,
            "moves": moves,
        });
        Ok(reply.to_string())
    }
}

/// The vertices that win as plain plays.
pub(super) fn plain_plays(turns: &[Turn]) -> Vec<u32> {
    let plain = turns.iter().filter(|turn| turn.joker.is_empty());
    plain.filter_map(|turn| if let Action::Play(v) = turn.action { Some(v) } else { None }).collect()
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

fn dressed<T>(work: impl FnOnce(&Dress<'_>) -> T) -> T {
    work(&Dress { names: Names::Graph, vertex: &|v| v.to_string(), analyse: &analyse_graph })
}

impl Board for GraphBoard {
    fn notation(&self) -> String {
        write_graph(&self.0)
    }

    fn seats(&self) -> Vec<String> {
        vec!["R (red)".into(), "B (blue)".into()]
    }

    fn mover(&self) -> Option<Seat> {
        self.ended().is_none().then(|| self.0.setup().mover.seat())
    }

    fn ended(&self) -> Option<Ended> {
        dressed(|dress| dress.ended(&self.0))
    }

    fn drawing(&self, _viewer: Seat) -> String {
        graph_text(&self.0, &[])
    }

    fn scene(&self, _viewer: Seat) -> Scene {
        let turns = if self.ended().is_some() { Vec::new() } else { legal_turns(&self.0, LISTED_TURNS) };
        let name = |v: u32| v.to_string();
        let (write, words) = (|turn: &_| write_turn(turn, &name), |turn: &_| turn_words(turn, &name));
        graph_scene(&self.0, &turns, &write, &words)
    }

    fn report(&self, budget: &mut Budget<'_>) -> Result<Report, Error> {
        dressed(|dress| dress.report(&self.0, &|winning| graph_text(&self.0, winning), budget))
    }

    fn svg(&self, budget: &mut Budget<'_>) -> Result<String, Error> {
        let answer = analyse_graph(&self.0, budget)?;
        Ok(graph_svg(&self.0, answer.winner, &plain_plays(&answer.winning)))
    }

    fn dot(&self, budget: &mut Budget<'_>) -> Result<String, Error> {
        let answer = analyse_graph(&self.0, budget)?;
        Ok(graph_dot(&self.0, &plain_plays(&answer.winning)))
    }

    fn answer(&self, budget: &mut Budget<'_>) -> Result<String, Error> {
        dressed(|dress| dress.answer(&self.0, &|v| v.into(), budget))
    }

    fn play(&self, mv: &str) -> Result<Box<dyn Board>, Error> {
        let count = self.0.setup().colours.len();
        let vertex = |word: &str| {
            word.parse::<u32>().ok().filter(|&v| (v as usize) < count).ok_or_else(|| {
                Error::new("bad_move", format!("{word:?} is not a vertex from 0 to {}", count - 1))
            })
        };
        let turn = read_turn(mv, &vertex, "for example 7, pass, or joker 3 5 then 7")?;
        Ok(Box::new(GraphBoard(play(&self.0, &turn, &|v| v.to_string())?)))
    }
}

//! The table as a scene: foundations and stacks are where a card can go, so they carry the moves.

use super::card::face;
use crate::position::{Foundation, Position, Rank, Stack};
use crate::rules::Rules;
use kachi_core::Seat;
use kachi_core::scene::{Action, Placed, Scene, Shape, Zone};

fn card(rank: Rank, words: String) -> Placed {
    Placed::label(face(rank), words)
}

/// Foundations, the drawn card, stacks; `moves` are the legal ones, as they are written.
#[must_use]
pub fn scene(rules: &Rules, position: &Position, moves: &[String]) -> Scene {
    let beginning = |start: &str| moves.iter().filter(|mv| mv.starts_with(start)).cloned().collect();
    let foundation = |Foundation(f): Foundation| {
        let (i, head) = (usize::from(f), position.head(Foundation(f)));
        let next = rules.next(i, head).map_or("complete".to_owned(), |rank| format!("takes {}", face(rank)));
        let words = format!("foundation {i}, {next}");
        let mut placed = match head.checked_sub(1) {
            Some(top) => card(rules.rank_at(i, top), words),
            None => Placed::new(kachi_core::scene::Face::Gap, words),
        };
        placed.moves = beginning(&format!("f{i}"));
        placed
    };
    let next = rules.all_foundations().map(|Foundation(f)| {
        let i = usize::from(f);
        rules.next(i, position.head(Foundation(f))).map_or("-".to_owned(), face)
    });
    let next: Vec<String> = next.collect();
    let foundations = rules.all_foundations().map(foundation).collect();
    let mut zones = vec![
        Zone::new("foundations 台札", None, Shape::Table, foundations)
            .note(format!("next: {}", next.join(" "))),
    ];
    if let Some(rank) = position.drawn() {
        let drawn = vec![card(rank, format!("{} is drawn", face(rank)))];
        zones.push(Zone::new("drawn", None, Shape::Table, drawn).note(format!("{} unseen", position.left())));
    }
    for Stack(s) in rules.all_stacks() {
        let ranks = position.stack(Stack(s));
        let mut cards: Vec<Placed> =
            ranks.iter().map(|&rank| card(rank, format!("{} on stack {s}", face(rank)))).collect();
        if cards.is_empty() {
            cards.push(Placed::new(kachi_core::scene::Face::Gap, format!("stack {s} is empty")));
        }
        if let Some(top) = cards.last_mut() {
            top.moves = beginning(&format!("s{s}"));
        }
        zones.push(Zone::new(format!("stack {s} 捨て札"), Some(Seat::FIRST), Shape::Hand, cards));
    }
    let draw = moves.iter().filter(|mv| !mv.starts_with(['f', 's']));
    let actions = draw.map(|mv| Action { mv: mv.clone(), words: mv.clone() }).collect();
    Scene { zones, actions, ..Scene::default() }
}

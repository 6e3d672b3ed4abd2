//! The real card game in play.

use super::graph_board::{Dress, LISTED_TURNS, plain_plays};
use super::turn_text::{legal_turns, play, read_turn, write_turn};
use crate::analysis::analyse_deck;
use crate::notation::write_deck;
use crate::picture::{deck_scene, deck_svg, deck_text};
use crate::position::{Card, Deck, Graph, Player};
use crate::why::{Names, turn_words};
use kachi_core::scene::Scene;
use kachi_core::surface::{Board, Ended, Report};
use kachi_core::{Budget, Error, Seat};

pub(super) struct DeckBoard(pub(super) Deck);

impl DeckBoard {
    fn dressed<T>(&self, work: impl FnOnce(&Dress<'_>) -> T) -> T {
        // A position of this deck comes back as a graph; as a deck the faster rules apply.
        let analyse =
            |graph: &Graph, budget: &mut Budget<'_>| analyse_deck(&self.0.after_graph(graph), budget);
        work(&Dress { names: Names::Suits, vertex: &name, analyse: &analyse })
    }

    fn cards(vertices: &[u32]) -> Vec<Card> {
        vertices.iter().map(|&v| Card::of_vertex(v)).collect()
    }

    fn playable(&self) -> Vec<Card> {
        DeckBoard::cards(&plain_plays(&legal_turns(&self.0.graph(), 0)))
    }
}

fn name(vertex: u32) -> String {
    Card::of_vertex(vertex).to_string()
}

impl Board for DeckBoard {
    fn notation(&self) -> String {
        write_deck(&self.0)
    }

    fn seats(&self) -> Vec<String> {
        vec!["L".into(), "R".into()]
    }

    fn mover(&self) -> Option<Seat> {
        self.ended().is_none().then(|| self.0.mover().seat())
    }

    fn ended(&self) -> Option<Ended> {
        self.dressed(|dress| dress.ended(&self.0.graph()))
    }

    fn drawing(&self, viewer: Seat) -> String {
        deck_text(&self.0, &self.playable(), &[], Some(Player::at(viewer)))
    }

    fn scene(&self, viewer: Seat) -> Scene {
        let turns =
            if self.ended().is_some() { Vec::new() } else { legal_turns(&self.0.graph(), LISTED_TURNS) };
        let (write, words) = (|turn: &_| write_turn(turn, &name), |turn: &_| turn_words(turn, &name));
        deck_scene(&self.0, Player::at(viewer), &turns, &write, &words)
    }

    fn report(&self, budget: &mut Budget<'_>) -> Result<Report, Error> {
        let playable = self.playable();
        let drawing = |winning: &[u32]| deck_text(&self.0, &playable, &DeckBoard::cards(winning), None);
        self.dressed(|dress| dress.report(&self.0.graph(), &drawing, budget))
    }

    fn svg(&self, budget: &mut Budget<'_>) -> Result<String, Error> {
        let answer = analyse_deck(&self.0, budget)?;
        Ok(deck_svg(&self.0, answer.winner, &DeckBoard::cards(&plain_plays(&answer.winning))))
    }

    fn answer(&self, budget: &mut Budget<'_>) -> Result<String, Error> {
        self.dressed(|dress| dress.answer(&self.0.graph(), &|v| name(v).into(), budget))
    }

    fn play(&self, mv: &str) -> Result<Box<dyn Board>, Error> {
        let vertex = |word: &str| Card::parse(word).map(Card::vertex);
        let turn = read_turn(mv, &vertex, "for example S8, pass, or joker S9 then S8")?;
        let next = play(&self.0.graph(), &turn, &name)?;
        Ok(Box::new(DeckBoard(self.0.after_graph(&next))))
    }
}

//! The three kinds of table as scenes: suits as rows, the deck as the seven-layout with both hands, a graph as a net.

use super::graph::{DRAWN, layout};
use crate::position::{Card, Colour, Deck, DeckSuit, Graph, Player, Rank, Suits};
use crate::rules::{Action, Turn};
use crate::theory::table::Row;
use kachi_core::Seat;
use kachi_core::scene::{self, Face, Net, Node, Placed, Scene, Shape, Zone};

/// Suits and cards of one suit that are laid out.
const LAID_OUT: usize = 60;

/// Each suit as a row from the centre outwards; the first card of a row is the move, if it is the mover's.
#[must_use]
pub fn suits_scene(position: &Suits) -> Scene {
    let over = position.hands().contains(&0);
    let zone = |(i, suit): (usize, &Vec<Player>)| {
        let cards = suit.iter().take(LAID_OUT).enumerate().map(|(place, &owner)| {
            let letter = owner.letter();
            let card = Placed::label(letter, format!("card {} of suit {i}, held by {letter}", place + 1))
                .of(Some(owner.seat()));
            if place == 0 && owner == position.mover() && !over { card.playing(i.to_string()) } else { card }
        });
        let row = Row::of(suit);
        let note = format!("value {:+}, class {}", row.value(), row.class().name());
        let centre = Placed::label("7", format!("the seven of suit {i}, on the table"));
        Zone::new(format!("suit {i}"), None, Shape::Row, std::iter::once(centre).chain(cards).collect())
            .note(note)
    };
    let shown = position.suits().iter().enumerate().take(LAID_OUT);
    Scene { zones: shown.map(zone).collect(), caption: holds(position.hands(), "LR"), ..Scene::default() }
}

fn holds([first, second]: [u64; 2], names: &str) -> String {
    let mut names = names.chars();
    let mut name = || names.next().unwrap_or('?');
    format!("{} holds {first}, {} holds {second}", name(), name())
}

/// The moves that begin with a vertex; those without one of their own become actions.
struct Begin<'a> {
    turns: &'a [Turn],
    write: &'a dyn Fn(&Turn) -> String,
    words: &'a dyn Fn(&Turn) -> String,
}

impl Begin<'_> {
    fn plain(&self, vertex: u32) -> Vec<String> {
        let plain = |turn: &&Turn| turn.joker.is_empty() && turn.action == Action::Play(vertex);
        self.turns.iter().filter(plain).map(|turn| (self.write)(turn)).collect()
    }

    fn actions(&self) -> Vec<scene::Action> {
        let other = |turn: &&Turn| !turn.joker.is_empty() || turn.action == Action::Pass;
        let action = |turn: &Turn| scene::Action { mv: (self.write)(turn), words: (self.words)(turn) };
        self.turns.iter().filter(other).map(action).collect()
    }
}

/// The seven-layout, the other hand above it and the viewer's below; `turns` are the legal ones.
#[must_use]
pub fn deck_scene(
    deck: &Deck,
    viewer: Player,
    turns: &[Turn],
    write: &dyn Fn(&Turn) -> String,
    words: &dyn Fn(&Turn) -> String,
) -> Scene {
    let begin = Begin { turns, write, words };
    let face = |card: Card| Face::Playing { rank: card.rank.name().into(), suit: card.suit.letter() };
    let hand = |player: Player| {
        let cards = deck.hand(player).into_iter().map(|card| {
            let mut placed = Placed::new(face(card), card.to_string());
            if player == deck.mover() {
                placed.moves = begin.plain(card.vertex());
            }
            placed
        });
        let (jokers, passes) = (deck.rights()[player.index()], deck.passes()[player.index()]);
        let mut notes = Vec::new();
        if jokers > 0 {
            notes.push(format!("jokers: {jokers}"));
        }
        if passes > 0 {
            notes.push(format!("passes: {passes}"));
        }
        Zone::new(player.letter(), Some(player.seat()), Shape::Hand, cards.collect()).note(notes.join(", "))
    };
    let row = |suit: DeckSuit| {
        let cards = Rank::all().map(|rank| {
            let card = Card { suit, rank };
            match deck.owner(card) {
                None => Placed::new(face(card), format!("{card} on the table")),
                Some(owner) => {
                    let placed = Placed::new(face(card), format!("place of {card}"));
                    placed.of(Some(owner.seat())).faint()
                }
            }
        });
        Zone::new(suit.sign(), None, Shape::Row, cards.collect())
    };
    let mut zones = vec![hand(viewer.other())];
    zones.extend(DeckSuit::ALL.map(row));
    zones.push(hand(viewer));
    let caption = if deck.tunnel() { "tunnel: a finished side opens the far end of the other" } else { "" };
    Scene { zones, actions: begin.actions(), caption: caption.into(), ..Scene::default() }
}

/// The graph with its vertices as moves.
#[must_use]
pub fn graph_scene(
    graph: &Graph,
    turns: &[Turn],
    write: &dyn Fn(&Turn) -> String,
    words: &dyn Fn(&Turn) -> String,
) -> Scene {
    let setup = graph.setup();
    if setup.colours.len() > DRAWN {
        return Scene::default();
    }
    let begin = Begin { turns, write, words };
    let place = layout(graph);
    let node = |(v, colour): (usize, &Colour)| Node {
        place: place[v],
        label: v.to_string(),
        owner: match colour {
            Colour::White => None,
            Colour::Held(player) => Some(Seat(player.index())),
        },
        moves: begin.plain(v as u32),
    };
    let solid = setup.edges.iter().map(|&(u, v)| (u as usize, v as usize, false));
    let later = setup.add.iter().map(|label| (label.edge.0 as usize, label.edge.1 as usize, true));
    let net = Net {
        nodes: setup.colours.iter().enumerate().map(node).collect(),
        edges: solid.chain(later).collect(),
        directed: setup.directed,
    };
    let mut caption = holds(graph.hands(), "RB");
    for (what, [red, blue]) in [("jokers", setup.rights), ("passes", setup.passes)] {
        if (red, blue) != (0, 0) {
            caption.push_str(&format!("; {what}: R {red}, B {blue}"));
        }
    }
    Scene { graph: Some(net), actions: begin.actions(), caption, ..Scene::default() }
}

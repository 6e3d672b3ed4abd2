//! The table as it lies before a viewer: zones of cards that a surface can draw and make playable, or a graph.
//!
//! A scene holds only what its viewer may see; a surface can send all of it. It comes from the rules alone, so it can be shown
//! although an analysis is out of reach.

use crate::game::Seat;

/// What lies where, and what can be done with it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Scene {
    /// The zones, from the far side of the table to the viewer.
    pub zones: Vec<Zone>,
    /// The vertices, for games that are played on a graph.
    pub graph: Option<Net>,
    /// Legal moves that no card stands for: to pass, to stop.
    pub actions: Vec<Action>,
    /// Results of earlier rounds, when a play has several.
    pub sheet: Option<Sheet>,
    /// One line about the state of the play: "month 3 of 12, turn 5 of 21". May be empty.
    pub caption: String,
}

/// Cards that lie together.
#[derive(Debug, Clone, PartialEq)]
pub struct Zone {
    /// What it is called.
    pub title: String,
    /// Whose it is; `None` for the table.
    pub seat: Option<Seat>,
    /// How the cards lie.
    pub shape: Shape,
    /// The cards, in order.
    pub cards: Vec<Placed>,
    /// What else there is to say: a goal, points, a value. May be empty.
    pub note: String,
}

/// How cards lie.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// Side by side; they may overlap or wrap.
    Hand,
    /// In fixed places, so that rows below each other make columns; gaps count.
    Row,
    /// On the table, face up.
    Table,
    /// Won or discarded cards, drawn small.
    Pile,
}

/// A card in its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Placed {
    /// What is drawn.
    pub face: Face,
    /// What it is called, for those who cannot see it.
    pub words: String,
    /// Whose card it is, where the zone does not say so.
    pub owner: Option<Seat>,
    /// The legal moves that begin with it, as [`Board::play`](crate::surface::Board::play) reads them.
    pub moves: Vec<String>,
    /// Not really there: a place that is still free, or a card that only shows where it will lie.
    pub faint: bool,
}

/// What is drawn on a card.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Face {
    /// A label of a few letters; `marked` for a special kind of card.
    Label {
        /// The letters.
        text: String,
        /// Is it of the special kind?
        marked: bool,
    },
    /// A playing card: rank as printed (`A`, `10`, `K`) and suit as a letter (`S`, `H`, `D`, `C`).
    Playing {
        /// The rank.
        rank: String,
        /// The suit.
        suit: char,
    },
    /// A joker.
    Joker,
    /// A picture that the game paints, by name: see [`Entry::card_picture`](crate::surface::Entry::card_picture).
    Painted(String),
    /// Face down.
    Back,
    /// No card.
    Gap,
}

/// A legal move without a card of its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Action {
    /// As [`Board::play`](crate::surface::Board::play) reads it.
    pub mv: String,
    /// In words.
    pub words: String,
}

/// A graph to play on; places are in columns and rows.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Net {
    /// The vertices.
    pub nodes: Vec<Node>,
    /// The edges, by index; the flag says that it is not there yet.
    pub edges: Vec<(usize, usize, bool)>,
    /// Do edges lead one way only?
    pub directed: bool,
}

/// A vertex.
#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    /// Column and row.
    pub place: (f64, f64),
    /// Its name.
    pub label: String,
    /// Whose it is; `None` when it lies on the table.
    pub owner: Option<Seat>,
    /// The legal moves that begin with it.
    pub moves: Vec<String>,
}

/// A score sheet.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Sheet {
    /// The heads of the columns; the first belongs to the names of the rows.
    pub head: Vec<String>,
    /// The rows.
    pub rows: Vec<Vec<String>>,
    /// The sums, if there are any.
    pub foot: Vec<String>,
}

impl Placed {
    /// A card that nothing can be done with.
    pub fn new(face: Face, words: impl Into<String>) -> Self {
        Placed { face, words: words.into(), owner: None, moves: Vec::new(), faint: false }
    }

    /// A card with a label.
    pub fn label(text: impl Into<String>, words: impl Into<String>) -> Self {
        Placed::new(Face::Label { text: text.into(), marked: false }, words)
    }

    /// The same card, as the beginning of a move.
    #[must_use]
    pub fn playing(mut self, mv: impl Into<String>) -> Self {
        self.moves.push(mv.into());
        self
    }

    /// The same card with its owner.
    #[must_use]
    pub fn of(mut self, owner: Option<Seat>) -> Self {
        self.owner = owner;
        self
    }

    /// The same card, only hinted at.
    #[must_use]
    pub fn faint(mut self) -> Self {
        self.faint = true;
        self
    }
}

impl Zone {
    /// A zone without a note.
    pub fn new(title: impl Into<String>, seat: Option<Seat>, shape: Shape, cards: Vec<Placed>) -> Self {
        Zone { title: title.into(), seat, shape, cards, note: String::new() }
    }

    /// The same zone with a note.
    #[must_use]
    pub fn note(mut self, note: impl Into<String>) -> Self {
        self.note = note.into();
        self
    }
}

impl Scene {
    /// Is there nothing to draw?
    pub fn is_empty(&self) -> bool {
        self.zones.is_empty() && self.graph.is_none()
    }
}

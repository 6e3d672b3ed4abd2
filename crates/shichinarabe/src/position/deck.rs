//! The real deck: four suits of thirteen, the sevens on the table, 48 cards in two hands or already played.
//! A [`Deck`] becomes eight strings ([`Deck::strings`]) or a graph ([`Deck::graph`]), and analysis goes on there.

use super::{Colour, Edge, Graph, GraphSetup, Label, Player, Suits, Variant};
use kachi_core::Error;
use std::fmt;

/// One of the four suits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct DeckSuit(usize);

impl DeckSuit {
    /// Spades, hearts, diamonds, clubs.
    pub const ALL: [DeckSuit; 4] = [DeckSuit(0), DeckSuit(1), DeckSuit(2), DeckSuit(3)];

    /// 0 to 3.
    #[must_use]
    pub fn index(self) -> usize {
        self.0
    }

    /// `S`, `H`, `D` or `C`.
    #[must_use]
    pub fn letter(self) -> char {
        ['S', 'H', 'D', 'C'][self.0]
    }

    /// The sign printed on cards.
    #[must_use]
    pub fn sign(self) -> char {
        ['♠', '♥', '♦', '♣'][self.0]
    }
}

/// A rank from ace (1) to king (13).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Rank(usize);

impl Rank {
    /// How many ranks there are.
    pub const COUNT: usize = 13;
    /// The seven, which begins on the table.
    pub const SEVEN: Rank = Rank(6);

    /// All ranks from the ace to the king.
    pub fn all() -> impl Iterator<Item = Rank> {
        (0..Rank::COUNT).map(Rank)
    }

    /// 0 for the ace to 12 for the king.
    #[must_use]
    pub fn index(self) -> usize {
        self.0
    }

    /// `A`, `2` to `10`, `J`, `Q` or `K`.
    #[must_use]
    pub fn name(self) -> &'static str {
        ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"][self.0]
    }
}

/// A card of the deck.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Card {
    /// Its suit.
    pub suit: DeckSuit,
    /// Its rank.
    pub rank: Rank,
}

impl Card {
    /// The number of the card's vertex in [`Deck::graph`].
    #[must_use]
    pub fn vertex(self) -> u32 {
        (self.suit.0 * Rank::COUNT + self.rank.0) as u32
    }

    /// The card of a vertex of [`Deck::graph`].
    #[must_use]
    pub fn of_vertex(vertex: u32) -> Card {
        let vertex = vertex as usize % (4 * Rank::COUNT);
        Card { suit: DeckSuit(vertex / Rank::COUNT), rank: Rank(vertex % Rank::COUNT) }
    }

    /// Reads `S8`, `h10`, `DT`, `ck` and the like.
    ///
    /// # Errors
    /// `bad_card`, without a place.
    pub fn parse(text: &str) -> Result<Card, Error> {
        let bad = || {
            Error::new("bad_card", format!("{text:?} is not a card"))
                .hint("a card is a suit S, H, D or C and a rank A, 2 to 10, J, Q or K, for example S8 or H10")
        };
        let text = text.trim();
        let first = text.chars().next().ok_or_else(bad)?;
        let suit = match first.to_ascii_uppercase() {
            'S' | '♠' => 0,
            'H' | '♥' => 1,
            'D' | '♦' => 2,
            'C' | '♣' => 3,
            _ => return Err(bad()),
        };
        let rest = text[first.len_utf8()..].to_ascii_uppercase();
        let rank = match rest.as_str() {
            "T" => Some(Rank(9)),
            "1" => Some(Rank(0)),
            name => Rank::all().find(|rank| rank.name() == name),
        };
        Ok(Card { suit: DeckSuit(suit), rank: rank.ok_or_else(bad)? })
    }
}

impl fmt::Display for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.suit.letter(), self.rank.name())
    }
}

/// A position of the real card game.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Deck {
    owners: [[Option<Player>; Rank::COUNT]; 4],
    mover: Player,
    rights: [u32; 2],
    passes: [u32; 2],
    tunnel: bool,
}

impl Deck {
    /// A position from the owner of every card; `None` is a card on the table.
    ///
    /// # Errors
    /// `held_seven` if a seven is in a hand, `no_cards` if no card is.
    pub fn new(
        owners: [[Option<Player>; Rank::COUNT]; 4],
        mover: Player,
        rights: [u32; 2],
        passes: [u32; 2],
        tunnel: bool,
    ) -> Result<Deck, Error> {
        for suit in DeckSuit::ALL {
            if owners[suit.0][Rank::SEVEN.0].is_some() {
                let message = format!("{}7 is in a hand, but the sevens begin on the table", suit.letter());
                return Err(Error::new("held_seven", message));
            }
        }
        if owners.iter().flatten().all(Option::is_none) {
            return Err(Error::new("no_cards", "both hands are empty: somebody must hold a card"));
        }
        Ok(Deck { owners, mover, rights, passes, tunnel })
    }

    /// Who holds a card; `None` when it is on the table.
    #[must_use]
    pub fn owner(&self, card: Card) -> Option<Player> {
        self.owners[card.suit.0][card.rank.0]
    }

    /// The owners, suit by suit.
    #[must_use]
    pub fn owners(&self) -> &[[Option<Player>; Rank::COUNT]; 4] {
        &self.owners
    }

    /// Whose turn it is.
    #[must_use]
    pub fn mover(&self) -> Player {
        self.mover
    }

    /// Jokers held.
    #[must_use]
    pub fn rights(&self) -> [u32; 2] {
        self.rights
    }

    /// Passes left.
    #[must_use]
    pub fn passes(&self) -> [u32; 2] {
        self.passes
    }

    /// Is the tunnel rule on: a finished side opens the other end of its suit?
    #[must_use]
    pub fn tunnel(&self) -> bool {
        self.tunnel
    }

    /// The cards of one player, in order.
    #[must_use]
    pub fn hand(&self, player: Player) -> Vec<Card> {
        let cards = (0..52).map(Card::of_vertex);
        cards.filter(|&card| self.owner(card) == Some(player)).collect()
    }

    /// The eight strings 6..A and 8..K of every suit, if the cards on the table lie without gaps.
    #[must_use]
    pub fn strings(&self) -> Option<[Vec<Player>; 8]> {
        let mut strings: [Vec<Player>; 8] = Default::default();
        for suit in 0..4 {
            let row = &self.owners[suit];
            let sides: [&mut dyn Iterator<Item = &Option<Player>>; 2] =
                [&mut row[..Rank::SEVEN.0].iter().rev(), &mut row[Rank::SEVEN.0 + 1..].iter()];
            for (side, cards) in sides.into_iter().enumerate() {
                for card in cards {
                    match card {
                        Some(owner) => strings[2 * suit + side].push(*owner),
                        None if !strings[2 * suit + side].is_empty() => return None,
                        None => {}
                    }
                }
            }
        }
        Some(strings)
    }

    /// The unplayed cards of one of the eight strings, from the seven outwards, as vertices of the graph.
    #[must_use]
    pub fn leg(&self, leg: usize) -> Vec<u32> {
        let (suit, high) = (leg / 2 % 4, leg % 2 == 1);
        let held = |rank: &usize| self.owners[suit][*rank].is_some();
        let vertex = |rank: usize| (suit * Rank::COUNT + rank) as u32;
        if high {
            (Rank::SEVEN.0 + 1..Rank::COUNT).filter(held).map(vertex).collect()
        } else {
            (0..Rank::SEVEN.0).rev().filter(held).map(vertex).collect()
        }
    }

    /// The first unplayed card of each of the eight strings (6..A and 8..K of every suit).
    #[must_use]
    pub fn fronts(&self) -> [Option<Card>; 8] {
        let mut fronts = [None; 8];
        for suit in DeckSuit::ALL {
            let held = |&rank: &usize| self.owners[suit.0][rank].is_some();
            let low = (0..Rank::SEVEN.0).rev().find(held);
            let high = (Rank::SEVEN.0 + 1..Rank::COUNT).find(held);
            fronts[2 * suit.0] = low.map(|rank| Card { suit, rank: Rank(rank) });
            fronts[2 * suit.0 + 1] = high.map(|rank| Card { suit, rank: Rank(rank) });
        }
        fronts
    }

    /// The position as a suit game, when it is one: no gaps, jokers, passes or tunnel.
    #[must_use]
    pub fn suits(&self) -> Option<Suits> {
        if self.rights != [0; 2] || self.passes != [0; 2] || self.tunnel {
            return None;
        }
        Suits::new(self.strings()?.into(), self.mover).ok()
    }

    /// The position as a graph of 52 vertices, [`Card::vertex`] by card.
    #[must_use]
    pub fn graph(&self) -> Graph {
        let colours = self.owners.iter().flatten().map(|o| o.map_or(Colour::White, Colour::Held)).collect();
        let mut setup = GraphSetup {
            colours,
            edges: Vec::new(),
            directed: self.tunnel,
            mover: self.mover,
            rights: self.rights,
            passes: self.passes,
            add: Vec::new(),
            delete: Vec::new(),
            variant: Variant::default(),
        };
        for suit in 0..4u32 {
            if self.tunnel {
                tunnel_arcs(suit * 13, &mut setup);
            } else {
                setup.edges.extend((0..12).map(|rank| (suit * 13 + rank, suit * 13 + rank + 1)));
            }
        }
        Graph::new(setup).expect("a deck is a legal graph")
    }

    /// The deck whose graph is this one after some play; only colours, turn, rights and passes may differ.
    pub(crate) fn after_graph(&self, graph: &Graph) -> Deck {
        let setup = graph.setup();
        let mut next = self.clone();
        for (vertex, colour) in setup.colours.iter().enumerate() {
            next.owners[vertex / 13][vertex % 13] = match colour {
                Colour::White => None,
                Colour::Held(player) => Some(*player),
            };
        }
        next.mover = setup.mover;
        next.rights = setup.rights;
        next.passes = setup.passes;
        next
    }
}

/// The arcs and labels of one suit under the tunnel rule; `ace` is the vertex of its ace.
fn tunnel_arcs(ace: u32, setup: &mut GraphSetup) {
    let (seven, king) = (ace + 6, ace + 12);
    let down: Vec<Edge> = (0..6).map(|i| (seven - i, seven - i - 1)).collect();
    let up: Vec<Edge> = (0..6).map(|i| (seven + i, seven + i + 1)).collect();
    // After the tunnel has opened, a side is played from its far end towards the seven.
    let back_up = (0..5).map(|i| (ace + i, ace + i + 1));
    let back_down = (0..5).map(|i| (king - i, king - i - 1));
    setup.add.push(Label { when: ace, edge: (ace, king) });
    setup.add.push(Label { when: king, edge: (king, ace) });
    setup.delete.extend(up.iter().map(|&edge| Label { when: ace, edge }));
    setup.delete.extend(down.iter().map(|&edge| Label { when: king, edge }));
    setup.edges.extend(down);
    setup.edges.extend(up);
    setup.edges.extend(back_up);
    setup.edges.extend(back_down);
}

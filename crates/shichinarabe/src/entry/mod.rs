//! The two games as surfaces see them: `shichinarabe` (suits and the real deck) and `graph-shichinarabe`.

mod deck_board;
mod graph_board;
mod suits_board;
mod turn_text;

use crate::claims;
use crate::contract::{
    GraphReply, GraphRequest, RandomDealRequest, SuitsOrDeck, SuitsReply, SuitsRequest, random_deck,
    reply_deck, reply_graph, reply_suits,
};
use crate::notation::{read_graph, write_graph};
use crate::position::{Colour, Graph, GraphSetup, Player};
use deck_board::DeckBoard;
use graph_board::GraphBoard;
use kachi_core::random::Dealer;
use kachi_core::surface::{About, Bench, Board, Clock, Deal, Entry, Example, InJapanese, Query};
use kachi_core::{Budget, Claim, Error, Question};
use serde::Serialize;
use suits_board::SuitsBoard;

/// The entry `shichinarabe`.
#[derive(Debug, Clone, Copy, Default)]
pub struct Shichinarabe;

/// The entry `graph-shichinarabe`.
#[derive(Debug, Clone, Copy, Default)]
pub struct GraphShichinarabe;

/// `shichinarabe`, ready for the registry.
pub static ENTRY: Shichinarabe = Shichinarabe;

/// `graph-shichinarabe`, ready for the registry.
pub static GRAPH_ENTRY: GraphShichinarabe = GraphShichinarabe;

static ABOUT: About = About {
    name: "shichinarabe",
    japanese: "七並べ",
    summary: "Sevens for two with open hands: suits grow outwards from the sevens; who empties his hand first wins",
    rules: "Two players, L and R, see all cards. The sevens lie on the table. A turn plays one own card next to a card \
            of its suit on the table. Whoever holds no card has won; whoever cannot play on his turn has lost. Options \
            of the real deck: jokers (before playing, turn any card of the opponent onto the table; taking his last \
            card loses), passes, and the tunnel (a finished side of a suit opens the far end of the other side).",
    notation: "LRL,RRL:L             suits: owners from the centre outwards; then who is to move\n\
               deck@LRLRLR7LRLRLR/ROW/ROW/ROW:L:j1-1:p2-2:t\n\
               \u{20}                     the real deck: a row A to K for each of spades, hearts, diamonds, clubs; L or R holds \
               the card, '.' it is on the table; then the mover, jokers of L-R, passes of L-R, t = tunnel\n\
               deal@7:j1-1:p2-2:t    the random deal of seed 7 with the same options",
    engine: "perfect play",
    examples: &[
        Example { position: "LRLR,LRLR:L", words: "equal hands: the mover wins the race, the lock costs 1" },
        Example { position: "LRL,RRL:L", words: "two short suits" },
        Example {
            position: "deck@RLLRRL7LRLRRL/LLRLRR7RRLLRL/RRLLLR7LLRRRL/LRRLRL7RLLRLR:L",
            words: "a deal of all 48 cards",
        },
        Example {
            position: "deck@RLLRRL7LRLRRL/LLRLRR7RRLLRL/RRLLLR7LLRRRL/LRRLRL7RLLRLR:L:j1-1",
            words: "the same deal with a joker each",
        },
        Example {
            position: "deck@RLLRRL7LRLRRL/LLRLRR7RRLLRL/RRLLLR7LLRRRL/LRRLRL7RLLRLR:L:t",
            words: "the same deal with the tunnel rule",
        },
    ],
};

static GRAPH_ABOUT: About = About {
    name: "graph-shichinarabe",
    japanese: "グラフ七並べ",
    summary: "Sevens on a graph: play an own vertex next to the table; rights, passes and changing edges as options",
    rules: "Vertices are white (on the table), red or blue. Player R plays a red vertex, player B a blue one, that has an \
            edge (an arc, if directed) from a white vertex; it turns white. Whoever holds no vertex has won; whoever can \
            neither play nor pass has lost. A right turns any vertex of the opponent white before the action of a turn; \
            taking his last one loses. Labels add or delete edges when a vertex turns white.",
    notation: "R,BR.BBBR:R:j1-0      trees below one white vertex: a letter is a child of the one before, '.' goes up, ',' starts a tree\n\
               @WRB,RBR:R            a grid, row by row\n\
               WRB/0-1,1-2:R:d       colours / edges; d = directed\n\
               options after the mover: j1-0 rights, p0-2 passes, a6-4-0 adds edge 4-0 when 6 is white, x6-4-0 deletes it,\n\
               o at most one right a turn, e emptying the opponent wins",
    engine: "perfect play",
    examples: &[
        Example { position: "RR.B:R", words: "only R has a lock, yet B wins: value 1, price 1" },
        Example { position: "R,BR.BBBR:R:j1-0", words: "one joker: only waiting wins" },
        Example { position: "@WRB,RBR,BRB:R", words: "a grid" },
        Example { position: "WRBRW/0-1,1-2,2-3,3-4:B", words: "a path open at both ends" },
        Example { position: "BRB:R:p1-0", words: "one pass more turns a loss into a win" },
    ],
};

static DEALS: [Deal; 5] = [
    Deal { pattern: "deal@{seed}", words: "52 cards", japanese: "52枚", hidden: false },
    Deal {
        pattern: "deal@{seed}:j1-1",
        words: "52 cards, a joker each",
        japanese: "52枚、ジョーカー一枚ずつ",
        hidden: false,
    },
    Deal {
        pattern: "deal@{seed}:p3-3",
        words: "52 cards, three passes each",
        japanese: "52枚、パス三回ずつ",
        hidden: false,
    },
    Deal {
        pattern: "deal@{seed}:t",
        words: "52 cards, tunnel rule",
        japanese: "52枚、トンネルあり",
        hidden: false,
    },
    Deal {
        pattern: "deal@{seed}:j1-1:p3-3:t",
        words: "52 cards, jokers, passes and tunnel",
        japanese: "52枚、ジョーカー・パス・トンネルあり",
        hidden: false,
    },
];

static JAPANESE: InJapanese = InJapanese {
    summary: "二人・手札公開の七並べ。先に手札をなくした方が勝ち",
    rules: "LとRの二人、札はすべて公開。場には四枚の7。手番では、場の札の隣に自分の札を一枚出す。\
            手札のなくなった方が勝ち、出せなくなった方が負け。52枚の本式では、ジョーカー(出す前に相手の札を場に出させる)、\
            パス、トンネル(端まで並ぶと反対の端から出せる)を選べる。",
};

static GRAPH_JAPANESE: InJapanese = InJapanese {
    summary: "グラフの上の七並べ。場に隣り合う自分の頂点を出していく",
    rules: "頂点は白(場)、赤、青。赤番は白に隣り合う赤の頂点を、青番は青の頂点を白にする。自分の頂点がなくなれば勝ち、\
            出すこともパスもできなければ負け。権利を使うと、手番の前に相手の頂点を白にできる。",
};

fn write<T: Serialize>(reply: &T, out: &mut Vec<u8>) -> Result<(), Error> {
    serde_json::to_writer(out, reply).map_err(|error| Error::new("unwritable", error.to_string()))
}

fn unknown_query(query: &str, known: &str) -> Error {
    Error::new("unknown_query", format!("there is no query {query:?}")).at_field("query").hint(known)
}

impl Entry for Shichinarabe {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn deals(&self) -> &'static [Deal] {
        &DEALS
    }

    fn in_japanese(&self) -> Option<&'static InJapanese> {
        Some(&JAPANESE)
    }

    fn board(&self, notation: &str) -> Result<Box<dyn Board>, Error> {
        Ok(match SuitsOrDeck::read(notation)? {
            SuitsOrDeck::Suits(suits) => Box::new(SuitsBoard(suits)),
            SuitsOrDeck::Deck(deck) => Box::new(DeckBoard(deck)),
        })
    }

    fn deal(&self, seed: u64) -> Box<dyn Board> {
        Box::new(DeckBoard(random_deck(seed, [0; 2], [0; 2], false)))
    }

    fn queries(&self) -> Vec<Query> {
        vec![
            Query::of::<SuitsRequest, SuitsOrDeckReply>(
                "analyze",
                "who wins, which moves win, and why: suits, or hands of the real deck",
            ),
            Query::of::<RandomDealRequest, GraphReply<String>>(
                "deal",
                "a random deal of the real deck with its analysis",
            ),
        ]
    }

    fn answer(
        &self,
        query: &str,
        request: &str,
        budget: &mut Budget<'_>,
        out: &mut Vec<u8>,
    ) -> Result<(), Error> {
        match query {
            "analyze" => {
                let request: SuitsRequest = kachi_core::request::parse(request)?;
                match request.position(budget)? {
                    SuitsOrDeck::Suits(suits) => write(&reply_suits(&suits), out),
                    SuitsOrDeck::Deck(deck) => write(&reply_deck(&deck, budget)?, out),
                }
            }
            "deal" => {
                let request: RandomDealRequest = kachi_core::request::parse(request)?;
                write(&reply_deck(&request.deck(), budget)?, out)
            }
            _ => Err(unknown_query(query, "analyze or deal")),
        }
    }

    fn claims(&self) -> &'static [&'static dyn Claim] {
        claims::SUITS
    }

    fn bench(&self, clock: &dyn Clock) -> Bench {
        crate::bench::suits(clock)
    }

    fn typical_request(&self, i: u64) -> String {
        let mut dealer = Dealer::new(i);
        let suits: Vec<String> = (0..8)
            .map(|_| {
                let length = dealer.between(1, 6);
                (0..length).map(|_| Player::BOTH[dealer.below(2) as usize].letter()).collect()
            })
            .collect();
        let mover = Player::BOTH[dealer.below(2) as usize].letter();
        let suits = serde_json::Value::from(suits);
        format!("{{\"game\":\"shichinarabe\",\"suits\":{suits},\"to_move\":\"{mover}\"}}")
    }
}

/// The reply to `analyze`: about suits, or about a deck.
#[derive(Debug, Serialize, schemars::JsonSchema)]
#[serde(untagged)]
enum SuitsOrDeckReply {
    #[allow(dead_code)] // Only its schema is used; replies are written directly.
    Suits(Box<SuitsReply>),
    #[allow(dead_code)] // As above.
    Deck(Box<GraphReply<String>>),
}

impl Entry for GraphShichinarabe {
    fn about(&self) -> &'static About {
        &GRAPH_ABOUT
    }

    fn in_japanese(&self) -> Option<&'static InJapanese> {
        Some(&GRAPH_JAPANESE)
    }

    fn board(&self, notation: &str) -> Result<Box<dyn Board>, Error> {
        Ok(Box::new(GraphBoard(read_graph(notation)?)))
    }

    fn deal(&self, seed: u64) -> Box<dyn Board> {
        Box::new(GraphBoard(random_tree(&mut Dealer::new(seed), 14)))
    }

    fn queries(&self) -> Vec<Query> {
        vec![Query::of::<GraphRequest, GraphReply<u32>>("analyze", "who wins, which turns win, and why")]
    }

    fn answer(
        &self,
        query: &str,
        request: &str,
        budget: &mut Budget<'_>,
        out: &mut Vec<u8>,
    ) -> Result<(), Error> {
        if query != "analyze" {
            return Err(unknown_query(query, "analyze"));
        }
        let request: GraphRequest = kachi_core::request::parse(request)?;
        let graph = request.position(budget)?;
        write(&reply_graph(&graph, budget)?, out)
    }

    fn claims(&self) -> &'static [&'static dyn Claim] {
        claims::GRAPH
    }

    fn questions(&self) -> &'static [Question] {
        claims::OPEN
    }

    fn bench(&self, clock: &dyn Clock) -> Bench {
        crate::bench::graph(clock)
    }

    fn typical_request(&self, i: u64) -> String {
        let graph = random_tree(&mut Dealer::new(i), 24);
        let position = write_graph(&graph);
        format!("{{\"game\":\"graph-shichinarabe\",\"position\":\"{position}\"}}")
    }
}

/// A random tree below one white vertex: every vertex hangs from an earlier one.
fn random_tree(dealer: &mut Dealer, vertices: u32) -> Graph {
    let mut colours = vec![Colour::White];
    let mut edges = Vec::new();
    for v in 1..=vertices {
        // Equal hands, in random order, would need a shuffle; one card of each is enough for a game.
        let owner = match v {
            1 => Player::First,
            2 => Player::Second,
            _ => Player::BOTH[dealer.below(2) as usize],
        };
        colours.push(Colour::Held(owner));
        edges.push((dealer.below(u64::from(v)) as u32, v));
    }
    Graph::new(GraphSetup::plain(colours, edges, Player::First)).expect("a tree is a legal graph")
}

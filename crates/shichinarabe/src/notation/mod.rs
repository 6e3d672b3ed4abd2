//! One line of text per position, with characters that need no escaping in a URL.
//!
//! | what | example | meaning |
//! |---|---|---|
//! | suits | `LRL,RRL:L` | suits from the centre outwards, then the mover |
//! | deck | `deck@LRLRLR7LRLRLR/...:L:j1-1:t` | a row A to K per suit (♠ ♥ ♦ ♣), `.` on the table |
//! | tree | `R,BR.BBBR:R:j1-0` | trees below one white vertex: a letter is a child of the one before, `.` goes one up, `,` starts the next tree |
//! | grid | `@WRB,RBR:R` | rows of a grid |
//! | graph | `WRB/0-1,1-2:R` | colours, then edges |
//!
//! After the mover follow options: `j1-0` rights (jokers) of the two players, `p0-2` passes, `t` tunnel (deck); for graphs
//! also `d` directed, `a6-4-0` "when 6 is white, edge 4-0 appears", `x6-4-0` "... disappears" (lists with `,`), and
//! the variants `o` (at most one right a turn) and `e` (emptying the opponent wins).

mod deck;
mod graph;
mod options;
mod suits;

pub use deck::{NamedDeal, read_deal, read_deck, write_deck};
pub use graph::{read_graph, write_graph};
pub use suits::{read_suits, write_suits};

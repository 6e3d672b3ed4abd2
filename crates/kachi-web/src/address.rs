//! A board as a link: where the play began, the moves since then, how many of them are shown, and who plays.
//!
//! ```text
//! /tanhinmin/1,3,4,5,8/2,6,7          a position
//! /tanhinmin/1,3,4,5,8/2,6,7?m=5~6    the board after two moves
//! ...?m=5~6&at=1                      a step back; the second move is still listed
//! ...?m=5~6&you=0&level=3             seat 0 is a person, the engine has level 3
//! ...?m=5~6&show=hint                 with a hint
//! ```
//!
//! Everything a page of open cards needs is in its link, so back, forward, reload and sharing need nothing from the server.

use kachi::core::Seat;
use std::fmt::Write;

/// How well the engine plays: 5 is perfect, 1 takes any legal move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(transparent)]
pub struct Level(u8);

impl Default for Level {
    fn default() -> Self {
        Level::PERFECT
    }
}

impl Level {
    /// The best move always.
    pub const PERFECT: Level = Level(5);
    /// All levels, the best first.
    pub const ALL: [Level; 5] = [Level(5), Level(4), Level(3), Level(2), Level(1)];

    /// The level with this number.
    pub fn new(number: u8) -> Option<Level> {
        (1..=5).contains(&number).then_some(Level(number))
    }

    /// Its number.
    pub fn number(self) -> u8 {
        self.0
    }

    /// Of 100 moves, how many are taken blindly.
    pub fn slips(self) -> u64 {
        [100, 60, 30, 10, 0][usize::from(self.0 - 1)]
    }
}

/// What a page shows beyond the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Show {
    /// Nothing more.
    #[default]
    Board,
    /// The engine's advice.
    Hint,
    /// The values of all moves, while playing.
    Values,
    /// Best play to the end.
    Line,
}

impl Show {
    pub(crate) fn word(self) -> &'static str {
        match self {
            Show::Board => "",
            Show::Hint => "hint",
            Show::Values => "values",
            Show::Line => "line",
        }
    }

    pub(crate) fn of(word: &str) -> Show {
        match word {
            "hint" => Show::Hint,
            "values" => Show::Values,
            "line" => Show::Line,
            _ => Show::Board,
        }
    }
}

/// A board as a link.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Address {
    /// The game.
    pub game: String,
    /// The position in which the play began.
    pub start: String,
    /// All moves.
    pub moves: Vec<String>,
    /// How many of them are made.
    pub at: usize,
    /// The person's seat, while playing against the engine.
    pub you: Option<Seat>,
    /// The engine's level.
    pub level: Level,
    /// What else is shown.
    pub show: Show,
}

/// Moves between which a link can hold the whole history; browsers and servers take links of this length.
pub(crate) const LONGEST_HISTORY: usize = 600;

impl Address {
    /// A position without a history.
    pub fn new(game: impl Into<String>, start: impl Into<String>) -> Self {
        Address { game: game.into(), start: start.into(), ..Address::default() }
    }

    /// Reads the query of a link; what it does not know it leaves out.
    pub fn read(game: &str, path: Option<&str>, query: &str) -> Address {
        let mut address = Address::new(game, path.unwrap_or_default());
        let mut at = None;
        for (key, value) in form_urlencoded::parse(query.as_bytes()) {
            match key.as_ref() {
                "p" if path.is_none() => address.start = value.into_owned(),
                "m" if !value.is_empty() => {
                    address.moves = value.split('~').map(|word| word.replace('_', " ")).collect();
                }
                "at" => at = value.parse().ok(),
                "you" => address.you = value.parse().ok().map(Seat),
                "level" => address.level = value.parse().ok().and_then(Level::new).unwrap_or_default(),
                "show" => address.show = Show::of(&value),
                _ => {}
            }
        }
        address.at = address.moves.len().min(at.unwrap_or(usize::MAX));
        address
    }

    /// The moves that are made.
    pub fn made(&self) -> &[String] {
        &self.moves[..self.at.min(self.moves.len())]
    }

    /// The same play after one more move; what was taken back is forgotten.
    #[must_use]
    pub fn after(&self, mv: &str) -> Address {
        let mut moves = self.made().to_vec();
        moves.push(mv.to_owned());
        Address { at: moves.len(), moves, show: self.kept_show(), ..self.clone() }
    }

    /// A hint is for one move only.
    fn kept_show(&self) -> Show {
        if self.show == Show::Values { Show::Values } else { Show::Board }
    }

    /// The same play at another moment.
    #[must_use]
    pub fn at(&self, at: usize) -> Address {
        Address { at: at.min(self.moves.len()), show: self.kept_show(), ..self.clone() }
    }

    /// The same board, showing something else.
    #[must_use]
    pub fn showing(&self, show: Show) -> Address {
        Address { show, ..self.clone() }
    }

    /// The same board, nobody playing.
    #[must_use]
    pub fn analysed(&self) -> Address {
        Address { you: None, level: Level::default(), show: Show::Board, ..self.clone() }
    }

    /// The link.
    pub fn href(&self) -> String {
        let mut link = format!("/{}", encoded(&self.game, &[]));
        let mut join = '?';
        if fits_a_path(&self.start) {
            let _ = write!(link, "/{}", encoded(&self.start, b"/"));
        } else {
            let _ = write!(link, "?p={}", encoded(&self.start, b"/"));
            join = '&';
        }
        link.push_str(&self.query(join));
        link
    }

    /// The part of the link behind the position.
    pub fn query(&self, first: char) -> String {
        let mut query = String::new();
        let mut add = |key: &str, value: &str| {
            let join = if query.is_empty() { first } else { '&' };
            let _ = write!(query, "{join}{key}={value}");
        };
        if !self.moves.is_empty() {
            let moves: Vec<String> =
                self.moves.iter().map(|mv| encoded(&mv.replace(' ', "_"), &[])).collect();
            add("m", &moves.join("~"));
        }
        if self.at < self.moves.len() {
            add("at", &self.at.to_string());
        }
        if let Some(Seat(you)) = self.you {
            add("you", &you.to_string());
            if self.level != Level::default() {
                add("level", &self.level.number().to_string());
            }
        }
        if self.show != Show::Board {
            add("show", self.show.word());
        }
        query
    }
}

/// Browsers change paths with empty or dotted segments.
fn fits_a_path(text: &str) -> bool {
    !text.is_empty() && text.split('/').all(|segment| !matches!(segment, "" | "." | ".."))
}

/// Letters that need no escape in a path or a query, beside letters and digits.
const PLAIN: &[u8] = b",@:-._!*()";

/// Percent-encodes all but plain letters and `also`.
pub(crate) fn encoded(text: &str, also: &[u8]) -> String {
    let mut out = String::with_capacity(text.len());
    for &byte in text.as_bytes() {
        if byte.is_ascii_alphanumeric() || PLAIN.contains(&byte) || also.contains(&byte) {
            out.push(char::from(byte));
        } else {
            let _ = write!(out, "%{byte:02X}");
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn again(address: &Address) -> Address {
        let link = address.href();
        let (path, query) = link.split_once('?').unwrap_or((&link, ""));
        let mut parts = path[1..].splitn(2, '/');
        let game = parts.next().unwrap();
        let start = parts.next().map(|start| {
            let bytes: Vec<u8> = form_urlencoded::parse(format!("x={start}").replace('+', "%2B").as_bytes())
                .next()
                .unwrap()
                .1
                .bytes()
                .collect();
            String::from_utf8(bytes).unwrap()
        });
        Address::read(game, start.as_deref(), query)
    }

    #[test]
    fn a_link_says_everything() {
        let plain = Address::new("tanhinmin", "1,3,4,5,8/2,6,7@0");
        assert_eq!(plain.href(), "/tanhinmin/1,3,4,5,8/2,6,7@0");
        let mut long = plain.after("5").after("joker S9 then S8");
        assert_eq!(long.href(), "/tanhinmin/1,3,4,5,8/2,6,7@0?m=5~joker_S9_then_S8");
        assert_eq!(again(&long), long);
        long.you = Some(Seat(1));
        long.level = Level::new(2).unwrap();
        long.show = Show::Hint;
        assert_eq!(again(&long), long);
        assert_eq!(again(&long.at(1)), long.at(1));
    }

    #[test]
    fn odd_positions_travel_in_the_query() {
        for start in ["", "/", "1/../2", "1//2", "単 貧/?&=+%#~_", "./x"] {
            let address = Address::new("tanhinmin", start).after("5");
            assert_eq!(again(&address), address, "{start:?} as {}", address.href());
        }
    }

    #[test]
    fn a_new_move_forgets_what_was_taken_back() {
        let played = Address::new("g", "p").after("a").after("b").after("c");
        assert_eq!(played.at(1).after("d").moves, ["a", "d"]);
        assert_eq!(played.at(1).made(), ["a"]);
        assert_eq!(played.at(9).at, 3);
    }
}

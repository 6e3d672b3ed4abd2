//! The forty-eight flower cards: twelve months of four, their kinds and values, and sets of them as bits of one word.

use kachi_core::Error;
use std::fmt;
use std::str::FromStr;

/// Cards in the deck.
pub const DECK: usize = 48;
/// Points of the whole deck: three times 88.
pub const TOTAL: i64 = 264;

/// What a card shows; it fixes the value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// Hikari 光, 20 points.
    Light,
    /// Tane 種, 10 points.
    Animal,
    /// Tan 短, 5 points.
    Ribbon,
    /// Kasu 粕, 1 point.
    Kasu,
}

impl Kind {
    /// Points of a card of this kind.
    #[must_use]
    pub fn value(self) -> i64 {
        match self {
            Kind::Light => 20,
            Kind::Animal => 10,
            Kind::Ribbon => 5,
            Kind::Kasu => 1,
        }
    }

    /// English and Japanese name.
    #[must_use]
    pub fn names(self) -> (&'static str, &'static str) {
        match self {
            Kind::Light => ("light", "光"),
            Kind::Animal => ("animal", "種"),
            Kind::Ribbon => ("ribbon", "短"),
            Kind::Kasu => ("kasu", "粕"),
        }
    }
}

/// English name, Japanese name and the name in the paper, of every month's flower.
const FLOWERS: [(&str, &str, &str); 12] = [
    ("pine", "松", "MATSU"),
    ("plum", "梅", "UME"),
    ("cherry", "桜", "SAKURA"),
    ("wisteria", "藤", "FUJI"),
    ("iris", "菖蒲", "AYAME"),
    ("peony", "牡丹", "BOTAN"),
    ("bush clover", "萩", "HAGI"),
    ("susuki", "芒", "SUSUKI"),
    ("chrysanthemum", "菊", "KIKU"),
    ("maple", "紅葉", "MOMIJI"),
    ("willow", "柳", "YANAGI"),
    ("paulownia", "桐", "KIRI"),
];

/// What the special cards show, in English and Japanese, by card id.
const PICTURES: [(u8, &str, &str); 14] = [
    (0, "crane", "鶴"),
    (4, "warbler", "鶯"),
    (8, "curtain", "幔幕"),
    (12, "cuckoo", "時鳥"),
    (16, "bridge", "八橋"),
    (20, "butterflies", "蝶"),
    (24, "boar", "猪"),
    (28, "full moon", "満月"),
    (29, "geese", "雁"),
    (32, "sake cup", "盃"),
    (36, "deer", "鹿"),
    (40, "Ono no Tofu", "小野道風"),
    (41, "swallow", "燕"),
    (44, "phoenix", "鳳凰"),
];

/// One of the forty-eight cards; the id is 4 (month - 1) + letter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Card(u8);

impl Card {
    /// The card of a month (1 to 12) and a letter (0 for `a`).
    #[must_use]
    pub fn new(month: u8, letter: u8) -> Option<Card> {
        ((1..=12).contains(&month) && letter < 4).then(|| Card(4 * (month - 1) + letter))
    }

    /// The card with an id below 48.
    #[must_use]
    pub fn from_id(id: u8) -> Option<Card> {
        (usize::from(id) < DECK).then_some(Card(id))
    }

    /// The lowest card of a word that is not 0.
    pub(crate) fn lowest(bits: u64) -> Card {
        debug_assert!(bits != 0 && bits < 1 << DECK);
        Card(bits.trailing_zeros() as u8)
    }

    /// 0 to 47.
    #[must_use]
    pub fn id(self) -> u8 {
        self.0
    }

    /// 1 (January, pine) to 12 (December, paulownia).
    #[must_use]
    pub fn month(self) -> u8 {
        self.0 / 4 + 1
    }

    /// 0 for `a` to 3 for `d`.
    #[must_use]
    pub fn letter(self) -> u8 {
        self.0 % 4
    }

    /// What it shows.
    #[must_use]
    pub fn kind(self) -> Kind {
        let bit = self.bit();
        if LIGHTS.0 & bit != 0 {
            Kind::Light
        } else if ANIMALS.0 & bit != 0 {
            Kind::Animal
        } else if RIBBONS.0 & bit != 0 {
            Kind::Ribbon
        } else {
            Kind::Kasu
        }
    }

    /// Its points.
    #[must_use]
    pub fn value(self) -> i64 {
        self.kind().value()
    }

    /// The set of this card alone.
    #[must_use]
    pub fn alone(self) -> Cards {
        Cards(self.bit())
    }

    /// Its bit.
    pub(crate) fn bit(self) -> u64 {
        1 << self.0
    }

    /// English and Japanese name of its flower.
    #[must_use]
    pub fn flower(self) -> (&'static str, &'static str) {
        let (english, japanese, _) = FLOWERS[usize::from(self.month() - 1)];
        (english, japanese)
    }

    /// The name of its flower in the paper.
    #[must_use]
    pub fn paper_flower(self) -> &'static str {
        FLOWERS[usize::from(self.month() - 1)].2
    }

    /// English and Japanese name of what it shows beside the flower.
    #[must_use]
    pub fn picture(self) -> (&'static str, &'static str) {
        if let Some(&(_, english, japanese)) = PICTURES.iter().find(|&&(id, ..)| id == self.0) {
            return (english, japanese);
        }
        match self.kind() {
            Kind::Ribbon if RED_POEMS.has(self) => ("poem ribbon", "赤短"),
            Kind::Ribbon if BLUE.has(self) => ("blue ribbon", "青短"),
            Kind::Ribbon => ("ribbon", "短冊"),
            _ => ("kasu", "粕"),
        }
    }

    /// `crane on pine 松に鶴 (20)`: for people.
    #[must_use]
    pub fn words(self) -> String {
        let ((flower, hana), (picture, e)) = (self.flower(), self.picture());
        match self.kind() {
            Kind::Kasu => format!("{flower} {hana}"),
            _ => format!("{flower} with {picture} {hana}に{e}"),
        }
    }
}

impl fmt::Display for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.month(), char::from(b'a' + self.letter()))
    }
}

impl FromStr for Card {
    type Err = Error;

    fn from_str(text: &str) -> Result<Card, Error> {
        let text = text.trim();
        let read = || {
            let letter = text.chars().last()?;
            let letter = "abcd".find(letter.to_ascii_lowercase())?;
            let digits = text.get(..text.len() - 1)?;
            let plain = !digits.starts_with('0') && digits.bytes().all(|byte| byte.is_ascii_digit());
            let month = digits.parse().ok().filter(|_| plain)?;
            Card::new(month, u8::try_from(letter).ok()?)
        };
        read().ok_or_else(|| {
            Error::new("bad_card", format!("there is no card {text:?}"))
                .hint("a card is its month and a letter from a to d: 1a is the crane, 12d a paulownia kasu")
        })
    }
}

/// A set of cards.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, PartialOrd, Ord)]
pub struct Cards(pub(crate) u64);

/// The five lights: crane, curtain, moon, Ono no Tofu, phoenix.
pub const LIGHTS: Cards = Cards(1 | 1 << 8 | 1 << 28 | 1 << 40 | 1 << 44);
/// The nine animals.
pub const ANIMALS: Cards =
    Cards(1 << 4 | 1 << 12 | 1 << 16 | 1 << 20 | 1 << 24 | 1 << 29 | 1 << 32 | 1 << 36 | 1 << 41);
/// The ten ribbons.
pub const RIBBONS: Cards =
    Cards(1 << 1 | 1 << 5 | 1 << 9 | 1 << 13 | 1 << 17 | 1 << 21 | 1 << 25 | 1 << 33 | 1 << 37 | 1 << 42);
/// The whole deck.
pub const ALL: Cards = Cards((1 << DECK) - 1);
/// The twenty-four kasu.
pub const KASU: Cards = Cards(ALL.0 & !LIGHTS.0 & !ANIMALS.0 & !RIBBONS.0);
/// The three red ribbons with a poem.
pub(crate) const RED_POEMS: Cards = Cards(1 << 1 | 1 << 5 | 1 << 9);
/// The three blue ribbons.
pub(crate) const BLUE: Cards = Cards(1 << 21 | 1 << 33 | 1 << 37);

impl Cards {
    /// No card.
    pub const NONE: Cards = Cards(0);

    /// All cards of a month (1 to 12).
    #[must_use]
    pub const fn month(month: u8) -> Cards {
        if month >= 1 && month <= 12 { Cards(0b1111 << (4 * (month - 1))) } else { Cards(0) }
    }

    /// The cards of the same month as `card`, itself included.
    #[must_use]
    pub fn mates(card: Card) -> Cards {
        Cards(0b1111 << (card.0 & !3))
    }

    /// Is the card in the set?
    #[must_use]
    pub fn has(self, card: Card) -> bool {
        self.0 & card.bit() != 0
    }

    /// The set with a card added.
    #[must_use]
    pub fn with(self, card: Card) -> Cards {
        Cards(self.0 | card.bit())
    }

    /// The set with a card removed.
    #[must_use]
    pub fn without(self, card: Card) -> Cards {
        Cards(self.0 & !card.bit())
    }

    /// How many.
    #[must_use]
    pub fn count(self) -> u32 {
        self.0.count_ones()
    }

    /// None at all?
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Are all cards of `other` here?
    #[must_use]
    pub fn includes(self, other: Cards) -> bool {
        self.0 & other.0 == other.0
    }

    /// Card points.
    #[must_use]
    pub fn points(self) -> i64 {
        i64::from(points(self.0))
    }

    /// Ascending.
    pub fn iter(self) -> impl Iterator<Item = Card> {
        let mut bits = self.0;
        std::iter::from_fn(move || {
            (bits != 0).then(|| {
                let card = Card::lowest(bits);
                bits &= bits - 1;
                card
            })
        })
    }

    /// The names with a separator between them.
    #[must_use]
    pub fn join(self, separator: &str) -> String {
        self.iter().map(|card| card.to_string()).collect::<Vec<_>>().join(separator)
    }

    /// The names.
    #[must_use]
    pub fn names(self) -> Vec<String> {
        self.iter().map(|card| card.to_string()).collect()
    }
}

/// Points of every card by id, for the inner loops of the solvers.
const VALUES: [u8; 64] = {
    let mut values = [1; 64];
    let mut id = 0;
    while id < 64 {
        let bit = 1 << id;
        if LIGHTS.0 & bit != 0 {
            values[id] = 20;
        } else if ANIMALS.0 & bit != 0 {
            values[id] = 10;
        } else if RIBBONS.0 & bit != 0 {
            values[id] = 5;
        }
        id += 1;
    }
    values
};

/// Points of the lowest card of a word that is not 0.
pub(crate) fn lowest_points(bits: u64) -> i32 {
    i32::from(VALUES[bits.trailing_zeros() as usize & 63])
}

/// Points of a word of cards.
pub(crate) fn points(bits: u64) -> i32 {
    let many = |set: Cards| (bits & set.0).count_ones() as i32;
    bits.count_ones() as i32 + 19 * many(LIGHTS) + 9 * many(ANIMALS) + 4 * many(RIBBONS)
}

impl FromIterator<Card> for Cards {
    fn from_iter<I: IntoIterator<Item = Card>>(cards: I) -> Cards {
        cards.into_iter().fold(Cards::NONE, Cards::with)
    }
}

macro_rules! bit_operator {
    ($trait:ident, $method:ident, |$a:ident, $b:ident| $value:expr) => {
        impl std::ops::$trait for Cards {
            type Output = Cards;
            fn $method(self, other: Cards) -> Cards {
                let ($a, $b) = (self.0, other.0);
                Cards($value)
            }
        }
    };
}
bit_operator!(BitOr, bitor, |a, b| a | b);
bit_operator!(BitAnd, bitand, |a, b| a & b);
bit_operator!(Sub, sub, |a, b| a & !b);

impl fmt::Display for Cards {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.join(","))
    }
}

impl fmt::Debug for Cards {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{{{self}}}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_deck_is_worth_three_times_88() {
        assert_eq!(ALL.points(), TOTAL);
        let many = [LIGHTS, ANIMALS, RIBBONS, KASU].map(Cards::count);
        assert_eq!(many, [5, 9, 10, 24]);
        assert!(ALL.iter().all(|card| card.value() >= 1 && card.alone().points() == card.value()));
    }

    #[test]
    fn names_round_trip_and_nonsense_is_refused() {
        for card in ALL.iter() {
            assert_eq!(card.to_string().parse::<Card>(), Ok(card));
        }
        for text in ["", "a", "0a", "13a", "1e", "01a", "+1a", "1aa", "ä", "999999999999a"] {
            assert_eq!(text.parse::<Card>().unwrap_err().code, "bad_card", "{text}");
        }
    }
}

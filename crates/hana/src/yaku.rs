//! Yaku 役, the bonuses, as data: the month patterns and kasu patterns of a dealt hand (teyaku 手役) and the card sets of a Basket
//! (dekiyaku 出来役), each row with its name, what it needs, its value and the rows it hides.

use crate::card::{ANIMALS, Card, Cards, KASU, LIGHTS, RIBBONS};

const WILLOW: Cards = Cards::month(11);
/// Cards that group B and sujuroku count as kasu: the kasu and the whole willow.
pub const KASU_WITH_WILLOW: Cards = Cards(KASU.0 | WILLOW.0);

/// What a dealt hand is worth.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Teyaku {
    /// The row of group A, the pattern of months.
    pub months: Option<&'static str>,
    /// The row of group B, the pattern of kinds.
    pub kinds: Option<&'static str>,
    /// Their values together, in kan.
    pub kan: i64,
    /// What is laid face up (rules of the paper only).
    pub window: Cards,
}

impl Teyaku {
    /// The names, group A first.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        self.months.into_iter().chain(self.kinds)
    }
}

/// A triple stands if it is of month 4, 5 or 7, or is the three kasu of month 12.
fn stands(triple: u64, month: u32) -> bool {
    matches!(month, 4 | 5 | 7) || (month == 12 && triple & LIGHTS.0 == 0)
}

/// Group A: the pattern of months, the best single row.
fn months(hand: Cards) -> Option<(&'static str, i64)> {
    let (mut fours, mut threes, mut twos, mut standing) = (0, 0, 0, 0);
    let mut bits = hand.0;
    let mut month = 1;
    while bits != 0 {
        let group = bits & 0b1111;
        match group.count_ones() {
            4 => fours += 1,
            3 => {
                threes += 1;
                standing += i32::from(stands(group << (4 * (month - 1)), month));
            }
            2 => twos += 1,
            _ => {}
        }
        bits >>= 4;
        month += 1;
    }
    Some(match (fours, threes, twos, standing) {
        (1.., 1.., ..) => ("shiso", 20),
        (1.., 0, 1.., _) => ("ichinishi", 8),
        (1.., ..) => ("teshi", 6),
        (0, 2, _, 0) => ("futasanbon", 6),
        (0, 2, _, 1) => ("sanbon-tatesanbon", 7),
        (0, 2, ..) => ("futatatesanbon", 8),
        (0, 1, 2, _) => ("haneken", 7),
        (0, 1, _, 0) => ("sanbon", 2),
        (0, 1, ..) => ("tatesanbon", 3),
        (0, 0, 3, _) => ("kuttsuki", 4),
        _ => return None,
    })
}

/// Group B: kasu, with the whole willow counted as kasu.
fn kinds(hand: Cards) -> Option<(&'static str, i64)> {
    let odd = hand.0 & !KASU_WITH_WILLOW.0;
    match odd.count_ones() {
        0 => Some(("karasu", 4)),
        1 => Some(odd_one(odd)),
        _ if odd & !RIBBONS.0 == 0 => Some(("aka", 2)),
        _ => None,
    }
}

/// The name by the one card that is no kasu.
fn odd_one(odd: u64) -> (&'static str, i64) {
    if odd & LIGHTS.0 != 0 {
        ("pikaichi", 4)
    } else if odd & ANIMALS.0 != 0 {
        ("toichi", 3)
    } else {
        ("tanichi", 3)
    }
}

/// Teyaku by today's full table.
///
/// ```
/// use hana::{Card, Cards, yaku::full_teyaku};
/// let hand: Cards = ["3a", "3b", "3c", "3d", "9a", "9c", "9d"].iter().filter_map(|c| c.parse().ok()).collect();
/// assert_eq!(full_teyaku(hand).months, Some("shiso"));
/// assert_eq!(full_teyaku(hand).kan, 20);
/// ```
#[must_use]
pub fn full_teyaku(hand: Cards) -> Teyaku {
    let (a, b) = (months(hand), kinds(hand));
    let kan = a.map_or(0, |row| row.1) + b.map_or(0, |row| row.1);
    Teyaku { months: a.map(|row| row.0), kinds: b.map(|row| row.0), kan, window: Cards::NONE }
}

/// Teyaku of the paper: only 7 kasu and 6 kasu, shown in the Window; the willow is not special.
#[must_use]
pub fn paper_teyaku(hand: Cards) -> Teyaku {
    let window = Cards(hand.0 & KASU.0);
    let odd = hand.0 & !KASU.0;
    let row = match odd.count_ones() {
        0 => ("karasu", 4),
        1 => odd_one(odd),
        _ => return Teyaku::default(),
    };
    Teyaku { months: None, kinds: Some(row.0), kan: row.1, window }
}

/// One row of a dekiyaku table.
#[derive(Debug, Clone, Copy)]
pub struct Row {
    /// Its name.
    pub name: &'static str,
    /// In Japanese.
    pub japanese: &'static str,
    /// The cards that count.
    pub cards: Cards,
    /// How many of them are needed.
    pub needed: u32,
    /// Its value, in the unit of its table.
    pub value: i64,
    /// Rows that are not counted beside it.
    pub hides: &'static [&'static str],
}

const fn set<const N: usize>(cards: [(u8, u8); N]) -> Cards {
    let mut bits = 0;
    let mut i = 0;
    while i < N {
        bits |= 1 << (4 * (cards[i].0 - 1) + cards[i].1);
        i += 1;
    }
    Cards(bits)
}

const fn row(
    name: &'static str,
    japanese: &'static str,
    cards: Cards,
    needed: u32,
    value: i64,
    hides: &'static [&'static str],
) -> Row {
    Row { name, japanese, cards, needed, value, hides }
}

const FOUR_LIGHTS: Cards = set([(1, 0), (3, 0), (8, 0), (12, 0)]);
/// The nine ribbons that nanatan counts: all but the willow's.
pub const NINE_RIBBONS: Cards = Cards(RIBBONS.0 & !WILLOW.0);
const AKATAN: Cards = set([(1, 1), (2, 1), (3, 1)]);
const AOTAN: Cards = set([(6, 1), (9, 1), (10, 1)]);
const INOSHIKACHO: Cards = set([(6, 0), (7, 0), (10, 0)]);

/// The dekiyaku of hachi-hachi 八八 (88); values in kan. The last row is an option.
pub static EIGHTY_EIGHT: [Row; 6] = [
    row("goko", "五光", LIGHTS, 5, 12, &["shiko"]),
    row("shiko", "四光", FOUR_LIGHTS, 4, 10, &[]),
    row("nanatan", "七短", NINE_RIBBONS, 7, 10, &[]),
    row("akatan", "赤短", AKATAN, 3, 7, &[]),
    row("aotan", "青短", AOTAN, 3, 7, &[]),
    row("inoshikacho", "猪鹿蝶", INOSHIKACHO, 3, 7, &[]),
];

/// The older table of hana-awase 花合わせ; values in mon.
pub static HANA_AWASE: [Row; 16] = [
    row("goko", "五光", LIGHTS, 5, 200, &["shiko", "sanko"]),
    row("shiko", "四光", FOUR_LIGHTS, 4, 60, &["sanko"]),
    row("akatan", "赤短", AKATAN, 3, 40, &[]),
    row("aotan", "青短", AOTAN, 3, 40, &[]),
    row("nanatan", "七短", NINE_RIBBONS, 7, 40, &["rokutan"]),
    row("rokutan", "六短", NINE_RIBBONS, 6, 30, &[]),
    row("omote-sugawara", "表菅原", set([(1, 0), (2, 0), (3, 0)]), 3, 30, &[]),
    row("nomi", "呑み", set([(3, 0), (8, 0), (9, 0)]), 3, 30, &["hanami", "tsukimi"]),
    row("sanko", "三光", set([(1, 0), (8, 0), (12, 0)]), 3, 20, &[]),
    row("inoshikacho", "猪鹿蝶", INOSHIKACHO, 3, 20, &[]),
    row("hanami", "花見", set([(3, 0), (9, 0)]), 2, 20, &[]),
    row("tsukimi", "月見", set([(8, 0), (9, 0)]), 2, 20, &[]),
    row("kusa", "草", set([(4, 1), (5, 1), (7, 1)]), 3, 20, &[]),
    row("fujishima", "藤島", Cards::month(4), 4, 20, &[]),
    row("ameshima", "雨島", Cards::month(11), 4, 20, &[]),
    row("kirishima", "桐島", Cards::month(12), 4, 20, &[]),
];

/// Which dekiyaku are played.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Dekiyaku {
    /// The table.
    pub table: Table,
    /// Is inoshikacho counted (table `88`)?
    pub inoshikacho: bool,
    /// One kan more for every ribbon beyond seven (table `88`)?
    pub nanatan_plus: bool,
}

/// The two tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Table {
    /// Today's, in kan.
    EightyEight,
    /// The older one, in mon.
    HanaAwase,
}

impl Dekiyaku {
    /// The rows of the table that are played, in order.
    pub fn rows(&self) -> &'static [Row] {
        match (self.table, self.inoshikacho) {
            (Table::EightyEight, false) => &EIGHTY_EIGHT[..5],
            (Table::EightyEight, true) => &EIGHTY_EIGHT,
            (Table::HanaAwase, _) => &HANA_AWASE,
        }
    }

    /// The rows that a Basket makes.
    pub fn made(&self, basket: Cards) -> impl Iterator<Item = &'static Row> {
        let rows = self.rows();
        let makes = move |row: &Row| (basket & row.cards).count() >= row.needed;
        rows.iter().filter(move |row| {
            makes(row) && !rows.iter().any(|other| makes(other) && other.hides.contains(&row.name))
        })
    }

    /// The value of a Basket in the unit of the table (kan, or mon for `hana-awase`).
    #[must_use]
    pub fn value(&self, basket: Cards) -> i64 {
        // Every row of `88` needs three lights, ribbons or animals; most Baskets are done here.
        if self.table == Table::EightyEight {
            let (lights, ribbons) = ((basket & LIGHTS).count(), (basket & NINE_RIBBONS).count());
            if lights < 4 && ribbons < 3 && !(self.inoshikacho && basket.includes(INOSHIKACHO)) {
                return 0;
            }
        }
        self.made(basket).map(|row| row.value).sum::<i64>() + self.surplus(basket)
    }

    /// The surplus of nanatan: ribbons beyond seven, the willow's among them.
    fn surplus(&self, basket: Cards) -> i64 {
        let nine = (basket & NINE_RIBBONS).count();
        if self.table == Table::EightyEight && self.nanatan_plus && nine >= 7 {
            i64::from((basket & RIBBONS).count()) - 7
        } else {
            0
        }
    }
}

/// A card that some dekiyaku of the table counts.
#[must_use]
pub fn wanted(deki: Dekiyaku, card: Card) -> bool {
    deki.rows().iter().any(|row| row.cards.has(card))
}

//! Which cards of a hand are certain without knowing anything hidden, and by which theorem. All of it holds if the round is not stopped and
//! nothing can be taken from one's own Window; each line is certain by itself, not all lines together.

use crate::card::{Card, Cards};
use crate::house::Windows;
use crate::month::{Ask, Month};

/// The reason why cards are certain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Theorem {
    /// Biki takes any one card that he holds to the end.
    Biki,
    /// The fourth card of a month with three on the table.
    Sweep,
    /// All four cards of a month in one hand.
    Four,
    /// Three of a month in one hand: any one of them; biki any two.
    Three,
    /// The last two cards of a month in one hand.
    LastPair,
    /// A mate lies on the table and it is one's throw.
    Mate,
}

impl Theorem {
    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Theorem::Biki => "BIKI theorem",
            Theorem::Sweep => "sweep of three",
            Theorem::Four => "four of a month",
            Theorem::Three => "three of a month",
            Theorem::LastPair => "last pair",
            Theorem::Mate => "mate on the table",
        }
    }

    /// Why, in a sentence.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Theorem::Biki => {
                "biki throws last: keep any one card to your last throw and you take it, whatever the others do"
            }
            Theorem::Sweep => "three of its month lie on the table, and only this card can take them",
            Theorem::Four => "throw one, take it with the second, and again: nobody else has this month",
            Theorem::Three => "throw the card you care least for, and keep the one you want to the end",
            Theorem::LastPair => "nobody else has this month any more: throw one and take it with the other",
            Theorem::Mate => "it is your throw, and a mate lies on the table",
        }
    }

    /// The claim that checks it.
    #[must_use]
    pub fn claim(self) -> &'static str {
        match self {
            Theorem::Biki => "biki",
            Theorem::Sweep => "safe-fourth",
            Theorem::Four | Theorem::LastPair => "safe-four",
            Theorem::Three => "safe-three",
            Theorem::Mate => "safe-oya-mate",
        }
    }

    /// The machine-checked theorem, where there is one.
    #[must_use]
    pub fn proof(self) -> Option<&'static str> {
        (self == Theorem::Biki).then_some("hana/Round.biki_theorem")
    }
}

/// Something certain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sure {
    /// The cards concerned.
    pub cards: Cards,
    /// How many of them can be chosen.
    pub any: u32,
    /// The points that are certain by it, with the mates that come along.
    pub points: i64,
    /// By which theorem.
    pub theorem: Theorem,
}

/// The least value among the other cards of a card's month.
fn least_mate(card: Card) -> i64 {
    Cards::mates(card).without(card).iter().map(Card::value).min().unwrap_or(0)
}

/// What is certain for a player, most points first. Empty if his own Window can be taken from.
#[must_use]
pub fn sure(month: &Month, player: usize) -> Vec<Sure> {
    let hand = month.holds(player);
    if month.house().window != Windows::No && !month.window(player).is_empty() {
        return Vec::new();
    }
    let mut all = Vec::new();
    let mut say = |cards: Cards, any: u32, points: i64, theorem: Theorem| {
        all.push(Sure { cards, any, points, theorem });
    };
    let my_throw = matches!(month.ask(), Some(Ask::Throw { player: asked, .. }) if asked == player);
    let gone = (0..3).fold(Cards::NONE, |gone, other| gone | month.basket(other));
    for number in 1..=12 {
        let whole = Cards::month(number);
        let (mine, table) = (hand & whole, month.table() & whole);
        match (mine.count(), table.count()) {
            (0, _) => {}
            (1, 3) => say(mine, 1, whole.points(), Theorem::Sweep),
            (4, _) => say(mine, 4, whole.points(), Theorem::Four),
            (3, _) => {
                // Together with the chosen card comes at least the cheapest other one.
                let (chosen, count) = best_choice(mine, if player == 2 { 2 } else { 1 });
                let extra = if count == 1 { least_mate(Card::lowest(chosen.0)) } else { 0 };
                say(mine, count, chosen.points() + extra, Theorem::Three);
            }
            (2, 0) if (gone & whole).count() == 2 => say(mine, 2, mine.points(), Theorem::LastPair),
            (_, 1 | 2) if my_throw => {
                let best = |cards: Cards| cards.iter().map(Card::value).max().unwrap_or(0);
                say(mine, 1, best(mine) + best(table), Theorem::Mate);
            }
            _ => {}
        }
    }
    if player == 2 && !hand.is_empty() {
        let points = hand.iter().map(|card| card.value() + least_mate(card)).max().unwrap_or(0);
        say(hand, 1, points, Theorem::Biki);
    }
    all.sort_by_key(|sure| -sure.points);
    all
}

/// The most valuable `count` cards of a set.
fn best_choice(cards: Cards, count: u32) -> (Cards, u32) {
    let mut sorted: Vec<Card> = cards.iter().collect();
    sorted.sort_by_key(|card| -card.value());
    (sorted.into_iter().take(count as usize).collect(), count)
}

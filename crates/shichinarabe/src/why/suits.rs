//! Why a suit game is won: the race, a row of the paper's table for every suit, the sum, the keeper's price and the margin.

use crate::analysis::SuitsAnswer;
use crate::position::{Player, Suits};
use crate::theory::race::{NO_LOCK, Race};
use crate::theory::suits::{Suffix, Totals};
use crate::theory::table::{self, Class, Row, Shape};
use kachi_core::{Flaw, Why};
use serde::{Serialize, Serializer};

/// One suit of a [`SuitsReason`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct SuitLine {
    /// The owner of the first card; absent for an empty suit.
    #[serde(serialize_with = "letter_or_none", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<char>")]
    pub first: Option<Player>,
    /// The row of the table, written for a suit that begins with L.
    pub shape: Shape,
    /// The parameters of the row.
    pub x: u64,
    /// See `x`.
    pub y: u64,
    /// See `x`.
    pub z: u64,
    /// The value, positive for L.
    pub value: i64,
    /// The class.
    pub class: Class,
    /// What this suit costs the keeper as a lock; absent when it locks nobody in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub price: Option<u8>,
}

/// Why a suit game is won.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct SuitsReason {
    /// Cards of L and R.
    pub hands: [u64; 2],
    /// Whose turn it is.
    #[serde(serialize_with = "letter")]
    #[schemars(with = "char")]
    pub mover: Player,
    /// Who empties his hand first if nobody gets stuck.
    #[serde(serialize_with = "letter")]
    #[schemars(with = "char")]
    pub race: Player,
    /// The other one, who must lock him in.
    #[serde(serialize_with = "letter")]
    #[schemars(with = "char")]
    pub keeper: Player,
    /// The suits.
    pub suits: Vec<SuitLine>,
    /// The sum of the values, positive for L.
    pub sum: i64,
    /// Which of the paper's six cases applies.
    pub case: u8,
    /// The least price of a lock; absent when nobody is locked in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub price: Option<i64>,
    /// The sum in the keeper's sign less the price: above 0 the keeper wins, below 0 the race winner, at 0 the player not
    /// to move if that is the keeper, else the race winner.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub margin: Option<i64>,
    /// Who wins.
    #[serde(serialize_with = "letter")]
    #[schemars(with = "char")]
    pub winner: Player,
    /// For losing moves: the suit played and the suit that refutes it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub refutations: Vec<(usize, usize)>,
}

#[allow(clippy::trivially_copy_pass_by_ref)] // The form that serde asks for.
fn letter<S: Serializer>(player: &Player, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_char(player.letter())
}

#[allow(clippy::ref_option)] // The form that serde asks for.
fn letter_or_none<S: Serializer>(player: &Option<Player>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_char(player.map_or('-', Player::letter))
}

/// Refutations are listed for at most this many suits.
const REFUTED: usize = 64;

impl SuitsReason {
    /// The reason behind an answer.
    #[must_use]
    pub fn new(position: &Suits, answer: &SuitsAnswer) -> SuitsReason {
        let race = Race::new(answer.totals.hands, position.mover());
        let rows: Vec<Row> = position.suits().iter().map(|suit| Row::of(suit)).collect();
        let price = match answer.totals.price(race.keeper) {
            NO_LOCK => None,
            price => Some(price),
        };
        let line = |row: &Row| SuitLine {
            first: (row.shape != Shape::Empty).then_some(row.first),
            shape: row.shape,
            x: row.x,
            y: row.y,
            z: row.z,
            value: row.value(),
            class: row.class(),
            price: price_of(row.class(), race.keeper),
        };
        SuitsReason {
            hands: race.hands,
            mover: race.mover,
            race: race.winner,
            keeper: race.keeper,
            suits: rows.iter().map(line).collect(),
            sum: answer.totals.value,
            case: table::case(rows.iter().map(Row::class)),
            price,
            margin: price.map(|price| race.keeper.sign() * answer.totals.value - price),
            winner: answer.winner,
            refutations: Vec::new(),
        }
    }

    /// The same reason with the reply that refutes each losing move.
    #[must_use]
    pub fn with_refutations(mut self, position: &Suits, answer: &SuitsAnswer) -> SuitsReason {
        if position.suits().len() > REFUTED {
            return self;
        }
        for (i, front) in answer.fronts.iter().enumerate() {
            if front.owner != Some(position.mover()) || answer.winning.contains(&i) {
                continue;
            }
            let Some(after) = position.after(i) else { continue };
            if let Some(&reply) = crate::analysis::analyse_suits(&after).winning.first() {
                self.refutations.push((i, reply));
            }
        }
        self
    }

    /// The reason in words, one thought a line.
    #[must_use]
    pub fn words(&self) -> Vec<String> {
        let name = |player: Player| player.letter();
        let (race, keeper) = (name(self.race), name(self.keeper));
        if self.hands.contains(&0) {
            return vec![format!("{} holds no card and has won.", name(self.winner))];
        }
        let mut words = Vec::new();
        let why_race = if self.hands[0] == self.hands[1] { "moves first" } else { "has fewer cards" };
        words.push(format!(
            "Race: L holds {}, R holds {}, {} to move. {race} {why_race} and wins the race; {keeper} must lock {race} in.",
            self.hands[0], self.hands[1], name(self.mover)
        ));
        if self.suits.len() <= REFUTED {
            for (i, suit) in self.suits.iter().enumerate().filter(|(_, suit)| suit.first.is_some()) {
                let lock = match suit.price {
                    Some(0) => format!("locks {race} in for nothing"),
                    Some(price) => format!("locks {race} in for {price}"),
                    None => format!("no lock for {keeper}"),
                };
                words.push(format!(
                    "Suit {i} is {}: value {:+}, class {}; {lock}.",
                    suit_pattern(suit),
                    suit.value,
                    suit.class.name()
                ));
            }
        }
        let (Some(price), Some(margin)) = (self.price, self.margin) else {
            words.push(format!("No suit locks {race} in: {race} plays on freely and wins."));
            return words;
        };
        let view = self.keeper.sign() * self.sum;
        words.push(format!(
            "The values add up to {:+} ({view:+} for the keeper {keeper}); the cheapest lock costs {price}; margin {margin:+}.",
            self.sum
        ));
        words.push(match margin.signum() {
            1 => format!("The margin is positive: {keeper} keeps {race} locked in and wins."),
            -1 => format!("The margin is negative: {keeper} cannot afford the lock, {race} wins."),
            _ if self.winner == self.keeper => {
                format!(
                    "The margin is 0 and {race} is to move: {race} runs out of moves first, {keeper} wins."
                )
            }
            _ => {
                format!("The margin is 0 and {keeper} is to move: {keeper} must open the lock, {race} wins.")
            }
        });
        words
    }
}

/// The row of a suit with its numbers filled in: `L^2 (RL)^1 R S`.
fn suit_pattern(suit: &SuitLine) -> String {
    let (a, b) = match suit.first {
        Some(Player::Second) => ('R', 'L'),
        _ => ('L', 'R'),
    };
    let run = |letter: char, count: u64| match count {
        0 => String::new(),
        1 => format!("{letter} "),
        n => format!("{letter}^{n} "),
    };
    let pairs = |count: u64| match count {
        0 => String::new(),
        1 => format!("{b}{a} "),
        n => format!("({b}{a})^{n} "),
    };
    let text = match suit.shape {
        Shape::Empty => "empty".to_owned(),
        Shape::Run => run(a, suit.x),
        Shape::TwoRuns => run(a, suit.x) + &run(b, suit.y),
        Shape::EndsOwn => run(a, suit.x) + &pairs(suit.y) + &run(a, suit.z - 1),
        Shape::EndsOther => run(a, suit.x) + &pairs(suit.y) + &run(b, suit.z),
        Shape::BreaksOwn => run(a, suit.x) + &pairs(suit.y) + &run(a, suit.z) + &format!("{b}.."),
        Shape::BreaksOther => run(a, suit.x) + &pairs(suit.y - 1) + &run(b, suit.z + 1) + &format!("{a}.."),
    };
    text.trim_end().to_owned()
}

/// What a class costs a keeper: the last column of the table.
fn price_of(class: Class, keeper: Player) -> Option<u8> {
    let prices = match class {
        Class::Zero => [None, None],
        Class::LL => [Some(0), None],
        Class::RR => [None, Some(0)],
        Class::L => [Some(0), Some(1)],
        Class::R => [Some(1), Some(0)],
        Class::NL | Class::NR => [Some(0), Some(0)],
    };
    prices[keeper.index()]
}

/// Does the suit read exactly as the row says? Letter by letter, so that nothing has to be believed.
fn reads_as(suit: &[Player], line: &SuitLine) -> bool {
    let Some(own) = line.first else {
        return suit.is_empty() && line.shape == Shape::Empty;
    };
    let mut rest = suit.iter().copied();
    let other = own.other();
    let mut run = |owner: Player, count: u64| (0..count).all(|_| rest.next() == Some(owner));
    let (x, y, z) = (line.x, line.y, line.z);
    let needs = |ok: bool| ok && x >= 1;
    let front = match line.shape {
        Shape::Empty => return false,
        Shape::Run => needs(true) && run(own, x),
        Shape::TwoRuns => needs(y >= 1) && run(own, x) && run(other, y),
        Shape::EndsOwn => {
            needs(y >= 1 && z >= 1)
                && run(own, x)
                && (0..y).all(|_| run(other, 1) && run(own, 1))
                && run(own, z - 1)
        }
        Shape::EndsOther => {
            needs(y >= 1 && z >= 1)
                && run(own, x)
                && (0..y).all(|_| run(other, 1) && run(own, 1))
                && run(other, z)
        }
        Shape::BreaksOwn => {
            needs(y >= 1 && z >= 1)
                && run(own, x)
                && (0..y).all(|_| run(other, 1) && run(own, 1))
                && run(own, z)
                && run(other, 1)
        }
        Shape::BreaksOther => {
            needs(y >= 1 && z >= 1)
                && run(own, x)
                && (0..y - 1).all(|_| run(other, 1) && run(own, 1))
                && run(other, z + 1)
                && run(own, 1)
        }
    };
    let open_end = matches!(line.shape, Shape::BreaksOwn | Shape::BreaksOther);
    front && (open_end || rest.next().is_none())
}

impl Why for SuitsReason {
    type Position = Suits;
    type Value = Player;

    fn check(&self, position: &Suits) -> Result<Player, Flaw> {
        let hands = position.hands();
        Flaw::unless(hands == self.hands, || format!("the hands hold {hands:?} cards"))?;
        Flaw::unless(position.mover() == self.mover, || "the other player is to move".into())?;
        let fewer = match hands[0].cmp(&hands[1]) {
            std::cmp::Ordering::Less => Player::First,
            std::cmp::Ordering::Greater => Player::Second,
            std::cmp::Ordering::Equal => self.mover,
        };
        Flaw::unless(self.race == fewer && self.keeper == fewer.other(), || "the race is misjudged".into())?;
        Flaw::unless(self.suits.len() == position.suits().len(), || "a suit is missing".into())?;
        let (mut sum, mut least, mut rows) = (0, None, Vec::new());
        for (i, (suit, line)) in position.suits().iter().zip(&self.suits).enumerate() {
            Flaw::unless(reads_as(suit, line), || format!("suit {i} does not read as its row says"))?;
            let first = line.first.unwrap_or(Player::First);
            let row = Row { first, shape: line.shape, x: line.x, y: line.y, z: line.z };
            Flaw::unless(row.value() == line.value && row.class() == line.class, || {
                format!("suit {i} has value {} and class {}", row.value(), row.class().name())
            })?;
            let price = price_of(line.class, self.keeper);
            Flaw::unless(price == line.price, || format!("suit {i} has price {price:?}"))?;
            sum += line.value;
            least = [least, price].into_iter().flatten().min();
            rows.push(row);
        }
        Flaw::unless(sum == self.sum, || format!("the values add up to {sum}"))?;
        let least = least.map(i64::from);
        Flaw::unless(least == self.price, || format!("the least price is {least:?}"))?;
        let margin = least.map(|price| self.keeper.sign() * sum - price);
        Flaw::unless(margin == self.margin, || format!("the margin is {margin:?}"))?;
        let case = table::case(rows.iter().map(Row::class));
        Flaw::unless(case == self.case, || format!("case {case} of the paper applies"))?;
        let winner = match Player::BOTH.into_iter().find(|p| hands[p.index()] == 0) {
            Some(winner) => winner,
            None => table::decide_case(case, sum, self.mover),
        };
        Flaw::unless(winner == self.winner, || format!("{} wins", winner.letter()))?;
        for &(played, reply) in &self.refutations {
            check_refutation(position, played, reply)?;
        }
        Ok(winner)
    }
}

/// After the move and the reply the player who replied must win; judged by the recursion over suffixes, which the answer did
/// not use.
fn check_refutation(position: &Suits, played: usize, reply: usize) -> Result<(), Flaw> {
    let flaw = |words: &str| Flaw::new(format!("refutation {played} by {reply}: {words}"));
    let after = position.after(played).ok_or_else(|| flaw("the move is not legal"))?;
    let replier = after.mover();
    let replied = match after.after(reply) {
        Some(replied) => replied,
        // The last card of all has been played.
        None if after.suits().get(reply).and_then(|suit| suit.first()) == Some(&replier) => return Ok(()),
        None => return Err(flaw("the reply is not legal")),
    };
    let mut totals = Totals::NONE;
    totals.hands = replied.hands();
    for suit in replied.suits() {
        totals.add(Suffix::of(suit).worth);
    }
    Flaw::unless(totals.winner(replied.mover()) == replier, || flaw("it does not win").0)
}

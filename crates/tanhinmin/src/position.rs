//! What a tanhinmin position is. A raw [`Setup`] may say anything; a [`Position`] exists only when it obeys the
//! rules, so everything behind this door may rely on sorted hands, faces of at least 1 and unfinished play.

use kachi_core::{Error, Limits};

/// The strongest face there is.
pub const MAX_FACE: u32 = 1_000_000_000;

/// A card's face, at least 1; a larger face is stronger.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct Face(u32);

impl Face {
    /// The empty table seen as a face: weaker than every card, so everything beats it.
    pub const GROUND: Face = Face(0);

    /// A face from 1 to [`MAX_FACE`].
    pub fn new(face: u32) -> Option<Face> {
        (1..=MAX_FACE).contains(&face).then_some(Face(face))
    }

    /// The number on the card; 0 only for [`Face::GROUND`].
    pub fn get(self) -> u32 {
        self.0
    }

    /// A level that no check has seen; for thresholds and small enumerations inside the crate.
    pub(crate) const fn raw(face: u32) -> Face {
        Face(face)
    }
}

impl std::fmt::Display for Face {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.0)
    }
}

/// Faces from numbers that are known to be good; for examples and tests.
///
/// ```
/// assert_eq!(tanhinmin::faces(&[3, 1, 2]).unwrap()[0].get(), 1);
/// assert!(tanhinmin::faces(&[0]).is_none());
/// ```
pub fn faces(numbers: &[u32]) -> Option<Vec<Face>> {
    let mut faces: Vec<Face> = numbers.iter().map(|&n| Face::new(n)).collect::<Option<_>>()?;
    faces.sort_unstable();
    Some(faces)
}

/// What lies on the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Table {
    /// Nothing: every card may be discarded.
    Empty,
    /// An ordinary card: only stronger cards may be discarded.
    Shows(Face),
    /// A cut card: nothing may be discarded, the mover must pass.
    Cut,
}

impl Table {
    /// The face that a card must exceed, or `None` when no card is legal.
    pub fn level(self) -> Option<Face> {
        match self {
            Table::Empty => Some(Face::GROUND),
            Table::Shows(face) => Some(face),
            Table::Cut => None,
        }
    }
}

/// One player's cards and goal.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Side {
    /// Ordinary cards, weakest first.
    pub ordinary: Vec<Face>,
    /// Cut cards, weakest first.
    pub cuts: Vec<Face>,
    /// The player wins by a discard that leaves at most this many cards.
    pub goal: usize,
}

impl Side {
    /// All cards, ordinary and cut.
    pub fn len(&self) -> usize {
        self.ordinary.len() + self.cuts.len()
    }

    /// Has the player no card at all?
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// A position in which the play is not over.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Position {
    pub(crate) table: Table,
    /// The player to move, then the other one.
    pub(crate) sides: [Side; 2],
}

impl Position {
    /// What lies on the table.
    pub fn table(&self) -> Table {
        self.table
    }

    /// The side of the player to move ("P0", the mover).
    pub fn mover(&self) -> &Side {
        &self.sides[0]
    }

    /// The side of the other player ("P1").
    pub fn other(&self) -> &Side {
        &self.sides[1]
    }

    /// Does any player hold a cut card?
    pub fn has_cuts(&self) -> bool {
        self.sides.iter().any(|side| !side.cuts.is_empty())
    }

    /// Is any goal other than "no card left"?
    pub fn has_goals(&self) -> bool {
        self.sides.iter().any(|side| side.goal > 0)
    }

    /// All cards of both players.
    pub fn cards(&self) -> usize {
        self.sides[0].len() + self.sides[1].len()
    }

    /// The same position with the other player to move on the empty table: what a pass leads to.
    pub(crate) fn after_pass(&self) -> Position {
        let [mover, other] = self.sides.clone();
        Position { table: Table::Empty, sides: [other, mover] }
    }
}

/// A position as somebody wrote it down; nothing is promised.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Setup {
    /// Ordinary cards, one list a player, the player to move first.
    pub hands: Vec<Vec<i64>>,
    /// Cut cards likewise; no list at all means none.
    pub cuts: Vec<Vec<i64>>,
    /// Goals likewise; no number at all means 0 for both.
    pub goal: Vec<i64>,
    /// The table.
    pub table: TableSetup,
    /// `Some(false)`: the cut rule is not played, so cut cards and a cut table are refused.
    pub cut_rule: Option<bool>,
    /// Refuse more than four cards of a face, as in a real deck.
    pub strict_deck: bool,
}

/// The table as somebody wrote it down.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum TableSetup {
    /// A number; 0 is the empty table.
    Face(i64),
    /// A cut card.
    Cut,
    /// Nothing was said: empty.
    #[default]
    Unsaid,
}

/// Which part of a [`Setup`] is wrong; each way of writing a position turns it into a place of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// The setup as a whole.
    Whole,
    /// The list of hands.
    Hands,
    /// The list of lists of cut cards.
    Cuts,
    /// The list of goals.
    Goals,
    /// An ordinary card: whose, and which in the order written.
    Ordinary(usize, usize),
    /// A cut card likewise.
    CutCard(usize, usize),
    /// A player's cards as a whole.
    Hand(usize),
    /// A player's goal.
    Goal(usize),
    /// The table.
    Table,
}

impl Part {
    /// The place in a JSON request.
    pub fn path(self) -> Option<String> {
        Some(match self {
            Part::Whole => return None,
            Part::Hands => "hands".into(),
            Part::Cuts => "cuts".into(),
            Part::Goals => "goal".into(),
            Part::Ordinary(side, card) => format!("hands[{side}][{card}]"),
            Part::CutCard(side, card) => format!("cuts[{side}][{card}]"),
            Part::Hand(side) => format!("hands[{side}]"),
            Part::Goal(side) => format!("goal[{side}]"),
            Part::Table => "table".into(),
        })
    }
}

/// An error and the part of the setup it lies in.
pub type Misfit = (Part, Error);

impl Setup {
    /// Checks everything and sorts the hands.
    ///
    /// # Errors
    /// The first thing that is wrong, with the part it lies in.
    pub fn validate(&self, limits: &Limits) -> Result<Position, Box<Misfit>> {
        self.check_shape(limits)?;
        let table = self.check_table()?;
        let mut sides = [Side::default(), Side::default()];
        for (who, side) in sides.iter_mut().enumerate() {
            let part = |card| Part::Ordinary(who, card);
            side.ordinary = self.check_cards(&self.hands[who], part)?;
            if let Some(cuts) = self.cuts.get(who) {
                side.cuts = self.check_cards(cuts, |card| Part::CutCard(who, card))?;
            }
            side.goal = self.check_goal(who)?;
            if side.len() <= side.goal {
                return Err(misfit(Part::Hand(who), already_over(who, side)));
            }
        }
        Ok(Position { table, sides })
    }

    fn check_shape(&self, limits: &Limits) -> Result<(), Box<Misfit>> {
        let two = |count: usize, what: &str| {
            let message = format!("tanhinmin is for two players: expected two {what}, found {count}");
            Error::new("wrong_player_count", message).hint("the player to move comes first")
        };
        if self.hands.len() != 2 {
            return Err(misfit(Part::Hands, two(self.hands.len(), "hands")));
        }
        if !matches!(self.cuts.len(), 0 | 2) {
            return Err(misfit(Part::Cuts, two(self.cuts.len(), "lists of cut cards")));
        }
        if !matches!(self.goal.len(), 0 | 2) {
            return Err(misfit(Part::Goals, two(self.goal.len(), "goals")));
        }
        let cards: usize = self.hands.iter().chain(&self.cuts).map(Vec::len).sum();
        if cards as u64 > limits.cards {
            return Err(misfit(Part::Whole, Error::too_large("cards in the position", cards, limits.cards)));
        }
        if self.cut_rule == Some(false) && self.cuts.iter().any(|cuts| !cuts.is_empty()) {
            let error = Error::new("cut_rule_off", "there are cut cards, but the cut rule is off");
            return Err(misfit(Part::Cuts, error.hint("leave out \"cut_rule\" or the cut cards")));
        }
        Ok(())
    }

    fn check_table(&self) -> Result<Table, Box<Misfit>> {
        match self.table {
            TableSetup::Unsaid | TableSetup::Face(0) => Ok(Table::Empty),
            TableSetup::Cut if self.cut_rule == Some(false) => {
                let error =
                    Error::new("cut_rule_off", "a cut card lies on the table, but the cut rule is off");
                Err(misfit(Part::Table, error.hint("leave out \"cut_rule\" or give the table's face")))
            }
            TableSetup::Cut => Ok(Table::Cut),
            TableSetup::Face(face) => match face_of(face) {
                Some(face) => Ok(Table::Shows(face)),
                None => {
                    let message =
                        format!("the table must be from 0 (empty) to {MAX_FACE} or a cut, not {face}");
                    Err(misfit(Part::Table, Error::new("bad_table", message)))
                }
            },
        }
    }

    fn check_cards(&self, cards: &[i64], part: impl Fn(usize) -> Part) -> Result<Vec<Face>, Box<Misfit>> {
        let mut faces = Vec::with_capacity(cards.len());
        for (i, &card) in cards.iter().enumerate() {
            let face = face_of(card).ok_or_else(|| misfit(part(i), bad_face(card)))?;
            faces.push(face);
        }
        if self.strict_deck {
            self.check_deck(cards, part)?;
        }
        if !faces.is_sorted() {
            faces.sort_unstable();
        }
        Ok(faces)
    }

    /// At most four of a face in all hands together; only small positions can pass, so counting is cheap.
    fn check_deck(&self, cards: &[i64], part: impl Fn(usize) -> Part) -> Result<(), Box<Misfit>> {
        let mut all: Vec<i64> = self.hands.iter().chain(&self.cuts).flatten().copied().collect();
        all.sort_unstable();
        let five = all.windows(5).find(|run| run[0] == run[4]).map(|run| run[0]);
        let (Some(face), Some(at)) =
            (five, five.and_then(|face| cards.iter().position(|&card| card == face)))
        else {
            return Ok(());
        };
        let message = format!("there are more than four cards of face {face}, and the deck is strict");
        Err(misfit(part(at), Error::new("too_many_copies", message)))
    }

    fn check_goal(&self, who: usize) -> Result<usize, Box<Misfit>> {
        let goal = self.goal.get(who).copied().unwrap_or(0);
        usize::try_from(goal).map_err(|_| {
            let message = format!("a goal is a number of cards, 0 or more, not {goal}");
            misfit(Part::Goal(who), Error::new("bad_goal", message))
        })
    }
}

fn misfit(part: Part, error: Error) -> Box<Misfit> {
    Box::new((part, error))
}

fn face_of(number: i64) -> Option<Face> {
    u32::try_from(number).ok().and_then(Face::new)
}

fn bad_face(card: i64) -> Error {
    let error = Error::new("bad_face", format!("a face must be from 1 to {MAX_FACE}, not {card}"));
    if card == 0 { error.hint("0 stands for the empty table") } else { error }
}

fn already_over(who: usize, side: &Side) -> Error {
    let player = if who == 0 { "the player to move" } else { "the other player" };
    let message = match (side.len(), side.goal) {
        (0, 0) => format!("{player} has no card: the play is already over"),
        (cards, goal) => {
            format!(
                "{player} has {cards} of at most {goal} cards: the goal is reached, the play is already over"
            )
        }
    };
    Error::new("already_over", message)
}

impl serde::Serialize for Face {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u32(self.0)
    }
}

impl schemars::JsonSchema for Face {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Face".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "type": "integer", "minimum": 0, "maximum": MAX_FACE + 1,
            "description": "a card's face; 0 is the empty table, and a bound may lie one above the strongest face"
        })
    }
}

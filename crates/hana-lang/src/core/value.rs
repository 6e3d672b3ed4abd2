//! Values of the core, in the order in which finite folds visit them, and the house that fixes the seats.

use super::interpret::Closure;
use super::ty::{Name, Ty};
use hana::card::{Card, DECK};
use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

/// What the host supplies: the seats (which fix the places), the unit of account, the number of months.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct House {
    /// `SEATS`, 3 to 6 in the game of hana.
    pub seats: u8,
    /// `KAN`.
    pub kan: i64,
    /// `MONTHS`.
    pub months: i64,
}

impl Default for House {
    fn default() -> Self {
        House { seats: 3, kan: 12, months: 12 }
    }
}

/// Where a card may lie. The order is that of folds: table, YAMA, all hands, all windows, all baskets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Place {
    /// The table; also the pot.
    Table,
    /// The stock.
    Yama,
    /// The hand of a seat, counted from 1; also its purse.
    Hand(u8),
    /// Cards shown by a seat.
    Window(u8),
    /// Cards taken by a seat.
    Basket(u8),
}

impl Place {
    /// All places of a house, in order.
    pub fn all(house: &House) -> impl Iterator<Item = Place> + use<> {
        let seats = house.seats;
        [Place::Table, Place::Yama]
            .into_iter()
            .chain((1..=seats).map(Place::Hand))
            .chain((1..=seats).map(Place::Window))
            .chain((1..=seats).map(Place::Basket))
    }

    /// The place's number in the order of all places.
    pub fn index(self, house: &House) -> Option<usize> {
        let seats = house.seats;
        let seat = |base: usize, p: u8| {
            (1..=seats).contains(&p).then(|| 2 + base * usize::from(seats) + usize::from(p) - 1)
        };
        match self {
            Place::Table => Some(0),
            Place::Yama => Some(1),
            Place::Hand(p) => seat(0, p),
            Place::Window(p) => seat(1, p),
            Place::Basket(p) => seat(2, p),
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Table => f.write_str("table"),
            Place::Yama => f.write_str("YAMA"),
            Place::Hand(p) => write!(f, "Hand({p})"),
            Place::Window(p) => write!(f, "Window({p})"),
            Place::Basket(p) => write!(f, "Basket({p})"),
        }
    }
}

/// A finite set. Sets of flowers are always words of bits, all others always trees, so equality is structural.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Set {
    /// Cards as bits.
    Flowers(u64),
    /// Anything else, in ascending order.
    Other(Arc<BTreeSet<Value>>),
}

impl Set {
    /// The empty set of this element type.
    pub fn empty(element: &Ty) -> Set {
        match element {
            Ty::Flower => Set::Flowers(0),
            _ => Set::Other(Arc::default()),
        }
    }

    /// The set of one value.
    pub fn single(value: Value) -> Set {
        match value {
            Value::Flower(card) => Set::Flowers(1 << card.id()),
            other => Set::Other(Arc::new(BTreeSet::from([other]))),
        }
    }

    /// How many elements.
    pub fn number(&self) -> i64 {
        match self {
            Set::Flowers(bits) => i64::from(bits.count_ones()),
            Set::Other(set) => i64::try_from(set.len()).unwrap_or(i64::MAX),
        }
    }

    /// The elements, ascending.
    pub fn elements(&self) -> Vec<Value> {
        match self {
            Set::Flowers(bits) => (0..DECK as u8)
                .filter(|id| bits >> id & 1 == 1)
                .filter_map(Card::from_id)
                .map(Value::Flower)
                .collect(),
            Set::Other(set) => set.iter().cloned().collect(),
        }
    }

    /// Membership; false for a value of another type.
    pub fn has(&self, value: &Value) -> bool {
        match (self, value) {
            (Set::Flowers(bits), Value::Flower(card)) => bits >> card.id() & 1 == 1,
            (Set::Other(set), value) => set.contains(value),
            _ => false,
        }
    }
}

impl PartialOrd for Set {
    fn partial_cmp(&self, other: &Set) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Set {
    fn cmp(&self, other: &Set) -> Ordering {
        match (self, other) {
            (Set::Flowers(one), Set::Flowers(two)) => one.cmp(two),
            (Set::Other(one), Set::Other(two)) => one.cmp(two),
            (Set::Flowers(_), Set::Other(_)) => Ordering::Less,
            (Set::Other(_), Set::Flowers(_)) => Ordering::Greater,
        }
    }
}

/// A value: what a term that ends without a fault denotes.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Value {
    /// A truth value.
    Bool(bool),
    /// An integer.
    Int(i64),
    /// A card.
    Flower(Card),
    /// A place.
    Place(Place),
    /// A finite set.
    Set(Set),
    /// A finite sequence.
    Seq(Arc<[Value]>),
    /// A total map: the values in the order of the keys.
    Map(Arc<[Value]>),
    /// An array: its lower bound and its values.
    Array(i64, Arc<[Value]>),
    /// A record: the fields in the order of its type.
    Record(Arc<[(Name, Value)]>),
    /// A function; equal to no function, not even itself, for no rule compares functions.
    Function(Closure),
}

impl Value {
    /// All values of a finite type in ascending order; `None` for other types.
    pub fn all(ty: &Ty, house: &House) -> Option<Vec<Value>> {
        match ty {
            Ty::Bool => Some(vec![Value::Bool(false), Value::Bool(true)]),
            Ty::Flower => Some((0..DECK as u8).filter_map(Card::from_id).map(Value::Flower).collect()),
            Ty::Place => Some(Place::all(house).map(Value::Place).collect()),
            _ => None,
        }
    }

    /// The position of a value of a finite type among all values of its type.
    pub fn index(&self, house: &House) -> Option<usize> {
        match self {
            Value::Bool(b) => Some(usize::from(*b)),
            Value::Flower(card) => Some(usize::from(card.id())),
            Value::Place(place) => place.index(house),
            _ => None,
        }
    }

    /// The value with which a variable of a ground type starts: zero, false, the empty set or sequence, the first element.
    pub fn initial(ty: &Ty, house: &House) -> Option<Value> {
        Some(match ty {
            Ty::Bool => Value::Bool(false),
            Ty::Int => Value::Int(0),
            Ty::Flower => Value::Flower(Card::from_id(0)?),
            Ty::Place => Value::Place(Place::Table),
            Ty::Set(element) => Value::Set(Set::empty(element)),
            Ty::Seq(_) => Value::Seq(Arc::from([])),
            Ty::Map(key, value) => {
                let value = Value::initial(value, house)?;
                Value::Map(Value::all(key, house)?.iter().map(|_| value.clone()).collect())
            }
            Ty::Array(low, high, value) => {
                let value = Value::initial(value, house)?;
                let length = array_length(*low, *high)?;
                Value::Array(*low, std::iter::repeat_n(value, length).collect())
            }
            Ty::Record(fields) => Value::Record(
                fields
                    .iter()
                    .map(|(name, ty)| Some((name.clone(), Value::initial(ty, house)?)))
                    .collect::<Option<_>>()?,
            ),
            Ty::Fun(..) => return None,
        })
    }

    /// Whether the value belongs to a ground type in this house.
    pub fn has_type(&self, ty: &Ty, house: &House) -> bool {
        match (self, ty) {
            (Value::Bool(_), Ty::Bool) | (Value::Int(_), Ty::Int) | (Value::Flower(_), Ty::Flower) => true,
            (Value::Place(place), Ty::Place) => place.index(house).is_some(),
            (Value::Set(Set::Flowers(bits)), Ty::Set(element)) => {
                **element == Ty::Flower && bits >> DECK == 0
            }
            (Value::Set(Set::Other(set)), Ty::Set(element)) => {
                **element != Ty::Flower && set.iter().all(|value| value.has_type(element, house))
            }
            (Value::Seq(items), Ty::Seq(element)) => items.iter().all(|value| value.has_type(element, house)),
            (Value::Map(items), Ty::Map(key, value)) => {
                Value::all(key, house).is_some_and(|keys| keys.len() == items.len())
                    && items.iter().all(|item| item.has_type(value, house))
            }
            (Value::Array(low, items), Ty::Array(from, to, value)) => {
                low == from
                    && array_length(*from, *to) == Some(items.len())
                    && items.iter().all(|item| item.has_type(value, house))
            }
            (Value::Record(items), Ty::Record(fields)) => {
                items.len() == fields.len()
                    && items
                        .iter()
                        .zip(fields.iter())
                        .all(|((name, value), (field, ty))| name == field && value.has_type(ty, house))
            }
            _ => false,
        }
    }

    /// A field of a record.
    pub fn field(&self, name: &str) -> Option<&Value> {
        match self {
            Value::Record(fields) => {
                fields.iter().find(|(field, _)| &**field == name).map(|(_, value)| value)
            }
            _ => None,
        }
    }

    /// The truth value, if it is one.
    pub fn as_bool(&self) -> Option<bool> {
        match self {
            Value::Bool(b) => Some(*b),
            _ => None,
        }
    }

    /// The integer, if it is one.
    pub fn as_int(&self) -> Option<i64> {
        match self {
            Value::Int(n) => Some(*n),
            _ => None,
        }
    }
}

/// The most elements an array may have, so that no declaration exhausts memory.
pub const ARRAY_LIMIT: usize = 1 << 16;

/// How many elements `[low..high]` has; `None` above [`ARRAY_LIMIT`].
pub fn array_length(low: i64, high: i64) -> Option<usize> {
    if high < low {
        return Some(0);
    }
    let length = usize::try_from(high.checked_sub(low)?.checked_add(1)?).ok()?;
    (length <= ARRAY_LIMIT).then_some(length)
}

/// `<MATSU, TSURU>`: a flower as it is written in HL.
pub fn flower_name(card: Card) -> String {
    let picture = match (card.month(), card.letter()) {
        (1, 0) => "TSURU",
        (2, 0) => "UGUISU",
        (3, 0) => "MANMAKU",
        (4, 0) => "HOTOTOGISU",
        (5, 0) => "YATSUHASHI",
        (6, 0) => "CHO",
        (7, 0) => "INOSHISHI",
        (8, 0) => "MANGETSU",
        (8, 1) => "KARI",
        (9, 0) => "SAKAZUKI",
        (10, 0) => "SHIKA",
        (11, 0) => "ONO'TOFU",
        (11, 1) => "TSUBAME",
        (11, 2) => "TAN",
        (11, _) => "KASU1",
        (12, 0) => "HOWO",
        (12, 1) => "KASU1",
        (12, 2) => "KASU2",
        (12, _) => "KASU3",
        (1..=3, 1) => "AKATAN",
        (6 | 9 | 10, 1) => "AOTAN",
        (_, 1) => "TAN",
        (_, 2) => "KASU1",
        _ => "KASU2",
    };
    format!("<{}, {picture}>", card.paper_flower())
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fn list<T>(
            f: &mut fmt::Formatter<'_>,
            brackets: [&str; 2],
            items: impl IntoIterator<Item = T>,
            mut each: impl FnMut(&mut fmt::Formatter<'_>, T) -> fmt::Result,
        ) -> fmt::Result {
            f.write_str(brackets[0])?;
            for (i, item) in items.into_iter().enumerate() {
                f.write_str(if i == 0 { "" } else { ", " })?;
                each(f, item)?;
            }
            f.write_str(brackets[1])
        }
        match self {
            Value::Bool(b) => write!(f, "{b}"),
            Value::Int(n) => write!(f, "{n}"),
            Value::Flower(card) => f.write_str(&flower_name(*card)),
            Value::Place(place) => write!(f, "{place}"),
            Value::Set(set) => list(f, ["{", "}"], set.elements(), |f, value| write!(f, "{value}")),
            Value::Seq(items) => list(f, ["seq(", ")"], items.iter(), |f, value| write!(f, "{value}")),
            Value::Map(items) => list(f, ["map(", ")"], items.iter(), |f, value| write!(f, "{value}")),
            Value::Array(low, items) => {
                write!(f, "array[{low}..]")?;
                list(f, ["(", ")"], items.iter(), |f, value| write!(f, "{value}"))
            }
            Value::Record(fields) => {
                list(f, ["{", "}"], fields.iter(), |f, (name, value)| write!(f, "{name} = {value}"))
            }
            Value::Function(_) => f.write_str("<function>"),
        }
    }
}

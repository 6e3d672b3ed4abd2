//! The types of requests and replies, query by query.

use crate::house::Preset;
use schemars::JsonSchema;
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};

/// Declares a request with the three fields that every request may carry.
macro_rules! request {
    ($(#[$about:meta])* $name:ident { $($(#[$field_about:meta])* $field:ident: $type:ty,)* }) => {
        $(#[$about])*
        #[derive(Debug, Deserialize, JsonSchema)]
        #[serde(deny_unknown_fields)]
        pub struct $name {
            /// Copied to the reply.
            #[serde(default)]
            #[schemars(with = "Option<serde_json::Value>")]
            pub id: IgnoredAny,
            /// `hana`.
            #[serde(default)]
            #[schemars(with = "String")]
            pub game: IgnoredAny,
            /// The query.
            #[serde(default)]
            #[schemars(with = "String")]
            pub query: IgnoredAny,
            $($(#[$field_about])* pub $field: $type,)*
        }
    };
}

/// A list of cards by name.
pub(super) type Names = Vec<String>;

/// Which teyaku table.
#[derive(Debug, Clone, Copy, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum TeyakuRules {
    /// Today's.
    #[default]
    Full,
    /// The paper's.
    Paper,
}

request! {
    /// What a dealt hand is worth.
    TeyakuRequest {
        /// Seven cards.
        hand: Names,
        /// `full` or `paper`.
        #[serde(default)]
        rules: TeyakuRules,
    }
}

/// What a dealt hand is worth.
#[derive(Debug, Serialize, JsonSchema)]
pub struct TeyakuReply {
    /// The row of months.
    #[serde(rename = "groupA")]
    pub group_a: Option<String>,
    /// The row of kinds.
    #[serde(rename = "groupB")]
    pub group_b: Option<String>,
    /// Both names.
    pub names: Vec<String>,
    /// Their values together.
    pub kan: i64,
    /// The cards laid face up (rules of the paper).
    pub window: Vec<String>,
}

/// Which dekiyaku table.
#[derive(Debug, Clone, Copy, Default, Deserialize, JsonSchema)]
pub enum DekiyakuTable {
    /// Today's, in kan.
    #[default]
    #[serde(rename = "88")]
    EightyEight,
    /// The older one, in mon.
    #[serde(rename = "hana-awase")]
    HanaAwase,
}

request! {
    /// What a Basket is worth.
    DekiyakuRequest {
        /// The cards taken.
        basket: Names,
        /// `88` or `hana-awase`.
        #[serde(default)]
        table: DekiyakuTable,
        /// Is inoshikacho counted (table `88`)?
        #[serde(default)]
        inoshikacho: bool,
        /// One kan for every ribbon beyond seven (table `88`)?
        #[serde(default)]
        nanatan_plus: bool,
    }
}

/// What a Basket is worth.
#[derive(Debug, Serialize, JsonSchema)]
pub struct DekiyakuReply {
    /// The rows made.
    pub names: Vec<String>,
    /// Their value in kan (table `88`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kan: Option<i64>,
    /// Their value in mon (table `hana-awase`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub points_value: Option<i64>,
    /// Card points.
    pub points: i64,
    /// Kasu, with the whole willow.
    pub kasu: u32,
}

/// How lights are carried.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum CarryMode {
    /// Not at all.
    None,
    /// By pairs.
    Paper,
    /// Each waits for its own month.
    Queue,
}

request! {
    /// What the lights on the table multiply.
    FieldRequest {
        /// The dealt table.
        table: Names,
        /// What waits from earlier months, largest first: ones and twos.
        #[serde(default)]
        carry: Vec<i64>,
        /// `none`, `paper` or `queue`.
        mode: CarryMode,
    }
}

/// The field of a month.
#[derive(Debug, Serialize, JsonSchema)]
pub struct FieldReply {
    /// The exponent.
    pub index: u32,
    /// Two to the exponent.
    pub multiplier: u32,
    /// What waits for later months.
    pub carry: Vec<i64>,
}

request! {
    /// Must the table be dealt again?
    RedealRequest {
        /// The dealt table.
        table: Names,
    }
}

/// Must the table be dealt again?
#[derive(Debug, Serialize, JsonSchema)]
pub struct RedealReply {
    /// The most cards of one month.
    pub max_same: u32,
    /// Four of a month.
    pub redeal: bool,
    /// Cards that the printed take-one rule would leave behind.
    pub stranded_if_take_one: u32,
}

/// How the round ended (`modern`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum EndMode {
    /// All turns were played.
    Exhausted,
    /// Stopped with dekiyaku.
    Shobu,
    /// Sage was cancelled.
    Cancel,
}

request! {
    /// What a round pays.
    SettleRequest {
        /// The rules.
        preset: Preset,
        /// The Baskets of players 1 to 3.
        baskets: Vec<Names>,
        /// The exponent of the field, 0 to 2.
        #[serde(default)]
        index: i64,
        /// How it ended; for `paper` a `stopped_by` is enough.
        mode: Option<EndMode>,
        /// The player (1 to 3) who stopped it; 0: it ran out.
        #[serde(default)]
        stopped_by: i64,
        /// Who is in sage.
        #[serde(default)]
        sage: Option<Vec<bool>>,
        /// The player (1 to 3) who said sage first; 0: nobody.
        #[serde(default)]
        first_sage: i64,
    }
}

/// What a round pays, without teyaku and pot.
#[derive(Debug, Serialize, JsonSchema)]
pub struct SettleReply {
    /// What each player wins or loses.
    pub net: [i64; 3],
    /// The player who takes the pot, 1 to 3; 0: void.
    pub winner: usize,
    /// The line of the rules that applied.
    pub reason: &'static str,
    /// `paper`: what each is paid by each other; null if void.
    #[serde(rename = "C")]
    pub claims: Option<[i64; 3]>,
    /// `paper`: the bonus for few cards.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub few: Option<[i64; 3]>,
    /// `paper`: who is below 20 points outside months 11 and 12.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fuke: Option<[bool; 3]>,
}

/// A decision in a script.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Choice {
    /// To active, cancel and shobu.
    Say(bool),
    /// To throw and take.
    Card(String),
}

request! {
    /// A month, from deck, order and decisions.
    MonthRequest {
        /// The rules.
        preset: Preset,
        /// Does a made dekiyaku end the round at once? Left out: as the preset says.
        battari: Option<bool>,
        /// Persons, 3 to 6.
        seats: i64,
        /// A permutation of the 48 cards.
        deck: Names,
        /// A second one, the order of the YAMA.
        order: Names,
        /// What the field carries into this month.
        #[serde(default)]
        carry: Vec<i64>,
        /// The decisions in the order of asking.
        choices: Vec<Choice>,
    }
}

/// A month from end to end.
#[derive(Debug, Serialize, JsonSchema)]
pub struct MonthReply {
    /// The seats of oya, naka and biki, from 1.
    pub seats_active: [usize; 3],
    /// The exponent of the field.
    pub index: u32,
    /// What the field carries on.
    pub carry: Vec<i64>,
    /// The teyaku of the three players.
    pub teyaku: [Vec<&'static str>; 3],
    /// Turns played to their end.
    pub turns: usize,
    /// The player (1 to 3) who stopped the round; 0: it ran out.
    pub stopped_by: usize,
    /// What the players took.
    pub baskets: [Vec<String>; 3],
    /// What lies on the table.
    pub table: Vec<String>,
    /// What each seat won or lost, with tax, teyaku, settlement and pot.
    pub net_cash: Vec<i64>,
    /// What is left in the pot.
    pub pot_left: i64,
    /// The player (1 to 3) who won; 0: void.
    pub winner: usize,
    /// The line of the settlement that applied.
    pub reason: &'static str,
}

/// What a card takes from three mates.
#[derive(Debug, Clone, Copy, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ThreeRule {
    /// All.
    #[default]
    All,
    /// One, as printed.
    One,
}

request! {
    /// An open position, player 1 to move.
    EndgameRequest {
        /// Three hands.
        hands: Vec<Names>,
        /// The table.
        table: Names,
        /// The YAMA, top first.
        yama: Names,
        /// `all` or `one`.
        #[serde(default)]
        three: ThreeRule,
        /// Are Windows played? In an open position none are left, so the answer is the same.
        #[serde(default)]
        window: bool,
    }
}

/// What each seat can guarantee against both others.
#[derive(Debug, Serialize, JsonSchema)]
pub struct EndgameReply {
    /// Points to go.
    pub guaranteed: [i64; 3],
    /// The maximal sets of hand cards, per seat.
    pub sets: [Vec<Vec<String>>; 3],
    /// Up to three rounds: expected points when nobody knows the order of the YAMA, 9 decimals.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expected: Option<[f64; 3]>,
    /// The same as exact fractions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expected_exact: Option<[String; 3]>,
}

request! {
    /// An open position with Baskets, player 1 to move.
    MoneyRequest {
        /// The rules.
        preset: Preset,
        /// Three hands.
        hands: Vec<Names>,
        /// The table.
        table: Names,
        /// The YAMA, top first.
        yama: Names,
        /// The Baskets.
        baskets: Vec<Names>,
        /// The exponent of the field, 0 to 2.
        #[serde(default)]
        index: i64,
    }
}

/// The settlement that each seat can guarantee.
#[derive(Debug, Serialize, JsonSchema)]
pub struct MoneyReply {
    /// Net in mon.
    pub net: [i64; 3],
}

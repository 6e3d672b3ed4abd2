//! House rules: the two presets, `modern` and `paper`, with every option as data, and the TOML text in which a family writes its own.

use crate::card::Cards;
use crate::yaku::{Dekiyaku, Table, Teyaku, full_teyaku, paper_teyaku};
use kachi_core::Error;
use serde::Deserialize;

/// Which teyaku are paid.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Hands {
    /// Today's full table.
    Full,
    /// Only 7 and 6 kasu, shown in the Window.
    Paper,
    /// None.
    None,
}

/// May shown kasu be taken?
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Windows {
    /// Nothing is shown.
    No,
    /// A thrown card without a mate on the table takes one from an opponent's Window.
    TableFirst,
    /// As printed: table and Windows are equal candidates.
    Free,
}

/// What a card takes that finds three mates on the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Three {
    /// All of them.
    Sweep,
    /// As printed: one, which strands the other two.
    One,
}

/// How a round can end before turn 21.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Stop {
    /// Battari: at once, when the mover's Basket holds a dekiyaku.
    Battari,
    /// The mover says sage (go on) or shobu (stop) when his dekiyaku grow, and may cancel later.
    Sage,
    /// Never.
    Never,
}

/// When is a round void because somebody has fewer than 20 points outside months 11 and 12?
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Fuke {
    /// Never.
    No,
    /// If it was not stopped.
    Unstopped,
    /// As printed: after any end.
    Always,
}

/// How the lights on the table are carried to later months.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Carry {
    /// Each further light waits for a month of its own.
    Queue,
    /// Two great or two small lights carry to the next month.
    Paper,
    /// Nothing is carried.
    None,
}

/// How a round is paid.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Account {
    /// Against 88 points, with dekiyaku and specials first.
    Par,
    /// Everybody is paid his whole claim by both others.
    Pairwise,
}

/// Who is oya next month.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Oya {
    /// The winner; a void round keeps him.
    Winner,
    /// Always the same seat.
    Fixed,
}

/// A preset.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, serde::Serialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Preset {
    /// Today's game.
    Modern,
    /// The paper's game.
    Paper,
}

impl Preset {
    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Preset::Modern => "modern",
            Preset::Paper => "paper",
        }
    }

    /// Its rules.
    #[must_use]
    pub fn rules(self) -> House {
        match self {
            Preset::Modern => House::MODERN,
            Preset::Paper => House::PAPER,
        }
    }
}

/// The rules of a house.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct House {
    /// Mon in a kan; even.
    pub kan: i64,
    /// The drop fees of the first, second and third to drop, in half kan.
    pub tax: [i64; 3],
    /// Which teyaku are paid.
    pub teyaku: Hands,
    /// Are teyaku multiplied by the field?
    pub teyaku_scaled: bool,
    /// May shown kasu be taken?
    pub window: Windows,
    /// What is taken from three.
    pub three: Three,
    /// How a round can end early.
    pub stop: Stop,
    /// When a round is void.
    pub fuke_void: Fuke,
    /// 30 for few cards?
    pub few: bool,
    /// How lights are carried.
    pub carry: Carry,
    /// How a round is paid.
    pub settle: Account,
    /// Sohachi, futahachi, sujuroku?
    pub specials: bool,
    /// Who is oya next.
    pub oya: Oya,
    /// The dekiyaku.
    pub dekiyaku: Dekiyaku,
    /// Months in a game.
    pub months: u8,
}

const EIGHTY_EIGHT: Dekiyaku =
    Dekiyaku { table: Table::EightyEight, inoshikacho: false, nanatan_plus: false };

impl House {
    /// Today's game.
    pub const MODERN: House = House {
        kan: 12,
        tax: [2, 3, 4],
        teyaku: Hands::Full,
        teyaku_scaled: true,
        window: Windows::No,
        three: Three::Sweep,
        stop: Stop::Sage,
        fuke_void: Fuke::No,
        few: false,
        carry: Carry::Queue,
        settle: Account::Par,
        specials: true,
        oya: Oya::Winner,
        dekiyaku: EIGHTY_EIGHT,
        months: 12,
    };

    /// The paper's game, repaired.
    pub const PAPER: House = House {
        kan: 10,
        tax: [2, 3, 4],
        teyaku: Hands::Paper,
        teyaku_scaled: false,
        window: Windows::TableFirst,
        three: Three::Sweep,
        stop: Stop::Battari,
        fuke_void: Fuke::Unstopped,
        few: true,
        carry: Carry::Paper,
        settle: Account::Pairwise,
        specials: false,
        oya: Oya::Fixed,
        dekiyaku: EIGHTY_EIGHT,
        months: 12,
    };

    /// The value of a Basket's dekiyaku in mon, before the field.
    #[must_use]
    pub fn dekiyaku_mon(&self, basket: Cards) -> i64 {
        let value = self.dekiyaku.value(basket);
        match self.dekiyaku.table {
            Table::EightyEight => value * self.kan,
            Table::HanaAwase => value,
        }
    }

    /// What a dealt hand is worth, and what it shows.
    #[must_use]
    pub fn teyaku_of(&self, hand: Cards) -> Teyaku {
        match self.teyaku {
            Hands::Full => full_teyaku(hand),
            Hands::Paper => {
                let mut found = paper_teyaku(hand);
                if self.window == Windows::No {
                    found.window = Cards::NONE;
                }
                found
            }
            Hands::None => Teyaku::default(),
        }
    }

    /// The fee of the m-th to drop (from 0), before the field.
    #[must_use]
    pub fn tax_mon(&self, m: usize) -> i64 {
        self.tax.get(m).map_or(0, |halves| halves * self.kan / 2)
    }

    /// Reads house rules from TOML: a preset, and what the house does differently.
    ///
    /// ```
    /// let house = hana::House::read("preset = \"modern\"\nkan = 10\n[dekiyaku]\ninoshikacho = true\n")?;
    /// assert_eq!(house.kan, 10);
    /// assert!(house.dekiyaku.inoshikacho);
    /// let error = hana::House::read("kann = 10").unwrap_err();
    /// assert_eq!(error.code, "bad_house_rules");
    /// assert_eq!(error.at.unwrap().to_string(), "position[0..4]");
    /// # Ok::<(), kachi_core::Error>(())
    /// ```
    ///
    /// # Errors
    /// `bad_house_rules` with the place in the text, or `rules_conflict` where two options cannot be played together.
    pub fn read(toml: &str) -> Result<House, Error> {
        let wish: Wish = toml::from_str(toml).map_err(|error| {
            let bad = Error::new("bad_house_rules", error.message().trim().to_owned()).hint(
                "for example: preset = \"modern\", kan = 12, window = \"no\", [dekiyaku] inoshikacho = true",
            );
            match error.span() {
                Some(span) => bad.at_text(span),
                None => bad,
            }
        })?;
        wish.grant()
    }

    /// The same rules as TOML text, complete.
    #[must_use]
    pub fn to_toml(&self) -> String {
        let tax: Vec<String> = self.tax.iter().map(|&half| halves_in_words(half)).collect();
        let word = |value: &dyn std::fmt::Debug| kebab(&format!("{value:?}"));
        let table = match self.dekiyaku.table {
            Table::EightyEight => "88",
            Table::HanaAwase => "hana-awase",
        };
        format!(
            "kan = {}\ntax = [{}]\nteyaku = \"{}\"\nteyaku_scaled = {}\nwindow = \"{}\"\nthree = \"{}\"\nstop = \"{}\"\n\
             fuke_void = \"{}\"\nfew = {}\ncarry = \"{}\"\nsettle = \"{}\"\nspecials = {}\noya = \"{}\"\nmonths = {}\n\n\
             [dekiyaku]\ntable = \"{table}\"\ninoshikacho = {}\nnanatan_plus = {}\n",
            self.kan,
            tax.join(", "),
            word(&self.teyaku),
            self.teyaku_scaled,
            word(&self.window),
            word(&self.three),
            word(&self.stop),
            word(&self.fuke_void),
            self.few,
            word(&self.carry),
            word(&self.settle),
            self.specials,
            word(&self.oya),
            self.months,
            self.dekiyaku.inoshikacho,
            self.dekiyaku.nanatan_plus,
        )
    }

    /// Refuses what cannot be played together.
    fn check(self) -> Result<House, Error> {
        let conflict = |field: &str, message: &str, hint: &str| {
            Err(Error::new("rules_conflict", message).at_field(field).hint(hint))
        };
        if !(2..=1_000).contains(&self.kan) || self.kan % 2 != 0 {
            return conflict("kan", "a kan must be an even number of mon from 2 to 1000", "kan = 12");
        }
        if self.tax.iter().any(|tax| !(0..=200).contains(tax)) {
            return conflict("tax", "a drop fee must be from 0 to 100 kan", "tax = [1, 1.5, 2]");
        }
        if !matches!(self.months, 1 | 6 | 12) {
            return conflict("months", "a game has 12, 6 or 1 months", "months = 12");
        }
        if self.settle == Account::Par && (self.three == Three::One || self.window == Windows::Free) {
            let message = "cards can be stranded with three = \"one\" or window = \"free\", and then points against 88 do not add up \
                           to nothing";
            return conflict("settle", message, "settle = \"pairwise\"");
        }
        if self.window != Windows::No && self.teyaku != Hands::Paper {
            let message = "only the teyaku of the paper show cards in a Window";
            return conflict("window", message, "teyaku = \"paper\", or window = \"no\"");
        }
        Ok(self)
    }
}

/// `1`, `1.5`: half kan as kan.
fn halves_in_words(half: i64) -> String {
    if half % 2 == 0 { format!("{}", half / 2) } else { format!("{}.5", half / 2) }
}

/// `TableFirst` as `table-first`.
fn kebab(name: &str) -> String {
    let mut text = String::new();
    for (i, c) in name.chars().enumerate() {
        if c.is_uppercase() && i > 0 {
            text.push('-');
        }
        text.extend(c.to_lowercase());
    }
    text
}

/// What a house-rules text may say.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Wish {
    preset: Option<Preset>,
    kan: Option<i64>,
    tax: Option<Vec<f64>>,
    teyaku: Option<Hands>,
    teyaku_scaled: Option<bool>,
    window: Option<Windows>,
    three: Option<Three>,
    stop: Option<Stop>,
    fuke_void: Option<Fuke>,
    few: Option<bool>,
    carry: Option<Carry>,
    settle: Option<Account>,
    specials: Option<bool>,
    oya: Option<Oya>,
    months: Option<u8>,
    dekiyaku: Option<DekiyakuWish>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct DekiyakuWish {
    table: Option<TableName>,
    inoshikacho: Option<bool>,
    nanatan_plus: Option<bool>,
}

#[derive(Debug, Deserialize)]
enum TableName {
    #[serde(rename = "88")]
    EightyEight,
    #[serde(rename = "hana-awase")]
    HanaAwase,
}

impl Wish {
    fn grant(self) -> Result<House, Error> {
        let mut house = self.preset.unwrap_or(Preset::Modern).rules();
        macro_rules! wish {
            ($($field:ident),*) => {$(
                if let Some(value) = self.$field {
                    house.$field = value;
                }
            )*};
        }
        wish!(
            kan,
            teyaku,
            teyaku_scaled,
            window,
            three,
            stop,
            fuke_void,
            few,
            carry,
            settle,
            specials,
            oya,
            months
        );
        if let Some(tax) = self.tax {
            house.tax = half_kans(&tax)?;
        }
        if let Some(wish) = self.dekiyaku {
            match wish.table {
                Some(TableName::EightyEight) => house.dekiyaku.table = Table::EightyEight,
                Some(TableName::HanaAwase) => house.dekiyaku.table = Table::HanaAwase,
                None => {}
            }
            house.dekiyaku.inoshikacho = wish.inoshikacho.unwrap_or(house.dekiyaku.inoshikacho);
            house.dekiyaku.nanatan_plus = wish.nanatan_plus.unwrap_or(house.dekiyaku.nanatan_plus);
        }
        house.check()
    }
}

/// Three fees in kan, each a whole or a half number.
fn half_kans(tax: &[f64]) -> Result<[i64; 3], Error> {
    let bad = || {
        Error::new("bad_house_rules", "tax must be three fees in whole or half kan")
            .at_field("tax")
            .hint("tax = [1, 1.5, 2]")
    };
    let &[first, second, third] = tax else { return Err(bad()) };
    let mut halves = [0; 3];
    for (half, kan) in halves.iter_mut().zip([first, second, third]) {
        let doubled = kan * 2.0;
        if !(0.0..=200.0).contains(&doubled) || doubled.fract() != 0.0 {
            return Err(bad());
        }
        *half = doubled as i64;
    }
    Ok(halves)
}

//! A campaign as data: what is to be done, in TOML. One section says of which kind it is.
//!
//! ```
//! use kachi_lab::campaign::{Campaign, What};
//! let campaign = Campaign::read(r#"
//!     title = "The plan player with three stacks"
//!     [simulation]
//!     game = "calculation"
//!     player = "plans-look0"
//!     stacks = 3
//!     games = 10000
//! "#).unwrap();
//! assert!(matches!(campaign.what, What::Simulation(_)));
//! let error = Campaign::read("[simulation]\ngame = \"calculation\"\nplayers = 3\n").unwrap_err();
//! assert_eq!(error.code, "bad_campaign");
//! ```

use super::form;
use kachi_core::{Error, Place};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::ops::Range;
use toml::de::DeTable;

/// What is to be done.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Written", into = "Written")]
pub struct Campaign {
    /// A line for people.
    pub title: String,
    /// Of which kind, with its settings.
    pub what: What,
}

/// The kinds of campaigns.
#[derive(Debug, Clone, PartialEq)]
pub enum What {
    /// Games by one player.
    Simulation(Simulation),
    /// Games by several players on the same deals.
    Comparison(Comparison),
    /// Claims, checked over all cases up to a size.
    Claims(Claims),
    /// A table of calculation.
    Table(Levels),
    /// The numbers of states of the stack game, level by level.
    Counts(Levels),
}

impl What {
    /// The word for the kind, which is also the name of the section.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            What::Simulation(_) => "simulation",
            What::Comparison(_) => "comparison",
            What::Claims(_) => "claims",
            What::Table(_) => "table",
            What::Counts(_) => "counts",
        }
    }
}

/// Games by one player.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Simulation {
    /// The game: `calculation` or `hana`.
    pub game: String,
    /// Who plays.
    pub player: String,
    /// How many games.
    pub games: u64,
    /// The seed of the first deal; the others follow it.
    #[serde(default = "one")]
    pub first_seed: u64,
    /// Calculation: waste stacks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stacks: Option<usize>,
    /// Hana: the kind of the two others.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub others: Option<String>,
    /// Hana: the house whose rules are played.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub house: Option<String>,
}

/// Games by several players on the same deals.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Comparison {
    /// The game: `calculation` or `hana`.
    pub game: String,
    /// Who plays; the others are compared with the first.
    pub players: Vec<String>,
    /// How many games each.
    pub games: u64,
    /// The seed of the first deal; the others follow it.
    #[serde(default = "one")]
    pub first_seed: u64,
    /// Calculation: waste stacks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stacks: Option<usize>,
    /// Hana: the kind of the two others.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub others: Option<String>,
    /// Hana: the house whose rules are played.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub house: Option<String>,
}

/// Claims up to a size.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Claims {
    /// Only those of this game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub game: Option<String>,
    /// Only these.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub claims: Vec<String>,
    /// Up to this size, instead of each claim's own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size: Option<u32>,
    /// Up to these sizes, by the names of claims; goes before `size`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub sizes: BTreeMap<String, u32>,
}

/// The levels of a table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Levels {
    /// The game: `calculation`.
    pub game: String,
    /// Waste stacks.
    pub stacks: u64,
    /// Cards of each of the chains.
    pub ranks: u64,
    /// Counts: how many chains; 2 if it is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chains: Option<u64>,
    /// The most memory to take, in gigabytes.
    #[serde(default = "eight")]
    pub memory: u64,
}

fn one() -> u64 {
    1
}

fn eight() -> u64 {
    8
}

/// The file as it is written: exactly one of the sections.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    #[serde(default, skip_serializing_if = "String::is_empty")]
    title: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    simulation: Option<Simulation>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    comparison: Option<Comparison>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    claims: Option<Claims>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    table: Option<Levels>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    counts: Option<Levels>,
}

const SECTIONS: &str = "[simulation], [comparison], [claims], [table], [counts]";

impl TryFrom<Written> for Campaign {
    type Error = String;

    fn try_from(written: Written) -> Result<Campaign, String> {
        let Written { title, simulation, comparison, claims, table, counts } = written;
        let sections = [
            simulation.map(What::Simulation),
            comparison.map(What::Comparison),
            claims.map(What::Claims),
            table.map(What::Table),
            counts.map(What::Counts),
        ];
        let mut there = sections.into_iter().flatten();
        match (there.next(), there.next()) {
            (Some(what), None) => Ok(Campaign { title, what }),
            (None, _) => Err(format!("a campaign has one of the sections {SECTIONS}")),
            (Some(a), Some(b)) => {
                Err(format!("a campaign has one section, not [{}] and [{}]", a.kind(), b.kind()))
            }
        }
    }
}

impl From<Campaign> for Written {
    fn from(campaign: Campaign) -> Written {
        let mut written = Written { title: campaign.title, ..Written::default() };
        match campaign.what {
            What::Simulation(part) => written.simulation = Some(part),
            What::Comparison(part) => written.comparison = Some(part),
            What::Claims(part) => written.claims = Some(part),
            What::Table(part) => written.table = Some(part),
            What::Counts(part) => written.counts = Some(part),
        }
        written
    }
}

impl Campaign {
    /// Reads a campaign.
    ///
    /// # Errors
    /// `bad_campaign` with the place in the text and a right example.
    pub fn read(text: &str) -> Result<Campaign, Error> {
        form::check(text)?;
        let wrong = |message: String, place: Option<Range<usize>>| {
            let error = Error::new("bad_campaign", message).hint(form::hint_at(text, place.clone()));
            match place {
                Some(place) => error.at_text(place),
                None => error,
            }
        };
        let written: Written =
            toml::from_str(text).map_err(|error| wrong(error.message().to_owned(), error.span()))?;
        Campaign::try_from(written).map_err(|message| wrong(message, None))
    }

    /// The campaign as TOML.
    #[must_use]
    pub fn to_toml(&self) -> String {
        toml::to_string(&Written::from(self.clone())).unwrap_or_default()
    }

    /// The same error with the place in the text, where it names a field of the campaign's section.
    #[must_use]
    pub fn locate(&self, text: &str, error: Error) -> Error {
        let Some(Place::Field(field)) = &error.at else { return error };
        match span(text, self.what.kind(), field) {
            Some(range) => error.at_text(range),
            None => error,
        }
    }
}

/// Where a field of a section stands; a list's element by its list, a player among several by `players`, an entry of a table by its name.
fn span(text: &str, section: &str, field: &str) -> Option<Range<usize>> {
    let table = DeTable::parse(text).ok()?;
    let inner = table.get_ref().get(section)?;
    let fields = inner.get_ref().as_table()?;
    if let Some((outer, name)) = field.split_once('.') {
        let entries = fields.get(outer)?.get_ref().as_table()?;
        return entries.get_key_value(name).map(|(name, _)| name.span());
    }
    let word = field.split('[').next().unwrap_or(field);
    let plural = format!("{word}s");
    let value = fields.get(word).or_else(|| fields.get(plural.as_str()));
    Some(value.map_or_else(|| inner.span(), toml::Spanned::span))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrong_files_are_refused_at_their_place() {
        let at = |text: &str| {
            let error = Campaign::read(text).unwrap_err();
            assert_eq!(error.code, "bad_campaign");
            assert!(error.hint.is_some());
            match error.at {
                Some(Place::Text(range)) => text[..range.start].matches('\n').count() + 1,
                other => panic!("{other:?}"),
            }
        };
        assert_eq!(at("title = \"x\"\n"), 1);
        assert_eq!(at("[claims]\nsize = \"ten\"\n"), 2);
        assert_eq!(at("[claims]\ngame = \"hana\"\nsise = 3\n"), 3);
        assert_eq!(at("[claims]\n[table]\ngame = \"calculation\"\nstacks = 2\nranks = 3\n"), 2);
        assert_eq!(at("[simulation\n"), 1);
    }

    #[test]
    fn a_campaign_reads_back_from_its_own_text() {
        for text in [
            "title = \"a\"\n[claims]\ngame = \"tanhinmin\"\n[claims.sizes]\ntheorem-1 = 9\n",
            "[comparison]\ngame = \"hana\"\nplayers = [\"greedy\", \"random\"]\ngames = 10\nothers = \"greedy\"\n",
            "[counts]\ngame = \"calculation\"\nstacks = 3\nranks = 5\n",
        ] {
            let campaign = Campaign::read(text).unwrap();
            assert_eq!(Campaign::read(&campaign.to_toml()).unwrap(), campaign);
            let json = serde_json::to_value(&campaign).unwrap();
            assert_eq!(serde_json::from_value::<Campaign>(json).unwrap(), campaign);
        }
    }

    #[test]
    fn a_field_is_found_in_the_text() {
        let text = "[comparison]\ngame = \"calculation\"\nplayers = [\"plans\", \"nobody\"]\ngames = 3\n";
        let campaign = Campaign::read(text).unwrap();
        let error = campaign.locate(text, Error::new("unknown_player", "no").at_field("player"));
        let Some(Place::Text(range)) = error.at else { panic!("no place") };
        assert!(text[range].contains("nobody"));
    }
}

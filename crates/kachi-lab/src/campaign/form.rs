//! The form of campaign files: which sections there are, what each of them may hold, and an example of each. A file is looked through before its values
//! are taken, so that a mistake is told in the words of campaigns, where it stands, and with what would be right there.

use crate::simulate::plot::grouped;
use kachi::registry::nearest;
use kachi_core::Error;
use std::collections::BTreeSet;
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeInteger, DeTable, DeValue};

/// What a field holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Holds {
    /// A line of text.
    Text,
    /// A whole number in a range.
    Whole(u64, u64),
    /// A list of different names.
    Names,
    /// A whole number in a range for each of several names.
    Wholes(u64, u64),
}

/// A field of a section.
struct Field {
    name: &'static str,
    holds: Holds,
    needed: bool,
}

/// A section with an example that can be run.
struct Section {
    name: &'static str,
    fields: &'static [Field],
    example: &'static str,
}

const fn needed(name: &'static str, holds: Holds) -> Field {
    Field { name, holds, needed: true }
}

const fn optional(name: &'static str, holds: Holds) -> Field {
    Field { name, holds, needed: false }
}

const ANY: Holds = Holds::Whole(0, u64::MAX);
/// Without memory nothing can be built.
const MEMORY: Holds = Holds::Whole(1, u64::MAX);
/// Sizes begin with 1: up to size 0 there is nothing to check.
const SIZES: (u64, u64) = (1, u32::MAX as u64);

const LEVELS: &[Field] = &[
    needed("game", Holds::Text),
    needed("stacks", ANY),
    needed("ranks", ANY),
    optional("chains", ANY),
    optional("memory", MEMORY),
];

const SECTIONS: [Section; 5] = [
    Section {
        name: "simulation",
        fields: &[
            needed("game", Holds::Text),
            needed("player", Holds::Text),
            needed("games", ANY),
            optional("first_seed", ANY),
            optional("stacks", ANY),
            optional("others", Holds::Text),
            optional("house", Holds::Text),
        ],
        example: "[simulation]\ngame = \"calculation\"\nplayer = \"plans-look0\"\nstacks = 3\ngames = 1000",
    },
    Section {
        name: "comparison",
        fields: &[
            needed("game", Holds::Text),
            needed("players", Holds::Names),
            needed("games", ANY),
            optional("first_seed", ANY),
            optional("stacks", ANY),
            optional("others", Holds::Text),
            optional("house", Holds::Text),
        ],
        example: "[comparison]\ngame = \"calculation\"\nplayers = [\"plans-look0\", \"paper\"]\nstacks = 3\ngames = 1000",
    },
    Section {
        name: "claims",
        fields: &[
            optional("game", Holds::Text),
            optional("claims", Holds::Names),
            optional("size", Holds::Whole(SIZES.0, SIZES.1)),
            optional("sizes", Holds::Wholes(SIZES.0, SIZES.1)),
        ],
        example: "[claims]\ngame = \"tanhinmin\"\nclaims = [\"theorem-1\"]\nsize = 8",
    },
    Section {
        name: "table",
        fields: LEVELS,
        example: "[table]\ngame = \"calculation\"\nstacks = 3\nranks = 12",
    },
    Section {
        name: "counts",
        fields: LEVELS,
        example: "[counts]\ngame = \"calculation\"\nstacks = 3\nranks = 12",
    },
];

/// Looks a file through.
///
/// # Errors
/// `bad_campaign` with the place in the text and a right example.
pub(super) fn check(text: &str) -> Result<(), Error> {
    if text.trim().is_empty() {
        return Err(bad("the file is empty").hint(SECTIONS[0].hint()));
    }
    let file = DeTable::parse(text).map_err(|error| misread(text, &error))?;
    let mut sections: Vec<(&Spanned<_>, &Section, &DeTable<'_>)> = Vec::new();
    for (key, value) in file.get_ref() {
        let name: &str = key.get_ref();
        match (Section::named(name), value.get_ref()) {
            (Some(section), DeValue::Table(fields)) => sections.push((key, section, fields)),
            (Some(section), _) => {
                let message = format!("{name} is a section: it is written [{name}]");
                return Err(bad(message).at_text(key.span()).hint(section.hint()));
            }
            (None, DeValue::String(title)) if name == "title" => {
                line("title", title).map_err(|wrong| {
                    wrong.at_text(value.span()).hint("title = \"Three stacks: plans and nets\"")
                })?;
            }
            (None, _) if name == "title" => {
                return Err(bad(format!("title is text, not {}", kind(value.get_ref())))
                    .at_text(value.span())
                    .hint("title = \"Three stacks: plans and nets\""));
            }
            (None, value) => return Err(stray(name, value).at_text(key.span())),
        }
    }
    sections.sort_by_key(|(key, ..)| key.span().start);
    match sections[..] {
        [] => Err(no_section(text)),
        [(key, section, fields)] => section.check(key.span(), fields),
        [(_, first, _), (key, second, _), ..] => {
            let message = format!("a campaign has one section, not [{}] and [{}]", first.name, second.name);
            Err(bad(message).at_text(key.span()).hint("write two files"))
        }
    }
}

/// The hint for a mistake at a place of the text: an example of the section that it stands in.
pub(super) fn hint_at(text: &str, place: Option<Range<usize>>) -> String {
    let before = place.and_then(|place| text.get(..place.end)).unwrap_or_default();
    let headers = before.lines().rev().filter_map(|line| {
        let name = line.trim_start().strip_prefix('[')?;
        Section::named(name.split([']', '.']).next().unwrap_or_default().trim())
    });
    headers.into_iter().next().unwrap_or(&SECTIONS[0]).hint()
}

fn bad(message: impl Into<String>) -> Error {
    Error::new("bad_campaign", message.into())
}

/// Text that is no TOML.
fn misread(text: &str, error: &toml::de::Error) -> Error {
    let wrong = bad(error.message().replace('\n', ", ")).hint(hint_at(text, error.span()));
    match error.span() {
        Some(span) => wrong.at_text(span),
        None => wrong,
    }
}

fn no_section(text: &str) -> Error {
    let names = SECTIONS.each_ref().map(|section| format!("[{}]", section.name)).join(", ");
    let end = text.lines().next().map_or(0, str::len);
    bad(format!("a campaign has one of the sections {names}")).at_text(0..end).hint(SECTIONS[0].hint())
}

/// Something that stands outside of any section that is known.
fn stray(name: &str, value: &DeValue<'_>) -> Error {
    let owner = SECTIONS.iter().find(|section| section.field(name).is_some());
    if let (Some(owner), false) = (owner, matches!(value, DeValue::Table(_))) {
        return bad(format!("{name} belongs into a section")).hint(owner.hint());
    }
    let names = SECTIONS.each_ref().map(|section| section.name);
    let what = if matches!(value, DeValue::Table(_)) { "section" } else { "field" };
    let near = nearest(name, &[&names[..], &["title"]].concat());
    let section = near.and_then(Section::named);
    let near = near.map(|near| if near == "title" { "`title`? ".into() } else { format!("[{near}]? ") });
    let near = near.map(|near| format!("did you mean {near}")).unwrap_or_default();
    bad(format!("a campaign has no {what} `{}`", name.escape_default()))
        .hint(format!("{near}{}", section.unwrap_or(&SECTIONS[0]).hint()))
}

/// Is it one line, which no terminal takes for a command?
fn line(name: &str, text: &str) -> Result<(), Error> {
    match text.chars().find(|c| c.is_control()) {
        None => Ok(()),
        Some(found) => {
            Err(bad(format!("{name} is one line of text, without the control character {found:?}")))
        }
    }
}

/// What a value is, for people.
fn kind(value: &DeValue<'_>) -> &'static str {
    match value {
        DeValue::String(_) => "text",
        DeValue::Integer(_) => "a number",
        DeValue::Float(_) => "a number with a point",
        DeValue::Boolean(_) => "true or false",
        DeValue::Datetime(_) => "a date",
        DeValue::Array(_) => "a list",
        DeValue::Table(_) => "a section",
    }
}

impl Section {
    fn named(name: &str) -> Option<&'static Section> {
        SECTIONS.iter().find(|section| section.name == name)
    }

    fn field(&self, name: &str) -> Option<&'static Field> {
        self.fields.iter().find(|field| field.name == name)
    }

    fn hint(&self) -> String {
        format!("for example:\n{}", self.example)
    }

    fn check(&self, header: Range<usize>, fields: &DeTable<'_>) -> Result<(), Error> {
        for (key, value) in fields {
            let name: &str = key.get_ref();
            let Some(field) = self.field(name) else {
                let names: Vec<&str> = self.fields.iter().map(|field| field.name).collect();
                let near = nearest(name, &names).map(|near| format!("did you mean `{near}`? "));
                return Err(bad(format!("[{}] has no field `{}`", self.name, name.escape_default()))
                    .at_text(key.span())
                    .hint(format!("{}{}", near.unwrap_or_default(), self.hint())));
            };
            field.check(value).map_err(|wrong| match &wrong.hint {
                Some(_) => wrong,
                None => wrong.hint(self.hint()),
            })?;
        }
        let missing = self.fields.iter().find(|field| field.needed && !fields.contains_key(field.name));
        match missing {
            Some(field) => {
                let message = format!("[{}] needs `{}`", self.name, field.name);
                Err(bad(message).at_text(header).hint(self.hint()))
            }
            None => Ok(()),
        }
    }
}

impl Field {
    fn check(&self, value: &Spanned<DeValue<'_>>) -> Result<(), Error> {
        let name = self.name;
        let wrong = |wanted: &str| {
            bad(format!("{name} is {wanted}, not {}", kind(value.get_ref()))).at_text(value.span())
        };
        match (self.holds, value.get_ref()) {
            (Holds::Text, DeValue::String(text)) => {
                line(name, text).map_err(|wrong| wrong.at_text(value.span()))
            }
            (Holds::Text, _) => Err(wrong("text")),
            (Holds::Whole(least, most), value_there) => {
                whole(name, value_there, (least, most), &wrong).map_err(|error| error.at_text(value.span()))
            }
            (Holds::Names, DeValue::Array(names)) => self.names(names.iter(), &value.span()),
            (Holds::Names, _) => Err(wrong("a list of names")),
            (Holds::Wholes(least, most), DeValue::Table(entries)) => {
                for (key, value) in entries {
                    let wrong =
                        |wanted: &str| bad(format!("a size is {wanted}, not {}", kind(value.get_ref())));
                    let name = format!("the size of {}", key.get_ref().escape_default());
                    whole(&name, value.get_ref(), (least, most), &wrong)
                        .map_err(|error| error.at_text(value.span()))?;
                }
                Ok(())
            }
            (Holds::Wholes(..), _) => {
                Err(wrong("a section with a size for each name").hint("[claims.sizes]\ntheorem-1 = 9"))
            }
        }
    }

    /// Names that are all different, at least one of them.
    fn names<'v>(
        &self,
        names: impl Iterator<Item = &'v Spanned<DeValue<'v>>>,
        place: &Range<usize>,
    ) -> Result<(), Error> {
        let mut seen = BTreeSet::new();
        for name in names {
            let DeValue::String(word) = name.get_ref() else {
                let message = format!("{} is a list of names, not of {}", self.name, kind(name.get_ref()));
                return Err(bad(message).at_text(name.span()));
            };
            line("a name", word).map_err(|wrong| wrong.at_text(name.span()))?;
            if !seen.insert(word) {
                let message = format!("{} names {word:?} twice", self.name);
                return Err(bad(message).at_text(name.span()).hint("once is enough"));
            }
        }
        if seen.is_empty() {
            let wrong = bad(format!("{} names nothing", self.name)).at_text(place.clone());
            return Err(if self.needed {
                wrong
            } else {
                wrong.hint(format!("leave {} out to have all of them", self.name))
            });
        }
        Ok(())
    }
}

/// A whole number in its range.
fn whole(
    name: &str,
    value: &DeValue<'_>,
    (least, most): (u64, u64),
    wrong: &dyn Fn(&str) -> Error,
) -> Result<(), Error> {
    let DeValue::Integer(integer) = value else { return Err(wrong("a whole number")) };
    match number(integer) {
        Some(number) if number < least => Err(bad(format!("{name} is at least {least}, not {number}"))),
        Some(number) if number <= most => Ok(()),
        _ if integer.as_str().starts_with('-') => {
            Err(bad(format!("{name} is at least {least}, not {integer}")))
        }
        _ => Err(bad(format!("{name} is at most {}", grouped(most)))),
    }
}

fn number(integer: &DeInteger<'_>) -> Option<u64> {
    u64::from_str_radix(integer.as_str(), integer.radix()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::campaign::Campaign;
    use kachi_core::Place;

    /// What is told of a wrong file: the message, the text at the place, the hint.
    fn told(text: &str) -> (String, String, String) {
        let error = Campaign::read(text).unwrap_err();
        assert_eq!(error.code, "bad_campaign", "{text}");
        let at = match error.at {
            Some(Place::Text(range)) => text[range].to_owned(),
            _ => String::new(),
        };
        (error.message, at, error.hint.unwrap_or_default())
    }

    #[test]
    fn the_examples_can_be_read_and_say_all_that_is_needed() {
        for section in &SECTIONS {
            let campaign = Campaign::read(section.example).unwrap();
            assert_eq!(campaign.what.kind(), section.name);
        }
    }

    #[test]
    fn every_field_of_the_form_is_one_that_is_read() {
        for section in &SECTIONS {
            let mut text = format!("[{}]\n", section.name);
            for field in section.fields {
                text += &match field.holds {
                    Holds::Text => format!("{} = \"a\"\n", field.name),
                    Holds::Whole(..) => format!("{} = 3\n", field.name),
                    Holds::Names => format!("{} = [\"a\", \"b\"]\n", field.name),
                    Holds::Wholes(..) => format!("[{}.{}]\na = 3\n", section.name, field.name),
                };
            }
            let campaign = Campaign::read(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
            // What is read is also written: no field is left out of the form.
            let written = campaign.to_toml();
            for field in section.fields {
                assert!(written.contains(field.name), "{written} has no {}", field.name);
            }
        }
    }

    #[test]
    fn mistakes_are_told_in_plain_words_at_their_place_with_an_example_of_the_section() {
        let counts = "[counts]\ngame = \"calculation\"\nstacks = 3\nranks = 5\n";
        for (text, message, at, hint) in [
            ("", "the file is empty", "", "[simulation]"),
            ("\n \n", "the file is empty", "", "[simulation]"),
            ("# nothing\n", "one of the sections [simulation]", "# nothing", "[simulation]"),
            ("title = 3\n", "title is text, not a number", "3", "title = "),
            (
                "[simulaton]\nplayer = \"a\"\n",
                "no section `simulaton`",
                "simulaton",
                "did you mean [simulation]?",
            ),
            ("titel = \"a\"\n", "no field `titel`", "titel", "did you mean `title`?"),
            ("size = 3\n", "size belongs into a section", "size", "[claims]"),
            ("simulation = 3\n", "simulation is a section", "simulation", "[simulation]"),
            ("[[claims]]\nsize = 3\n", "claims is a section", "claims", "[claims]"),
            ("[claims]\nsize = \"ten\"\n", "size is a whole number, not text", "\"ten\"", "[claims]"),
            ("[claims]\nsize = 2.5\n", "not a number with a point", "2.5", "[claims]"),
            ("[claims]\nsize = 0\n", "size is at least 1, not 0", "0", "[claims]"),
            ("[claims]\nsize = -3\n", "size is at least 1, not -3", "-3", "[claims]"),
            ("[claims]\nsize = 4294967296\n", "size is at most 4,294,967,295", "4294967296", "[claims]"),
            ("[claims]\n[claims.sizes]\nlema = 0\n", "the size of lema is at least 1", "0", "[claims]"),
            ("[claims]\nsizes = 3\n", "sizes is a section", "3", "[claims.sizes]"),
            ("[claims]\nclaims = []\n", "claims names nothing", "[]", "leave claims out"),
            ("[claims]\nclaims = [\"a\", \"b\", \"a\"]\n", "names \"a\" twice", "\"a\"", "once"),
            ("[claims]\nclaims = [1]\n", "a list of names, not of a number", "1", "[claims]"),
            ("[claims]\nclaims = \"a\"\n", "claims is a list of names, not text", "\"a\"", "[claims]"),
            ("[comparison]\nplayer = \"a\"\n", "no field `player`", "player", "did you mean `players`?"),
            ("[simulation]\ngame = \"hana\"\n", "[simulation] needs `player`", "simulation", "[simulation]"),
            (
                "title = \"a\\u001b[2J\"\n[claims]\n",
                "control character '\\u{1b}'",
                "\"a\\u001b[2J\"",
                "title = ",
            ),
            ("[claims]\ngame = \"a\\nb\"\n", "game is one line", "\"a\\nb\"", "[claims]"),
            ("[table]\ngame = \n", "", "", "[table]"),
            ("[claims]\n[table]\n", "one section, not [claims] and [table]", "table", "two files"),
        ] {
            let (said, place, hinted) = told(text);
            assert!(said.contains(message) && place == at || at.is_empty(), "{text}: {said} at {place:?}");
            assert!(said.contains(message) && hinted.contains(hint), "{text}: {said}; {hinted}");
        }
        for (more, message) in [
            ("memory = 0\n", "memory is at least 1, not 0"),
            ("memory = 99999999999999999999999999999999999999999999\n", "memory is at most"),
            ("memory = 99999999999999999999\n", "memory is at most 18,446,744,073,709,551,615"),
            ("memory = true\n", "memory is a whole number, not true or false"),
        ] {
            let (said, place, hinted) = told(&format!("{counts}{more}"));
            assert!(said.contains(message) && hinted.contains("[counts]"), "{said}; {hinted}");
            assert!(more.contains(&place) && !place.is_empty(), "{place}");
        }
    }
}

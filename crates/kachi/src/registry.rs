//! The list of games. Every surface finds games here and names none of them; adding a game means adding its line to
//! [`games`] and its re-export to the crate.

use kachi_core::surface::{Bench, Clock, Entry};
use kachi_core::{Claim, Error, Question};

static GAMES: &[&dyn Entry] = &[
    &tanhinmin::ENTRY,
    &shichinarabe::ENTRY,
    &shichinarabe::GRAPH_ENTRY,
    &babanuki::ENTRY,
    &hana::ENTRY,
    &calculation::ENTRY,
];

static ANNEXES: &[Annex] = &[Annex {
    game: "hana",
    claims: hana_lang::claims::ALL,
    questions: hana_lang::claims::OPEN,
    bench: hana_lang::bench::run,
}];

/// What another crate adds to a game: statements about it and workloads.
#[derive(Clone, Copy)]
pub struct Annex {
    /// The game.
    pub game: &'static str,
    /// Statements beside the game's own.
    pub claims: &'static [&'static dyn Claim],
    /// Open questions beside the game's own.
    pub questions: &'static [Question],
    /// Workloads beside the game's own.
    pub bench: fn(&dyn Clock) -> Bench,
}

/// What other crates add to the game of this name.
pub fn annexes(game: &str) -> impl Iterator<Item = &'static Annex> {
    ANNEXES.iter().filter(move |annex| annex.game == game)
}

/// All statements about a game: its own, then those of its annexes.
pub fn claims(game: &dyn Entry) -> Vec<&'static dyn Claim> {
    let more = annexes(game.about().name).flat_map(|annex| annex.claims);
    game.claims().iter().chain(more).copied().collect()
}

/// All open questions about a game: its own, then those of its annexes.
pub fn questions(game: &dyn Entry) -> Vec<&'static Question> {
    let more = annexes(game.about().name).flat_map(|annex| annex.questions);
    game.questions().iter().chain(more).collect()
}

/// All games of kachi, in the order in which surfaces list them.
pub fn games() -> &'static [&'static dyn Entry] {
    GAMES
}

/// The game of this name.
///
/// # Errors
/// `unknown_game`, with the names there are and the nearest one.
pub fn find(name: &str) -> Result<&'static dyn Entry, Error> {
    Registry::default().find(name)
}

/// A list of games that a surface offers; [`Registry::default`] holds all of kachi's.
#[derive(Clone, Copy)]
pub struct Registry<'a> {
    games: &'a [&'a dyn Entry],
}

impl Default for Registry<'static> {
    fn default() -> Self {
        Registry::new(games())
    }
}

impl<'a> Registry<'a> {
    /// A registry of these games.
    pub const fn new(games: &'a [&'a dyn Entry]) -> Self {
        Registry { games }
    }

    /// The games, in order.
    pub fn games(&self) -> &'a [&'a dyn Entry] {
        self.games
    }

    /// The names, in order.
    pub fn names(&self) -> Vec<&'static str> {
        self.games.iter().map(|game| game.about().name).collect()
    }

    /// The place of a game in the list.
    pub fn position(&self, name: &str) -> Option<usize> {
        self.games.iter().position(|game| game.about().name == name)
    }

    /// The game of this name.
    ///
    /// # Errors
    /// `unknown_game`, with the names there are and the nearest one.
    pub fn find(&self, name: &str) -> Result<&'a dyn Entry, Error> {
        match self.position(name) {
            Some(index) => Ok(self.games[index]),
            None => Err(self.unknown(name)),
        }
    }

    fn unknown(&self, name: &str) -> Error {
        let names = self.names();
        let message =
            format!("there is no game called {:?}; the games are: {}", shorten(name), names.join(", "));
        let error = Error::new("unknown_game", message).at_field("game");
        match nearest(name, &names) {
            Some(near) => error.hint(format!("did you mean {near}?")),
            None => error,
        }
    }
}

/// The candidate that differs least from `word`, if it is near enough to be what was meant.
///
/// ```
/// use kachi::registry::nearest;
/// assert_eq!(nearest("chekers", &["chess", "checkers"]), Some("checkers"));
/// assert_eq!(nearest("go", &["chess", "checkers"]), None);
/// ```
pub fn nearest<'n>(word: &str, candidates: &[&'n str]) -> Option<&'n str> {
    // Long nonsense is near nothing, and the distance of long texts is expensive.
    if word.chars().count() > 64 {
        return None;
    }
    let word = word.to_lowercase();
    let distance = |name: &str| {
        if !word.is_empty() && name.starts_with(&word) { 1 } else { strsim::damerau_levenshtein(&word, name) }
    };
    let measured = candidates.iter().map(|&name| (distance(name), name));
    let (distance, name) = measured.min_by_key(|&(distance, _)| distance)?;
    (distance <= 1 + name.chars().count() / 4).then_some(name)
}

/// A word as shown in a message: hostile input may be long.
fn shorten(word: &str) -> String {
    const SHOWN: usize = 40;
    if word.chars().count() <= SHOWN {
        return word.to_owned();
    }
    word.chars().take(SHOWN).chain("...".chars()).collect()
}

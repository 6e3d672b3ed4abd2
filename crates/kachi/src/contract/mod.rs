//! The request / answer contract: one JSON object in, one JSON object out, on one line.
//!
//! ```text
//! request      {"game": "...", "query": "...", ...inputs of that game}     "query" defaults to "analyze"
//! reply        {"id": ..., ...answer}                                      "id" is copied from the request
//! bad request  {"id": ..., "error": {"code": "...", "message": "...", "at": "hands[1][3]", "hint": "..."}}
//! ```
//!
//! Only the envelope (`id`, `game`, `query`) is read here; the game reads the rest from the same text. Nothing that a
//! request says can panic, hang or exhaust memory: a line has a largest length, the game works under a
//! [`Budget`], and a fault inside a game becomes the error `internal_error` of that one request.

mod envelope;

use crate::bench::Stopwatch;
use crate::registry::{Registry, nearest};
use envelope::Envelope;
use kachi_core::surface::{Entry, lend_clock};
use kachi_core::{Budget, Error, Limits};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{LazyLock, OnceLock};
use std::time::{Duration, Instant};

/// The query that is meant when a request names none.
pub const DEFAULT_QUERY: &str = "analyze";

/// What a request may cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Allowance {
    /// Bytes of one request.
    pub line: usize,
    /// Cards, nodes and memory of one answer.
    pub limits: Limits,
    /// Time of one answer, looked at now and then while the game searches.
    pub time: Option<Duration>,
}

impl Default for Allowance {
    fn default() -> Self {
        Allowance { line: 16 << 20, limits: Limits::default(), time: Some(Duration::from_secs(60)) }
    }
}

/// Answers requests about the games of a registry.
///
/// ```
/// use kachi::contract::{Allowance, Contract};
/// use kachi::registry::Registry;
///
/// let contract = Contract::new(Registry::default(), Allowance::default());
/// let mut out = Vec::new();
/// let answered = contract.answer(br#"{"id": "a", "game": 5}"#, &mut out);
/// assert!(!answered);
/// assert!(out.starts_with(br#"{"id":"a","error":{"code":"wrong_type""#));
/// ```
pub struct Contract<'a> {
    registry: Registry<'a>,
    queries: Vec<Vec<&'static str>>,
    allowance: Allowance,
}

impl<'a> Contract<'a> {
    /// A contract over these games; every request gets the same allowance.
    pub fn new(registry: Registry<'a>, allowance: Allowance) -> Self {
        lend_clock(Stopwatch::default());
        let names = |game: &&dyn Entry| game.queries().iter().map(|query| query.name).collect();
        Contract { registry, queries: registry.games().iter().map(names).collect(), allowance }
    }

    /// What each request may cost.
    pub fn allowance(&self) -> &Allowance {
        &self.allowance
    }

    /// Appends the reply to one request, without a line end. False when the reply is an error.
    pub fn answer(&self, line: &[u8], out: &mut Vec<u8>) -> bool {
        let began = OnceLock::new();
        // The clock starts at the first look, so that quick answers never read it.
        let late = || {
            let since = began.get_or_init(Instant::now);
            self.allowance.time.is_some_and(|time| since.elapsed() >= time)
        };
        self.answer_within(line, &mut Budget::stopping(self.allowance.limits, &late), out).is_ok()
    }

    /// As [`answer`](Contract::answer), within a budget of the caller's own: one that ends when the asker leaves, say.
    ///
    /// # Errors
    /// The code of the error that was replied.
    pub fn answer_within(
        &self,
        line: &[u8],
        budget: &mut Budget<'_>,
        out: &mut Vec<u8>,
    ) -> Result<(), &'static str> {
        let start = out.len();
        // The envelope is read inside, so that no line whatever can end the stream.
        let outcome = catch_unwind(AssertUnwindSafe(|| self.try_answer(line, budget, out)));
        let error = match outcome {
            Ok(Ok(())) => return Ok(()),
            Ok(Err(error)) => error,
            Err(panic) => internal(&panic_words(panic.as_ref())),
        };
        out.truncate(start);
        refuse(id_of(line), &error, out);
        Err(error.code)
    }

    /// Appends the reply to a request that was too long to be kept; `bytes` of it were seen.
    pub fn refuse_overlong(&self, bytes: u64, out: &mut Vec<u8>) {
        refuse(None, &self.overlong(bytes), out);
    }

    fn overlong(&self, bytes: u64) -> Error {
        let (limit, bytes) = (format!("{} bytes", self.allowance.line), format!("{bytes} bytes"));
        Error::too_large("one request is one line", bytes, limit).hint("ask about smaller positions")
    }

    fn try_answer(&self, line: &[u8], budget: &mut Budget<'_>, out: &mut Vec<u8>) -> Result<(), Error> {
        if line.len() > self.allowance.line {
            return Err(self.overlong(line.len() as u64));
        }
        let text = std::str::from_utf8(line).map_err(|error| {
            let message = format!("the request is not text: byte {} is not UTF-8", error.valid_up_to());
            Error::new("not_json", message)
        })?;
        // The quick look skips what the game reads anyway, and checks, a moment later.
        let envelope = Envelope::glance(text).map_or_else(|| Envelope::read(text), Ok)?;
        let (game, query) = self.route(&envelope)?;
        if let Some(id) = envelope.id {
            out.extend_from_slice(b"{\"id\":");
            out.extend_from_slice(id.as_bytes());
        }
        let body = out.len();
        game.answer(query, text, budget, out)?;
        splice(envelope.id.is_some(), body, out)
    }

    fn route<'q>(&self, envelope: &Envelope<'q>) -> Result<(&'a dyn Entry, &'q str), Error> {
        let Some(game) = word(envelope.game, "game")? else {
            return Err(Error::new("missing_field", "the request does not say which game it is about")
                .at_field("game")
                .hint(format!("add \"game\": one of {}", quoted(&self.registry.names()))));
        };
        let Some(index) = self.registry.position(game) else {
            return Err(match self.registry.find(game) {
                Err(error) => error,
                Ok(_) => internal("a game was both found and not found"),
            });
        };
        let query = word(envelope.query, "query")?.unwrap_or(DEFAULT_QUERY);
        if !self.queries[index].contains(&query) {
            return Err(unknown_query(game, query, &self.queries[index]));
        }
        Ok((self.registry.games()[index], query))
    }
}

/// Answers one request about any game of kachi, with the default allowance.
///
/// ```
/// let reply = kachi::contract::answer("[1, 2]");
/// assert!(reply.contains("not_an_object"));
/// ```
pub fn answer(request: &str) -> String {
    static CONTRACT: LazyLock<Contract<'static>> =
        LazyLock::new(|| Contract::new(Registry::default(), Allowance::default()));
    let mut out = Vec::new();
    CONTRACT.answer(request.as_bytes(), &mut out);
    String::from_utf8_lossy(&out).into_owned()
}

/// The id of a request that could not be answered, as far as it can be read.
fn id_of(line: &[u8]) -> Option<&str> {
    Envelope::read(std::str::from_utf8(line).ok()?).ok()?.id
}

/// The text of a string field. Names need no escapes, so a name with one is no name of ours.
fn word<'q>(raw: Option<&'q str>, field: &str) -> Result<Option<&'q str>, Error> {
    let Some(raw) = raw else { return Ok(None) };
    match raw.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) {
        Some(word) => Ok(Some(word)),
        None => Err(Error::new("wrong_type", format!("{field} must be a name in quotes")).at_field(field)),
    }
}

/// Joins the id in front to the answer behind it: the answer's opening brace becomes the comma between them.
fn splice(has_id: bool, body: usize, out: &mut Vec<u8>) -> Result<(), Error> {
    match &out[body..] {
        [b'{', .., b'}'] if !has_id => Ok(()),
        [b'{', b'}'] => {
            out.truncate(body);
            out.push(b'}');
            Ok(())
        }
        [b'{', .., b'}'] => {
            out[body] = b',';
            Ok(())
        }
        _ => Err(internal("the answer is not a JSON object")),
    }
}

fn refuse(id: Option<&str>, error: &Error, out: &mut Vec<u8>) {
    out.push(b'{');
    if let Some(id) = id {
        out.extend_from_slice(b"\"id\":");
        out.extend_from_slice(id.as_bytes());
        out.push(b',');
    }
    out.extend_from_slice(b"\"error\":");
    // Writing strings and maps into memory cannot fail.
    let _ = serde_json::to_writer(&mut *out, error);
    out.push(b'}');
}

fn unknown_query(game: &str, query: &str, known: &[&str]) -> Error {
    let shown: String = query.chars().take(40).collect();
    let message = format!("{game} has no query {shown:?}; it has {}", quoted(known));
    let error = Error::new("unknown_query", message).at_field("query");
    match nearest(query, known) {
        Some(near) => error.hint(format!("did you mean {near:?}?")),
        None => error,
    }
}

fn internal(words: &str) -> Error {
    Error::new("internal_error", format!("a fault inside kachi: {words}"))
        .hint("this is a bug; please report it together with the request")
}

fn panic_words(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "no details".to_owned())
}

fn quoted(names: &[&str]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("{name:?}")).collect();
    quoted.join(", ")
}

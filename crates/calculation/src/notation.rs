//! One line of text per position: `A234/58Q/-/J@7`.
//!
//! First the rank that every foundation takes next (`-` when complete), then the stacks, bottom first, each after a `/`
//! (`-` or nothing when empty; as many as the game has stacks), then `@` and the drawn card while it waits to be placed. A reduced
//! game begins with its ranks and steps: `5:1,2:A2/-/3@4`.

use crate::position::{Fault, Position, Rank, Setup, Spot, Stack};
use crate::rules::Rules;
use kachi_core::Error;
use kachi_core::notation::{Reader, number};
use std::fmt::Write;
use std::ops::Range;

/// A right example, for errors.
const EXAMPLE: &str = "for example A234/58Q/-/J@7";

/// Writes a position.
pub fn write(rules: &Rules, position: &Position) -> String {
    let mut text = String::new();
    if !rules.is_full() {
        let steps: Vec<String> = rules.steps().iter().map(u8::to_string).collect();
        let _ = write!(text, "{}:{}:", rules.ranks(), steps.join(","));
    }
    for foundation in rules.all_foundations() {
        match rules.next(foundation.index(), position.head(foundation)) {
            Some(rank) => text.push(rank.to_char()),
            None => text.push('-'),
        }
    }
    for stack in rules.all_stacks() {
        text.push('/');
        let cards = position.stack(stack);
        if cards.is_empty() {
            text.push('-');
        }
        text.extend(cards.iter().map(|rank| rank.to_char()));
    }
    if let Some(rank) = position.drawn() {
        text.push('@');
        text.push(rank.to_char());
    }
    text
}

/// Reads a position and the game that it belongs to.
///
/// ```
/// use calculation::notation::{read, write};
/// let (rules, position) = read("A234/58Q/-/J @7").unwrap();
/// assert_eq!(rules.stacks(), 3);
/// assert_eq!(write(&rules, &position), "A234/58Q/-/J@7");
/// assert_eq!(read("A234/5X").unwrap_err().at.unwrap().to_string(), "position[6..7]");
/// ```
///
/// # Errors
/// `bad_notation`, `bad_number`, `bad_ranks`, `bad_steps`, `bad_stacks`, `bad_rank`, `bad_heads`, `bad_head` or
/// `too_many_copies`, each with its place.
pub fn read(text: &str) -> Result<(Rules, Position), Error> {
    let mut reader = Reader::new(text);
    let game = read_game(&mut reader, text)?;
    let (heads, heads_at) = cards(&mut reader, true)?;
    let mut piles = Vec::new();
    let mut places = Vec::new();
    while reader.eat('/') {
        if piles.len() > crate::position::MOST_STACKS {
            break;
        }
        let (pile, at) = cards(&mut reader, false)?;
        let ranks: Vec<Rank> = pile.into_iter().flatten().collect();
        piles.push(ranks);
        places.push(at);
    }
    let mut drawn_at = 0..0;
    let mut drawn = None;
    if reader.eat('@') {
        reader.skip_blanks();
        drawn_at = reader.here();
        let rank = reader.peek().and_then(Rank::from_char);
        drawn = Some(rank.ok_or_else(|| no_rank(&reader))?);
        reader.peek().map(|c| reader.eat(c));
        reader.skip_blanks();
    }
    if !reader.is_done() {
        let message = format!("found {} where the position should end", reader.next_in_words());
        return Err(Error::new("bad_notation", message).at_text(reader.here()).hint(EXAMPLE));
    }
    let whole = 0..text.len();
    let rules = match game {
        Game::Full => Rules::calculation(piles.len()),
        Game::Reduced(ranks, ref steps, _) => Rules::reduced(ranks, steps, piles.len()),
    };
    let rules = rules.map_err(|error| {
        let at = if error.code == "bad_stacks" { whole.clone() } else { game.place(text) };
        error.at_text(at)
    })?;
    let setup = Setup { heads: head_slots(&rules, &heads, &heads_at)?, piles, drawn };
    let place = |fault: &Fault| match fault.spot {
        Spot::Heads => span(&heads_at, &whole),
        Spot::Head(f) => heads_at.get(f).cloned().unwrap_or(whole.clone()),
        Spot::Card(pile, card) => places[pile].get(card).cloned().unwrap_or(whole.clone()),
        Spot::Piles => whole.clone(),
        Spot::Drawn => drawn_at.clone(),
    };
    let position = setup.validate(&rules).map_err(|fault| {
        let at = place(&fault);
        Error::new(fault.code, fault.message).at_text(at).hint(fault.hint)
    })?;
    Ok((rules, position))
}

/// What the text says about the game before the heads.
enum Game {
    Full,
    Reduced(usize, Vec<usize>, usize),
}

impl Game {
    fn place(&self, text: &str) -> Range<usize> {
        match self {
            Game::Full => 0..text.len(),
            Game::Reduced(_, _, end) => 0..*end,
        }
    }
}

fn read_game(reader: &mut Reader<'_>, text: &str) -> Result<Game, Error> {
    if !text.contains(':') {
        return Ok(Game::Full);
    }
    reader.skip_blanks();
    let digits = |c: char| c.is_ascii_digit();
    let (word, at) = reader.word(digits);
    let ranks = number(word, at, "the number of ranks")?;
    let mut steps = Vec::new();
    if !reader.eat(':') {
        let message = format!("expected ':' after the number of ranks, found {}", reader.next_in_words());
        return Err(Error::new("bad_notation", message).at_text(reader.here()).hint("5:1,2:A2/-/3@4"));
    }
    loop {
        reader.skip_blanks();
        let (word, at) = reader.word(digits);
        steps.push(number(word, at, "a step")?.unsigned_abs() as usize);
        reader.skip_blanks();
        if !reader.eat(',') || steps.len() > crate::position::MOST_FOUNDATIONS {
            break;
        }
    }
    if !reader.eat(':') {
        let message = format!("expected ':' after the steps, found {}", reader.next_in_words());
        return Err(Error::new("bad_notation", message).at_text(reader.here()).hint("5:1,2:A2/-/3@4"));
    }
    Ok(Game::Reduced(ranks.unsigned_abs() as usize, steps, reader.offset()))
}

type Cards = (Vec<Option<Rank>>, Vec<Range<usize>>);

/// Rank characters up to `/`, `@` or the end; `-` is a complete foundation, or an empty stack.
fn cards(reader: &mut Reader<'_>, heads: bool) -> Result<Cards, Error> {
    let (mut ranks, mut places) = (Vec::new(), Vec::new());
    loop {
        reader.skip_blanks();
        let here = reader.here();
        match reader.peek() {
            None | Some('/' | '@') => return Ok((ranks, places)),
            Some('-') if heads || ranks.is_empty() => {
                reader.eat('-');
                if heads {
                    ranks.push(None);
                    places.push(here);
                }
            }
            Some(c) => {
                let rank = Rank::from_char(c).ok_or_else(|| no_rank(reader))?;
                reader.eat(c);
                ranks.push(Some(rank));
                places.push(here);
            }
        }
    }
}

fn no_rank(reader: &Reader<'_>) -> Error {
    let message = format!("expected a rank, found {}", reader.next_in_words());
    Error::new("bad_rank", message).at_text(reader.here()).hint("ranks are A23456789TJQK")
}

fn span(places: &[Range<usize>], whole: &Range<usize>) -> Range<usize> {
    match (places.first(), places.last()) {
        (Some(first), Some(last)) => first.start..last.end,
        _ => whole.clone(),
    }
}

/// The number of cards on each foundation, from the ranks that come next.
fn head_slots(rules: &Rules, heads: &[Option<Rank>], places: &[Range<usize>]) -> Result<Vec<usize>, Error> {
    let slot = |(f, head): (usize, &Option<Rank>)| match head {
        None => Ok(rules.ranks()),
        Some(rank) if f < rules.foundations() && rank.index() < rules.ranks() => Ok(rules.slot_of(f, *rank)),
        Some(_) if f >= rules.foundations() => Ok(0),
        Some(rank) => {
            let message = format!("there is no {rank} in a deck of {} ranks", rules.ranks());
            Err(Error::new("bad_rank", message).at_text(places[f].clone()).hint(EXAMPLE))
        }
    };
    heads.iter().enumerate().map(slot).collect()
}

/// A stack as text, for messages: ranks bottom first.
pub fn pile(position: &Position, stack: Stack) -> String {
    position.stack(stack).iter().map(|rank| rank.to_char()).collect()
}

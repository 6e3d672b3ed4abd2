//! The machine that compiled code runs on: the state, a stack of frames, fuel and depth, and the oracles. Code is closures over slots; the
//! leaves (constants, locals, variables) are read without a call.

use super::fault::{Fault, Kind, Outcome, fault};
use super::value::Value;
use crate::syntax::Span;
use std::sync::Arc;

/// Where a run ends at the latest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Steps. Every turn of a loop, every call and every element of a set that is looked at pays for the size of the text it runs, so a
    /// step takes a few nanoseconds whatever the program.
    pub fuel: u64,
    /// Depth of nested evaluation: each call counts the depth of the body called.
    pub depth: u32,
}

impl Default for Limits {
    /// Twelve months take about a hundred thousand steps; the depth fits a stack of one megabyte.
    fn default() -> Limits {
        Limits { fuel: 1_000_000_000, depth: 4_000 }
    }
}

/// The values of all variables between two statements.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct State {
    pub(super) words: Vec<i64>,
    pub(super) rows: Vec<Vec<i64>>,
    pub(super) others: Vec<Value>,
}

/// Where a variable lives in the state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cell {
    /// A word.
    Word(usize),
    /// A row of words.
    Row(usize),
    /// Anything else.
    Other(usize),
}

impl State {
    /// The value of a variable.
    #[must_use]
    pub fn value(&self, cell: Cell) -> Value {
        match cell {
            Cell::Word(i) => Value::Word(self.words[i]),
            Cell::Row(i) => Value::Row(self.rows[i].as_slice().into()),
            Cell::Other(i) => self.others[i].clone(),
        }
    }

    /// The word of a variable that is one.
    #[must_use]
    pub fn word(&self, cell: Cell) -> Option<i64> {
        match cell {
            Cell::Word(i) => self.words.get(i).copied(),
            _ => None,
        }
    }

    /// The row of a variable that is one.
    #[must_use]
    pub fn row(&self, cell: Cell) -> Option<&[i64]> {
        match cell {
            Cell::Row(i) => self.rows.get(i).map(Vec::as_slice),
            _ => None,
        }
    }

    pub(super) fn set(&mut self, cell: Cell, value: Value) {
        match cell {
            Cell::Word(i) => self.words[i] = value.word(),
            Cell::Row(i) => {
                let row = &mut self.rows[i];
                row.clear();
                row.extend_from_slice(value.row());
            }
            Cell::Other(i) => self.others[i] = value,
        }
    }
}

/// A question of the program to the host.
#[derive(Debug)]
pub struct Question<'a> {
    /// The oracle, by its place among the oracles of the program.
    pub oracle: usize,
    /// What it is asked with.
    pub args: &'a [Value],
    /// The state in which it is asked.
    pub state: &'a State,
}

/// The oracles of a program: everything outside the rules.
pub trait Oracles {
    /// Answers a question.
    ///
    /// # Errors
    /// In words, why there is no answer; it becomes a fault at the place of the question.
    fn answer(&mut self, question: Question<'_>) -> Result<Value, String>;
}

/// A program without oracles needs nobody to answer.
#[derive(Debug, Clone, Copy, Default)]
pub struct Nobody;

impl Oracles for Nobody {
    fn answer(&mut self, _: Question<'_>) -> Result<Value, String> {
        Err("there is nobody to answer".into())
    }
}

/// A run in progress.
pub(super) struct Machine<'a> {
    pub(super) state: State,
    pub(super) words: Vec<i64>,
    pub(super) others: Vec<Value>,
    pub(super) base: usize,
    top: usize,
    fuel: u64,
    depth: u32,
    oracles: &'a mut dyn Oracles,
}

/// What running a body takes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Frame {
    /// Slots.
    pub(super) slots: usize,
    /// The depth of its text.
    pub(super) height: u32,
    /// Steps: the size of its text.
    pub(super) cost: u64,
}

/// The most slots of all frames together.
const MOST_SLOTS: usize = 1 << 20;

impl<'a> Machine<'a> {
    pub(super) fn new(state: State, limits: Limits, oracles: &'a mut dyn Oracles) -> Machine<'a> {
        let (words, others) = (vec![0; 64], vec![Value::Word(0); 64]);
        Machine { state, words, others, base: 0, top: 0, fuel: limits.fuel, depth: limits.depth, oracles }
    }

    /// Takes steps from the fuel.
    #[inline]
    pub(super) fn spend(&mut self, steps: u64, span: Span) -> Outcome<()> {
        if self.fuel < steps {
            self.fuel = 0;
            return fault(Kind::OutOfFuel, span);
        }
        self.fuel -= steps;
        Ok(())
    }

    /// Reserves a frame above all others and gives its base. It is in force only once [`Machine::base`] is set, so that arguments are
    /// evaluated in the frame of the caller and written straight into the new one.
    #[inline]
    pub(super) fn reserve(&mut self, frame: &Frame, span: Span) -> Outcome<usize> {
        self.spend(frame.cost, span)?;
        if self.depth < frame.height {
            return fault(Kind::TooDeep, span);
        }
        self.depth -= frame.height;
        let base = self.top;
        self.top += frame.slots;
        if self.top > self.words.len() {
            self.grow(span)?;
        }
        Ok(base)
    }

    #[cold]
    fn grow(&mut self, span: Span) -> Outcome<()> {
        if self.top > MOST_SLOTS {
            return fault(Kind::TooDeep, span);
        }
        let size = self.top.next_power_of_two();
        self.words.resize(size, 0);
        self.others.resize(size, Value::Word(0));
        Ok(())
    }

    /// Gives the topmost frame back.
    #[inline]
    pub(super) fn release(&mut self, base: usize, frame: &Frame) {
        self.top = base;
        self.depth += frame.height;
    }

    #[inline]
    pub(super) fn local(&self, slot: usize) -> i64 {
        self.words[self.base + slot]
    }

    #[inline]
    pub(super) fn set_local(&mut self, slot: usize, word: i64) {
        let at = self.base + slot;
        self.words[at] = word;
    }

    /// Asks the host.
    pub(super) fn ask(&mut self, oracle: usize, args: &[Value], span: Span) -> Outcome<Value> {
        self.spend(1, span)?;
        let question = Question { oracle, args, state: &self.state };
        self.oracles.answer(question).map_err(|words| Box::new(Fault { kind: Kind::Oracle(words), span }))
    }

    /// What is left of the fuel.
    pub(super) fn fuel(&self) -> u64 {
        self.fuel
    }
}

/// Code that runs on a machine.
type Code<T> = Box<dyn Fn(&mut Machine<'_>) -> Outcome<T> + Send + Sync>;

/// Code that gives a word.
pub(super) enum Word {
    /// Known already.
    Const(i64),
    /// A slot of the frame.
    Local(usize),
    /// A variable.
    Var(usize),
    /// Anything else.
    Code(Code<i64>),
}

impl Word {
    pub(super) fn code(run: impl Fn(&mut Machine<'_>) -> Outcome<i64> + Send + Sync + 'static) -> Word {
        Word::Code(Box::new(run))
    }

    #[inline]
    pub(super) fn get(&self, m: &mut Machine<'_>) -> Outcome<i64> {
        match self {
            Word::Const(word) => Ok(*word),
            Word::Local(slot) => Ok(m.local(*slot)),
            Word::Var(i) => Ok(m.state.words[*i]),
            Word::Code(run) => run(m),
        }
    }

    #[inline]
    pub(super) fn holds(&self, m: &mut Machine<'_>) -> Outcome<bool> {
        Ok(self.get(m)? != 0)
    }
}

/// Code that gives any other value.
pub(super) enum Other {
    /// Known already.
    Const(Value),
    /// A slot of the frame.
    Local(usize),
    /// A variable.
    Var(Cell),
    /// Anything else.
    Code(Code<Value>),
}

impl Other {
    pub(super) fn code(run: impl Fn(&mut Machine<'_>) -> Outcome<Value> + Send + Sync + 'static) -> Other {
        Other::Code(Box::new(run))
    }

    /// The value itself; rows are copied or shared, and pay for their length.
    pub(super) fn get(&self, m: &mut Machine<'_>, span: Span) -> Outcome<Value> {
        match self {
            Other::Const(value) => Ok(value.clone()),
            Other::Local(slot) => Ok(m.others[m.base + slot].clone()),
            Other::Var(cell) => {
                if let Cell::Row(i) = cell {
                    m.spend(m.state.rows[*i].len() as u64 / 8, span)?;
                }
                Ok(m.state.value(*cell))
            }
            Other::Code(run) => run(m),
        }
    }

    /// The words of a row, shared.
    pub(super) fn row(&self, m: &mut Machine<'_>, span: Span) -> Outcome<Arc<[i64]>> {
        match self.get(m, span)? {
            Value::Row(row) => Ok(row),
            _ => Ok(Arc::from([])),
        }
    }
}

/// Code that changes the state.
pub(super) type Step = Code<()>;

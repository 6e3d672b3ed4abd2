//! Functions, procedures and function values: code with the size of its frame and its depth.

use super::fault::Outcome;
use super::machine::{Frame, Machine, Other, State, Step, Word};
use super::value::{Shape, Value};
use crate::syntax::Span;
use std::fmt;
use std::sync::Arc;

/// What a body gives.
pub(super) enum Body {
    /// A word.
    Word(Word),
    /// Any other value.
    Other(Other),
}

/// A declared function.
pub(super) struct Function {
    pub(super) frame: Frame,
    pub(super) body: Body,
}

/// A declared procedure.
pub(super) struct Procedure {
    pub(super) frame: Frame,
    pub(super) body: Step,
}

/// The code of a function value.
pub(super) struct Lambda {
    pub(super) captures: Vec<(usize, Shape)>,
    pub(super) recursive: bool,
    pub(super) frame: Frame,
    pub(super) body: Body,
    /// Must it remember the state in which it was made? Only where a procedure may call it later, in another one.
    pub(super) remembers: bool,
}

/// A function value: its code and what it captured.
pub struct Closure {
    pub(super) code: Arc<Lambda>,
    captured: Vec<Value>,
    state: Option<State>,
}

impl fmt::Debug for Closure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Closure").field("captured", &self.captured).finish_non_exhaustive()
    }
}

/// An argument: code, and where its value goes.
pub(super) enum Arg {
    /// Into a word slot.
    Word(Word),
    /// Into any other slot.
    Other(Other),
}

impl Arg {
    /// Evaluates in the frame in force and writes into slot `at` of all frames.
    #[inline]
    pub(super) fn pass(&self, m: &mut Machine<'_>, at: usize, span: Span) -> Outcome<()> {
        match self {
            Arg::Word(code) => {
                let word = code.get(m)?;
                m.words[at] = word;
            }
            Arg::Other(code) => {
                let value = code.get(m, span)?;
                m.others[at] = value;
            }
        }
        Ok(())
    }

    /// The value itself, for the host.
    pub(super) fn value(&self, m: &mut Machine<'_>, span: Span) -> Outcome<Value> {
        match self {
            Arg::Word(code) => Ok(Value::Word(code.get(m)?)),
            Arg::Other(code) => code.get(m, span),
        }
    }
}

impl Lambda {
    /// Makes the function value in the frame in force.
    pub(super) fn close(self: &Arc<Lambda>, m: &Machine<'_>) -> Value {
        let captured = self
            .captures
            .iter()
            .map(|&(slot, shape)| match shape {
                Shape::Word => Value::Word(m.local(slot)),
                _ => m.others[m.base + slot].clone(),
            })
            .collect();
        let state = self.remembers.then(|| m.state.clone());
        Value::Function(Arc::new(Closure { code: Arc::clone(self), captured, state }))
    }
}

/// Calls a function value: the frame is reserved, filled with what was captured, itself and the arguments; then `run` runs in it.
pub(super) fn apply<T>(
    m: &mut Machine<'_>,
    closure: &Arc<Closure>,
    args: &[Arg],
    span: Span,
    run: impl FnOnce(&mut Machine<'_>, &Body) -> Outcome<T>,
) -> Outcome<T> {
    let code = &closure.code;
    let base = m.reserve(&code.frame, span)?;
    let mut at = base;
    for value in &closure.captured {
        match value {
            Value::Word(word) => m.words[at] = *word,
            other => m.others[at] = other.clone(),
        }
        at += 1;
    }
    if code.recursive {
        m.others[at] = Value::Function(Arc::clone(closure));
        at += 1;
    }
    for arg in args {
        arg.pass(m, at, span)?;
        at += 1;
    }
    let caller = std::mem::replace(&mut m.base, base);
    let result = match &closure.state {
        None => run(m, &code.body),
        Some(then) => {
            m.spend(then.rows.iter().map(|row| row.len() as u64 / 8).sum(), span)?;
            let now = std::mem::replace(&mut m.state, then.clone());
            let result = run(m, &code.body);
            m.state = now;
            result
        }
    };
    m.base = caller;
    m.release(base, &code.frame);
    result
}

//! The fast evaluator. The typed program becomes closures over slots: no names, no tags on the hot path. A value that fits a machine word is one
//! (a set of flowers is its bits), maps and arrays of such are rows of words, and a few patterns of the language become bit operations
//! (the module `patterns`). It agrees with the reference interpreter of [`crate::core`] in values, faults and the order of both.
//!
//! Fuel and depth are limited: a run that does not end, or recurses too deeply, ends with a fault.
//!
//! ```
//! use hana_lang::compiled::{Compiled, Kind, Limits, Nobody};
//! use hana_lang::core::House;
//! use hana_lang::types::check_source;
//!
//! let source = "program SUM; var n, s : Int; while n < 10 do begin n := n + 1; s := s + n end.";
//! let program = Compiled::new(&check_source(source).unwrap(), House::default())?;
//! let ran = program.run(&mut Nobody, Limits::default()).unwrap();
//! let (_, s) = program.var("s").unwrap();
//! assert_eq!(ran.state.word(s), Some(55));
//!
//! let source = "program BAD; var a : array [1..3] of Int; a(4) := 1.";
//! let program = Compiled::new(&check_source(source).unwrap(), House::default())?;
//! let fault = program.run(&mut Nobody, Limits::default()).unwrap_err();
//! assert_eq!(fault.kind, Kind::Index { index: 4, low: 1, high: 3 });
//! assert_eq!(fault.span.text(source), "a(4) := 1");
//! # Ok::<(), kachi_core::Error>(())
//! ```

mod compile;
pub mod exchange;
pub mod fault;
mod function;
mod machine;
mod others;
mod patterns;
mod sets;
mod steps;
pub mod value;
mod words;

use self::compile::Compiler;
use self::function::Body;
use self::machine::{Frame, Machine, Step};
use crate::core::value::House;
use crate::syntax::Span;
use crate::types::ty::Ty;
use crate::types::typed::{Function, Oracle, Program, Stmt, StmtKind, Var};
use kachi_core::Error;

pub use self::fault::{Fault, Kind};
pub use self::function::Closure;
pub use self::machine::{Cell, Limits, Nobody, Oracles, Question, State};
pub use self::value::Value;

/// A program ready to run, for one house.
pub struct Compiled {
    house: House,
    vars: Vec<(Var, Cell)>,
    oracles: Vec<Oracle>,
    start: State,
    body: Step,
    frame: Frame,
    span: Span,
}

/// How a run ended.
#[derive(Debug, Clone)]
pub struct Ran {
    /// The state at the end.
    pub state: State,
    /// Steps taken.
    pub steps: u64,
}

impl Compiled {
    /// Compiles a program for a house.
    ///
    /// # Errors
    /// `bad_seats`, `too_large` if its variables have too many members, `too_deep` if something is nested beyond the limit.
    pub fn new(program: &Program, house: House) -> Result<Compiled, Error> {
        Compiled::with(program, house, true)
    }

    /// The same without recognised patterns: everything takes the general path. For tests and for comparison.
    ///
    /// # Errors
    /// As [`Compiled::new`].
    pub fn plain(program: &Program, house: House) -> Result<Compiled, Error> {
        Compiled::with(program, house, false)
    }

    fn with(program: &Program, house: House, recognise: bool) -> Result<Compiled, Error> {
        let (mut compiler, start) = Compiler::new(program, house, recognise)?;
        let (body, frame) = compiler.framed(&[], program.slots, |compiler| compiler.step(&program.body));
        compiler.check()?;
        Ok(Compiled {
            house,
            vars: program.vars.iter().cloned().zip(compiler.cells).collect(),
            oracles: program.oracles.clone(),
            start,
            body,
            frame,
            span: program.body.span,
        })
    }

    /// Runs the program from its initial state.
    ///
    /// # Errors
    /// The fault that ended it.
    pub fn run(&self, oracles: &mut dyn Oracles, limits: Limits) -> Result<Ran, Fault> {
        let mut m = Machine::new(self.start.clone(), limits, oracles);
        let result = m.reserve(&self.frame, self.span).and_then(|_| (self.body)(&mut m));
        match result {
            Ok(()) => Ok(Ran { steps: limits.fuel - m.fuel(), state: m.state }),
            Err(fault) => Err(*fault),
        }
    }

    /// The house it was compiled for.
    #[must_use]
    pub fn house(&self) -> &House {
        &self.house
    }

    /// The oracles it asks, in order.
    #[must_use]
    pub fn oracles(&self) -> &[Oracle] {
        &self.oracles
    }

    /// The variables and where they live in a [`State`], in order.
    #[must_use]
    pub fn vars(&self) -> &[(Var, Cell)] {
        &self.vars
    }

    /// A variable by its name: its type and where it lives.
    #[must_use]
    pub fn var(&self, name: &str) -> Option<(&Ty, Cell)> {
        self.vars.iter().find(|(var, _)| var.name == name).map(|(var, cell)| (&var.ty, *cell))
    }
}

/// A program that does nothing, in which expressions can be evaluated.
fn nothing() -> Program {
    Program {
        name: String::new(),
        vars: Vec::new(),
        consts: Vec::new(),
        oracles: Vec::new(),
        functions: Vec::new(),
        procedures: Vec::new(),
        order: Vec::new(),
        body: Stmt { kind: StmtKind::Skip, span: Span::default() },
        slots: 0,
    }
}

/// The value of an expression, as [`crate::types::check_expression`] gives it, in the initial state of a program.
///
/// # Errors
/// As [`Compiled::new`], or the fault, with its place in the expression.
pub fn evaluate(
    it: &Function,
    within: Option<&Program>,
    house: House,
    limits: Limits,
) -> Result<Value, Error> {
    let empty = nothing();
    let (mut compiler, start) = Compiler::new(within.unwrap_or(&empty), house, true)?;
    let (body, frame) = compiler.framed(&[], it.slots, |compiler| compiler.body(&it.body));
    compiler.check()?;
    let mut nobody = Nobody;
    let mut m = Machine::new(start, limits, &mut nobody);
    let value = m.reserve(&frame, it.span).and_then(|_| match &body {
        Body::Word(code) => Ok(Value::Word(code.get(&mut m)?)),
        Body::Other(code) => code.get(&mut m, it.span),
    });
    value.map_err(|fault| fault.to_error())
}

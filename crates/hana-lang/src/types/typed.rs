//! The typed, resolved program: what the checker makes of a syntax tree and what the elaborator and the compiled evaluator read.
//!
//! Names are gone: variables, constants, oracles, functions and procedures are indices into the tables of [`Program`]; parameters and bound
//! names are slots of a *frame*. Every function, procedure, constant and the main statement has one frame; its parameters are slots
//! `0..n`, bound names (`let`, comprehensions, quantifiers, sums, `map x : T`) follow, and slots of finished scopes are used again. A
//! `lambda` has a frame of its own: first the captured values, then itself if it stands under `fix`, then its parameters.
//! Every expression has its type and its place in the source. No [`Ty::Open`] is left in it.
//!
//! The types of all nodes have been checked, so an evaluator may rely on them; what can still go wrong while running (an index out of range,
//! overflow, division by zero, a failed assert, an oracle's answer) is a fault at the span of the node.

use super::builtins::{Builtin, Given};
use super::ty::Ty;
use crate::syntax::Span;
use crate::syntax::ast::{Extreme, Quantifier};
use hana::Card;
use std::sync::Arc;

/// A slot of the frame in force.
pub type Slot = usize;

/// A program that has passed the checker.
#[derive(Debug, Clone, PartialEq)]
pub struct Program {
    /// What it is called.
    pub name: String,
    /// The variables: the fields of the state, in order.
    pub vars: Vec<Var>,
    /// The constants, in order; each may use those before it.
    pub consts: Vec<Const>,
    /// The oracles: the fields of X.
    pub oracles: Vec<Oracle>,
    /// The functions, in order; each may use those before it.
    pub functions: Vec<Function>,
    /// The procedures, in order; each may use those before it.
    pub procedures: Vec<Procedure>,
    /// All declarations in the order of the source: the only references are to earlier ones.
    pub order: Vec<Item>,
    /// What the program does.
    pub body: Stmt,
    /// Slots of the main statement's frame.
    pub slots: usize,
}

/// An entry of one of the tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Item {
    /// `vars[i]`
    Var(usize),
    /// `consts[i]`
    Const(usize),
    /// `oracles[i]`
    Oracle(usize),
    /// `functions[i]`
    Function(usize),
    /// `procedures[i]`
    Procedure(usize),
}

/// A variable. At the start it is 0, false, an empty set or sequence, the first element, or a map or array of these.
#[derive(Debug, Clone, PartialEq)]
pub struct Var {
    /// Its name.
    pub name: String,
    /// Its type, without functions.
    pub ty: Ty,
    /// Where it is declared.
    pub span: Span,
}

/// A constant. Its value depends on the host's constants at most, never on the state or an oracle.
#[derive(Debug, Clone, PartialEq)]
pub struct Const {
    /// Its name.
    pub name: String,
    /// Its value.
    pub value: Expr,
    /// Slots of its frame.
    pub slots: usize,
    /// Where it is declared.
    pub span: Span,
}

/// A parameter.
#[derive(Debug, Clone, PartialEq)]
pub struct Param {
    /// Its name.
    pub name: String,
    /// Its type.
    pub ty: Ty,
    /// Where it stands.
    pub span: Span,
}

/// An oracle: a question to the host. Parameters and answer hold no functions.
#[derive(Debug, Clone, PartialEq)]
pub struct Oracle {
    /// Its name.
    pub name: String,
    /// What it is asked with.
    pub params: Vec<Param>,
    /// The type of the answer.
    pub result: Ty,
    /// Where it is declared.
    pub span: Span,
}

/// A function.
#[derive(Debug, Clone, PartialEq)]
pub struct Function {
    /// Its name.
    pub name: String,
    /// Its parameters, slots `0..n` of its frame.
    pub params: Vec<Param>,
    /// Its value.
    pub body: Expr,
    /// Slots of its frame.
    pub slots: usize,
    /// What its value depends on besides the arguments.
    pub reads: Reads,
    /// Where it is declared.
    pub span: Span,
}

/// A procedure.
#[derive(Debug, Clone, PartialEq)]
pub struct Procedure {
    /// Its name.
    pub name: String,
    /// Its value parameters, slots `0..n` of its frame.
    pub params: Vec<Param>,
    /// What it does.
    pub body: Stmt,
    /// Slots of its frame.
    pub slots: usize,
    /// Where it is declared.
    pub span: Span,
}

/// What a value depends on besides its arguments.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Reads {
    /// Variables.
    pub state: bool,
    /// Oracles (which see the state too).
    pub oracles: bool,
}

/// A statement.
#[derive(Debug, Clone, PartialEq)]
pub struct Stmt {
    /// Which.
    pub kind: StmtKind,
    /// Its place.
    pub span: Span,
}

/// The statements.
#[derive(Debug, Clone, PartialEq)]
pub enum StmtKind {
    /// `[]`
    Skip,
    /// One after the other.
    Block(Vec<Stmt>),
    /// `if b then S else R`; without `else` nothing happens.
    If(Expr, Box<Stmt>, Option<Box<Stmt>>),
    /// `while b do S`
    While(Expr, Box<Stmt>),
    /// `assert b`
    Assert(Expr),
    /// `vars[var] := value`
    Assign {
        /// Index of the variable.
        var: usize,
        /// The new value.
        value: Expr,
    },
    /// `vars[var](index) := value`: of a map or an array. Index first, then value, then the range is checked.
    Update {
        /// Index of the variable.
        var: usize,
        /// Which element.
        index: Expr,
        /// The new value.
        value: Expr,
    },
    /// `procedures[procedure](args)`
    Perform {
        /// Index of the procedure.
        procedure: usize,
        /// The arguments, evaluated from left to right.
        args: Vec<Expr>,
    },
}

/// An expression with its type.
#[derive(Debug, Clone, PartialEq)]
pub struct Expr {
    /// Which.
    pub kind: ExprKind,
    /// Its type.
    pub ty: Ty,
    /// Its place.
    pub span: Span,
}

/// The expressions.
#[derive(Debug, Clone, PartialEq)]
pub enum ExprKind {
    /// A number.
    Int(i64),
    /// A flower.
    Flower(Card),
    /// A truth value.
    Bool(bool),
    /// A constant of the host: `SEATS`, `KAN`, `MONTHS`, `table`, `YAMA`.
    Given(Given),
    /// A slot of the frame.
    Local(Slot),
    /// `vars[i]` in the state.
    Var(usize),
    /// `consts[i]`
    Const(usize),
    /// `functions[i](args)`
    Call(usize, Vec<Expr>),
    /// `oracles[i](args)`: asks the host.
    Ask(usize, Vec<Expr>),
    /// A built-in function.
    Builtin(Builtin, Vec<Expr>),
    /// A function value and its arguments, evaluated in that order.
    Apply(Box<Expr>, Vec<Expr>),
    /// An element of a map, array or sequence: the type of the first tells which.
    Index(Box<Expr>, Box<Expr>),
    /// `not e`
    Not(Box<Expr>),
    /// `-e`
    Negate(Box<Expr>),
    /// An operator.
    Binary(Op, Box<Expr>, Box<Expr>),
    /// `if b then e else e`
    If(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `let x = e in e`
    Let {
        /// x.
        bound: Bound,
        /// The value.
        value: Box<Expr>,
        /// Where it is used.
        body: Box<Expr>,
    },
    /// `lambda (params) . e`, also under `fix`, and a named function used as a value. It sees the state in which it is evaluated.
    Lambda(Arc<Lambda>),
    /// `map x : T => e`, for every element of a finite type in ascending order.
    Tabulate {
        /// x.
        bound: Bound,
        /// The finite type.
        domain: Ty,
        /// The value at x.
        body: Box<Expr>,
    },
    /// `E x in S [b]`, `A x in S [b]`: in ascending order, stops at the first that decides.
    Quantified {
        /// Some or all.
        quantifier: Quantifier,
        /// x.
        bound: Bound,
        /// The set.
        over: Box<Expr>,
        /// The test.
        body: Box<Expr>,
    },
    /// `sum x in S of e`, in ascending order.
    Sum {
        /// x.
        bound: Bound,
        /// The set.
        over: Box<Expr>,
        /// What is added.
        body: Box<Expr>,
    },
    /// `max{..}`, `min{..}` of at least one number.
    Extreme(Extreme, Vec<Expr>),
    /// `{e, .., e}`
    Set(Vec<Expr>),
    /// `{x in S | b}`, `{x : T | b}`, in ascending order.
    Filter {
        /// x.
        bound: Bound,
        /// What x ranges over.
        over: Source,
        /// The test.
        body: Box<Expr>,
    },
}

/// A bound name and the slot it lives in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bound {
    /// The slot.
    pub slot: Slot,
    /// The name, for printing only.
    pub name: String,
}

/// What a comprehension ranges over.
#[derive(Debug, Clone, PartialEq)]
pub enum Source {
    /// A set.
    Set(Box<Expr>),
    /// All of a finite type.
    All(Ty),
}

/// A function value. Its frame: `captures[i].outer` of the frame around is copied to slot `i`; then, under `fix`, the function itself; then
/// the parameters; then what its body binds.
#[derive(Debug, Clone, PartialEq)]
pub struct Lambda {
    /// Slots of the surrounding frame that the body uses, in order; copied to slots `0..captures.len()`.
    pub captures: Vec<Slot>,
    /// Under `fix`: the name for itself, kept in slot `captures.len()`.
    pub itself: Option<String>,
    /// The parameters, in the slots that follow.
    pub params: Vec<Param>,
    /// The value.
    pub body: Expr,
    /// Slots of its frame.
    pub slots: usize,
    /// What its value depends on besides the arguments and captures.
    pub reads: Reads,
}

/// The operators, told apart by type. `&` and `or` stop early; all others evaluate left, then right.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Op {
    /// `or`
    Or,
    /// `&`
    And,
    /// `=` at any type without functions
    Equal,
    /// `<>`
    Unequal,
    /// `<` of numbers
    Less,
    /// `>` of numbers
    Greater,
    /// `<=` of numbers
    AtMost,
    /// `>=` of numbers
    AtLeast,
    /// `<=` of sets
    Subset,
    /// `in`
    In,
    /// `join`
    Join,
    /// `minus`
    Minus,
    /// `meet`
    Meet,
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `*`
    Multiply,
    /// `div`, floored
    Div,
    /// `mod`, floored
    Mod,
}

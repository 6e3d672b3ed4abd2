//! From the typed program to code. Declarations are compiled in order, so a call holds the code it calls; constants are evaluated at once.

use super::fault::{Fault, Outcome};
use super::function::{Arg, Body, Function, Lambda, Procedure};
use super::machine::{Cell as Place, Frame, Limits, Machine, Nobody, State, Word};
use super::value::{Shape, Value, initial, shape};
use crate::core::value::House;
use crate::syntax::Span;
use crate::types::ty::Ty;
use crate::types::typed::{Expr, Item, Lambda as TypedLambda, Param, Program};
use kachi_core::Error;
use std::cell::Cell;
use std::sync::Arc;

/// Members of all variables together.
const MOST_MEMBERS: usize = 1 << 20;
/// The deepest expression or statement that is compiled.
const DEEPEST: u32 = 1_000;
/// The most seats for which a set of places is one word.
const MOST_SEATS: u8 = 20;

/// The compiler: what has been compiled so far.
pub(super) struct Compiler<'p> {
    pub(super) program: &'p Program,
    pub(super) house: House,
    /// Are known patterns replaced by faster code?
    pub(super) recognise: bool,
    /// May a procedure be given a function? Then functions remember the state they were made in.
    remembers: bool,
    pub(super) cells: Vec<Place>,
    consts: Vec<Result<Value, Fault>>,
    pub(super) functions: Vec<Arc<Function>>,
    pub(super) procedures: Vec<Arc<Procedure>>,
    /// How the slots of the frame in force are kept.
    pub(super) slots: Vec<Shape>,
    depth: u32,
    deepest: u32,
    /// Parts compiled so far.
    size: u64,
    too_deep: Option<Span>,
    /// Steps that may still be taken while compiling, so that hostile constants cannot make it last.
    steps: StepsLeft,
}

/// Steps that are left for constants, and for tables of patterns.
struct StepsLeft {
    consts: Cell<u64>,
    tables: Cell<u64>,
}

/// Steps that all constants together, and all tables together, may take.
const MOST_STEPS: u64 = 10_000_000;
/// Steps for one table.
const TABLE_STEPS: u64 = 100_000;

/// The state at the start and where each variable lives in it.
fn layout(program: &Program, house: &House) -> Result<(State, Vec<Place>), Error> {
    let mut state = State::default();
    let mut cells = Vec::new();
    let mut left = MOST_MEMBERS;
    for var in &program.vars {
        let value = initial(&var.ty, usize::from(house.seats), left).ok_or_else(|| {
            Error::too_large(&format!("members of {}", var.name), "more", left).at_text(var.span.range())
        })?;
        left -= value.len().min(left);
        cells.push(match value {
            Value::Word(word) => {
                state.words.push(word);
                Place::Word(state.words.len() - 1)
            }
            Value::Row(row) => {
                state.rows.push(row.to_vec());
                Place::Row(state.rows.len() - 1)
            }
            other => {
                state.others.push(other);
                Place::Other(state.others.len() - 1)
            }
        });
    }
    Ok((state, cells))
}

impl<'p> Compiler<'p> {
    /// Compiles all declarations. Gives the compiler, for what is to follow, and the state at the start.
    pub(super) fn new(program: &'p Program, house: House, recognise: bool) -> Result<(Self, State), Error> {
        if !(1..=MOST_SEATS).contains(&house.seats) {
            let message = format!("{} seats; there can be from 1 to {MOST_SEATS}", house.seats);
            return Err(Error::new("bad_seats", message).at_field("seats"));
        }
        let (state, cells) = layout(program, &house)?;
        let remembers = program
            .procedures
            .iter()
            .any(|procedure| procedure.params.iter().any(|param| param.ty.has_function()));
        let mut compiler = Compiler {
            program,
            house,
            recognise,
            remembers,
            cells,
            consts: Vec::new(),
            functions: Vec::new(),
            procedures: Vec::new(),
            slots: Vec::new(),
            depth: 0,
            deepest: 0,
            size: 0,
            too_deep: None,
            steps: StepsLeft { consts: Cell::new(MOST_STEPS), tables: Cell::new(MOST_STEPS) },
        };
        for item in &program.order {
            compiler.item(*item);
        }
        compiler.check()?;
        Ok((compiler, state))
    }

    /// Was anything nested too deeply?
    pub(super) fn check(&self) -> Result<(), Error> {
        match self.too_deep {
            None => Ok(()),
            Some(span) => {
                Err(Error::new("too_deep", format!("more than {DEEPEST} levels inside each other"))
                    .at_text(span.range())
                    .hint("give parts of it a name with a function or `let`"))
            }
        }
    }

    fn item(&mut self, item: Item) {
        match item {
            Item::Var(_) | Item::Oracle(_) => {}
            Item::Const(i) => {
                let declared = &self.program.consts[i];
                let (body, frame) =
                    self.framed(&[], declared.slots, |compiler| compiler.body(&declared.value));
                let value = self.evaluate(&body, &frame, declared.span);
                self.consts.push(value.map_err(|fault| *fault));
            }
            Item::Function(i) => {
                let declared = &self.program.functions[i];
                let (body, frame) =
                    self.framed(&declared.params, declared.slots, |compiler| compiler.body(&declared.body));
                self.functions.push(Arc::new(Function { frame, body }));
            }
            Item::Procedure(i) => {
                let declared = &self.program.procedures[i];
                let (body, frame) =
                    self.framed(&declared.params, declared.slots, |compiler| compiler.step(&declared.body));
                self.procedures.push(Arc::new(Procedure { frame, body }));
            }
        }
    }

    /// Compiles something in a frame of its own; gives it with its depth.
    pub(super) fn framed<T>(
        &mut self,
        params: &[Param],
        slots: usize,
        compile: impl FnOnce(&mut Self) -> T,
    ) -> (T, Frame) {
        let mut shapes: Vec<Shape> = params.iter().map(|param| shape(&param.ty)).collect();
        shapes.resize(slots.max(shapes.len()), Shape::Word);
        self.in_frame(shapes, compile)
    }

    fn in_frame<T>(&mut self, shapes: Vec<Shape>, compile: impl FnOnce(&mut Self) -> T) -> (T, Frame) {
        let outer = std::mem::replace(&mut self.slots, shapes);
        let (depth, deepest, size) = (self.depth, self.deepest, self.size);
        self.deepest = self.depth;
        let compiled = compile(self);
        let frame =
            Frame { slots: self.slots.len(), height: self.deepest - depth + 1, cost: self.size - size + 1 };
        self.slots = outer;
        self.deepest = deepest.max(self.deepest);
        (compiled, frame)
    }

    /// Goes one level down, unless it is too deep: then `otherwise` stands for the part, and the whole is refused.
    pub(super) fn nested<T>(
        &mut self,
        span: Span,
        otherwise: impl FnOnce() -> T,
        compile: impl FnOnce(&mut Self) -> T,
    ) -> T {
        if self.depth >= DEEPEST {
            self.too_deep = self.too_deep.or(Some(span));
            return otherwise();
        }
        self.depth += 1;
        self.size += 1;
        self.deepest = self.deepest.max(self.depth);
        let compiled = compile(self);
        self.depth -= 1;
        compiled
    }

    /// Compiles something that will run many times; gives it with its size, which each time costs.
    pub(super) fn costed<T>(&mut self, compile: impl FnOnce(&mut Self) -> T) -> (T, u64) {
        let size = self.size;
        let compiled = compile(self);
        (compiled, self.size - size)
    }

    /// A body of any type.
    pub(super) fn body(&mut self, expr: &Expr) -> Body {
        match shape(&expr.ty) {
            Shape::Word => Body::Word(self.word(expr)),
            _ => Body::Other(self.other(expr)),
        }
    }

    /// An argument of any type.
    pub(super) fn arg(&mut self, expr: &Expr) -> Arg {
        match shape(&expr.ty) {
            Shape::Word => Arg::Word(self.word(expr)),
            _ => Arg::Other(self.other(expr)),
        }
    }

    pub(super) fn args(&mut self, exprs: &[Expr]) -> Box<[Arg]> {
        exprs.iter().map(|expr| self.arg(expr)).collect()
    }

    /// The value of a constant, or the fault that it is.
    pub(super) fn constant(&self, i: usize) -> Result<Value, Fault> {
        self.consts.get(i).cloned().unwrap_or(Ok(Value::Word(0)))
    }

    /// Binds a slot of the frame to a value of this type.
    pub(super) fn bind(&mut self, slot: usize, ty: &Ty) {
        if slot >= self.slots.len() {
            self.slots.resize(slot + 1, Shape::Word);
        }
        self.slots[slot] = shape(ty);
    }

    /// A function value.
    pub(super) fn lambda(&mut self, lambda: &TypedLambda) -> Arc<Lambda> {
        let captures: Vec<(usize, Shape)> = lambda
            .captures
            .iter()
            .map(|&slot| (slot, self.slots.get(slot).copied().unwrap_or(Shape::Word)))
            .collect();
        let mut shapes: Vec<Shape> = captures.iter().map(|&(_, shape)| shape).collect();
        if lambda.itself.is_some() {
            shapes.push(Shape::Function);
        }
        shapes.extend(lambda.params.iter().map(|param| shape(&param.ty)));
        let slots = lambda.slots.max(shapes.len());
        shapes.resize(slots, Shape::Word);
        let (body, frame) = self.in_frame(shapes, |compiler| compiler.body(&lambda.body));
        let remembers = self.remembers && (lambda.reads.state || lambda.reads.oracles);
        Arc::new(Lambda { captures, recursive: lambda.itself.is_some(), frame, body, remembers })
    }

    /// Runs code that needs neither state nor oracles.
    pub(super) fn evaluate(&self, body: &Body, frame: &Frame, span: Span) -> Outcome<Value> {
        let limits = Limits { fuel: self.steps.consts.get(), ..Limits::default() };
        let mut nobody = Nobody;
        let mut m = Machine::new(State::default(), limits, &mut nobody);
        m.reserve(frame, span)?;
        let value = match body {
            Body::Word(code) => code.get(&mut m).map(Value::Word),
            Body::Other(code) => code.get(&mut m, span),
        };
        self.steps.consts.set(m.fuel());
        value
    }

    /// The words that code gives for each of `0..count` in a slot, if it is free of faults and needs nothing else.
    pub(super) fn tabulate(&self, code: &Word, slot: usize, count: u32, span: Span) -> Option<Vec<i64>> {
        let fuel = TABLE_STEPS.min(self.steps.tables.get());
        let mut nobody = Nobody;
        let mut m = Machine::new(State::default(), Limits { fuel, ..Limits::default() }, &mut nobody);
        m.reserve(&Frame { slots: self.slots.len().max(slot + 1), height: 1, cost: 1 }, span).ok()?;
        let table = (0..count)
            .map(|element| {
                m.set_local(slot, i64::from(element));
                code.get(&mut m).ok()
            })
            .collect();
        self.steps.tables.set(self.steps.tables.get() - (fuel - m.fuel()));
        table
    }
}

//! The type checker. It resolves every name, gives every expression its type by the rules of the language, and reports each broken rule once:
//! a part that is wrong has no type, and nothing is said about what is built from it.

mod applications;
mod declarations;
mod expressions;
mod frames;
mod operators;
mod statements;
mod wording;

use super::builtins::{Builtin, Given};
use super::ty::Ty;
use super::typed::{Expr, Function, Item, Program, Reads, Stmt, StmtKind};
use super::walk;
use crate::diagnose::Diagnostic;
use crate::syntax::{self, Span, ast};
use frames::Frame;
use rustc_hash::FxHashMap;

/// Reads and checks a program.
///
/// ```
/// let program = hana_lang::types::check_source("program P; var n : Int; n := n + 1.").unwrap();
/// assert_eq!(program.vars[0].name, "n");
/// let errors = hana_lang::types::check_source("program P; var n : Int; n := n + true.").unwrap_err();
/// assert_eq!(errors[0].rule, "arithmetic");
/// ```
///
/// # Errors
/// The errors of syntax if there are any, otherwise the errors of type.
pub fn check_source(source: &str) -> Result<Program, Vec<Diagnostic>> {
    check(&syntax::parse(source)?, source)
}

/// Checks a program that has been read from this source.
///
/// # Errors
/// Every broken rule.
pub fn check(program: &ast::Program, source: &str) -> Result<Program, Vec<Diagnostic>> {
    let mut checker = Checker::new(source, &program.name.text);
    checker.program(program);
    if checker.errors.is_empty() { Ok(checker.done) } else { Err(checker.errors) }
}

/// Checks an expression that may use what a program declares; the result is a function `it` without parameters.
///
/// ```
/// let it = hana_lang::types::check_expression("sum a in {a : Flower | true} of Point(a)", None).unwrap();
/// assert_eq!(it.body.ty, hana_lang::types::Ty::Int);
/// ```
///
/// # Errors
/// Every broken rule.
pub fn check_expression(source: &str, within: Option<&Program>) -> Result<Function, Vec<Diagnostic>> {
    let expr = syntax::parse_expression(source)?;
    let mut checker = Checker::new(source, "EXPRESSION");
    if let Some(program) = within {
        checker.adopt(program);
    }
    checker.frames.push(Frame::default());
    let body = checker.expr(&expr);
    let frame = checker.frames.pop().unwrap_or_default();
    match body {
        Some(mut body) if checker.errors.is_empty() => {
            checker.close(&mut body);
            let (name, span) = ("it".to_owned(), expr.span);
            Ok(Function { name, params: Vec::new(), body, slots: frame.most, reads: frame.reads, span })
        }
        _ => Err(checker.errors),
    }
}

/// What a global name stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Meaning {
    Item(Item),
    Given(Given),
    Builtin(Builtin),
    /// Declared, but its declaration is wrong.
    Broken,
}

struct Checker<'s> {
    source: &'s str,
    done: Program,
    globals: FxHashMap<String, (Meaning, Span)>,
    frames: Vec<Frame>,
    /// What is known about the element types of empty sets.
    open: Vec<Option<Ty>>,
    /// What is being declared now.
    declaring: Option<String>,
    errors: Vec<Diagnostic>,
}

impl<'s> Checker<'s> {
    fn new(source: &'s str, name: &str) -> Checker<'s> {
        let mut globals = FxHashMap::default();
        for given in Given::ALL {
            globals.insert(given.name().to_owned(), (Meaning::Given(given), Span::default()));
        }
        for builtin in Builtin::ALL {
            globals.insert(builtin.name().to_owned(), (Meaning::Builtin(builtin), Span::default()));
        }
        let done = Program {
            name: name.to_owned(),
            vars: Vec::new(),
            consts: Vec::new(),
            oracles: Vec::new(),
            functions: Vec::new(),
            procedures: Vec::new(),
            order: Vec::new(),
            body: Stmt { kind: StmtKind::Skip, span: Span::default() },
            slots: 0,
        };
        Checker {
            source,
            done,
            globals,
            frames: Vec::new(),
            open: Vec::new(),
            declaring: None,
            errors: Vec::new(),
        }
    }

    /// Makes the declarations of a checked program known.
    fn adopt(&mut self, program: &Program) {
        self.done = program.clone();
        for &item in &program.order {
            let name = match item {
                Item::Var(i) => &program.vars[i].name,
                Item::Const(i) => &program.consts[i].name,
                Item::Oracle(i) => &program.oracles[i].name,
                Item::Function(i) => &program.functions[i].name,
                Item::Procedure(i) => &program.procedures[i].name,
            };
            // The places belong to the text of the program, not to this expression.
            self.globals.insert(name.clone(), (Meaning::Item(item), Span::default()));
        }
    }

    fn error(&mut self, error: Diagnostic) {
        self.errors.push(error);
    }

    /// The frame in force.
    fn frame(&mut self) -> &mut Frame {
        if self.frames.is_empty() {
            self.frames.push(Frame::default());
        }
        let last = self.frames.len() - 1;
        &mut self.frames[last]
    }

    fn reads(&mut self, reads: Reads, span: Span) {
        self.frame().read(reads, span);
    }

    /// The element type of an empty set, to be found out.
    fn fresh(&mut self) -> Ty {
        self.open.push(None);
        Ty::Open(u32::try_from(self.open.len() - 1).unwrap_or(u32::MAX))
    }

    /// The type with everything that is known about it filled in.
    fn known(&self, ty: &Ty) -> Ty {
        match ty {
            Ty::Open(i) => match self.open.get(*i as usize) {
                Some(Some(found)) => self.known(found),
                _ => ty.clone(),
            },
            Ty::Set(inner) => self.known(inner).set(),
            Ty::Seq(inner) => self.known(inner).seq(),
            Ty::Map(from, to) => Ty::Map(self.known(from).into(), self.known(to).into()),
            Ty::Array(low, high, inner) => Ty::Array(*low, *high, self.known(inner).into()),
            Ty::Function(from, to) => {
                Ty::function(from.iter().map(|ty| self.known(ty)).collect(), self.known(to))
            }
            Ty::Bool | Ty::Int | Ty::Flower | Ty::Place => ty.clone(),
        }
    }

    /// Makes two types the same if they can be.
    fn unify(&mut self, a: &Ty, b: &Ty) -> bool {
        let (a, b) = (self.known(a), self.known(b));
        match (&a, &b) {
            _ if a == b => true,
            (Ty::Open(i), other) | (other, Ty::Open(i)) => {
                let base = other.is_base();
                if base && let Some(slot) = self.open.get_mut(*i as usize) {
                    *slot = Some(other.clone());
                }
                base
            }
            (Ty::Set(a), Ty::Set(b)) | (Ty::Seq(a), Ty::Seq(b)) => self.unify(a, b),
            (Ty::Map(a, x), Ty::Map(b, y)) => self.unify(a, b) && self.unify(x, y),
            (Ty::Array(l, h, a), Ty::Array(m, i, b)) => l == m && h == i && self.unify(a, b),
            (Ty::Function(from, to), Ty::Function(other, result)) => {
                from.len() == other.len()
                    && from.iter().zip(other.iter()).all(|(a, b)| self.unify(a, b))
                    && self.unify(to, result)
            }
            _ => false,
        }
    }

    /// The type without anything open: the empty set that nothing is known about is one of flowers.
    fn closed(&self, ty: &Ty) -> Ty {
        match self.known(ty) {
            Ty::Open(_) => Ty::Flower,
            Ty::Set(inner) => self.closed(&inner).set(),
            Ty::Seq(inner) => self.closed(&inner).seq(),
            Ty::Map(from, to) => Ty::Map(self.closed(&from).into(), self.closed(&to).into()),
            Ty::Array(low, high, inner) => Ty::Array(low, high, self.closed(&inner).into()),
            Ty::Function(from, to) => {
                Ty::function(from.iter().map(|ty| self.closed(ty)).collect(), self.closed(&to))
            }
            base => base,
        }
    }

    fn close(&self, expr: &mut Expr) {
        walk::retype(expr, &|ty| self.closed(ty));
    }

    fn close_stmt(&self, stmt: &mut Stmt) {
        walk::retype_stmt(stmt, &|ty| self.closed(ty));
    }
}

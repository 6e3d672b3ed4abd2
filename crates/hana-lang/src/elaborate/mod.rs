//! From the typed program to a term of the core: every statement becomes a function from states to states, every expression a term in the
//! state at hand, and the program a term of type Oracle -> State -> State.
//!
//! ```text
//! [[ [] ]]           = lambda s. s
//! [[ v := e ]]       = lambda s. s{v = [e]s}            [[ v(i) := e ]] = lambda s. s{v = upd(s.v, [i]s, [e]s)}
//! [[ S1; S2 ]]       = lambda s. [[S2]]([[S1]](s))
//! [[ if b then S else R ]] = lambda s. if [b]s then [[S]](s) else [[R]](s)
//! [[ while b do S ]] = fix w. lambda s. if [b]s then w([[S]](s)) else s
//! [[ assert b ]]     = lambda s. if [b]s then s else Err
//! [[ p(e1..en) ]]    = lambda s. p([e1]s, .., [en]s)(s)   where p = lambda (x1..xn). [[body]]
//! program            = lambda X. lambda s0. [[body]](s0)
//! ```
//!
//! A block of more than two statements nests to the right: `S1; (S2; S3)`. Functions and procedures stay definitions of the module; they take
//! the oracles `X` and the state `s` only if they need them.

mod expressions;
mod scope;
mod statements;

pub use statements::asserted;

use crate::core::{Definition, Hint, Module, Name, Term, Ty as CoreTy, term::DEPTH_LIMIT};
use crate::diagnose::Diagnostic;
use crate::syntax::Span;
use crate::types::ty::Ty;
use crate::types::typed::{Function, Item, Param, Procedure, Program};
use scope::Scope;
use std::cell::Cell;

/// The program as a module of the core.
///
/// ```
/// let program = hana_lang::types::check_source("program P; var n : Int; n := n + 1.").unwrap();
/// let module = hana_lang::elaborate::elaborate(&program).unwrap();
/// assert_eq!(module.main.to_string(), "lambda (X : {}). lambda (s0 : {n : Int}). let s : {n : Int} = s0 in s{n = s.n + 1}");
/// hana_lang::core::check_module(&module).unwrap();
/// ```
///
/// # Errors
/// `limit` where a block is so long or an expression so deep that its term would exceed the limit of the core.
pub fn elaborate(program: &Program) -> Result<Module, Vec<Diagnostic>> {
    let elaborator = Elaborator::new(program);
    let definitions = elaborator.definitions()?;
    let main = elaborator.main()?;
    elaborator.bounded()?;
    Ok(Module::new(program.name.as_str(), elaborator.state, elaborator.oracle, definitions, main))
}

/// An expression that may use what a program declares, as a term over the program's module: `lambda (X, s). value`, with `X` and `s` only if
/// they are needed, as for a function.
///
/// # Errors
/// `limit`, as for programs.
pub fn elaborate_expression(program: &Program, it: &Function) -> Result<Term, Vec<Diagnostic>> {
    let elaborator = Elaborator::new(program);
    let term = elaborator.function(it);
    shallow(term, it.span).map(|term| if it.reads.state { term } else { Term::app(term, []) })
}

/// The core's name for a type. Nothing open is left after checking.
#[must_use]
pub fn core_type(ty: &Ty) -> CoreTy {
    match ty {
        Ty::Bool => CoreTy::Bool,
        Ty::Int => CoreTy::Int,
        Ty::Flower | Ty::Open(_) => CoreTy::Flower,
        Ty::Place => CoreTy::Place,
        Ty::Set(inner) => CoreTy::set(core_type(inner)),
        Ty::Seq(inner) => CoreTy::seq(core_type(inner)),
        Ty::Map(from, to) => CoreTy::map(core_type(from), core_type(to)),
        Ty::Array(low, high, inner) => CoreTy::array(*low, *high, core_type(inner)),
        Ty::Function(from, to) => CoreTy::fun(from.iter().map(core_type), core_type(to)),
    }
}

fn deep(depth: u32, span: Span) -> Diagnostic {
    let message =
        format!("this makes a core term {depth} or more levels deep, and the limit is {DEPTH_LIMIT}");
    Diagnostic::new("limit", span, message).hint("divide the block into procedures")
}

fn shallow(term: Term, span: Span) -> Result<Term, Vec<Diagnostic>> {
    if term.too_deep() { Err(vec![deep(term.depth(), span)]) } else { Ok(term) }
}

struct Elaborator<'p> {
    program: &'p Program,
    state: CoreTy,
    oracle: CoreTy,
    /// Which procedures ask oracles, directly or not.
    asking: Vec<bool>,
    /// Where the binders became too many; set while walking, told at the end.
    too_deep: Cell<Option<Span>>,
}

impl<'p> Elaborator<'p> {
    fn new(program: &'p Program) -> Elaborator<'p> {
        let state = CoreTy::record(
            program.vars.iter().map(|var| (Name::from(var.name.as_str()), core_type(&var.ty))),
        );
        let oracle = CoreTy::record(program.oracles.iter().map(|oracle| {
            let from =
                std::iter::once(state.clone()).chain(oracle.params.iter().map(|param| core_type(&param.ty)));
            (Name::from(oracle.name.as_str()), CoreTy::fun(from, core_type(&oracle.result)))
        }));
        let mut elaborator =
            Elaborator { program, state, oracle, asking: Vec::new(), too_deep: Cell::new(None) };
        for procedure in &program.procedures {
            let asks = elaborator.asks(procedure);
            elaborator.asking.push(asks);
        }
        elaborator
    }

    /// Does a procedure ask an oracle? Only earlier procedures can be called in it.
    fn asks(&self, procedure: &Procedure) -> bool {
        use crate::types::typed::{ExprKind, StmtKind};
        let mut found = false;
        procedure.body.each(&mut |stmt| {
            if let StmtKind::Perform { procedure, .. } = stmt.kind {
                found |= self.asking.get(procedure).copied().unwrap_or(false);
            }
            for expr in stmt.exprs() {
                expr.each(&mut |expr| match expr.kind {
                    ExprKind::Ask(..) => found = true,
                    ExprKind::Call(function, _) => found |= self.program.functions[function].reads.oracles,
                    _ => {}
                });
            }
        });
        found
    }

    /// No part went too deep.
    fn bounded(&self) -> Result<(), Vec<Diagnostic>> {
        self.too_deep.get().map_or(Ok(()), |span| Err(vec![deep(DEPTH_LIMIT, span)]))
    }

    fn definitions(&self) -> Result<Vec<Definition>, Vec<Diagnostic>> {
        let mut definitions = Vec::new();
        let mut define = |name: &str, ty: CoreTy, body: Term, span: Span| {
            definitions.push(Definition { name: name.into(), ty, body: shallow(body, span)? });
            Ok::<(), Vec<Diagnostic>>(())
        };
        for &item in &self.program.order {
            match item {
                Item::Var(_) | Item::Oracle(_) => {}
                Item::Const(i) => {
                    let constant = &self.program.consts[i];
                    let body = self.expr(&constant.value, &mut Scope::default());
                    define(&constant.name, core_type(&constant.value.ty), body, constant.value.span)?;
                }
                Item::Function(i) => {
                    let function = &self.program.functions[i];
                    let ty = self.function_type(function);
                    define(&function.name, ty, self.function(function), function.body.span)?;
                }
                Item::Procedure(i) => {
                    let (ty, body) = self.procedure(i);
                    let procedure = &self.program.procedures[i];
                    define(&procedure.name, ty, body, procedure.body.span)?;
                }
            }
        }
        Ok(definitions)
    }

    /// The parameters that come before those of the source.
    fn hidden(&self, oracles: bool, state: bool) -> Vec<(Hint, CoreTy)> {
        let mut hidden = Vec::new();
        if oracles {
            hidden.push((Hint::from("X"), self.oracle.clone()));
        }
        if state {
            hidden.push((Hint::from("s"), self.state.clone()));
        }
        hidden
    }

    fn function_type(&self, function: &Function) -> CoreTy {
        let hidden = self.hidden(function.reads.oracles, function.reads.state).into_iter().map(|(_, ty)| ty);
        let params = function.params.iter().map(|param| core_type(&param.ty));
        CoreTy::fun(hidden.chain(params), core_type(&function.body.ty))
    }

    fn function(&self, function: &Function) -> Term {
        let hidden = self.hidden(function.reads.oracles, function.reads.state);
        let mut scope = Scope::default();
        if function.reads.oracles {
            scope.bind_oracles();
        }
        if function.reads.state {
            scope.bind_state();
        }
        let params = bind_params(&function.params, &mut scope);
        Term::lam(hidden.into_iter().chain(params), self.expr(&function.body, &mut scope))
    }

    fn procedure(&self, i: usize) -> (CoreTy, Term) {
        let procedure = &self.program.procedures[i];
        let mut scope = Scope::default();
        if self.asking[i] {
            scope.bind_oracles();
        }
        let mut params = self.hidden(self.asking[i], false);
        params.extend(bind_params(&procedure.params, &mut scope));
        let body = self.stmt(&procedure.body, &mut scope);
        let ty = CoreTy::fun(params.iter().map(|(_, ty)| ty.clone()), self.step_type());
        (ty, Term::lam(params, body))
    }

    /// From states to states.
    fn step_type(&self) -> CoreTy {
        CoreTy::fun([self.state.clone()], self.state.clone())
    }

    fn main(&self) -> Result<Term, Vec<Diagnostic>> {
        let mut scope = Scope::default();
        scope.bind_oracles();
        scope.bind_state();
        let body = self.stmt(&self.program.body, &mut scope);
        let run = Term::app(body, [scope.state()]);
        let from_state = Term::lam([(Hint::from("s0"), self.state.clone())], run);
        let main = Term::lam([(Hint::from("X"), self.oracle.clone())], from_state);
        shallow(main, self.program.body.span)
    }
}

/// Binds the parameters of a declaration in its frame.
fn bind_params(params: &[Param], scope: &mut Scope) -> Vec<(Hint, CoreTy)> {
    params
        .iter()
        .enumerate()
        .map(|(slot, param)| {
            scope.bind(slot);
            (Hint::from(param.name.as_str()), core_type(&param.ty))
        })
        .collect()
}

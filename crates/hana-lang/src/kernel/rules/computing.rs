//! Rules 2, 3, 5, 8 and 9: beta for values, eta for function values, the record laws, tests, unfolding, strictness,
//! fixed points, computation by the reference interpreter, and the ring of 64-bit integers.

use super::{Proof, Refusal, Theorem, Theory, Uses, combine, is_evident};
use crate::core::interpret::{Interpreter, Limits, NoOracles};
use crate::core::prim::Prim;
use crate::core::term::{Kind, Term};
use crate::core::ty::{Name, Ty};
use crate::core::value::{House, Value};
use crate::kernel::formula::Formula;
use std::collections::BTreeMap;
use std::sync::Arc;

impl Theory {
    fn evident(&self, rule: &'static str, term: &Term) -> Result<(), Refusal> {
        if is_evident(&self.0, term) {
            Ok(())
        } else {
            Err(Refusal::new(rule, format!("{term} may be bottom or Err, a value is needed")))
        }
    }

    /// `(lambda x1..xn. e)(v1..vn) = e[v1..vn]` for values. A `defined` theorem vouches for an argument that is not
    /// evidently a value.
    ///
    /// # Errors
    /// When the term is no applied lambda or an argument may be bottom or Err.
    pub fn beta(&self, term: &Term, defined: &[&Theorem]) -> Proof {
        const RULE: &str = "beta";
        let ty = self.typed(RULE, term)?;
        let Kind::App(function, arguments) = term.kind() else {
            return Err(Refusal::new(RULE, format!("{term} is not an application")));
        };
        let Kind::Lam(params, body) = function.kind() else {
            return Err(Refusal::new(RULE, format!("{function} is not a lambda")));
        };
        let mut used = Vec::new();
        for (param, argument) in params.iter().zip(arguments.iter()) {
            if !is_evident(&self.0, argument) {
                let needed = Formula::defined(argument, &param.ty);
                match defined.iter().find(|theorem| *theorem.conclusion() == needed) {
                    Some(theorem) => used.push(*theorem),
                    None => self.evident(RULE, argument)?,
                }
            }
        }
        let base = self.equation(ty, term.clone(), body.open(arguments));
        let conclusion = base.conclusion().clone();
        used.insert(0, &base);
        combine(RULE, &used, conclusion)
    }

    /// `lambda x. f(x) = f` for a function value `f`.
    ///
    /// # Errors
    /// When the term is not evidently a value, or no function.
    pub fn eta(&self, function: &Term) -> Proof {
        const RULE: &str = "eta";
        let ty = self.typed(RULE, function)?;
        self.evident(RULE, function)?;
        let Ty::Fun(arguments, _) = &ty else {
            return Err(Refusal::new(RULE, format!("{function} is of type {ty}, no function")));
        };
        let count = arguments.len() as u32;
        let variables = (0..count).rev().map(Term::bound);
        let body = Term::app(function.lift(count), variables);
        let expanded = Term::lam(arguments.iter().map(|ty| ("x".into(), ty.clone())), body);
        Ok(self.equation(ty, expanded, function.clone()))
    }

    /// The laws of records at values: `{.. v = e ..}.v = e`, `r{v = e}.v = e`, `r{v = e}.w = r.w`,
    /// `r{v = e}{v = e'} = r{v = e'}`, `r{v = r.v} = r`.
    ///
    /// # Errors
    /// When none applies.
    pub fn record_law(&self, term: &Term) -> Proof {
        const RULE: &str = "record";
        let ty = self.typed(RULE, term)?;
        let result = match term.kind() {
            Kind::Field(record, name) => match record.kind() {
                Kind::Record(fields) => {
                    for (_, field) in fields.iter() {
                        self.evident(RULE, field)?;
                    }
                    fields.iter().find(|(field, _)| field == name).map(|(_, field)| field.clone())
                }
                Kind::With(inner, field, value) => {
                    self.evident(RULE, inner)?;
                    self.evident(RULE, value)?;
                    Some(if field == name { value.clone() } else { Term::field(inner.clone(), name.clone()) })
                }
                _ => None,
            },
            Kind::With(record, name, value) => match (record.kind(), value.kind()) {
                (_, Kind::Field(same, field)) if field == name && same == record => {
                    self.evident(RULE, record)?;
                    Some(record.clone())
                }
                (Kind::With(inner, field, old), _) if field == name => {
                    self.evident(RULE, old)?;
                    Some(Term::with(inner.clone(), name.clone(), value.clone()))
                }
                _ => None,
            },
            _ => None,
        };
        let result = result.ok_or_else(|| Refusal::new(RULE, format!("no record law applies to {term}")))?;
        Ok(self.equation(ty, term.clone(), result))
    }

    /// `if true then e1 else e2 = e1`, `if false then e1 else e2 = e2`.
    ///
    /// # Errors
    /// When the test is no truth value.
    pub fn if_law(&self, term: &Term) -> Proof {
        const RULE: &str = "if";
        let ty = self.typed(RULE, term)?;
        let Kind::If(test, yes, no) = term.kind() else {
            return Err(Refusal::new(RULE, format!("{term} is no test")));
        };
        match test.kind() {
            Kind::Const(Value::Bool(b), _) => {
                Ok(self.equation(ty, term.clone(), if *b { yes.clone() } else { no.clone() }))
            }
            _ => Err(Refusal::new(RULE, format!("the test {test} is neither true nor false"))),
        }
    }

    /// A defined name equals its body.
    ///
    /// # Errors
    /// When the module does not define it.
    pub fn unfold(&self, name: &str) -> Proof {
        let definition = self
            .0
            .get(name)
            .ok_or_else(|| Refusal::new("unfold", format!("{name} is not defined in {}", self.0.name)))?;
        Ok(self.equation(
            definition.ty.clone(),
            Term::global(definition.name.clone()),
            definition.body.clone(),
        ))
    }

    /// `bottom <= t`.
    ///
    /// # Errors
    /// When the term has no type.
    pub fn bottom_least(&self, term: &Term) -> Proof {
        let ty = self.typed("bottom", term)?;
        Ok(self.theorem(Formula::Le(ty.clone(), Term::bottom(ty), term.clone())))
    }

    /// Strictness: a term whose next part to be evaluated is bottom (or Err) is bottom (or Err). The parts before it
    /// must be values: what comes first decides.
    ///
    /// # Errors
    /// When no part is bottom or Err, or an earlier one may not be a value.
    pub fn strict(&self, term: &Term) -> Proof {
        const RULE: &str = "strict";
        let ty = self.typed(RULE, term)?;
        for part in evaluated(term) {
            match part.kind() {
                Kind::Bottom(_) => return Ok(self.equation(ty.clone(), term.clone(), Term::bottom(ty))),
                Kind::Err(..) => return Ok(self.equation(ty.clone(), term.clone(), Term::err(ty, ""))),
                _ => self.evident(RULE, part)?,
            }
        }
        Err(Refusal::new(RULE, format!("no part of {term} that is evaluated is bottom or Err")))
    }

    /// `fix f. t = t[fix f. t / f]`.
    ///
    /// # Errors
    /// When the term is no fixed point.
    pub fn unfold_fix(&self, term: &Term) -> Proof {
        const RULE: &str = "fix";
        let ty = self.typed(RULE, term)?;
        match term.kind() {
            Kind::Fix(_, _, body) => {
                Ok(self.equation(ty, term.clone(), body.open(std::slice::from_ref(term))))
            }
            _ => Err(Refusal::new(RULE, format!("{term} is no fixed point"))),
        }
    }

    /// A closed term of ground type equals its value (or Err) by the reference interpreter. Terms whose meaning
    /// depends on the house (places, SEATS, KAN, MONTHS) are refused: theorems hold in every house.
    ///
    /// # Errors
    /// When the term is not of this kind, or the interpreter's limits are reached.
    pub fn compute(&self, term: &Term, limits: Limits) -> Proof {
        const RULE: &str = "compute";
        let ty = self.typed(RULE, term)?;
        if !ty.is_ground() {
            return Err(Refusal::new(RULE, format!("{ty} holds functions")));
        }
        if !self.is_houseless(term, &mut 100_000, 2_000) {
            return Err(Refusal::new(RULE, format!("{term} has variables or depends on the house")));
        }
        let mut nobody = NoOracles;
        let mut interpreter = Interpreter::new(&self.0, House::default(), limits, &mut nobody);
        let result = match interpreter.eval(term) {
            Ok(value) => Term::constant(value, ty.clone()),
            Err(fault) if fault.kind.is_err() => Term::err(ty.clone(), fault.reason.as_str()),
            Err(fault) => return Err(Refusal::new(RULE, fault.reason)),
        };
        let steps = interpreter.steps();
        let mut theorem = self.equation(ty, term.clone(), result);
        let mut uses = Uses::default();
        uses.computations.insert(term.to_string(), steps);
        theorem.uses = Arc::new(uses);
        Ok(theorem)
    }

    /// No free variable, no oracle, nothing that depends on the house, also inside the definitions used.
    fn is_houseless(&self, term: &Term, work: &mut u32, depth: u32) -> bool {
        let (Some(left), Some(depth)) = (work.checked_sub(1), depth.checked_sub(1)) else { return false };
        *work = left;
        let here = match term.kind() {
            Kind::Free(..) => false,
            Kind::Global(name) => {
                self.0.get(name).is_some_and(|definition| self.is_houseless(&definition.body, work, depth))
            }
            Kind::Const(_, ty) | Kind::Bottom(ty) | Kind::Err(ty, _) | Kind::Fix(_, ty, _) => {
                !ty.mentions_place()
            }
            Kind::Lam(params, _) => params.iter().all(|param| !param.ty.mentions_place()),
            Kind::Prim(prim, _) => match prim {
                Prim::Seats | Prim::Kan | Prim::Months | Prim::Hand | Prim::Window | Prim::Basket => false,
                Prim::All(ty) | Prim::Tabulate(ty) => !ty.mentions_place(),
                _ => true,
            },
            _ => true,
        };
        let mut all = here;
        term.kind().each_part(&mut |part, _| all = all && self.is_houseless(part, work, depth));
        all
    }

    /// Integer identities: both sides are sums, differences and products (checked or modulo 2^64) of the same atoms,
    /// equal as polynomials with coefficients modulo 2^64. Each side must be evidently a value or come with a theorem
    /// that it is defined: a checked operation that does not overflow agrees with the one modulo 2^64.
    ///
    /// # Errors
    /// When the polynomials differ or a side is not known to be defined.
    pub fn ring(&self, one: &Term, two: &Term, defined: &[&Theorem]) -> Proof {
        const RULE: &str = "ring";
        let mut used = Vec::new();
        for side in [one, two] {
            let ty = self.typed(RULE, side)?;
            if ty != Ty::Int {
                return Err(Refusal::new(RULE, format!("{side} is of type {ty}, not Int")));
            }
            if !is_evident(&self.0, side) {
                let needed = Formula::defined(side, &Ty::Int);
                match defined.iter().find(|theorem| *theorem.conclusion() == needed) {
                    Some(theorem) => used.push(*theorem),
                    None => {
                        return Err(Refusal::new(RULE, format!("it is not known that {side} is defined")));
                    }
                }
            }
        }
        let mut atoms = Vec::new();
        let (left, right) = (polynomial(one, &mut atoms), polynomial(two, &mut atoms));
        if left != right {
            return Err(Refusal::new(RULE, format!("{one} and {two} differ as polynomials")));
        }
        let base = self.equation(Ty::Int, one.clone(), two.clone());
        let conclusion = base.conclusion().clone();
        used.insert(0, &base);
        combine(RULE, &used, conclusion)
    }
}

/// The parts of a term in the order of evaluation, as far as that is fixed before any of them has a value.
pub(super) fn evaluated(term: &Term) -> Vec<&Term> {
    match term.kind() {
        Kind::App(function, arguments) => std::iter::once(function).chain(arguments.iter()).collect(),
        Kind::Record(fields) => fields.iter().map(|(_, field)| field).collect(),
        Kind::Field(record, _) => vec![record],
        Kind::With(record, _, value) => vec![record, value],
        Kind::If(test, ..) => vec![test],
        Kind::Prim(_, arguments) => arguments.iter().collect(),
        _ => Vec::new(),
    }
}

/// Coefficients by monomial; a monomial is the sorted list of its atoms.
type Polynomial = BTreeMap<Vec<usize>, i64>;

fn polynomial(term: &Term, atoms: &mut Vec<Term>) -> Polynomial {
    fn add(mut one: Polynomial, two: Polynomial, factor: i64) -> Polynomial {
        for (monomial, coefficient) in two {
            let entry = one.entry(monomial).or_insert(0);
            *entry = entry.wrapping_add(coefficient.wrapping_mul(factor));
        }
        one.retain(|_, coefficient| *coefficient != 0);
        one
    }
    match term.kind() {
        Kind::Const(Value::Int(0), _) => Polynomial::new(),
        Kind::Const(Value::Int(n), _) => Polynomial::from([(Vec::new(), *n)]),
        Kind::Prim(prim, arguments) => match (prim, &**arguments) {
            (Prim::Add | Prim::WrapAdd, [one, two]) => add(polynomial(one, atoms), polynomial(two, atoms), 1),
            (Prim::Sub | Prim::WrapSub, [one, two]) => {
                add(polynomial(one, atoms), polynomial(two, atoms), -1)
            }
            (Prim::Neg, [one]) => add(Polynomial::new(), polynomial(one, atoms), -1),
            (Prim::Mul, [one, two]) => {
                let (one, two) = (polynomial(one, atoms), polynomial(two, atoms));
                // A product too large to write out stays an atom: that loses identities, never makes one.
                if one.len() * two.len() > 1_000 {
                    return atom(term, atoms);
                }
                let mut product = Polynomial::new();
                for (left, a) in &one {
                    for (right, b) in &two {
                        let mut monomial = [left.as_slice(), right].concat();
                        monomial.sort_unstable();
                        product = add(product, Polynomial::from([(monomial, a.wrapping_mul(*b))]), 1);
                    }
                }
                product
            }
            _ => atom(term, atoms),
        },
        _ => atom(term, atoms),
    }
}

fn atom(term: &Term, atoms: &mut Vec<Term>) -> Polynomial {
    let position = atoms.iter().position(|other| other == term).unwrap_or_else(|| {
        atoms.push(term.clone());
        atoms.len() - 1
    });
    Polynomial::from([(vec![position], 1)])
}

impl Theorem {
    /// A free variable that no hypothesis mentions, replaced by a value: generalize and specialize at once.
    ///
    /// # Errors
    /// As those two rules.
    pub fn instantiate(&self, name: &Name, ty: &Ty, value: &Term) -> Proof {
        self.generalize(name, ty)?.specialize(value)
    }
}

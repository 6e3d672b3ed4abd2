//! Proofs on file. A proof file names a program, states theorems about its elaborated term, and says by which rule, or by
//! which derived rule, each step follows from earlier ones. The checker runs the steps through the kernel and compares
//! what they prove with what is stated.
//!
//! ```text
//! proof laws about paper;                              -- the program; `State` and `Oracle` are its types
//! let Skip = lambda (s : State). s;                    -- an abbreviation, expanded where it is used
//! variable S : (State -> State);                       -- a free variable of the steps
//! step reduced : (lambda (s : State). Skip(S(s))) == ...   -- stated or not, as the writer likes
//!   by simplify lambda (s : State). Skip(S(s));
//! theorem skip-last : forall S : (State -> State). (lambda (s : State). Skip(S(s))) == S
//!   by skip-last;
//! ```
//!
//! `program` is the whole program, `while[n]` its n-th loop as a function of the oracles, in the order of the text; both
//! are parts of the elaborated term itself.

mod lexer;
mod steps;
mod terms;

use crate::core::module::{Definition, Module};
use crate::core::term::{Kind, Term};
use crate::core::ty::Ty;
use crate::kernel::derived::Prover;
use crate::kernel::rules::{Theorem, Theory};
use lexer::{Word, words};
use std::fmt;
use std::ops::Range;
use terms::{Meaning, Reader};

/// Why a proof file was not accepted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProofError {
    /// Bytes of the text.
    pub place: Range<usize>,
    /// The step, when it lies in one.
    pub step: Option<String>,
    /// What is wrong: the rule, what it expected and what it got.
    pub message: String,
}

impl ProofError {
    pub(crate) fn new(place: Range<usize>, message: impl Into<String>) -> ProofError {
        ProofError { place, step: None, message: message.into() }
    }

    /// The line (from 1) of the place in the text.
    pub fn line(&self, text: &str) -> usize {
        text.bytes().take(self.place.start).filter(|byte| *byte == b'\n').count() + 1
    }
}

impl fmt::Display for ProofError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.step {
            Some(step) => write!(f, "step {step}: {}", self.message),
            None => f.write_str(&self.message),
        }
    }
}

impl std::error::Error for ProofError {}

/// A theorem of a proof file.
#[derive(Debug, Clone)]
pub struct Proved {
    /// Its name.
    pub name: String,
    /// The kernel's theorem, without hypotheses.
    pub theorem: Theorem,
    /// Its statement as the file has it.
    pub stated: String,
}

/// A proof file that was accepted.
#[derive(Debug, Clone)]
pub struct Checked {
    /// The name of the proof.
    pub name: String,
    /// The program it is about.
    pub program: String,
    /// Its theorems, in order.
    pub theorems: Vec<Proved>,
    /// All steps, theorems included.
    pub steps: usize,
}

/// Checks a proof file. `find` gives the elaborated module of a program by name.
///
/// ```
/// use hana_lang::proof_file::{check, shipped_module};
/// let text = "proof points about paper;
///     theorem deck : Points(all[Flower]) == 264 by compute Points(all[Flower]);";
/// let checked = check(text, &shipped_module).unwrap();
/// let deck = &checked.theorems[0].theorem;
/// assert_eq!(deck.to_string(), "|- Points(all[Flower]) == 264");
/// assert_eq!(deck.uses().computations.len(), 1);
/// ```
///
/// # Errors
/// The first thing that is wrong, with its place and step.
pub fn check(text: &str, find: &dyn Fn(&str) -> Option<Module>) -> Result<Checked, ProofError> {
    /// The longest proof file.
    const LIMIT: usize = 1 << 20;
    if text.len() > LIMIT {
        return Err(ProofError::new(0..0, format!("the file is longer than {LIMIT} bytes")));
    }
    let words = words(text)?;
    let (name, program, start) = heading(&words)?;
    let place = words[start.saturating_sub(2).min(words.len() - 1)].1.clone();
    let module = find(&program)
        .ok_or_else(|| ProofError::new(place.clone(), format!("there is no program named {program}")))?;
    let theory =
        Theory::new(with_parts(module)).map_err(|refusal| ProofError::new(place, refusal.to_string()))?;
    let prover = Prover::new(theory.clone());
    let mut reader = Reader::new(&words, theory.module());
    reader.skip_to(start);
    let mut checked = Checked { name, program, theorems: Vec::new(), steps: 0 };
    let mut proved: Vec<(String, Theorem)> = Vec::new();
    while *reader.peek() != Word::End {
        if reader.take("let") {
            let name = reader.name()?;
            reader.expect("=")?;
            let place = reader.place();
            let term = reader.term()?;
            reader.type_of(&term, place)?;
            reader.expect(";")?;
            reader.scope.push((name, Meaning::Abbreviation(term)));
        } else if reader.take("variable") {
            for (name, ty) in reader.binders(",")? {
                reader.scope.push((name, Meaning::Variable(ty)));
            }
            reader.expect(";")?;
        } else if reader.is("step") || reader.is("theorem") {
            let final_one = reader.is("theorem");
            reader.take("step");
            reader.take("theorem");
            let begin = reader.place();
            let name = reader.name()?;
            let in_step = |error: ProofError| ProofError { step: Some(name.clone()), ..error };
            let theorem = one_step(text, &mut reader, &prover, &proved, final_one, begin).map_err(in_step)?;
            checked.steps += 1;
            if let Some(stated) = theorem.1 {
                let theorem = theorem.0.clone();
                if final_one {
                    checked.theorems.push(Proved { name: name.clone(), theorem, stated });
                }
            }
            proved.push((name, theorem.0));
        } else {
            return reader.wrong("`let`, `variable`, `step` or `theorem`");
        }
    }
    Ok(checked)
}

/// `[: formula] by rule arguments ;`
fn one_step(
    text: &str,
    reader: &mut Reader<'_>,
    prover: &Prover,
    proved: &[(String, Theorem)],
    final_one: bool,
    begin: Range<usize>,
) -> Result<(Theorem, Option<String>), ProofError> {
    let stated = if reader.take(":") {
        let from = reader.place().start;
        let formula = reader.formula()?;
        let source: Vec<&str> = text[from..reader.place().start].split_whitespace().collect();
        Some((formula, source.join(" ")))
    } else if final_one {
        return reader.wrong("`:` and the statement of the theorem");
    } else {
        None
    };
    reader.expect("by")?;
    let theorem = steps::follow(reader, prover, proved)?;
    let place = begin.start..reader.place().start;
    reader.expect(";")?;
    if let Some((formula, _)) = &stated
        && formula != theorem.conclusion()
    {
        let message = format!("stated is\n  {formula}\nproved is\n  {}", theorem.conclusion());
        return Err(ProofError::new(place, message));
    }
    if final_one && !theorem.hypotheses().is_empty() {
        let open: Vec<String> = theorem.hypotheses().iter().map(ToString::to_string).collect();
        let message = format!("hypotheses are left: {}", open.join(", "));
        return Err(ProofError::new(place, message));
    }
    Ok((theorem, stated.map(|(_, source)| source)))
}

/// `proof NAME about PROGRAM ;`: the two names and where the rest begins.
fn heading(words: &[(Word, Range<usize>)]) -> Result<(String, String, usize), ProofError> {
    let wrong = |at: usize| {
        let place = words.get(at).map_or(0..0, |(_, place)| place.clone());
        ProofError::new(place, "a proof file begins with: proof NAME about PROGRAM;")
    };
    let name = |at: usize| match words.get(at) {
        Some((Word::Name(name), _)) => Ok(name.clone()),
        _ => Err(wrong(at)),
    };
    let (proof, about) = (name(0)?, name(2)?);
    if proof != "proof" || about != "about" || !matches!(words.get(4), Some((Word::Sign(";"), _))) {
        return Err(wrong(if proof == "proof" { 2 } else { 0 }));
    }
    Ok((name(1)?, name(3)?, 5))
}

/// The module with its main term as the definition `program`, and its loops as `while[1]`, `while[2]` ...; these names
/// cannot be declared in a program.
pub fn with_parts(module: Module) -> Module {
    let step = Ty::fun([module.state.clone()], module.state.clone());
    let ty = Ty::fun([module.oracle.clone()], step);
    let mut definitions = module.definitions().to_vec();
    let mut loops = Vec::new();
    if let Kind::Lam(_, body) = module.main.kind() {
        find_loops(body, 0, &mut loops);
    }
    for (i, fixed) in loops.into_iter().enumerate() {
        let body = Term::lam([("X".into(), module.oracle.clone())], fixed);
        definitions.push(Definition { name: format!("while[{}]", i + 1).into(), ty: ty.clone(), body });
    }
    definitions.push(Definition { name: "program".into(), ty, body: module.main.clone() });
    Module::new(module.name.clone(), module.state.clone(), module.oracle.clone(), definitions, module.main)
}

/// The fixed points of statements in the order of the text, outer before inner, with the oracles as index 0.
fn find_loops(term: &Term, depth: u32, loops: &mut Vec<Term>) {
    if let Kind::Fix(..) = term.kind()
        && let Some(lowered) = below_oracles(term, depth)
    {
        loops.push(lowered);
    }
    let mut parts = Vec::new();
    term.kind().each_part(&mut |part, binders| parts.push((part.clone(), binders)));
    // What is applied first stands in the argument: `S1; S2` is S2(S1 s).
    if matches!(term.kind(), Kind::App(..)) {
        parts.rotate_left(1);
    }
    for (part, binders) in parts {
        find_loops(&part, depth + binders, loops);
    }
}

/// The term with its only loose index, that of the oracles `depth` binders up, as index 0; `None` if it has others.
fn below_oracles(term: &Term, depth: u32) -> Option<Term> {
    let marks: Vec<Term> = (0..=depth).map(|i| Term::free(format!("binder {i}"), Ty::Bool)).collect();
    let oracles = Term::free("binder X", Ty::Bool);
    let mut values = marks;
    values[0] = oracles;
    let opened = term.open(&values);
    let closed = opened.close(&[("binder X".into(), Ty::Bool)]);
    let others = (1..=depth).any(|i| closed.has_free(&format!("binder {i}").into(), &Ty::Bool));
    (!others).then_some(closed)
}

/// A proof of the house.
#[derive(Debug, Clone, Copy)]
pub struct Shipped {
    /// Its name on the command line.
    pub name: &'static str,
    /// What it shows.
    pub about: &'static str,
    /// Its text.
    pub text: &'static str,
}

/// The proofs shipped.
pub const SHIPPED: &[Shipped] = &[
    Shipped { name: "laws", about: "skip, sequence and while", text: include_str!("../../proofs/laws.prf") },
    Shipped {
        name: "hoare",
        about: "the rules of Hoare for assignment, sequence, if and while, and the variant rule",
        text: include_str!("../../proofs/hoare.prf"),
    },
    Shipped {
        name: "paper-cash",
        about: "payments and the whole program conserve the cash, for every oracle",
        text: include_str!("../../proofs/paper-cash.prf"),
    },
    Shipped {
        name: "modern-cash",
        about: "the same for hachi-hachi",
        text: include_str!("../../proofs/modern-cash.prf"),
    },
    Shipped {
        name: "paper-places",
        about: "moving keeps each flower at one place",
        text: include_str!("../../proofs/paper-places.prf"),
    },
    Shipped {
        name: "modern-places",
        about: "the same for hachi-hachi",
        text: include_str!("../../proofs/modern-places.prf"),
    },
    Shipped {
        name: "paper-baskets",
        about: "collecting takes an even number of cards",
        text: include_str!("../../proofs/paper-baskets.prf"),
    },
    Shipped {
        name: "modern-baskets",
        about: "the same for hachi-hachi",
        text: include_str!("../../proofs/modern-baskets.prf"),
    },
    Shipped {
        name: "paper-round",
        about: "the round ends if the players answer",
        text: include_str!("../../proofs/paper-round.prf"),
    },
    Shipped {
        name: "points",
        about: "264 points in the deck, by computation",
        text: include_str!("../../proofs/points.prf"),
    },
];

/// The elaborated module of a shipped program.
pub fn shipped_module(name: &str) -> Option<Module> {
    use crate::programs::{MODERN, PAPER};
    let shipped = [PAPER, MODERN].into_iter().find(|program| program.name == name)?;
    let program = crate::types::check_source(shipped.source).ok()?;
    crate::elaborate::elaborate(&program).ok()
}

//! A program as a list of definitions and one main term, so that procedures stay shared and are unfolded by name.
//!
//! The shape the elaborator produces, with `State` the record of all variables and `Oracle` the record of the oracles,
//! each `(State * arguments -> answer)`:
//! * a constant: any closed term;
//! * a function: `lambda (X : Oracle, s : State, parameters). body`, where `X` and `s` stand only if the body needs
//!   them, itself or through what it calls; a function used as a value is the lambda of its parameters alone;
//! * a procedure: `lambda (X : Oracle, parameters). lambda (s : State). body`, `X` again only if needed;
//! * main: `lambda (X : Oracle). lambda (s0 : State). [[body]](s0)`.

use super::term::Term;
use super::ty::{Name, Ty};
use rustc_hash::FxHashMap;

/// One definition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Definition {
    /// Its name.
    pub name: Name,
    /// Its type.
    pub ty: Ty,
    /// Its body: a term without free variables that mentions earlier definitions only.
    pub body: Term,
}

/// Definitions in order, and the term they serve.
#[derive(Debug, Clone)]
pub struct Module {
    /// The name of the program.
    pub name: Name,
    /// The record of the variables.
    pub state: Ty,
    /// The record of the oracles.
    pub oracle: Ty,
    definitions: Vec<Definition>,
    by_name: FxHashMap<Name, usize>,
    /// The program: `Oracle -> State -> State`.
    pub main: Term,
}

impl Module {
    /// A module; of two definitions with one name the first counts, and the checker refuses the second.
    pub fn new(
        name: impl Into<Name>,
        state: Ty,
        oracle: Ty,
        definitions: Vec<Definition>,
        main: Term,
    ) -> Module {
        let mut by_name = FxHashMap::default();
        for (position, definition) in definitions.iter().enumerate() {
            by_name.entry(definition.name.clone()).or_insert(position);
        }
        Module { name: name.into(), state, oracle, definitions, by_name, main }
    }

    /// A module without definitions, for terms that stand alone.
    pub fn bare(main: Term) -> Module {
        Module::new("", Ty::record([]), Ty::record([]), Vec::new(), main)
    }

    /// The definitions in order.
    pub fn definitions(&self) -> &[Definition] {
        &self.definitions
    }

    /// A definition by name.
    pub fn get(&self, name: &str) -> Option<&Definition> {
        self.by_name.get(name).map(|position| &self.definitions[*position])
    }

    /// The position of a definition.
    pub fn position(&self, name: &str) -> Option<usize> {
        self.by_name.get(name).copied()
    }
}

//! Terms that evidently denote values: built from values by what never faults and always ends. The side condition of
//! beta and of specialization; a term outside this class needs a theorem that it is defined.

use crate::core::module::Module;
use crate::core::prim::Prim;
use crate::core::term::{Kind, Term};

/// Whether the term denotes a value for all values of its variables, by its form alone.
pub fn is_evident(module: &Module, term: &Term) -> bool {
    // Unfolding definitions could repeat work; beyond this the answer is no, which is always safe.
    const WORK: u32 = 20_000;
    const DEPTH: u32 = 2_000;
    Judge { module, work: WORK, depth: DEPTH }.value(term)
}

struct Judge<'a> {
    module: &'a Module,
    work: u32,
    depth: u32,
}

impl Judge<'_> {
    fn value(&mut self, term: &Term) -> bool {
        let (Some(work), Some(depth)) = (self.work.checked_sub(1), self.depth.checked_sub(1)) else {
            return false;
        };
        (self.work, self.depth) = (work, depth);
        let answer = self.form(term);
        self.depth += 1;
        answer
    }

    fn form(&mut self, term: &Term) -> bool {
        match term.kind() {
            // Variables range over values; lambdas are values, and so is a fixed point, whose body is a lambda.
            Kind::Bound(_) | Kind::Free(..) | Kind::Const(..) | Kind::Lam(..) | Kind::Fix(..) => true,
            Kind::Global(name) => {
                let module = self.module;
                module.get(name).is_some_and(|definition| self.value(&definition.body))
            }
            Kind::Record(fields) => fields.iter().all(|(_, field)| self.value(field)),
            Kind::Field(record, _) => self.value(record),
            Kind::With(record, _, value) => self.value(record) && self.value(value),
            Kind::If(test, yes, no) => self.value(test) && self.value(yes) && self.value(no),
            Kind::Prim(prim, arguments) => match (prim, &**arguments) {
                (Prim::Tabulate(_), [function]) => self.total_lambda(function),
                (Prim::Fold, [set, start, step]) => {
                    self.value(set) && self.value(start) && self.total_lambda(step)
                }
                _ => prim.is_total() && arguments.iter().all(|argument| self.value(argument)),
            },
            Kind::App(function, arguments) => {
                arguments.iter().all(|argument| self.value(argument)) && self.total_lambda(function)
            }
            Kind::Bottom(_) | Kind::Err(..) => false,
        }
    }

    /// A lambda, or the name of one, whose body is evident: total on all values.
    fn total_lambda(&mut self, term: &Term) -> bool {
        match term.kind() {
            Kind::Lam(_, body) => self.value(body),
            Kind::Global(name) => {
                let module = self.module;
                module.get(name).is_some_and(|definition| self.total_lambda(&definition.body))
            }
            _ => false,
        }
    }
}

//! The core's own type checker. It knows nothing of the surface, so it re-checks what elaboration produced.

use super::module::Module;
use super::prim::Prim;
use super::term::{DEPTH_LIMIT, Kind, SIZE_LIMIT, Term};
use super::ty::{Name, Ty};
use super::value::{House, Place, Set, Value};
use std::fmt;

/// Why a term has no type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TypeError {
    /// The rule that does not apply: `application`, `if`, `fix` ...
    pub rule: &'static str,
    /// What was expected and what was found.
    pub message: String,
}

impl TypeError {
    fn new(rule: &'static str, message: impl Into<String>) -> TypeError {
        TypeError { rule, message: message.into() }
    }

    fn differ(rule: &'static str, expected: &Ty, found: &Ty) -> TypeError {
        TypeError::new(rule, format!("expected {expected}, found {found}"))
    }
}

impl fmt::Display for TypeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.rule, self.message)
    }
}

impl std::error::Error for TypeError {}

/// The type of a term without loose indices, over the definitions of a module.
///
/// # Errors
/// The first rule that does not apply.
pub fn type_of(module: &Module, term: &Term) -> Result<Ty, TypeError> {
    if term.too_deep() {
        let message = format!("the term is {} deep, and the limit is {DEPTH_LIMIT}", term.depth());
        return Err(TypeError::new("depth", message));
    }
    if term.size() > SIZE_LIMIT {
        return Err(TypeError::new("size", format!("the term has more than {SIZE_LIMIT} nodes")));
    }
    Checker { module, visible: usize::MAX }.infer(&mut Vec::new(), term)
}

/// Checks every definition against its stated type, in order, and the type of the main term.
///
/// # Errors
/// The first definition (or `main`) that fails, by name.
pub fn check_module(module: &Module) -> Result<Ty, TypeError> {
    for (position, definition) in module.definitions().iter().enumerate() {
        let within = |error: TypeError| TypeError {
            rule: error.rule,
            message: format!("in definition {}: {}", definition.name, error.message),
        };
        if module.position(&definition.name) != Some(position) {
            return Err(within(TypeError::new("definition", "this name is already defined")));
        }
        let body = &definition.body;
        if body.too_deep() {
            return Err(within(TypeError::new("depth", format!("deeper than {DEPTH_LIMIT}"))));
        }
        if body.size() > SIZE_LIMIT {
            return Err(within(TypeError::new("size", format!("more than {SIZE_LIMIT} nodes"))));
        }
        if has_frees(body) {
            return Err(within(TypeError::new("definition", "the body has free variables")));
        }
        let checker = Checker { module, visible: position };
        let found = checker.infer(&mut Vec::new(), body).map_err(within)?;
        if found != definition.ty {
            return Err(within(TypeError::differ("definition", &definition.ty, &found)));
        }
    }
    type_of(module, &module.main)
        .map_err(|error| TypeError { rule: error.rule, message: format!("in main: {}", error.message) })
}

fn has_frees(term: &Term) -> bool {
    matches!(term.kind(), Kind::Free(..)) || {
        let mut found = false;
        term.kind().each_part(&mut |part, _| found = found || has_frees(part));
        found
    }
}

struct Checker<'a> {
    module: &'a Module,
    /// Definitions before this position are visible.
    visible: usize,
}

impl Checker<'_> {
    fn infer(&self, scope: &mut Vec<Ty>, term: &Term) -> Result<Ty, TypeError> {
        match term.kind() {
            &Kind::Bound(index) => scope
                .len()
                .checked_sub(1 + index as usize)
                .map(|position| scope[position].clone())
                .ok_or_else(|| TypeError::new("variable", format!("index {index} is bound nowhere"))),
            Kind::Free(_, ty) => self.formed("variable", ty),
            Kind::Global(name) => {
                let position = self.module.position(name).filter(|position| *position < self.visible);
                position
                    .map(|position| self.module.definitions()[position].ty.clone())
                    .ok_or_else(|| TypeError::new("definition", format!("{name} is not defined here")))
            }
            Kind::Const(value, ty) => {
                self.formed("constant", ty)?;
                if is_constant_of(value, ty) {
                    Ok(ty.clone())
                } else {
                    Err(TypeError::new("constant", format!("{value} is not a value of {ty} in every house")))
                }
            }
            Kind::Lam(params, body) => {
                let before = scope.len();
                for param in params.iter() {
                    scope.push(self.formed("lambda", &param.ty)?);
                }
                let result = self.infer(scope, body);
                scope.truncate(before);
                Ok(Ty::fun(params.iter().map(|param| param.ty.clone()), result?))
            }
            Kind::App(function, arguments) => {
                let found = self.infer(scope, function)?;
                let Ty::Fun(expected, result) = &found else {
                    return Err(TypeError::new("application", format!("{found} is not a function type")));
                };
                if expected.len() != arguments.len() {
                    let message = format!(
                        "the function takes {} arguments, {} are given",
                        expected.len(),
                        arguments.len()
                    );
                    return Err(TypeError::new("application", message));
                }
                for (argument, expected) in arguments.iter().zip(expected.iter()) {
                    self.expect(scope, "application", argument, expected)?;
                }
                Ok((**result).clone())
            }
            Kind::Record(fields) => {
                let mut types = Vec::with_capacity(fields.len());
                for (name, field) in fields.iter() {
                    types.push((name.clone(), self.infer(scope, field)?));
                }
                self.formed("record", &Ty::record(types))
            }
            Kind::Field(record, name) => {
                let found = self.infer(scope, record)?;
                self.field(&found, name).cloned()
            }
            Kind::With(record, name, value) => {
                let found = self.infer(scope, record)?;
                let expected = self.field(&found, name)?;
                self.expect(scope, "record update", value, expected)?;
                Ok(found)
            }
            Kind::If(test, yes, no) => {
                self.expect(scope, "if", test, &Ty::Bool)?;
                let ty = self.infer(scope, yes)?;
                self.expect(scope, "if", no, &ty)?;
                Ok(ty)
            }
            Kind::Fix(_, ty, body) => {
                self.formed("fix", ty)?;
                if !matches!(ty, Ty::Fun(..)) {
                    return Err(TypeError::new(
                        "fix",
                        format!("a fixed point has a function type, not {ty}"),
                    ));
                }
                if !matches!(body.kind(), Kind::Lam(..)) {
                    return Err(TypeError::new("fix", "the body of a fixed point must be a lambda"));
                }
                scope.push(ty.clone());
                let found = self.expect(scope, "fix", body, ty);
                scope.pop();
                found.map(|()| ty.clone())
            }
            Kind::Prim(prim, arguments) => {
                if arguments.len() != prim.arity() {
                    let message =
                        format!("{prim} takes {} arguments, {} are given", prim.arity(), arguments.len());
                    return Err(TypeError::new("primitive", message));
                }
                let types = arguments
                    .iter()
                    .map(|argument| self.infer(scope, argument))
                    .collect::<Result<Vec<_>, _>>()?;
                prim_type(prim, &types)
            }
            Kind::Bottom(ty) | Kind::Err(ty, _) => self.formed("constant", ty),
        }
    }

    fn formed(&self, rule: &'static str, ty: &Ty) -> Result<Ty, TypeError> {
        if ty.is_well_formed() {
            Ok(ty.clone())
        } else {
            Err(TypeError::new(rule, format!("{ty} is not a type")))
        }
    }

    fn field<'t>(&self, record: &'t Ty, name: &Name) -> Result<&'t Ty, TypeError> {
        record.field(name).ok_or_else(|| TypeError::new("field", format!("{record} has no field {name}")))
    }

    fn expect(
        &self,
        scope: &mut Vec<Ty>,
        rule: &'static str,
        term: &Term,
        expected: &Ty,
    ) -> Result<(), TypeError> {
        let found = self.infer(scope, term)?;
        if found == *expected { Ok(()) } else { Err(TypeError::differ(rule, expected, &found)) }
    }
}

/// Whether a value belongs to a type whatever the number of seats is, so that a term may hold it.
fn is_constant_of(value: &Value, ty: &Ty) -> bool {
    fn without_seats(value: &Value, ty: &Ty) -> bool {
        match (value, ty) {
            (Value::Place(place), _) => matches!(place, Place::Table | Place::Yama),
            (Value::Set(Set::Other(set)), Ty::Set(element)) => {
                set.iter().all(|value| without_seats(value, element))
            }
            (Value::Seq(items) | Value::Array(_, items), Ty::Seq(inner) | Ty::Array(_, _, inner)) => {
                items.iter().all(|value| without_seats(value, inner))
            }
            (Value::Map(items), Ty::Map(key, inner)) => {
                **key != Ty::Place && items.iter().all(|value| without_seats(value, inner))
            }
            (Value::Record(items), Ty::Record(fields)) => {
                items.iter().zip(fields.iter()).all(|((_, value), (_, ty))| without_seats(value, ty))
            }
            _ => true,
        }
    }
    value.has_type(ty, &House::default()) && without_seats(value, ty)
}

/// The result type of a primitive at these argument types.
pub fn prim_type(prim: &Prim, types: &[Ty]) -> Result<Ty, TypeError> {
    use Prim::*;
    let wrong = || {
        let given: Vec<String> = types.iter().map(Ty::to_string).collect();
        TypeError::new("primitive", format!("{prim} does not apply to ({})", given.join(", ")))
    };
    let set_of_same = |one: &Ty, two: &Ty| {
        if matches!(one, Ty::Set(_)) && one == two { Ok(one.clone()) } else { Err(wrong()) }
    };
    match (prim, types) {
        (Add | Sub | Mul | Div | Mod | Expo | Max | Min | WrapAdd | WrapSub, [Ty::Int, Ty::Int])
        | (Neg, [Ty::Int])
        | (Seats | Kan | Months, [])
        | (Month | Point, [Ty::Flower]) => Ok(Ty::Int),
        (Lt | Le | Gt | Ge, [Ty::Int, Ty::Int]) | (Not, [Ty::Bool]) => Ok(Ty::Bool),
        (Eq | Ne, [one, two]) if one == two && one.is_ground() => Ok(Ty::Bool),
        (Hand | Window | Basket, [Ty::Int]) => Ok(Ty::Place),
        (Single, [element]) if element.is_base() => Ok(Ty::set(element.clone())),
        (Join | Meet | Minus, [one, two]) => set_of_same(one, two),
        (Subset, [one, two]) => set_of_same(one, two).map(|_| Ty::Bool),
        (In, [one, Ty::Set(element)]) if one == &**element => Ok(Ty::Bool),
        (Number, [Ty::Set(_)]) | (Length, [Ty::Seq(_)]) => Ok(Ty::Int),
        (All(ty), []) if ty.is_finite() => Ok(Ty::set(ty.clone())),
        (SeqGet, [Ty::Seq(inner), Ty::Int]) | (ArrayGet, [Ty::Array(_, _, inner), Ty::Int]) => {
            Ok((**inner).clone())
        }
        (MapGet, [Ty::Map(key, inner), given]) if **key == *given => Ok((**inner).clone()),
        (MapSet, [map @ Ty::Map(key, inner), given, value]) if **key == *given && **inner == *value => {
            Ok(map.clone())
        }
        (ArraySet, [array @ Ty::Array(_, _, inner), Ty::Int, value]) if **inner == *value => {
            Ok(array.clone())
        }
        (Tabulate(expected), [Ty::Fun(keys, value)]) => match &**keys {
            [key] if key.is_finite() && key == expected => Ok(Ty::map(key.clone(), (**value).clone())),
            _ => Err(wrong()),
        },
        (Fold, [Ty::Set(element), start, Ty::Fun(arguments, result)]) => match &**arguments {
            [one, two] if one == &**element && two == start && start == &**result => Ok(start.clone()),
            _ => Err(wrong()),
        },
        _ => Err(wrong()),
    }
}

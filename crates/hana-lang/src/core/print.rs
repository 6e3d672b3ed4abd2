//! Terms as text, in the manner of the surface: bound variables by name (with primes where names would clash),
//! `let` for an applied lambda, `&` and `or` for the tests they abbreviate.

use super::module::Module;
use super::prim::Prim;
use super::term::{Kind, Param, Term};
use super::value::Value;
use std::fmt::{self, Write};

impl fmt::Display for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut printer = Printer { out: String::new(), scope: Vec::new(), indent: None };
        printer.term(self, Level::Open);
        f.write_str(&printer.out)
    }
}

/// A term over several lines.
pub fn pretty(term: &Term) -> String {
    let mut printer = Printer { out: String::new(), scope: Vec::new(), indent: Some(0) };
    printer.term(term, Level::Open);
    printer.out
}

/// A whole module: its types, its definitions in order, its main term.
pub fn pretty_module(module: &Module) -> String {
    let mut out =
        format!("core {}\ntype State = {}\ntype Oracle = {}\n", module.name, module.state, module.oracle);
    for definition in module.definitions() {
        let _ = write!(out, "\n{} =\n{}\n", definition.name, pretty(&definition.body));
    }
    let _ = write!(out, "\nmain : Oracle -> State -> State =\n{}\n", pretty(&module.main));
    // The two record types are long: they are written once.
    // The oracles first, for their types mention the state.
    for (name, ty) in [("Oracle", &module.oracle), ("State", &module.state)] {
        let text = ty.to_string();
        if text.len() > 2 {
            let head = format!("type {name} = ");
            let kept = out.replacen(&format!("{head}{text}"), &format!("{head}\u{0}"), 1);
            out = kept.replace(&text, name).replacen('\u{0}', &text, 1);
        }
    }
    out
}

/// How tightly the surrounding text binds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    /// Anything may stand here.
    Open,
    /// Operands of operators.
    Operand,
    /// Functions and records: only what needs no brackets.
    Head,
}

struct Printer {
    out: String,
    scope: Vec<String>,
    /// The indentation, when the text may be broken into lines.
    indent: Option<usize>,
}

impl Printer {
    fn term(&mut self, term: &Term, level: Level) {
        let own = own_level(term);
        let brackets = own < level;
        if brackets {
            self.out.push('(');
        }
        self.bare(term);
        if brackets {
            self.out.push(')');
        }
    }

    fn bare(&mut self, term: &Term) {
        match term.kind() {
            &Kind::Bound(index) => match self.scope.len().checked_sub(1 + index as usize) {
                Some(position) => {
                    let name = self.scope[position].clone();
                    self.out.push_str(&name);
                }
                None => {
                    let _ = write!(self.out, "#{index}");
                }
            },
            Kind::Free(name, _) | Kind::Global(name) => self.out.push_str(name),
            Kind::Const(value, ty) => self.constant(value, ty),
            Kind::Lam(params, body) => {
                self.out.push_str("lambda (");
                let names = self.bind(params, body);
                for (i, (param, name)) in params.iter().zip(&names).enumerate() {
                    let _ = write!(self.out, "{}{name} : {}", if i == 0 { "" } else { "; " }, param.ty);
                }
                self.out.push_str("). ");
                self.block(|printer| printer.term(body, Level::Open));
                self.scope.truncate(self.scope.len() - params.len());
            }
            Kind::App(function, arguments) => match (function.kind(), &**arguments) {
                (Kind::Lam(params, body), [value]) if params.len() == 1 => {
                    let name = self.fresh(&params[0].name.0, body, 1, &[]);
                    let _ = write!(self.out, "let {name} : {} = ", params[0].ty);
                    self.term(value, Level::Operand);
                    self.out.push_str(" in ");
                    self.scope.push(name);
                    self.block(|printer| printer.term(body, Level::Open));
                    self.scope.pop();
                }
                _ => {
                    self.term(function, Level::Head);
                    self.list(arguments);
                }
            },
            Kind::Record(fields) => {
                self.out.push('{');
                for (i, (name, field)) in fields.iter().enumerate() {
                    let _ = write!(self.out, "{}{name} = ", if i == 0 { "" } else { ", " });
                    self.term(field, Level::Open);
                }
                self.out.push('}');
            }
            Kind::Field(record, name) => {
                self.term(record, Level::Head);
                let _ = write!(self.out, ".{name}");
            }
            Kind::With(record, name, value) => {
                self.term(record, Level::Head);
                let _ = write!(self.out, "{{{name} = ");
                self.term(value, Level::Open);
                self.out.push('}');
            }
            Kind::If(test, yes, no) => {
                if is_bool(no, false) {
                    self.infix("&", test, yes);
                } else if is_bool(yes, true) {
                    self.infix("or", test, no);
                } else {
                    self.out.push_str("if ");
                    self.term(test, Level::Open);
                    self.out.push_str(" then ");
                    self.block(|printer| printer.term(yes, Level::Operand));
                    self.line_or_blank();
                    self.out.push_str("else ");
                    self.block(|printer| printer.term(no, Level::Open));
                }
            }
            Kind::Fix(name, ty, body) => {
                let name = self.fresh(&name.0, body, 1, &[]);
                let _ = write!(self.out, "fix {name} : {ty}. ");
                self.scope.push(name);
                self.term(body, Level::Open);
                self.scope.pop();
            }
            Kind::Prim(prim, arguments) => match &**arguments {
                [one, two] if prim.is_infix() => self.infix(prim.name(), one, two),
                [one] if *prim == Prim::Single => {
                    self.out.push('{');
                    self.term(one, Level::Open);
                    self.out.push('}');
                }
                [] => {
                    let _ = write!(self.out, "{prim}");
                }
                _ => {
                    let _ = write!(self.out, "{prim}");
                    self.list(arguments);
                }
            },
            Kind::Bottom(ty) => {
                let _ = write!(self.out, "bottom[{ty}]");
            }
            Kind::Err(ty, _) => {
                let _ = write!(self.out, "Err[{ty}]");
            }
        }
    }

    fn constant(&mut self, value: &Value, ty: &super::ty::Ty) {
        let _ = match (value, ty) {
            (Value::Set(set), super::ty::Ty::Set(element)) if set.number() == 0 => {
                write!(self.out, "{{}}[{element}]")
            }
            (Value::Int(n), _) if *n < 0 => write!(self.out, "({n})"),
            _ => write!(self.out, "{value}"),
        };
    }

    fn infix(&mut self, operator: &str, one: &Term, two: &Term) {
        self.term(one, Level::Operand);
        let _ = write!(self.out, " {operator} ");
        self.term(two, Level::Operand);
    }

    fn list(&mut self, arguments: &[Term]) {
        self.out.push('(');
        for (i, argument) in arguments.iter().enumerate() {
            if i > 0 {
                self.out.push_str(", ");
            }
            self.term(argument, Level::Open);
        }
        self.out.push(')');
    }

    fn bind(&mut self, params: &[Param], body: &Term) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for param in params {
            names.push(self.fresh(&param.name.0, body, params.len() as u32, &names));
        }
        self.scope.extend(names.iter().cloned());
        names
    }

    /// A name for a bound variable: its own, with primes if it would hide a variable that the body uses. `binders` are bound at once,
    /// those before this one by the names `taken`.
    fn fresh(&self, name: &str, body: &Term, binders: u32, taken: &[String]) -> String {
        let mut name = if name.is_empty() { "x".to_owned() } else { name.to_owned() };
        let hides = |name: &String| {
            let outer = self.scope.iter().rev().zip(binders..);
            outer.filter(|(other, _)| *other == name).any(|(_, index)| mentions(body, index))
        };
        while taken.contains(&name) || hides(&name) {
            name.push('\'');
        }
        name
    }

    fn block(&mut self, inner: impl FnOnce(&mut Printer)) {
        // Indentation stops growing at some depth, or a deep term would print as mostly blanks.
        const WIDEST: usize = 40;
        match self.indent {
            Some(indent) => {
                self.indent = Some((indent + 2).min(WIDEST));
                self.line_or_blank();
                inner(self);
                self.indent = Some(indent);
            }
            None => inner(self),
        }
    }

    fn line_or_blank(&mut self) {
        while self.out.ends_with(' ') {
            self.out.pop();
        }
        match self.indent {
            Some(indent) => {
                self.out.push('\n');
                self.out.extend(std::iter::repeat_n(' ', indent));
            }
            None => self.out.push(' '),
        }
    }
}

/// Does the loose index occur in the term?
fn mentions(term: &Term, index: u32) -> bool {
    if term.loose() <= index {
        return false;
    }
    if let Kind::Bound(found) = term.kind() {
        return *found == index;
    }
    let mut found = false;
    term.kind().each_part(&mut |part, binders| found = found || mentions(part, index + binders));
    found
}

fn is_bool(term: &Term, expected: bool) -> bool {
    matches!(term.kind(), Kind::Const(Value::Bool(b), _) if *b == expected)
}

fn own_level(term: &Term) -> Level {
    match term.kind() {
        Kind::Lam(..) | Kind::Fix(..) | Kind::If(..) => Level::Open,
        Kind::App(function, arguments) => match function.kind() {
            Kind::Lam(params, _) if params.len() == 1 && arguments.len() == 1 => Level::Open,
            _ => Level::Head,
        },
        Kind::Prim(prim, arguments) if prim.is_infix() && arguments.len() == 2 => Level::Open,
        _ => Level::Head,
    }
}

//! Expressions and types on one line, and expressions over several: an expression that does not fit is broken at its outermost operators,
//! arguments or branches, and the parts stand under each other.

use super::{WIDTH, flat_params};
use crate::syntax::ast::{Expr, ExprKind, Extreme, Operator, Quantifier, Source, TypeExpr, TypeKind};
use crate::syntax::flowers;

/// Further right than this nothing is moved to stand under its first part.
const FARTHEST: usize = 60;

pub(super) fn flat_type(ty: &TypeExpr) -> String {
    match &ty.kind {
        TypeKind::Bool => "Bool".to_owned(),
        TypeKind::Int => "Int".to_owned(),
        TypeKind::Flower => "Flower".to_owned(),
        TypeKind::Place => "Place".to_owned(),
        TypeKind::Set(inner) => format!("set {}", flat_type(inner)),
        TypeKind::Seq(inner) => format!("seq {}", flat_type(inner)),
        TypeKind::Map(from, to) => format!("map {} of {}", flat_type(from), flat_type(to)),
        TypeKind::Array(low, high, inner) => format!("array [{low}..{high}] of {}", flat_type(inner)),
        TypeKind::Function(from, to) => {
            let from: Vec<String> = from.iter().map(flat_type).collect();
            let blank = if from.is_empty() { "" } else { " " };
            format!("({}{blank}-> {})", from.join(" * "), flat_type(to))
        }
        TypeKind::Broken => "?".to_owned(),
    }
}

fn quantifier(quantifier: Quantifier) -> &'static str {
    match quantifier {
        Quantifier::Some => "E",
        Quantifier::All => "A",
    }
}

fn extreme(extreme: Extreme) -> &'static str {
    match extreme {
        Extreme::Max => "max",
        Extreme::Min => "min",
    }
}

fn list(items: &[Expr]) -> String {
    items.iter().map(flat).collect::<Vec<_>>().join(", ")
}

fn source(source: &Source) -> String {
    match source {
        Source::Set(set) => format!("in {}", flat(set)),
        Source::Type(ty) => format!(": {}", flat_type(ty)),
    }
}

/// The expression on one line.
pub(super) fn flat(expr: &Expr) -> String {
    match &expr.kind {
        ExprKind::Number(number) => number.to_string(),
        ExprKind::Flower(card) => flowers::literal(*card),
        ExprKind::Truth(truth) => truth.to_string(),
        ExprKind::Name(name) => name.clone(),
        ExprKind::Paren(inner) => format!("({})", flat(inner)),
        ExprKind::Not(inner) => format!("not {}", flat(inner)),
        // Two minus signs in a row would begin a comment.
        ExprKind::Negate(inner) if matches!(inner.kind, ExprKind::Negate(_)) => format!("- {}", flat(inner)),
        ExprKind::Negate(inner) => format!("-{}", flat(inner)),
        ExprKind::Binary { op, left, right, .. } => format!("{} {} {}", flat(left), op.symbol(), flat(right)),
        ExprKind::Apply(head, args) => format!("{}({})", flat(head), list(args)),
        ExprKind::If(test, then, otherwise) => {
            format!("if {} then {} else {}", flat(test), flat(then), flat(otherwise))
        }
        ExprKind::Let(name, value, body) => format!("let {} = {} in {}", name.text, flat(value), flat(body)),
        ExprKind::Lambda(params, body) => format!("lambda {} . {}", flat_params(params), flat(body)),
        ExprKind::Fix(name, ty, body) => format!("fix {} : {} . {}", name.text, flat_type(ty), flat(body)),
        ExprKind::Tabulate(name, ty, body) => {
            format!("map {} : {} => {}", name.text, flat_type(ty), flat(body))
        }
        ExprKind::Quantified(which, name, over, body) => {
            format!("{} {} in {} [{}]", quantifier(*which), name.text, flat(over), flat(body))
        }
        ExprKind::Sum(name, over, body) => format!("sum {} in {} of {}", name.text, flat(over), flat(body)),
        ExprKind::Extreme(which, items) => format!("{}{{{}}}", extreme(*which), list(items)),
        ExprKind::Set(items) => format!("{{{}}}", list(items)),
        ExprKind::Filter(name, from, body) => {
            format!("{{{} {} | {}}}", name.text, source(from), flat(body))
        }
        ExprKind::Broken => "?".to_owned(),
    }
}

fn blanks(count: usize) -> String {
    " ".repeat(count)
}

/// The column after the last character of a text that begins at a column.
fn end_column(text: &str, column: usize) -> usize {
    match text.rfind('\n') {
        Some(newline) => text[newline + 1..].chars().count(),
        None => column + text.chars().count(),
    }
}

/// The expression from a column on, with room for what follows it on its last line.
pub(super) fn layout(expr: &Expr, column: usize, after: usize) -> String {
    let text = flat(expr);
    if column + text.chars().count() + after <= WIDTH {
        return text;
    }
    let base = column.min(FARTHEST);
    match &expr.kind {
        ExprKind::Binary { op, .. } => chain(expr, op.level(), column, base, after),
        ExprKind::Paren(inner) => format!("({})", layout(inner, column + 1, after + 1)),
        ExprKind::Not(inner) => format!("not {}", layout(inner, column + 4, after)),
        ExprKind::Negate(inner) if !matches!(inner.kind, ExprKind::Negate(_)) => {
            format!("-{}", layout(inner, column + 1, after))
        }
        ExprKind::Apply(head, args) => {
            let head = layout(head, column, 1);
            let at = end_column(&head, column);
            call(&head, args, at - head.chars().count().min(at), after)
        }
        ExprKind::If(test, then, otherwise) => branches(test, then, otherwise, column, base, after),
        ExprKind::Let(name, value, body) => {
            let head = format!("let {} = ", name.text);
            let value = layout(value, column + head.len(), 3);
            format!("{head}{value} in\n{}{}", blanks(base), layout(body, base, after))
        }
        ExprKind::Lambda(params, body) => {
            under(&format!("lambda {} .", flat_params(params)), body, base, after)
        }
        ExprKind::Fix(name, ty, body) => {
            under(&format!("fix {} : {} .", name.text, flat_type(ty)), body, base, after)
        }
        ExprKind::Tabulate(name, ty, body) => {
            under(&format!("map {} : {} =>", name.text, flat_type(ty)), body, base, after)
        }
        ExprKind::Quantified(which, name, over, body) => {
            let head = format!("{} {} in ", quantifier(*which), name.text);
            let over = layout(over, column + head.len(), 2);
            let body = layout(body, base + 3, after + 1);
            format!("{head}{over}\n{}[{body}]", blanks(base + 2))
        }
        ExprKind::Sum(name, over, body) => {
            let head = format!("sum {} in ", name.text);
            let over = layout(over, column + head.len(), 3);
            under(&format!("{head}{over} of"), body, base, after)
        }
        ExprKind::Extreme(which, items) => {
            filled(&format!("{}{{", extreme(*which)), items, "}", column, after)
        }
        ExprKind::Set(items) => filled("{", items, "}", column, after),
        ExprKind::Filter(name, from, body) => {
            let head = format!("{{{} {}", name.text, source(from));
            format!("{head}\n{}| {}}}", blanks(base + 1), layout(body, base + 3, after + 1))
        }
        _ => text,
    }
}

/// The body on the next line, two columns further in.
fn under(head: &str, body: &Expr, base: usize, after: usize) -> String {
    format!("{head}\n{}{}", blanks(base + 2), layout(body, base + 2, after))
}

/// A chain of operators of one level: the operands stand under each other, each behind its operator.
fn chain(expr: &Expr, level: u8, column: usize, base: usize, after: usize) -> String {
    let mut operands: Vec<(Option<Operator>, &Expr)> = Vec::new();
    let mut at = expr;
    while let ExprKind::Binary { op, left, right, .. } = &at.kind
        && op.level() == level
    {
        operands.push((Some(*op), right));
        at = left;
    }
    operands.push((None, at));
    let mut text = String::new();
    let count = operands.len();
    for (i, (op, operand)) in operands.into_iter().rev().enumerate() {
        let room = if i + 1 == count { after } else { 0 };
        match op {
            None => text.push_str(&layout(operand, column, room)),
            Some(op) => {
                let lead = format!("\n{}{} ", blanks(base), op.symbol());
                text.push_str(&lead);
                text.push_str(&layout(operand, lead.len() - 1, room));
            }
        }
    }
    text
}

/// `if a then b` and every `else` on lines of their own.
fn branches(test: &Expr, then: &Expr, otherwise: &Expr, column: usize, base: usize, after: usize) -> String {
    let test = layout(test, column + 3, 0);
    let mut text = format!("if {test}");
    let one = format!(" then {}", flat(then));
    if !test.contains('\n') && end_column(&text, column) + one.chars().count() <= WIDTH {
        text.push_str(&one);
    } else {
        text.push_str(&format!("\n{}then {}", blanks(base), layout(then, base + 5, 0)));
    }
    let lead = format!("\n{}else ", blanks(base));
    let at = lead.len() - 1;
    text.push_str(&lead);
    // A chain of tests keeps its place instead of moving to the right.
    if let ExprKind::If(test, then, otherwise) = &otherwise.kind {
        let short = at + flat(test).chars().count() + flat(then).chars().count() + 9 <= WIDTH;
        if short {
            text.push_str(&branches(test, then, otherwise, at, base, after));
            return text;
        }
    }
    text.push_str(&layout(otherwise, at, after));
    text
}

/// A call whose arguments do not fit on the line.
pub(super) fn call(head: &str, args: &[Expr], column: usize, after: usize) -> String {
    filled(&format!("{head}("), args, ")", column, after)
}

/// Items separated by commas, as many on a line as fit, under each other.
fn filled(open: &str, items: &[Expr], close: &str, column: usize, after: usize) -> String {
    let mut text = open.to_owned();
    let start = end_column(open, column);
    let base = start.min(FARTHEST);
    let mut at = start;
    if start > base {
        text.push_str(&format!("\n{}", blanks(base)));
        at = base;
    }
    for (i, item) in items.iter().enumerate() {
        let last = i + 1 == items.len();
        let room = if last { after + close.len() } else { 1 };
        if i > 0 {
            if at + 1 + flat(item).chars().count() + room > WIDTH {
                text.push_str(&format!("\n{}", blanks(base)));
                at = base;
            } else {
                text.push(' ');
                at += 1;
            }
        }
        let part = layout(item, at, room);
        at = end_column(&part, at);
        text.push_str(&part);
        if !last {
            text.push(',');
            at += 1;
        }
    }
    text.push_str(close);
    text
}

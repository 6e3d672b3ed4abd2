//! The words of the type errors: types for people, and hints that say what was probably meant.

use super::frames::Frame;
use super::{Checker, Meaning};
use crate::diagnose::{Diagnostic, nearest};
use crate::syntax::Span;
use crate::types::ty::Ty;
use crate::types::typed::{Expr, ExprKind, Item};

/// `an Int`, `a set of Flower`, `a map from Place to Int`.
pub(super) fn a(ty: &Ty) -> String {
    match ty {
        Ty::Int => "an Int".to_owned(),
        Ty::Bool | Ty::Flower | Ty::Place => format!("a {ty}"),
        Ty::Set(inner) if matches!(**inner, Ty::Open(_)) => "an empty set".to_owned(),
        Ty::Set(inner) => format!("a set of {inner}"),
        Ty::Seq(inner) => format!("a sequence of {inner}"),
        Ty::Map(from, to) => format!("a map from {from} to {to}"),
        Ty::Array(low, high, inner) => format!("an array [{low}..{high}] of {inner}"),
        Ty::Function(..) => format!("a function {ty}"),
        Ty::Open(_) => "an element of an empty set".to_owned(),
    }
}

/// `1 argument`, `2 arguments`.
pub(super) fn arguments(count: usize) -> String {
    if count == 1 { "1 argument".to_owned() } else { format!("{count} arguments") }
}

impl Checker<'_> {
    /// The text of a piece of the source, if it is short enough to be repeated.
    pub(super) fn short(&self, span: Span) -> Option<String> {
        let text = span.text(self.source);
        (!text.is_empty() && text.len() <= 40 && !text.contains('\n')).then(|| text.to_owned())
    }

    /// The text of a piece of the source, or a word for it.
    pub(super) fn text_or(&self, span: Span, word: &str) -> String {
        self.short(span).unwrap_or_else(|| word.to_owned())
    }

    /// The expression that makes a value of the expected type from one of the type found.
    pub(super) fn cure(&self, expected: &Ty, found: &Ty, text: &str) -> Option<String> {
        let inside = match text.strip_prefix('(').and_then(|text| text.strip_suffix(')')) {
            Some(inner) if !inner.contains(['(', ')']) => inner,
            _ => text,
        };
        match (expected, found) {
            (Ty::Int, Ty::Set(_)) => Some(format!("Number({inside})")),
            (Ty::Int, Ty::Seq(_)) => Some(format!("Length({inside})")),
            (Ty::Int, Ty::Flower) => Some(format!("Point({inside})")),
            (Ty::Int, Ty::Bool) => Some(format!("(if {inside} then 1 else 0)")),
            (Ty::Place, Ty::Int) => Some(format!("Hand({inside})")),
            (Ty::Bool, Ty::Int) => Some(format!("{text} <> 0")),
            (Ty::Bool, Ty::Set(_)) => Some(format!("{text} <> {{}}")),
            (Ty::Set(element), found) if **element == *found => Some(format!("{{{inside}}}")),
            (expected, Ty::Function(from, to)) if from.is_empty() && **to == *expected => {
                Some(format!("{text}()"))
            }
            (expected, found) => {
                let fits = |ty: &Ty| matches!(ty, Ty::Map(from, to) if **from == *found && **to == *expected);
                let var = self.done.vars.iter().find(|var| fits(&var.ty))?;
                Some(format!("{}({inside})", var.name))
            }
        }
    }

    /// A hint for a value of one type where another is asked for.
    pub(super) fn advice(&self, expected: &Ty, found: &Expr) -> Option<String> {
        let ty = self.known(&found.ty);
        // Of a bare `true` or `{}` nobody wants a number.
        if matches!(&found.kind, ExprKind::Bool(_))
            || matches!(&found.kind, ExprKind::Set(items) if items.is_empty())
        {
            return None;
        }
        let text = self.short(found.span);
        if let (Some(text), Ty::Function(_, to)) = (&text, &ty)
            && **to == *expected
        {
            return Some(format!("{text} is a function; call it: {text}(...)"));
        }
        if let (Ty::Flower, Ty::Set(element)) = (expected, &ty)
            && **element == Ty::Flower
        {
            return Some("a set is not one of its elements; an oracle can choose one".to_owned());
        }
        let cure = self.cure(expected, &ty, &text?)?;
        Some(format!("did you mean {cure}?"))
    }

    /// Something of the wrong type.
    pub(super) fn mismatch(
        &self,
        rule: &'static str,
        message: String,
        expected: &Ty,
        found: &Expr,
    ) -> Diagnostic {
        let (expected, ty) = (self.known(expected), self.known(&found.ty));
        let mut error = Diagnostic::new(rule, found.span, message).label(a(&ty)).types(&expected, &ty);
        error.hint = self.advice(&expected, found);
        error
    }

    /// Reports unless the expression has this type.
    pub(super) fn require(
        &mut self,
        rule: &'static str,
        expected: &Ty,
        found: &Expr,
        message: impl FnOnce(&str) -> String,
    ) -> Option<()> {
        if self.unify(expected, &found.ty) {
            return Some(());
        }
        let message = message(&a(&self.known(&found.ty)));
        let error = self.mismatch(rule, message, expected, found);
        self.error(error);
        None
    }

    /// A name that nothing declares.
    pub(super) fn unknown(&mut self, name: &str, span: Span) {
        let mut error = Diagnostic::new("name", span, format!("{name} is not declared"));
        error.hint = self.meant(name, span);
        self.error(error);
    }

    fn meant(&self, name: &str, span: Span) -> Option<String> {
        if self.declaring.as_deref() == Some(name) {
            let hint = "a declaration does not know itself; recursion goes through `fix` or `while`";
            return Some(hint.to_owned());
        }
        let known = |part: &str| self.local(part).is_some() || self.globals.contains_key(part);
        let parts: Vec<&str> = name.split('-').collect();
        if parts.len() > 1 && parts.iter().all(|part| known(part)) {
            return Some(format!("{name} is one name; a difference needs blanks: {}", parts.join(" - ")));
        }
        let later = self.source.get(span.end as usize..).unwrap_or("");
        let declares = ["function", "procedure", "oracle", "const"]
            .iter()
            .any(|word| later.contains(&format!("{word} {name}")));
        if declares {
            return Some(
                "it is declared further below; a name is known only after its declaration".to_owned(),
            );
        }
        let locals = self.frames.iter().flat_map(Frame::names);
        let mut globals: Vec<&str> = self.globals.keys().map(String::as_str).collect();
        globals.sort_unstable();
        if let Some(near) = nearest(name, locals.chain(globals)) {
            return Some(format!("did you mean {near}?"));
        }
        let hint = match name {
            "and" => "and is written `&`",
            "union" => "the union of sets is `join`",
            "intersect" | "intersection" => "the intersection of sets is `meet`",
            "size" | "card" | "count" => "the number of elements of a set is Number(S)",
            "pot" => "the pot is cash(table)",
            _ => return None,
        };
        Some(hint.to_owned())
    }

    /// What a global name is, in words.
    pub(super) fn what(&self, meaning: Meaning) -> &'static str {
        match meaning {
            Meaning::Item(Item::Var(_)) => "a variable",
            Meaning::Item(Item::Const(_)) => "a constant",
            Meaning::Item(Item::Oracle(_)) => "an oracle",
            Meaning::Item(Item::Function(_)) | Meaning::Builtin(_) => "a function",
            Meaning::Item(Item::Procedure(_)) => "a procedure",
            Meaning::Given(_) => "a constant of the host",
            Meaning::Broken => "a broken declaration",
        }
    }
}

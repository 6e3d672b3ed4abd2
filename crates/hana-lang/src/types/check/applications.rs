//! Calls, questions to oracles, and elements of maps, arrays and sequences: all are written `f(e)`.

use super::wording::{a, arguments};
use super::{Checker, Meaning};
use crate::diagnose::Diagnostic;
use crate::syntax::Span;
use crate::syntax::ast;
use crate::types::builtins::Builtin;
use crate::types::ty::Ty;
use crate::types::typed::{Expr, ExprKind, Item, Lambda, Param, Reads};
use std::sync::Arc;

impl Checker<'_> {
    pub(super) fn var(&mut self, i: usize, span: Span) -> Expr {
        self.reads(Reads { state: true, oracles: false }, span);
        Expr { kind: ExprKind::Var(i), ty: self.done.vars[i].ty.clone(), span }
    }

    pub(super) fn procedure_as_value(&mut self, name: &str, span: Span, declared: Span) {
        let message = format!("{name} is a procedure: it does something and has no value");
        let mut error = Diagnostic::new("procedure", span, message)
            .hint("call it as a statement; what has a value is declared with `function`");
        if declared != Span::default() {
            error = error.note(declared, "declared here");
        }
        self.error(error);
    }

    pub(super) fn apply(&mut self, head: &ast::Expr, args: &[ast::Expr], span: Span) -> Option<Expr> {
        if let ast::ExprKind::Name(name) = &head.kind
            && self.local(name).is_none()
            && let Some(&(meaning, declared)) = self.globals.get(name)
        {
            match meaning {
                Meaning::Item(Item::Function(_) | Item::Oracle(_)) | Meaning::Builtin(_) => {
                    return self.call(name, meaning, args, span);
                }
                Meaning::Item(Item::Procedure(_)) => {
                    self.procedure_as_value(name, head.span, declared);
                    self.all(args);
                    return None;
                }
                _ => {}
            }
        }
        let head = self.expr(head);
        let args = self.all(args);
        let (head, args) = (head?, args?);
        self.apply_value(head, args, span)
    }

    /// All of these, so that every error among them is found.
    pub(super) fn all(&mut self, args: &[ast::Expr]) -> Option<Vec<Expr>> {
        let args: Vec<Option<Expr>> = args.iter().map(|arg| self.expr(arg)).collect();
        args.into_iter().collect()
    }

    fn apply_value(&mut self, head: Expr, mut args: Vec<Expr>, span: Span) -> Option<Expr> {
        let text = self.text_or(head.span, "this");
        let (index, element) = match self.known(&head.ty) {
            Ty::Function(from, to) => {
                let names = vec![None; from.len()];
                self.arguments(&text, &from, &names, &args, span, None)?;
                let kind = ExprKind::Apply(Box::new(head), args);
                return Some(Expr { kind, ty: (*to).clone(), span });
            }
            Ty::Map(from, to) => ((*from).clone(), (*to).clone()),
            Ty::Array(_, _, element) | Ty::Seq(element) => (Ty::Int, (*element).clone()),
            other => {
                let message = format!("{text} is {} and takes no argument", a(&other));
                let error = Diagnostic::new("application", head.span, message).label(a(&other));
                let mut error = error.types("a function, map, array or sequence", &other);
                if matches!(other, Ty::Set(_)) && args.len() == 1 {
                    let arg = self.text_or(args[0].span, "x");
                    error.hint = Some(format!("membership is written {arg} in {text}"));
                }
                self.error(error);
                return None;
            }
        };
        if args.len() != 1 {
            let message = format!("{text} is indexed by one value, not by {}", args.len());
            let found = format!("{} values", args.len());
            let error = Diagnostic::new("index", span, message).types(format!("one {index}"), found);
            self.error(error);
            return None;
        }
        let at = args.pop()?;
        let ty = self.known(&head.ty);
        self.indexed(&ty, &index, &at, &text)?;
        Some(Expr { kind: ExprKind::Index(Box::new(head), Box::new(at)), ty: element, span })
    }

    /// Is this the right index of a map, array or sequence?
    pub(super) fn indexed(&mut self, container: &Ty, index: &Ty, at: &Expr, name: &str) -> Option<()> {
        if self.unify(index, &at.ty) {
            return Some(());
        }
        let message = format!("{name} is indexed by {}, not by {}", a(index), a(&self.known(&at.ty)));
        let mut error = self.mismatch("index", message, index, at);
        match container {
            Ty::Seq(_) => {
                error.hint = Some(format!("the members of a sequence are counted: {name}(1), {name}(2)"));
            }
            Ty::Array(low, high, _) => {
                error.hint = Some(format!("the elements are {name}({low}) to {name}({high})"));
            }
            _ => {}
        }
        self.error(error);
        None
    }

    /// Checks arguments against parameters. `whose` is the declaration, `names` the names of the parameters.
    pub(super) fn arguments(
        &mut self,
        text: &str,
        params: &[Ty],
        names: &[Option<String>],
        args: &[Expr],
        span: Span,
        whose: Option<(Span, String)>,
    ) -> Option<()> {
        if params.len() != args.len() {
            let message = format!("{text} takes {}, not {}", arguments(params.len()), args.len());
            let mut error = Diagnostic::new("application", span, message)
                .types(arguments(params.len()), arguments(args.len()));
            if let Some((declared, signature)) = whose {
                error = error.hint(signature);
                if declared != Span::default() {
                    error = error.note(declared, "declared here");
                }
            }
            self.error(error);
            return None;
        }
        let mut right = Some(());
        for ((param, name), arg) in params.iter().zip(names).zip(args) {
            let checked = self.require("application", param, arg, |found| match name {
                Some(name) => format!("{text} takes {} as {name}, not {found}", a(param)),
                None => format!("{text} takes {}, not {found}", a(param)),
            });
            right = right.and(checked);
        }
        right
    }

    /// The head of a declared function or oracle: parameters, result, place.
    fn head(&self, meaning: Meaning) -> Option<(Vec<Param>, Ty, Span)> {
        match meaning {
            Meaning::Item(Item::Function(i)) => {
                let function = &self.done.functions[i];
                Some((function.params.clone(), function.body.ty.clone(), function.span))
            }
            Meaning::Item(Item::Oracle(i)) => {
                let oracle = &self.done.oracles[i];
                Some((oracle.params.clone(), oracle.result.clone(), oracle.span))
            }
            Meaning::Builtin(builtin) => {
                let (from, to) = builtin.signature()?;
                let param = |ty: Ty| Param { name: String::new(), ty, span: Span::default() };
                Some((from.into_iter().map(param).collect(), to, Span::default()))
            }
            _ => None,
        }
    }

    fn reads_of(&self, meaning: Meaning) -> Reads {
        match meaning {
            Meaning::Item(Item::Function(i)) => self.done.functions[i].reads,
            Meaning::Item(Item::Oracle(_)) => Reads { state: true, oracles: true },
            _ => Reads::default(),
        }
    }

    fn called(meaning: Meaning, args: Vec<Expr>) -> Option<ExprKind> {
        match meaning {
            Meaning::Item(Item::Function(i)) => Some(ExprKind::Call(i, args)),
            Meaning::Item(Item::Oracle(i)) => Some(ExprKind::Ask(i, args)),
            Meaning::Builtin(builtin) => Some(ExprKind::Builtin(builtin, args)),
            _ => None,
        }
    }

    fn call(&mut self, name: &str, meaning: Meaning, args: &[ast::Expr], span: Span) -> Option<Expr> {
        let args = self.all(args)?;
        let Some((params, result, declared)) = self.head(meaning) else {
            return self.count(meaning, args, span);
        };
        let types: Vec<Ty> = params.iter().map(|param| param.ty.clone()).collect();
        let names: Vec<Option<String>> =
            params.iter().map(|param| Some(param.name.clone()).filter(|name| !name.is_empty())).collect();
        let whose = (declared, signature(name, &params, Some(&result)));
        self.arguments(name, &types, &names, &args, span, Some(whose))?;
        self.reads(self.reads_of(meaning), span);
        Some(Expr { kind: Self::called(meaning, args)?, ty: result, span })
    }

    /// `Number` of a set, `Length` of a sequence.
    fn count(&mut self, meaning: Meaning, args: Vec<Expr>, span: Span) -> Option<Expr> {
        let Meaning::Builtin(builtin) = meaning else { return None };
        let of_sets = builtin == Builtin::Number;
        let (name, kind) = (builtin.name(), if of_sets { "a set" } else { "a sequence" });
        if args.len() != 1 {
            let message = format!("{name} takes 1 argument, not {}", args.len());
            let error = Diagnostic::new("application", span, message).types(kind, arguments(args.len()));
            self.error(error);
            return None;
        }
        let ty = self.known(&args[0].ty);
        if !matches!((&ty, of_sets), (Ty::Set(_), true) | (Ty::Seq(_), false)) {
            let message = format!("{name} counts the elements of {kind}, not of {}", a(&ty));
            let mut error =
                Diagnostic::new("application", args[0].span, message).label(a(&ty)).types(kind, &ty);
            let text = self.text_or(args[0].span, "x");
            error.hint = match &ty {
                Ty::Set(_) => Some(format!("did you mean Number({text})?")),
                Ty::Seq(_) => Some(format!("did you mean Length({text})?")),
                Ty::Place => self
                    .cure(&Ty::Flower.set(), &ty, &text)
                    .map(|cure| format!("did you mean {name}({cure})?")),
                _ => None,
            };
            self.error(error);
            return None;
        }
        Some(Expr { kind: ExprKind::Builtin(builtin, args), ty: Ty::Int, span })
    }

    /// A named function that is not called becomes the lambda that calls it.
    pub(super) fn function_as_value(&mut self, name: &str, meaning: Meaning, span: Span) -> Option<Expr> {
        let Some((mut params, result, _)) = self.head(meaning) else {
            let message = format!("{name} works for every element type, so it has no single type as a value");
            let error = Diagnostic::new("name", span, message);
            self.error(error.hint(format!("call it, or write lambda (S : set Flower) . {name}(S)")));
            return None;
        };
        for (i, param) in params.iter_mut().enumerate() {
            if param.name.is_empty() {
                param.name = format!("x{}", i + 1);
            }
        }
        let local =
            |(slot, param): (usize, &Param)| Expr { kind: ExprKind::Local(slot), ty: param.ty.clone(), span };
        let args = params.iter().enumerate().map(local).collect();
        let body = Expr { kind: Self::called(meaning, args)?, ty: result.clone(), span };
        let reads = self.reads_of(meaning);
        self.reads(reads, span);
        let ty = Ty::function(params.iter().map(|param| param.ty.clone()).collect(), result);
        let lambda = Lambda { captures: Vec::new(), itself: None, slots: params.len(), params, body, reads };
        Some(Expr { kind: ExprKind::Lambda(Arc::new(lambda)), ty, span })
    }
}

/// `Next(n, k : Int) : Int`.
pub(super) fn signature(name: &str, params: &[Param], result: Option<&Ty>) -> String {
    let mut text = format!("{name}(");
    for (i, param) in params.iter().enumerate() {
        let joined = params.get(i + 1).is_some_and(|next| next.ty == param.ty);
        let between = if joined { ", " } else { "; " };
        match (param.name.is_empty(), joined) {
            (true, _) => text.push_str(&param.ty.to_string()),
            (false, true) => text.push_str(&param.name),
            (false, false) => text.push_str(&format!("{} : {}", param.name, param.ty)),
        }
        if i + 1 < params.len() {
            text.push_str(between);
        }
    }
    text.push(')');
    if let Some(result) = result {
        text.push_str(&format!(" : {result}"));
    }
    text
}

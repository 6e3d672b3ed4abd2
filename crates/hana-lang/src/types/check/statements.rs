//! The rules of the statements.

use super::applications::signature;
use super::frames::Origin;
use super::wording::a;
use super::{Checker, Meaning};
use crate::diagnose::Diagnostic;
use crate::syntax::Span;
use crate::syntax::ast::{self, Name};
use crate::types::ty::Ty;
use crate::types::typed::{Item, Stmt, StmtKind};

impl Checker<'_> {
    pub(super) fn stmt(&mut self, stmt: &ast::Stmt) -> Option<Stmt> {
        let span = stmt.span;
        let kind = match &stmt.kind {
            ast::StmtKind::Skip => StmtKind::Skip,
            ast::StmtKind::Block(stmts) => {
                let stmts: Vec<Option<Stmt>> = stmts.iter().map(|stmt| self.stmt(stmt)).collect();
                StmtKind::Block(stmts.into_iter().collect::<Option<_>>()?)
            }
            ast::StmtKind::If { test, then, otherwise } => {
                let test = self.test("if", test);
                let then = self.stmt(then);
                let otherwise = match otherwise {
                    Some(otherwise) => Some(Box::new(self.stmt(otherwise)?)),
                    None => None,
                };
                StmtKind::If(test?, Box::new(then?), otherwise)
            }
            ast::StmtKind::While { test, body } => {
                let test = self.test("while", test);
                let body = self.stmt(body);
                StmtKind::While(test?, Box::new(body?))
            }
            ast::StmtKind::Assert(test) => StmtKind::Assert(self.test("assert", test)?),
            ast::StmtKind::Assign { target, index, value } => self.assign(target, index.as_ref(), value)?,
            ast::StmtKind::Call { name, args } => self.perform(name, args, span)?,
            ast::StmtKind::Broken => return None,
        };
        Some(Stmt { kind, span })
    }

    /// The variable that is assigned to.
    fn target(&mut self, target: &Name) -> Option<usize> {
        let name = &target.text;
        let global = self.globals.get(name).copied();
        if let Some(local) = self.local(name) {
            let what = if local.origin == Origin::Parameter { "a parameter" } else { "a bound name" };
            let message = format!("{name} is {what} here and cannot be assigned to");
            let mut error =
                Diagnostic::new("assignment", target.span, message).note(local.span, "bound here");
            if matches!(global, Some((Meaning::Item(Item::Var(_)), _))) {
                error.hint = Some(format!("it hides the variable {name}; give one of them another name"));
            } else {
                error.hint = Some("only variables change; declare one with `var`".to_owned());
            }
            self.error(error);
            return None;
        }
        let Some((meaning, declared)) = global else {
            self.unknown(name, target.span);
            return None;
        };
        match meaning {
            Meaning::Item(Item::Var(i)) => Some(i),
            Meaning::Broken => None,
            _ => {
                let message = format!("{name} is {} and cannot be assigned to", self.what(meaning));
                let mut error = Diagnostic::new("assignment", target.span, message)
                    .types("a variable", self.what(meaning))
                    .hint("only variables change; declare one with `var`");
                if declared != Span::default() {
                    error = error.note(declared, "declared here");
                }
                self.error(error);
                None
            }
        }
    }

    fn assign(&mut self, target: &Name, index: Option<&ast::Expr>, value: &ast::Expr) -> Option<StmtKind> {
        let var = self.target(target);
        let index = index.map(|index| self.expr(index));
        let value = self.expr(value);
        let var = var?;
        let (name, ty) = (&target.text, self.done.vars[var].ty.clone());
        let Some(index) = index else {
            let value = value?;
            self.require("assignment", &ty, &value, |found| {
                format!("{name} holds {} and cannot be given {found}", a(&ty))
            })?;
            return Some(StmtKind::Assign { var, value });
        };
        let (at, element) = match &ty {
            Ty::Map(from, to) => ((**from).clone(), (**to).clone()),
            Ty::Array(_, _, element) => (Ty::Int, (**element).clone()),
            other => {
                let message =
                    format!("{name} is {}; only elements of maps and arrays are assigned to", a(other));
                let mut error =
                    Diagnostic::new("element", target.span, message).types("a map or an array", other);
                if matches!(other, Ty::Seq(_)) {
                    error.hint =
                        Some("a sequence changes as a whole; an array changes element by element".to_owned());
                }
                self.error(error);
                return None;
            }
        };
        let (index, value) = (index?, value?);
        let indexed = self.indexed(&ty, &at, &index, name);
        let valued = self.require("assignment", &element, &value, |found| {
            format!("an element of {name} is {} and cannot be given {found}", a(&element))
        });
        indexed.and(valued)?;
        Some(StmtKind::Update { var, index, value })
    }

    fn perform(&mut self, name: &Name, args: &[ast::Expr], span: Span) -> Option<StmtKind> {
        let args = self.all(args);
        if let Some(local) = self.local(&name.text) {
            let message = format!(
                "{} is {} here, not a procedure",
                name.text,
                if local.origin == Origin::Parameter { "a parameter" } else { "a bound name" }
            );
            self.error(Diagnostic::new("procedure", name.span, message).note(local.span, "bound here"));
            return None;
        }
        let Some(&(meaning, declared)) = self.globals.get(&name.text) else {
            self.unknown(&name.text, name.span);
            return None;
        };
        let Meaning::Item(Item::Procedure(procedure)) = meaning else {
            if meaning != Meaning::Broken {
                self.not_a_procedure(name, meaning);
            }
            return None;
        };
        let args = args?;
        let params = self.done.procedures[procedure].params.clone();
        let types: Vec<Ty> = params.iter().map(|param| param.ty.clone()).collect();
        let names: Vec<Option<String>> = params.iter().map(|param| Some(param.name.clone())).collect();
        let whose = (declared, signature(&name.text, &params, None));
        self.arguments(&name.text, &types, &names, &args, span, Some(whose))?;
        Some(StmtKind::Perform { procedure, args })
    }

    fn not_a_procedure(&mut self, name: &Name, meaning: Meaning) {
        let text = &name.text;
        let what = self.what(meaning);
        let message = format!("{text} is {what}: alone it is not a statement");
        let hint = match meaning {
            Meaning::Item(Item::Var(_)) => format!("give it a value: {text} := ..."),
            _ => format!("use its value: v := {text}(...)"),
        };
        let error = Diagnostic::new("procedure", name.span, message).types("a procedure", what).hint(hint);
        self.error(error);
    }
}

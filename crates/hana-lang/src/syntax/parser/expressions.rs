//! Expressions, by climbing the levels of the operators.

use super::{Parser, broken};
use crate::diagnose::Diagnostic;
use crate::syntax::ast::{Expr, ExprKind, Extreme, Operator, Quantifier, Source};
use crate::syntax::lexer::Token;
use crate::syntax::span::Span;

/// The level of whole expressions.
const LOOSEST: u8 = 2;
/// Tighter than `&`.
const COMPARISON: u8 = 4;
/// Tighter than the comparisons.
const SET: u8 = 5;
/// Tighter than `meet`.
const ADDITIVE: u8 = 7;

impl ExprKind {
    /// The expressions directly inside.
    pub fn children(&self) -> impl Iterator<Item = &Expr> {
        let (one, many): ([Option<&Expr>; 3], &[Expr]) = match self {
            ExprKind::Number(_)
            | ExprKind::Flower(_)
            | ExprKind::Truth(_)
            | ExprKind::Name(_)
            | ExprKind::Broken => ([None; 3], &[]),
            ExprKind::Paren(e)
            | ExprKind::Not(e)
            | ExprKind::Negate(e)
            | ExprKind::Lambda(_, e)
            | ExprKind::Fix(_, _, e)
            | ExprKind::Tabulate(_, _, e) => ([Some(e), None, None], &[]),
            ExprKind::Binary { left, right, .. } => ([Some(left), Some(right), None], &[]),
            ExprKind::Let(_, a, b) | ExprKind::Quantified(_, _, a, b) | ExprKind::Sum(_, a, b) => {
                ([Some(a), Some(b), None], &[])
            }
            ExprKind::If(a, b, c) => ([Some(a), Some(b), Some(c)], &[]),
            ExprKind::Apply(head, args) => ([Some(head), None, None], args),
            ExprKind::Extreme(_, items) | ExprKind::Set(items) => ([None; 3], items),
            ExprKind::Filter(_, source, body) => match source.as_ref() {
                Source::Set(set) => ([Some(set), Some(body), None], &[]),
                Source::Type(_) => ([Some(body), None, None], &[]),
            },
        };
        one.into_iter().flatten().chain(many)
    }
}

impl Parser<'_> {
    pub(super) fn expr(&mut self) -> Expr {
        self.level(LOOSEST)
    }

    /// An expression whose outermost operators are of this level or tighter.
    fn level(&mut self, least: u8) -> Expr {
        self.deeper(broken, |parser| {
            let mut left = parser.prim();
            while let Some(op) = parser.operator().filter(|op| op.level() >= least) {
                let op_span = parser.bump();
                let right = parser.level(op.level() + 1);
                let span = left.span.to(right.span);
                let kind = ExprKind::Binary { op, op_span, left: Box::new(left), right: Box::new(right) };
                left = parser.built(kind, span);
            }
            left
        })
    }

    fn operator(&self) -> Option<Operator> {
        let text = match self.token() {
            Token::Sign(sign) => sign,
            Token::Word(word) => word,
            _ => return None,
        };
        Operator::ALL.into_iter().find(|op| op.symbol() == text)
    }

    fn prim(&mut self) -> Expr {
        let start = self.span();
        let kind = match self.token() {
            Token::Number(number) => {
                self.bump();
                ExprKind::Number(number)
            }
            Token::Flower(card) => {
                self.bump();
                card.map_or(ExprKind::Broken, ExprKind::Flower)
            }
            Token::Word("true" | "false") => {
                let truth = self.is_word("true");
                self.bump();
                ExprKind::Truth(truth)
            }
            Token::Name(name) => {
                self.bump();
                let head = self.built(ExprKind::Name(name.to_owned()), start);
                return self.applied(head);
            }
            Token::Sign("(") => return self.parenthesis(),
            Token::Sign("-") => {
                self.bump();
                ExprKind::Negate(Box::new(self.deeper(broken, Self::prim)))
            }
            Token::Word("not") => {
                self.bump();
                ExprKind::Not(Box::new(self.level(COMPARISON)))
            }
            Token::Word("if") => self.if_expr(),
            Token::Word("let") => self.let_expr(),
            Token::Word("lambda") => self.lambda(),
            Token::Word("fix") => self.fix(),
            Token::Word("map") => self.tabulate(),
            Token::Word("E") => self.quantified(Quantifier::Some),
            Token::Word("A") => self.quantified(Quantifier::All),
            Token::Word("sum") => self.sum(),
            Token::Word("max") => self.extreme(Extreme::Max),
            Token::Word("min") => self.extreme(Extreme::Min),
            Token::Sign("{") => self.braces(),
            _ => {
                self.surprise("an expression");
                return broken(start);
            }
        };
        let span = if self.behind().end > start.start { start.to(self.behind()) } else { start };
        self.built(kind, span)
    }

    fn parenthesis(&mut self) -> Expr {
        let open = self.bump();
        let inner = self.expr();
        if !self.is_sign(")") {
            self.unclosed(")", open);
            return broken(open);
        }
        self.bump();
        let span = open.to(self.behind());
        let head = self.built(ExprKind::Paren(Box::new(inner)), span);
        self.applied(head)
    }

    fn unclosed(&mut self, sign: &str, open: Span) {
        let message = format!("expected `{sign}`, found {}", self.token().words());
        let mut error = Diagnostic::new("syntax", self.span(), message).note(open, "opened here");
        error.hint = self.habit();
        self.report(error);
    }

    /// Any argument lists that follow.
    fn applied(&mut self, mut head: Expr) -> Expr {
        while self.is_sign("(") {
            let open = self.bump();
            let args = self.list(")", open);
            let span = head.span.to(self.behind());
            head = self.built(ExprKind::Apply(Box::new(head), args), span);
        }
        head
    }

    /// Expressions separated by commas up to the closing sign; the opening one has been read.
    pub(super) fn list(&mut self, close: &'static str, open: Span) -> Vec<Expr> {
        let mut items = Vec::new();
        if self.eat_sign(close) {
            return items;
        }
        loop {
            items.push(self.expr());
            if !self.room(items.len()) {
                break;
            }
            if self.eat_sign(close) {
                break;
            }
            if !self.eat_sign(",") {
                self.unclosed(close, open);
                self.skip_to_close(close);
                break;
            }
        }
        items
    }

    /// Skips the rest of a list that went wrong, but not beyond its statement.
    fn skip_to_close(&mut self, close: &str) {
        let mut open = 0_usize;
        loop {
            match self.token() {
                Token::Sign("(" | "{" | "[") => open += 1,
                Token::Sign(sign) if open == 0 && sign == close => {
                    self.bump();
                    return;
                }
                Token::Sign(")" | "}" | "]") => open = open.saturating_sub(1),
                Token::Sign(";" | ":=")
                | Token::Word("begin" | "end" | "then" | "else" | "do")
                | Token::End => return,
                _ => {}
            }
            self.bump();
        }
    }

    fn if_expr(&mut self) -> ExprKind {
        self.bump();
        let test = self.expr();
        if !self.expect_word("then", "after the test of `if`") {
            return ExprKind::Broken;
        }
        let then = self.expr();
        if !self.is_word("else") {
            let mut error = Diagnostic::new(
                "syntax",
                self.span(),
                format!("expected `else`, found {}", self.token().words()),
            );
            error.hint = self
                .habit()
                .or(Some("an `if` inside an expression needs an `else`: it must have a value".to_owned()));
            self.report(error);
            return ExprKind::Broken;
        }
        self.bump();
        ExprKind::If(Box::new(test), Box::new(then), Box::new(self.expr()))
    }

    fn let_expr(&mut self) -> ExprKind {
        self.bump();
        let Some(name) = self.name("the name after `let`") else { return ExprKind::Broken };
        if !self.expect_sign("=", "and the value of the name") {
            return ExprKind::Broken;
        }
        let value = self.level(SET);
        if !self.eat_word("in") {
            let message = format!("expected `in` after the value of `let`, found {}", self.token().words());
            let error = Diagnostic::new("syntax", self.span(), message);
            self.report(
                error.hint(
                    "a `lambda`, an `if` or a comparison needs parentheses here: let f = (lambda ...) in",
                ),
            );
            return ExprKind::Broken;
        }
        ExprKind::Let(name, Box::new(value), Box::new(self.expr()))
    }

    fn lambda(&mut self) -> ExprKind {
        self.bump();
        let Some(params) = self.params() else { return ExprKind::Broken };
        if !self.expect_sign(".", "after the parameters of `lambda`") {
            return ExprKind::Broken;
        }
        ExprKind::Lambda(params, Box::new(self.expr()))
    }

    fn fix(&mut self) -> ExprKind {
        self.bump();
        let Some(name) = self.name("the name after `fix`") else { return ExprKind::Broken };
        if !self.expect_sign(":", "and the type of the function") {
            return ExprKind::Broken;
        }
        let ty = self.ty();
        if !self.expect_sign(".", "after the type of `fix`") {
            return ExprKind::Broken;
        }
        ExprKind::Fix(name, ty, Box::new(self.expr()))
    }

    fn tabulate(&mut self) -> ExprKind {
        self.bump();
        let Some(name) = self.name("the name after `map`") else { return ExprKind::Broken };
        if !self.expect_sign(":", "and the type that the name ranges over") {
            return ExprKind::Broken;
        }
        let ty = self.ty();
        if !self.expect_sign("=>", "and the value") {
            return ExprKind::Broken;
        }
        ExprKind::Tabulate(name, ty, Box::new(self.expr()))
    }

    fn quantified(&mut self, quantifier: Quantifier) -> ExprKind {
        self.bump();
        let Some(name) = self.name("the name that the quantifier binds") else { return ExprKind::Broken };
        if !self.expect_word("in", "and a set") {
            return ExprKind::Broken;
        }
        let over = self.level(SET);
        let open = self.span();
        if !self.expect_sign("[", "and the test, as in E a in S [Point(a) = 20]") {
            return ExprKind::Broken;
        }
        let body = self.expr();
        if !self.is_sign("]") {
            self.unclosed("]", open);
            self.skip_to_close("]");
            return ExprKind::Broken;
        }
        self.bump();
        ExprKind::Quantified(quantifier, name, Box::new(over), Box::new(body))
    }

    fn sum(&mut self) -> ExprKind {
        self.bump();
        let Some(name) = self.name("the name that `sum` binds") else { return ExprKind::Broken };
        if !self.expect_word("in", "and a set") {
            return ExprKind::Broken;
        }
        let over = self.level(SET);
        if !self.expect_word("of", "and what is added, as in sum a in S of Point(a)") {
            return ExprKind::Broken;
        }
        ExprKind::Sum(name, Box::new(over), Box::new(self.level(ADDITIVE)))
    }

    fn extreme(&mut self, extreme: Extreme) -> ExprKind {
        let word = self.bump();
        let open = self.span();
        if !self.expect_sign("{", "and the numbers, as in max{a, b}") {
            return ExprKind::Broken;
        }
        let items = self.list("}", open);
        if items.is_empty() {
            let error = Diagnostic::new(
                "syntax",
                word.to(self.behind()),
                "there is no largest or smallest of nothing",
            );
            self.report(error.hint("max{a, b}"));
            return ExprKind::Broken;
        }
        ExprKind::Extreme(extreme, items)
    }

    /// `{}`, `{a, b}`, `{x : T | b}`, `{x in S | b}`.
    fn braces(&mut self) -> ExprKind {
        let open = self.bump();
        if self.eat_sign("}") {
            return ExprKind::Set(Vec::new());
        }
        if matches!(self.token(), Token::Name(_)) && self.ahead(1) == Token::Sign(":") {
            let Some(name) = self.name("a name") else { return ExprKind::Broken };
            self.bump();
            let ty = self.ty();
            return self.filter(name, Source::Type(ty), open);
        }
        let first = self.expr();
        if self.is_sign("|") {
            if let ExprKind::Binary { op: Operator::In, left, right, .. } = first.kind
                && let ExprKind::Name(text) = left.kind
            {
                let name = crate::syntax::ast::Name { text, span: left.span };
                return self.filter(name, Source::Set(*right), open);
            }
            let error = Diagnostic::new("syntax", first.span, "expected `x in S` or `x : T` before `|`");
            self.report(error.hint("{a in S | Point(a) = 20}"));
            self.skip_to_close("}");
            return ExprKind::Broken;
        }
        let mut items = vec![first];
        if !self.eat_sign("}") {
            if !self.eat_sign(",") {
                self.unclosed("}", open);
                self.skip_to_close("}");
                return ExprKind::Broken;
            }
            items.extend(self.list("}", open));
        }
        ExprKind::Set(items)
    }

    fn filter(&mut self, name: crate::syntax::ast::Name, source: Source, open: Span) -> ExprKind {
        if !self.expect_sign("|", "and the test, as in {a : Flower | Point(a) = 20}") {
            self.skip_to_close("}");
            return ExprKind::Broken;
        }
        let body = self.expr();
        if !self.is_sign("}") {
            self.unclosed("}", open);
            self.skip_to_close("}");
            return ExprKind::Broken;
        }
        self.bump();
        ExprKind::Filter(name, Box::new(source), Box::new(body))
    }
}

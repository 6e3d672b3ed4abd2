//! Statements. Inside a block an error skips to the next semicolon or `end`, so that the rest of the block is read.

use super::Parser;
use crate::diagnose::Diagnostic;
use crate::syntax::ast::{Stmt, StmtKind};
use crate::syntax::lexer::Token;
use crate::syntax::span::Span;

impl Parser<'_> {
    pub(super) fn stmt(&mut self) -> Stmt {
        self.deeper(Self::broken_stmt, |parser| {
            let start = parser.span();
            let kind = parser.stmt_kind();
            let span = if parser.behind().end > start.start { start.to(parser.behind()) } else { start };
            Stmt { kind, span }
        })
    }

    fn stmt_kind(&mut self) -> StmtKind {
        match self.token() {
            Token::Sign("[") => {
                self.bump();
                if !self.expect_sign("]", "after `[`: the empty statement is `[]`") {
                    return StmtKind::Broken;
                }
                StmtKind::Skip
            }
            Token::Word("begin") => self.block(),
            Token::Word("if") => self.if_stmt(),
            Token::Word("while") => {
                self.bump();
                let test = self.expr();
                if !self.expect_word("do", "after the test of `while`") {
                    return StmtKind::Broken;
                }
                StmtKind::While { test, body: Box::new(self.stmt()) }
            }
            Token::Word("assert") => {
                self.bump();
                StmtKind::Assert(self.expr())
            }
            Token::Name(_) if self.habit().is_some() && self.ahead(1) != Token::Sign(":=") => {
                self.surprise("a statement");
                StmtKind::Broken
            }
            Token::Name(_) => self.assignment_or_call(),
            _ => {
                let mut error = Diagnostic::new(
                    "syntax",
                    self.span(),
                    format!("expected a statement, found {}", self.token().words()),
                );
                error.hint = Some(match self.token() {
                    Token::Word("end") | Token::Word("else") | Token::Sign(";") => {
                        "the statement that does nothing is `[]`".to_owned()
                    }
                    _ => self.habit().unwrap_or_else(|| {
                        "a statement begins with a name, `begin`, `if`, `while` or `assert`".to_owned()
                    }),
                });
                self.report(error);
                StmtKind::Broken
            }
        }
    }

    fn if_stmt(&mut self) -> StmtKind {
        self.bump();
        let test = self.expr();
        if !self.expect_word("then", "after the test of `if`") {
            return StmtKind::Broken;
        }
        let then = Box::new(self.stmt());
        if self.is_sign(";") && self.ahead(1) == Token::Word("else") {
            let error = Diagnostic::new("syntax", self.span(), "no semicolon before `else`");
            self.report(error.hint("a semicolon ends the whole `if`; leave it out here"));
            self.bump();
        }
        let otherwise = self.eat_word("else").then(|| Box::new(self.stmt()));
        StmtKind::If { test, then, otherwise }
    }

    fn assignment_or_call(&mut self) -> StmtKind {
        let Some(name) = self.name("a statement") else { return StmtKind::Broken };
        let open = self.span();
        let mut args = Vec::new();
        let had_args = self.is_sign("(");
        if had_args {
            self.bump();
            args = self.list(")", open);
        }
        if self.eat_sign(":=") {
            let value = self.expr();
            if args.len() > 1 || (had_args && args.is_empty()) {
                let span = open.to(self.behind());
                let error = Diagnostic::new(
                    "syntax",
                    span,
                    format!("an element is named by one index, not {}", args.len()),
                );
                self.report(error.hint("v(i) := e"));
                return StmtKind::Broken;
            }
            return StmtKind::Assign { target: name, index: args.pop(), value };
        }
        if self.is_sign("=") {
            let error = Diagnostic::new("syntax", self.span(), "`=` compares; a statement assigns with `:=`");
            self.report(error.hint(format!("{} := ...", name.text)));
            self.bump();
            self.expr();
            return StmtKind::Broken;
        }
        StmtKind::Call { name, args }
    }

    fn block(&mut self) -> StmtKind {
        let begin = self.bump();
        let mut stmts = Vec::new();
        if self.is_word("end") {
            let error =
                Diagnostic::new("syntax", begin.to(self.span()), "nothing stands between `begin` and `end`");
            self.report(error.hint("the statement that does nothing is `[]`"));
            self.bump();
            return StmtKind::Broken;
        }
        loop {
            let before = self.at;
            stmts.push(self.stmt());
            if stmts.last().is_some_and(|stmt| stmt.kind == StmtKind::Broken) {
                self.skip_stmt();
            }
            if !self.room(stmts.len()) {
                return StmtKind::Broken;
            }
            if !self.after_stmt(begin, before) {
                break;
            }
        }
        StmtKind::Block(stmts)
    }

    /// What follows a statement of a block; true if another statement is to be read.
    fn after_stmt(&mut self, begin: Span, before: usize) -> bool {
        loop {
            match self.token() {
                Token::Sign(";") => {
                    while self.eat_sign(";") {}
                    if self.is_word("end") {
                        self.bump();
                        return false;
                    }
                    if !self.ends_program() {
                        return true;
                    }
                }
                Token::Word("end") => {
                    self.bump();
                    return false;
                }
                _ if self.ends_program() => {
                    let error = Diagnostic::new("syntax", self.span(), "an `end` is missing")
                        .label(format!("expected `end`, found {}", self.token().words()))
                        .note(begin, "this `begin` is not closed");
                    self.report(error.hint("every `begin` has its own `end`; `end.` closes the last one"));
                    return false;
                }
                Token::Name(_) | Token::Word("begin" | "if" | "while" | "assert") if self.at > before => {
                    let message = format!("a semicolon is missing before {}", self.token().words());
                    let mut error = Diagnostic::new("syntax", self.span(), message);
                    error.hint = self.habit().or(Some("statements are separated by `;`".to_owned()));
                    self.report(error);
                    return true;
                }
                _ => {
                    self.surprise("`;` or `end` after the statement");
                    self.skip_stmt();
                }
            }
        }
    }

    /// The end of the text, the full stop of the program, or a declaration that cannot stand here.
    fn ends_program(&self) -> bool {
        match self.token() {
            Token::End => true,
            Token::Sign(".") => self.ahead(1) == Token::End || self.behind_is_end(),
            Token::Word("procedure" | "function" | "oracle" | "var" | "const" | "program") => true,
            _ => false,
        }
    }

    fn behind_is_end(&self) -> bool {
        self.at.checked_sub(1).is_some_and(|at| self.lexed.tokens[at].0 == Token::Word("end"))
    }

    /// Skips to the semicolon or `end` that closes this statement, over whole blocks.
    fn skip_stmt(&mut self) {
        let mut open = 0_usize;
        while !self.ends_program() {
            match self.token() {
                Token::Word("begin") => open += 1,
                Token::Word("end") if open == 0 => return,
                Token::Word("end") => open -= 1,
                Token::Sign(";") if open == 0 => return,
                _ => {}
            }
            self.bump();
        }
    }
}

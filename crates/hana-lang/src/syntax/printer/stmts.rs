//! Statements on one line or on several.

use super::exprs::{flat, layout};
use super::{Printer, WIDTH};
use crate::syntax::ast::{Stmt, StmtKind};

impl Printer<'_> {
    /// The statement on one line, if nothing in it asks for more.
    pub(super) fn one_line(&self, stmt: &Stmt) -> Option<String> {
        if self.commented(stmt.span) {
            return None;
        }
        Some(match &stmt.kind {
            StmtKind::Skip | StmtKind::Broken => "[]".to_owned(),
            StmtKind::Block(stmts) => {
                if stmt.span.text(self.source).contains('\n') {
                    return None;
                }
                let parts: Option<Vec<String>> = stmts.iter().map(|stmt| self.one_line(stmt)).collect();
                format!("begin {} end", parts?.join("; "))
            }
            StmtKind::If { test, then, otherwise } => {
                let mut text = format!("if {} then {}", flat(test), self.one_line(then)?);
                if let Some(otherwise) = otherwise {
                    text.push_str(&format!(" else {}", self.one_line(otherwise)?));
                }
                text
            }
            StmtKind::While { test, body } => format!("while {} do {}", flat(test), self.one_line(body)?),
            StmtKind::Assert(test) => format!("assert {}", flat(test)),
            StmtKind::Assign { target, index, value } => {
                let index = index.as_ref().map(|index| format!("({})", flat(index))).unwrap_or_default();
                format!("{}{index} := {}", target.text, flat(value))
            }
            StmtKind::Call { name, args } if args.is_empty() => name.text.clone(),
            StmtKind::Call { name, args } => {
                let args: Vec<String> = args.iter().map(flat).collect();
                format!("{}({})", name.text, args.join(", "))
            }
        })
    }

    /// The statement from the cursor on; further lines at this indentation.
    pub(super) fn stmt(&mut self, stmt: &Stmt, indent: usize) {
        let room = WIDTH.saturating_sub(self.column() + 1);
        if let Some(text) = self.one_line(stmt).filter(|text| text.chars().count() <= room) {
            self.out.push_str(&text);
            return;
        }
        match &stmt.kind {
            StmtKind::Skip | StmtKind::Broken => self.out.push_str("[]"),
            StmtKind::Block(stmts) => self.block(stmt, stmts, indent),
            StmtKind::If { test, then, otherwise } => {
                self.out.push_str("if ");
                let test_end = test.span.end as usize;
                let test = layout(test, self.column(), " then begin".len());
                self.out.push_str(&test);
                let broken = test.contains('\n');
                if broken {
                    self.newline(indent);
                } else {
                    self.out.push(' ');
                }
                self.out.push_str("then");
                self.branch(test_end, then, indent);
                if let Some(otherwise) = otherwise {
                    self.otherwise(then, otherwise, indent);
                }
            }
            StmtKind::While { test, body } => {
                self.out.push_str("while ");
                let test_end = test.span.end as usize;
                let test = layout(test, self.column(), " do begin".len());
                self.out.push_str(&test);
                self.out.push_str(" do");
                self.branch(test_end, body, indent);
            }
            StmtKind::Assert(test) => {
                self.out.push_str("assert ");
                let test = layout(test, self.column(), 1);
                self.out.push_str(&test);
            }
            StmtKind::Assign { target, index, value } => {
                let index = index.as_ref().map(|index| format!("({})", flat(index))).unwrap_or_default();
                self.out.push_str(&format!("{}{index} := ", target.text));
                let value = layout(value, self.column(), 1);
                self.out.push_str(&value);
            }
            StmtKind::Call { name, args } => {
                let text = super::exprs::call(&name.text, args, self.column(), 1);
                self.out.push_str(&text);
            }
        }
    }

    /// What follows `then`, `else` or `do`: a block begins on the same line, anything else on the next.
    fn branch(&mut self, after: usize, stmt: &Stmt, indent: usize) {
        let start = stmt.span.start as usize;
        let commented = self.behind(after)
            || self.comments.first().is_some_and(|comment| (comment.span.start as usize) < start);
        if commented {
            let inside = if matches!(stmt.kind, StmtKind::Block(_)) { indent } else { indent + 2 };
            self.newline(inside);
            self.last = start;
            self.lead(start, inside);
            self.stmt_with_comments(stmt, inside);
        } else if let StmtKind::Block(stmts) = &stmt.kind {
            self.out.push(' ');
            let room = WIDTH.saturating_sub(self.column() + 1);
            match self.one_line(stmt).filter(|text| text.chars().count() <= room) {
                Some(text) => self.out.push_str(&text),
                None => self.block(stmt, stmts, indent),
            }
        } else {
            let short = self.one_line(stmt).filter(|text| self.column() + text.chars().count() + 2 <= WIDTH);
            if let Some(text) = short {
                self.out.push_str(&format!(" {text}"));
            } else {
                self.newline(indent + 2);
                self.last = stmt.span.start as usize;
                self.stmt_with_comments(stmt, indent + 2);
            }
        }
    }

    fn otherwise(&mut self, then: &Stmt, otherwise: &Stmt, indent: usize) {
        let start = otherwise.span.start as usize;
        self.last = then.span.end as usize;
        let comment = self.behind(self.last);
        let more = self.comments.first().is_some_and(|comment| (comment.span.start as usize) < start);
        let after_block = self.out.ends_with("end") && !comment && !more && self.line_is_end();
        if after_block {
            self.out.push(' ');
        } else {
            self.newline(indent);
            self.lead(start, indent);
        }
        self.out.push_str("else");
        if let StmtKind::If { test, .. } = &otherwise.kind
            && !self.commented(test.span)
        {
            self.out.push(' ');
            self.stmt(otherwise, indent);
        } else {
            self.branch(start, otherwise, indent);
        }
    }

    /// Is `end` alone on its line, so that `else` may stand behind it?
    fn line_is_end(&self) -> bool {
        self.out.rsplit('\n').next().is_some_and(|line| line.trim() == "end")
    }

    fn block(&mut self, block: &Stmt, stmts: &[Stmt], indent: usize) {
        self.out.push_str("begin");
        self.last = block.span.start as usize + "begin".len();
        self.behind(self.last);
        for (i, stmt) in stmts.iter().enumerate() {
            self.newline(indent + 2);
            self.stmt_with_comments(stmt, indent + 2);
            if i + 1 < stmts.len() {
                self.out.push(';');
            }
            self.last = stmt.span.end as usize;
            let end = self.last;
            let after = self
                .source
                .get(end..)
                .map_or(0, |rest| rest.len() - rest.trim_start_matches([' ', ';']).len());
            self.behind(end + after);
        }
        let end = block.span.end as usize;
        if self.comments.first().is_some_and(|comment| (comment.span.start as usize) < end) {
            self.newline(indent + 2);
            self.lead(end, indent + 2);
            let kept = self.out.trim_end().len();
            self.out.truncate(kept);
        }
        self.newline(indent);
        self.out.push_str("end");
        self.last = end;
    }

    /// A statement with the comments that belong before it.
    fn stmt_with_comments(&mut self, stmt: &Stmt, indent: usize) {
        self.lead(head_end(stmt), indent);
        self.space(stmt.span.start as usize);
        self.stmt(stmt, indent);
    }
}

/// Where the part of a statement ends inside which no comment can stay.
pub(super) fn head_end(stmt: &Stmt) -> usize {
    let end = match &stmt.kind {
        StmtKind::Block(_) => stmt.span.start,
        StmtKind::If { test, .. } | StmtKind::While { test, .. } => test.span.end,
        _ => stmt.span.end,
    };
    end as usize
}

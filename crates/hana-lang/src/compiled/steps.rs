//! Statements.

use super::compile::Compiler;
use super::fault::{Kind, fault};
use super::machine::{Cell, Step};
use super::others::within_limit;
use super::value::{Shape, Value, shape};
use super::words::{lowest, offset, outside};
use crate::syntax::Span;
use crate::types::typed::{Expr, Stmt, StmtKind};
use std::sync::Arc;

impl Compiler<'_> {
    /// A statement.
    pub(super) fn step(&mut self, stmt: &Stmt) -> Step {
        let nothing = || -> Step { Box::new(|_| Ok(())) };
        self.nested(stmt.span, nothing, |compiler| compiler.step_inside(stmt))
    }

    fn step_inside(&mut self, stmt: &Stmt) -> Step {
        let span = stmt.span;
        match &stmt.kind {
            StmtKind::Skip => Box::new(|_| Ok(())),
            StmtKind::Block(parts) => {
                let parts: Box<[Step]> = parts.iter().map(|part| self.step(part)).collect();
                Box::new(move |m| {
                    for part in &parts {
                        part(m)?;
                    }
                    Ok(())
                })
            }
            StmtKind::If(test, yes, no) => {
                let (test, yes) = (self.word(test), self.step(yes));
                match no.as_ref().map(|no| self.step(no)) {
                    Some(no) => Box::new(move |m| if test.holds(m)? { yes(m) } else { no(m) }),
                    None => Box::new(move |m| if test.holds(m)? { yes(m) } else { Ok(()) }),
                }
            }
            StmtKind::While(test, body) => {
                let ((test, body), cost) = self.costed(|compiler| (compiler.word(test), compiler.step(body)));
                Box::new(move |m| {
                    while test.holds(m)? {
                        m.spend(cost, span)?;
                        body(m)?;
                    }
                    Ok(())
                })
            }
            StmtKind::Assert(test) => {
                let test = self.word(test);
                Box::new(move |m| if test.holds(m)? { Ok(()) } else { fault(Kind::Assert, span) })
            }
            StmtKind::Assign { var, value } => self.assign(*var, value, span),
            StmtKind::Update { var, index, value } => self.update(*var, index, value, span),
            StmtKind::Perform { procedure, args } => {
                let procedure = Arc::clone(&self.procedures[*procedure]);
                let args = self.args(args);
                Box::new(move |m| {
                    let base = m.reserve(&procedure.frame, span)?;
                    for (at, arg) in (base..).zip(&args) {
                        arg.pass(m, at, span)?;
                    }
                    let caller = std::mem::replace(&mut m.base, base);
                    (procedure.body)(m)?;
                    m.base = caller;
                    m.release(base, &procedure.frame);
                    Ok(())
                })
            }
        }
    }

    fn assign(&mut self, var: usize, value: &Expr, span: Span) -> Step {
        let cell = self.cells[var];
        if let (Some(found), Cell::Row(row)) = (self.as_move(var, value), cell) {
            let (to, joined, taken) = (self.word(found.to), self.word(found.joined), self.word(found.taken));
            return Box::new(move |m| {
                let to = to.get(m)? as usize;
                // The first place comes first.
                let set = if to == 0 { joined.get(m)? } else { taken.get(m)? };
                let row = &mut m.state.rows[row];
                for bits in row.iter_mut() {
                    *bits &= !set;
                }
                if let Some(bits) = row.get_mut(to) {
                    *bits |= set;
                }
                Ok(())
            });
        }
        match cell {
            Cell::Word(i) => {
                let value = self.word(value);
                Box::new(move |m| {
                    m.state.words[i] = value.get(m)?;
                    Ok(())
                })
            }
            cell => {
                let value = self.other(value);
                Box::new(move |m| {
                    let value = value.get(m, span)?;
                    within_limit(&value, span)?;
                    m.spend(value.len() as u64 / 8, span)?;
                    m.state.set(cell, value);
                    Ok(())
                })
            }
        }
    }

    /// Index first, then the value, then the range.
    fn update(&mut self, var: usize, index: &Expr, value: &Expr, span: Span) -> Step {
        let cell = self.cells[var];
        let low = lowest(&self.program.vars[var].ty);
        let index = self.word(index);
        match (cell, shape(&value.ty)) {
            (Cell::Row(row), Shape::Word) => {
                let value = self.word(value);
                Box::new(move |m| {
                    let i = index.get(m)?;
                    let word = value.get(m)?;
                    let row = &mut m.state.rows[row];
                    match row.get_mut(offset(i, low)) {
                        Some(member) => *member = word,
                        None => return outside(i, low, row.len(), span),
                    }
                    Ok(())
                })
            }
            (cell, _) => {
                let value = self.other(value);
                Box::new(move |m| {
                    let i = index.get(m)?;
                    let value = value.get(m, span)?;
                    within_limit(&value, span)?;
                    let Cell::Other(at) = cell else { return Ok(()) };
                    m.spend(m.state.others[at].len() as u64 / 8, span)?;
                    let Value::Rows(rows) = &mut m.state.others[at] else { return Ok(()) };
                    let len = rows.len();
                    match Arc::make_mut(rows).get_mut(offset(i, low)) {
                        Some(member) => *member = value,
                        None => return outside(i, low, len, span),
                    }
                    Ok(())
                })
            }
        }
    }
}

//! Frames and scopes: which slot a local name lives in, and what a lambda takes along from the frames around it.

use super::Checker;
use crate::syntax::Span;
use crate::syntax::ast::Name;
use crate::types::ty::Ty;
use crate::types::typed::{Bound, Expr, ExprKind, Reads, Slot};

/// While a lambda is being checked, its captures are numbered from here.
pub(super) const CAPTURED: Slot = 1 << 20;

/// What introduced a local name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Origin {
    Parameter,
    Bound,
    Itself,
}

/// A local name. Without a type it belongs to something that is wrong already.
#[derive(Debug, Clone)]
pub(super) struct Local {
    pub(super) name: String,
    pub(super) slot: Slot,
    pub(super) ty: Option<Ty>,
    pub(super) origin: Origin,
    pub(super) span: Span,
}

/// The frame of a declaration, the main statement or a lambda.
#[derive(Debug, Default)]
pub(super) struct Frame {
    locals: Vec<Local>,
    /// Slots that were ever in use at once.
    pub(super) most: usize,
    /// For a lambda: slots of the frame around.
    pub(super) captures: Vec<Slot>,
    pub(super) reads: Reads,
    /// Where something outside was read first.
    pub(super) read_at: Option<Span>,
}

impl Frame {
    pub(super) fn read(&mut self, reads: Reads, span: Span) {
        if (reads.state || reads.oracles) && self.read_at.is_none() {
            self.read_at = Some(span);
        }
        self.reads.state |= reads.state;
        self.reads.oracles |= reads.oracles;
    }

    pub(super) fn bind(&mut self, name: &Name, ty: Option<Ty>, origin: Origin) -> Bound {
        let slot = self.locals.len();
        let local = Local { name: name.text.clone(), slot, ty, origin, span: name.span };
        self.locals.push(local);
        self.most = self.most.max(self.locals.len());
        Bound { slot, name: name.text.clone() }
    }

    pub(super) fn unbind(&mut self) {
        self.locals.pop();
    }

    pub(super) fn find(&self, name: &str) -> Option<&Local> {
        self.locals.iter().rev().find(|local| local.name == name)
    }

    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.locals.iter().map(|local| local.name.as_str())
    }
}

impl Checker<'_> {
    /// The local name, if there is one.
    pub(super) fn local(&self, name: &str) -> Option<Local> {
        self.frames.iter().rev().find_map(|frame| frame.find(name)).cloned()
    }

    /// A local name as an expression; captured where it lives in a frame further out. `None` if it is broken.
    pub(super) fn local_expr(&mut self, local: &Local, span: Span) -> Option<Expr> {
        let ty = local.ty.clone()?;
        let home = self.frames.iter().rposition(|frame| frame.find(&local.name).is_some())?;
        let mut slot = local.slot;
        for frame in self.frames.iter_mut().skip(home + 1) {
            let at = frame.captures.iter().position(|&captured| captured == slot).unwrap_or_else(|| {
                frame.captures.push(slot);
                frame.captures.len() - 1
            });
            slot = CAPTURED + at;
        }
        Some(Expr { kind: ExprKind::Local(slot), ty, span })
    }

    /// Binds a name while something is checked.
    pub(super) fn with<T>(
        &mut self,
        name: &Name,
        ty: Option<Ty>,
        check: impl FnOnce(&mut Self) -> T,
    ) -> (Bound, T) {
        let bound = self.frame().bind(name, ty, Origin::Bound);
        let checked = check(self);
        self.frame().unbind();
        (bound, checked)
    }
}

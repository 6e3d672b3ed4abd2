//! Which binder of the core a slot, the state and the oracles belong to. Binders are counted from the outermost; an index counts from the
//! innermost.

use crate::core::Term;
use crate::types::typed::Slot;

/// The binders in force.
#[derive(Debug, Default)]
pub(super) struct Scope {
    binders: u32,
    slots: Vec<u32>,
    state: u32,
    oracles: u32,
}

impl Scope {
    fn index(&self, binder: u32) -> Term {
        Term::bound(self.binders.saturating_sub(binder + 1))
    }

    /// How many binders are in force.
    pub(super) fn binders(&self) -> u32 {
        self.binders
    }

    /// A binder for a slot of the frame.
    pub(super) fn bind(&mut self, slot: Slot) {
        if self.slots.len() <= slot {
            self.slots.resize(slot + 1, 0);
        }
        self.slots[slot] = self.binders;
        self.binders += 1;
    }

    /// The end of the innermost binder.
    pub(super) fn unbind(&mut self) {
        self.binders -= 1;
    }

    /// A binder that no slot refers to.
    pub(super) fn bind_unnamed(&mut self) -> u32 {
        self.binders += 1;
        self.binders - 1
    }

    /// A binder for the state. Gives the one before it, to be restored.
    pub(super) fn bind_state(&mut self) -> u32 {
        let before = self.state;
        self.state = self.bind_unnamed();
        before
    }

    /// The end of the state's binder.
    pub(super) fn unbind_state(&mut self, before: u32) {
        self.unbind();
        self.state = before;
    }

    pub(super) fn bind_oracles(&mut self) {
        self.oracles = self.bind_unnamed();
    }

    pub(super) fn local(&self, slot: Slot) -> Term {
        self.index(self.slots.get(slot).copied().unwrap_or(0))
    }

    pub(super) fn binder(&self, binder: u32) -> Term {
        self.index(binder)
    }

    pub(super) fn state(&self) -> Term {
        self.index(self.state)
    }

    pub(super) fn oracles(&self) -> Term {
        self.index(self.oracles)
    }

    /// A frame for a lambda: its captures refer to the binders of this frame.
    pub(super) fn inner(&self, captures: &[Slot]) -> Scope {
        let slots = captures.iter().map(|&slot| self.slots.get(slot).copied().unwrap_or(0)).collect();
        Scope { slots, ..*self }
    }
}

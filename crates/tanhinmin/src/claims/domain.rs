//! What the claims range over: *all* positions of a size, each once up to the names of its faces.
//!
//! Only the order of faces matters, so a position of n cards is a pattern of equal neighbours (n cards in ascending order,
//! each equal to or stronger than the one before) and an owner for each card. The 2^(n-1) patterns are the shards. A table face
//! between two faces is as good as the lower one, so the tables are the empty one and the faces themselves.

use crate::position::{Face, Position};
use crate::rules::Move;
use crate::search::{AllPlays, Holdings};
use crate::theory::matching::without_weakest;
use kachi_core::{Claim, Counterexample, Findings, Statement};

/// Which positions a claim speaks about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Domain {
    /// Are cut cards in play?
    pub(crate) cuts: bool,
    /// All goals, or only (0, 0)?
    pub(crate) goals: bool,
    /// May faces be equal?
    pub(crate) ties: bool,
}

pub(crate) const PLAIN: Domain = Domain { cuts: false, goals: false, ties: true };
pub(crate) const DISTINCT: Domain = Domain { ties: false, ..PLAIN };
pub(crate) const GOALS: Domain = Domain { goals: true, ..PLAIN };
pub(crate) const CUTS: Domain = Domain { cuts: true, ..PLAIN };
pub(crate) const CUTS_AND_GOALS: Domain = Domain { goals: true, ..CUTS };

impl Domain {
    /// In words, for [`Statement::domain`].
    pub(crate) const fn words(self) -> &'static str {
        match (self.cuts, self.goals, self.ties) {
            (false, false, true) => "cards; every position and table, equal faces included, goals 0",
            (false, false, false) => "cards; every position and table with distinct faces, goals 0",
            (false, true, _) => "cards; every position, table and pair of goals, equal faces included",
            (true, false, _) => {
                "cards; every position and table with cut cards, equal faces included, goals 0"
            }
            (true, true, _) => {
                "cards; every position, table and pair of goals with cut cards, equal faces included"
            }
        }
    }

    /// The tables of the search must fit memory: 3 (with cut cards 5) possibilities a card.
    pub(crate) const fn largest(self) -> u32 {
        if self.cuts { 10 } else { 14 }
    }

    pub(crate) fn shards(self, size: u32) -> u32 {
        match size {
            0 | 1 => 0,
            _ if size > self.largest() => 0,
            _ if self.ties => 1 << (size - 1),
            _ => 1,
        }
    }

    /// The faces of a shard: bit i says that card i + 1 is stronger than card i.
    fn faces(self, size: u32, shard: u32) -> Vec<u8> {
        let steps = if self.ties { shard } else { u32::MAX };
        let mut face = 1;
        let mut faces = vec![face];
        for i in 0..size - 1 {
            face += (steps >> i & 1) as u8;
            faces.push(face);
        }
        faces
    }

    fn goals(self, size: u32) -> Vec<[usize; 2]> {
        if !self.goals {
            return vec![[0, 0]];
        }
        let size = size as usize;
        let pairs = |sum: usize| (0..=sum).map(move |c0| [c0, sum - c0]);
        (0..=size.saturating_sub(2)).flat_map(pairs).collect()
    }

    /// Visits every position of the shard.
    pub(crate) fn each(self, size: u32, shard: u32, visit: &mut dyn FnMut(&Case<'_>)) {
        let faces = self.faces(size, shard);
        for goals in self.goals(size) {
            let all = AllPlays::solve(&faces, self.cuts, goals);
            self.each_holding(&faces, &mut |holdings| {
                let [mine, theirs] = holdings.sizes();
                if mine <= goals[0] || theirs <= goals[1] {
                    return;
                }
                let top = faces.last().copied().unwrap_or(0);
                for level in 0..=top {
                    visit(&Case {
                        all: &all,
                        holdings,
                        level,
                        goals,
                        position: all.position(holdings, level),
                    });
                }
            });
        }
    }

    /// Every way to give all cards to the owners, cards of equal face being interchangeable.
    pub(crate) fn each_holding(self, faces: &[u8], visit: &mut dyn FnMut(Holdings)) {
        let owners = if self.cuts { 4 } else { 2 };
        let mut owner = vec![0_usize; faces.len()];
        loop {
            let ordered = (1..faces.len()).all(|i| faces[i] != faces[i - 1] || owner[i - 1] <= owner[i]);
            if ordered {
                let of =
                    |who: usize| (0..faces.len()).filter(|&i| owner[i] == who).map(|i| 1 << i).sum::<u32>();
                visit(Holdings { x: of(0), z: of(1), u: of(2), v: of(3) });
            }
            let Some(i) = owner.iter().position(|&who| who + 1 < owners) else { return };
            owner[..i].fill(0);
            owner[i] += 1;
        }
    }
}

/// One position with the truth about it.
pub(crate) struct Case<'a> {
    pub(crate) all: &'a AllPlays,
    pub(crate) holdings: Holdings,
    pub(crate) level: u8,
    pub(crate) goals: [usize; 2],
    pub(crate) position: Position,
}

impl Case<'_> {
    /// Does the mover win? By search.
    pub(crate) fn mover_wins(&self) -> bool {
        self.all.mover_wins(self.holdings, self.level)
    }

    /// The winning moves, by search.
    pub(crate) fn winning(&self) -> Vec<Move> {
        self.all.winning_moves(self.holdings, self.level)
    }

    pub(crate) fn x(&self) -> &[Face] {
        &self.position.mover().ordinary
    }

    pub(crate) fn u(&self) -> &[Face] {
        &self.position.mover().cuts
    }

    pub(crate) fn z(&self) -> &[Face] {
        &self.position.other().ordinary
    }

    pub(crate) fn v(&self) -> &[Face] {
        &self.position.other().cuts
    }

    pub(crate) fn table(&self) -> Face {
        Face::raw(u32::from(self.level))
    }

    /// X[c..].
    pub(crate) fn x_from(&self, c: usize) -> &[Face] {
        without_weakest(self.x(), c)
    }

    /// Z[c..].
    pub(crate) fn z_from(&self, c: usize) -> &[Face] {
        without_weakest(self.z(), c)
    }

    /// "the mover wins" or "the other wins".
    pub(crate) fn truth_in_words(&self) -> &'static str {
        if self.mover_wins() { "in truth the mover wins" } else { "in truth the other player wins" }
    }
}

/// What a predicate says of a case: fine, or in which way the statement fails.
pub(crate) type Verdict = Result<(), String>;

/// `Ok` if the statement holds here.
pub(crate) fn expect(holds: bool, words: impl FnOnce() -> String) -> Verdict {
    if holds { Ok(()) } else { Err(words()) }
}

/// Moves as words.
pub(crate) fn list(moves: &[Move]) -> String {
    if moves.is_empty() {
        return "no move".into();
    }
    moves.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}

/// A claim about each position of a domain by itself.
pub(crate) struct PositionClaim {
    pub(crate) statement: Statement,
    pub(crate) domain: Domain,
    pub(crate) holds: fn(&Case<'_>) -> Verdict,
}

impl Claim for PositionClaim {
    fn statement(&self) -> &Statement {
        &self.statement
    }

    fn largest(&self) -> u32 {
        self.domain.largest()
    }

    fn shards(&self, size: u32) -> u32 {
        self.domain.shards(size)
    }

    fn check(&self, size: u32, shard: u32, findings: &mut Findings) {
        self.domain.each(size, shard, &mut |case| {
            let verdict = (self.holds)(case);
            findings.record(verdict.is_ok(), || Counterexample {
                position: case.position.to_string(),
                words: verdict.err().unwrap_or_default(),
            });
        });
    }
}

/// A claim with an enumeration of its own.
pub(crate) struct OtherClaim {
    pub(crate) statement: Statement,
    pub(crate) largest: u32,
    pub(crate) shards: fn(u32) -> u32,
    pub(crate) check: fn(u32, u32, &mut Findings),
}

impl Claim for OtherClaim {
    fn statement(&self) -> &Statement {
        &self.statement
    }

    fn largest(&self) -> u32 {
        self.largest
    }

    fn shards(&self, size: u32) -> u32 {
        (self.shards)(size)
    }

    fn check(&self, size: u32, shard: u32, findings: &mut Findings) {
        (self.check)(size, shard, findings);
    }
}

//! Statements about shichinarabe as things to be checked: those of the paper "Linear time algorithm for generalized 2-player
//! Shichinarabe" (27th Game Programming Workshop, 2022), those of the thesis chapter on graphical shichinarabe
//! (theorems 6.1 to 6.9), and those first stated here. Wrong ones are expected to be refuted.

pub mod domains;
mod forests;
mod jokers;
mod open;
mod passes;
mod suits;
pub mod truth;

use crate::notation::write_graph;
use crate::position::{Graph, Player};
use domains::MOST_VERTICES;
use kachi_core::claim::{Counterexample, Findings, Statement};
use kachi_core::{Claim, Question};
use truth::MOST_CARDS;

const PAPER: &str =
    "Linear time algorithm for generalized 2-player Shichinarabe, 27th Game Programming Workshop 2022";
const THESIS: &str = "Thesis chapter on graphical shichinarabe (chapter 6)";
const OURS: &str = "kachi";

/// A claim made of a statement and a function that checks one shard.
struct Check {
    statement: Statement,
    shards: u32,
    check: fn(size: u32, shard: u32, shards: u32, findings: &mut Findings),
}

impl Claim for Check {
    fn statement(&self) -> &Statement {
        &self.statement
    }

    /// The domains grow by a factor of four to seven with each size, and their solvers work on bit sets.
    fn largest(&self) -> u32 {
        self.statement.size + 6
    }

    fn shards(&self, _size: u32) -> u32 {
        self.shards
    }

    fn check(&self, size: u32, shard: u32, findings: &mut Findings) {
        (self.check)(size, shard, self.shards, findings);
    }
}

/// A claim about graphs, up to a size.
struct UpTo(usize, &'static Check);

impl Claim for UpTo {
    fn statement(&self) -> &Statement {
        self.1.statement()
    }

    fn largest(&self) -> u32 {
        self.1.largest().min(self.0 as u32)
    }

    fn shards(&self, size: u32) -> u32 {
        self.1.shards(size)
    }

    fn check(&self, size: u32, shard: u32, findings: &mut Findings) {
        self.1.check(size, shard, findings);
    }
}

/// A statement expected to be refuted, with its corrected form.
const fn refuted(
    id: &'static str,
    source: &'static str,
    words: &'static str,
    corrected_by: Option<&'static str>,
    domain: &'static str,
    size: u32,
) -> Statement {
    Statement { corrected_by, ..Statement::refuted(id, source, words, "", domain, size) }
}

/// Records a claim about the winner of a graph.
fn record_winner(findings: &mut Findings, graph: &Graph, said: Player, truth: Player) {
    findings.record(said == truth, || Counterexample {
        position: write_graph(graph),
        words: format!("the statement says {} wins; {} wins", said.colour(), truth.colour()),
    });
}

/// Records any claim about a graph.
fn record_graph(findings: &mut Findings, holds: bool, graph: &Graph, words: impl FnOnce() -> String) {
    findings.record(holds, || Counterexample { position: write_graph(graph), words: words() });
}

/// What is open about `graph-shichinarabe`.
pub static OPEN: &[Question] = open::GRAPH;

/// The claims of `shichinarabe`.
pub static SUITS: &[&dyn Claim] = suits::CLAIMS;

/// The claims of `graph-shichinarabe`.
pub static GRAPH: &[&dyn Claim] = &[
    &UpTo(MOST_CARDS, &forests::MAIN_THEOREM),
    &UpTo(MOST_VERTICES, &forests::ROOTED_RULE),
    &UpTo(MOST_VERTICES, &forests::SAFE_PLAY),
    &UpTo(MOST_VERTICES, &forests::LEAST_PRICE),
    &UpTo(MOST_CARDS, &forests::PATHS),
    &UpTo(MOST_VERTICES, &forests::UNBLOCKED_FORESTS),
    &UpTo(MOST_CARDS, &forests::UNBLOCKED_PATHS),
    &UpTo(MOST_VERTICES, &forests::NAIVE_FOREST_VALUE),
    &UpTo(MOST_VERTICES, &forests::LITERAL_ADDITION),
    &UpTo(MOST_CARDS, &jokers::SPIDERS_ONE),
    &UpTo(MOST_CARDS, &jokers::SPIDERS_TWO),
    &UpTo(MOST_VERTICES, &jokers::GROVE),
    &UpTo(MOST_VERTICES, &jokers::TREES_NOW_OR_NEVER),
    &UpTo(MOST_CARDS, &jokers::TREES_LEVEL_ON_RECORD),
    &UpTo(MOST_CARDS, &jokers::TREES_BEHIND_ON_RECORD),
    &UpTo(MOST_VERTICES, &jokers::TREES_TWO_RIGHTS),
    &UpTo(MOST_CARDS, &jokers::TWO_HOLDERS_NOW),
    &UpTo(MOST_VERTICES, &jokers::NEVER_HURTS),
    &UpTo(MOST_VERTICES, &jokers::ONE_PER_TURN),
    &UpTo(MOST_VERTICES, &jokers::EMPTYING),
    &UpTo(MOST_VERTICES, &passes::EQUAL_PASSES),
    &UpTo(MOST_CARDS, &passes::EQUAL_PASSES_ONE_PER_TURN),
    &UpTo(MOST_CARDS, &passes::UNEQUAL_PASSES),
    &UpTo(MOST_VERTICES, &passes::DIFFERENCE),
    &UpTo(MOST_CARDS, &passes::SHIFT),
];

//! What is proved in the kernel, what is computed, what is only tested, as claims for the ledger.
//!
//! A *kernel theorem* is checked by running its proof file through the kernel; it speaks of the elaborated term of the shipped
//! program, in every house. It rests on the rules, the axioms it names, and the code of the kernel; it is no Coq theorem, so
//! [`Statement::proved`] stays empty. *Computed* statements hold by evaluation of closed terms; *tested* ones on the
//! instances tried. The Lemma and BIKI are claims of crate `hana`, by computation through the month projection; nothing here
//! claims them for the kernel.

mod open;

use crate::core::check::check_module;
use crate::core::ty::Ty;
use crate::core::value::House;
use crate::kernel::axioms::{AXIOMS, test_instance};
use crate::proof_file::{self, SHIPPED, shipped_module};
use kachi_core::random::Dealer;
use kachi_core::{Claim, Counterexample, Findings, Question, Statement};

/// What is open.
pub static OPEN: &[Question] = open::ALL;

/// All claims.
pub static ALL: &[&dyn Claim] =
    &[&LAWS, &PAPER_CASH, &MODERN_CASH, &PLACES, &ROUND, &BASKETS, &POINTS, &AXIOM_INSTANCES, &RETYPED];

const KACHI: &str = "kachi";
const PAPER: &str = "Igarashi, The Game of Hana";

/// A statement with its check; one size, one shard each unless said.
struct Check {
    statement: Statement,
    largest: u32,
    check: fn(u32, &mut Findings),
}

impl Claim for Check {
    fn statement(&self) -> &Statement {
        &self.statement
    }

    fn largest(&self) -> u32 {
        self.largest
    }

    fn shards(&self, _: u32) -> u32 {
        1
    }

    fn check(&self, size: u32, _: u32, findings: &mut Findings) {
        (self.check)(size, findings);
    }
}

const fn theorem(
    id: &'static str,
    source: &'static str,
    words: &'static str,
    domain: &'static str,
    check: fn(u32, &mut Findings),
) -> Check {
    Check { statement: Statement::holds(id, source, words, None, domain, 1), largest: 1, check }
}

/// Runs proof files; every theorem in them is one case.
fn accepted(names: &[&str], findings: &mut Findings) {
    for name in names {
        let failed = |words: String| Counterexample { position: (*name).to_owned(), words };
        let Some(proof) = SHIPPED.iter().find(|proof| proof.name == *name) else {
            findings.record(false, || failed("there is no such proof file".to_owned()));
            continue;
        };
        match proof_file::check(proof.text, &shipped_module) {
            Ok(checked) => {
                for proved in &checked.theorems {
                    findings.record(proved.theorem.hypotheses().is_empty(), || {
                        failed(proved.theorem.to_string())
                    });
                }
            }
            Err(error) => {
                findings.record(false, || failed(format!("line {}: {error}", error.line(proof.text))));
            }
        }
    }
}

static LAWS: Check = theorem(
    "hl-laws",
    KACHI,
    "Kernel theorems: [];S = S = S;[], sequence is associative, a while loop equals its unfolding, while false do S = []; the rules of \
     Hoare for assignment, sequence, if and while, and the variant rule.",
    "proof files laws and hoare, over all statements of the state of HANA-AWASE; the variant rule uses induction over the integers and two axioms, the others the rules alone",
    |_, findings| accepted(&["laws", "hoare"], findings),
);

static PAPER_CASH: Check = theorem(
    "hl-paper-cash",
    PAPER,
    "Kernel theorems: Pay and the whole program HANA-AWASE keep the sum of cash (modulo 2^64), for every oracle family X and every state, \
     wherever they end without a fault; where neither sum overflows, the sums as HL computes them are equal.",
    "proof file paper-cash, about the elaborated term; all X, all states, all houses",
    |_, findings| accepted(&["paper-cash"], findings),
);

static MODERN_CASH: Check = theorem(
    "hl-modern-cash",
    KACHI,
    "Kernel theorems: the same for HACHI-HACHI.",
    "proof file modern-cash, about the elaborated term; all X, all states, all houses",
    |_, findings| accepted(&["modern-cash"], findings),
);

static PLACES: Check = theorem(
    "hl-places",
    PAPER,
    "Kernel theorems: Move and Move-All keep a flower that lies at just one place at just one place.",
    "proof files paper-places and modern-places; the procedures, not the whole programs (Deal is an oracle)",
    |_, findings| accepted(&["paper-places", "modern-places"], findings),
);

static ROUND: Check = theorem(
    "hl-round-ends",
    PAPER,
    "Kernel theorem: the round loop of HANA-AWASE ends, in a state or in a fault, from every state, if Throw-in and Take-out answer.",
    "proof file paper-round, variant Length(flower) - t; uses induction over the integers beside the ten rules",
    |_, findings| accepted(&["paper-round"], findings),
);

static BASKETS: Check = theorem(
    "hl-baskets-even",
    PAPER,
    "Kernel theorems: Collect keeps the parity of the Basket if the card played and those it may take lie outside the Basket and the \
     card is not among them. That every call in the programs meets this is not claimed.",
    "proof files paper-baskets and modern-baskets; the procedure Collect",
    |_, findings| accepted(&["paper-baskets", "modern-baskets"], findings),
);

static POINTS: Check = theorem(
    "hl-264",
    PAPER,
    "Computed in the kernel: the points of the deck are 264, and five cards count 20.",
    "proof file points; two closed terms by the reference interpreter, with their steps",
    |_, findings| accepted(&["points"], findings),
);

static AXIOM_INSTANCES: Check = Check {
    statement: Statement::holds(
        "hl-axioms",
        KACHI,
        "Tested: every axiom of the kernel holds on random instances, evaluated by the reference interpreter.",
        None,
        "hundreds of random instances per axiom and type, in houses of 3 to 6 seats; only instances whose guards hold are counted",
        3,
    )
    .sampled(),
    largest: u32::MAX,
    check: |size, findings| {
        let mut dealer = Dealer::new(u64::from(size));
        let types = [
            vec![],
            vec![Ty::Flower],
            vec![Ty::Place],
            vec![Ty::Int],
            vec![Ty::Place, Ty::set(Ty::Flower)],
            vec![Ty::Flower, Ty::Int],
        ];
        for axiom in AXIOMS {
            for formula in types.iter().filter_map(|types| (axiom.formula)(types)) {
                for round in 0..100_u8 {
                    let house = House { seats: 3 + round % 4, ..House::default() };
                    if let Some(result) = test_instance(&formula, &house, &mut dealer) {
                        findings.record(result.is_ok(), || Counterexample {
                            position: axiom.name.to_owned(),
                            words: result.err().unwrap_or_default(),
                        });
                    }
                }
            }
        }
    },
};

static RETYPED: Check = theorem(
    "hl-elaboration-typed",
    KACHI,
    "Checked: the elaborated terms of both shipped programs pass the core's own type checker.",
    "the programs paper and modern",
    |_, findings| {
        for name in ["paper", "modern"] {
            let result = shipped_module(name).map(|module| check_module(&module));
            findings.record(matches!(result, Some(Ok(_))), || Counterexample {
                position: name.to_owned(),
                words: format!("{result:?}"),
            });
        }
    },
);

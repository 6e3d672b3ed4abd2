//! The rows of Tanaka's tables 1 and 2, how many states the stack game has; and the chances of its starts.

use super::{KACHI, TANAKA};
use crate::table::build;
use crate::theory::TwoChains;
use crate::theory::poset::{self, Poset};
use kachi_core::{Budget, Claim, Counterexample, Error, Findings, Limits, Statement};

/// A row of a table: the numbers of states for 1, 2, 3 ... cards of each chain.
pub(super) struct Row {
    statement: Statement,
    stacks: usize,
    chains: usize,
    counts: &'static [u64],
}

const DOMAIN: &str = "cards of each chain; one start for every size";

const fn row(statement: Statement, stacks: usize, chains: usize, counts: &'static [u64]) -> Row {
    Row { statement, stacks, chains, counts }
}

const fn printed(id: &'static str, words: &'static str, size: u32) -> Statement {
    Statement::holds(id, TANAKA, words, None, DOMAIN, size)
}

/// Claims are checked at sizes that someone has chosen, so only memory is limited.
fn limits() -> Limits {
    Limits { nodes: u64::MAX, bytes: 8 << 30, ..Limits::default() }
}

impl Row {
    fn count(&self, length: usize) -> Result<u64, Error> {
        let mut budget = Budget::new(limits());
        match self.chains {
            1 => build::count(&TwoChains::start(self.stacks, length, 0), &mut budget),
            2 => build::count(&TwoChains::start(self.stacks, length, length), &mut budget),
            _ => poset::count(&Poset::start(self.stacks, self.chains, length)?, 1, &mut budget),
        }
    }
}

impl Claim for Row {
    fn statement(&self) -> &Statement {
        &self.statement
    }

    fn largest(&self) -> u32 {
        self.counts.len() as u32
    }

    fn shards(&self, _: u32) -> u32 {
        1
    }

    fn check(&self, size: u32, _: u32, findings: &mut Findings) {
        let Some(&stated) = (size as usize).checked_sub(1).and_then(|i| self.counts.get(i)) else { return };
        let counted = self.count(size as usize);
        findings.record(counted == Ok(stated), || Counterexample {
            position: format!("{} stacks, {} chains of {size} cards", self.stacks, self.chains),
            words: match counted {
                Ok(counted) => format!("{stated} states are stated, and there are {counted}"),
                Err(error) => error.message,
            },
        });
    }
}

pub(super) static ONE_CHAIN_ON_THREE: Row = row(
    printed(
        "table-1-one-chain",
        "With three stacks one chain of n cards has as many states as table 1 says.",
        12,
    ),
    3,
    1,
    &[1, 3, 7, 14, 25, 41, 63, 92, 129, 175, 231, 298],
);

pub(super) static TWO_CHAINS_ON_THREE: Row = row(
    printed(
        "table-1-two-chains",
        "With three stacks two chains of n cards have as many states as table 1 says.",
        8,
    ),
    3,
    2,
    &[2, 12, 65, 339, 1665, 7757, 34_996, 155_155, 681_545, 2_977_599, 12_964_435, 56_313_735],
);

pub(super) static THREE_CHAINS_ON_THREE: Row = row(
    printed(
        "table-1-three-chains",
        "With three stacks three chains of n cards have as many states as table 1 says.",
        4,
    ),
    3,
    3,
    &[3, 38, 622, 11_664, 214_034],
);

pub(super) static FOUR_CHAINS_ON_THREE: Row = row(
    printed(
        "table-1-four-chains",
        "With three stacks four chains of n cards have as many states as table 1 says.",
        3,
    ),
    3,
    4,
    &[4, 114, 6730, 543_588],
);

pub(super) static ONE_CHAIN_ON_FOUR: Row = row(
    printed(
        "table-2-one-chain",
        "With four stacks one chain of n cards has as many states as table 2 says.",
        12,
    ),
    4,
    1,
    &[1, 3, 7, 15, 30, 56, 98, 162, 255, 385, 561, 793],
);

pub(super) static TWO_CHAINS_ON_FOUR: Row = row(
    Statement::refuted(
        "erratum-table-2-two-chains",
        TANAKA,
        "With four stacks two chains of n cards have as many states as table 2 says: 566036 for n = 8, 3028205 for n = 9.",
        "table-2-two-chains-corrected",
        DOMAIN,
        8,
    ),
    4,
    2,
    &[2, 12, 71, 459, 2937, 17_851, 102_750, 566_036, 3_028_205, 15_680_903, 79_991_496, 402_134_982],
);

pub(super) static TWO_CHAINS_ON_FOUR_CORRECTED: Row = row(
    Statement::holds(
        "table-2-two-chains-corrected",
        KACHI,
        "With four stacks two chains of n cards have as many states as table 2 says, except 566037 for n = 8 and 3016568 for n = 9.",
        None,
        DOMAIN,
        8,
    ),
    4,
    2,
    &[2, 12, 71, 459, 2937, 17_851, 102_750, 566_037, 3_016_568, 15_680_903, 79_991_496, 402_134_982],
);

pub(super) static THREE_CHAINS_ON_FOUR: Row = row(
    printed(
        "table-2-three-chains",
        "With four stacks three chains of n cards have as many states as table 2 says.",
        3,
    ),
    4,
    3,
    &[3, 39, 807, 22_628, 636_368],
);

pub(super) static FOUR_CHAINS_ON_FOUR: Row = row(
    printed(
        "table-2-four-chains",
        "With four stacks four chains of n cards have as many states as table 2 says.",
        2,
    ),
    4,
    4,
    &[4, 125, 11_146, 1_637_973],
);

/// The chances of two chains of `first`, `first` + 1, ... cards, to seven digits.
pub(super) struct Starts {
    statement: Statement,
    stacks: usize,
    first: u32,
    chances: &'static [f64],
}

impl Claim for Starts {
    fn statement(&self) -> &Statement {
        &self.statement
    }

    fn largest(&self) -> u32 {
        self.first + self.chances.len() as u32 - 1
    }

    fn shards(&self, _: u32) -> u32 {
        1
    }

    fn check(&self, size: u32, _: u32, findings: &mut Findings) {
        let stated = size.checked_sub(self.first).and_then(|i| self.chances.get(i as usize));
        let Some(&stated) = stated else { return };
        let start = TwoChains::start(self.stacks, size as usize, size as usize);
        let chance = build::chance(&start, &mut Budget::new(limits()));
        let holds = chance.as_ref().is_ok_and(|chance| (chance / stated - 1.0).abs() < 1e-6);
        findings.record(holds, || Counterexample {
            position: format!("{} stacks, 2 chains of {size} cards", self.stacks),
            words: match chance {
                Ok(chance) => format!("the chance {stated} is stated, and it is {chance}"),
                Err(error) => error.message,
            },
        });
    }
}

pub(super) static STARTS_ON_THREE: Starts = Starts {
    statement: Statement::holds(
        "starts-three-stacks",
        KACHI,
        "With three stacks two chains of 4 to 9 cards are won with chance .9184028, .7296450, .4847617, .2664199, .1217415, .04687614.",
        None,
        DOMAIN,
        7,
    ),
    stacks: 3,
    first: 4,
    chances: &[0.918_402_8, 0.729_645, 0.484_761_74, 0.266_419_9, 0.121_741_46, 0.046_876_14],
};

pub(super) static STARTS_ON_FOUR: Starts = Starts {
    statement: Statement::holds(
        "starts-four-stacks",
        KACHI,
        "With four stacks two chains of 5 to 9 cards are won with chance .9834028, .9270127, .8144087, .6519579, .4699598.",
        None,
        DOMAIN,
        7,
    ),
    stacks: 4,
    first: 5,
    chances: &[0.983_402_8, 0.927_012_7, 0.814_408_7, 0.651_957_9, 0.469_959_8],
};

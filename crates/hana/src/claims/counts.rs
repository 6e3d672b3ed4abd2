//! The exact distributions of hands and tables, by looking at every one of them.

use super::{Check, KACHI, one_shard};
use crate::card::{Cards, DECK};
use crate::field::{self, Waiting, field};
use crate::house::Carry;
use crate::yaku::{full_teyaku, paper_teyaku};
use kachi_core::{Counterexample, Findings, Statement};
use std::collections::BTreeMap;

/// All sets of `count` cards, in order of their bits.
fn each_set(count: u32, visit: &mut dyn FnMut(Cards)) {
    let mut bits: u64 = (1 << count) - 1;
    while bits < 1 << DECK {
        visit(Cards(bits));
        // The next larger word with as many bits.
        let low = bits & bits.wrapping_neg();
        let ripple = bits + low;
        bits = ripple | (((bits ^ ripple) >> 2) / low);
    }
}

fn compare(what: &str, expected: u64, found: u64, findings: &mut Findings) {
    findings.record(expected == found, || Counterexample {
        position: String::new(),
        words: format!("{what}: {found}, not {expected}"),
    });
}

pub(super) static TEYAKU: Check = Check {
    statement: Statement::holds(
        "teyaku-distribution",
        KACHI,
        "Of the 73,629,072 hands 26.03% have a teyaku; every row of both groups and every total in kan is as frequent as listed.",
        None,
        "all 73,629,072 hands of seven cards; one size",
        1,
    ),
    shards: one_shard,
    largest: 1,
    check: |_, _, findings| {
        let mut months: BTreeMap<&str, u64> = BTreeMap::new();
        let mut kinds: BTreeMap<&str, u64> = BTreeMap::new();
        let mut kan = [0_u64; 32];
        each_set(7, &mut |hand| {
            let found = full_teyaku(hand);
            kan[found.kan as usize & 31] += 1;
            if found.kan > 0 {
                *months.entry(found.months.unwrap_or("none")).or_default() += 1;
                *kinds.entry(found.kinds.unwrap_or("none")).or_default() += 1;
            }
        });
        for (name, count) in MONTHS.iter().chain(&KINDS) {
            let found = months.get(name).or_else(|| kinds.get(name)).copied().unwrap_or(0);
            compare(name, *count, found, findings);
        }
        for (value, count) in KAN {
            compare(&format!("{value} kan"), count, kan[value], findings);
        }
    },
};

const MONTHS: [(&str, u64); 10] = [
    ("shiso", 528),
    ("ichinishi", 31_680),
    ("teshi", 126_720),
    ("futasanbon", 21_760),
    ("sanbon-tatesanbon", 18_080),
    ("futatatesanbon", 2_400),
    ("haneken", 95_040),
    ("sanbon", 4_620_000),
    ("tatesanbon", 1_716_000),
    ("kuttsuki", 1_710_720),
];
const KINDS: [(&str, u64); 5] = [
    ("karasu", 888_030),
    ("pikaichi", 1_184_040),
    ("toichi", 2_368_080),
    ("tanichi", 2_664_090),
    ("aka", 4_795_560),
];
const KAN: [(usize, u64); 15] = [
    (0, 54_461_388),
    (2, 8_410_176),
    (3, 6_057_288),
    (4, 3_562_620),
    (5, 348_468),
    (6, 477_754),
    (7, 217_226),
    (8, 70_846),
    (9, 9_150),
    (10, 9_955),
    (11, 2_831),
    (12, 842),
    (20, 500),
    (23, 17),
    (24, 11),
];

pub(super) static PAPER_TEYAKU: Check = Check {
    statement: Statement::holds(
        "paper-teyaku-distribution",
        KACHI,
        "346,104 hands have 7 kasu and 3,230,304 have 6 (the willow is not special).",
        None,
        "all 73,629,072 hands of seven cards; one size",
        1,
    ),
    shards: one_shard,
    largest: 1,
    check: |_, _, findings| {
        let (mut seven, mut six) = (0, 0);
        each_set(7, &mut |hand| {
            let shown = paper_teyaku(hand).window.count();
            seven += u64::from(shown == 7);
            six += u64::from(shown == 6);
        });
        compare("7 kasu", 346_104, seven, findings);
        compare("6 kasu", 3_230_304, six, findings);
    },
};

pub(super) static TABLES: Check = Check {
    statement: Statement::holds(
        "table-distribution",
        KACHI,
        "Of the 12,271,512 tables 11,352 show four of a month (redealt) and 634,656 more show three; the field has index 0, 1, 2 on \
         6,096,454, 3,270,365 and 2,904,693 of them.",
        None,
        "all 12,271,512 tables of six cards; one size",
        1,
    ),
    shards: one_shard,
    largest: 1,
    check: |_, _, findings| {
        let (mut same, mut index) = ([0_u64; 5], [0_u64; 3]);
        let none = Waiting::default();
        each_set(6, &mut |table| {
            same[field::max_same(table).min(4) as usize] += 1;
            index[field(table, &none, Carry::None).0.min(2) as usize] += 1;
        });
        compare("four of a month", 11_352, same[4], findings);
        compare("three of a month", 634_656, same[3], findings);
        for (i, expected) in [6_096_454, 3_270_365, 2_904_693].into_iter().enumerate() {
            compare(&format!("index {i}"), expected, index[i], findings);
        }
    },
};

//! All small positions, written down without any cleverness: every pair of sides from faces 1 to `top`.
#![allow(dead_code, reason = "each test uses a part")]

use kachi_core::Limits;
use tanhinmin::Position;
use tanhinmin::position::{Setup, TableSetup};

/// All ascending lists of `cards` faces from 1 to `top`.
pub(crate) fn hands(cards: usize, top: i64) -> Vec<Vec<i64>> {
    if cards == 0 {
        return vec![vec![]];
    }
    let mut all = Vec::new();
    for hand in hands(cards - 1, top) {
        for face in hand.last().copied().unwrap_or(1)..=top {
            all.push([&hand[..], &[face]].concat());
        }
    }
    all
}

/// All positions of exactly `cards` cards with faces 1 to `top`, with or without cut cards and goals, on every table.
pub(crate) fn all(cards: usize, top: i64, cuts: bool, goals: bool) -> Vec<Position> {
    let mut positions = Vec::new();
    let most_cuts = if cuts { cards } else { 0 };
    for x in 0..=cards {
        for u in 0..=most_cuts.min(cards - x) {
            for z in 0..=cards - x - u {
                let v = cards - x - u - z;
                if v > most_cuts {
                    continue;
                }
                for sizes in sides(x, u, z, v, top) {
                    push_all(&sizes, top, goals, &mut positions);
                }
            }
        }
    }
    positions
}

fn sides(x: usize, u: usize, z: usize, v: usize, top: i64) -> Vec<[Vec<i64>; 4]> {
    let mut all = Vec::new();
    for x in hands(x, top) {
        for u in hands(u, top) {
            for z in hands(z, top) {
                for v in hands(v, top) {
                    all.push([x.clone(), u.clone(), z.clone(), v]);
                }
            }
        }
    }
    all
}

fn push_all([x, u, z, v]: &[Vec<i64>; 4], top: i64, goals: bool, positions: &mut Vec<Position>) {
    let (mine, theirs) = ((x.len() + u.len()) as i64, (z.len() + v.len()) as i64);
    for c0 in 0..if goals { mine } else { mine.min(1) } {
        for c1 in 0..if goals { theirs } else { theirs.min(1) } {
            let tables = (0..=top).map(TableSetup::Face).chain([TableSetup::Cut]);
            for table in tables {
                let setup = Setup {
                    hands: vec![x.clone(), z.clone()],
                    cuts: vec![u.clone(), v.clone()],
                    goal: vec![c0, c1],
                    table,
                    ..Setup::default()
                };
                positions.push(setup.validate(&Limits::default()).expect("a legal position"));
            }
        }
    }
}

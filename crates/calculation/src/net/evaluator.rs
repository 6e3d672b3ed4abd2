//! The net at work, on many tables at once. All memory is taken when the evaluator is made.
//!
//! Tables of one decision share most of their stacks, so what a stack adds to the first layer (given the
//! foundations) is remembered and found again by its cards. Neighbours in a batch often differ in nothing but the stack that
//! took the card; what the rest of the table adds is worked out once for them.

use super::file::Net;
use super::inputs::{STACK_INPUTS, TABLE_AT, mark_stack, mark_table};
use super::product::Room;
use crate::position::{MOST_CARDS, MOST_FOUNDATIONS, MOST_RANKS, MOST_STACKS, Position, Rank, Stack};
use multiversion::multiversion;
use std::hash::{Hash, Hasher};

/// Tables evaluated together; more are taken in turns.
const ROWS: usize = 192;
/// Stacks remembered.
const REMEMBERED: usize = 1024;

/// The stack a remembered sum belongs to.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Known {
    heads: [u8; MOST_FOUNDATIONS],
    height: u8,
    cards: [Rank; MOST_CARDS],
}

/// Evaluates tables with one net. Not shared between threads: make one for each.
#[derive(Clone)]
pub struct Evaluator<'n> {
    net: &'n Net,
    known: Vec<Option<Known>>,
    sums: Vec<f32>,
    /// Foundations and unseen cards of the last table, what they add to every stack, and the units of their own.
    last: Option<([u8; MOST_FOUNDATIONS], [u8; MOST_RANKS])>,
    table: Vec<f32>,
    globals: Vec<f32>,
    /// Inputs that are set.
    marked: Vec<usize>,
    joined: Vec<f32>,
    hidden: Vec<f32>,
    inner: Vec<f32>,
    room: Room,
}

impl std::fmt::Debug for Evaluator<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Evaluator").field("stacks", &self.net.stacks()).finish_non_exhaustive()
    }
}

impl<'n> Evaluator<'n> {
    /// An evaluator for this net.
    pub fn new(net: &'n Net) -> Evaluator<'n> {
        Evaluator {
            net,
            known: vec![None; REMEMBERED],
            sums: vec![0.0; REMEMBERED * 2 * net.stack_units],
            last: None,
            table: vec![0.0; 2 * net.stack_units],
            globals: vec![0.0; net.stack_units],
            marked: Vec::with_capacity(STACK_INPUTS),
            joined: vec![0.0; ROWS * (net.stacks() + 1) * net.stack_units],
            hidden: vec![0.0; ROWS * net.units],
            inner: vec![0.0; ROWS * net.units],
            room: Room::new(net.units.max((net.stacks() + 1) * net.stack_units)),
        }
    }

    /// The net it works with.
    pub fn net(&self) -> &'n Net {
        self.net
    }

    /// The logits of the chances to win, for tables of the full game after a turn. A drawn card that waits is not seen.
    ///
    /// They are the same on every machine, whatever else is in the batch. Against plain 32-bit arithmetic the small whole numbers of the dense layers
    /// (`product.rs`) move a chance by less than 0.005 on average.
    /// As many are computed as both slices hold.
    pub fn logits(&mut self, positions: &[Position], out: &mut [f32]) {
        for (positions, out) in positions.chunks(ROWS).zip(out.chunks_mut(ROWS)) {
            let rows = positions.len().min(out.len());
            for (row, position) in positions[..rows].iter().enumerate() {
                self.first_layer(row, position);
            }
            self.dense_layers(rows, out);
        }
    }

    fn first_layer(&mut self, row: usize, position: &Position) {
        let net = self.net;
        let (stacks, units) = (net.stacks(), net.stack_units);
        let width = (stacks + 1) * units;
        let joined = row * width;
        self.table_sums(position);
        let globals = joined + stacks * units;
        self.joined[globals..globals + units].copy_from_slice(&self.globals);
        for (slot, &stack) in canonical(position, stacks)[..stacks].iter().enumerate() {
            let sum = self.stack_sum(position, stack);
            let (values, gates) = self.sums[sum..sum + 2 * units].split_at(units);
            let (table_values, table_gates) = self.table.split_at(units);
            let out = &mut self.joined[joined + slot * units..joined + (slot + 1) * units];
            for (unit, out) in out.iter_mut().enumerate() {
                let value = values[unit] + table_values[unit];
                let gate = gates[unit] + table_gates[unit];
                *out = value.max(0.0) * gate.max(0.0);
            }
        }
    }

    /// What foundations and unseen cards add to every stack, and the units of their own.
    fn table_sums(&mut self, position: &Position) {
        let seen = (*position.heads(), *position.unseen());
        if self.last == Some(seen) {
            return;
        }
        self.last = Some(seen);
        let net = self.net;
        self.table.copy_from_slice(&net.stack.biases);
        self.globals.copy_from_slice(&net.table.biases);
        self.marked.clear();
        mark_table(&net.rules, position, |input| self.marked.push(input));
        add_rows(&mut self.globals, &net.table.weights, &self.marked);
        self.marked.iter_mut().for_each(|input| *input += TABLE_AT);
        add_rows(&mut self.table, &net.stack.weights, &self.marked);
        self.globals.iter_mut().for_each(|unit| *unit = unit.max(0.0));
    }

    /// Where the sum of a stack's own rows is remembered.
    fn stack_sum(&mut self, position: &Position, stack: Stack) -> usize {
        let net = self.net;
        let cards = position.stack(stack);
        let mut known = Known {
            heads: *position.heads(),
            height: cards.len() as u8,
            cards: [Rank::default(); MOST_CARDS],
        };
        known.cards[..cards.len()].copy_from_slice(cards);
        let mut hasher = rustc_hash::FxHasher::default();
        (known.heads, cards).hash(&mut hasher);
        let place = (hasher.finish() >> 32) as usize % REMEMBERED;
        let at = place * 2 * net.stack_units;
        if self.known[place] != Some(known) {
            self.known[place] = Some(known);
            let sum = &mut self.sums[at..at + 2 * net.stack_units];
            sum.fill(0.0);
            self.marked.clear();
            mark_stack(&net.rules, position.heads(), cards, |input| self.marked.push(input));
            add_rows(sum, &net.stack.weights, &self.marked);
        }
        at
    }

    fn dense_layers(&mut self, rows: usize, out: &mut [f32]) {
        let (net, room) = (self.net, &mut self.room);
        net.join.apply(rows, &self.joined, &mut self.hidden, false, room);
        for block in net.tower.chunks_exact(2) {
            block[0].apply(rows, &self.hidden, &mut self.inner, false, room);
            block[1].apply(rows, &self.inner, &mut self.hidden, true, room);
        }
        for (hidden, out) in self.hidden.chunks_exact(net.units).zip(&mut out[..rows]) {
            *out = net.out.biases[0] + dot(hidden, &net.out.weights);
        }
    }
}

/// The stacks from the largest to the smallest, compared from the bottom: the order in which the net was taught.
fn canonical(position: &Position, stacks: usize) -> [Stack; MOST_STACKS] {
    let mut order = [Stack(0), Stack(1), Stack(2), Stack(3)];
    order[..stacks].sort_by(|&a, &b| position.stack(b).cmp(position.stack(a)));
    order
}

/// Units whose sums stay in registers while the rows go by.
const TOGETHER: usize = 128;

/// Adds the rows of the marked inputs, in their order, to as many sums as a row has weights.
#[multiversion(targets("x86_64+avx512f+avx512vl", "x86_64+avx2"))]
fn add_rows(sums: &mut [f32], weights: &[f32], marked: &[usize]) {
    let width = sums.len();
    let mut blocks = sums.chunks_exact_mut(TOGETHER);
    let mut from = 0;
    for block in &mut blocks {
        let mut held = [0.0; TOGETHER];
        held.copy_from_slice(block);
        for &input in marked {
            let row = &weights[input * width + from..][..TOGETHER];
            held.iter_mut().zip(row).for_each(|(sum, weight)| *sum += weight);
        }
        block.copy_from_slice(&held);
        from += TOGETHER;
    }
    let rest = blocks.into_remainder();
    for &input in marked {
        let row = &weights[input * width + from..][..rest.len()];
        rest.iter_mut().zip(row).for_each(|(sum, weight)| *sum += weight);
    }
}

/// The sum of products, in eight interleaved parts so that the compiler may work on them together.
fn dot(a: &[f32], b: &[f32]) -> f32 {
    let mut parts = [0.0; 8];
    for (a, b) in a.chunks(8).zip(b.chunks(8)) {
        parts.iter_mut().zip(a.iter().zip(b)).for_each(|(part, (a, b))| *part += a * b);
    }
    parts.iter().sum()
}

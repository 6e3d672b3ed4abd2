//! A certificate for four and more seats: every shape that can come up, with the guarantees of all seats and, where a
//! result is forced, a *pace* that falls on the way to it. The values fit together draw by draw, and a falling
//! pace cannot go round in circles; that is all a checker has to see.

use crate::position::Mode;
use crate::search::graph::Graph;
use crate::shape::{Fate, Shape};
use kachi_core::{Budget, Error};

/// The most shapes that a certificate lists.
pub const MOST_SHAPES: usize = 50_000;

/// What a certificate says about one seat of a shape; ranks are counted among the seats in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cell {
    /// The least rank it can force.
    pub strict: u8,
    /// The least rank it can ensure if endless play counts as good.
    pub lenient: u8,
    /// Falls on the way to the forced rank.
    pub strict_pace: u32,
    /// Falls on the way to the rank that the others force upon the seat.
    pub lenient_pace: u32,
}

/// One shape with the cells of its seats, from the mover on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// The shape.
    pub shape: Shape,
    /// By seat from the mover on.
    pub cells: Vec<Cell>,
}

/// All shapes below a root, the root first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Certificate {
    /// The shapes.
    pub lines: Vec<Line>,
}

impl Certificate {
    /// Works out the certificate of a shape.
    ///
    /// # Errors
    /// `too_large` beyond [`MOST_SHAPES`] shapes, or `out_of_budget`.
    pub fn of(root: &Shape, mode: Mode, budget: &mut Budget<'_>) -> Result<Certificate, Error> {
        let graph = Graph::below(std::slice::from_ref(root), mode, MOST_SHAPES, budget)?;
        let start = |shape: &Shape| {
            let cell = Cell { strict: shape.seats, lenient: 1, strict_pace: 0, lenient_pace: 0 };
            Line { shape: shape.clone(), cells: vec![cell; shape.seats as usize] }
        };
        let mut lines: Vec<Line> = graph.shapes.iter().map(start).collect();
        let mut clock = 0;
        for layer in &graph.layers {
            let mut changed = true;
            while changed {
                budget.spend(layer.len() as u64)?;
                changed = false;
                for &i in layer {
                    changed |= improve(&graph, &mut lines, i as usize, &mut clock);
                }
            }
        }
        Ok(Certificate { lines })
    }
}

/// Brings one shape up to date; did anything change? The pace is the moment of the last change.
fn improve(graph: &Graph, lines: &mut [Line], i: usize, clock: &mut u32) -> bool {
    let seats = graph.shapes[i].seats;
    let mut changed = false;
    for q in 0..seats {
        let ranks = graph.draws[i].iter().map(|edge| match (edge.follow(seats, q), edge.to) {
            (Fate::Left(rank), _) => (rank, rank),
            (Fate::Stays(_), None) => (seats, seats),
            (Fate::Stays(r), Some(to)) => {
                let cell = lines[to as usize].cells[r as usize];
                (cell.strict + edge.leavers(), cell.lenient + edge.leavers())
            }
        });
        let choose = |a: (u8, u8), b: (u8, u8)| {
            if q == 0 { (a.0.min(b.0), a.1.min(b.1)) } else { (a.0.max(b.0), a.1.max(b.1)) }
        };
        let Some((strict, lenient)) = ranks.reduce(choose) else { continue };
        let cell = &mut lines[i].cells[q as usize];
        if strict != cell.strict {
            *clock += 1;
            (cell.strict, cell.strict_pace) = (strict, *clock);
            changed = true;
        }
        if lenient != cell.lenient {
            *clock += 1;
            (cell.lenient, cell.lenient_pace) = (lenient, *clock);
            changed = true;
        }
    }
    changed
}

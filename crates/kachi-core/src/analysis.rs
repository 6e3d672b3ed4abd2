//! What is known about a position: its value, every move with its value, the best move, and the reason.

/// The full answer about one position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Analysis<M, V, W> {
    /// The value of the position (the winner, a chance, guaranteed ranks).
    pub value: V,
    /// Every legal move, each with the value of the position it leads to.
    pub moves: Vec<Judged<M, V>>,
    /// A move to play. For a lost position the most stubborn one; absent when the play is over.
    pub best: Option<M>,
    /// The reason for [`value`](Analysis::value), checkable without the solver.
    pub why: W,
}

/// A legal move and what it leads to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Judged<M, V> {
    /// The move.
    pub mv: M,
    /// The value after it.
    pub value: V,
}

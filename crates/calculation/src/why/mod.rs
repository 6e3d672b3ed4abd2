//! Why a table is worth what it is worth: the best assignment plan, and the chances of its foundations alone and in pairs, whose product is the plan's
//! value (docs/theory/calculation.md, "Plans"). The product is an estimate; its factors are exact, and the [checker](check) recomputes them from
//! the definition of the stack game, with no help from the two-chain form.
//!
//! | module | holds |
//! |---|---|
//! | [`factors`] | [`PlanReason`]: the reason as data, and how it is found |
//! | [`check`] | the checker, from the definition alone |
//! | [`words`] | the reason in words |

pub mod check;
pub mod factors;
pub mod words;

pub use check::Checked;
pub use factors::{PlanReason, reason};

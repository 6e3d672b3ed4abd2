//! The value net: the chance to win from a table after a turn, learned by self-play (train/README.md).
//!
//! Every stack goes through one shared layer of gated units, relu(value) * relu(gate), the rest of the table through a
//! plain layer; then a joining layer, residual blocks, and the logit of the chance. The inputs are binary and few of
//! them are set, so the first layer is a sum of rows ([`inputs`]); what follows is dense and runs in batches.
//!
//! | room | holds |
//! |---|---|
//! | [`mod@file`] | the weights' file: version, shape, checksum |
//! | [`inputs`] | which inputs a table sets |
//! | [`evaluator`] | the net at work |
//!
//! ```
//! use calculation::net::{Evaluator, Net};
//! use calculation::{position::Position, rules::Rules};
//! let net = Net::embedded(3).unwrap();
//! let start = Position::start(&Rules::calculation(3).unwrap());
//! let mut logits = [0.0];
//! Evaluator::new(net).logits(&[start], &mut logits);
//! let chance = 1.0 / (1.0 + (-logits[0]).exp());
//! assert!((0.6..0.85).contains(&chance));
//! ```

pub mod evaluator;
pub mod file;
pub mod inputs;
mod product;

pub use evaluator::Evaluator;
pub use file::Net;

//! Closed forms and linear rules. The vocabulary is that of the main theorem (section 3 of the theory page): the *race
//! winner* has fewer cards, the *keeper* must lock him in, a position has an integer *value*, and keeping the lock has a
//! *price*.
//!
//! | room | decides |
//! |---|---|
//! | [`race`] | race, keeper, and the decision from value and price |
//! | [`suits`] | suit strings by a recursion over suffixes; all winning moves |
//! | [`table`] | the same from the front of each string: the paper's table, and its six cases |
//! | [`rooted`] | rooted forests by a one-machine schedule; all winning moves |
//! | [`paths`] | pieces of paths open at either end |
//! | [`shape`] | which of these fits a graph |

pub mod paths;
pub mod race;
pub mod rooted;
pub mod shape;
pub mod suits;
pub mod table;

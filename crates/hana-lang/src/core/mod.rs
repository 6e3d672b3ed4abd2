//! The core calculus: types, terms, its own checker, its printer and the reference interpreter.
//!
//! | file | holds |
//! |---|---|
//! | [`ty`] | types |
//! | [`value`] | values, places, the house |
//! | [`prim`] | the primitives |
//! | [`term`] | terms, their construction and substitution |
//! | [`module`] | definitions and the main term of a program |
//! | [`check`] | the type checker of terms and modules |
//! | [`mod@print`] | terms as text |
//! | [`delta`] | what the primitives compute |
//! | [`interpret`] | the reference interpreter: call by value, with fuel and depth limits |

pub mod check;
pub mod delta;
pub mod interpret;
pub mod module;
pub mod prim;
pub mod print;
pub mod term;
pub mod ty;
pub mod value;

pub use check::{TypeError, check_module, type_of};
pub use interpret::{Fault, FaultKind, Interpreter, Limits, Oracles};
pub use module::{Definition, Module};
pub use prim::Prim;
pub use term::{Hint, Kind, Term};
pub use ty::{Name, Ty};
pub use value::{House, Place, Set, Value};

//! The text of a program: tokens, the syntax tree with the place of every node, the parser that goes on after an error, and the printer
//! that lays a program out.

pub mod ast;
pub mod flowers;
pub mod lexer;
pub mod parser;
pub mod printer;
pub mod span;

pub use parser::{parse, parse_all, parse_expression};
pub use printer::format;
pub use span::Span;

//! The vectors whose answers take minutes: counts and chances of tens of millions of states, worked out exactly.
//!
//!     cargo run --release -p calculation --example long_vectors
#![allow(clippy::unwrap_used, reason = "an unwrap here is an assertion")]

#[path = "../tests/compare/mod.rs"]
mod compare;

fn main() {
    let mut wrong = 0;
    for line in include_str!("vectors/long.jsonl").lines() {
        let vector: serde_json::Value = serde_json::from_str(line).unwrap();
        match compare::fault(line) {
            None => println!("{} right", vector["id"]),
            Some(fault) => {
                wrong += 1;
                println!("{} WRONG {fault}", vector["id"]);
            }
        }
    }
    assert_eq!(wrong, 0, "wrong answers");
}

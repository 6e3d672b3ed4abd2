//! Replays the committed corpus, and mutations of it by a named seed, so that every property is also a plain test.

use kachi::core::random::Dealer;
use kachi_fuzz::PROPERTIES;
use std::path::Path;

/// One to four random edits: a byte changed, inserted, removed, or a stretch repeated.
fn mutate(bytes: &[u8], dealer: &mut Dealer) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for _ in 0..dealer.between(1, 4) {
        let at = dealer.below(bytes.len() as u64 + 1) as usize;
        match dealer.below(4) {
            0 if at < bytes.len() => bytes[at] = dealer.word() as u8,
            1 => bytes.insert(at, b" ,/@:-019c[]{}\"\\x"[dealer.below(17) as usize]),
            2 if at < bytes.len() => {
                bytes.remove(at);
            }
            _ => {
                let stretch: Vec<u8> = bytes[at..].iter().take(16).copied().collect();
                bytes.splice(at..at, stretch);
            }
        }
    }
    bytes
}

#[test]
fn the_corpus_and_its_mutations_break_no_property() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus");
    for property in PROPERTIES {
        let folder = corpus.join(property.name);
        let entries =
            std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
        let mut files: Vec<_> = entries.map(|entry| entry.expect("a readable folder").path()).collect();
        files.sort();
        assert!(files.len() >= 5, "{} has a corpus", property.name);
        for (i, file) in files.iter().enumerate() {
            let bytes = std::fs::read(file).expect("a readable file");
            (property.holds)(&bytes);
            let mut dealer = Dealer::new(i as u64);
            for _ in 0..property.mutations {
                (property.holds)(&mutate(&bytes, &mut dealer));
            }
        }
    }
}

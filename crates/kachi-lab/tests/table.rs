//! Tables on disk: built, interrupted and resumed, the same bytes every time; damaged and foreign files refused.

use calculation::table::{Size, in_memory};
use kachi_core::Budget;
use kachi_lab::table::{Build, Folder, check::check, folder::open};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

/// A folder that is removed at the end of a test.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Scratch {
        let path = std::env::temp_dir().join(format!("kachi-table-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        Scratch(path)
    }

    fn folder(&self) -> Folder {
        Folder::of(&self.0)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn size(stacks: u64, ranks: u64) -> Size {
    Size::new(stacks, ranks).expect("a size")
}

fn build<'a>(size: Size, folder: Folder, threads: usize, stop: &'a (dyn Fn() -> bool + Sync)) -> Build<'a> {
    Build { size, folder, threads: Some(threads), memory: 1 << 30, stop, progress: &|_| () }
}

fn bytes(path: &Path) -> Vec<u8> {
    std::fs::read(path).expect("a file of the test")
}

#[test]
fn a_table_on_disk_has_the_bytes_of_one_in_memory_for_any_number_of_threads() {
    for (stacks, ranks) in [(3, 6), (4, 5), (2, 4), (1, 3)] {
        let size = size(stacks, ranks);
        let expected = in_memory(size, &mut Budget::default()).unwrap();
        for threads in [1, 3] {
            let scratch = Scratch::new(&format!("bytes-{stacks}-{threads}"));
            let table = build(size, scratch.folder(), threads, &|| false).run().unwrap();
            assert_eq!(table.states(), expected.table.states());
            assert_eq!(table.totals(), expected.table.totals());
            assert!(bytes(&scratch.folder().file(size)) == *expected.bytes);
            assert!(!scratch.folder().journal(size).exists());
        }
    }
}

#[test]
fn an_interrupted_build_goes_on_where_it_was() {
    let size = size(3, 6);
    let expected = in_memory(size, &mut Budget::default()).unwrap();
    let scratch = Scratch::new("resume");
    let mut interruptions = 0;
    // Every attempt is stopped a little later than would be needed for one more layer.
    let table = loop {
        let looks = AtomicUsize::new(0);
        let stop = || looks.fetch_add(1, Ordering::Relaxed) > 700;
        match build(size, scratch.folder(), 2, &stop).run() {
            Ok(table) => break table,
            Err(error) => assert_eq!(error.code, "interrupted"),
        }
        interruptions += 1;
        assert!(interruptions < 100, "no progress");
    };
    assert!(interruptions > 3, "the build was interrupted {interruptions} times");
    assert_eq!(table.states(), 7757);
    assert!(bytes(&scratch.folder().file(size)) == *expected.bytes);
}

#[test]
fn damaged_layers_of_an_unfinished_build_are_made_again() {
    let size = size(3, 5);
    let expected = in_memory(size, &mut Budget::default()).unwrap();
    let scratch = Scratch::new("journal");
    let looks = AtomicUsize::new(0);
    let stop = || looks.fetch_add(1, Ordering::Relaxed) > 1500;
    assert_eq!(build(size, scratch.folder(), 1, &stop).run().unwrap_err().code, "interrupted");
    let mut damaged = 0;
    for entry in std::fs::read_dir(scratch.folder().journal(size)).unwrap() {
        let path = entry.unwrap().path();
        let mut content = bytes(&path);
        if damaged % 2 == 0 {
            let middle = content.len() / 2;
            content[middle] ^= 1;
        } else {
            content.pop();
        }
        std::fs::write(&path, content).unwrap();
        damaged += 1;
    }
    assert!(damaged > 10);
    build(size, scratch.folder(), 2, &|| false).run().unwrap();
    assert!(bytes(&scratch.folder().file(size)) == *expected.bytes);
}

#[test]
fn too_little_memory_is_said_and_not_taken() {
    let scratch = Scratch::new("memory");
    let mut build = build(size(3, 6), scratch.folder(), 2, &|| false);
    build.memory = 10_000;
    assert_eq!(build.run().unwrap_err().code, "too_large");
}

#[test]
fn files_that_are_no_such_table_are_refused() {
    let scratch = Scratch::new("refused");
    let built = in_memory(size(3, 4), &mut Budget::default()).unwrap();
    std::fs::create_dir_all(&scratch.0).unwrap();
    let path = scratch.0.join("a.table");
    let refused = |content: &[u8]| {
        std::fs::write(&path, content).unwrap();
        open(&path).unwrap_err().code
    };
    assert_eq!(refused(b"something else entirely"), "foreign_table");
    assert_eq!(refused(b""), "foreign_table");
    let mut other_version = built.bytes.to_vec();
    other_version[8] = 9;
    assert_eq!(refused(&other_version), "foreign_table");
    for cut in [9, 30, 100, built.bytes.len() - 1] {
        assert_eq!(refused(&built.bytes[..cut]), "damaged_table");
    }
    let mut longer = built.bytes.to_vec();
    longer.push(0);
    assert_eq!(refused(&longer), "damaged_table");
    for at in 12..400 {
        let mut damaged = built.bytes.to_vec();
        damaged[at] ^= 0x10;
        assert_eq!(refused(&damaged), "damaged_table", "byte {at}");
    }
    std::fs::write(&path, &**built.bytes).unwrap();
    open(&path).unwrap();
    // The right file under the name of another size.
    let folder = scratch.folder();
    std::fs::create_dir_all(folder.path()).unwrap();
    std::fs::write(folder.file(size(3, 5)), &**built.bytes).unwrap();
    assert_eq!(folder.open(size(3, 5)).unwrap_err().code, "foreign_table");
    assert!(folder.largest(3).is_none());
}

#[test]
fn a_sound_table_passes_the_whole_check() {
    let built = in_memory(size(3, 6), &mut Budget::default()).unwrap();
    let found = check(&built.table, &|| false).unwrap();
    assert!(found.recomputed > 3000 && found.worst <= 2.0 * built.table.bound());
    assert_eq!(check(&built.table, &|| true).unwrap_err().code, "interrupted");
}

#[test]
fn damage_in_a_section_is_found_by_the_check() {
    let scratch = Scratch::new("check");
    std::fs::create_dir_all(&scratch.0).unwrap();
    let path = scratch.0.join("a.table");
    let built = in_memory(size(3, 4), &mut Budget::default()).unwrap();
    let mut damaged = built.bytes.to_vec();
    let end = damaged.len() - 40;
    damaged[end] ^= 1;
    std::fs::write(&path, damaged).unwrap();
    let table = open(&path).unwrap();
    let failed: Vec<usize> = (1..=8).filter(|&cards| table.check(cards).is_err()).collect();
    assert_eq!(failed.len(), 1);
    assert_eq!(check(&table, &|| false).unwrap_err().code, "damaged_table");
}

/// Not a test by itself: the process that the next test kills.
#[test]
fn victim() {
    let Some(folder) = std::env::var_os("KACHI_LAB_VICTIM") else { return };
    build(size(3, 6), Folder::of(Path::new(&folder)), 2, &|| false).run().unwrap();
}

#[test]
fn a_build_that_is_killed_at_ten_moments_goes_on() {
    let size = size(3, 6);
    let expected = in_memory(size, &mut Budget::default()).unwrap();
    let scratch = Scratch::new("killed");
    let victim = || {
        std::process::Command::new(std::env::current_exe().unwrap())
            .args(["victim", "--exact", "--quiet"])
            .env("KACHI_LAB_VICTIM", scratch.0.as_os_str())
            .stdout(std::process::Stdio::null())
            .spawn()
            .unwrap()
    };
    for _ in 0..10 {
        let mut child = victim();
        // Killed as soon as another two files of the journal are there, whichever they are.
        let files = || std::fs::read_dir(scratch.folder().journal(size)).map_or(0, Iterator::count);
        let before = files();
        while files() < before + 2 && child.try_wait().unwrap().is_none() {
            std::thread::yield_now();
        }
        child.kill().unwrap();
        child.wait().unwrap();
    }
    let table = build(size, scratch.folder(), 2, &|| false).run().unwrap();
    assert_eq!(table.states(), expected.table.states());
    assert!(bytes(&scratch.folder().file(size)) == *expected.bytes);
    assert!(!scratch.folder().journal(size).exists());
}

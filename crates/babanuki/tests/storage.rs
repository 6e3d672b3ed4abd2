//! Tables as bytes: they come back as they were; damaged and foreign ones are refused and solved again.

use babanuki::Mode;
use babanuki::search::store::{Key, Storage, from_bytes, keep_tables_in, stored_table, to_bytes};
use babanuki::search::{Guarantees, table};
use kachi_core::Budget;
use std::cell::RefCell;
use std::sync::{Arc, Mutex};

const KEY: Key = Key { mode: Mode::Ranks, seats: 4, labels: 4 };

fn solved() -> Guarantees {
    Guarantees::solve(KEY.seats, KEY.labels, KEY.mode, &[], &mut Budget::default())
        .expect("within the limits")
}

#[test]
fn a_table_comes_back_as_it_was() {
    let table = solved();
    assert_eq!(from_bytes(&to_bytes(&table), &KEY).unwrap(), table);
}

#[test]
fn damaged_and_foreign_bytes_are_refused() {
    let bytes = to_bytes(&solved());
    let code = |bytes: &[u8], key: &Key| from_bytes(bytes, key).err().map(|error| error.code);
    for at in (24..bytes.len()).step_by(bytes.len() / 50) {
        let mut damaged = bytes.clone();
        damaged[at] ^= 1;
        assert_eq!(code(&damaged, &KEY), Some("damaged_table"), "byte {at}");
    }
    assert_eq!(code(&bytes[..bytes.len() - 1], &KEY), Some("damaged_table"));
    assert_eq!(code(&[], &KEY), Some("foreign_table"));
    assert_eq!(code(b"some other file that is long enough to be read", &KEY), Some("foreign_table"));
    assert_eq!(code(&bytes, &Key { labels: 5, ..KEY }), Some("foreign_table"));
    assert_eq!(code(&bytes, &Key { mode: Mode::Pairs, ..KEY }), Some("foreign_table"));
    let mut other_version = bytes.clone();
    other_version[8] += 1;
    assert_eq!(code(&other_version, &KEY), Some("foreign_table"));
}

/// One kept table, and how often it was written.
#[derive(Default)]
struct Drawer(RefCell<(Option<Vec<u8>>, usize)>);

impl Storage for Drawer {
    fn load(&self, _: &Key) -> Option<Vec<u8>> {
        self.0.borrow().0.clone()
    }

    fn save(&self, _: &Key, bytes: &[u8]) {
        let mut kept = self.0.borrow_mut();
        *kept = (Some(bytes.to_vec()), kept.1 + 1);
    }
}

#[test]
fn a_damaged_table_is_solved_again_and_replaced() {
    let drawer = Drawer::default();
    let fetch = || stored_table(&KEY, &drawer, &mut Budget::default()).unwrap();
    let first = fetch();
    assert_eq!(drawer.0.borrow().1, 1);
    assert_eq!(*fetch(), *first);
    assert_eq!(drawer.0.borrow().1, 1, "read, not written again");
    drawer.0.borrow_mut().0.as_mut().unwrap()[100] ^= 1;
    assert_eq!(*fetch(), *first);
    assert_eq!(drawer.0.borrow().1, 2, "the damaged table was replaced");
}

#[cfg(feature = "store")]
#[test]
fn a_folder_keeps_tables_as_files() {
    let folder = std::env::temp_dir().join(format!("kachi-babanuki-{}", std::process::id()));
    let storage = babanuki::search::store::Folder(folder.clone());
    let table = solved();
    assert_eq!(storage.load(&KEY), None);
    storage.save(&KEY, &to_bytes(&table));
    assert_eq!(from_bytes(&storage.load(&KEY).unwrap(), &KEY).unwrap(), table);
    let files: Vec<_> = std::fs::read_dir(&folder).unwrap().map(|file| file.unwrap().file_name()).collect();
    assert_eq!(files, [KEY.name().as_str()], "no temporary file is left");
    std::fs::remove_dir_all(folder).unwrap();
}

/// A storage that counts what is asked of it.
struct Counting(Arc<Mutex<(Option<Vec<u8>>, usize)>>);

impl Storage for Counting {
    fn load(&self, _: &Key) -> Option<Vec<u8>> {
        self.0.lock().expect("one thread").0.clone()
    }

    fn save(&self, _: &Key, bytes: &[u8]) {
        let mut kept = self.0.lock().expect("one thread");
        *kept = (Some(bytes.to_vec()), kept.1 + 1);
    }
}

#[test]
fn large_tables_go_to_the_storage_that_a_surface_names() {
    let kept = Arc::new(Mutex::new((None, 0)));
    assert!(keep_tables_in(Box::new(Counting(Arc::clone(&kept)))));
    assert!(!keep_tables_in(Box::new(Counting(Arc::clone(&kept)))), "the first one stays");
    // Four seats: six labels are solved faster than read, eighteen are worth storing.
    table(4, 6, Mode::Pairs, &mut Budget::default()).unwrap();
    assert_eq!(kept.lock().unwrap().1, 0);
    let solved = table(4, 18, Mode::Pairs, &mut Budget::default()).unwrap();
    assert_eq!(kept.lock().unwrap().1, 1);
    let key = Key { mode: Mode::Pairs, seats: 4, labels: 18 };
    let bytes = kept.lock().unwrap().0.clone().unwrap();
    assert_eq!(from_bytes(&bytes, &key).unwrap(), *solved);
}

//! The table that the rest of the program uses. A surface that knows where tables are kept offers them, or says once how to find them; nothing here
//! reads a file.

use super::Table;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// Finds the largest table for so many stacks, if there is one.
pub type Finder = Box<dyn Fn(usize) -> Option<Table> + Send + Sync>;

static FINDER: OnceLock<Finder> = OnceLock::new();
static SHELF: Mutex<[Place; 4]> = Mutex::new([const { Place::Unasked }; 4]);

enum Place {
    Unasked,
    Empty,
    Filled(Arc<Table>),
}

/// From now on a table that nobody has offered is looked for in this way, once for each number of stacks. The first finder stays; gives false
/// if there was one already.
pub fn find_by(finder: Finder) -> bool {
    FINDER.set(finder).is_ok()
}

/// Puts a table on the shelf, unless a larger one for as many stacks is there already; gives the one that is there now.
pub fn offer(table: Table) -> Arc<Table> {
    let mut shelf = SHELF.lock().unwrap_or_else(PoisonError::into_inner);
    let place = &mut shelf[table.size().stacks() - 1];
    match place {
        Place::Filled(there) if there.size() >= table.size() => there.clone(),
        _ => {
            let table = Arc::new(table);
            *place = Place::Filled(table.clone());
            table
        }
    }
}

/// The table for so many stacks, if one was offered or can be found.
#[must_use]
pub fn offered(stacks: usize) -> Option<Arc<Table>> {
    let place = stacks.checked_sub(1)?;
    {
        let shelf = SHELF.lock().unwrap_or_else(PoisonError::into_inner);
        match shelf.get(place)? {
            Place::Filled(table) => return Some(table.clone()),
            Place::Empty => return None,
            Place::Unasked => {}
        }
    }
    let found = FINDER.get()?(stacks);
    match found {
        Some(table) => Some(offer(table)),
        None => {
            let mut shelf = SHELF.lock().unwrap_or_else(PoisonError::into_inner);
            if matches!(shelf[place], Place::Unasked) {
                shelf[place] = Place::Empty;
            }
            None
        }
    }
}

//! Games with hidden cards, kept on the server in one file. What was answered is on the disk before the answer leaves.
//!
//! A game is kept as its beginning and its moves, under an id of 128 random bits that nobody can guess.

use crate::address::Level;
use kachi::core::surface::{Board, Entry};
use kachi::core::{Error, Seat};
use redb::{Database, ReadableDatabase, ReadableTable, ReadableTableMetadata, TableDefinition};
use serde::{Deserialize, Serialize};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

const TABLES: TableDefinition<'_, &str, &[u8]> = TableDefinition::new("tables");
/// By number, so that the oldest can be found.
const ORDER: TableDefinition<'_, u64, &str> = TableDefinition::new("order");

/// Games that are kept; beyond that the oldest goes.
const MOST_TABLES: u64 = 20_000;

/// A game in progress.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Kept {
    /// The game's name.
    pub game: String,
    /// The position in which the play began; it tells the hidden cards.
    pub start: String,
    /// All moves so far.
    pub moves: Vec<String>,
    /// The person's seat.
    pub you: usize,
    /// The level of the others.
    pub level: Level,
    /// When it began, in seconds since 1970.
    pub since: u64,
}

impl Kept {
    /// A game that begins now.
    pub fn new(game: &str, start: String, you: Seat, level: Level) -> Kept {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |now| now.as_secs());
        Kept { game: game.to_owned(), start, moves: Vec::new(), you: you.0, level, since }
    }

    /// The board after all moves, and who made each of them.
    ///
    /// # Errors
    /// When the file does not fit the rules any more.
    pub fn board(&self, game: &dyn Entry) -> Result<(Box<dyn Board>, Vec<Seat>), Error> {
        let mut board = game.board(&self.start)?;
        let mut seats = Vec::with_capacity(self.moves.len());
        for mv in &self.moves {
            seats.extend(board.mover());
            board = board.play(mv)?;
        }
        Ok((board, seats))
    }
}

/// The file of games.
#[derive(Debug)]
pub struct Vault {
    file: Database,
}

/// What can go wrong with the file.
#[derive(Debug, thiserror::Error)]
pub enum Trouble {
    /// It cannot be opened.
    #[error("cannot open {0}: {1}")]
    Open(PathBuf, String),
    /// It cannot be read or written.
    #[error("the file of games: {0}")]
    File(#[from] redb::Error),
    /// What it holds is no game.
    #[error("a damaged game: {0}")]
    Damaged(#[from] serde_json::Error),
    /// Somebody moved in the meantime.
    #[error("the game has moved on")]
    MovedOn,
    /// There is no game with this id.
    #[error("there is no such game")]
    Unknown,
    /// The system has no random numbers.
    #[error("no random numbers: {0}")]
    Random(String),
}

macro_rules! from_redb {
    ($($name:ident),*) => {
        $(impl From<redb::$name> for Trouble {
            fn from(error: redb::$name) -> Self {
                Trouble::File(error.into())
            }
        })*
    };
}
from_redb!(TransactionError, TableError, StorageError, CommitError);

impl Vault {
    /// Opens the file of games in a folder; makes both if need be.
    ///
    /// # Errors
    /// When that is impossible, for example because another server has it open.
    pub fn open(folder: &Path) -> Result<Vault, Trouble> {
        let path = folder.join("games.redb");
        let failed = |words: String| Trouble::Open(path.clone(), words);
        std::fs::create_dir_all(folder).map_err(|error| failed(error.to_string()))?;
        let file = Database::create(&path).map_err(|error| failed(error.to_string()))?;
        let write = file.begin_write()?;
        {
            write.open_table(TABLES)?;
            write.open_table(ORDER)?;
        }
        write.commit()?;
        Ok(Vault { file })
    }

    /// Keeps a new game; returns its id.
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn add(&self, kept: &Kept) -> Result<String, Trouble> {
        let id = random_id()?;
        let write = self.file.begin_write()?;
        {
            let mut tables = write.open_table(TABLES)?;
            let mut order = write.open_table(ORDER)?;
            let number = order.last()?.map_or(0, |(number, _)| number.value() + 1);
            tables.insert(id.as_str(), serde_json::to_vec(kept)?.as_slice())?;
            order.insert(number, id.as_str())?;
            while order.len()? > MOST_TABLES {
                let Some((_, oldest)) = order.pop_first()? else { break };
                tables.remove(oldest.value())?;
            }
        }
        write.commit()?;
        Ok(id)
    }

    /// The game with this id.
    ///
    /// # Errors
    /// `Unknown`, or when the file is damaged.
    pub fn get(&self, id: &str) -> Result<Kept, Trouble> {
        let read = self.file.begin_read()?;
        let tables = read.open_table(TABLES)?;
        let bytes = tables.get(id)?.ok_or(Trouble::Unknown)?;
        Ok(serde_json::from_slice(bytes.value())?)
    }

    /// Puts a game that has moved on in the place of what it was after `before` moves.
    ///
    /// # Errors
    /// `MovedOn` if it is not at that point any more; then nothing is changed.
    pub fn advance(&self, id: &str, before: usize, kept: &Kept) -> Result<(), Trouble> {
        let write = self.file.begin_write()?;
        {
            let mut tables = write.open_table(TABLES)?;
            let now: Kept = {
                let bytes = tables.get(id)?.ok_or(Trouble::Unknown)?;
                serde_json::from_slice(bytes.value())?
            };
            if now.moves.len() != before {
                return Err(Trouble::MovedOn);
            }
            tables.insert(id, serde_json::to_vec(kept)?.as_slice())?;
        }
        // The commit reaches the disk before it returns.
        write.commit()?;
        Ok(())
    }
}

/// 128 random bits as 32 letters.
fn random_id() -> Result<String, Trouble> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(|error| Trouble::Random(error.to_string()))?;
    Ok(bytes.iter().fold(String::new(), |mut id, byte| {
        let _ = write!(id, "{byte:02x}");
        id
    }))
}

/// A seed for a deal that nobody can guess: 63 bits, which every notation can hold.
///
/// # Errors
/// When the system has no random numbers.
pub fn random_seed() -> Result<u64, Trouble> {
    getrandom::u64().map(|seed| seed >> 1).map_err(|error| Trouble::Random(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_kept_is_there_after_reopening() {
        let folder = tempfile::tempdir().unwrap();
        let mut kept = Kept::new("hana", "modern:3@7".into(), Seat(0), Level::PERFECT);
        let id = {
            let vault = Vault::open(folder.path()).unwrap();
            let id = vault.add(&kept).unwrap();
            kept.moves.push("3a".into());
            vault.advance(&id, 0, &kept).unwrap();
            id
        };
        let vault = Vault::open(folder.path()).unwrap();
        assert_eq!(vault.get(&id).unwrap(), kept);
        assert!(matches!(vault.get("nonsense"), Err(Trouble::Unknown)));
    }

    #[test]
    fn the_same_moment_is_left_only_once() {
        let folder = tempfile::tempdir().unwrap();
        let vault = Vault::open(folder.path()).unwrap();
        let mut kept = Kept::new("hana", "modern:3@7".into(), Seat(0), Level::PERFECT);
        let id = vault.add(&kept).unwrap();
        kept.moves.push("3a".into());
        vault.advance(&id, 0, &kept).unwrap();
        assert!(matches!(vault.advance(&id, 0, &kept), Err(Trouble::MovedOn)));
        assert_eq!(vault.get(&id).unwrap().moves.len(), 1);
    }

    #[test]
    fn a_second_server_is_told_that_the_file_is_taken() {
        let folder = tempfile::tempdir().unwrap();
        let _first = Vault::open(folder.path()).unwrap();
        assert!(matches!(Vault::open(folder.path()), Err(Trouble::Open(..))));
    }

    #[test]
    fn ids_do_not_repeat() {
        let ids: std::collections::HashSet<String> = (0..1000).map(|_| random_id().unwrap()).collect();
        assert_eq!(ids.len(), 1000);
        assert!(ids.iter().all(|id| id.len() == 32));
    }
}

//! Where solved tables are kept between runs. Nothing is kept unless a surface says where: the library writes no files of its own accord.

use std::path::Path;

/// The environment variable that names the folder.
pub const VARIABLE: &str = "KACHI_DATA";

/// From now on large tables are looked for in this folder before they are solved, and stored there afterwards. The first folder stays; gives
/// false if there was one already.
///
/// Files are written under a temporary name, brought to the disk and renamed; a damaged or foreign file is refused, and its table solved again.
pub fn keep_tables_in(folder: &Path) -> bool {
    use babanuki::search::store;
    store::keep_tables_in(Box::new(store::Folder(folder.join("babanuki"))))
}

/// As [`keep_tables_in`], if the environment says where; gives false if it does not.
pub fn keep_tables_where_the_environment_says() -> bool {
    std::env::var_os(VARIABLE).is_some_and(|folder| !folder.is_empty() && keep_tables_in(Path::new(&folder)))
}

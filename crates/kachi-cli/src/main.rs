//! The binary `kachi`: the games of the registry on the real terminal.

use kachi::registry::Registry;
use kachi_cli::{Stage, run};
use std::process::ExitCode;

fn main() -> ExitCode {
    kachi::data::keep_tables_where_the_environment_says();
    if let Some(folder) = kachi_lab::table::Folder::usual() {
        kachi_lab::table::find_tables(folder);
    }
    let (mut input, mut output, mut errors) = (std::io::stdin(), std::io::stdout(), std::io::stderr());
    let mut input = std::io::BufReader::new(&mut input);
    let stage = Stage::terminal(&mut input, &mut output, &mut errors);
    ExitCode::from(run(Registry::default(), std::env::args_os().collect(), stage))
}

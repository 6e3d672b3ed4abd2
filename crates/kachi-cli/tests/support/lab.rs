//! A laboratory of its own: a data folder, and the real binary at work in it.

use super::{Ran, kachi, temporary};
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// A data folder of its own; the binary works in it, so that files in it need no path.
pub(crate) struct Lab {
    pub(crate) data: PathBuf,
}

impl Lab {
    pub(crate) fn new(name: &str) -> Lab {
        Lab { data: temporary(name) }
    }

    pub(crate) fn command(&self, args: &[&str]) -> Command {
        let mut command = kachi();
        command.env("KACHI_DATA", &self.data).env_remove("KACHI_SECRET").current_dir(&self.data);
        command.args(args).stdin(Stdio::null());
        command
    }

    pub(crate) fn run(&self, args: &[&str]) -> Ran {
        self.command(args).output().unwrap().into()
    }

    pub(crate) fn answered(&self, args: &[&str]) -> Ran {
        let ran = self.run(args);
        assert_eq!(ran.code, 0, "{args:?}: {ran:?}");
        ran
    }

    /// What is told of something that is refused.
    pub(crate) fn refused(&self, args: &[&str]) -> String {
        let ran = self.run(args);
        assert_eq!(ran.code, 2, "{args:?}: {ran:?}");
        ran.err
    }

    /// Writes a file; its path, for arguments.
    pub(crate) fn file(&self, name: &str, text: &str) -> String {
        let path = self.data.join(name);
        fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    }

    /// The folder of a run that was named after its campaign.
    pub(crate) fn folder(&self, name: &str) -> PathBuf {
        self.data.join("lab").join(name)
    }
}

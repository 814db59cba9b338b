//! Runs the command and returns what it has written.

use std::path::Path;
use std::process::Command;

/// The output and the status of a command.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) status: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

/// Runs the command with these arguments.
pub(crate) fn run(arguments: &[&str]) -> Ran {
    run_in(Path::new("."), arguments)
}

/// Runs the command in a folder.
pub(crate) fn run_in(folder: &Path, arguments: &[&str]) -> Ran {
    Ran::of(Command::new(env!("CARGO_BIN_EXE_cargo-redis-keys")).args(arguments).current_dir(folder))
}

impl Ran {
    /// Runs a command.
    pub(crate) fn of(command: &mut Command) -> Self {
        let output = command.output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        Self { status: output.status.code(), stdout: text(output.stdout), stderr: text(output.stderr) }
    }

    /// Returns the output of a command that ended with status 0 and nothing on stderr.
    #[track_caller]
    pub(crate) fn fine(self) -> String {
        assert_eq!((self.status, self.stderr.as_str()), (Some(0), ""));
        self.stdout
    }

    /// Returns the output of a command that ended with status 1.
    #[track_caller]
    pub(crate) fn findings(self) -> String {
        assert_eq!(self.status, Some(1), "{self:?}");
        self.stdout
    }

    /// The error of a command that could not run.
    #[track_caller]
    pub(crate) fn failure(self) -> String {
        assert_eq!((self.status, self.stdout.as_str()), (Some(2), ""));
        self.stderr
    }
}

//! Running commands under headings.

use std::ffi::OsStr;
use std::io::IsTerminal as _;
use std::path::PathBuf;
use std::process::{Command, ExitCode, ExitStatus};

/// Why there is nothing more to do, in words for the terminal, and the exit code.
pub(crate) struct Failure {
    message: String,
    code: u8,
}

pub(crate) type Outcome<T = ()> = Result<T, Failure>;

impl Failure {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), code: 1 }
    }

    /// A command line that cannot be understood.
    pub(crate) fn usage(message: &str) -> Self {
        Self { message: format!("{message}\n\n{}", crate::HELP), code: 2 }
    }

    pub(crate) fn report(&self) -> ExitCode {
        eprintln!("\n{}", paint("1;31", &self.message));
        ExitCode::from(self.code)
    }
}

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Self {
        Self::new(error.to_string())
    }
}

/// The folder of the workspace.
pub(crate) fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Where cargo builds, and where anything that is downloaded or generated goes.
pub(crate) fn target() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), |folder| root().join(folder))
}

/// A program to be run in the workspace.
pub(crate) fn program(name: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new(name);
    command.current_dir(root());
    command
}

/// The cargo that runs us, so that `cargo +nightly xtask …` keeps its meaning.
pub(crate) fn cargo() -> Command {
    program(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

pub(crate) fn heading(text: &str) {
    println!("\n{}", paint("1;36", &format!("== {text}")));
}

/// Runs a command whose failure ends everything.
pub(crate) fn run(command: &mut Command) -> Outcome {
    let status = status(command)?;
    if status.success() {
        return Ok(());
    }
    let code = status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(1);
    Err(Failure { message: format!("failed: {}", line(command)), code })
}

/// Runs a command whose failure may be what is wanted.
pub(crate) fn status(command: &mut Command) -> Outcome<ExitStatus> {
    command.status().map_err(|error| Failure::new(format!("{}: {error}", line(command))))
}

/// The command as one would type it.
fn line(command: &Command) -> String {
    let program = PathBuf::from(command.get_program());
    let name = program.file_name().unwrap_or(command.get_program());
    let words = std::iter::once(name).chain(command.get_args());
    words.map(OsStr::to_string_lossy).collect::<Vec<_>>().join(" ")
}

/// Paints text when somebody looks.
pub(crate) fn paint(style: &str, text: &str) -> String {
    if std::io::stdout().is_terminal() { format!("\x1b[{style}m{text}\x1b[0m") } else { text.to_owned() }
}

//! Running commands, and reporting why one failed.

use std::ffi::OsStr;
use std::fmt;
use std::io::{self, IsTerminal as _, Read as _, Write as _};
use std::path::PathBuf;
use std::process::{Command, ExitCode, ExitStatus, Stdio};

/// A reason to stop: the message and the exit code.
pub(crate) struct Failure {
    message: String,
    code: u8,
}

pub(crate) type Outcome<T = ()> = Result<T, Failure>;

impl Failure {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), code: 1 }
    }

    /// A tool that this machine lacks and that cannot be added.
    pub(crate) fn missing_tool(message: impl Into<String>) -> Self {
        Self { message: message.into(), code: 3 }
    }

    /// An invalid command line.
    pub(crate) fn usage(message: &str) -> Self {
        Self { message: format!("{message}\n\n{}", crate::HELP), code: 2 }
    }

    pub(crate) fn report(&self) -> ExitCode {
        eprintln!("\n{}", paint("1;31", &self.message));
        ExitCode::from(self.code)
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Self {
        Self::new(error.to_string())
    }
}

/// The root of the workspace.
pub(crate) fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The target folder, which also takes what is downloaded and measured.
pub(crate) fn target() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), |folder| root().join(folder))
}

/// A command that runs in the root of the workspace.
pub(crate) fn program(name: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new(name);
    command.current_dir(root());
    command
}

/// The cargo that started this program, so that `cargo +nightly xtask …` uses that toolchain.
pub(crate) fn cargo() -> Command {
    program(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

/// A tool, which is installed into the target folder if it is not there.
pub(crate) fn installed(package: &str) -> Outcome<Command> {
    let folder = target().join("tools").join(package);
    let name = package.split('@').next().unwrap_or(package);
    let file = folder.join("bin").join(format!("{name}{}", std::env::consts::EXE_SUFFIX));
    if !file.is_file() {
        heading(&format!("installing {package} into the target folder"));
        run(cargo()
            .args(["install", package, "--quiet", "--locked", "--no-default-features", "--profile", "dev", "--root"])
            .arg(folder))?;
    }
    Ok(program(std::path::absolute(file)?))
}

/// `cargo redis-keys`, which the tests have built.
pub(crate) fn built_tool() -> Outcome<Command> {
    let file = format!("debug/cargo-redis-keys{}", std::env::consts::EXE_SUFFIX);
    Ok(program(std::path::absolute(target().join(file))?))
}

pub(crate) fn heading(text: &str) {
    println!("\n{}", paint("1;36", &format!("== {text}")));
}

/// Runs a command and fails if it fails.
pub(crate) fn run(command: &mut Command) -> Outcome {
    let status = status(command)?;
    if status.success() {
        return Ok(());
    }
    let code = status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(1);
    Err(Failure { message: format!("failed: {}", line(command)), code })
}

/// Runs a command, prints its output when it has ended, and fails if it fails.
pub(crate) fn run_quietly(mut command: Command) -> Outcome {
    let line = line(&command);
    let (mut output, errors) = io::pipe()?;
    let mut child = command.stdin(Stdio::null()).stdout(errors.try_clone()?).stderr(errors).spawn()?;
    // It holds the ends of the pipe that are written to.
    drop(command);
    let mut text = format!("\n$ {line}\n").into_bytes();
    output.read_to_end(&mut text)?;
    io::stdout().lock().write_all(&text)?;
    if child.wait()?.success() { Ok(()) } else { Err(Failure::new(format!("failed: {line}"))) }
}

/// Whether a command succeeds, without its output.
pub(crate) fn succeeds(command: &mut Command) -> bool {
    command.stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok_and(|status| status.success())
}

/// Runs a command and returns its exit status.
pub(crate) fn status(command: &mut Command) -> Outcome<ExitStatus> {
    command.status().map_err(|error| Failure::new(format!("{}: {error}", line(command))))
}

/// The command line, for messages.
fn line(command: &Command) -> String {
    let program = PathBuf::from(command.get_program());
    let name = program.file_name().unwrap_or(command.get_program());
    let words = std::iter::once(name).chain(command.get_args());
    words.map(OsStr::to_string_lossy).collect::<Vec<_>>().join(" ")
}

/// Colors text if the output is a terminal.
pub(crate) fn paint(style: &str, text: &str) -> String {
    if std::io::stdout().is_terminal() { format!("\x1b[{style}m{text}\x1b[0m") } else { text.to_owned() }
}

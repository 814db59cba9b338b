//! The program as cargo's wrapper of the compiler: it names the file to which the derives of a crate write.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

/// Set for cargo, whose wrapper the program then is.
pub(super) const WRAPPER: &str = "CARGO_REDIS_KEYS_WRAPPER";
/// The wrapper that the user has chosen, if any.
pub(super) const INNER: &str = "CARGO_REDIS_KEYS_INNER_WRAPPER";
/// The file to which the derives append.
const CATALOG: &str = "REDIS_KEYS_CATALOG";
/// The extension of that file.
pub(super) const EXTENSION: &str = "redis-keys.records";

/// Runs the compiler if cargo has called the program as its wrapper: with the path of the compiler and its arguments.
pub(crate) fn run(arguments: &[OsString]) -> Option<ExitCode> {
    std::env::var_os(WRAPPER)?;
    let (compiler, arguments) = arguments.get(1..)?.split_first()?;
    let mut command = match std::env::var_os(INNER) {
        Some(inner) => {
            let mut command = Command::new(inner);
            command.arg(compiler);
            command
        }
        None => Command::new(compiler),
    };
    command.args(arguments).env_remove(WRAPPER).env_remove(INNER).env_remove(CATALOG);
    if let Some(file) = records_file(arguments) {
        // An earlier compilation of the crate has left its lines.
        if let Err(error) = fs::write(&file, "") {
            message!("error: cannot write `{}`: {error}", file.display());
            return Some(ExitCode::FAILURE);
        }
        command.env(CATALOG, file);
    }
    Some(status(command))
}

fn status(mut command: Command) -> ExitCode {
    match command.status() {
        Ok(status) => status.code().and_then(|code| u8::try_from(code).ok()).map_or(ExitCode::FAILURE, ExitCode::from),
        Err(error) => {
            message!("error: cannot run `{}`: {error}", command.get_program().to_string_lossy());
            ExitCode::FAILURE
        }
    }
}

/// The file beside the compiler's output, which no other crate has. `None` if it compiles nothing.
fn records_file(arguments: &[OsString]) -> Option<PathBuf> {
    let arguments: Vec<&str> = arguments.iter().filter_map(|argument| argument.to_str()).collect();
    let value = |option: &str| {
        let mut rest = arguments.iter();
        while let Some(argument) = rest.next() {
            if *argument == option {
                return rest.next().copied();
            }
            if let Some(value) = argument.strip_prefix(option).and_then(|rest| rest.strip_prefix('=')) {
                return Some(value);
            }
        }
        None
    };
    let (name, folder) = (value("--crate-name")?, value("--out-dir")?);
    let extra = arguments.iter().find_map(|argument| argument.trim_start_matches("-C").strip_prefix("extra-filename="));
    Some(Path::new(folder).join(format!("{name}{}.{EXTENSION}", extra.unwrap_or_default())))
}

/// The file beside an artefact.
pub(super) fn beside(artefact: &Path) -> Option<PathBuf> {
    let stem = artefact.file_stem().and_then(OsStr::to_str)?;
    let with = |stem: &str| artefact.with_file_name(format!("{stem}.{EXTENSION}"));
    // A library is `libshop-1234.rmeta`, also where a program is `shop-1234`.
    let stripped = stem.strip_prefix("lib").map(with).filter(|file| file.exists());
    stripped.or_else(|| Some(with(stem)).filter(|file| file.exists()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(arguments: &str) -> Option<String> {
        let arguments: Vec<_> = arguments.split(' ').map(OsString::from).collect();
        records_file(&arguments).map(|file| file.display().to_string().replace('\\', "/"))
    }

    #[test]
    fn each_crate_has_a_file() {
        let compiled =
            "--crate-name shop --edition=2024 src/lib.rs -C metadata=1 -C extra-filename=-2 --out-dir /t/deps";
        assert_eq!(file(compiled).as_deref(), Some("/t/deps/shop-2.redis-keys.records"));
        let joined = "--crate-name=shop src/main.rs -Cextra-filename=-2 --out-dir=/t/deps";
        assert_eq!(file(joined).as_deref(), Some("/t/deps/shop-2.redis-keys.records"));
        assert_eq!(file("-vV"), None);
        assert_eq!(file("- --crate-name ___ --print=file-names"), None);
    }
}

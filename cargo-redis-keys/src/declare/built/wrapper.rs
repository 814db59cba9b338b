//! The program as cargo's wrapper of the compiler: it names the file to which the derives of a crate write.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use redis_keys_core::record;

/// Set for cargo, whose wrapper the program then is.
pub(super) const WRAPPER: &str = "CARGO_REDIS_KEYS_WRAPPER";
/// The wrapper that the user has chosen, if any.
pub(super) const INNER: &str = "CARGO_REDIS_KEYS_INNER_WRAPPER";
/// Set for cargo if the derives are to write tests that report the shapes of values.
pub(super) const VALUES: &str = "CARGO_REDIS_KEYS_VALUES";
/// The file to which the derives append.
const CATALOG: &str = "REDIS_KEYS_CATALOG";
/// Set for the compiler, whose derives then write these tests.
const VALUE_TESTS: &str = "REDIS_KEYS_VALUES";
/// The only text of the record that says that the program runs tests. Otherwise it can be the program itself, which must
/// not be run.
pub(super) const HARNESS: &str = "harness";
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
    command.args(arguments);
    for variable in [WRAPPER, INNER, VALUES, CATALOG, VALUE_TESTS] {
        command.env_remove(variable);
    }
    if let Some(file) = records_file(arguments) {
        // An earlier compilation of the crate has left its lines.
        if let Err(error) = fs::write(&file, first_record(arguments)) {
            message!("error: cannot write `{}`: {error}", file.display());
            return Some(ExitCode::FAILURE);
        }
        command.env(CATALOG, file);
        if std::env::var_os(VALUES).is_some() {
            command.env(VALUE_TESTS, "1").args(lints(arguments));
        }
    }
    Some(status(command))
}

/// The compiler's options for the tests that the derives write. No lint fails, because the project's own build does not
/// have this code. A key in a function is reported by this program.
fn lints(arguments: &[OsString]) -> Vec<&'static str> {
    let mut lints = vec!["-Aunnameable_test_items"];
    if !arguments.iter().any(|argument| argument.to_string_lossy().starts_with("--cap-lints")) {
        lints.push("--cap-lints=warn");
    }
    lints
}

/// The record of a program that runs tests, with the harness of the compiler.
fn first_record(arguments: &[OsString]) -> String {
    let has_harness = arguments.iter().any(|argument| argument == "--test");
    if has_harness { record::write([HARNESS.to_owned()]) } else { String::new() }
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

    #[test]
    fn a_program_that_runs_tests_is_recognized() {
        let first = |arguments: &str| first_record(&arguments.split(' ').map(OsString::from).collect::<Vec<_>>());
        assert_eq!(first("--crate-name shop --test"), record::write([HARNESS.to_owned()]));
        // A target with `harness = false`.
        assert_eq!(first("--crate-name shop --cfg test"), "");
    }
}

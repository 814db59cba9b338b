//! Runs the tests that the derives have written, and reads their reports.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};
use std::{fs, io, process};

use redis_keys_core::record;
use redis_keys_core::value_shape::Form;

use super::file::{Part, Shapes};
use crate::Failure;
use crate::declare::built::UnitTests;
use crate::declare::if_exists;
use crate::password::SECRET_VARIABLES;

/// The start of the names of the tests that the derives write, before the name of the struct.
const PREFIX: &str = "__redis_keys_values_";

/// Names the file to which a test appends its report.
const REPORT_FILE: &str = "REDIS_KEYS_VALUES_FILE";

/// The longest time that a program can take for a test, or to list its tests.
const TIME_LIMIT: Duration = Duration::from_secs(60);

/// A test that has run.
pub(super) struct Ran {
    /// The path of the module that it is in, such as `keys::user`.
    pub(super) module: String,
    /// The name of the struct.
    pub(super) name: String,
    /// What it reports, or why it reports nothing.
    pub(super) outcome: Result<Vec<Report>, String>,
}

/// The report of a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Report {
    pub(super) template: String,
    /// The shapes of its values, or the reason why they are not known.
    pub(super) values: Result<Known, String>,
}

/// The shapes of a declaration's values.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Known {
    pub(crate) shapes: Shapes,
    /// The places that are not known, and why.
    pub(crate) notes: Vec<String>,
}

impl Known {
    /// The text of a form, and the places in it that are not known.
    pub(crate) fn parts(&self) -> impl Iterator<Item = (Part, String)> + '_ {
        Part::ALL.into_iter().filter_map(|part| Some((part, self.shapes.part(part)?.to_string())))
    }
}

/// Runs the tests of a target about structs with these names.
pub(super) fn run(tests: &UnitTests, is_wanted: impl Fn(&str) -> bool) -> Result<Vec<Ran>, Failure> {
    let Some(program) = &tests.program else { return Ok(Vec::new()) };
    let mut ran = Vec::new();
    for path in list(program, tests)? {
        let (module, test) = path.rsplit_once("::").unwrap_or(("", &path));
        let Some(name) = test.strip_prefix(PREFIX).filter(|name| is_wanted(name)) else { continue };
        let outcome = run_one(program, tests, &path)?;
        ran.push(Ran { module: module.to_owned(), name: name.to_owned(), outcome });
    }
    Ok(ran)
}

/// The paths of the tests of a program.
fn list(program: &Path, tests: &UnitTests) -> Result<Vec<String>, Failure> {
    let file = ScratchFile::beside(program, "tests")?;
    let out = fs::File::create(&file.path).map_err(Failure::writing(&file.path))?;
    let mut command = command(program, tests);
    let ended = command.args(["--list", "--format", "terse"]).stdout(out).spawn().map(wait);
    let failed = |why: String| Failure::new(format!("cannot list the tests of `{}`: {why}", program.display()));
    match ended {
        Ok(Ok(status)) if status.success() => {}
        Ok(Ok(status)) => return Err(failed(shown(status))),
        Ok(Err(NotEnded)) => return Err(failed(too_slow())),
        Err(error) => return Err(failed(error.to_string())),
    }
    let text = fs::read_to_string(&file.path).map_err(Failure::reading(&file.path))?;
    Ok(text.lines().filter_map(|line| line.strip_suffix(": test")).map(str::to_owned).collect())
}

/// Runs a test in a process of its own. Its output may contain values, and is not shown.
fn run_one(program: &Path, tests: &UnitTests, path: &str) -> Result<Result<Vec<Report>, String>, Failure> {
    let file = ScratchFile::beside(program, "report")?;
    let mut command = command(program, tests);
    command.args(["--exact", path, "--nocapture", "--test-threads=1"]).env(REPORT_FILE, &file.path);
    let ended = command.stdout(Stdio::null()).spawn().map(wait);
    let reports = read(&if_exists(&file.path, fs::read_to_string(&file.path))?.unwrap_or_default())?;
    Ok(match ended {
        Ok(Ok(status)) if status.success() && !reports.is_empty() => Ok(reports),
        Ok(Ok(status)) if status.success() => Err("its test reports nothing".to_owned()),
        Ok(Ok(status)) => Err(format!("its types stop the program: {}", shown(status))),
        Ok(Err(NotEnded)) => Err(too_slow()),
        Err(error) => Err(format!("the program of its tests cannot be run: {error}")),
    })
}

fn command(program: &Path, tests: &UnitTests) -> Command {
    let mut command = Command::new(program);
    // As cargo runs them.
    command.current_dir(&tests.folder).env("CARGO_MANIFEST_DIR", &tests.folder).env_remove(REPORT_FILE);
    for name in SECRET_VARIABLES {
        command.env_remove(name);
    }
    command.stdin(Stdio::null()).stderr(Stdio::null());
    command
}

/// A process that has taken too long, and was stopped.
struct NotEnded;

/// Waits for a process to end, for a limited time.
fn wait(mut child: Child) -> Result<ExitStatus, NotEnded> {
    let start = Instant::now();
    let mut pause = Duration::from_millis(1);
    loop {
        if let Ok(Some(status)) = child.try_wait() {
            return Ok(status);
        }
        if start.elapsed() > TIME_LIMIT {
            let _ = child.kill();
            let _ = child.wait();
            return Err(NotEnded);
        }
        sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(50));
    }
}

fn too_slow() -> String {
    format!("it takes more than {} s", TIME_LIMIT.as_secs())
}

/// The end of a process, without what depends on the machine.
fn shown(status: ExitStatus) -> String {
    let text = status.to_string();
    text.strip_suffix(" (core dumped)").unwrap_or(&text).to_owned()
}

/// Reads the file of a test: a record for each part of a key.
fn read(text: &str) -> Result<Vec<Report>, Failure> {
    let records = record::read(text);
    let reports = records.and_then(|records| {
        let mut reports: Vec<Report> = Vec::new();
        for texts in records {
            add(&mut reports, &texts)?;
        }
        Some(reports)
    });
    reports.ok_or_else(|| {
        Failure::new("the reports of values are not of this version")
            .help("use the same version of redis-keys and cargo-redis-keys")
    })
}

/// Adds a part to the report of its key. `None` if it is none.
fn add(reports: &mut Vec<Report>, texts: &[&str]) -> Option<()> {
    let [template, _name, part, text, notes @ ..] = texts else { return None };
    let index = reports.iter().position(|report| report.template == *template).unwrap_or_else(|| {
        reports.push(Report { template: (*template).to_owned(), values: Ok(Known::default()) });
        reports.len() - 1
    });
    let values = &mut reports.get_mut(index)?.values;
    if *part == "failed" {
        // The first reason counts.
        if values.is_ok() {
            *values = Err((*text).to_owned());
        }
        return Some(());
    }
    let part = Part::ALL.into_iter().find(|known| known.name() == *part)?;
    let form: Form = text.parse().ok()?;
    if let Ok(known) = values {
        *known.shapes.slot(part) = Some(form);
        known.notes.extend(notes.iter().map(|note| (*note).to_owned()));
    }
    Some(())
}

/// A file beside a program, which only this process uses, and which is removed.
struct ScratchFile {
    path: PathBuf,
}

impl ScratchFile {
    /// The name of a file that does not exist.
    fn beside(program: &Path, name: &str) -> Result<Self, Failure> {
        let path = program.with_extension(format!("redis-keys.{}.{name}", process::id()));
        match fs::remove_file(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(Failure::writing(&path)(error)),
            _ => Ok(Self { path }),
        }
    }
}

impl Drop for ScratchFile {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.path);
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that cannot go on")]
mod tests {
    use super::*;

    fn file(records: &[&[&str]]) -> String {
        records.iter().map(|texts| record::write(texts.iter().map(|text| (*text).to_owned()))).collect()
    }

    #[test]
    fn the_parts_of_a_key_are_one_report() {
        let text = file(&[
            &["user:names:{id}:hash", "Names", "value", "text"],
            &["user:names:{id}:hash", "Names", "field", "own form Name", ".: not known"],
        ]);
        let reports = read(&text).unwrap();
        let [report] = &reports[..] else { unreachable!("{reports:?}") };
        let known = report.values.as_ref().unwrap();
        assert_eq!(known.shapes.part(Part::Value).unwrap().to_string(), "text");
        assert_eq!(known.shapes.part(Part::Field).unwrap().to_string(), "own form Name");
        assert_eq!(known.notes, [".: not known"]);
    }

    #[test]
    fn a_failed_part_says_why() {
        let text = file(&[&["user:name:string", "Name", "failed", "it panics"]]);
        assert_eq!(read(&text).unwrap()[0].values, Err("it panics".to_owned()));
    }

    #[test]
    fn other_records_are_an_error() {
        for records in
            [&["user:name:string", "Name", "value"][..], &["t", "Name", "value", "nonsense"], &["t", "N", "x", "u8"]]
        {
            assert!(read(&file(&[records])).is_err(), "{records:?}");
        }
        assert!(read("nonsense").is_err());
        assert_eq!(read("").unwrap(), []);
    }
}

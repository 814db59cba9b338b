//! `values`: the shapes of the values that programs store, in CI compared with a file.

use std::fmt::Write as _;
use std::io;
use std::path::PathBuf;

use clap::Args;

use super::format::Format;
use crate::Failure;
use crate::date::Date;
use crate::declare::Selection;
use crate::declare::sources::{self, Sources};
use crate::declare::values::accept::{self, Changes};
use crate::declare::values::check::{Checked, check};
use crate::declare::values::declared::{Declared, Project};
use crate::declare::values::file;
use crate::outcome::Outcome;
use crate::render::units::things;
use crate::render::{BOLD, Finding, Level, printable};

/// Show what values look like, and reject changes that other releases cannot read
///
/// It compiles the unit tests of the packages and asks each declaration for the shape of its values: the fields and
/// variants that programs write and read. `--check` compares these shapes with the file `redis-keys.values.toml`, in
/// both directions: new programs read stored values, and old programs read new ones while both run. Status 1 if there
/// are errors, or changes that the file does not have yet.
#[derive(Args)]
pub(crate) struct ValuesArgs {
    /// Compare with `redis-keys.values.toml`
    #[arg(long)]
    check: bool,
    /// Write `redis-keys.values.toml`, to be reviewed and committed
    #[arg(long, conflicts_with = "check")]
    accept: bool,
    /// Format of the findings
    #[arg(long, value_enum, default_value_t = Format::Text, requires = "check")]
    format: Format,
    /// The file [default: `redis-keys.values.toml` in the folder of the workspace]
    #[arg(long, value_name = "PATH")]
    file: Option<PathBuf>,
    #[command(flatten)]
    selection: Selection,
}

impl ValuesArgs {
    /// The file, and its name in messages.
    fn file(&self, sources: &Sources) -> (PathBuf, String) {
        match &self.file {
            Some(path) => (path.clone(), path.display().to_string()),
            None => (sources.project.root.join(file::NAME), file::NAME.to_owned()),
        }
    }
}

pub(crate) fn run(args: &ValuesArgs, out: &mut dyn io::Write) -> Result<Outcome, Failure> {
    let sources = sources::read(&args.selection)?;
    if args.check {
        return run_check(args, &sources, out);
    }
    if args.accept {
        return run_accept(args, &sources);
    }
    let project = Project::compile(&sources, &args.selection)?;
    for declared in project.declared.values().flatten() {
        show(declared, out)?;
    }
    message!("{}", summary(&project));
    Ok(Outcome::Fine)
}

fn run_check(args: &ValuesArgs, sources: &Sources, out: &mut dyn io::Write) -> Result<Outcome, Failure> {
    let (path, name) = args.file(sources);
    let missing = || {
        let failure = Failure::new(format!("there is no `{}`", path.display()));
        failure.help("run `cargo redis-keys values --accept`, and commit the file")
    };
    // Compiling takes a while, so a damaged file is reported before.
    let (text, known) = file::load(&path, &name)?.ok_or_else(missing)?;
    let project = Project::compile(sources, &args.selection)?;
    let Checked { findings, is_up_to_date } = check(&project, (&name, &text), &known, Date::today());
    let mut end = counts(&findings);
    if !is_up_to_date {
        let _ = writeln!(end, "`{name}` is out of date: `cargo redis-keys values --accept` updates it");
    }
    end.push_str(&summary(&project));
    args.format.write(&findings, &end, out)?;
    let has_errors = findings.iter().any(|finding| finding.level == Level::Error);
    Ok(if has_errors || !is_up_to_date { Outcome::Findings } else { Outcome::Fine })
}

fn run_accept(args: &ValuesArgs, sources: &Sources) -> Result<Outcome, Failure> {
    let (path, name) = args.file(sources);
    let known = file::load(&path, &name)?.map(|(_, known)| known);
    let project = Project::compile(sources, &args.selection)?;
    let before = known.clone().unwrap_or_default();
    let after = accept::updated(&before, &project, Date::today());
    if known.as_ref() == Some(&after) {
        message!("`{name}` is up to date");
    } else {
        file::save(&path, &after)?;
        let Changes { new, changed, removed } = Changes::between(&before, &after);
        message!("wrote `{}`: {new} new, {changed} changed, {removed} removed", path.display());
    }
    message!("{}", summary(&project));
    Ok(Outcome::Fine)
}

/// The numbers of findings, if there are some.
fn counts(findings: &[Finding]) -> String {
    let levels = [(Level::Error, "error"), (Level::Warning, "warning"), (Level::Note, "note")];
    let count = |level| findings.iter().filter(|finding| finding.level == level).count();
    let counts = levels.map(|(level, name)| things(count(level) as u64, name));
    if findings.is_empty() { String::new() } else { counts.join(", ") + "\n" }
}

/// The number of declarations, and of those whose values are not known.
fn summary(project: &Project) -> String {
    let declared = || project.declared.values().flatten();
    let unknown = declared().filter(|declared| declared.values.is_err()).count();
    let partly = declared().filter(|declared| declared.values.as_ref().is_ok_and(|known| !known.notes.is_empty()));
    let mut text = format!("read the values of {}", things(declared().count() as u64, "declaration"));
    for (count, what) in [(partly.count(), "partly known"), (unknown, "not known")] {
        if count > 0 {
            let _ = write!(text, "; {count} {what}");
        }
    }
    text
}

/// Shows a declaration and the shapes of its values.
fn show(declared: &Declared, out: &mut dyn io::Write) -> io::Result<()> {
    let Declared { key, values } = declared;
    let [template, name, file] = [&key.template, &key.name, &key.file].map(printable);
    writeln!(out, "{BOLD}{template}{BOLD:#} ({name}, {file}:{})", key.line)?;
    match values {
        Ok(known) => {
            for (part, text) in known.parts() {
                writeln!(out, "    {}: {}", part.name(), text.replace('\n', "\n    "))?;
            }
            for note in &known.notes {
                writeln!(out, "    partly known: {}", printable(note))?;
            }
        }
        Err(why) => writeln!(out, "    not known: {}", printable(why))?,
    }
    writeln!(out)
}

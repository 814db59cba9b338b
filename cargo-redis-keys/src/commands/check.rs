//! `check`: what the derives say of each declaration, and which declarations overlap.

use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;
use std::rc::Rc;
use std::{fs, io};

use clap::{Args, ValueEnum};
use redis_keys_schema::catalogue::Values;

use crate::Failure;
use crate::check::{self, Code, File, Finding, Level, Location, Subject};
use crate::cli::Outcome;
use crate::output::{github, rustc, sarif, snippet};
use crate::selection::Selection;
use crate::sources::{self, Sources, TargetKind};

/// Check the declarations of all packages against the rules, the policy and each other
///
/// It says what the compiler says of each declaration, without compiling, and finds declarations of different packages that can
/// produce the same key.
#[derive(Args)]
pub(crate) struct CheckArgs {
    #[command(flatten)]
    selection: Selection,
    /// The form of the findings
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Treat warnings as errors
    #[arg(long)]
    deny_warnings: bool,
    /// Treat places that may declare keys and were not read as errors
    #[arg(long)]
    strict: bool,
}

/// The form of the findings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// As rustc shows errors
    Text,
    /// One JSON object in each line, as `rustc --error-format=json` writes them
    Json,
    /// SARIF 2.1.0, for code scanning
    Sarif,
    /// Annotations of GitHub Actions
    Github,
}

pub(crate) fn run(args: &CheckArgs, out: &mut dyn io::Write) -> Result<Outcome, Failure> {
    let sources = sources::read(&args.selection)?;
    let mut findings = findings(&sources);
    if args.strict {
        findings.extend(unread(&sources));
    }
    if args.deny_warnings {
        for finding in &mut findings {
            finding.level = Level::Error;
        }
    }
    write(args.format, &findings, out)?;
    let summary = summary(&sources, &findings, args.strict);
    match args.format {
        Format::Text => writeln!(out, "{summary}")?,
        _ => anstream::eprintln!("{summary}"),
    }
    let is_error = findings.iter().any(|finding| finding.level == Level::Error);
    Ok(if is_error { Outcome::Findings } else { Outcome::Fine })
}

/// What is found in the sources and in the policy files.
fn findings(sources: &Sources) -> Vec<Finding> {
    let mut files = HashMap::new();
    let mut crates = HashMap::new();
    let subjects: Vec<_> = sources
        .declarations
        .iter()
        .map(|declaration| {
            let target = &declaration.target;
            let number = crates.len();
            let number = *crates.entry(Rc::as_ptr(target)).or_insert(number);
            let file = &declaration.file;
            let copy = || Rc::new(File { path: file.shown.clone(), text: file.text.clone() });
            Subject {
                kind: declaration.kind,
                item: &declaration.item,
                file: Rc::clone(files.entry(Rc::as_ptr(file)).or_insert_with(copy)),
                policy: declaration.policy(),
                package: &declaration.package().name,
                krate: number,
                is_deployed: !declaration.is_test && matches!(target.kind, TargetKind::Lib | TargetKind::Bin),
                is_silenced: declaration.is_silenced,
                condition: declaration.condition.as_deref(),
            }
        })
        .collect();
    let mut findings = policy_files(sources);
    findings.extend(check::check(&subjects, &|number, field| {
        sources.declarations.get(number).map_or(Values::Unknown, |declaration| sources.values(declaration, field.field))
    }));
    findings
}

/// What is found in the policy files of the selected packages.
fn policy_files(sources: &Sources) -> Vec<Finding> {
    let mut checked = HashSet::new();
    let mut findings = Vec::new();
    for package in sources.project.packages.iter().filter(|package| package.is_selected) {
        if let Some(file) = package.policy_file.as_ref().filter(|file| checked.insert(&file.path)) {
            let shown = sources::shown(&sources.project.root, &file.path);
            findings.extend(check::check_policy_file(file, &package.policy, &shown));
        }
    }
    findings
}

/// The places that may declare keys and were not read.
fn unread(sources: &Sources) -> impl Iterator<Item = Finding> {
    sources.unread.iter().map(|place| {
        let text = fs::read_to_string(sources.project.root.join(&place.file)).unwrap_or_default();
        let start: usize = text.split_inclusive('\n').take(place.line.saturating_sub(1)).map(str::len).sum();
        let line = text.get(start..).and_then(|rest| rest.lines().next()).unwrap_or_default();
        let indent = line.len() - line.trim_start().len();
        let range = start + indent..start + line.trim_end().len().max(indent);
        Finding {
            level: Level::Error,
            code: Code::Unread,
            message: format!("keys that the sources do not show: {}", place.why),
            help: "check what the compiler makes of it with `--built`, or run without `--strict`".to_owned(),
            at: Location { file: Rc::new(File { path: place.file.clone(), text }), range },
            label: None,
            other: None,
        }
    })
}

fn write(format: Format, findings: &[Finding], out: &mut dyn io::Write) -> io::Result<()> {
    match format {
        Format::Text => findings.iter().try_for_each(|finding| writeln!(out, "{}\n", snippet::snippet(finding))),
        Format::Json => findings.iter().try_for_each(|finding| writeln!(out, "{}", rustc::line(finding))),
        Format::Sarif => writeln!(out, "{}", sarif::report(findings)),
        Format::Github => findings.iter().try_for_each(|finding| writeln!(out, "{}", github::line(finding))),
    }
}

/// How many were found, what was not read, and what is left to the compiler.
fn summary(sources: &Sources, findings: &[Finding], is_strict: bool) -> String {
    let count = |level| findings.iter().filter(|finding| finding.level == level).count();
    let noun = |count: usize, noun: &str| format!("{count} {noun}{}", if count == 1 { "" } else { "s" });
    let mut text = String::new();
    if !findings.is_empty() {
        let (errors, warnings) = (count(Level::Error), count(Level::Warning));
        let _ = writeln!(text, "{}, {}", noun(errors, "error"), noun(warnings, "warning"));
    }
    if !sources.unread.is_empty() && !is_strict {
        let count = sources.unread.len();
        let verb = if count == 1 { "makes" } else { "make" };
        let _ =
            writeln!(text, "{} {verb} keys that the sources do not show (--built reads them)", noun(count, "place"));
    }
    text + "checked what the sources say; cargo check proves the rest"
}

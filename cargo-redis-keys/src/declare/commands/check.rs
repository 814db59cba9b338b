//! `check`: reads each declaration as the derives do, and finds overlaps.

use std::fmt::Write as _;
use std::io;
use std::path::PathBuf;

use clap::Args;

use super::format::Format;
use crate::Failure;
use crate::declare::catalog::Catalog;
use crate::declare::check::Project;
use crate::declare::raw::{self, Baseline};
use crate::declare::sources::{Code, Sources};
use crate::declare::{Selection, catalog_of, sources};
use crate::outcome::Outcome;
use crate::render::units::things;
use crate::render::{Finding, Level, one_line};

/// Check declarations: rules, lints, policy, overlaps
///
/// It reports what the compiler reports of each declaration, without compiling, and finds declarations of different
/// packages that can produce the same key. Rules, lints and the policy file apply. Status 1 if there are errors.
#[derive(Args)]
pub(crate) struct CheckArgs {
    /// Format of the findings
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Treat warnings as errors
    #[arg(long)]
    deny_warnings: bool,
    /// Treat places that were not read as errors
    #[arg(long)]
    strict: bool,
    #[command(flatten)]
    raw: RawArgs,
    #[command(flatten)]
    selection: Selection,
}

/// Arguments: commands outside of declarations.
#[derive(Args)]
#[command(next_help_heading = "Raw commands")]
struct RawArgs {
    /// Report commands on Redis outside of declarations as well
    #[arg(long)]
    raw: bool,
    /// Report only those that this file lacks, as errors, and its lines that are not needed any more
    #[arg(long, value_name = "FILE", requires = "raw")]
    baseline: Option<PathBuf>,
    /// Write the baseline: all if there is no file, or else what is left of it
    #[arg(long, requires = "baseline")]
    write_baseline: bool,
}

pub(crate) fn run(args: &CheckArgs, out: &mut dyn io::Write) -> Result<Outcome, Failure> {
    let (sources, code) = if args.raw.raw {
        sources::read_with_code(&args.selection)?
    } else {
        (sources::read(&args.selection)?, Code::default())
    };
    let project = Project::new(&sources);
    let mut findings = project.findings(None);
    // With errors it does not compile.
    let is_compiled = args.selection.built && !has_errors(&findings);
    let mut declarations = project.declarations();
    let mut compiled = None;
    if is_compiled {
        // The compiler reports all other errors in declarations of macros.
        let catalog = compiled.insert(catalog_of(&args.selection)?);
        declarations += catalog.keys.iter().filter(|key| key.made_by.is_some()).count();
        findings = project.findings(Some(catalog));
    }
    findings.extend(unneeded_legacy_names(&project, &args.selection, compiled.as_ref())?);
    if args.strict && !is_compiled {
        findings.extend(project.unread());
    }
    let raw = if args.raw.raw { Some(raw_uses(&args.raw, &sources, &code, compiled.as_ref())?) } else { None };
    findings.extend(raw.iter().flat_map(|raw| raw.findings.iter().cloned()));
    if args.deny_warnings {
        for finding in &mut findings {
            finding.level = Level::Error;
        }
    }
    let unread = if args.strict || is_compiled { 0 } else { sources.unread.len() };
    let mut summary = summary(&findings, declarations, unread, args.selection.built, is_compiled);
    if let Some(raw) = &raw {
        summary = format!("{}\n{summary}", raw.summary);
    }
    args.format.write(&findings, &summary, out)?;
    Ok(if has_errors(&findings) { Outcome::Findings } else { Outcome::Fine })
}

/// The commands outside of declarations.
struct Raw {
    findings: Vec<Finding>,
    summary: String,
}

fn raw_uses(args: &RawArgs, sources: &Sources, code: &Code, compiled: Option<&Catalog>) -> Result<Raw, Failure> {
    let uses = raw::uses(code);
    let present = Baseline::of(&uses);
    let baseline = match &args.baseline {
        None => None,
        Some(path) if args.write_baseline => {
            let baseline = if path.exists() { Baseline::read(path)?.common(&present) } else { present };
            baseline.write(path)?;
            // With the lines that it has now.
            Some((path, Baseline::read(path)?))
        }
        Some(path) => Some((path, Baseline::read(path)?)),
    };
    let catalog = sources.catalog();
    let mut findings =
        raw::findings(&uses, compiled.unwrap_or(&catalog), baseline.as_ref().map(|(_, baseline)| baseline));
    let new = findings.len();
    if let Some((path, baseline)) = &baseline {
        let root = &sources.project.root;
        let is_read = |file: &str| code.has_file(file) || !root.join(file).exists();
        findings.extend(raw::unneeded(baseline, &uses, path, is_read));
    }
    let lasting = uses.iter().filter(|used| used.creates_without_expiry()).count();
    let mut summary = format!("{}; without an expiry: {lasting}", things(uses.len() as u64, "raw command"));
    if let Some((_, baseline)) = &baseline {
        let _ = write!(summary, "; in the baseline: {}, new: {new}", baseline.total());
    }
    for unread in &code.unparsable {
        let _ = write!(summary, "\nnot read: {}:{}: {}", one_line(&unread.file), unread.line, one_line(&unread.why));
    }
    Ok(Raw { findings, summary })
}

/// The names of the policy files that can go. A key that was not read may need such a file.
fn unneeded_legacy_names(
    project: &Project<'_>,
    selection: &Selection,
    compiled: Option<&Catalog>,
) -> Result<Vec<Finding>, Failure> {
    if !project.lists_legacy_names() {
        return Ok(Vec::new());
    }
    let whole = sources::read(&selection.whole())?.catalog();
    if compiled.is_none() && !whole.unread.is_empty() {
        return Ok(Vec::new());
    }
    let compiled = compiled.iter().flat_map(|catalog| &catalog.keys);
    Ok(project.unneeded_legacy_names(whole.keys.iter().chain(compiled)))
}

fn has_errors(findings: &[Finding]) -> bool {
    findings.iter().any(|finding| finding.level == Level::Error)
}

/// The numbers of findings, of places that were not read and of declarations, and the checks that are left to the
/// compiler.
fn summary(findings: &[Finding], declarations: usize, unread: usize, built: bool, is_compiled: bool) -> String {
    let count = |level| findings.iter().filter(|finding| finding.level == level).count();
    let noun = |count: usize, noun: &str| format!("{count} {noun}{}", if count == 1 { "" } else { "s" });
    let mut text = String::new();
    if !findings.is_empty() {
        let (errors, warnings) = (count(Level::Error), count(Level::Warning));
        let _ = writeln!(text, "{}, {}", noun(errors, "error"), noun(warnings, "warning"));
    }
    if unread > 0 {
        let (places, verb) = (noun(unread, "place"), if unread == 1 { "makes" } else { "make" });
        let why = if built { "not compiled because of the errors" } else { "--built reads them" };
        let _ = writeln!(text, "{places} {verb} keys that the sources do not show ({why})");
    }
    let declarations = noun(declarations, "declaration");
    let _ = if is_compiled {
        write!(text, "checked what the sources and the compiler say of {declarations}")
    } else {
        write!(text, "checked what the sources say of {declarations}; cargo check proves the rest")
    };
    text
}

//! The report of an audit, as JSON (a [document]), as text for a terminal, as an HTML page, and as metrics.

mod document;
mod hot_keys;
mod html;
mod prometheus;
mod summaries;
mod terminal;
#[cfg(test)]
mod tests;

use std::io;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use self::document::{Changed, Document, changes};
pub use self::prometheus::STOCK;
use self::summaries::MAX_PATTERNS;
use super::finding_id::FindingId;
use super::{Node, Run};
use crate::Failure;
use crate::declarations::read_text;
use crate::file::{must_be_replaceable, replace};
use crate::outcome::Outcome;
use crate::render::Level;
use crate::render::units::{bytes, count, duration, exact_bytes};
use crate::server::schemas::Schemas;

/// Arguments: the forms of the report.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Report")]
pub(crate) struct ReportArgs {
    /// Print the report in this form, instead of a summary
    #[arg(long, value_enum)]
    format: Option<Form>,
    /// Write the report as JSON; `-`: to stdout
    #[arg(long, value_name = "FILE")]
    pub(crate) json: Option<PathBuf>,
    /// Write the report as an HTML page; `-`: to stdout
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,
    /// Write metrics for Prometheus (the textfile collector of `node_exporter`); `-`: to stdout
    #[arg(long, value_name = "FILE")]
    pub(crate) prometheus: Option<PathBuf>,
    /// Report what is new or 10% larger than in this JSON report
    #[arg(long, value_name = "FILE")]
    pub(crate) baseline: Option<PathBuf>,
    /// Show all patterns of unknown keys
    #[arg(long)]
    pub(crate) all_unknown: bool,
    /// Exit with status 1 for findings of this level or above [default: error]
    #[arg(long, value_name = "LEVEL")]
    pub(crate) fail_on: Option<Level>,
}

/// A form of the report that can be in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Form {
    /// For programs
    Json,
    /// A page for people
    Html,
    /// Metrics, in the text format of Prometheus
    Prometheus,
}

impl ReportArgs {
    /// The forms that are asked for, with their files.
    fn forms(&self) -> impl Iterator<Item = (Form, &Path)> {
        let forms = [(Form::Json, &self.json), (Form::Html, &self.html), (Form::Prometheus, &self.prometheus)];
        forms.into_iter().filter_map(|(form, path)| Some((form, path.as_deref()?)))
    }
}

/// The report before the scan: its baseline is read, and its files can be written.
pub(crate) struct PreparedReport<'a> {
    all_unknown: bool,
    fail_on: Level,
    files: Vec<(Form, &'a Path)>,
    /// The form that is written to stdout, instead of the summary.
    stdout: Option<Form>,
    baseline: Option<Document>,
}

impl<'a> PreparedReport<'a> {
    /// Reads the baseline, and finds files that cannot be written before a scan that takes hours.
    pub(crate) fn new(args: &'a ReportArgs) -> Result<Self, Failure> {
        let baseline = args.baseline.as_deref().map(|path| Document::from_json(&read_text(path)?)).transpose()?;
        let (stdout, files): (Vec<_>, Vec<_>) = args.forms().partition(|(_, path)| path.as_os_str() == "-");
        let stdout: Vec<_> = stdout.into_iter().map(|(form, _)| form).chain(args.format).collect();
        if stdout.len() > 1 {
            let failure = Failure::new("two forms of the report cannot both go to stdout");
            return Err(failure.help("name a file instead of `-`"));
        }
        let stdout = stdout.first().copied();
        files.iter().try_for_each(|(_, path)| must_be_replaceable(path))?;
        let fail_on = args.fail_on.unwrap_or(Level::Error);
        Ok(Self { all_unknown: args.all_unknown, fail_on, files, stdout, baseline })
    }
}

/// Writes the report in all forms that are asked for.
pub(crate) fn report(
    prepared: &PreparedReport<'_>,
    schemas: &Schemas,
    run: &Run,
    nodes: &[Node],
    out: &mut dyn io::Write,
) -> Result<Outcome, Failure> {
    let most_patterns = if prepared.all_unknown { usize::MAX } else { MAX_PATTERNS };
    let mut document = Document::new(schemas, run, nodes, most_patterns);
    document.changes = prepared.baseline.as_ref().map(|baseline| changes(baseline, &document));
    for (form, path) in &prepared.files {
        replace(path, &document.written(*form, run)?)?;
    }
    match prepared.stdout {
        Some(form) => out.write_all(document.written(form, run)?.as_bytes())?,
        None => document.write_summary(prepared.all_unknown, out)?,
    }
    Ok(if document.fails(prepared.fail_on) { Outcome::Findings } else { Outcome::Fine })
}

impl Document {
    fn written(&self, form: Form, run: &Run) -> Result<String, Failure> {
        match form {
            Form::Json => self.to_json(),
            Form::Html => Ok(self.to_html()),
            Form::Prometheus => Ok(self.to_prometheus(run.started)),
        }
    }

    /// Whether there are findings of this level or above. With a baseline, only those count that are new or larger.
    fn fails(&self, level: Level) -> bool {
        match &self.changes {
            None => self.findings.iter().any(|finding| finding.level >= level),
            Some(changes) => changes.iter().any(|change| match &change.what {
                Changed::Finding { id, .. } => id.level() >= level,
                _ => false,
            }),
        }
    }
}

/// The measure that makes a key an example of a finding.
fn measure(id: FindingId, weight: u64) -> String {
    match id {
        FindingId::BigCollection => format!("{} elements", count(weight)),
        FindingId::BigValue => exact_bytes(weight),
        FindingId::BigMember => format!("an element of {}", exact_bytes(weight)),
        FindingId::LongExpiry => format!("expires in {}", duration(weight)),
        FindingId::HotKey => format!("access counter {weight}"),
        _ => bytes(weight),
    }
}

//! The report of an audit, as JSON (a [document]), as text for a terminal, and as an HTML page.

mod document;
mod html;
mod summaries;
mod terminal;
#[cfg(test)]
mod tests;

use std::io;
use std::path::{Path, PathBuf};

use clap::Args;

use self::document::{Changed, Document, changes};
use self::summaries::MAX_PATTERNS;
use super::finding_id::FindingId;
use super::{Node, Run};
use crate::Failure;
use crate::declarations::read_text;
use crate::outcome::{Outcome, must_be_writable};
use crate::render::Level;
use crate::render::units::{bytes, count, duration, exact_bytes};
use crate::server::schemas::Schemas;

/// Arguments: the forms of the report.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Report")]
pub(crate) struct ReportArgs {
    /// Write the report as JSON; `-`: to stdout
    #[arg(long, value_name = "FILE")]
    pub(crate) json: Option<PathBuf>,
    /// Write the report as an HTML page
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,
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

/// The report before the scan: its baseline is read, and its files can be written.
pub(crate) struct PreparedReport<'a> {
    args: &'a ReportArgs,
    baseline: Option<Document>,
}

impl<'a> PreparedReport<'a> {
    /// Reads the baseline, and finds files that cannot be written before a scan that takes hours.
    pub(crate) fn new(args: &'a ReportArgs) -> Result<Self, Failure> {
        let baseline = args.baseline.as_deref().map(|path| Document::from_json(&read_text(path)?)).transpose()?;
        let is_file = |path: &&PathBuf| path.as_os_str() != "-";
        args.json.iter().chain(&args.html).filter(is_file).try_for_each(|path| must_be_writable(path))?;
        Ok(Self { args, baseline })
    }
}

/// Writes the report in all forms that are asked for.
pub(crate) fn report(
    PreparedReport { args, baseline }: &PreparedReport<'_>,
    schemas: &Schemas,
    run: &Run,
    nodes: &[Node],
    out: &mut dyn io::Write,
) -> Result<Outcome, Failure> {
    let most_patterns = if args.all_unknown { usize::MAX } else { MAX_PATTERNS };
    let mut document = Document::new(schemas, run, nodes, most_patterns);
    document.changes = baseline.as_ref().map(|baseline| changes(baseline, &document));
    if let Some(path) = &args.html {
        write_file(path, &document.to_html())?;
    }
    match &args.json {
        Some(path) if path.as_os_str() == "-" => out.write_all(document.to_json()?.as_bytes())?,
        Some(path) => {
            write_file(path, &document.to_json()?)?;
            document.write_summary(args.all_unknown, out)?;
        }
        None => document.write_summary(args.all_unknown, out)?,
    }
    Ok(if document.fails(args.fail_on.unwrap_or(Level::Error)) { Outcome::Findings } else { Outcome::Fine })
}

fn write_file(path: &Path, text: &str) -> Result<(), Failure> {
    std::fs::write(path, text).map_err(Failure::writing(path))
}

impl Document {
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

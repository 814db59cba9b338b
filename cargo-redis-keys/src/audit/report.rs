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
use super::finding_id::FindingId;
use super::{Node, Run};
use crate::Failure;
use crate::outcome::Outcome;
use crate::render::Level;
use crate::render::units::{bytes, count, duration};
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
    /// Exit with status 1 for findings of this level or above [default: error]
    #[arg(long, value_name = "LEVEL")]
    pub(crate) fail_on: Option<Level>,
}

/// Writes the report in all forms that are asked for.
pub(crate) fn report(
    args: &ReportArgs,
    schemas: &Schemas,
    run: &Run,
    nodes: &[Node],
    out: &mut dyn io::Write,
) -> Result<Outcome, Failure> {
    let mut document = Document::new(schemas, run, nodes);
    if let Some(path) = &args.baseline {
        let text = std::fs::read_to_string(path)
            .map_err(|error| Failure::new(format!("cannot read {}: {error}", path.display())))?;
        document.changes = Some(changes(&Document::from_json(&text)?, &document));
    }
    if let Some(path) = &args.html {
        write_file(path, &document.to_html())?;
    }
    match &args.json {
        Some(path) if path.as_os_str() == "-" => out.write_all(document.to_json()?.as_bytes())?,
        Some(path) => {
            write_file(path, &document.to_json()?)?;
            document.write_summary(out)?;
        }
        None => document.write_summary(out)?,
    }
    Ok(if document.fails(args.fail_on.unwrap_or(Level::Error)) { Outcome::Findings } else { Outcome::Fine })
}

fn write_file(path: &Path, text: &str) -> Result<(), Failure> {
    std::fs::write(path, text).map_err(|error| Failure::new(format!("cannot write {}: {error}", path.display())))
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
        FindingId::BigMember => format!("an element of {}", bytes(weight)),
        FindingId::LongExpiry => format!("expires in {}", duration(weight)),
        FindingId::HotKey => format!("access counter {weight}"),
        _ => bytes(weight),
    }
}

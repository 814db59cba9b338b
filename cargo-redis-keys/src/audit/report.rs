//! The report of an audit: [data](document), which is its JSON form, and what of it a terminal and an HTML page show.

mod baseline;
mod build;
mod document;
mod html;
mod terminal;
#[cfg(test)]
mod tests;
mod treemap;

use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use clap::Args;

use self::baseline::{Changed, changes};
use self::document::Document;
use super::facts::Facts;
use super::findings::{FindingId, Level};
use super::tally::{KeyText, Schemas, Tally};
use crate::Failure;
use crate::cli::Outcome;
use crate::output::units::{bytes, count, duration};

/// How the result is reported.
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

/// What was found on one node.
pub(crate) struct Node {
    /// What the server says about itself.
    pub(crate) facts: Facts,
    /// What was counted.
    pub(crate) tally: Tally,
    /// The slots that moved away or here during the scan.
    pub(crate) moved_slots: Vec<u16>,
    /// How long the scan took.
    pub(crate) took: Duration,
}

/// The audit as a whole.
pub(crate) struct Run {
    /// When it started.
    pub(crate) started: SystemTime,
    /// How long it took.
    pub(crate) took: Duration,
    /// The options that say which keys were seen, such as `("match", "user:*")`, and how, such as `("pace", "share 50%")`.
    pub(crate) options: Vec<(String, String)>,
    /// Whether all keys were seen that the options ask for.
    pub(crate) is_complete: bool,
}

/// Reports what was found, in all forms that are asked for.
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

/// What makes a key an example of a finding.
fn measure(id: FindingId, weight: u64) -> String {
    match id {
        FindingId::BigCollection => format!("{} elements", count(weight)),
        FindingId::BigMember => format!("an element of {}", bytes(weight)),
        FindingId::LongExpiry => format!("expires in {}", duration(weight)),
        FindingId::HotKey => format!("access counter {weight}"),
        _ => bytes(weight),
    }
}

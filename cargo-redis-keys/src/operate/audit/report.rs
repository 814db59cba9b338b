//! The report of an audit: a [document], which is also its JSON form, the [sections] that people read, and metrics.

mod changes;
mod document;
mod hot_keys;
mod pattern;
mod prometheus;
mod sections;
mod summaries;
#[cfg(test)]
mod tests;

use std::io;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use self::changes::changes;
use self::document::{Change, Document};
pub use self::prometheus::STOCK;
use self::summaries::MAX_PATTERNS;
use super::{Node, Run, names_of};
use crate::Failure;
use crate::declare::{explain, read_text};
use crate::file::{Access, must_be_replaceable, replace};
use crate::operate::server::connection::Server;
use crate::operate::server::schemas::Schemas;
use crate::outcome::Outcome;
use crate::render::table::terminal_width;
use crate::render::{Figures, Finding, Level, github, html, markdown, printable, sarif, terminal, units};

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
    /// Show real keys, which can contain tokens and names
    #[arg(long)]
    pub(crate) show_keys: bool,
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
    /// For comments and summaries of CI services
    Markdown,
    /// SARIF 2.1.0, for code scanning
    Sarif,
    /// Annotations of GitHub Actions
    Github,
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
    args: &'a ReportArgs,
    files: Vec<(Form, &'a Path)>,
    /// The form that is written to stdout, instead of the summary.
    stdout: Option<Form>,
    baseline: Option<(&'a Path, Document)>,
}

/// The options that say which keys an audit sees. A baseline has the same options.
const SELECTIONS: [&str; 5] = ["match", "sample", "replicas", "namespace", "legacy-prefix"];

impl<'a> PreparedReport<'a> {
    /// Reads the baseline, and finds files that cannot be written before a scan that takes hours.
    pub(crate) fn new(args: &'a ReportArgs) -> Result<Self, Failure> {
        let read = |path| Ok::<_, Failure>((path, Document::from_json(&read_text(path)?)?));
        let baseline = args.baseline.as_deref().map(read).transpose()?;
        let (stdout, files): (Vec<_>, Vec<_>) = args.forms().partition(|(_, path)| path.as_os_str() == "-");
        let stdout: Vec<_> = stdout.into_iter().map(|(form, _)| form).chain(args.format).collect();
        if stdout.len() > 1 {
            let failure = Failure::new("two forms of the report cannot both go to stdout");
            return Err(failure.help("name a file instead of `-`"));
        }
        let stdout = stdout.first().copied();
        files.iter().try_for_each(|(_, path)| must_be_replaceable(path))?;
        Ok(Self { args, files, stdout, baseline })
    }

    /// Fails if the baseline has other keys, because everything in it would be compared with nothing.
    pub(crate) fn must_fit(&self, servers: &[Server], options: &[(String, String)]) -> Result<(), Failure> {
        let Some((path, baseline)) = &self.baseline else { return Ok(()) };
        let differs = |from: &str, to: &str| {
            let (from, to) = (printable(from), printable(to));
            let message = format!("`{}` is the report of an audit {from}, not {to}", path.display());
            Err(Failure::new(message).help("make a baseline for this audit, with `--json FILE` and the same options"))
        };
        let [mut before, mut now] = [baseline.servers.clone(), names_of(servers)];
        before.sort();
        now.sort();
        if before != now {
            return differs(&format!("of {}", before.join(", ")), &format!("of {}", now.join(", ")));
        }
        for name in SELECTIONS {
            let [before, now] = [&baseline.options, options].map(|options| option(options, name));
            if before != now {
                return differs(&before, &now);
            }
        }
        let keys = |shows_keys| if shows_keys { "with `--show-keys`" } else { "without `--show-keys`" };
        if baseline.shows_keys != self.args.show_keys {
            return differs(keys(baseline.shows_keys), keys(self.args.show_keys));
        }
        if !baseline.is_complete && !options.iter().any(|(name, _)| name == "sample") {
            return differs("that has not seen all keys", "of all keys");
        }
        Ok(())
    }
}

/// An option of an audit in words.
fn option(options: &[(String, String)], name: &str) -> String {
    let value = options.iter().find(|(option, _)| option == name).map(|(_, value)| value);
    value.map_or_else(|| format!("without `--{name}`"), |value| format!("with `--{name} {value}`"))
}

/// Writes the report in all requested forms. Files of an audit that has ended early stay unchanged.
pub(crate) fn report(
    prepared: &PreparedReport<'_>,
    schemas: &Schemas,
    run: &Run,
    nodes: &[Node],
    out: &mut dyn io::Write,
) -> Result<Outcome, Failure> {
    let most_patterns = if prepared.args.all_unknown { usize::MAX } else { MAX_PATTERNS };
    let mut document = Document::new(schemas, run, nodes, most_patterns);
    document.changes = prepared.baseline.as_ref().map(|(_, baseline)| changes(baseline, &document));
    let write = |(form, path): &(Form, &Path)| {
        replace(path, document.written(*form, run)?.as_bytes(), Access::to_keys(run.shows_keys))
    };
    // A file that cannot be written is no reason to lose the others and the printed report.
    let files: &[_] = if run.has_ended_early { &[] } else { &prepared.files };
    let written: Vec<_> = files.iter().map(write).collect();
    match prepared.stdout {
        Some(form) => out.write_all(document.written(form, run)?.as_bytes())?,
        None => terminal::write(&document.report(prepared.args.all_unknown), terminal_width(), out)?,
    }
    out.flush()?;
    written.into_iter().collect::<Result<(), _>>()?;
    Ok(if document.fails(prepared.args.fail_on.unwrap_or(Level::Error)) { Outcome::Findings } else { Outcome::Fine })
}

impl Document {
    fn written(&self, form: Form, run: &Run) -> Result<String, Failure> {
        match form {
            Form::Json => self.to_json(),
            Form::Html => Ok(html::page(&self.report(false))),
            Form::Prometheus => Ok(self.to_prometheus(run.started)),
            Form::Markdown => Ok(markdown::report(&self.report(false))),
            Form::Sarif => Ok(sarif::report(&self.whole_sentences(), explain::summary) + "\n"),
            Form::Github => Ok(self.whole_sentences().iter().map(|finding| github::line(finding) + "\n").collect()),
        }
    }

    /// The findings, whose messages contain the other columns of a table.
    fn whole_sentences(&self) -> Vec<Finding> {
        let whole = |finding: &Finding| {
            let Figures { count, bytes, .. } = finding.figures;
            let keys = finding.id().filter(|id| id.is_about_keys() && count > 0);
            let keys = keys.map(|_| format!("{}, {}", units::things(count, "key"), units::bytes(bytes)));
            let what = explain::summary(finding.code).unwrap_or_default().to_owned();
            let detail = Some(finding.message.clone()).filter(|detail| !detail.is_empty());
            let figures = [keys, detail].into_iter().flatten().collect::<Vec<_>>().join("; ");
            let message = if figures.is_empty() { what } else { format!("{what} {figures}") };
            Finding { message, ..finding.clone() }
        };
        self.findings.iter().map(whole).collect()
    }

    /// Whether there are findings of this level or above. With a baseline, only new or larger findings count.
    fn fails(&self, level: Level) -> bool {
        match &self.changes {
            None => self.findings.iter().any(|finding| finding.level >= level),
            Some(changes) => changes.iter().filter_map(Change::finding).any(|id| id.level() >= level),
        }
    }
}

//! The forms of findings, of `check` and of `values --check`.

use std::io;

use clap::ValueEnum;

use crate::declare::explain;
use crate::render::{Finding, github, rustc, sarif};

/// The form of the findings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    /// As rustc shows errors
    Text,
    /// One JSON object in each line, as `rustc --error-format=json` writes them
    Json,
    /// SARIF 2.1.0, for code scanning
    Sarif,
    /// Annotations of GitHub Actions
    Github,
}

impl Format {
    /// Writes findings and a summary, which is no part of what programs read.
    pub(super) fn write(self, findings: &[Finding], summary: &str, out: &mut dyn io::Write) -> io::Result<()> {
        match self {
            Self::Text => findings.iter().try_for_each(|finding| writeln!(out, "{}\n", rustc::snippet(finding))),
            Self::Json => findings.iter().try_for_each(|finding| writeln!(out, "{}", rustc::line(finding))),
            Self::Sarif => writeln!(out, "{}", sarif::report(findings, explain::summary)),
            Self::Github => findings.iter().try_for_each(|finding| writeln!(out, "{}", github::line(finding))),
        }?;
        match self {
            Self::Text => writeln!(out, "{summary}")?,
            _ => message!("{summary}"),
        }
        Ok(())
    }
}

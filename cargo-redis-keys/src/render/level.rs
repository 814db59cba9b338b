//! The levels of findings.

use anstyle::{AnsiColor, Style};
use clap::ValueEnum;
use serde::{Deserialize, Serialize};

/// The severity of a finding of `check` or of `audit`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Level {
    /// Worth knowing.
    Note,
    /// A guideline is not followed. The project compiles.
    Warning,
    /// A rule is broken. The project does not compile, or must not be deployed.
    Error,
}

impl Level {
    /// The name, as in messages and in `--fail-on`.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }

    /// The style of the name in a terminal.
    pub(crate) fn style(self) -> Style {
        let color = match self {
            Self::Note => AnsiColor::Cyan,
            Self::Warning => AnsiColor::Yellow,
            Self::Error => AnsiColor::Red,
        };
        Style::new().bold().fg_color(Some(color.into()))
    }
}

//! Which declarations a command reads, and how.

use std::path::PathBuf;

use clap::Args;

use crate::catalogue::Catalogue;
use crate::{Failure, built, sources};

/// Which declarations a command reads, and how.
#[derive(Args, Clone, Debug, Default)]
#[allow(clippy::struct_excessive_bools, reason = "each is an option of the command line")]
#[command(next_help_heading = "Declarations")]
pub(crate) struct Selection {
    /// Path to Cargo.toml
    #[arg(long, value_name = "PATH")]
    pub(crate) manifest_path: Option<PathBuf>,
    /// Read only this package (can be repeated)
    #[arg(long, short, value_name = "NAME")]
    pub(crate) package: Vec<String>,
    /// Features to enable, separated by commas
    #[arg(long, short = 'F', value_name = "FEATURES")]
    pub(crate) features: Vec<String>,
    /// Enable all features
    #[arg(long)]
    pub(crate) all_features: bool,
    /// Disable the default features
    #[arg(long)]
    pub(crate) no_default_features: bool,
    /// Read test targets and unit tests as well
    #[arg(long)]
    pub(crate) tests: bool,
    /// Read examples as well
    #[arg(long)]
    pub(crate) examples: bool,
    /// Compile the project, to find what macros declare as well
    #[arg(long)]
    pub(crate) built: bool,
}

impl Selection {
    /// Reads the declarations.
    pub(crate) fn catalogue(&self) -> Result<Catalogue, Failure> {
        if self.built { built::catalogue(self) } else { sources::read(self)?.catalogue() }
    }
}

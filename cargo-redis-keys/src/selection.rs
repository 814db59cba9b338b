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
    /// Read what other features and platforms declare as well.
    #[arg(skip)]
    pub(crate) any_condition: bool,
}

impl Selection {
    /// Reads the declarations.
    pub(crate) fn catalogue(&self) -> Result<Catalogue, Failure> {
        if self.built { built::catalogue(self) } else { sources::read(self)?.catalogue() }
    }

    /// Reads all declarations of the workspace: of all packages, and with any features and on any platform.
    pub(crate) fn whole_catalogue(&self) -> Result<Catalogue, Failure> {
        let whole = Self { package: Vec::new(), any_condition: true, ..self.clone() };
        let mut catalogue = sources::read(&whole)?.catalogue()?;
        if self.built {
            // A build has what macros declare, and the sources have what it leaves out.
            let built = built::catalogue(&Self { package: Vec::new(), ..self.clone() })?;
            catalogue = Catalogue::new([built.keys, catalogue.keys].concat(), built.unread);
        }
        Ok(catalogue)
    }
}

//! What `purge` and `expire` have in common on the command line.

use std::fs;
use std::path::PathBuf;

use clap::Args;

use crate::Failure;
use crate::audit::scan::{PaceArgs, ScanArgs};
use crate::catalogue::Catalogue;
use crate::connection::ConnectionArgs;
use crate::selection::Selection;

/// What `purge` and `expire` have in common on the command line.
#[derive(Args, Clone, Debug)]
pub(crate) struct ChangeArgs {
    #[allow(clippy::doc_markdown, reason = "the text is for the terminal")]
    /// Address: redis://HOST:PORT/DB, rediss:// for TLS, or unix:///PATH. One node of a cluster is enough
    #[arg(value_name = "URL", required_unless_present = "acl")]
    pub(crate) url: Option<String>,
    /// The plan: written without `--yes`, acted on with it. No file is overwritten
    #[arg(long, value_name = "FILE")]
    pub(crate) plan: Option<PathBuf>,
    /// Change the keys of the plan, if they are still as planned
    #[arg(long)]
    pub(crate) yes: bool,
    /// Only keys that match this pattern, as in `KEYS`
    #[arg(long = "match", value_name = "GLOB", help_heading = "Keys")]
    pub(crate) pattern: Option<String>,
    /// The namespace in front of the keys. Only its keys are read, unless there is a pattern
    #[arg(long, value_name = "NAME", help_heading = "Keys")]
    pub(crate) namespace: Option<String>,
    /// Write the result as JSON
    #[arg(long)]
    pub(crate) json: bool,
    /// Print the command that creates a user who may run this, and exit
    #[arg(long)]
    pub(crate) acl: bool,
    /// Read the declarations from a file that `catalog --format json` has written
    #[arg(long, value_name = "FILE", help_heading = "Declarations")]
    pub(crate) catalog: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) pace: PaceArgs,
    #[command(flatten)]
    pub(crate) connection: ConnectionArgs,
    #[command(flatten)]
    pub(crate) selection: Selection,
}

impl ChangeArgs {
    /// The declarations, from a file or from the sources.
    pub(super) fn catalogue(&self) -> Result<Catalogue, Failure> {
        if self.catalog.is_some() { self.catalogue_of_file() } else { self.selection.catalogue() }
    }

    /// All declarations, so that the other keys are those that nobody declares.
    pub(super) fn whole_catalogue(&self) -> Result<Catalogue, Failure> {
        if self.catalog.is_some() { self.catalogue_of_file() } else { self.selection.whole_catalogue() }
    }

    fn catalogue_of_file(&self) -> Result<Catalogue, Failure> {
        let Some(file) = &self.catalog else { return Err(Failure::new("no file is named")) };
        let text = fs::read_to_string(file)
            .map_err(|error| Failure::new(format!("cannot read `{}`: {error}", file.display())))?;
        Catalogue::from_json(&text)
    }

    /// How the keys are read.
    pub(super) fn scan(&self) -> ScanArgs {
        ScanArgs {
            pattern: self.pattern.clone(),
            sample: None,
            replicas: false,
            touch: false,
            resume: None,
            pace: self.pace.clone(),
        }
    }
}

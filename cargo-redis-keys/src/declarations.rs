//! Where a command has the declarations from.

use std::path::{Path, PathBuf};

use clap::Args;

use crate::Failure;
use crate::catalogue::Catalogue;
use crate::output::{printable, units};
use crate::selection::Selection;

/// Where a command has the declarations from: the sources, or a file.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct Declarations {
    #[command(flatten)]
    selection: Selection,
    /// Read the declarations from a file that `catalog --format json` wrote
    #[arg(
        long,
        value_name = "FILE",
        help_heading = "Declarations",
        conflicts_with_all = [
            "manifest_path", "package", "features", "all_features", "no_default_features", "tests", "examples", "built",
        ]
    )]
    pub(crate) catalog: Option<PathBuf>,
}

impl Declarations {
    /// Reads the declarations.
    pub(crate) fn catalogue(&self) -> Result<Catalogue, Failure> {
        match &self.catalog {
            Some(file) => Catalogue::from_json(&read_text(file)?),
            None => self.selection.catalogue(),
        }
    }

    /// Reads all declarations, so that the other keys are those that nobody declares.
    pub(crate) fn whole_catalogue(&self) -> Result<Catalogue, Failure> {
        match &self.catalog {
            Some(_) => self.catalogue(),
            None => self.selection.whole_catalogue(),
        }
    }
}

/// Reads a file.
pub(crate) fn read_text(file: &Path) -> Result<String, Failure> {
    std::fs::read_to_string(file).map_err(|error| Failure::new(format!("cannot read `{}`: {error}", file.display())))
}

/// Says on stderr which places of the sources were not read.
pub(crate) fn warn_of_unread(catalogue: &Catalogue) {
    const MOST: usize = 10;
    let unread = &catalogue.unread;
    if unread.is_empty() {
        return;
    }
    let number = u64::try_from(unread.len()).unwrap_or(u64::MAX);
    let make = if number == 1 { "makes" } else { "make" };
    anstream::eprintln!(
        "{} {make} keys that the sources do not show (--built reads them)",
        units::things(number, "place")
    );
    for place in unread.iter().take(MOST) {
        let [file, why] = [&place.file, &place.why].map(|text| printable(text.as_bytes()));
        anstream::eprintln!("  {file}:{}: {why}", place.line);
    }
    if let Some(more @ 1..) = unread.len().checked_sub(MOST) {
        anstream::eprintln!("  and {more} more");
    }
}

//! Where a command has the declarations from.

use std::path::{Path, PathBuf};

use clap::Args;

use crate::Failure;
use crate::catalogue::{Catalogue, Unread};
use crate::output::{printable, units};
use crate::selection::Selection;

/// Where a command has the declarations from: the sources, or a file.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct Declarations {
    #[command(flatten)]
    selection: Selection,
    /// Read a file of `catalog --format json` instead of sources
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
    let (wrong, unread): (Vec<_>, Vec<_>) = catalogue.unread.iter().partition(|place| place.has_errors());
    if !unread.is_empty() {
        let make = if unread.len() == 1 { "makes" } else { "make" };
        let places = units::things(unread.len() as u64, "place");
        list(&format!("{places} {make} keys that the sources do not show (--built reads them)"), &unread);
    }
    if !wrong.is_empty() {
        let verb = if wrong.len() == 1 { "has" } else { "have" };
        let declarations = units::things(wrong.len() as u64, "declaration");
        list(&format!("{declarations} {verb} errors, which `cargo redis-keys check` shows"), &wrong);
    }
}

/// Places below a title.
fn list(title: &str, places: &[&Unread]) {
    const MOST: usize = 10;
    anstream::eprintln!("{title}");
    for place in places.iter().take(MOST) {
        let [file, why] = [&place.file, &place.why].map(|text| printable(text.as_bytes()));
        anstream::eprintln!("  {file}:{}: {why}", place.line);
    }
    if let Some(more @ 1..) = places.len().checked_sub(MOST) {
        anstream::eprintln!("  and {more} more");
    }
}

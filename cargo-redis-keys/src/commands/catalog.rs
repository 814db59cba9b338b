//! `catalog`: the keys that a project declares.

use std::io;

use clap::Args;

use crate::Failure;
use crate::cli::Outcome;
use crate::selection::Selection;

/// List the keys that the project declares
#[derive(Args)]
pub(crate) struct CatalogArgs {
    #[command(flatten)]
    selection: Selection,
}

pub(crate) fn run(args: &CatalogArgs, out: &mut dyn io::Write) -> Result<Outcome, Failure> {
    let catalogue = args.selection.catalogue()?;
    out.write_all(catalogue.to_json().as_bytes())?;
    Ok(Outcome::Fine)
}

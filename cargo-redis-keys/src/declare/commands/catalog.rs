//! `catalog`: the keys that a project declares.

mod check;
mod markdown;
mod page;

use std::io;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use crate::Failure;
use crate::declare::catalog::{Catalog, Key};
use crate::declare::{Declarations, warn_of_unread};
use crate::file::{Access, replace};
use crate::outcome::Outcome;
use crate::render::printable;
use crate::render::table::{terminal_width, write_table};
use crate::render::units::things;

/// List the keys that the project declares
///
/// A list that is kept with the sources, as in `--out KEYS.md`, shows in each review which keys change. `--check
/// KEYS.md` fails where the list and the sources differ, and shows which keys do.
#[derive(Args)]
pub(crate) struct CatalogArgs {
    /// Format of the list [default: by the name of the file, else table]
    #[arg(long, value_enum)]
    format: Option<Format>,
    /// Write the list to this file
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Exit with status 1 if this list (Markdown or JSON) is out of date
    #[arg(long, value_name = "FILE", conflicts_with = "out")]
    check: Option<PathBuf>,
    /// Exit with status 1 if places were not read
    #[arg(long)]
    strict: bool,
    #[command(flatten)]
    declarations: Declarations,
}

/// The form of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people
    Table,
    /// For reviews: its differences show what has changed
    Markdown,
    /// For programs, and for `--catalog`
    Json,
    /// A page that can be sorted and searched
    Html,
}

impl Format {
    /// The form of a file with this name.
    fn of(file: &Path) -> Option<Self> {
        let extension = file.extension()?.to_str()?.to_ascii_lowercase();
        match extension.as_str() {
            "md" | "markdown" => Some(Self::Markdown),
            "json" => Some(Self::Json),
            "html" | "htm" => Some(Self::Html),
            "txt" => Some(Self::Table),
            _ => None,
        }
    }
}

pub(crate) fn run(args: &CatalogArgs, out: &mut dyn io::Write) -> Result<Outcome, Failure> {
    let file = args.check.as_deref().or(args.out.as_deref());
    let format = match (args.format, file) {
        (None, Some(file)) if file.extension().is_some() => Some(Format::of(file).ok_or_else(|| {
            let message = format!("the name of `{}` does not tell its format", file.display());
            Failure::new(message).help("add `--format`, or name a file `.md`, `.json`, `.html` or `.txt`")
        })?),
        (format, _) => format,
    };
    // Programs need to know the keys that a file leaves out, `purge` above all.
    let is_for_programs = format == Some(Format::Json) && args.check.is_none();
    let declarations = &args.declarations;
    let catalog = if is_for_programs { declarations.covering_catalog()? } else { declarations.catalog()? };
    let mut outcome = Outcome::Fine;
    if let Some(file) = &args.check {
        let is_json = match format {
            Some(Format::Json) => true,
            Some(Format::Markdown) => false,
            _ => {
                let message = format!("cannot compare with `{}`", file.display());
                return Err(Failure::new(message).help("compare with a list in Markdown (`.md`) or JSON (`.json`)"));
            }
        };
        outcome = check::run(&catalog, file, is_json, out)?;
    } else if let Some(file) = &args.out {
        let list = list(&catalog, format.unwrap_or(Format::Table), None)?;
        replace(file, &list, Access::Usual)?;
    } else {
        let width = terminal_width();
        out.write_all(&list(&catalog, format.unwrap_or(Format::Table), width)?)?;
    }
    message!("read {}", things(catalog.keys.len() as u64, "declaration"));
    if catalog.keys.is_empty() {
        message!("help: keys are items with `#[derive(RedisKey)]`; `-p` and `--features` select where they are");
    }
    warn_of_unread(&catalog);
    Ok(if args.strict && !catalog.unread.is_empty() { Outcome::Findings } else { outcome })
}

/// The list. A table for a terminal has its width, and styles.
fn list(catalog: &Catalog, format: Format, width: Option<usize>) -> Result<Vec<u8>, Failure> {
    Ok(match format {
        Format::Table => {
            let mut list = Vec::new();
            write_list(catalog, width, &mut list)?;
            if width.is_some() { list } else { anstream::adapter::strip_bytes(&list).into_vec() }
        }
        Format::Markdown => markdown::list(catalog).into_bytes(),
        Format::Json => catalog.to_json().into_bytes(),
        Format::Html => page::list(catalog).into_bytes(),
    })
}

/// Writes the list, with styles.
fn write_list(catalog: &Catalog, width: Option<usize>, out: &mut dyn io::Write) -> io::Result<()> {
    // The last segment of a key is its type.
    let mut columns = vec!["KEY", "EXPIRY", "VALUE", "SIZE", "OWNER", "DECLARED"];
    let mut rows: Vec<_> = catalog.keys.iter().map(row).collect();
    if catalog.has_legacy_texts() {
        columns.insert(1, "TEXT IN USE");
        for (row, key) in rows.iter_mut().zip(&catalog.keys) {
            row.insert(1, printable(key.text_in_use().unwrap_or_default()));
        }
    }
    write_table(out, &columns, &rows, width)
}

fn row(key: &Key) -> Vec<String> {
    let expiry = match (key.role_name(), key.expiry_brief()) {
        (Some(pattern), expiry) => format!("{expiry} ({pattern})"),
        (None, expiry) => expiry,
    };
    let texts = [
        key.template.clone(),
        expiry,
        key.stored().unwrap_or_default(),
        key.size_brief(),
        key.owner.clone().unwrap_or_default(),
        format!("{} {}:{}", key.name, key.file, key.line),
    ];
    texts.map(printable).into()
}

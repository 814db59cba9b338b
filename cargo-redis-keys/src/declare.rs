//! The declarations of a project: arguments that select them, the places from which they are read, and the commands
//! that need nothing else.
//!
//! [`sources`] parses source files. [`built`] compiles the project as well, for declarations that only macros write.
//! Both make a [`Catalog`], which can also be read from a file. [`check`] compares declarations with each other,
//! [`raw`] finds commands of programs that bypass them, and [`values`] compares the shapes of stored values with a file.

pub(crate) mod bucket_end;
mod built;
mod cargo;
pub mod catalog;
pub(crate) mod check;
pub(crate) mod commands;
pub(crate) mod explain;
#[cfg(feature = "generate")]
pub(crate) mod generate;
pub(crate) mod raw;
pub(crate) mod redis_type;
pub mod rights;
pub(crate) mod sources;
pub(crate) mod values;
pub(crate) mod words;

use std::io::{self, BufRead as _, Read as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub(crate) use built::run_as_wrapper;
use catalog::{Catalog, Foreign, UnreadPlace};
use clap::Args;
use redis_keys_schema::{Policy, limits};
use redis_keys_syntax::policy;

use crate::Failure;
use crate::render::{printable, units};

/// The packages, features and targets to read.
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
    /// Read benchmarks as well
    #[arg(long)]
    pub(crate) benches: bool,
    /// Require `Cargo.lock` to be up to date
    #[arg(long)]
    pub(crate) locked: bool,
    /// Run without a network
    #[arg(long)]
    pub(crate) offline: bool,
    /// Compile the project, to find what macros declare as well
    #[arg(long)]
    pub(crate) built: bool,
    /// Read what other features and platforms declare as well.
    #[arg(skip)]
    pub(crate) any_condition: bool,
}

impl Selection {
    /// The whole workspace: all packages, with any features, on any platform and of all targets.
    pub(crate) fn whole(&self) -> Self {
        let any = Self { package: Vec::new(), tests: true, examples: true, benches: true, ..self.clone() };
        Self { any_condition: true, ..any }
    }
}

/// The source of the declarations: a project, or a file.
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
            "manifest_path", "package", "features", "all_features", "no_default_features", "tests", "examples", "benches",
            "locked", "offline", "built",
        ]
    )]
    pub(crate) catalog: Option<PathBuf>,
}

impl Declarations {
    /// Whether there is a file, or a project in the current folder or in a folder above.
    pub(crate) fn are_anywhere(&self) -> bool {
        let is_given =
            self.catalog.is_some() || self.selection.manifest_path.is_some() || !self.selection.package.is_empty();
        let here = std::env::current_dir().unwrap_or_default();
        is_given || here.ancestors().any(|folder| folder.join("Cargo.toml").is_file())
    }

    /// The sources that are read, if it is not a file.
    pub(crate) fn sources(&self) -> Option<&Selection> {
        self.catalog.is_none().then_some(&self.selection)
    }

    /// Reads the declarations.
    pub(crate) fn catalog(&self) -> Result<Catalog, Failure> {
        match &self.catalog {
            Some(file) => Catalog::from_json(&read_text(file)?),
            None => catalog_of(&self.selection),
        }
    }

    /// Reads the declarations, including the declarations of the workspace that the selection leaves out.
    pub(crate) fn covering_catalog(&self) -> Result<Catalog, Failure> {
        let catalog = self.catalog()?;
        if self.catalog.is_some() {
            return Ok(catalog);
        }
        let all = sources::read(&self.selection.whole())?.catalog();
        let read = if self.selection.built {
            // The build has read all that the sources do not show of the selection.
            sources::read(&self.selection)?.catalog().unread
        } else {
            catalog.unread.clone()
        };
        let foreign = Foreign::of(&self.of_all_packages().policies()?);
        Ok(Catalog { foreign: Some(foreign), ..catalog.covering(all, &read) })
    }

    /// Reads all declarations of the workspace: of all packages, with any features, on any platform and of all targets.
    /// Those that the selection leaves out are marked.
    pub(crate) fn whole_catalog(&self) -> Result<Catalog, Failure> {
        Ok(self.covering_catalog()?.whole())
    }

    /// The policies of the selected packages, or the policy in the current folder if the declarations are in a file.
    pub(crate) fn policies(&self) -> Result<Vec<Arc<Policy>>, Failure> {
        if self.catalog.is_none() && self.are_anywhere() {
            let packages = sources::Project::load(&self.selection)?.packages;
            let selected = packages.iter().filter(|package| package.is_selected);
            return Ok(selected.map(|package| Arc::clone(&package.policy.policy)).collect());
        }
        let found = policy::find(&std::env::current_dir().unwrap_or_default());
        Ok(found.iter().map(|file| policy::read(file).policy).collect())
    }

    /// The keys of other programs that these policies name, or a file of declarations.
    pub(crate) fn foreign(&self, catalog: &Catalog) -> Result<Foreign, Failure> {
        Ok(Foreign::of(&self.policies()?).and(catalog.foreign.as_ref()))
    }

    /// The same declarations, of all packages.
    pub(crate) fn of_all_packages(&self) -> Self {
        Self { selection: Selection { package: Vec::new(), ..self.selection.clone() }, ..self.clone() }
    }
}

/// Reads the selected declarations of a project.
pub(crate) fn catalog_of(selection: &Selection) -> Result<Catalog, Failure> {
    if selection.built { built::catalog(selection) } else { Ok(sources::read(selection)?.catalog()) }
}

/// Reads a file.
pub(crate) fn read_text(file: &Path) -> Result<String, Failure> {
    std::fs::read_to_string(file).map_err(Failure::reading(file))
}

/// The result of opening or reading a file. `None` if there is no such file.
pub(crate) fn if_exists<T>(file: &Path, result: io::Result<T>) -> Result<Option<T>, Failure> {
    match result {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        result => result.map(Some).map_err(Failure::reading(file)),
    }
}

/// Calls `action` with each line, without its end. Empty lines are skipped, and after `longest` bytes a new line begins.
pub(crate) fn for_each_line(
    mut input: impl io::BufRead,
    longest: u64,
    failed: impl Fn(io::Error) -> Failure,
    mut action: impl FnMut(&[u8]) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let mut line = Vec::new();
    while input.by_ref().take(longest).read_until(b'\n', &mut line).map_err(&failed)? > 0 {
        let text = line.strip_suffix(b"\n").unwrap_or(&line);
        let text = text.strip_suffix(b"\r").unwrap_or(text);
        if !text.is_empty() {
            action(text)?;
        }
        line.clear();
    }
    Ok(())
}

/// The failure of a command that works on declarations and has found none.
pub(crate) fn no_declarations() -> Failure {
    Failure::new("there are no declarations")
        .help("`-p` and `--features` select where they are, and `--built` also reads those that macros write")
}

/// Reports on stderr the places of the sources that were not read.
pub(crate) fn warn_of_unread(catalog: &Catalog) {
    let (wrong, unread): (Vec<_>, Vec<_>) = catalog.unread.iter().partition(|place| place.has_errors());
    for (places, noun, [one, several], what) in [
        (unread, "place", ["makes", "make"], "keys that the sources do not show (--built reads them)"),
        (wrong, "declaration", ["has", "have"], "errors, which `cargo redis-keys check` shows"),
    ] {
        if !places.is_empty() {
            let (number, verb) = (places.len() as u64, if places.len() == 1 { one } else { several });
            message!("{} {verb} {what}\n{}", units::things(number, noun), place_lines(&places, 10));
        }
    }
}

/// The first places, one in each line, and the number of the others.
pub(crate) fn place_lines(places: &[&UnreadPlace], most: usize) -> String {
    let shown = places.iter().take(most).map(|place| {
        let [file, why] = [&place.file, &place.why].map(printable);
        format!("  {file}:{}: {why}", place.line)
    });
    let more = places.len().checked_sub(most).filter(|more| *more > 0).map(|more| format!("  and {more} more"));
    shown.chain(more).collect::<Vec<_>>().join("\n")
}

/// The most bytes of a namespace: half a key.
const MAX_NAMESPACE_BYTES: usize = limits::MAX_KEY_BYTES / 2;

/// Reads a namespace. The text is the same that programs pass to `redis_keys::key::namespace::set`.
pub(crate) fn namespace(text: &str) -> Result<String, String> {
    let is_word = |word: &str| !word.is_empty() && word.bytes().all(limits::is_word_byte);
    let starts_with_letter = text.starts_with(|first: char| first.is_ascii_lowercase());
    if text.len() <= MAX_NAMESPACE_BYTES && starts_with_letter && text.split('.').all(is_word) {
        return Ok(text.to_owned());
    }
    let message = match text.trim_end_matches(':') {
        without if without.len() < text.len() && namespace(without).is_ok() => {
            format!("a namespace does not contain the `:` behind it: write `{without}`")
        }
        _ => format!(
            "a namespace has words of `a` to `z` and `0` to `9`, joined by `.`, starts with a letter, and has at most \
             {MAX_NAMESPACE_BYTES} bytes, for example `shop.staging`"
        ),
    };
    Err(message)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_programs_cannot_set_is_refused() {
        let long = "x".repeat(64);
        for text in ["shop", "shop.staging", "s3.eu", &long] {
            assert_eq!(namespace(text).as_deref(), Ok(text));
            // It is valid, or it is only too late to set another.
            let set = redis_keys::key::namespace::set(text).map_err(|error| error.to_string());
            assert!(set.as_ref().err().is_none_or(|error| error.contains("already")), "{set:?}");
        }
        let long = "x".repeat(65);
        for text in ["", "shop:", ":", "Shop", "3shop", "shop_a", "shop..a", ".shop", "shop.", "shop a", "shöp", &long]
        {
            assert!(namespace(text).is_err() && redis_keys::key::namespace::set(text).is_err(), "{text}");
        }
        let message = namespace("shop:").err().unwrap_or_default();
        assert_eq!(message, "a namespace does not contain the `:` behind it: write `shop`");
    }
}

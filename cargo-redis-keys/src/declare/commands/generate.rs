//! `generate`: keys for other languages, and vectors to test them with.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::PathBuf;

use clap::{Args, ValueEnum};

use crate::Failure;
use crate::declare::catalog::{Catalog, Key};
use crate::declare::generate::builder::{LeftOut, builders};
use crate::declare::generate::{SHARED_CHECKS, python, typescript, vectors};
use crate::declare::{Declarations, no_declarations, read_text, warn_of_unread};
use crate::file::{Access, replace};
use crate::outcome::Outcome;
use crate::render::printable;
use crate::render::units::things;

/// Generate keys for other languages, or vectors to test them with
///
/// Vectors are arguments with the text of their key, or the reason why there is none. Tests of builders in any language
/// can read them, also of builders that people have written.
#[derive(Args)]
pub(crate) struct GenerateArgs {
    /// What to generate
    #[arg(value_enum)]
    form: Form,
    /// Write it to this file
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Write nothing, and exit with status 1 if the file is out of date
    #[arg(long)]
    check: bool,
    /// Only the keys of these modules, separated by commas: the first segments of keys
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    module: Vec<String>,
    /// Exit with status 1 if keys are left out, or places were not read
    #[arg(long)]
    strict: bool,
    #[command(flatten)]
    declarations: Declarations,
}

/// The form of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Form {
    /// Arguments and texts as JSON, a vector in each line
    Vectors,
    /// TypeScript, which node runs as it is
    Typescript,
    /// Python 3.10 and later
    Python,
}

impl Form {
    /// The texts around the name of a key in the line where its part of the file starts.
    fn around_name(self) -> (&'static str, &'static str) {
        match self {
            Self::Vectors => ("{\"name\":\"", "\""),
            Self::Typescript => ("export type ", "Key = "),
            Self::Python => ("class ", ":"),
        }
    }
}

pub(crate) fn run(args: &GenerateArgs, out: &mut dyn io::Write) -> Result<Outcome, Failure> {
    let catalog = selected(args.declarations.catalog()?, &args.module)?;
    let (builders, left_out) = builders(&catalog)?;
    let text = match args.form {
        Form::Vectors => vectors::file(&builders, &left_out),
        Form::Typescript => typescript::file(&catalog, &builders, &left_out)?,
        Form::Python => python::file(&catalog, &builders, &left_out)?,
    };
    let is_current = if args.check {
        compare(args, &text, out)?
    } else {
        replace(&args.out, text.as_bytes(), Access::Usual)?;
        message!("wrote {}", things(builders.len() as u64, "key"));
        true
    };
    warn_of_left_out(&left_out);
    warn_of_unread(&catalog);
    let is_complete = left_out.is_empty() && catalog.unread.is_empty();
    Ok(if is_current && (is_complete || !args.strict) { Outcome::Fine } else { Outcome::Findings })
}

/// The keys of these modules, or all of them.
fn selected(mut catalog: Catalog, modules: &[String]) -> Result<Catalog, Failure> {
    if catalog.keys.is_empty() {
        return Err(no_declarations());
    }
    let known: BTreeSet<&str> = catalog.keys.iter().map(Key::business_module).collect();
    if let Some(unknown) = modules.iter().find(|module| !known.contains(module.as_str())) {
        let known: Vec<_> = known.into_iter().collect();
        let failure = Failure::new(format!("no key is of the module `{}`", printable(unknown)));
        return Err(failure.help(format!("the modules are {}", printable(known.join(", ")))));
    }
    catalog.keys.retain(|key| modules.is_empty() || modules.iter().any(|module| module == key.business_module()));
    Ok(catalog)
}

/// Compares a file with this text, and writes which keys differ. The file may have the line ends of Windows.
fn compare(args: &GenerateArgs, text: &str, out: &mut dyn io::Write) -> Result<bool, Failure> {
    let update = "write it with the same command without `--check`";
    let given = read_text(&args.out).map_err(|failure| failure.help(update))?.replace("\r\n", "\n");
    if given == text {
        return Ok(true);
    }
    let around_name = args.form.around_name();
    let (given, current) = (sections(&given, around_name), sections(text, around_name));
    for (name, section) in &current {
        match given.get(name) {
            Some(other) if other == section => {}
            Some(_) => writeln!(out, "~ {name}")?,
            None => writeln!(out, "+ {name}")?,
        }
    }
    for name in given.keys().filter(|name| !current.contains_key(*name)) {
        // The file can have anything in it.
        writeln!(out, "- {}", printable(name))?;
    }
    message!("`{}` is out of date\nhelp: {update}", args.out.display());
    Ok(false)
}

/// The lines of each key in a file, by its name. Behind the keys, comments name the lines.
fn sections<'t>(text: &'t str, (before, after): (&str, &str)) -> BTreeMap<&'t str, Vec<&'t str>> {
    let key = |line: &'t str| line.strip_prefix(before)?.split_once(after).map(|(name, _)| name);
    let comment = |line: &'t str| line.strip_prefix("// ").or_else(|| line.strip_prefix("# "));
    let mut sections: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    let mut current = None;
    // A decorator stands before the line with the name.
    for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('@')) {
        if current != Some(SHARED_CHECKS) {
            current = key(line).or_else(|| current.and(comment(line))).or(current);
        }
        if let Some(name) = current {
            sections.entry(name).or_default().push(line);
        }
    }
    sections
}

fn warn_of_left_out(left_out: &[LeftOut<'_>]) {
    if left_out.is_empty() {
        return;
    }
    message!("left out {}", things(left_out.len() as u64, "key"));
    for LeftOut { key, why } in left_out {
        message!("  {}: {}", printable(key.path()), printable(why));
    }
}

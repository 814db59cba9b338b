//! The declarations of this compilation, each with a number. Only text is kept: tokens do not outlive their derive.

use std::collections::HashMap;
use std::env;
use std::ffi::OsString;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;
use std::sync::{LazyLock, Mutex, PoisonError};

use redis_keys_schema::joined;
use redis_keys_schema::legacy::{Glob, Legacy};
use redis_keys_schema::overlap::{Index, IndexEntry, Pattern};
use redis_keys_syntax::Input;

#[derive(Default)]
struct CrateDeclarations {
    index: Index,
    /// The legacy texts: the option with its text, the name of the struct, and the keys.
    legacy: Vec<(String, String, Glob)>,
    /// The number of declarations with the same name and template, in different modules.
    copies: HashMap<String, u32>,
}

static CRATES: LazyLock<Mutex<HashMap<u64, CrateDeclarations>>> = LazyLock::new(Mutex::default);

/// The maximum number of overlapping texts that an error names.
const MOST_NAMED: usize = 3;

/// A declaration that was added.
pub(super) struct Registration {
    pub(super) number: u64,
    /// The earlier declarations that may overlap with it.
    pub(super) earlier: Vec<IndexEntry>,
    /// The names of the texts that overlap with its legacy text and of the earlier legacy texts that overlap with its
    /// template, and the first text's keys.
    pub(super) legacy: Option<(String, Glob)>,
}

/// Adds a declaration.
pub(super) fn add(input: &Input<'_>, pattern: &Pattern, legacy: Option<&Legacy>) -> Registration {
    let krate = crate_identity();
    // The position is left out, so that the number stays when lines above change.
    let declared = format!("{} {} {}", input.item.ident, pattern.group, pattern.text);
    // An editor expands a declaration again after each change: it would overlap with itself.
    if !*IS_COMPILER || *IS_DOCTEST_BUNDLE {
        return Registration { number: number(krate, &declared, 0), earlier: Vec::new(), legacy: None };
    }
    let mut crates = CRATES.lock().unwrap_or_else(PoisonError::into_inner);
    let declarations = crates.entry(krate).or_default();
    let copies = declarations.copies.entry(declared.clone()).or_default();
    *copies += 1;
    let number = number(krate, &declared, *copies);
    let is_in_use = legacy.is_none_or(|legacy| !legacy.in_use);
    let overlaps = declarations.legacy_overlaps(pattern, legacy, is_in_use);
    let earlier = declarations.index.add(IndexEntry { number, pattern: pattern.clone(), is_in_use });
    if let Some(legacy) = legacy {
        let text = format!("{} = \"{}\"", legacy.option(), legacy.text);
        declarations.legacy.push((text, input.item.ident.to_string(), legacy.glob()));
    }
    Registration { number, earlier, legacy: overlaps }
}

impl CrateDeclarations {
    /// The texts that overlap with a legacy text, and the legacy texts that overlap with a template in use. The
    /// comparison needs no types, so a plain error can report it.
    fn legacy_overlaps(&self, pattern: &Pattern, legacy: Option<&Legacy>, is_in_use: bool) -> Option<(String, Glob)> {
        if self.legacy.is_empty() && legacy.is_none() {
            return None;
        }
        let own = pattern.glob();
        let keys = legacy.map(Legacy::glob);
        let overlaps =
            |glob: &Glob| keys.as_ref().is_some_and(|keys| keys.overlaps(glob)) || is_in_use && own.overlaps(glob);
        let texts = self.legacy.iter().filter(|(_, _, glob)| overlaps(glob));
        let texts = texts.map(|(text, name, glob)| (format!("`{text}` of `{name}`"), glob.clone()));
        let templates = self.index.in_use().map(|declared| &declared.pattern);
        let templates = templates.filter_map(|pattern| {
            let glob = keys.as_ref().map(|_| pattern.glob())?;
            let overlaps = keys.as_ref().is_some_and(|keys| keys.overlaps(&glob));
            overlaps.then(|| (format!("the template `{}`", pattern.whole()), glob))
        });
        let mut overlaps: Vec<_> = texts.chain(templates).collect();
        overlaps.sort_by(|(one, _), (other, _)| one.cmp(other));
        let mut shown: Vec<_> = overlaps.iter().take(MOST_NAMED).map(|(name, _)| name.clone()).collect();
        match overlaps.len() - shown.len() {
            0 => {}
            1 => shown.push("one more".to_owned()),
            more => shown.push(format!("{more} more")),
        }
        let (_, first) = overlaps.into_iter().next()?;
        Some((joined(&shown, "and"), first))
    }
}

/// A number other than 0, because no declaration has the number 0.
fn number(krate: u64, declared: &str, copy: u32) -> u64 {
    hash((krate, declared, copy)).max(1)
}

/// One compiler process reads all keys of a crate, so the hash need not be stable between versions of Rust.
fn hash(value: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

/// Distinguishes a crate from its dependencies, wherever it is built.
///
/// Cargo passes the names of the package and of the target. A library and its unit tests have the same names, and a
/// test can depend on its own library through another crate, so some arguments of rustc count as well: cargo gives each
/// of the two another `metadata`.
fn crate_identity() -> u64 {
    const NAMES: [&str; 4] = ["CARGO_PKG_NAME", "CARGO_PKG_VERSION", "CARGO_CRATE_NAME", "CARGO_BIN_NAME"];
    static ARGUMENTS: LazyLock<u64> = LazyLock::new(|| hash(identifying_arguments()));
    hash((NAMES.map(env::var_os), *ARGUMENTS))
}

fn identifying_arguments() -> Vec<String> {
    let mut identifying = Vec::new();
    let mut is_name = false;
    for argument in env::args_os().filter_map(|argument| argument.into_string().ok()) {
        let metadata = argument.trim_start_matches("--codegen=").trim_start_matches("-C").starts_with("metadata=");
        let name_follows = argument == "--crate-name";
        if is_name || metadata || argument == "--test" || argument.starts_with("--crate-name=") {
            identifying.push(argument);
        }
        is_name = name_follows;
    }
    identifying
}

/// Whether rustdoc has bundled all examples of a library in one crate. They often declare the same key, and if the
/// bundle does not compile, each example is built alone, which takes much longer.
static IS_DOCTEST_BUNDLE: LazyLock<bool> = LazyLock::new(|| {
    let name = |argument: &OsString| Path::new(argument).file_name()?.to_str().map(str::to_owned);
    env::args_os().skip(1).any(|argument| name(&argument).is_some_and(|name| name.starts_with("doctest_bundle")))
});

/// Whether the process is a compiler: its arguments name a crate, a source file, or a file of arguments.
static IS_COMPILER: LazyLock<bool> = LazyLock::new(|| {
    let names_source = |argument: OsString| {
        let file = Path::new(&argument).extension().is_some_and(|extension| extension == "rs");
        let text = argument.to_string_lossy();
        file || text == "-" || text.starts_with('@') || text.starts_with("--crate-name")
    };
    env::args_os().skip(1).any(names_source)
});

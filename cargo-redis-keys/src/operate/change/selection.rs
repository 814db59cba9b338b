//! The keys that a choice means, by a project's declarations.

use std::collections::{BTreeMap, HashSet};

use super::plan::Choice;
use crate::Failure;
use crate::declare::catalog::{Catalog, Key, Matcher};
use crate::declare::{Declarations, place_lines};
use crate::operate::server::foreign::ForeignKeys;
use crate::operate::server::schemas::Schemas;
use crate::render::printable;

/// The most places that could not be read and are shown.
const PLACES: usize = 5;

/// The keys to change. A declaration is named by its index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Selection {
    /// The keys that these declarations can produce, whatever they contain.
    PurgeDeclared(HashSet<usize>),
    /// The keys that no declaration can produce.
    PurgeUndeclared,
    /// The declared keys without an expiry that should have one: of these declarations, or of all.
    Expire(Option<HashSet<usize>>),
    /// The keys under the name that is not in use: of these declarations, or of all.
    Move(Option<HashSet<usize>>),
}

impl Selection {
    /// Reads the declarations, and finds the declarations that a choice means.
    pub(super) fn read(
        choice: &Choice,
        declarations: &Declarations,
        namespace: Option<&str>,
        legacy_prefix: Option<&str>,
    ) -> Result<(Self, Schemas), Failure> {
        let catalog = match choice {
            Choice::Unknown => declarations.of_all_packages().whole_catalog()?,
            _ => declarations.whole_catalog()?,
        };
        let foreign = ForeignKeys::of(&declarations.of_all_packages().foreign(&catalog)?);
        let named = |name: &Option<String>| name.as_deref().map(|name| declarations_named(&catalog, name)).transpose();
        let selection = match choice {
            Choice::Schema(name) => Self::PurgeDeclared(declarations_named(&catalog, name)?),
            Choice::WithoutExpiry(name) => Self::Expire(named(name)?),
            Choice::OtherName(name) => Self::Move(named(name)?),
            Choice::Unknown | Choice::Keys(_) => {
                must_be_complete(&catalog)?;
                Self::PurgeUndeclared
            }
        };
        let schemas = Schemas::new(catalog, namespace).with_legacy_prefix(legacy_prefix).with_foreign(foreign);
        Ok((selection, schemas))
    }

    /// Whether keys of this declaration are meant.
    pub(super) fn includes(&self, declaration: Option<usize>) -> bool {
        let is_one_of = |chosen: &HashSet<usize>| declaration.is_some_and(|index| chosen.contains(&index));
        match self {
            Self::PurgeDeclared(chosen) => is_one_of(chosen),
            Self::PurgeUndeclared => declaration.is_none(),
            Self::Expire(chosen) | Self::Move(chosen) => chosen.as_ref().is_none_or(is_one_of),
        }
    }

    /// Whether keys are removed.
    pub(super) fn is_purge(&self) -> bool {
        matches!(self, Self::PurgeDeclared(_) | Self::PurgeUndeclared)
    }

    /// Whether expiries count from the end of a calendar bucket, by the clock of the server.
    pub(super) fn needs_time(&self, catalog: &Catalog) -> bool {
        let mut keys = catalog.keys.iter().enumerate();
        !self.is_purge() && keys.any(|(index, key)| key.ttl_from_end_of.is_some() && self.includes(Some(index)))
    }
}

/// Finds the declarations with this name. They have the same full name, or the same template.
fn declarations_named(catalog: &Catalog, name: &str) -> Result<HashSet<usize>, Failure> {
    let all = || catalog.keys.iter().enumerate();
    let is_named = |key: &Key| {
        let full = key.full_name();
        full == name || full.strip_suffix(name).is_some_and(|start| start.ends_with("::"))
    };
    let chosen = all().filter(|(_, key)| !key.is_left_out && is_named(key));
    let mut names: Vec<String> = chosen.map(|(_, key)| key.full_name()).collect();
    names.sort();
    names.dedup();
    let quoted = |name: &str| format!("`{}`", printable(name));
    let chosen = match names.as_slice() {
        [] => {
            let failure = Failure::new(format!("no declaration is named {}", quoted(name)));
            return Err(failure.help("`cargo redis-keys catalog` lists all declarations"));
        }
        [one] => one,
        // A name can be the end of another name.
        several => several.iter().find(|full| *full == name).ok_or_else(|| {
            let names: Vec<_> = several.iter().map(|name| quoted(name)).collect();
            Failure::new(format!("{} declarations are named {}", several.len(), quoted(name)))
                .help(format!("choose one: {}", names.join(", ")))
        })?,
    };
    let templates: HashSet<&str> =
        all().filter(|(_, key)| key.full_name() == *chosen).map(|(_, key)| key.template.as_str()).collect();
    // Of declarations with the same template, the first counts as a key's declaration.
    Ok(all().filter(|(_, key)| templates.contains(key.template.as_str())).map(|(index, _)| index).collect())
}

/// Refuses a catalog in which declarations may be missing: their keys would be unknown.
fn must_be_complete(catalog: &Catalog) -> Result<(), Failure> {
    let missing = match catalog {
        Catalog { left_out: None, .. } => Some("what it leaves out, such as keys of other packages and features"),
        Catalog { foreign: None, .. } => Some("the keys of other programs"),
        _ => None,
    };
    if let Some(missing) = missing {
        let failure = Failure::new(format!("the catalogue does not list {missing}, which would be taken for unknown"));
        return Err(
            failure.help("write it again with `cargo redis-keys catalog --format json --out FILE`, from the sources")
        );
    }
    if catalog.keys.is_empty() {
        return Err(Failure::new("the catalogue has no keys, so every key would be unknown"));
    }
    if let Some(key) = Matcher::new(catalog, None).left_out.first().and_then(|index| catalog.keys.get(*index)) {
        let [name, template] = [&key.full_name(), &key.template].map(printable);
        let legacy = key.legacy.as_ref().or(key.formerly.as_ref());
        let legacy = legacy.map(|text| format!(" or the legacy text `{}`", printable(text)));
        let legacy = legacy.unwrap_or_default();
        return Err(Failure::new(format!("the template `{template}`{legacy} of `{name}` cannot be read")));
    }
    if catalog.unread.is_empty() {
        return Ok(());
    }
    let count = catalog.unread.len();
    let s = if count == 1 { "" } else { "s" };
    Err(Failure::new(format!(
        "{count} place{s} may declare keys that are not in the catalogue, and would be taken for unknown:\n{}",
        place_lines(&catalog.unread.iter().collect::<Vec<_>>(), PLACES)
    ))
    .help("`--built` reads what macros declare"))
}

/// A key that was used within these seconds stays. A use right after it cannot be told apart, because idle times are
/// whole seconds of a clock that can be a second late.
const RECENT_SECONDS: u64 = 4;

/// The numbers of keys that are asked for, and are not changed.
pub(super) type Exclusions = BTreeMap<Exclusion, u64>;

/// The reason for which a key that is asked for is not changed. Summaries have this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Exclusion {
    /// The declaration says `ttl = never`.
    Never,
    /// The type differs from the declared type.
    OtherType,
    /// No declaration says how long it lives.
    Undeclared,
    /// The end of the calendar bucket cannot be read.
    Bucket,
    /// The legacy text of the declaration consists of fields alone.
    NoFixedText,
    /// The key has a legacy text, and the policy leaves it to another program.
    Foreign,
    /// With another namespace, or without one, the key is declared.
    OtherNamespace,
    /// Behind another prefix, or without one, the key has a legacy text.
    OtherPrefix,
    /// A cache, a lock or a queue of jobs has other ways.
    Role,
    /// The new name is in another slot.
    OtherSlot,
    /// It was used within the last seconds.
    RecentUse,
    /// The server does not say when it was used.
    UnknownUse,
}

impl Exclusion {
    /// The exclusion of a key whose last use is unknown or too recent, so that a later use might not be noticed.
    pub(super) fn of_last_use(idle: Option<u64>) -> Option<Self> {
        match idle {
            None => Some(Self::UnknownUse),
            Some(..RECENT_SECONDS) => Some(Self::RecentUse),
            Some(_) => None,
        }
    }

    /// The reason, as it follows a number of keys.
    pub(super) fn reason(self) -> &'static str {
        match self {
            Self::Never => "declared with `ttl = never`",
            Self::OtherType => "of another type than declared",
            Self::Undeclared => "without a declaration",
            Self::Bucket => "whose calendar bucket cannot be read",
            Self::NoFixedText => {
                "that other programs may have written, since the legacy text has no fixed text: see `--match`"
            }
            Self::Foreign => "with a legacy text, which `[foreign]` of the policy leaves to another program",
            Self::OtherNamespace => "declared with another namespace: see `--namespace`",
            Self::OtherPrefix => "with a legacy text behind another prefix: see `--legacy-prefix`",
            Self::Role => "of caches, locks and queues of jobs, which are not moved",
            Self::OtherSlot => "whose names are in different slots of the cluster",
            Self::RecentUse => "used within the last seconds: see `--without-last-use`",
            Self::UnknownUse => "whose last use is unknown: see `--without-last-use`",
        }
    }
}

//! Selects the keys to change.

use std::collections::HashSet;
use std::hash::{BuildHasher as _, RandomState};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

use super::plan::{KeyBytes, PlanWriter, PlannedKey};
use crate::Failure;
use crate::audit::tally::Tally;
use crate::declarations::catalog::{Catalog, Key, Matcher};
use crate::declarations::place_lines;
use crate::render::printable;
use crate::server::facts::Facts;
use crate::server::scan::{Expiry, FirstLook, Probes, SecondLook, Visitor};
use crate::server::schemas::Schemas;

/// The most places that could not be read and are shown.
const PLACES: usize = 5;

/// The keys to change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Wanted {
    /// The keys that these declarations can produce, whatever they contain.
    PurgeDeclared(HashSet<usize>),
    /// The keys that no declaration can produce.
    PurgeUnknown,
    /// The declared keys without an expiry that should have one: of these declarations, or of all.
    Expire(Option<HashSet<usize>>),
}

/// The full name of a declaration, such as `shop::keys::BasicInfo`.
pub(super) fn full_name(key: &Key) -> String {
    let module = key.module.as_deref().filter(|module| !module.is_empty());
    let parts = [Some(key.package.as_str()), module, Some(&key.name)];
    parts.into_iter().flatten().collect::<Vec<_>>().join("::")
}

/// Finds the declarations with this name. They have the same full name, or the same template.
pub(super) fn declarations(catalog: &Catalog, name: &str) -> Result<HashSet<usize>, Failure> {
    let all = || catalog.keys.iter().enumerate();
    let is_named = |key: &Key| {
        let full = full_name(key);
        full == name || full.strip_suffix(name).is_some_and(|start| start.ends_with("::"))
    };
    let mut names: Vec<String> = all().filter(|(_, key)| is_named(key)).map(|(_, key)| full_name(key)).collect();
    names.sort();
    names.dedup();
    let chosen = match names.as_slice() {
        [] => {
            let failure = Failure::new(format!("no declaration is named `{}`", printable(name.as_bytes())));
            return Err(failure.help("`cargo redis-keys catalog` lists all declarations"));
        }
        [one] => one,
        // A name can be the end of another one.
        several => several.iter().find(|full| *full == name).ok_or_else(|| {
            let quoted = |name: &str| format!("`{}`", printable(name.as_bytes()));
            let names: Vec<_> = several.iter().map(|name| quoted(name)).collect();
            Failure::new(format!("{} declarations are named {}", several.len(), quoted(name)))
                .help(format!("choose one: {}", names.join(", ")))
        })?,
    };
    let templates: HashSet<&str> =
        all().filter(|(_, key)| full_name(key) == *chosen).map(|(_, key)| key.template.as_str()).collect();
    // Of declarations with the same template, the first one counts as that of a key.
    Ok(all().filter(|(_, key)| templates.contains(key.template.as_str())).map(|(index, _)| index).collect())
}

/// Refuses a catalog in which declarations may be missing: their keys would be unknown.
pub(super) fn must_be_complete(catalog: &Catalog) -> Result<(), Failure> {
    if catalog.keys.is_empty() {
        return Err(Failure::new("the catalogue has no keys, so every key would be unknown"));
    }
    if let Some(key) = Matcher::new(catalog, None).left_out().first().and_then(|index| catalog.keys.get(*index)) {
        let (name, template) = (full_name(key), printable(key.template.as_bytes()));
        let name = printable(name.as_bytes());
        return Err(Failure::new(format!("the template `{template}` of `{name}` cannot be read")));
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

/// Collects the keys to change.
pub(super) struct Selector {
    wanted: Wanted,
    schemas: Arc<Schemas>,
    /// The declarations that are not chosen, or for unknown keys all of them, without a namespace.
    others: Matcher,
    hasher: RandomState,
    selected: Mutex<Selected>,
}

/// The selected keys.
#[derive(Default)]
pub(super) struct Selected {
    /// The hashes of the keys: a key can be seen twice. If two have the same, one of them is not selected.
    seen: HashSet<u64>,
    pub(super) tally: Tally,
    pub(super) left_out: LeftOut,
    pub(super) without_last_use: u64,
    pub(super) without_memory: u64,
    /// The number of keys that can be those of a declaration that is not chosen.
    pub(super) ambiguous: u64,
    pub(super) plan: Option<PlanWriter>,
}

/// The numbers of keys that are asked for, and are not changed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct LeftOut {
    /// The declaration says `ttl = never`.
    pub(super) never: u64,
    /// The type is not the declared one.
    pub(super) other_type: u64,
    /// No declaration says how long they live.
    pub(super) unknown: u64,
    /// The end of the calendar bucket cannot be read.
    pub(super) bucket: u64,
    /// With another namespace, or without one, the key is declared.
    pub(super) namespace: u64,
}

impl Selector {
    pub(super) fn new(wanted: Wanted, schemas: Arc<Schemas>, plan: Option<PlanWriter>) -> Self {
        let selected = Selected { tally: Tally::new(&Facts::default()), plan, ..Selected::default() };
        let others = others(&wanted, &schemas);
        Self { wanted, schemas, others, hasher: RandomState::new(), selected: Mutex::new(selected) }
    }

    /// The selected keys, which are taken out of the selector.
    pub(super) fn finish(&self) -> Selected {
        std::mem::take(&mut *self.selected.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// The counter of a key that is asked for, and is not changed.
    fn leaves_out(&self, look: &FirstLook<'_>) -> Option<fn(&mut LeftOut) -> &mut u64> {
        if self.wanted == Wanted::PurgeUnknown {
            return self.is_declared_elsewhere(look.key).then_some(|left: &mut LeftOut| &mut left.namespace);
        }
        let Wanted::Expire(chosen) = &self.wanted else { return None };
        if look.expiry != Expiry::Never {
            return None;
        }
        let Some(index) = look.declaration else {
            return chosen.is_none().then_some(|left: &mut LeftOut| &mut left.unknown);
        };
        if chosen.as_ref().is_some_and(|chosen| !chosen.contains(&index)) {
            return None;
        }
        let limits = self.schemas.declared(index)?;
        if self.schemas.catalog.keys.get(index)?.ttl_ms().is_none() {
            return Some(|left| &mut left.never);
        }
        if limits.redis_type != look.redis_type {
            return Some(|left| &mut left.other_type);
        }
        self.expiry(look.key, index).is_none().then_some(|left| &mut left.bucket)
    }

    /// Whether to ask for the last use of keys.
    fn needs_last_use(&self) -> bool {
        !matches!(self.wanted, Wanted::Expire(_))
    }

    /// Whether a key is declared without what precedes one of its colons, which may be a namespace.
    fn is_declared_elsewhere(&self, key: &[u8]) -> bool {
        let colons = key.iter().enumerate().filter(|(_, byte)| **byte == b':').map(|(place, _)| place + 1);
        let mut starts = std::iter::once(0).chain(colons);
        starts.any(|start| key.get(start..).is_some_and(|rest| self.others.find(rest).is_some()))
    }

    /// The expiry that a key gets, and the jitter that is added to it.
    fn expiry(&self, key: &[u8], index: usize) -> Option<(u64, u64)> {
        let declared = self.schemas.catalog.keys.get(index)?;
        let jitter = fastrand::u64(0..=declared.jitter_ms());
        let ttl = declared.ttl_ms()?;
        if declared.ttl_from_end_of.is_none() {
            return Some((ttl, jitter));
        }
        let end = self.schemas.declared(index)?.bucket?.end(self.schemas.without_namespace(key))?;
        let until_end = end.duration_since(SystemTime::now()).unwrap_or_default();
        Some((ttl.saturating_add(u64::try_from(until_end.as_millis()).ok()?), jitter))
    }
}

/// The declarations that are not chosen, or for unknown keys all of them, without a namespace.
fn others(wanted: &Wanted, schemas: &Schemas) -> Matcher {
    let all = &schemas.catalog;
    let Wanted::PurgeDeclared(chosen) = wanted else { return Matcher::new(all, None) };
    let keys = all.keys.iter().enumerate().filter(|(index, _)| !chosen.contains(index)).map(|(_, key)| key.clone());
    Matcher::new(&Catalog::new(keys.collect(), Vec::new()), schemas.namespace.as_deref())
}

impl Visitor for Selector {
    /// The keys of all nodes are collected together.
    type Counts = ();

    fn schemas(&self) -> &Schemas {
        &self.schemas
    }

    fn probes(&self, _: &Facts) -> Probes {
        let last_use = self.needs_last_use();
        Probes { memory: true, length: false, encoding: false, frequency: false, members: false, last_use }
    }

    fn counts(&self, _: &Facts) {}

    fn first_look(&self, (): &mut (), look: &FirstLook<'_>) -> bool {
        match (&self.wanted, look.declaration) {
            (Wanted::PurgeDeclared(chosen), Some(index)) => chosen.contains(&index),
            (Wanted::PurgeUnknown, None) => true,
            (Wanted::PurgeDeclared(_) | Wanted::PurgeUnknown, _) => false,
            (Wanted::Expire(chosen), _) => {
                let is_chosen = match (chosen, look.declaration) {
                    (None, _) => true,
                    (Some(chosen), Some(index)) => chosen.contains(&index),
                    (Some(_), None) => false,
                };
                look.expiry == Expiry::Never && is_chosen
            }
        }
    }

    fn second_look(&self, (): &mut (), node: &str, look: &FirstLook<'_>, second: &SecondLook) -> Result<(), Failure> {
        if second.is_gone {
            return Ok(());
        }
        let mut selected = self.selected.lock().unwrap_or_else(PoisonError::into_inner);
        if !selected.seen.insert(self.hasher.hash_one(look.key)) {
            return Ok(());
        }
        if let Some(counter) = self.leaves_out(look) {
            *counter(&mut selected.left_out) += 1;
            return Ok(());
        }
        let expiry = match (&self.wanted, look.declaration) {
            (Wanted::Expire(_), Some(index)) => self.expiry(look.key, index),
            _ => None,
        };
        selected.tally.first_look(&self.schemas, look);
        let is_ambiguous = matches!(self.wanted, Wanted::PurgeDeclared(_)) && self.others.find(look.key).is_some();
        selected.ambiguous += u64::from(is_ambiguous);
        selected.without_memory += u64::from(look.memory.is_none());
        selected.without_last_use += u64::from(self.needs_last_use() && second.last_use.is_none());
        let Some(plan) = &mut selected.plan else { return Ok(()) };
        plan.add(&PlannedKey {
            node: node.to_owned(),
            key: KeyBytes(look.key.to_vec()),
            redis_type: look.redis_type.name().to_owned(),
            bytes: look.memory,
            ttl_ms: match look.expiry {
                Expiry::Never => None,
                Expiry::In(ttl) => Some(ttl),
            },
            last_use: second.last_use,
            declaration: look.declaration.and_then(|index| self.schemas.catalog.keys.get(index)).map(full_name),
            set_ttl_ms: expiry.map(|(ttl, _)| ttl),
            set_jitter_ms: expiry.map(|(_, jitter)| jitter),
        })
    }
}

//! Selects the keys to change.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::hash::{BuildHasher as _, RandomState};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use super::choice::KeyBytes;
use super::plan::{PlanWriter, PlannedKey};
use crate::Failure;
use crate::audit::tally::Tally;
use crate::declarations::catalog::{Catalog, Key, Matcher, TextKind};
use crate::declarations::place_lines;
use crate::render::printable;
use crate::server::facts::Facts;
use crate::server::redis_type::RedisType;
use crate::server::scan::{Expiry, FirstLook, Probes, SecondLook, Visitor};
use crate::server::schemas::Schemas;
use crate::server::topology::slot_of;

/// The most places that could not be read and are shown.
const PLACES: usize = 5;

/// A key that was used within these seconds stays: a use right after it cannot be told from that one, since idle times
/// are whole seconds of a clock that can be a second late.
const RECENT_SECONDS: u64 = 4;

/// The difference that the clocks of this machine and of the server may have.
const CLOCK: Duration = Duration::from_secs(60);

/// The keys to change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Wanted {
    /// The keys that these declarations can produce, whatever they contain.
    PurgeDeclared(HashSet<usize>),
    /// The keys that no declaration can produce.
    PurgeUnknown,
    /// The declared keys without an expiry that should have one: of these declarations, or of all.
    Expire(Option<HashSet<usize>>),
    /// The keys under the name that is not in use: of these declarations, or of all.
    Move(Option<HashSet<usize>>),
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
    let chosen = all().filter(|(_, key)| !key.is_left_out && is_named(key));
    let mut names: Vec<String> = chosen.map(|(_, key)| full_name(key)).collect();
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
    if catalog.left_out.is_none() {
        let message = "the catalogue does not list what it leaves out, such as keys of other packages and features, which \
                       would be taken for unknown";
        return Err(Failure::new(message)
            .help("write it again with `cargo redis-keys catalog --format json --out FILE`, from the sources"));
    }
    if catalog.keys.is_empty() {
        return Err(Failure::new("the catalogue has no keys, so every key would be unknown"));
    }
    if let Some(key) = Matcher::new(catalog, None).left_out().first().and_then(|index| catalog.keys.get(*index)) {
        let name = full_name(key);
        let [name, template] = [&name, &key.template].map(|text| printable(text.as_bytes()));
        let legacy = key.legacy.as_ref().or(key.formerly.as_ref());
        let legacy = legacy.map(|text| format!(" or the legacy text `{}`", printable(text.as_bytes())));
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

/// Collects the keys to change.
pub(super) struct Selector {
    wanted: Wanted,
    schemas: Arc<Schemas>,
    /// Whether keys are removed that were used within the last seconds, or that may have been.
    without_last_use: bool,
    /// The declarations that are not chosen, or for unknown keys all of them, without a namespace.
    others: Matcher,
    /// The declarations that are not the one of this index, for keys that are to be moved.
    all_but: Mutex<HashMap<usize, Matcher>>,
    /// Whether a key and its new name must have one slot.
    pub(super) is_cluster: bool,
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
    /// The keys whose new name is not known: their number by declaration and reason.
    pub(super) unnamed: BTreeMap<(String, String), u64>,
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
    /// A cache, a lock or a queue of jobs has other ways.
    pub(super) role: u64,
    /// The new name is in another slot.
    pub(super) slot: u64,
    /// With another namespace, or without one, the key is declared.
    pub(super) namespace: u64,
    /// Behind another prefix, or without one, the key has a legacy text.
    pub(super) prefix: u64,
    /// It was used within the last seconds.
    pub(super) used: u64,
    /// The server does not say when it was used.
    pub(super) last_use: u64,
}

/// A counter of keys that are not changed.
type Counter = fn(&mut LeftOut) -> &mut u64;

/// The counter of a key whose last use is unknown or too recent, so that a later use might not be noticed.
pub(super) fn recently_used(idle: Option<u64>) -> Option<Counter> {
    match idle {
        None => Some(|left| &mut left.last_use),
        Some(..RECENT_SECONDS) => Some(|left| &mut left.used),
        Some(_) => None,
    }
}

impl Selector {
    pub(super) fn new(wanted: Wanted, schemas: Arc<Schemas>, without_last_use: bool, plan: Option<PlanWriter>) -> Self {
        let selected = Selected { tally: Tally::new(&Facts::default()), plan, ..Selected::default() };
        let others = others(&wanted, &schemas);
        Self {
            wanted,
            schemas,
            without_last_use,
            others,
            all_but: Mutex::default(),
            is_cluster: false,
            hasher: RandomState::new(),
            selected: Mutex::new(selected),
        }
    }

    /// The selected keys, which are taken out of the selector.
    pub(super) fn finish(&self) -> Selected {
        std::mem::take(&mut *self.selected.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// The counter of a key that is asked for, and is not changed.
    fn leaves_out(&self, look: &FirstLook<'_>) -> Option<Counter> {
        if self.wanted == Wanted::PurgeUnknown {
            return self.declared_elsewhere(look.key);
        }
        if let Wanted::Move(_) = self.wanted {
            return self.stays(look);
        }
        let Wanted::Expire(chosen) = &self.wanted else { return None };
        if look.expiry != Expiry::Never {
            return None;
        }
        let Some(index) = look.declaration.filter(|index| !self.is_left_out(*index)) else {
            return chosen.is_none().then_some(|left| &mut left.unknown);
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
        self.ttl_ms(look.key, index, SystemTime::now()).is_none().then_some(|left| &mut left.bucket)
    }

    /// The counter of a key under the name that is not in use, and that stays.
    fn stays(&self, look: &FirstLook<'_>) -> Option<Counter> {
        let index = look.declaration?;
        if self.schemas.catalog.keys.get(index)?.role.is_some() {
            return Some(|left| &mut left.role);
        }
        if self.schemas.declared(index)?.redis_type != look.redis_type {
            return Some(|left| &mut left.other_type);
        }
        let name = self.new_name(look.key)?.ok()?;
        let is_elsewhere = self.is_cluster && slot_of(name.as_bytes()) != slot_of(look.key);
        is_elsewhere.then_some(|left| &mut left.slot)
    }

    /// The name in use of a key that has the other one, or why it is not known.
    fn new_name(&self, key: &[u8]) -> Option<Result<String, String>> {
        let found = self.schemas.find_match(key).filter(|found| !found.is_in_use)?;
        let name = self.schemas.other_name(key, found);
        let is_anothers = |key: &[u8]| self.is_anothers(key, found.declaration);
        Some(match name {
            Ok(name) if is_anothers(key) || is_anothers(name.as_bytes()) => {
                Err("another declaration can produce it too".to_owned())
            }
            name => name,
        })
    }

    /// Whether a key can be that of another declaration, which `allow(overlap)` permits.
    fn is_anothers(&self, key: &[u8], declaration: usize) -> bool {
        let mut all_but = self.all_but.lock().unwrap_or_else(PoisonError::into_inner);
        let others = all_but.entry(declaration).or_insert_with(|| {
            let all = &self.schemas.catalog.keys;
            let template = all.get(declaration).map(|key| key.template.as_str());
            let same = all.iter().enumerate().filter(|(_, key)| Some(key.template.as_str()) == template);
            matcher_without(&self.schemas, &same.map(|(index, _)| index).collect())
        });
        others.find(key).is_some()
    }

    /// Whether a declaration is one that the selection of packages, features and targets leaves out.
    fn is_left_out(&self, index: usize) -> bool {
        self.schemas.catalog.keys.get(index).is_some_and(|key| key.is_left_out)
    }

    /// Whether a key is declared as a hyperloglog.
    pub(super) fn is_hyperloglog(&self, key: &[u8]) -> bool {
        let limits = self.schemas.find(key).and_then(|index| self.schemas.declared(index));
        limits.is_some_and(|limits| limits.is_hyperloglog)
    }

    /// The reason for which a plan that is made now would not contain this line.
    pub(super) fn objection(&self, planned: &PlannedKey, made_at: SystemTime) -> Option<&'static str> {
        let look = FirstLook {
            key: &planned.key.0,
            declaration: self.schemas.find(&planned.key.0),
            redis_type: RedisType::named(&planned.redis_type),
            expiry: planned.ttl_ms.map_or(Expiry::Never, Expiry::In),
            memory: planned.bytes,
        };
        if !self.first_look(&mut (), &look) || self.leaves_out(&look).is_some() {
            return Some(match self.wanted {
                Wanted::PurgeUnknown if look.declaration.is_none() && self.schemas.foreign(look.key).is_some() => {
                    "`[foreign]` of the policy names it"
                }
                Wanted::PurgeUnknown => "a declaration can produce it",
                Wanted::PurgeDeclared(_) => "the declaration of the plan cannot produce it",
                Wanted::Expire(_) => "no declaration of the plan gives it an expiry",
                Wanted::Move(_) => "no declaration of the plan gives it another name",
            });
        }
        if let Wanted::Move(_) = self.wanted {
            let name = self.new_name(look.key).and_then(Result::ok);
            return (name != planned.to).then_some("its declaration gives it another name");
        }
        let Wanted::Expire(_) = self.wanted else { return None };
        let is_declared = look.declaration.is_some_and(|index| self.has_declared_expiry(planned, index, made_at));
        (!is_declared).then_some("its declaration gives it another expiry")
    }

    /// Whether a key gets the expiry that its declaration gives, or gave when the plan was made.
    fn has_declared_expiry(&self, planned: &PlannedKey, index: usize, made_at: SystemTime) -> bool {
        let ttl = |from| self.ttl_ms(&planned.key.0, index, from);
        // The nearer the end of a calendar bucket, the shorter is the expiry.
        let (Some(shortest), Some(longest)) =
            (ttl(SystemTime::now() + CLOCK), ttl(made_at.checked_sub(CLOCK).unwrap_or(made_at)))
        else {
            return false;
        };
        let jitter = self.schemas.catalog.keys.get(index).map_or(0, Key::jitter_ms);
        planned.set_ttl_ms.is_some_and(|ttl| (shortest..=longest).contains(&ttl))
            && planned.set_jitter_ms.unwrap_or(0) <= jitter
    }

    /// Whether to ask for the last use of keys.
    fn needs_last_use(&self) -> bool {
        !matches!(self.wanted, Wanted::Expire(_) | Wanted::Move(_))
    }

    /// The counter of a key that is declared without what precedes one of its colons, which may be a namespace, or that
    /// has a legacy text behind any prefix.
    fn declared_elsewhere(&self, key: &[u8]) -> Option<Counter> {
        let colons = key.iter().enumerate().filter(|(_, byte)| **byte == b':').map(|(place, _)| place + 1);
        let mut starts = std::iter::once(0).chain(colons);
        let found = starts.find_map(|start| self.others.find_match(key.get(start..)?));
        if found.is_some_and(|found| found.text == TextKind::Template) {
            return Some(|left| &mut left.namespace);
        }
        let is_legacy = found.is_some() || self.others.finds_legacy_behind_a_prefix(key);
        is_legacy.then_some(|left| &mut left.prefix)
    }

    /// The expiry that a key gets at a time, without jitter.
    fn ttl_ms(&self, key: &[u8], index: usize, from: SystemTime) -> Option<u64> {
        let declared = self.schemas.catalog.keys.get(index)?;
        let ttl = declared.ttl_ms()?;
        if declared.ttl_from_end_of.is_none() {
            return Some(ttl);
        }
        let end = self.schemas.declared(index)?.bucket?.end(self.schemas.template_text(key))?;
        let until_end = end.duration_since(from).unwrap_or_default();
        Some(ttl.saturating_add(u64::try_from(until_end.as_millis()).ok()?))
    }
}

/// The declarations that are not chosen, or for unknown keys all of them, without a namespace.
fn others(wanted: &Wanted, schemas: &Schemas) -> Matcher {
    match wanted {
        Wanted::PurgeDeclared(chosen) => matcher_without(schemas, chosen),
        _ => Matcher::new(&schemas.catalog, None),
    }
}

/// All declarations but these.
fn matcher_without(schemas: &Schemas, chosen: &HashSet<usize>) -> Matcher {
    let keys = schemas
        .catalog
        .keys
        .iter()
        .enumerate()
        .filter(|(index, _)| !chosen.contains(index))
        .map(|(_, key)| key.clone());
    let others = Matcher::new(&Catalog::new(keys.collect(), Vec::new()), schemas.namespace.as_deref());
    others.with_legacy_prefix(schemas.legacy_prefix.as_deref())
}

impl Visitor for Selector {
    /// The keys of all nodes are collected together.
    type Counts = ();

    fn schemas(&self) -> &Schemas {
        &self.schemas
    }

    fn probes(&self, _: &Facts) -> Probes {
        let last_use = self.needs_last_use();
        // What `PFADD` cannot write is another type.
        let hyperloglog = !last_use;
        Probes {
            memory: true,
            length: false,
            encoding: false,
            frequency: false,
            members: false,
            last_use,
            hyperloglog,
            values: false,
            hot_keys: false,
        }
    }

    fn counts(&self, _: &Facts) {}

    fn first_look(&self, (): &mut (), look: &FirstLook<'_>) -> bool {
        match (&self.wanted, look.declaration) {
            (Wanted::PurgeDeclared(chosen), Some(index)) => chosen.contains(&index),
            (Wanted::PurgeUnknown, None) => self.schemas.foreign(look.key).is_none(),
            (Wanted::PurgeDeclared(_) | Wanted::PurgeUnknown, _) => false,
            (Wanted::Move(chosen), declaration) => {
                let is_chosen = |index| chosen.as_ref().is_none_or(|chosen| chosen.contains(&index));
                let is_wanted = |index| !self.is_left_out(index) && is_chosen(index);
                declaration.is_some_and(is_wanted)
                    && self.schemas.find_match(look.key).is_some_and(|found| !found.is_in_use)
            }
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
        let is_other = second.is_hyperloglog == Some(false);
        let counter = self.leaves_out(look).or_else(|| is_other.then_some(|left: &mut LeftOut| &mut left.other_type));
        let checks_use = self.needs_last_use() && !self.without_last_use;
        let counter = counter.or_else(|| if checks_use { recently_used(second.idle) } else { None });
        if let Some(counter) = counter {
            *counter(&mut selected.left_out) += 1;
            return Ok(());
        }
        let declared = look.declaration.and_then(|index| self.schemas.catalog.keys.get(index));
        let name = match &self.wanted {
            Wanted::Move(_) => self.new_name(look.key),
            _ => None,
        };
        if let (Some(Err(why)), Some(declared)) = (&name, declared) {
            *selected.unnamed.entry((full_name(declared), why.clone())).or_default() += 1;
            return Ok(());
        }
        let set_ttl_ms = match (&self.wanted, look.declaration) {
            (Wanted::Move(_), Some(index)) if look.expiry == Expiry::Never => {
                self.ttl_ms(look.key, index, SystemTime::now())
            }
            (Wanted::Expire(_), Some(index)) => self.ttl_ms(look.key, index, SystemTime::now()),
            _ => None,
        };
        // A key that is to be removed has to have the expiry that it had together with the idle time.
        let expiry = second.expiry.unwrap_or(look.expiry);
        let ttl_ms = match expiry {
            Expiry::Never => None,
            Expiry::In(ttl) => Some(ttl),
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
            ttl_ms,
            expires_at_ms: ttl_ms.zip(second.now_ms).map(|(ttl, now)| now.saturating_add(ttl)),
            idle: second.idle,
            last_use: second.last_use,
            declaration: declared.map(full_name),
            to: name.and_then(Result::ok),
            set_jitter_ms: set_ttl_ms.and(declared).map(|key| fastrand::u64(0..=key.jitter_ms())),
            set_ttl_ms,
        })
    }
}

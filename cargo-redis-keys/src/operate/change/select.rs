//! Selects the keys to change.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::hash::{BuildHasher as _, RandomState};
use std::sync::{Arc, Mutex, PoisonError};

use super::choice::KeyBytes;
use super::plan::{PlanWriter, PlannedKey};
use crate::Failure;
use crate::declare::catalog::{Catalog, Key, Matcher, TextKind};
use crate::declare::place_lines;
use crate::declare::redis_type::RedisType;
use crate::operate::audit::tally::Tally;
use crate::operate::server::facts::Facts;
use crate::operate::server::glob::Glob;
use crate::operate::server::scan::{Expiry, FirstLook, Probes, SecondLook, Visitor};
use crate::operate::server::schemas::Schemas;
use crate::operate::server::topology::slot_of;
use crate::render::printable;

/// The most places that could not be read and are shown.
const PLACES: usize = 5;

/// A key that was used within these seconds stays: a use right after it cannot be told from that one, since idle times
/// are whole seconds of a clock that can be a second late.
const RECENT_SECONDS: u64 = 4;

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

impl Wanted {
    /// Whether expiries count from the end of a calendar bucket, by the clock of the server.
    pub(super) fn needs_time(&self, catalog: &Catalog) -> bool {
        let (Self::Expire(chosen) | Self::Move(chosen)) = self else { return false };
        let is_chosen = |index| chosen.as_ref().is_none_or(|chosen| chosen.contains(&index));
        let mut keys = catalog.keys.iter().enumerate();
        keys.any(|(index, key)| key.ttl_from_end_of.is_some() && is_chosen(index))
    }
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
    if catalog.foreign.is_none() {
        let message = "the catalogue does not list the keys of other programs, which would be taken for unknown";
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
    /// The pattern that keys must have.
    pattern: Option<Glob>,
    /// Whether a key and its new name must have one slot.
    pub(super) is_cluster: bool,
    /// The addresses of the servers that note all uses of keys.
    pub(super) noting: HashSet<String>,
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
    /// The number of keys that are to be removed and have no digest.
    pub(super) without_digest: u64,
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
    /// The legacy text of the declaration consists of fields alone.
    pub(super) loose: u64,
    /// The key has a legacy text, and the policy leaves it to another program.
    pub(super) foreign: u64,
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
    pub(super) fn new(
        wanted: Wanted,
        schemas: Arc<Schemas>,
        pattern: Option<&str>,
        without_last_use: bool,
        plan: Option<PlanWriter>,
    ) -> Self {
        let selected = Selected { tally: Tally::new(&Facts::default()), plan, ..Selected::default() };
        let others = others(&wanted, &schemas);
        Self {
            wanted,
            schemas,
            without_last_use,
            others,
            all_but: Mutex::default(),
            pattern: pattern.map(Glob::new),
            is_cluster: false,
            noting: HashSet::new(),
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
        if let Some(counter) = self.may_be_of_another_program(look.key) {
            return Some(counter);
        }
        let chosen = match &self.wanted {
            Wanted::Move(_) => return self.stays(look),
            Wanted::Expire(chosen) => chosen,
            _ => {
                let declared = look.declaration.and_then(|index| self.schemas.declared(index));
                let is_other = declared.is_some_and(|limits| limits.redis_type != look.redis_type);
                return is_other.then_some(|left| &mut left.other_type);
            }
        };
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
        self.lifetime(look.key, index).is_none().then_some(|left| &mut left.bucket)
    }

    /// The counter of a key that another program may have written: it only has a legacy text, and the policy leaves it
    /// to that program, or the text consists of fields alone. Such keys must be asked for by name and pattern.
    fn may_be_of_another_program(&self, key: &[u8]) -> Option<Counter> {
        let found = self.schemas.find_match(key).filter(|found| found.text == TextKind::Legacy)?;
        if self.schemas.foreign(key).is_some() {
            return Some(|left| &mut left.foreign);
        }
        let is_all = matches!(self.wanted, Wanted::Expire(None) | Wanted::Move(None));
        let is_loose = !self.schemas.has_fixed_text(found.declaration) && (is_all || self.pattern.is_none());
        is_loose.then_some(|left| &mut left.loose)
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
    pub(super) fn objection(&self, planned: &PlannedKey) -> Option<&'static str> {
        if !self.is_read(&planned.key.0) {
            return Some("it does not match the pattern or the namespace of the plan");
        }
        let look = FirstLook {
            key: &planned.key.0,
            declaration: self.schemas.find(&planned.key.0),
            redis_type: RedisType::named(&planned.redis_type),
            expiry: planned.ttl_ms.map_or(Expiry::Never, Expiry::In),
            memory: planned.bytes,
        };
        let is_selected = self.first_look(&mut (), &look);
        if is_selected && self.wanted != Wanted::PurgeUnknown {
            let mut left_out = LeftOut::default();
            if let Some(counter) = self.leaves_out(&look) {
                *counter(&mut left_out) = 1;
            }
            match left_out {
                LeftOut { foreign: 1, .. } => return Some("`[foreign]` of the policy names it"),
                LeftOut { loose: 1, .. } => return Some("its declaration has no fixed text: see `--match`"),
                LeftOut { other_type: 1, .. } => return Some("its declaration has another type"),
                _ => {}
            }
        }
        if !is_selected || self.leaves_out(&look).is_some() {
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
            if name != planned.to {
                return Some("its declaration gives it another name");
            }
            if look.expiry != Expiry::Never && planned.set_ttl_ms.is_none() {
                return None;
            }
        } else if !matches!(self.wanted, Wanted::Expire(_)) {
            return None;
        }
        let is_declared = look.declaration.is_some_and(|index| self.has_declared_expiry(planned, index));
        (!is_declared).then_some("its declaration gives it another expiry")
    }

    /// Whether a scan for the plan returns this key.
    fn is_read(&self, key: &[u8]) -> bool {
        match &self.pattern {
            Some(pattern) => pattern.matches(key),
            None => self.schemas.is_in_namespace(key),
        }
    }

    /// Whether a key gets the expiry that its declaration gives.
    fn has_declared_expiry(&self, planned: &PlannedKey, index: usize) -> bool {
        let jitter = self.schemas.catalog.keys.get(index).map_or(0, Key::jitter_ms);
        let lifetime = self.lifetime(&planned.key.0, index);
        lifetime.map(|lifetime| lifetime.ttl_ms) == planned.set_ttl_ms
            && lifetime.and_then(|lifetime| lifetime.from_ms) == planned.set_from_ms
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

    /// How long a key is to live, without jitter.
    fn lifetime(&self, key: &[u8], index: usize) -> Option<Lifetime> {
        let declared = self.schemas.catalog.keys.get(index)?;
        let ttl_ms = declared.ttl_ms()?;
        if declared.ttl_from_end_of.is_none() {
            return Some(Lifetime { ttl_ms, from_ms: None });
        }
        let end = self.schemas.declared(index)?.bucket?.end_ms(self.schemas.template_text(key))?;
        Some(Lifetime { ttl_ms, from_ms: Some(end) })
    }
}

/// How long a key is to live.
#[derive(Clone, Copy)]
struct Lifetime {
    ttl_ms: u64,
    /// The time from which that counts, if it is later than now by the clock of the server.
    from_ms: Option<u64>,
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
            digest: last_use,
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
        // Where uses may not be noted, idle times say nothing.
        let idle = second.idle.filter(|_| self.noting.contains(node));
        let counter = counter.or_else(|| if checks_use { recently_used(idle) } else { None });
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
        let lifetime = match (&self.wanted, look.declaration) {
            (Wanted::Move(_), Some(index)) if look.expiry == Expiry::Never => self.lifetime(look.key, index),
            (Wanted::Expire(_), Some(index)) => self.lifetime(look.key, index),
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
        selected.without_digest += u64::from(self.needs_last_use() && second.digest.is_none());
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
            digest: second.digest.clone(),
            declaration: declared.map(full_name),
            to: name.and_then(Result::ok),
            set_jitter_ms: lifetime.and(declared).map(|key| fastrand::u64(0..=key.jitter_ms())),
            set_ttl_ms: lifetime.map(|lifetime| lifetime.ttl_ms),
            set_from_ms: lifetime.and_then(|lifetime| lifetime.from_ms),
        })
    }
}

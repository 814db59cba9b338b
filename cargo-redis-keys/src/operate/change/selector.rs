//! Selects the keys to change: the keys of a scan for a plan, and the lines that a plan made now would contain.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::hash::{BuildHasher as _, RandomState};
use std::sync::{Arc, Mutex, PoisonError};

use super::plan::{KeyBytes, PlanWriter, PlannedKey};
use super::selection::{Exclusion, Exclusions, Selection};
use crate::Failure;
use crate::declare::catalog::{Catalog, Key, Matcher, TextKind};
use crate::declare::redis_type::RedisType;
use crate::operate::audit::tally::Tally;
use crate::operate::server::facts::Facts;
use crate::operate::server::fault::Faults;
use crate::operate::server::glob::Glob;
use crate::operate::server::scan::{Expiry, FirstLook, Probes, SecondLook, Visitor};
use crate::operate::server::schemas::Schemas;
use crate::operate::server::topology::slot_of;
use crate::render::FindingId;

/// Selects the keys to change.
pub(super) struct Selector {
    selection: Selection,
    schemas: Arc<Schemas>,
    /// Whether keys are removed that were used within the last seconds, or that may have been.
    without_last_use: bool,
    /// The declarations that are not chosen, or for undeclared keys all declarations, without a namespace.
    others: Matcher,
    /// All declarations but the one with this index, for keys that are to be moved.
    all_but: Mutex<HashMap<usize, Matcher>>,
    /// The pattern that keys must have.
    pattern: Option<Glob>,
    /// Whether a key and its new name must have one slot.
    pub(super) is_cluster: bool,
    /// The addresses of the servers that note all uses of keys.
    pub(super) noting: HashSet<String>,
    hasher: RandomState,
    selected: Mutex<SelectedKeys>,
}

/// The selected keys.
#[derive(Default)]
pub(super) struct SelectedKeys {
    /// The hashes of the keys, because a key can be seen twice. If two have the same hash, one is not selected.
    seen: HashSet<u64>,
    pub(super) tally: Tally,
    pub(super) exclusions: Exclusions,
    pub(super) without_last_use: u64,
    pub(super) without_memory: u64,
    /// The number of keys that are to be removed and have no digest.
    pub(super) without_digest: u64,
    /// The number of keys that can belong to a declaration that is not chosen.
    pub(super) ambiguous: u64,
    /// The keys whose new name is not known: their number by declaration and reason.
    pub(super) unnamed: BTreeMap<(String, String), u64>,
    pub(super) plan: Option<PlanWriter>,
}

impl Selector {
    pub(super) fn new(
        selection: Selection,
        schemas: Arc<Schemas>,
        pattern: Option<&str>,
        without_last_use: bool,
        plan: Option<PlanWriter>,
    ) -> Self {
        let others = match &selection {
            Selection::PurgeDeclared(chosen) => matcher_without(&schemas, chosen),
            _ => Matcher::new(&schemas.catalog, None),
        };
        Self {
            selection,
            schemas,
            without_last_use,
            others,
            all_but: Mutex::default(),
            pattern: pattern.map(Glob::new),
            is_cluster: false,
            noting: HashSet::new(),
            hasher: RandomState::new(),
            selected: Mutex::new(SelectedKeys { plan, ..SelectedKeys::default() }),
        }
    }

    /// The selected keys, which are taken out of the selector.
    pub(super) fn finish(&self) -> SelectedKeys {
        std::mem::take(&mut *self.selected.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Whether a key is asked for.
    fn selects(&self, look: &FirstLook<'_>) -> bool {
        let is_fitting = || match &self.selection {
            Selection::PurgeDeclared(_) => true,
            Selection::PurgeUndeclared => Faults::of_first_look(&self.schemas, look).has(FindingId::UnknownKey),
            Selection::Expire(_) => look.expiry == Expiry::Never,
            Selection::Move(_) => {
                look.declaration.is_some_and(|index| !self.is_left_out(index))
                    && self.schemas.matcher.find_match(look.key).is_some_and(|found| !found.is_in_use)
            }
        };
        self.selection.includes(look.declaration) && is_fitting()
    }

    /// The reason for which a key that is asked for is not changed.
    fn exclusion(&self, look: &FirstLook<'_>) -> Option<Exclusion> {
        if self.selection == Selection::PurgeUndeclared {
            return self.declared_elsewhere(look.key);
        }
        let exclusion = self.of_another_program(look.key);
        if exclusion.is_some() {
            return exclusion;
        }
        let faults = Faults::of_first_look(&self.schemas, look);
        let other_type = faults.has(FindingId::WrongType).then_some(Exclusion::OtherType);
        match &self.selection {
            Selection::Move(_) => {
                let declared = self.schemas.catalog.keys.get(look.declaration?)?;
                let is_elsewhere = |name: &str| self.is_cluster && slot_of(name.as_bytes()) != slot_of(look.key);
                let other_slot = || self.new_name(look.key)?.ok().filter(|name| is_elsewhere(name));
                let role = declared.role.map(|_| Exclusion::Role);
                role.or(other_type).or_else(|| other_slot().map(|_| Exclusion::OtherSlot))
            }
            Selection::Expire(chosen) => {
                let Some(index) = look.declaration.filter(|index| !self.is_left_out(*index)) else {
                    return chosen.is_none().then_some(Exclusion::Undeclared);
                };
                let never = (!faults.has(FindingId::NoExpiry)).then_some(Exclusion::Never);
                let no_end = || self.lifetime(look.key, index).is_none().then_some(Exclusion::Bucket);
                never.or(other_type).or_else(no_end)
            }
            _ => other_type,
        }
    }

    /// The exclusion of a key that another program may have written: it only has a legacy text, and the policy leaves it
    /// to that program, or the text consists of fields alone. Such keys must be asked for by name and pattern.
    fn of_another_program(&self, key: &[u8]) -> Option<Exclusion> {
        let found = self.schemas.matcher.find_match(key).filter(|found| found.text == TextKind::Legacy)?;
        if self.schemas.foreign.find(key).is_some() {
            return Some(Exclusion::Foreign);
        }
        let is_any =
            matches!(self.selection, Selection::Expire(None) | Selection::Move(None)) || self.pattern.is_none();
        (is_any && !self.schemas.has_fixed_text(found.declaration)).then_some(Exclusion::NoFixedText)
    }

    /// The exclusion of a key that is declared only without a prefix: without the text before a colon, which may be a
    /// namespace, or without the text before a legacy text.
    fn declared_elsewhere(&self, key: &[u8]) -> Option<Exclusion> {
        let colons = key.iter().enumerate().filter(|(_, byte)| **byte == b':').map(|(place, _)| place + 1);
        let mut starts = std::iter::once(0).chain(colons);
        let found = starts.find_map(|start| self.others.find_match(key.get(start..)?));
        if found.is_some_and(|found| found.text == TextKind::Template) {
            return Some(Exclusion::OtherNamespace);
        }
        let is_legacy = found.is_some() || self.others.finds_legacy_behind_a_prefix(key);
        is_legacy.then_some(Exclusion::OtherPrefix)
    }

    /// The name in use of a key that has the other name, or the reason why it is not known.
    fn new_name(&self, key: &[u8]) -> Option<Result<String, String>> {
        let found = self.schemas.matcher.find_match(key).filter(|found| !found.is_in_use)?;
        let name = self.schemas.other_name(key, found);
        let is_anothers = |key: &[u8]| self.is_anothers(key, found.declaration);
        Some(match name {
            Ok(name) if is_anothers(key) || is_anothers(name.as_bytes()) => {
                Err("another declaration can produce it too".to_owned())
            }
            name => name,
        })
    }

    /// Whether a key can belong to another declaration, which `allow(overlap)` permits.
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

    /// Whether the selection of packages, features and targets leaves a declaration out.
    fn is_left_out(&self, index: usize) -> bool {
        self.schemas.catalog.keys.get(index).is_some_and(|key| key.is_left_out)
    }

    /// Whether a key is declared as a hyperloglog.
    pub(super) fn is_hyperloglog(&self, key: &[u8]) -> bool {
        let limits = self.schemas.matcher.find(key).and_then(|index| self.schemas.declared(index));
        limits.is_some_and(|limits| limits.is_hyperloglog)
    }

    /// The reason for which a plan that is made now would not contain this line.
    pub(super) fn objection(&self, planned: &PlannedKey) -> Option<&'static str> {
        const FOREIGN: &str = "`[foreign]` of the policy names it";
        let key = &planned.key.0;
        let is_read = match &self.pattern {
            Some(pattern) => pattern.matches(key),
            None => self.schemas.is_in_namespace(key),
        };
        if !is_read {
            return Some("it does not match the pattern or the namespace of the plan");
        }
        let look = FirstLook {
            key,
            declaration: self.schemas.matcher.find(key),
            redis_type: RedisType::named(&planned.redis_type),
            expiry: Expiry::of(planned.ttl_ms),
            memory: planned.bytes,
        };
        let is_selected = self.selects(&look);
        let exclusion = if is_selected { self.exclusion(&look) } else { None };
        if !is_selected || exclusion.is_some() {
            let is_foreign = || look.declaration.is_none() && self.schemas.foreign.find(key).is_some();
            return Some(match (&self.selection, exclusion) {
                (Selection::PurgeUndeclared, _) if is_foreign() => FOREIGN,
                (Selection::PurgeUndeclared, _) => "a declaration can produce it",
                (_, Some(Exclusion::Foreign)) => FOREIGN,
                (_, Some(Exclusion::NoFixedText)) => "its declaration has no fixed text: see `--match`",
                (_, Some(Exclusion::OtherType)) => "its declaration has another type",
                (Selection::PurgeDeclared(_), _) => "the declaration of the plan cannot produce it",
                (Selection::Expire(_), _) => "no declaration of the plan gives it an expiry",
                (Selection::Move(_), _) => "no declaration of the plan gives it another name",
            });
        }
        let is_move = matches!(self.selection, Selection::Move(_));
        if is_move && self.new_name(key).and_then(Result::ok) != planned.to {
            return Some("its declaration gives it another name");
        }
        let gets_expiry = look.expiry == Expiry::Never || planned.set_ttl_ms.is_some();
        if self.selection.is_purge() || is_move && !gets_expiry {
            return None;
        }
        let is_declared = look.declaration.is_some_and(|index| self.has_declared_expiry(planned, index));
        (!is_declared).then_some("its declaration gives it another expiry")
    }

    /// Whether a key gets the expiry that its declaration gives.
    fn has_declared_expiry(&self, planned: &PlannedKey, index: usize) -> bool {
        let jitter = self.schemas.catalog.keys.get(index).map_or(0, Key::jitter_ms);
        let lifetime = self.lifetime(&planned.key.0, index);
        lifetime.map(|lifetime| lifetime.ttl_ms) == planned.set_ttl_ms
            && lifetime.and_then(|lifetime| lifetime.from_ms) == planned.set_from_ms
            && planned.set_jitter_ms.unwrap_or(0) <= jitter
    }

    /// The time that a key is to live, without jitter and without `stale`: a value that another program has written does not
    /// say when it expires.
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

/// All declarations but these.
fn matcher_without(schemas: &Schemas, chosen: &HashSet<usize>) -> Matcher {
    let keys = schemas.catalog.keys.iter().enumerate().filter(|(index, _)| !chosen.contains(index));
    let catalog = Catalog::new(keys.map(|(_, key)| key.clone()).collect(), Vec::new());
    Matcher::new(&catalog, schemas.namespace.as_deref()).with_legacy_prefix(schemas.legacy_prefix.as_deref())
}

impl Visitor for Selector {
    /// The keys of all nodes are collected together.
    type Counts = ();

    fn schemas(&self) -> &Schemas {
        &self.schemas
    }

    fn probes(&self, _: &Facts) -> Probes {
        let is_purge = self.selection.is_purge();
        // A string that `PFADD` cannot write is another type.
        Probes { memory: true, last_use: is_purge, digest: is_purge, hyperloglog: !is_purge, ..Probes::default() }
    }

    fn first_look(&self, (): &mut (), look: &FirstLook<'_>) -> bool {
        self.selects(look)
    }

    fn second_look(&self, (): &mut (), node: &str, look: &FirstLook<'_>, second: &SecondLook) -> Result<(), Failure> {
        if second.is_gone {
            return Ok(());
        }
        let mut selected = self.selected.lock().unwrap_or_else(PoisonError::into_inner);
        if !selected.seen.insert(self.hasher.hash_one(look.key)) {
            return Ok(());
        }
        let is_purge = self.selection.is_purge();
        let is_other_type = || Faults::of_second_look(&self.schemas, look, second).has(FindingId::WrongType);
        // Where uses may not be noted, idle times say nothing.
        let idle = second.idle.filter(|_| self.noting.contains(node));
        let exclusion = self.exclusion(look).or_else(|| is_other_type().then_some(Exclusion::OtherType));
        let checks_use = is_purge && !self.without_last_use;
        let exclusion = exclusion.or_else(|| Exclusion::of_last_use(idle).filter(|_| checks_use));
        if let Some(exclusion) = exclusion {
            *selected.exclusions.entry(exclusion).or_default() += 1;
            return Ok(());
        }
        let declared = look.declaration.and_then(|index| self.schemas.catalog.keys.get(index));
        let is_move = matches!(self.selection, Selection::Move(_));
        let name = if is_move { self.new_name(look.key) } else { None };
        if let (Some(Err(why)), Some(declared)) = (&name, declared) {
            *selected.unnamed.entry((declared.full_name(), why.clone())).or_default() += 1;
            return Ok(());
        }
        let gets_expiry = !is_purge && look.expiry == Expiry::Never;
        let lifetime = look.declaration.filter(|_| gets_expiry).and_then(|index| self.lifetime(look.key, index));
        // A key that is to be removed has to have the expiry that it had together with the idle time.
        let ttl_ms = second.expiry.unwrap_or(look.expiry).ttl_ms();
        selected.tally.first_look(&self.schemas, look);
        let is_ambiguous =
            matches!(self.selection, Selection::PurgeDeclared(_)) && self.others.find(look.key).is_some();
        selected.ambiguous += u64::from(is_ambiguous);
        selected.without_memory += u64::from(look.memory.is_none());
        selected.without_last_use += u64::from(is_purge && second.last_use.is_none());
        selected.without_digest += u64::from(is_purge && second.digest.is_none());
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
            declaration: declared.map(Key::full_name),
            to: name.and_then(Result::ok),
            set_jitter_ms: lifetime.and(declared).map(|key| fastrand::u64(0..=key.jitter_ms())),
            set_ttl_ms: lifetime.map(|lifetime| lifetime.ttl_ms),
            set_from_ms: lifetime.and_then(|lifetime| lifetime.from_ms),
        })
    }
}

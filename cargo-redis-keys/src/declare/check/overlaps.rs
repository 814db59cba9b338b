//! Declarations that can produce the same key, in all crates of the workspace.

use std::collections::{BTreeMap, BTreeSet};

use redis_keys_schema::legacy::Glob;
use redis_keys_schema::overlap::{Index, IndexEntry, Pattern, ValueSet};
use redis_keys_schema::shown_type;

use crate::declare::catalog::Values;

/// A declaration.
#[derive(Clone, Debug, Default)]
pub(crate) struct Keys {
    /// The keys that it can produce.
    pub(crate) pattern: Pattern,
    /// The types of the parameters whose values are unknown.
    pub(crate) unknown: Vec<String>,
    /// The crates that contain it. Several can contain one file.
    pub(crate) crates: BTreeSet<usize>,
    /// Whether it is part of a library or a program, and not of a test or an example.
    pub(crate) is_deployed: bool,
    /// Whether it is declared under a `cfg` that cannot be decided.
    pub(crate) is_conditional: bool,
    /// The keys with its legacy text.
    pub(crate) legacy: Option<LegacyKeys>,
}

/// The keys with a legacy text.
#[derive(Clone, Debug)]
pub(crate) struct LegacyKeys {
    pub(crate) glob: Glob,
    /// Whether the text is in use, and not the template.
    pub(crate) is_in_use: bool,
}

/// Two declarations that can produce the same key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Overlap {
    /// The index of the first declaration.
    pub(crate) earlier: usize,
    /// The index of the later declaration.
    pub(crate) later: usize,
    /// Whether that is certain. Otherwise only the compiler knows.
    pub(crate) is_certain: bool,
    /// Whether the key has the legacy text of the later declaration, and the legacy text of the earlier.
    pub(crate) are_legacy: [bool; 2],
}

impl Keys {
    /// The keys of a pattern. `typed` are the types of the parameters in `pattern.typed`, each with its values, and
    /// `None` for a generic type.
    pub(crate) fn new(mut pattern: Pattern, typed: &[Option<(String, Option<Values>)>]) -> Self {
        let mut unknown = Vec::new();
        for (typed, known) in std::mem::take(&mut pattern.typed).into_iter().zip(typed) {
            // A generic parameter can be of any type.
            let Some((ty, values)) = known else { continue };
            match (values.as_ref().map(value_set), pattern.values.get_mut(typed.parameter)) {
                (Some(set), Some(slot)) => *slot = set,
                _ => unknown.push(ty.clone()),
            }
        }
        Self { pattern, unknown, ..Self::default() }
    }

    fn shares_a_crate_with(&self, other: &Self) -> bool {
        !self.crates.is_disjoint(&other.crates)
    }

    fn is_certain(&self) -> bool {
        self.unknown.is_empty() && !self.is_conditional
    }

    /// The keys with its template, if that is in use.
    fn template_in_use(&self) -> Option<Glob> {
        let is_in_use = self.legacy.as_ref().is_none_or(|legacy| !legacy.is_in_use);
        is_in_use.then(|| self.pattern.glob())
    }

    /// The texts, as legacy texts, that give both declarations the same key. At least one is a legacy text.
    fn legacy_overlap(&self, other: &Self) -> Option<[bool; 2]> {
        let glob = |keys: &Self, is_legacy: bool| {
            if is_legacy { keys.legacy.as_ref().map(|legacy| legacy.glob.clone()) } else { keys.template_in_use() }
        };
        let overlap = |[one, two]: &[bool; 2]| Some(glob(self, *one)?.overlaps(&glob(other, *two)?));
        [[true, true], [true, false], [false, true]].into_iter().find(|pair| overlap(pair) == Some(true))
    }
}

/// Finds all overlaps, in the order of the later declarations. The indexes are indexes in the slice.
pub(crate) fn find(declarations: &[&Keys]) -> Vec<Overlap> {
    let mut found = BTreeSet::new();
    let mut deployed = Index::default();
    let mut crates: BTreeMap<usize, Index> = BTreeMap::new();
    for (later, keys) in declarations.iter().enumerate() {
        let add = |index: &mut Index| {
            let number = u64::try_from(later).unwrap_or(u64::MAX);
            let earlier = index.add(IndexEntry { number, pattern: keys.pattern.clone(), is_in_use: true });
            earlier.into_iter().filter_map(|declared| usize::try_from(declared.number).ok()).collect::<Vec<_>>()
        };
        let mut candidates = Vec::new();
        for krate in &keys.crates {
            candidates.extend(add(crates.entry(*krate).or_default()));
        }
        if keys.is_deployed {
            candidates.extend(add(&mut deployed));
        }
        for earlier in candidates {
            let Some(other) = declarations.get(earlier) else { continue };
            let is_certain = keys.is_certain() && other.is_certain();
            if is_certain || !keys.shares_a_crate_with(other) {
                found.insert((later, earlier, is_certain));
            }
        }
    }
    let templates = found.into_iter().map(|(later, earlier, is_certain)| Overlap {
        earlier,
        later,
        is_certain,
        are_legacy: [false; 2],
    });
    let mut overlaps: Vec<_> = templates.chain(find_legacy(declarations)).collect();
    overlaps.sort_by_key(|overlap| (overlap.later, overlap.earlier));
    overlaps
}

/// Finds the overlaps of legacy texts with each other and with templates in use. The derives compare the texts of a
/// crate without asking for types, too.
fn find_legacy(declarations: &[&Keys]) -> Vec<Overlap> {
    let mut overlaps = Vec::new();
    for (later, keys) in declarations.iter().enumerate() {
        for (earlier, other) in declarations.iter().enumerate().take(later) {
            let shares_a_crate = keys.shares_a_crate_with(other);
            let is_together = shares_a_crate || keys.is_deployed && other.is_deployed;
            let is_certain = !keys.is_conditional && !other.is_conditional;
            if keys.legacy.is_none() && other.legacy.is_none() || !is_together || shares_a_crate && !is_certain {
                continue;
            }
            let are_legacy = keys.legacy_overlap(other);
            overlaps.extend(are_legacy.map(|are_legacy| Overlap { earlier, later, is_certain, are_legacy }));
        }
    }
    overlaps
}

/// The values as the comparison takes them.
fn value_set(values: &Values) -> ValueSet {
    values.clone().map(|texts| {
        // The names of a few enums, which are needed until the end.
        let texts: Vec<&'static str> = texts.into_iter().map(|text| &*text.leak()).collect();
        &*texts.leak()
    })
}

/// The reason for which it is not certain that two declarations overlap.
pub(super) fn unknown(one: &Keys, other: &Keys, overlap: Overlap) -> String {
    let types = one.unknown.iter().chain(&other.unknown).map(|ty| format!("`{}`", shown_type(ty)));
    let types: BTreeSet<_> = types.collect();
    if types.is_empty() || overlap.are_legacy != [false; 2] {
        // A `cfg` that cannot be decided.
        return "they are not always declared together".to_owned();
    }
    let types = types.into_iter().collect::<Vec<_>>().join(" and ");
    format!("only the compiler knows the values of {types}")
}

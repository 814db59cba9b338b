//! The keys being compared, and the findings of keys that overlap.

use std::collections::BTreeSet;

use redis_keys_schema::overlap::Pattern;
use redis_keys_schema::{Attribute, Field, Item, Policy, Rule, Shape, check};

use super::overlaps::{self, Keys, LegacyKeys, Overlap};
use crate::declare::catalog::{Key, legacy_of};
use crate::render::{Code, Finding, Level, Location};

/// A declaration that is compared with others.
pub(crate) struct ComparedKey {
    /// The struct's name.
    pub(crate) name: String,
    pub(crate) package: String,
    /// The path of its module inside of the crate.
    pub(crate) module: String,
    /// The offset that identifies the item in its file, if it is known.
    pub(crate) offset: Option<usize>,
    /// The underlined place.
    pub(crate) at: Location,
    /// The underlined place of its legacy text.
    pub(crate) legacy_at: Option<Location>,
    /// The keys that it can produce.
    pub(super) keys: Keys,
}

impl ComparedKey {
    /// A key that was compiled, in the crate of that index. `None` if it allows overlaps.
    pub(crate) fn of_key(key: &Key, krate: usize, at: Location) -> Option<Self> {
        if key.allowed.as_str().iter().any(|allowed| allowed.lint == "overlap") {
            return None;
        }
        let pattern = pattern(key)?;
        let typed = pattern.typed.iter().map(|typed| {
            let parameter = key.parameters.get(typed.parameter)?;
            Some((parameter.type_name.clone(), parameter.values.clone()))
        });
        let keys = Keys::new(pattern.clone(), &typed.collect::<Vec<_>>());
        Some(Self {
            name: key.name.clone(),
            package: key.package.clone(),
            module: key.module.clone().unwrap_or_default(),
            offset: None,
            at,
            legacy_at: None,
            keys: Keys {
                crates: BTreeSet::from([krate]),
                is_deployed: key.is_deployed(),
                legacy: legacy_of(key).map(|legacy| LegacyKeys { glob: legacy.glob(), is_in_use: legacy.in_use }),
                ..keys
            },
        })
    }
}

/// The pattern of a key of a catalog, without the values of the parameters that are fields.
fn pattern(key: &Key) -> Option<Pattern> {
    let copies = key.copies().map(|copies| format!(", copies = {copies}")).unwrap_or_default();
    let attribute = format!("{}{copies}", key.template);
    let field = |name: &str| Field { name: name.to_owned(), ty: "", phantom: false, attributes: Vec::new() };
    let item = Item {
        name: key.name.clone(),
        shape: Shape::Struct,
        documented: true,
        attributes: vec![Attribute::Arguments(&attribute)],
        fields: key.parameters.iter().map(|parameter| field(&parameter.name)).collect(),
    };
    Pattern::of(&item, &check(&item, &Policy::default()).declaration)
}

/// The overlaps of all keys, each at the later declaration.
pub(super) fn overlaps(compared: &[ComparedKey]) -> Vec<Finding> {
    let keys: Vec<_> = compared.iter().map(|key| &key.keys).collect();
    let findings = overlaps::find(&keys).into_iter().filter_map(|overlap| {
        let (one, other) = (compared.get(overlap.later)?, compared.get(overlap.earlier)?);
        // An item can have another attribute under each condition.
        let is_one_item = one.offset.is_some() && one.offset == other.offset && one.at.file.path == other.at.file.path;
        (!is_one_item).then(|| finding(one, other, overlap))
    });
    findings.collect()
}

fn finding(one: &ComparedKey, other: &ComparedKey, overlap: Overlap) -> Finding {
    let [name, other_name] = names(one, other);
    let is_legacy = overlap.are_legacy != [false; 2];
    let help = if is_legacy {
        "make the texts differ, add `#[redis_key(no_colon)]` to fields whose values never contain `:`, or write \
         `allow(overlap, reason = \"…\")` in one"
    } else {
        "rename one of them, or write `allow(overlap, reason = \"…\")` in one"
    };
    let place =
        |key: &ComparedKey, is_legacy: bool| key.legacy_at.as_ref().filter(|_| is_legacy).unwrap_or(&key.at).clone();
    let [at, other_at] = [place(one, overlap.are_legacy[0]), place(other, overlap.are_legacy[1])];
    let (level, message, verb) = if overlap.is_certain {
        (Level::Error, format!("{name} and {other_name} overlap: they can produce the same key"), "can")
    } else {
        let unknown = overlaps::unknown(&one.keys, &other.keys, overlap);
        (Level::Warning, format!("{name} and {other_name} may overlap: {unknown}"), "may")
    };
    Finding::new(level, Code::Rule(Rule::OneKeyEach), message, help, at)
        .with_label(Some(format!("{verb} produce the same key as {other_name}")))
        .with_other(other_at, format!("{other_name} is declared here"))
}

/// The names of two declarations, with the parts that distinguish them.
fn names(one: &ComparedKey, other: &ComparedKey) -> [String; 2] {
    let (is_one_package, is_one_name) = (one.package == other.package, one.name == other.name);
    [one, other].map(|ComparedKey { name, package, module, .. }| {
        if !is_one_package {
            format!("`{name}` of package `{package}`")
        } else if is_one_name && !module.is_empty() {
            format!("`{module}::{name}`")
        } else {
            format!("`{name}`")
        }
    })
}

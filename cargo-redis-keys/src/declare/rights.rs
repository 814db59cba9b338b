//! The rights of a server's user that may do what declarations do, and no more than patterns allow.
//!
//! Accessors send groups of commands, as [`redis_keys_core::rights`] lists them. The declarations that need the same
//! groups share a selector, and all that every declaration needs is in the root.

mod declared;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};

use clap::ValueEnum;
use declared::Declared;
use redis_keys_core::rights;
use serde::Serialize;

use crate::Failure;
use crate::declare::catalog::{Catalog, Key};
use crate::render::server_user::{Selector, ServerUser};

/// The texts before keys.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Names<'n> {
    pub(crate) namespace: Option<&'n str>,
    /// The prefix of legacy texts.
    pub(crate) legacy_prefix: &'n str,
}

/// The version of the server that reads the rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Version {
    /// Redis 6.2, without selectors: every pattern gets all commands
    #[value(name = "6.2")]
    V6_2,
    /// Redis 7.0
    #[value(name = "7.0")]
    V7_0,
    /// Redis 7.2, and Valkey before 9
    #[value(name = "7.2")]
    V7_2,
    /// Redis 7.4 and later, and Valkey 9 and later
    #[value(name = "7.4", aliases = ["8.2", "8.4", "8.6", "9.0", "9.1"])]
    V7_4,
}

impl Version {
    fn has(self, command: &str) -> bool {
        let version = match self {
            Self::V6_2 => (6, 2),
            Self::V7_0 => (7, 0),
            Self::V7_2 => (7, 2),
            Self::V7_4 => (7, 4),
        };
        // Redis 6.2 takes any subcommand, and logs each that a user may not send.
        let is_taken = self == Self::V6_2 && command.contains('|');
        is_taken || rights::since(command).is_none_or(|since| version >= since)
    }
}

/// The rights of a user.
pub(crate) struct Rights<'c> {
    pub(crate) root: Selector,
    /// `None` without selectors.
    pub(crate) selectors: Option<Vec<Selector>>,
    /// The declarations whose keys patterns of other declarations match.
    pub(crate) reached: Vec<Reached<'c>>,
}

/// A declaration of whose keys some match a pattern of another declaration.
#[derive(Serialize)]
pub(crate) struct Reached<'c> {
    /// The pattern.
    pub(crate) pattern: String,
    /// The declaration of the pattern.
    #[serde(serialize_with = "named")]
    pub(crate) of: &'c Key,
    /// The other declaration.
    #[serde(serialize_with = "named")]
    pub(crate) reaches: &'c Key,
    /// The commands that the pattern adds to those of the other declaration.
    pub(crate) adds: Vec<String>,
}

fn named<S: serde::Serializer>(key: &Key, serializer: S) -> Result<S::Ok, S::Error> {
    let texts = [("package", &key.package), ("name", &key.path()), ("template", &key.template)];
    BTreeMap::from(texts).serialize(serializer)
}

impl<'c> Rights<'c> {
    /// The rights of a program with the declarations of a catalog. `scans` says whether it scans keys.
    pub(crate) fn of(catalog: &'c Catalog, names: Names<'_>, version: Version, scans: bool) -> Result<Self, Failure> {
        let declared = unique(catalog.keys.iter(), names)?;
        let mut without_keys: BTreeSet<_> = rights::WITHOUT_KEYS.split(' ').collect();
        without_keys.extend(declared.iter().filter_map(|declared| rights::without_keys(&declared.key.schema)));
        without_keys.retain(|command| scans || !matches!(*command, "DBSIZE" | "SCAN"));
        let root = selector(&[], without_keys, version);
        let reached = reached(&declared, catalog, names, version)?;
        let grouped = grouped(&declared, version);
        if version == Version::V6_2 {
            let root = grouped.into_iter().fold(root, merged);
            return Ok(Self { root, selectors: None, reached });
        }
        let keys: Vec<_> = declared.iter().filter(|declared| !declared.is_channel()).collect();
        let every_key = selector(&keys, BTreeSet::new(), version).keys;
        let is_of_every_key = |group: &Selector| group.channels.is_empty() && group.keys == every_key;
        let (of_every_key, selectors): (Vec<_>, Vec<_>) = grouped.into_iter().partition(is_of_every_key);
        let root = of_every_key.into_iter().fold(root, merged);
        Ok(Self { root, selectors: Some(selectors), reached })
    }

    /// The user with these rights.
    pub(crate) fn user(&self, name: &'c str) -> ServerUser<'c> {
        ServerUser { name, root: self.root.clone(), selectors: self.selectors.clone() }
    }
}

/// Returns a user with the rights of a program with these declarations, in the words of `ACL SETUSER`.
///
/// # Errors
///
/// Returns an error if a text of a declaration cannot be read.
pub fn rules(catalog: &Catalog, user: &str, version: Version) -> Result<String, Failure> {
    Ok(Rights::of(catalog, Names::default(), version, true)?.user(user).to_string())
}

/// The declarations with distinct texts: several targets can contain one file.
fn unique<'c>(keys: impl Iterator<Item = &'c Key>, names: Names<'_>) -> Result<Vec<Declared<'c>>, Failure> {
    let mut known = BTreeSet::new();
    let mut unique = Vec::new();
    for key in keys {
        if known.insert((&key.template, &key.legacy, &key.formerly, rights::groups(&key.schema).collect::<Vec<_>>())) {
            unique.push(Declared::new(key, names)?);
        }
    }
    Ok(unique)
}

/// A selector for each set of declarations that share groups of commands, in the order of the declarations.
fn grouped(declared: &[Declared<'_>], version: Version) -> Vec<Selector> {
    let mut with_group: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (index, declared) in declared.iter().enumerate() {
        for group in rights::groups(&declared.key.schema) {
            with_group.entry(group).or_default().push(index);
        }
    }
    let mut commands: BTreeMap<Vec<usize>, BTreeSet<&str>> = BTreeMap::new();
    for (group, indices) in with_group {
        commands.entry(indices).or_default().extend(group.split_whitespace());
    }
    let of = |(indices, commands): (Vec<usize>, _)| {
        let declared: Vec<_> = indices.iter().filter_map(|index| declared.get(*index)).collect();
        selector(&declared, commands, version)
    };
    commands.into_iter().map(of).collect()
}

/// The selector of declarations that are all keys, or all channels.
fn selector(declared: &[&Declared<'_>], commands: BTreeSet<&str>, version: Version) -> Selector {
    let patterns = |is_channel: bool| {
        let declared = declared.iter().filter(|declared| declared.is_channel() == is_channel);
        accepted(declared.flat_map(|declared| declared.patterns()).map(str::to_owned).collect())
    };
    let commands = commands.into_iter().filter(|command| version.has(command));
    Selector { keys: patterns(false), channels: patterns(true), commands: commands.map(str::to_lowercase).collect() }
}

/// The patterns as a server accepts them: no other one beside `*`.
fn accepted(patterns: BTreeSet<String>) -> Vec<String> {
    if patterns.contains("*") { vec!["*".to_owned()] } else { patterns.into_iter().collect() }
}

/// Both selectors in one, which allows more.
fn merged(one: Selector, other: Selector) -> Selector {
    let both = |one: Vec<String>, other| accepted(one.into_iter().chain(other).collect());
    Selector {
        keys: both(one.keys, other.keys),
        channels: both(one.channels, other.channels),
        commands: both(one.commands, other.commands),
    }
}

/// The pairs of a declaration and another one that its patterns match, also of the libraries and programs of the
/// workspace that are not selected.
fn reached<'c>(
    declared: &[Declared<'c>],
    catalog: &'c Catalog,
    names: Names<'_>,
    version: Version,
) -> Result<Vec<Reached<'c>>, Failure> {
    let patterns: BTreeSet<_> = declared.iter().flat_map(Declared::patterns).collect();
    let left_out = catalog.left_out.as_ref().map_or(&[][..], |left_out| &left_out.keys);
    let mut others = unique(left_out.iter().filter(|key| key.is_deployed()), names)?;
    others.retain(|other| !other.patterns().all(|pattern| patterns.contains(pattern)));
    let all: BTreeSet<_> = declared.iter().flat_map(Declared::commands).collect();
    let mut reached = Vec::new();
    for one in declared {
        let commands = if version == Version::V6_2 { all.clone() } else { one.commands() };
        let selected = declared.iter().filter(|other| other.key != one.key).map(|other| (other, other.commands()));
        for (other, known) in selected.chain(others.iter().map(|other| (other, BTreeSet::new()))) {
            let Some(pattern) = one.pattern_of(other) else { continue };
            let adds = commands.difference(&known).filter(|command| version.has(command));
            let adds = adds.map(|command| command.to_lowercase()).collect();
            reached.push(Reached { pattern: pattern.to_owned(), of: one.key, reaches: other.key, adds });
        }
    }
    Ok(reached)
}

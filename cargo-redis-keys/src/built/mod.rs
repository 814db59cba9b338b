//! Compiles a project, and reads what its derives have written.
//!
//! The program is cargo's `RUSTC_WORKSPACE_WRAPPER`. It names for each crate a file beside its artefact, to which the derives of
//! `RedisKey` and `KeySegment` append a line each. Cargo names the artefacts, also of crates that it has not compiled again.

mod cargo;
mod lines;
mod wrapper;

use std::collections::HashMap;

use redis_keys_schema::catalogue::Values;

pub(crate) use wrapper::run as run_as_wrapper;

use crate::Failure;
use crate::catalogue::{Catalogue, Key};
use crate::selection::Selection;
use crate::sources::{self, Sources};
use cargo::Artefact;
use lines::{Declared, Line};

/// The catalogue of what the derives declare.
pub(crate) fn catalogue(selection: &Selection) -> Result<Catalogue, Failure> {
    // The sources say in which module a declaration is, and which type a parameter has.
    let mut sources = sources::read(selection)?;
    let artefacts = cargo::check(selection, &sources.project)?;
    let mut declared = Vec::new();
    for artefact in &artefacts {
        for line in lines::read(&artefact.file)? {
            match line {
                Line::Segment(segment) => sources.add_segment(&artefact.package, &artefact.target, segment),
                Line::Key(key) if artefact.is_selected => declared.push((artefact, key)),
                Line::Key(_) => {}
            }
        }
    }
    let keys = without_repeated(declared).into_iter().map(|(artefact, key)| finish(&sources, artefact, key));
    Ok(Catalogue::new(keys.collect::<Result<_, _>>()?, Vec::new()))
}

/// Without the keys that a library and its unit tests both have. A macro can declare several keys in one place.
fn without_repeated(declared: Vec<(&Artefact, Declared)>) -> Vec<(&Artefact, Declared)> {
    // How often a target has a key, and how often the artefact at hand.
    let mut known: HashMap<_, usize> = HashMap::new();
    let mut here: HashMap<_, usize> = HashMap::new();
    let mut kept = Vec::new();
    for (artefact, key) in declared {
        let identity = (artefact.package.clone(), artefact.target.clone(), key.identity());
        let count = here.entry((artefact.file.clone(), identity.clone())).or_default();
        *count += 1;
        let known = known.entry(identity).or_default();
        if *count > *known {
            *known = *count;
            kept.push((artefact, key));
        }
    }
    kept
}

/// The key with what only the sources say.
fn finish(sources: &Sources, artefact: &Artefact, declared: Declared) -> Result<Key, Failure> {
    let place = sources.place(&artefact.package, &artefact.target, &declared.file, declared.line, declared.column);
    let mut key = declared.key(artefact, &place)?;
    key.set_values(|parameter| {
        let ty = syn::parse_str(&parameter.type_name).ok()?;
        Some(place.scope.map_or(Values::Unknown, |scope| sources.values_of(scope, &place.generics, &ty)))
    });
    Ok(key)
}

//! Compiles a project, and reads the declarations that its derives have written.
//!
//! The program is cargo's `RUSTC_WORKSPACE_WRAPPER`. It names for each crate a file beside its artefact, to which the
//! derives of `RedisKey` and `KeySegment` append a record each. Cargo names the artefacts, also of crates that it has
//! not compiled again.

mod cargo;
mod unit_tests;
mod wrapper;

use std::collections::HashMap;
use std::path::Path;

use cargo::Artefact;
use redis_keys_core::record;
use redis_keys_core::schema::Schema;
pub(crate) use unit_tests::{DeclaredKey, UnitTests, unit_tests};
pub(crate) use wrapper::run as run_as_wrapper;

use crate::Failure;
use crate::declare::catalog::{Catalog, Key};
use crate::declare::sources::{self, BuiltSegment, DeclarationKind, Sources};
use crate::declare::{Selection, read_text};

/// The catalog of the declarations from the derives.
pub(crate) fn catalog(selection: &Selection) -> Result<Catalog, Failure> {
    // The sources say in which module a declaration is, and which type a parameter has.
    let mut sources = sources::read(selection)?;
    let artefacts = cargo::check(selection, &sources.project)?;
    let mut declared = Vec::new();
    for artefact in &artefacts {
        for record in read_records(&artefact.file)? {
            match record {
                Record::Segment(segment) => sources.add_segment(&artefact.package, &artefact.target, segment),
                Record::Key(key) if artefact.is_selected => declared.push((artefact, *key)),
                Record::Key(_) | Record::Harness => {}
            }
        }
    }
    let keys = without_repeated(declared).into_iter().map(|(artefact, key)| finish(&sources, artefact, key).0);
    Ok(Catalog::new(keys.collect(), Vec::new()))
}

/// Without the keys that a library and its unit tests both have. A macro can declare several keys in one place.
fn without_repeated(declared: Vec<(&Artefact, BuiltKey)>) -> Vec<(&Artefact, BuiltKey)> {
    // The number of times that a target has a key, and that the current artefact has it.
    let mut known: HashMap<_, usize> = HashMap::new();
    let mut here: HashMap<_, usize> = HashMap::new();
    let mut kept = Vec::new();
    for (artefact, key) in declared {
        let identity = (
            artefact.package.clone(),
            artefact.target.clone(),
            (key.schema.file.clone(), key.line, key.column, key.schema.template.clone()),
        );
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

/// The key with the details that only the sources have, and whether its struct has type parameters.
fn finish(sources: &Sources, artefact: &Artefact, declared: BuiltKey) -> (Key, bool) {
    let BuiltKey { schema, line, column } = declared;
    let place =
        sources.place(DeclarationKind::Key, (&artefact.package, &artefact.target), (&schema.file, line, column));
    let is_generic = place.item.as_ref().is_some_and(|item| item.generics.type_params().next().is_some());
    let mut key = sources.key_of(schema, place.scope, place.item.as_deref());
    key.file = place.file;
    let key = Key {
        package: artefact.package.clone(),
        target: artefact.target.clone(),
        module: place.module,
        made_by: place.made_by,
        is_test: artefact.is_test,
        ..key
    };
    (key, is_generic)
}

/// A record beside an artefact.
enum Record {
    /// The artefact is a program that runs tests.
    Harness,
    /// A key that a derive has written.
    Key(Box<BuiltKey>),
    /// A parameter type that a derive has written.
    Segment(BuiltSegment),
}

/// A key that a derive has written.
#[derive(Clone)]
struct BuiltKey {
    /// The schema. Its file is named as by the compiler.
    schema: Schema<String>,
    /// The line of the name.
    line: usize,
    /// The name's column.
    column: usize,
}

/// Reads the records of a file.
fn read_records(path: &Path) -> Result<Vec<Record>, Failure> {
    let text = read_text(path)?;
    let records = record::read(&text);
    records.and_then(|records| records.iter().map(|texts| Record::read(texts)).collect()).ok_or_else(|| {
        Failure::new(format!("`{}` is not a file of this version's derives", path.display()))
            .help("use the same version of redis-keys and cargo-redis-keys")
    })
}

impl Record {
    fn read(texts: &[&str]) -> Option<Self> {
        if *texts == [wrapper::HARNESS] {
            return Some(Self::Harness);
        }
        let [kind, file, line, column, texts @ ..] = texts else { return None };
        let (line, column) = (line.parse().ok()?, column.parse().ok()?);
        if *kind == "key" {
            return Some(Self::Key(Box::new(BuiltKey { schema: Schema::from_texts(texts)?, line, column })));
        }
        let is_enum = *kind == "names";
        let (name, texts) = texts.split_first().filter(|_| is_enum || *kind == "newtype")?;
        let texts = texts.iter().map(|text| (*text).to_owned()).collect();
        let (name, file) = ((*name).to_owned(), (*file).to_owned());
        Some(Self::Segment(BuiltSegment { name, is_enum, texts, file, line, column }))
    }
}

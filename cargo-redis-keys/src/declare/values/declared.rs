//! The declarations that store values, each with its shapes, or the reason why these are not known.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use redis_keys_core::schema::{Parameters, Role, Schema};

use super::file::Expiry;
use super::run::{self, Known, Ran};
use crate::Failure;
use crate::date::days_of;
use crate::declare::Selection;
use crate::declare::built::{self, DeclaredKey, UnitTests};
use crate::declare::catalog::Key;
use crate::declare::sources::{self, Sources};

/// A declaration that stores values.
pub(crate) struct Declared {
    pub(crate) key: Key,
    /// The shapes of its values, or the reason why they are not known.
    pub(crate) values: Result<Known, String>,
}

/// The declarations of a project.
pub(crate) struct Project {
    /// The folder of the workspace.
    pub(crate) root: PathBuf,
    /// The declarations that store values and are selected, by template, and with the same template in the order of
    /// packages and targets.
    pub(crate) declared: BTreeMap<String, Vec<Declared>>,
    /// The templates that the selection leaves out. `None` if it does not cover all packages, so that more may be left
    /// out than the sources show.
    pub(super) left_out: Option<BTreeSet<String>>,
}

impl Project {
    /// Compiles the unit tests of the selected targets, and asks them.
    pub(crate) fn compile(sources: &Sources, selection: &Selection) -> Result<Self, Failure> {
        let compiled = built::unit_tests(selection, sources)?;
        let mut declared: BTreeMap<String, Vec<Declared>> = BTreeMap::new();
        for tests in compiled {
            for found in of_target(&tests)? {
                declared.entry(found.key.template.clone()).or_default().push(found);
            }
        }
        for key in sources.catalog().keys {
            // One under a condition that cannot be decided may not be compiled at all.
            let is_compiled = declared.get(&key.template).is_some_and(|of_template| {
                of_template.iter().any(|other| other.key.package == key.package && other.key.target == key.target)
            });
            if !is_compiled && stores_values(&key) && key.condition.is_none() {
                let values = Err("it is not compiled for unit tests".to_owned());
                declared.entry(key.template.clone()).or_default().push(Declared { key, values });
            }
        }
        for of_template in declared.values_mut() {
            of_template.sort_by(|one, other| order(one).cmp(&order(other)));
        }
        let left_out = if selection.package.is_empty() {
            let whole = sources::read(&selection.whole())?.catalog();
            Some(whole.keys.into_iter().filter(stores_values).map(|key| key.schema.template).collect())
        } else {
            None
        };
        Ok(Self { root: sources.project.root.clone(), declared, left_out })
    }

    /// Whether no program declares a template any more that has no declaration here.
    pub(crate) fn is_gone(&self, template: &str) -> bool {
        self.left_out.as_ref().is_some_and(|left_out| !left_out.contains(template))
    }
}

/// Known values first: of two declarations with the same template, one can be generic.
fn order(declared: &Declared) -> impl Ord + '_ {
    let Key { package, target, .. } = &declared.key;
    (declared.values.is_err(), package, target, &declared.key.file, declared.key.line)
}

/// The declarations of a target.
fn of_target(tests: &UnitTests) -> Result<Vec<Declared>, Failure> {
    let keys: Vec<_> = tests.keys.iter().filter(|declared| stores_values(&declared.key)).collect();
    if keys.is_empty() {
        return Ok(Vec::new());
    }
    let ran = run::run(tests, |name| keys.iter().any(|declared| declared.key.name == name))?;
    let declared = keys.into_iter().map(|declared| Declared {
        key: declared.key.clone(),
        values: values(declared, &ran, tests.program.is_some()),
    });
    Ok(declared.collect())
}

/// The shapes of a key's values from the tests of its target.
fn values(declared: &DeclaredKey, ran: &[Ran], has_harness: bool) -> Result<Known, String> {
    let key = &declared.key;
    let of_name = || ran.iter().filter(|ran| ran.name == key.name);
    let reports = || of_name().filter_map(|ran| ran.outcome.as_ref().ok()).flatten();
    if let Some(report) = reports().find(|report| report.template == key.template) {
        return report.values.clone();
    }
    let in_module = of_name().find(|ran| key.module.as_ref().is_none_or(|module| *module == ran.module));
    match in_module.map(|ran| &ran.outcome) {
        Some(Err(why)) => Err(why.clone()),
        _ if !has_harness => {
            Err("its target has `harness = false`, so the tests that ask its values do not run".to_owned())
        }
        _ if declared.is_generic => Err("its value depends on a type parameter".to_owned()),
        _ => Err("it is declared in a function, where the compiler finds no tests".to_owned()),
    }
}

/// Whether programs store values of the project's types under a key.
fn stores_values(key: &Key) -> bool {
    let has_form = key.value.is_some() || key.field.is_some();
    has_form && !matches!(key.role, Some(Role::Lock | Role::Limit(_) | Role::Bloom(_)))
}

/// The schema of a key as the rules read it. The rules need no parameters.
pub(crate) fn schema(key: &Key) -> Schema<String> {
    key.schema.clone().map(|text| text, |_| Parameters::default())
}

/// How long values of a key can be read after another shape has replaced theirs.
pub(crate) fn expiry(key: &Key) -> Expiry {
    match redis_keys_schema::values::expires_after(&schema(key)) {
        Some(time) => Expiry::Days(days_of(time)),
        None => Expiry::Never,
    }
}

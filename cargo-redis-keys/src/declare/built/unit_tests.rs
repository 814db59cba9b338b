//! Compiles the unit tests of a project, together with the tests that the derives write.

use std::path::PathBuf;

use super::cargo::{self, Artefact};
use super::{BuiltKey, Record, finish, read_records};
use crate::Failure;
use crate::declare::Selection;
use crate::declare::catalog::Key;
use crate::declare::sources::{self, Sources};

/// The unit tests of a target.
pub(crate) struct UnitTests {
    /// The package's folder, in which its tests run.
    pub(crate) folder: PathBuf,
    /// The program that runs them. `None` for a target with `harness = false`.
    pub(crate) program: Option<PathBuf>,
    /// The keys that the target declares, also outside of tests.
    pub(crate) keys: Vec<DeclaredKey>,
}

/// A key of a target.
pub(crate) struct DeclaredKey {
    pub(crate) key: Key,
    /// Whether its struct has type parameters.
    pub(crate) is_generic: bool,
}

/// Compiles the unit tests of the selected targets.
pub(crate) fn unit_tests(selection: &Selection, sources: &Sources) -> Result<Vec<UnitTests>, Failure> {
    let artefacts = cargo::test(selection, &sources.project)?;
    // Without `--tests`, the keys that only tests have are left out. The sources of the tests show which these are.
    let with_tests =
        if selection.tests { None } else { Some(sources::read(&Selection { tests: true, ..selection.clone() })?) };
    let mut compiled = Vec::new();
    for artefact in artefacts.into_iter().filter(|artefact| artefact.is_test && artefact.is_selected) {
        let mut tests = UnitTests { folder: artefact.folder.clone(), program: None, keys: Vec::new() };
        for record in read_records(&artefact.file)? {
            match record {
                Record::Harness => tests.program.clone_from(&artefact.program),
                Record::Key(key) => tests.keys.extend(declared(sources, with_tests.as_ref(), &artefact, *key)),
                Record::Segment(_) => {}
            }
        }
        compiled.push(tests);
    }
    Ok(compiled)
}

/// The key, unless it is known to be in tests only.
fn declared(
    sources: &Sources,
    with_tests: Option<&Sources>,
    artefact: &Artefact,
    declared: BuiltKey,
) -> Option<DeclaredKey> {
    let is_shown = |key: &Key| key.module.is_some() || key.made_by.is_some();
    let (key, is_generic) = finish(sources, artefact, declared.clone());
    let is_in_tests_only =
        !is_shown(&key) && with_tests.is_some_and(|sources| is_shown(&finish(sources, artefact, declared).0));
    (!is_in_tests_only).then_some(DeclaredKey { key, is_generic })
}

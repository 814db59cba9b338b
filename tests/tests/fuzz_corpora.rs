//! The bodies of the fuzz targets run on the committed inputs: seeds, and what has been a finding.

#![allow(clippy::expect_used, reason = "a test that cannot go on")]

use std::path::{Path, PathBuf};
use std::{fs, io};

#[allow(unreachable_pub, reason = "for the targets, it is a library")]
#[path = "../../fuzz/src/lib.rs"]
mod fuzz;

/// The fewest seeds of a target.
const FEWEST_SEEDS: usize = 3;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz")
}

/// The files of a folder, or none if it does not exist.
fn files(folder: &Path) -> Vec<PathBuf> {
    match fs::read_dir(folder) {
        Ok(entries) => entries.map(|entry| entry.expect("the folder can be read").path()).collect(),
        Err(error) => {
            assert_eq!(error.kind(), io::ErrorKind::NotFound, "{}: {error}", folder.display());
            Vec::new()
        }
    }
}

/// In one test, since a target measures the memory of the whole process.
#[test]
fn committed_inputs_break_no_promise() {
    for (target, body) in fuzz::TARGETS {
        let seeds = files(&root().join("seeds").join(target));
        assert!(seeds.len() >= FEWEST_SEEDS, "`{target}` has {} seeds", seeds.len());
        for file in seeds.into_iter().chain(files(&root().join("regressions").join(target))) {
            println!("{}", file.display());
            body(&fs::read(file).expect("the file can be read"));
        }
        body(b"");
    }
}

#[test]
fn each_target_is_built_and_has_its_own_folders() {
    let mut names = fuzz::TARGETS.map(|(name, _)| name.to_owned());
    names.sort();
    let names_in = |folder: &str| {
        let mut names: Vec<_> = files(&root().join(folder))
            .iter()
            .filter_map(|file| Some(file.file_stem()?.to_str()?.to_owned()))
            .collect();
        names.sort();
        names
    };
    assert_eq!(names_in("fuzz_targets"), names);
    assert_eq!(names_in("seeds"), names);
    for name in names_in("regressions") {
        assert!(names.contains(&name), "there is no target `{name}`");
    }
    for name in names {
        let file = fs::read_to_string(root().join(format!("fuzz_targets/{name}.rs"))).unwrap_or_default();
        assert!(file.ends_with(&format!("redis_keys_fuzz::{name}(bytes));\n")), "{file}");
    }
}

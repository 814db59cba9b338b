//! README and guide as a reader follows them: every shell line and every program of a page, in their order, in an empty
//! project.
//!
//! A page that does not begin with adding redis-keys continues the project that the README begins.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on")]

mod page;
mod project;

use std::path::{Path, PathBuf};
use std::{env, fs};

use page::Step;
use project::Project;

/// Lines that are not run, with the reason.
const NOT_RUN: [(&str, &str); 4] = [
    ("cargo new ", "the project is there"),
    ("cargo install cargo-redis-keys", "it is an installation: the command of this build is on the PATH"),
    ("curl ", "the program has been asked the same, and was stopped"),
    ("prometheus ", "it runs until it is stopped, and may not be installed"),
];

/// The name of the README of the repository.
const README: &str = "readme";

/// The variable that selects one page, such as `caching`.
const ONE_PAGE: &str = "REDIS_KEYS_PAGE";

#[test]
#[ignore = "builds the programs of every page, which takes minutes: `cargo xtask guide`"]
fn every_line_and_every_program_works() {
    let one = env::var(ONE_PAGE).ok();
    let pages: Vec<_> = pages().into_iter().filter(|path| one.as_ref().is_none_or(|one| *one == name(path))).collect();
    assert!(!pages.is_empty(), "there is no page `{}`", one.unwrap_or_default());
    let failures: Vec<_> = pages.iter().flat_map(|path| follow(path)).collect();
    assert!(failures.is_empty(), "{} failures\n\n{}", failures.len(), failures.join("\n\n"));
    fs::remove_dir_all(project::folder()).unwrap();
}

/// Does what a page shows, and returns what failed.
fn follow(path: &Path) -> Vec<String> {
    let name = name(path);
    println!("{name}");
    let steps = page::steps(&name, &fs::read_to_string(path).unwrap());
    let mut project = Project::new(&name);
    if name != README && !steps.first().is_some_and(Step::adds_redis_keys) {
        for step in beginning() {
            project.follow(step);
        }
    }
    for step in steps {
        project.follow(step);
    }
    project.finish()
}

/// The first program of the README, and the lines that it needs.
fn beginning() -> impl Iterator<Item = Step> {
    let readme = page::steps(README, &fs::read_to_string(root().join("README.md")).unwrap());
    let lines = readme.iter().position(Step::adds_redis_keys).unwrap();
    readme.into_iter().take(lines + 1)
}

/// The name of a page in its project and its programs, such as `caching` or `cookbook_sessions`.
fn name(path: &Path) -> String {
    let page = path.file_stem().unwrap().to_string_lossy().to_lowercase();
    let folder = path.parent().unwrap();
    if folder == root() || folder == guide() {
        return page;
    }
    format!("{}_{page}", folder.file_name().unwrap().to_string_lossy())
}

fn pages() -> Vec<PathBuf> {
    let (folders, files): (Vec<_>, Vec<_>) = entries(&guide()).into_iter().partition(|path| path.is_dir());
    let mut pages: Vec<_> = folders
        .iter()
        .flat_map(|folder| entries(folder))
        .chain(files)
        .filter(|path| path.extension().is_some_and(|extension| extension == "md"))
        // Translations have the blocks of the English page.
        .filter(|path| !path.to_string_lossy().ends_with(".zh-CN.md"))
        .collect();
    pages.sort();
    let readmes = [root().join("README.md"), root().join("cargo-redis-keys/README.md")];
    readmes.into_iter().chain(pages).collect()
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect()
}

/// The folder of the guide's pages.
fn guide() -> PathBuf {
    root().join("redis-keys/docs/guide")
}

/// The root of the workspace.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

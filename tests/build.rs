//! Extracts the code of the cookbook from its pages, so that the test `cookbook` runs what they show:
//! `leaderboard_1.rs` is the first block of `leaderboard.md`.

#![allow(clippy::expect_used, reason = "the tests cannot be built without the pages")]

use std::path::Path;
use std::{env, fs};

const PAGES: &str = "../redis-keys/docs/guide/cookbook";

fn main() {
    println!("cargo::rerun-if-changed={PAGES}");
    let folder = env::var("OUT_DIR").expect("cargo sets it");
    for page in fs::read_dir(PAGES).expect("the folder exists") {
        let page = page.expect("the folder is readable").path();
        let name = page.file_stem().expect("a page has a name").to_string_lossy();
        let text = fs::read_to_string(&page).expect("a page is text");
        for (index, code) in blocks(&text).enumerate() {
            let file = format!("{name}_{}.rs", index + 1);
            fs::write(Path::new(&folder).join(file), code).expect("the folder is writable");
        }
    }
}

/// The blocks of Rust in a page.
fn blocks(page: &str) -> impl Iterator<Item = &str> {
    page.split("```rust\n").skip(1).filter_map(|block| Some(block.split_once("```\n")?.0))
}

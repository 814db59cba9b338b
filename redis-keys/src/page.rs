//! The page `docs/guide/commands.md`: every accessor and what it sends, made of real calls, so that it says what is so.
//!
//! `UPDATE_DOCS=1 cargo test -p redis-keys --all-features page` writes it.

mod bitmap;
mod check;
mod copied;
mod geo;
mod group;
mod hash;
mod hyperloglog;
mod key;
mod list;
mod record;
mod row;
mod scripts;
mod section;
mod set;
mod stream;
mod string;
mod together;
mod zset;

use std::{env, fs, path::Path};

use section::Section;

const BEGINNING: &str = "\
# What each accessor sends

An accessor builds a command; `.query(&mut con)` and `.query_async(&mut con)` run it. This page has them all, by the type of
the key, each with the Redis commands that it sends and with what it gives; what it means stands in the documentation of the
key's trait. The page is made by a test from the calls that stand in it.

- A line is a Redis command; words that are empty are written `\"\"`. What comes after *then* is sent when the answer to what
  stands before it is there.
- An expiry is sent in milliseconds. With `jitter` it is longer, each time by another amount. With `ttl_from_end_of = month` it
  is longer by what is left of the key's month; where that and the `ttl` are over, writes are refused.
- Many writes are a [script](#scripts), an atom as any other command: EVALSHA calls it by its SHA-1, which is shortened here,
  and where the server does not know it EVAL sends its text. Below such a line stands the script's name, with the commands that
  it calls as far as they are needed. A new key that cannot get its expiry it removes again, by UNLINK or DEL.
- A scan sends a command for each page, when its elements are taken; here there are two pages.
- What is refused, and what has nothing to do, such as an addition of no members, sends nothing.
- Reads are shown as they are without `renew`. What `renew = read` and `renew = below(…)` make of a read stands below each
  table.

To choose a type: most values are a [string](#string). An object whose fields are read or written one by one is a
[record](#hash-that-holds-a-record), and never one string for each of its fields.

";

fn sections() -> Vec<Section> {
    vec![
        key::section(),
        string::section(),
        copied::section(),
        record::section(),
        hash::section(),
        list::section(),
        set::section(),
        zset::section(),
        bitmap::section(),
        hyperloglog::section(),
        geo::section(),
        stream::section(),
        group::section(),
        together::section(),
    ]
}

fn page() -> String {
    let sections = sections();
    let links = sections.iter().map(|section| format!("[{}](#{})", section.title, section.anchor()));
    let mut page = format!("{BEGINNING}{}\n", links.collect::<Vec<_>>().join(" · "));
    for section in sections {
        page += &section.markdown();
    }
    page + &scripts::markdown()
}

#[test]
fn the_page_says_what_is_sent() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/guide/commands.md");
    let page = page();
    if env::var_os("UPDATE_DOCS").is_some() {
        return fs::write(path, page).unwrap();
    }
    let there = fs::read_to_string(path).unwrap();
    let differing = there.lines().zip(page.lines()).find(|(there, made)| there != made);
    assert!(
        there == page,
        "docs/guide/commands.md is not up to date, see {differing:#?}\n\
         UPDATE_DOCS=1 cargo test -p redis-keys --all-features page"
    );
}

#[test]
fn the_page_has_every_accessor() {
    assert_eq!(check::missing(&sections()), Vec::<String>::new());
}

#[test]
fn the_readme_leads_to_every_section() {
    let readme = include_str!("../README.md");
    let links = sections().into_iter().map(|section| format!("(docs/guide/commands.md#{})", section.anchor()));
    assert_eq!(links.filter(|link| !readme.contains(link)).collect::<Vec<_>>(), Vec::<String>::new());
}

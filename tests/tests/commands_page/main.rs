//! The page `docs/guide/commands.md`: every accessor and the commands it sends. It is generated from real calls, so it cannot
//! differ from what is sent.

#![allow(deprecated, reason = "renewals are tested without the bounds that lints ask for")]
#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a page that cannot be made is not up to date"
)]

mod accessors;
mod batches;
mod bitmap;
mod bloom;
mod cached;
mod channel;
mod consumer_group;
mod copies;
mod every_key;
mod geo;
mod hash;
mod hyperloglog;
mod jobs;
mod legacy;
mod limit;
mod list;
mod lock;
mod record;
mod row;
mod scripts;
mod section;
mod server;
mod set;
mod stream;
mod string;
mod zset;

use std::path::Path;
use std::{env, fs};

use section::Section;

/// The folder of the crate `redis-keys`.
const CRATE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../redis-keys");

const INTRODUCTION: &str = "\
# Commands

Every accessor with the Redis commands it sends and what it returns, by type of key. An accessor builds a command, which
`.run(&con)` or `.query(&mut con)` runs; the documentation of the key's trait explains what it means. This page is
generated from the calls that it shows.

- Each line is a Redis command. An empty argument is shown as `\"\"`. *then* separates round trips.
- Expiries are in milliseconds. `jitter` adds a random delay. `ttl_from_end_of = month` adds the time until the end of the key's
  month; once that and the `ttl` have passed, writes are rejected.
- `EVALSHA` calls a [script](#scripts), which is atomic like any command. A script is named here by its file instead of its SHA-1.
  `EVAL` sends its text instead, to a server that does not know it yet.
- A scan sends one command per page as its elements are read. The scans here have two pages. `.collect(&con)` returns the
  whole collection instead.
- Blocking calls wait for `WAIT`, here 30 seconds. Some need two commands: one that takes and one that waits.
- A rejected call sends nothing, nor does a call without effect, such as adding no members.
- The second table of a section shows what options change, such as `renew` for reads.

Most values are a [string](#string). Use a [record](#record) for an object whose fields are read or written one by one, not a
string for each field.

";

fn sections() -> Vec<Section> {
    vec![
        every_key::section(),
        string::section(),
        cached::section(),
        copies::section(),
        lock::section(),
        limit::section(),
        record::section(),
        hash::section(),
        list::section(),
        set::section(),
        zset::section(),
        jobs::section(),
        bitmap::section(),
        bloom::section(),
        hyperloglog::section(),
        geo::section(),
        stream::section(),
        consumer_group::section(),
        channel::section(),
        batches::section(),
        legacy::section(),
    ]
}

fn page() -> String {
    let sections = sections();
    let links = sections.iter().map(|section| format!("[{}](#{})", section.title, section.anchor()));
    let mut page = format!("{INTRODUCTION}{}\n", links.collect::<Vec<_>>().join(" · "));
    for section in sections {
        page += &section.markdown();
    }
    page + &scripts::markdown()
}

#[test]
fn the_page_is_up_to_date() {
    let path = Path::new(CRATE).join("docs/guide/commands.md");
    let page = page();
    if env::var_os("UPDATE_DOCS").is_some() {
        return fs::write(path, page).unwrap();
    }
    let current = fs::read_to_string(path).unwrap();
    let difference = current.lines().zip(page.lines()).find(|(current, new)| current != new);
    assert!(
        current == page,
        "docs/guide/commands.md is outdated: {difference:#?}\n\
         help: UPDATE_DOCS=1 cargo test -p redis-keys-tests --test commands_page"
    );
}

#[test]
fn every_accessor_has_a_row() {
    assert_eq!(accessors::missing(&sections()), Vec::<String>::new());
}

#[test]
fn the_readme_links_to_every_section() {
    let readme = fs::read_to_string(Path::new(CRATE).join("README.md")).unwrap();
    let links = sections().into_iter().map(|section| format!("docs/guide/commands.md#{})", section.anchor()));
    assert_eq!(links.filter(|link| !readme.contains(link)).collect::<Vec<_>>(), Vec::<String>::new());
}

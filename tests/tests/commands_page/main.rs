//! The pages of `docs/guide/commands`: every accessor and the commands it sends. They are generated from real calls, so they
//! cannot differ from what is sent.

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
mod rights;
mod row;
mod scripts;
mod section;
mod server;
mod set;
mod stream;
mod string;
mod zset;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs};

use section::Section;

/// The folder of the crate `redis-keys`.
const CRATE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../redis-keys");

const INTRODUCTION: &str = "\
# Commands

```sh
cargo add --dev redis-keys --features testing
```

```rust
use redis_keys::prelude::*;
use redis_keys::testing::text;

/// The name of a user.
#[derive(RedisKey)]
#[redis_key(user:name:{user}:string, value = String, ttl = 1h)]
struct Name {
    user: u64,
}

#[test]
fn the_name_expires() {
    let name = Name { user: 42 };
    assert_eq!(text(name.get()).unwrap(), [\"GET user:name:42:string\"]);
    assert_eq!(text(name.set(\"Ada\")).unwrap(), [\"SET user:name:42:string Ada PX 3600000\"]);
}
```

Which Redis commands does an accessor send? Each type of key has a page with all of its accessors, the commands, and the
type that comes back. The pages are generated from the calls that they show. Most values are a [string]; use a [record] for
an object whose fields you read or write separately, not a string for each field.

";

/// The rules by which the tables are read.
const READING: &str = "
## Reading the tables

- An accessor builds a command. `.run(&con)` or `.query(&mut con)` sends it.
- Each line is a Redis command. An empty argument is shown as `\"\"`, and a byte that is no text as `\\x00`. *then* separates
  round trips.
- Expiries are in milliseconds. `jitter` adds a random delay. `ttl_from_end_of = month` adds the time until the key's month
  ends; writes are rejected once that and the `ttl` have passed.
- `EVALSHA` calls a [script][scripts], which is atomic like any command. The tables show its file instead of its SHA-1.
  `EVAL` sends the text, to a server that does not know the script yet.
- A scan sends one command per page while you read its elements; the scans here have two pages. `.collect(&con)` returns
  the whole collection.
- Blocking calls wait for `WAIT`, here 30 seconds. Some send two commands: the first takes, the second waits.
- Rejected calls and calls without effect, such as adding no members, send nothing.
- A page's second table shows how options change a command, for example `renew` for reads.
";

/// The last page.
const SCRIPTS: &str = "scripts";

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

/// The text of each page by the name of its file.
fn pages() -> BTreeMap<String, String> {
    let sections = sections();
    let mut pages = BTreeMap::from([("README".to_owned(), overview(&sections)), (SCRIPTS.to_owned(), scripts::page())]);
    let next = sections.iter().skip(1).map(Section::file_name).chain([SCRIPTS.to_owned()]);
    for (section, next) in sections.iter().zip(next) {
        pages.insert(section.file_name(), section.page(&next));
    }
    pages
}

fn overview(sections: &[Section]) -> String {
    let mut page = format!("{INTRODUCTION}| page | for |\n|---|---|\n");
    let summaries = sections.iter().map(|section| (section.title, section.summary));
    for (title, summary) in summaries.chain([(SCRIPTS, "the Lua scripts, and the commands that they call")]) {
        let _ = writeln!(page, "| [{title}] | {summary} |");
    }
    page += READING;
    page += "\nNext: [every key].\n\n";
    for title in sections.iter().map(|section| section.title).chain([SCRIPTS]) {
        let _ = writeln!(page, "[{title}]: {}.md", file_name(title));
    }
    page
}

/// The name of the page with this title.
fn file_name(title: &str) -> String {
    title.replace(' ', "_")
}

#[test]
fn every_page_is_up_to_date() {
    let folder = Path::new(CRATE).join("docs/guide/commands");
    let pages = pages();
    if env::var_os("UPDATE_DOCS").is_some() {
        for (name, text) in &pages {
            fs::write(folder.join(name).with_extension("md"), text).unwrap();
        }
    }
    let files: BTreeMap<_, _> = fs::read_dir(folder).unwrap().map(|file| read(&file.unwrap().path())).collect();
    assert_eq!(files.keys().collect::<Vec<_>>(), pages.keys().collect::<Vec<_>>());
    for ((name, current), page) in files.iter().zip(pages.values()) {
        let difference = current.lines().zip(page.lines()).find(|(current, new)| current != new);
        assert!(
            current == page,
            "docs/guide/commands/{name}.md is outdated: {difference:#?}\n\
             help: UPDATE_DOCS=1 cargo test -p redis-keys-tests --test commands_page"
        );
    }
}

/// The name of a page and its text.
fn read(page: &Path) -> (String, String) {
    (page.file_stem().unwrap().to_string_lossy().into(), fs::read_to_string(page).unwrap())
}

#[test]
fn every_accessor_has_a_row() {
    assert_eq!(accessors::missing(&sections()), Vec::<String>::new());
}

#[test]
fn the_readme_links_to_every_type() {
    let readme = fs::read_to_string(Path::new(CRATE).join("README.md")).unwrap();
    let links = sections().into_iter().map(|section| format!("docs/guide/commands/{}.md)", section.file_name()));
    assert_eq!(links.filter(|link| !readme.contains(link)).collect::<Vec<_>>(), Vec::<String>::new());
}

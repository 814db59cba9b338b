//! Policy files that are edited, added and removed.

use std::fs;

use crate::crates::Crates;
use crate::support::must;

const SOURCE: &str = "\
use redis_keys::prelude::*;

#[derive(RedisKey)]
#[redis_key(shop:price:{id}:string, value = u64, ttl = 1h)]
struct Price {
    id: u64,
}

fn main() {
    let _ = Price { id: 1 }.get();
}
";

#[test]
fn editing_and_removing_the_file_take_effect_at_once() {
    let crates = Crates::new("changes");
    let folder = crates.add("changing");
    let policy = folder.join("redis-keys.toml");
    let write = |text: &str| must(fs::write(&policy, text), &policy);
    must(fs::write(folder.join("main.rs"), SOURCE), &folder);
    let messages = || crates.check().remove("changing").unwrap_or_default();

    write("");
    assert_eq!(messages(), "");
    write("modules = [\"user\"]");
    assert!(messages().contains("unknown module `shop`"));
    write("modules = [\"shop\"]");
    assert_eq!(messages(), "");
    write("modules = [\"shop\"");
    assert!(messages().contains("unclosed array"));
    write("modules = [\"user\"]");
    assert!(messages().contains("unknown module `shop`"));
    must(fs::remove_file(&policy), &policy);
    assert_eq!(messages(), "");
}

#[test]
fn removing_the_nearer_file_and_editing_the_one_above_take_effect_at_once() {
    let crates = Crates::new("ended");
    let folder = crates.add("ended");
    let (own, above) = (folder.join("redis-keys.toml"), crates.folder.join("redis-keys.toml"));
    must(fs::write(folder.join("main.rs"), SOURCE), &folder);
    must(fs::write(&own, "modules = [\"shop\"]"), &own);
    must(fs::write(&above, "modules = [\"user\"]"), &above);
    assert_eq!(crates.check().remove("ended"), None);
    must(fs::remove_file(&own), &own);
    let messages = || crates.check().remove("ended").unwrap_or_default();
    assert!(messages().contains("unknown module `shop`"));
    must(fs::write(&above, "modules = [\"shop\"]"), &above);
    assert_eq!(messages(), "");
    must(fs::write(&above, "modules = [\"page\"]"), &above);
    assert!(messages().contains("unknown module `shop`"));
}

#[test]
fn a_new_file_takes_effect_when_the_source_is_touched() {
    let crates = Crates::new("new");
    let folder = crates.add("new");
    let touch = || must(fs::write(folder.join("main.rs"), SOURCE), &folder);
    touch();
    assert_eq!(crates.check().remove("new"), None);
    let policy = folder.join("redis-keys.toml");
    must(fs::write(&policy, "modules = [\"user\"]"), &policy);
    touch();
    let messages = crates.check().remove("new").unwrap_or_default();
    assert!(messages.contains("unknown module `shop`"), "{messages}");
}

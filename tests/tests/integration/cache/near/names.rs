//! Copies of keys in a namespace, with the prefix of a test, and with a legacy text.

use std::process::Command;

use redis_keys::key::namespace;
use redis_keys::prelude::*;
use redis_keys::testing::own_keys;
use redis_keys_tests::Con;

use super::keys::{Adopted, Number, Renamed};
use super::{LOADED, becomes, copied, put, read, start, text};
use crate::cache::PATIENCE;

/// Changes a key by its name in Redis, and waits until that is seen.
async fn change<K: CachedKey<Value = u64>>(
    cache: &redis_keys::cache::Cache<redis_keys::Connection>,
    con: &mut Con,
    key: &K,
    name: &str,
) {
    assert_eq!(text(key), name);
    put(con, key, 1);
    assert!(becomes(cache, key, Some(1), PATIENCE).await.is_some(), "{name}");
    assert_eq!(copied(cache, key).await, Some(1), "{name}");
    let _: String = con.raw(&["SET", name, "2", "PX", "60000"]);
    assert!(becomes(cache, key, Some(2), PATIENCE).await.is_some(), "{name}");
    assert_eq!(copied(cache, key).await, Some(2), "{name}");
    assert!(cache.invalidate(key).await.expect("the server replies"), "{name}");
    assert_eq!(read(cache, key).await, Some(LOADED), "{name}");
}

#[tokio::test]
async fn a_key_with_a_legacy_text_has_the_copy_of_the_name_in_use() {
    let (_server, cache, mut con) = start();
    change(&cache, &mut con, &Adopted { id: 7 }, "Number/7").await;
    change(&cache, &mut con, &Renamed { id: 7 }, "near:renamed:7:string").await;
    change(&cache, &mut con, &Number { id: 7 }, "near:number:{7}:string").await;
}

#[tokio::test]
async fn the_prefixes_of_tests_keep_copies_apart() {
    let (_server, cache, mut con) = start();
    let key = Number { id: 7 };
    put(&mut con, &key, 7);
    assert_eq!(copied(&cache, &key).await, Some(7));
    for _ in 0..2 {
        let keys = own_keys();
        assert_eq!(read(&cache, &key).await, Some(LOADED));
        let name = format!("{}near:number:{{7}}:string", keys.prefix());
        change(&cache, &mut con, &key, &name).await;
    }
    assert_eq!(read(&cache, &key).await, Some(7));
}

#[test]
fn copies_are_of_the_namespace() {
    let program = std::env::current_exe().expect("this binary has a path");
    let arguments = ["--exact", "cache::near::names::in_a_namespace", "--ignored", "--nocapture"];
    let output = Command::new(program).args(arguments).output().expect("this binary runs");
    let printed = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
    assert!(output.status.success() && printed.contains("1 passed"), "{printed}");
}

/// Not a test: it runs in a process of its own, since a process has one namespace.
#[tokio::test]
#[ignore = "runs inside another test"]
async fn in_a_namespace() {
    namespace::set("shop").expect("it is set for the first time");
    namespace::set_legacy_prefix("Old:").expect("it is set for the first time");
    let (_server, cache, mut con) = start();
    let _: String = con.raw(&["SET", "near:number:{7}:string", "9", "PX", "60000"]);
    change(&cache, &mut con, &Number { id: 7 }, "shop:near:number:{7}:string").await;
    change(&cache, &mut con, &Adopted { id: 7 }, "Old:Number/7").await;
    change(&cache, &mut con, &Renamed { id: 7 }, "shop:near:renamed:7:string").await;
}

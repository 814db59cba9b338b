//! The namespace. A process has at most one, so that each test runs in a process of its own.

use std::process::Command;

use redis_keys::ErrorKind;
use redis_keys::key::namespace;
use redis_keys::prelude::*;
use redis_keys::testing::{self, Server};
use redis_keys_tests::Con;

use crate::strings::keys::{CountI64, Note};

/// A key without parameters, of 127 bytes.
#[derive(RedisKey)]
#[redis_key(
    tmp:as.long.as.a.key.can.be.with.nothing.in.front.of.it.but.not.with.a.segment.more.which.makes.it.longer.than.it.may.be:string,
    value = String,
    ttl = 10m,
)]
struct Long;

/// Text.
#[derive(RedisKey)]
#[redis_key(user:name:{user}:string, value = String, ttl = 1h)]
struct Name<'a> {
    user: &'a str,
}

/// A channel.
#[derive(RedisKey)]
#[redis_key(note:changes:{id}:channel, value = u64)]
pub(crate) struct Changes {
    pub(crate) id: u32,
}

/// A hash tag.
#[derive(RedisKey)]
#[redis_key(cart:{#id}:items:string, value = String, ttl = 1h)]
struct Items {
    id: u64,
}

/// A key that exists already, with a prefix from the configuration.
#[derive(Clone, Debug, PartialEq, RedisKey)]
#[redis_key(visits:of.user:{id}:string, value = u64, ttl = 1h, legacy = "User/{id}")]
struct Visits {
    id: u64,
}

/// Runs an ignored test in a process of its own.
#[track_caller]
fn run_in_process(test: &str) {
    let program = std::env::current_exe().expect("this binary has a path");
    let arguments = ["--exact", &format!("namespace::{test}"), "--ignored", "--nocapture"];
    let output = Command::new(program).args(arguments).output().expect("this binary runs");
    let printed = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
    assert!(output.status.success() && printed.contains("1 passed"), "{printed}");
}

#[test]
fn the_namespace_prefixes_every_key() {
    run_in_process("in_front_of_every_key");
}

#[test]
#[ignore = "runs in a process of its own"]
fn in_front_of_every_key() {
    assert_eq!(namespace::get(), None);
    assert!(namespace::set("Shop").is_err(), "the name is invalid");
    namespace::set("shop.staging").expect("it is set for the first time");
    assert_eq!(namespace::get(), Some("shop.staging"));

    let server = Server::start().expect("a server starts");
    for connect in [Con::blocking, Con::multiplexed] {
        let mut con = connect(&server.url());
        con.forget_scripts();
        con.ok(Name { user: "ada" }.set("Ada"));
        // A script by text and by digest, and several keys in one command.
        con.ok(CountI64 { id: 1 }.incr());
        con.ok(Note { id: 1 }.append("a"));
        con.ok(Note { id: 1 }.append("b"));
        assert_eq!(con.ok(Note::get_many([Note { id: 1 }, Note { id: 2 }])), [Some("ab".to_owned()), None]);
        con.ok(Items { id: 42 }.set("x"));
        let mut keys: Vec<String> = con.raw(&["KEYS", "*"]);
        keys.sort();
        let names = ["cart:{42}:items", "count:long:1", "text:note:1", "user:name:ada"];
        assert_eq!(keys, names.map(|name| format!("shop.staging:{name}:string")));
        assert!(con.ok(Note { id: 1 }.unlink()));
        let channel = Changes { id: 1 }.channel().expect("it is valid");
        assert_eq!(channel, "shop.staging:note:changes:1:channel");
        assert_eq!(con.ok(Changes { id: 1 }.publish(&1)), 0);
        // Keys of other namespaces are not found.
        for other in ["text:note:9:string", "shop:text:note:9:string", "shop.staging.text:note:9:string"] {
            let _: String = con.raw(&["SET", other, "x"]);
        }
        con.ok(Note { id: 3 }.set("c"));
        let found = con.scan_keys(Note::scan()).expect("the scan succeeds");
        assert_eq!(found.into_iter().map(|note| note.id).collect::<Vec<_>>(), [3]);
        assert_eq!(Note::parse("shop.staging:text:note:7:string").map(|note| note.id).ok(), Some(7));
        let error = Note::parse("shop:text:note:7:string").err().expect("the namespace differs").to_string();
        assert_eq!(error, "text is not a key of `Note` (text:note:{id}:string): expected the namespace `shop.staging`");
        let _: String = con.raw(&["FLUSHALL"]);
    }
}

#[test]
fn the_namespace_counts_towards_the_key_length() {
    run_in_process("counts_among_the_bytes");
}

#[test]
#[ignore = "runs in a process of its own"]
fn counts_among_the_bytes() {
    namespace::set("eu").expect("it is set for the first time");
    let user = "x".repeat(128 - "eu:user:name::string".len());
    assert_eq!(Name { user: &user }.key().expect("the key is short enough").as_str().len(), 128);
    let error = Name { user: &format!("{user}x") }.key().expect_err("the key is too long");
    assert_eq!(error.kind(), ErrorKind::KeyLength);
    assert_eq!(
        error.to_string(),
        "parameter `user` of `Name` (user:name:{user}:string) has 109 bytes, which makes the key 129 bytes long, 3 of \
         them the namespace: the limit is 128; for long text, add `#[redis_key(digest)]` to the field [key-length]"
    );
    let error = Long.key().expect_err("the key is too long");
    assert!(error.to_string().contains(" has 130 bytes, 3 of them the namespace: the limit is 128"), "{error}");
}

#[test]
fn the_namespace_is_set_once_and_before_any_key() {
    run_in_process("set_once");
    run_in_process("set_too_late");
    run_in_process("set_after_a_parse");
    run_in_process("set_after_a_scan");
    run_in_process("set_by_several_at_once");
}

#[test]
#[ignore = "runs in a process of its own"]
fn set_once() {
    namespace::set("shop").expect("it is set for the first time");
    for again in ["shop", "eu"] {
        let error = namespace::set(again).expect_err("the namespace is already set").to_string();
        assert_eq!(error, "this process already has the namespace `shop`: set it once, at program start");
    }
    assert_eq!(Name { user: "ada" }.key().expect("the key is valid"), "shop:user:name:ada:string");
}

#[test]
#[ignore = "runs in a process of its own"]
fn set_too_late() {
    // Even a rejected key counts.
    assert!(Name { user: "Ada" }.key().is_err());
    assert_too_late();
    assert_eq!(namespace::get(), None);
    assert_eq!(Name { user: "ada" }.key().expect("the key is valid"), "user:name:ada:string");
}

/// Earlier texts were parsed without a namespace.
#[test]
#[ignore = "runs in a process of its own"]
fn set_after_a_parse() {
    assert!(Note::parse("shop:text:note:7:string").is_err());
    assert_too_late();
}

#[test]
#[ignore = "runs in a process of its own"]
fn set_after_a_scan() {
    drop(Note::scan());
    assert_too_late();
}

#[track_caller]
fn assert_too_late() {
    let error = namespace::set("shop").expect_err("keys were already built").to_string();
    assert_eq!(error, "keys were already built, parsed or scanned without a namespace: set it at program start");
}

/// All keys have the same namespace, whichever thread is first.
#[test]
#[ignore = "runs in a process of its own"]
fn set_by_several_at_once() {
    let start = std::sync::Barrier::new(8);
    let keys: Vec<String> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..8)
            .map(|thread| {
                let start = &start;
                scope.spawn(move || {
                    start.wait();
                    if thread % 2 == 0 {
                        // Another thread may have set it or built a key before.
                        drop(namespace::set("shop"));
                    }
                    Name { user: "ada" }.key().expect("the key is valid").into()
                })
            })
            .collect();
        threads.into_iter().map(|thread| thread.join().expect("the thread does not panic")).collect()
    });
    let prefix = namespace::get().map(|namespace| format!("{namespace}:")).unwrap_or_default();
    assert_eq!(keys, vec![format!("{prefix}user:name:ada:string"); 8]);
}

#[test]
fn the_prefix_of_a_test_precedes_the_namespace() {
    run_in_process("together_with_own_keys");
}

#[test]
#[ignore = "runs in a process of its own"]
fn together_with_own_keys() {
    namespace::set("shop").expect("it is set for the first time");
    let user = "x".repeat(128 - "shop:user:name::string".len());
    let own = testing::own_keys();
    let prefix = own.prefix();
    assert_eq!(Name { user: "ada" }.key().expect("the key is valid"), format!("{prefix}shop:user:name:ada:string"));
    assert_eq!(
        Name { user: &user }.key().expect("the key is short enough"),
        format!("{prefix}shop:user:name:{user}:string")
    );
    assert!(Name { user: &format!("{user}x") }.key().is_err());
    let other = std::thread::spawn(|| Name { user: "ada" }.key().expect("the key is valid").to_string());
    assert_eq!(other.join().expect("the thread does not panic"), "shop:user:name:ada:string");
}

#[test]
fn the_namespace_keeps_the_slot_of_a_hash_tag() {
    run_in_process("keeps_the_slot");
}

#[test]
#[ignore = "runs in a process of its own"]
fn keeps_the_slot() {
    namespace::set("shop").expect("it is set for the first time");
    let key = Items { id: 42 }.key().expect("the key is valid");
    assert_eq!(key, "shop:cart:{42}:items:string");
    let tag = key.split(['{', '}']).nth(1);
    assert_eq!(tag, Some("42"));
}

#[test]
fn the_prefix_of_legacy_texts_is_written_as_it_is() {
    run_in_process("in_front_of_legacy_texts");
}

/// A prefix whose characters mean something else in the pattern of a scan.
#[test]
#[ignore = "runs in a process of its own"]
fn in_front_of_legacy_texts() {
    namespace::set_legacy_prefix("[eu]*?\\^").expect("it is set for the first time");
    namespace::set("shop").expect("it is set for the first time");
    let (visits, text) = (Visits { id: 7 }, "[eu]*?\\^User/7");
    assert_eq!(visits.key().expect("the key is valid"), text);
    assert_eq!(Visits::parse(text).expect("it is a key"), visits);
    assert_eq!(visits.clone().other_name().key().expect("the key is valid"), "shop:visits:of.user:7:string");
    for other in ["User/7", "shop:[eu]*?\\^User/7", "[eu]*?^User/7"] {
        let error = Visits::parse(other).expect_err("the prefix differs").to_string();
        assert!(error.ends_with("expected the prefix of legacy texts `[eu]*?\\^`"), "{error}");
    }

    let server = Server::start().expect("a server starts");
    for connect in [Con::blocking, Con::multiplexed] {
        let mut con = connect(&server.url());
        // The pattern matches only the prefix itself, not what it would mean as a pattern.
        for other in ["User/9", "eUser/9", "exyzUser/9", "uxx\\^User/9", "shop:[eu]*?\\^User/9"] {
            let _: String = con.raw(&["SET", other, "1"]);
        }
        let _: String = con.raw(&["SET", text, "41"]);
        assert_eq!(con.ok(visits.incr()), 42);
        let found = con.scan_keys(Visits::scan()).expect("the scan succeeds");
        assert_eq!(found, std::slice::from_ref(&visits));
        let _: String = con.raw(&["FLUSHALL"]);
    }

    let own = testing::own_keys();
    let text = format!("{}{text}", own.prefix());
    assert_eq!(visits.key().expect("the key is valid"), text);
    assert_eq!(Visits::parse(&text).expect("it is a key"), visits);
    let mut con = Con::blocking(&server.url());
    con.ok(visits.set(&1));
    let _: String = con.raw(&["SET", "[eu]*?\\^User/9", "1"]);
    assert_eq!(con.scan_keys(Visits::scan()).expect("the scan succeeds"), [visits]);
}

#[test]
fn the_prefix_of_legacy_texts_is_set_once_and_before_any_key() {
    run_in_process("set_legacy_prefix_once");
    run_in_process("set_legacy_prefix_too_late");
    run_in_process("set_legacy_prefix_after_a_parse");
}

#[track_caller]
fn assert_no_legacy_prefix(prefix: &str, problem: &str) {
    let error = namespace::set_legacy_prefix(prefix).expect_err("the prefix is refused").to_string();
    assert_eq!(error, format!("the prefix of legacy texts {problem}"));
}

const LATE: &str =
    "was set already, or keys were already built, parsed or scanned without it: set it once, at program start";

#[test]
#[ignore = "runs in a process of its own"]
fn set_legacy_prefix_once() {
    assert_no_legacy_prefix(&"x".repeat(65), "exceeds 64 bytes");
    assert_no_legacy_prefix("eu\n", "contains a control character");
    // Keys of templates alone have no legacy text.
    assert!(Name { user: "ada" }.key().is_ok());
    let prefix = "x".repeat(64);
    namespace::set_legacy_prefix(&prefix).expect("it is set for the first time");
    assert_no_legacy_prefix(&prefix, LATE);
    assert_eq!(Visits { id: 7 }.key().expect("the key is valid"), format!("{prefix}User/7"));
}

#[test]
#[ignore = "runs in a process of its own"]
fn set_legacy_prefix_too_late() {
    assert_eq!(Visits { id: 7 }.key().expect("the key is valid"), "User/7");
    assert_no_legacy_prefix("eu:", LATE);
}

#[test]
#[ignore = "runs in a process of its own"]
fn set_legacy_prefix_after_a_parse() {
    assert!(Visits::parse("eu:User/7").is_err());
    assert_no_legacy_prefix("eu:", LATE);
}

/// Legacy texts that can end as a template does.
mod like_templates {
    use redis_keys::prelude::*;

    #[derive(Clone, Debug, PartialEq, RedisKey)]
    #[redis_key(human:name:{id}:string, value = u64, ttl = 1h, legacy = "name:{id}:string")]
    pub(super) struct Person {
        pub(super) id: u64,
    }

    #[derive(Clone, RedisKey)]
    #[redis_key(note:text:{id}:string, value = u64, ttl = 1h, legacy = "noted:{id}")]
    pub(super) struct Note<'a> {
        #[redis_key(no_colon)]
        pub(super) id: &'a str,
    }
}

#[test]
fn a_prefix_gives_no_key_of_a_template() {
    for test in ["a_prefix_like_a_template", "a_harmless_prefix", "a_namespace_like_a_legacy_text"] {
        run_in_process(test);
    }
}

/// `user:` and `name:7:string` would be the key of `Name`.
#[test]
#[ignore = "runs in a process of its own"]
fn a_prefix_like_a_template() {
    namespace::set_legacy_prefix("user:").expect("it is set for the first time");
    let (name, person) = (Name { user: "7" }, like_templates::Person { id: 7 });
    assert_eq!(name.key().expect("it is valid"), "user:name:7:string");
    let error = person.key().expect_err("it is the key of another declaration");
    assert_eq!(
        error.to_string(),
        "key of `Person` (human:name:{id}:string) reads as the key of a template, behind the prefix of legacy texts or in \
         the namespace: another declaration could have the same key; write the prefix into the text, which is then \
         compared with all templates [one-key-each]"
    );
    like_templates::Person::parse("user:name:7:string").expect_err("it is the key of another declaration");
    assert_eq!(person.clone().other_name().key().expect("it is valid"), "human:name:7:string");
    // A scan skips the keys of the other declaration.
    let server = Server::start().expect("a server starts");
    let mut con = Con::blocking(&server.url());
    con.ok(name.set("Ada"));
    assert_eq!(con.scan_keys(like_templates::Person::scan()).expect("the server replies"), []);
    // What no template can write has the prefix.
    assert_eq!(like_templates::Note { id: "7" }.key().expect("it is valid"), "user:noted:7");
    like_templates::Note { id: "string" }.key().expect_err("`User` could have it");
}

#[test]
#[ignore = "runs in a process of its own"]
fn a_harmless_prefix() {
    namespace::set_legacy_prefix("prod/").expect("it is set for the first time");
    assert_eq!(like_templates::Person { id: 7 }.key().expect("it is valid"), "prod/name:7:string");
}

/// `name:user:` and `name:7:string` would be the key of `Name` in the namespace `name`, and others cannot be.
#[test]
#[ignore = "runs in a process of its own"]
fn a_namespace_like_a_legacy_text() {
    namespace::set("shop").expect("it is set for the first time");
    namespace::set_legacy_prefix("shop:user:").expect("it is set for the first time");
    assert_eq!(Name { user: "7" }.key().expect("it is valid"), "shop:user:name:7:string");
    like_templates::Person { id: 7 }.key().expect_err("it is the key of another declaration");
    assert_eq!(like_templates::Note { id: "7" }.key().expect("it is valid"), "shop:user:noted:7");
}

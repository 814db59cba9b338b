//! Drafts of keys that are on a server and in sources.

use redis::Connection;

use crate::audit::run::{run, start};
use crate::command::Ran;
use crate::workspace::Workspace;

/// The draft for a server that is filled like this and a file of sources.
#[track_caller]
fn draft(name: &str, source: &str, fill: impl Fn(&mut Connection)) -> (String, Ran) {
    let (server, mut con) = start();
    fill(&mut con);
    let files = [("src/lib.rs", "pub mod service;\n"), ("src/service.rs", source)];
    let workspace = Workspace::new(name, &[("shop", &files)]);
    let ran = workspace.run(&["adopt", &server.url(), "--full-speed", "--out", "packages/shop/src/keys.rs"]);
    assert_eq!(ran.status, Some(0), "{ran:?}");
    workspace.write("packages/shop/src/lib.rs", "pub mod keys;\n");
    let checked = workspace.run(&["check"]);
    let draft = workspace.read("packages/shop/src/keys.rs");
    assert_eq!(checked.status, Some(0), "{checked:?}\n{draft}");
    (draft, ran)
}

fn set(con: &mut Connection, key: &str) {
    let _: () = run(con, &["SET", key, "1", "EX", "600"]);
}

/// Requests of addresses of both versions, in minutes since 1970.
fn limits(con: &mut Connection) {
    for number in 1..=40 {
        set(con, &format!("rl:192.0.2.{number}:{}", 29_833_000 + number));
        set(con, &format!("rl:2001:db8::{number:x}:1:{}", 29_833_000 + number));
        set(con, &format!("rl:::1:{}", 29_833_000 + number));
    }
}

#[test]
fn types_come_from_the_sources() {
    let source = "use std::net::IpAddr;\n\
        pub struct Request { pub ip: IpAddr, pub user: User }\n\
        pub struct User { pub id: u32 }\n\
        pub fn count(con: &mut redis::Connection, request: &Request, now: i64) -> redis::RedisResult<u64> {\n\
            let minute = now / 60;\n\
            redis::pipe().incr(format!(\"rl:{}:{minute}\", request.ip), 1).query(con)\n\
        }\n\
        pub fn find(con: &mut redis::Connection, user: &User, code: u64) -> redis::RedisResult<String> {\n\
            redis::cmd(\"GET\").arg(format!(\"user-{}-{code:05}\", user.id)).query(con)\n\
        }\n";
    let (draft, ran) = draft("adopt-types", source, |con| {
        limits(con);
        (1..40).for_each(|id| set(con, &format!("user-{id}-{id:05}")));
    });
    assert!(draft.contains("pub ip: std::net::IpAddr,\n        pub minute: i64,"), "{draft}");
    assert!(draft.contains("legacy = \"user-{user_id}-{code:05}\""), "{draft}");
    assert!(draft.contains("pub user_id: u32,\n        pub code: u64,"), "{draft}");
    assert!(ran.stderr.contains("100% of 159 sampled keys are keys of the draft"), "{ran:?}");
}

#[test]
fn an_address_is_split_from_the_end() {
    let source = "pub fn count(con: &mut redis::Connection, ip: &str, minute: &str) -> redis::RedisResult<u64> {\n\
        redis::cmd(\"INCR\").arg(format!(\"rl:{ip}:{minute}\")).query(con)\n\
        }\n";
    let (draft, ran) = draft("adopt-from-the-end", source, limits);
    assert!(draft.contains("pub ip: &'a str,\n        pub minute: u64,"), "{draft}");
    assert!(ran.stderr.contains("100% of 120 sampled keys are keys of the draft"), "{ran:?}");
}

#[test]
fn keys_that_a_draft_rejects_are_not_claimed() {
    let source = "pub fn label(con: &mut redis::Connection, group: &str, name: &str) -> redis::RedisResult<()> {\n\
        redis::cmd(\"SET\").arg(format!(\"label_{group}_{name}\")).arg(1).arg(\"EX\").arg(60).query(con)\n\
        }\n";
    let words = ["tea", "house", "red", "green", "winter", "garden", "stone", "river", "paper", "early"];
    let (draft, ran) = draft("adopt-rejected", source, |con| {
        for one in words {
            for other in words {
                set(con, &format!("label_{one}_{other}"));
                set(con, &format!("label_{one}_{other}_{one}"));
            }
        }
    });
    assert!(
        draft.contains("// TODO: the type of `group`, or `allow(ambiguous_text)`: 100 sampled keys can have"),
        "{draft}"
    );
    assert!(ran.stderr.contains("50% of 200 sampled keys are keys of the draft"), "{ran:?}");
    assert!(ran.stderr.contains("note: 100 more sampled keys can have values that the draft rejects"), "{ran:?}");
}

/// A server has one environment, so its keys do not show that the prefix is a value.
#[test]
fn a_prefix_of_the_sources_is_not_lost() {
    let source = "pub fn plan(con: &mut redis::Connection, env: &str, tenant: u64) -> redis::RedisResult<String> {\n\
        redis::cmd(\"GET\").arg(format!(\"{env}:tenant:{tenant}\")).query(con)\n\
        }\n\
        pub fn members(con: &mut redis::Connection, region: &str, id: u64) -> redis::RedisResult<Vec<String>> {\n\
        redis::cmd(\"SMEMBERS\").arg(format!(\"team:{region}:{id}\")).query(con)\n\
        }\n";
    let (draft, _) = draft("adopt-prefix", source, |con| {
        for id in 0..40 {
            set(con, &format!("prod:tenant:{id}"));
            let _: () = run(con, &["SADD", &format!("team:eu:{id}"), "ada"]);
        }
    });
    let todo = "// TODO: `prod` is `{env}` in the sources: remove it and what separates it, and call \
                `namespace::set_legacy_prefix`";
    assert!(draft.contains(todo) && draft.contains("legacy = \"prod:tenant:{tenant}\""), "{draft}");
    // A value in the middle stays a field.
    assert!(draft.contains("legacy = \"team:{region}:{id}\"") && draft.contains("pub region: &'a str"), "{draft}");
}

/// Two functions name the values of one text in two ways.
#[test]
fn names_of_variables_do_not_matter() {
    let source = "pub fn save(con: &mut redis::Connection, user: u64) -> redis::RedisResult<()> {\n\
        redis::cmd(\"SETEX\").arg(format!(\"cart-{user}\")).arg(60).arg(1).query(con)\n\
        }\n\
        pub fn load(con: &mut redis::Connection, id: u64) -> redis::RedisResult<String> {\n\
        redis::cmd(\"GET\").arg(format!(\"cart-{id}\")).query(con)\n\
        }\n";
    let (draft, _) = draft("adopt-names", source, |_| {});
    assert_eq!(draft.matches("pub struct").count(), 1, "{draft}");
    assert!(draft.contains("SETEX in") && draft.contains("GET in"), "{draft}");
}

/// One field is a counter, the others are text.
#[test]
fn a_counter_among_fields_of_text_is_no_integer() {
    let source = "pub fn visit(con: &mut redis::Connection, id: u64) -> redis::RedisResult<()> {\n\
        let key = format!(\"page-{id}\");\n\
        redis::pipe().hincr(&key, \"views\", 1).ignore().hset(&key, \"title\", \"tea\").ignore().query(con)\n\
        }\n\
        pub fn vote(con: &mut redis::Connection, id: u64) -> redis::RedisResult<()> {\n\
        redis::pipe().hincr(format!(\"votes-{id}\"), \"yes\", 1).ignore().query(con)\n\
        }\n";
    let (draft, _) = draft("adopt-counter", source, |_| {});
    assert!(draft.contains("page:{id}:hash, field = String, value = Vec<u8>"), "{draft}");
    assert!(draft.contains("votes:{id}:hash, field = String, value = i64"), "{draft}");
}

/// Keys of a queue's library are no keys to declare, unless the sources use them.
#[test]
fn keys_of_known_systems_are_proposed_for_the_policy() {
    let source = "pub fn pause(con: &mut redis::Connection) -> redis::RedisResult<()> {\n\
        redis::cmd(\"SET\").arg(\"stat:paused\").arg(1).query(con)\n\
        }\n";
    let (draft, ran) = draft("adopt-foreign", source, |con| {
        for id in 0..30 {
            let _: () = run(con, &["HSET", &format!("bull:mails:{id}"), "name", "x"]);
            let _: () = run(con, &["HSET", &format!("worker-{id}:1:0a1b2c3d4e{id:02}"), "beat", "1"]);
            set(con, &format!("stat:processed:2026-11-{id:02}"));
            set(con, &format!("cart:{id}"));
        }
        let _: () = run(con, &["SADD", "queues", "default"]);
        set(con, "stat:paused");
    });
    for line in [
        "note: 30 keys of bullmq left out of the draft",
        "note: 61 keys of sidekiq left out of the draft",
        "help: write into redis-keys.toml below `[foreign]`, systems = [\"bullmq\", \"sidekiq\"]",
        "wrote 2 declarations",
        "100% of 30 sampled keys are keys of the draft",
    ] {
        assert!(ran.stderr.contains(line), "{line}: {ran:?}\n{draft}");
    }
    assert!(draft.contains("legacy = \"cart:{cart_id}\"") && draft.contains("stat:paused:string"), "{draft}");
}

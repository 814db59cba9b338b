//! What is read, and what is shown of it.

use std::fs;
use std::io::Write as _;
use std::process::Stdio;

use redis_keys::testing::Cluster;
use redis_keys_tests::wait_until;
use serde_json::Value;

use crate::audit::run::{Folder, Ran, Running, calls, fill, run, start, without_declarations};

fn adopt(arguments: &[&str]) -> Ran {
    Ran::new(without_declarations("adopt", &Folder::new(), arguments).output().unwrap())
}

/// The text, the type and the number of each kind of keys, in the order of the list.
#[track_caller]
fn kinds(ran: &Ran) -> Vec<(String, String, u64)> {
    assert_eq!(ran.status, Some(0), "{ran:?}");
    let list: Value = serde_json::from_str(&ran.stdout).unwrap();
    let kind = |kind: &Value| {
        let text = |name: &str| kind[name].as_str().unwrap_or_default().to_owned();
        (text("text"), text("type"), kind["keys"].as_u64().unwrap())
    };
    list["keys"].as_array().unwrap().iter().map(kind).collect()
}

/// The draft that a file has.
#[track_caller]
fn draft(file: &str) -> String {
    let draft = fs::read_to_string(file).unwrap();
    syn::parse_file(&draft).unwrap();
    draft
}

#[test]
fn an_empty_server_has_no_keys() {
    let (server, _con) = start();
    let folder = Folder::new();
    let file = folder.file("keys.rs");
    let ran = adopt(&[&server.url(), "--format", "json", "--out", &file]);
    assert_eq!(kinds(&ran), []);
    assert!(ran.stderr.contains("found 0 kinds of keys"), "{ran:?}");
    assert_eq!(draft(&file), "//! The Redis keys of this project, as they are today.\n");
    assert!(adopt(&[&server.url()]).stdout.starts_with("KEY"));
}

#[test]
fn names_can_be_any_bytes() {
    let (server, mut con) = start();
    let long = "x".repeat(100_000);
    let names: [&[u8]; 12] = [
        b"",
        b"\r\n$5\r\nhello\r\n",
        b"\x1b[2J\x1b]0;title\x07",
        b"\xff\xfe\x00",
        b"<script>alert(1)</script>",
        "\u{202e}gnp.exe".as_bytes(),
        b"{{{}}}",
        b"a\"#:b\\",
        b"self",
        b"*/ mod evil { } /*",
        b"line\nbreak:1",
        long.as_bytes(),
    ];
    for (index, name) in names.iter().enumerate() {
        let mut command = redis::cmd(if index % 2 == 0 { "SET" } else { "RPUSH" });
        command.arg(name).arg("x").exec(&mut con).unwrap();
    }
    for format in ["table", "json", "html"] {
        let folder = Folder::new();
        let file = folder.file("keys.rs");
        let ran = adopt(&[&server.url(), "--full-speed", "--show-keys", "--format", format, "--out", &file]);
        assert_eq!(ran.status, Some(0), "{ran:?}");
        assert!(ran.stderr.contains("in 12 keys without a declaration"), "{ran:?}");
        for text in [&ran.stdout, &ran.stderr, &draft(&file)] {
            assert!(!text.contains(['\x1b', '\x07', '\u{202e}', '\r']), "{text}");
        }
        assert_eq!(ran.stdout.contains("<script>alert"), format != "html", "{}", ran.stdout);
    }
}

#[test]
fn keys_are_shown_on_request() {
    let (server, mut con) = start();
    let secrets = ["9f86d081884c7d659a2feaa0c55ad015", "60303ae22b998861bce3b28f33eec1be"].map(str::to_owned);
    for secret in secrets.into_iter().chain((10..20).map(|id| format!("9f86d081884c7d659a2feaa0c55ad0{id}"))) {
        let _: String = run(&mut con, &["SET", &format!("sess:{secret}"), "x", "EX", "60"]);
    }
    for (shows, options) in [(false, &[][..]), (true, &["--show-keys"][..])] {
        for format in ["table", "json", "html"] {
            let folder = Folder::new();
            let (file, url) = (folder.file("keys.rs"), server.url());
            let ran = adopt(&[options, &[&url, "--format", format, "--out", &file]].concat());
            for text in [&ran.stdout, &draft(&file)] {
                assert!(text.contains("sess:{"), "{text}");
                assert_eq!(text.contains("9f86d081") || text.contains("60303ae2"), shows, "{format}: {text}");
            }
        }
    }
}

#[test]
fn values_are_read_on_request() {
    let (server, mut con) = start();
    for id in 0..30 {
        for words in [
            &["SET", &format!("visits:{id}"), "42", "EX", "600"][..],
            &["SET", &format!("page:{id}"), "{\"title\":\"tea\"}", "EX", "600"],
            &["SET", &format!("blob:{id}"), &"\u{1}x".repeat(9), "EX", "600"],
            &["HSET", &format!("cart:{id}"), "item", "3"],
            &["RPUSH", &format!("mails:{id}"), "to Ada", "17"],
            &["ZADD", &format!("best:{id}"), "2.5", "ada"],
        ] {
            let _: redis::Value = run(&mut con, words);
        }
        redis::cmd("SET").arg(format!("image:{id}")).arg(b"\xff\xd8\xff").arg("EX").arg(600).exec(&mut con).unwrap();
    }
    let folder = Folder::new();
    let (bytes, typed) = (folder.file("bytes.rs"), folder.file("typed.rs"));
    let _: String = run(&mut con, &["CONFIG", "RESETSTAT"]);
    let ran = adopt(&[&server.url(), "--full-speed", "--out", &bytes]);
    assert_eq!(ran.status, Some(0), "{ran:?}");
    for command in ["get", "getrange", "hscan", "lrange", "zscan", "hgetall", "dump"] {
        assert_eq!(calls(&mut con, command), 0, "{command}");
    }
    assert_eq!(draft(&bytes).matches("value = Vec<u8>").count(), 7);
    let ran = adopt(&[&server.url(), "--full-speed", "--values", "--out", &typed, "--format", "json"]);
    assert_eq!(ran.status, Some(0), "{ran:?}");
    assert!(calls(&mut con, "getrange") < 120, "only some are read");
    let draft = draft(&typed);
    for text in [
        "visits:{visit_id}:string, value = i64,",
        "page:{page}:string, value = String,",
        "// values: JSON",
        "cart:{cart_id}:hash, field = String, value = i64,",
        "mails:{mail_id}:list, value = String,",
        "// values: integers, text",
        "best:{best_id}:zset, value = String,",
        "image:{image_id}:string, value = Vec<u8>,",
        "// values: bytes",
    ] {
        assert!(draft.contains(text), "{text}\n{draft}");
    }
    assert!(ran.stdout.contains(r#""JSON""#) && !format!("{}{draft}", ran.stdout).contains("Ada"), "{ran:?}");
}

/// What exceeds a limit of declarations gets the option that raises it, and a person decides about the rest.
#[test]
fn limits_are_named_where_keys_exceed_them() {
    let (server, mut con) = start();
    let large = "x".repeat(20_000);
    for id in 0..20 {
        let _: () = run(&mut con, &["HSET", &format!("doc:{id}"), "one", &large, "two", &large]);
        let _: () = run(&mut con, &["SET", &format!("lease:{id}"), "x", "EX", "400000000"]);
    }
    let mut entries = redis::cmd("RPUSH");
    entries.arg("feed");
    let mut scores = redis::cmd("ZADD");
    scores.arg("board");
    for number in 0..6_000 {
        entries.arg(number);
        scores.arg(number).arg(number);
    }
    entries.exec(&mut con).unwrap();
    scores.exec(&mut con).unwrap();
    // Names of a single key could be secrets.
    for options in [&["--show-keys"][..], &["--show-keys", "--values"]] {
        let folder = Folder::new();
        let file = folder.file("keys.rs");
        let ran = adopt(&[options, &[&server.url(), "--full-speed", "--out", &file]].concat());
        assert_eq!(ran.status, Some(0), "{ran:?}");
        let draft = draft(&file);
        for text in [
            "// TODO: the largest element: some have about ",
            "max_member_bytes = 64KB",
            "// TODO: the ttl: 4629d15h are left, and 3650d is the longest",
            "ttl = 3650d",
            "// TODO: the largest has 6,000 elements: writes that exceed 5,000 are rejected, so split it by one more \
             field, or `keep_last = 5000`",
            "or `keep_top = 5000`",
            "pub struct Feed;",
        ] {
            assert!(draft.contains(text), "{text}\n{draft}");
        }
    }
}

/// A file's name need not be one of a module.
#[test]
fn a_module_can_be_added_whatever_its_file_is_called() {
    let (server, _con) = start();
    for (name, item) in [
        ("keys.rs", "`mod keys;`"),
        ("my-keys.rs", "`#[path = \"my-keys.rs\"] mod my_keys;`"),
        ("type.rs", "`mod r#type;`"),
        ("2024.rs", "`#[path = \"2024.rs\"] mod keys_2024;`"),
        ("keys/mod.rs", "`mod keys;`"),
        ("keys", "`#[path = \"keys\"] mod keys;`"),
    ] {
        let folder = Folder::new();
        std::fs::create_dir_all(std::path::Path::new(&folder.file(name)).parent().unwrap()).unwrap();
        let ran = adopt(&[&server.url(), "--out", &folder.file(name)]);
        assert!(ran.stderr.contains(&format!("help: add {item} to the file")), "{ran:?}");
    }
}

/// A `Uuid` writes lower case.
#[test]
fn identifiers_in_lower_case_are_uuids() {
    let (server, mut con) = start();
    for number in 0..20 {
        let uuid = format!("67e55044-10b1-426f-9247-bb680e5fe{number:03}");
        let _: () = run(&mut con, &["SET", &format!("basket:{uuid}"), "x"]);
        let _: () = run(&mut con, &["SET", &format!("device:{}", uuid.to_uppercase()), "x"]);
    }
    let folder = Folder::new();
    let file = folder.file("keys.rs");
    let ran = adopt(&[&server.url(), "--out", &file]);
    let draft = draft(&file);
    assert!(draft.contains("pub basket_id: uuid::Uuid"), "{draft}");
    assert_eq!(draft.matches("uuid::Uuid").count(), 1, "{draft}");
    assert!(ran.stderr.contains("help: the draft needs `cargo add uuid`"), "{ran:?}");
}

#[test]
fn every_node_of_a_cluster_is_read() {
    let cluster = Cluster::start_with_replicas(1).unwrap();
    crate::audit::cluster::fill(&cluster);
    let expected = [("user:name:{integer}:string".to_owned(), "string".to_owned(), 6_000)];
    for options in [&[][..], &["--replicas"][..]] {
        let url = &cluster.urls()[0];
        let ran = adopt(&[options, &[url, "--full-speed", "--format", "json"]].concat());
        assert_eq!(kinds(&ran), expected, "{ran:?}");
    }
}

#[test]
fn a_replica_is_read() {
    let (primary, mut con) = start();
    let (replica, mut replica_con) = start();
    fill(&mut con, 300);
    let _: String = run(&mut replica_con, &["REPLICAOF", "127.0.0.1", &primary.port().to_string()]);
    wait_until("the replica has all keys", || run::<u64>(&mut replica_con, &["DBSIZE"]) == 300);
    let ran = adopt(&[&replica.url(), "--full-speed", "--values", "--format", "json"]);
    assert_eq!(kinds(&ran), [("user:name:{integer}:string".to_owned(), "string".to_owned(), 300)]);
}

#[test]
fn what_may_not_be_asked_is_said() {
    let (server, mut con) = start();
    fill(&mut con, 500);
    let _: String = run(&mut con, &["ACL", "SETUSER", "reader", "on", "nopass", "~*", "+@all", "-memory", "-strlen"]);
    let url = server.url().replace("redis://", "redis://reader:x@");
    let ran = adopt(&[&url, "--full-speed", "--format", "json"]);
    assert_eq!(kinds(&ran), [("user:name:{integer}:string".to_owned(), "string".to_owned(), 500)]);
    assert!(ran.stderr.contains("MEMORY"), "{ran:?}");
    let _: String = run(&mut con, &["ACL", "SETUSER", "reader", "-type"]);
    let ran = adopt(&[&url, "--full-speed", "--format", "json"]);
    assert_eq!(kinds(&ran), [("user:name:{integer}:string".to_owned(), String::new(), 500)]);
    assert!(ran.stderr.contains("`TYPE` is refused"), "{ran:?}");
}

#[test]
fn a_file_is_never_overwritten() {
    let (server, mut con) = start();
    fill(&mut con, 10);
    let folder = Folder::new();
    let file = folder.write("keys.rs", "as it was");
    let ran = adopt(&[&server.url(), "--out", &file]);
    assert!(ran.failure().contains("exists already"), "{ran:?}");
    assert_eq!(fs::read_to_string(&file).unwrap(), "as it was");
    let missing = folder.file("missing/keys.rs");
    assert!(adopt(&[&server.url(), "--out", &missing]).failure().contains("cannot write"));
}

#[test]
fn what_was_learned_is_shown_when_it_is_interrupted() {
    let (server, mut con) = start();
    fill(&mut con, 10_000);
    let folder = Folder::new();
    let file = folder.file("keys.rs");
    let arguments = [&server.url(), "--format", "json", "--out", &file];
    let running = Running::start(without_declarations("adopt", &folder, &arguments), &mut con);
    running.signal("INT");
    let ran = running.finish();
    let [(text, _, keys)] = &kinds(&ran)[..] else { panic!("{ran:?}") };
    assert_eq!(text, "user:name:{integer}:string");
    assert!((1..10_000).contains(keys), "{ran:?}");
    assert!(ran.stderr.contains(" of about 10,000 keys were read"), "{ran:?}");
    assert!(draft(&file).contains("user:name:{name_id}:string"));
}

#[test]
fn a_sample_says_how_sure_it_is() {
    let (server, mut con) = start();
    fill(&mut con, 5_000);
    let ran = adopt(&[&server.url(), "--full-speed", "--sample", "1000", "--format", "json"]);
    assert_eq!(kinds(&ran)[0].2, 1_000);
    // The rule of three: with 95 % certainty, at most 3/1,000 of all keys are of a kind that none of 1,000 has.
    let note = "note: 1,000 of about 5,000 keys were read (20%); kinds of fewer than 15 keys may be missing";
    assert!(ran.stderr.contains(note), "{ran:?}");
}

#[test]
fn names_can_come_from_a_list() {
    let folder = Folder::new();
    let mut list = b"\xff\xfe\r\n\n".to_vec();
    (0..200).for_each(|id| writeln!(list, "Cart_{id}").unwrap());
    let file = folder.file("names");
    fs::write(&file, &list).unwrap();
    let expected = [("Cart_{integer}".to_owned(), String::new(), 200), ("{text}".to_owned(), String::new(), 1)];
    assert_eq!(kinds(&adopt(&["--keys", &file, "--format", "json"])), expected);
    let mut command = without_declarations("adopt", &folder, &["--keys", "-", "--format", "json"]);
    let mut running = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    running.stdin.take().unwrap().write_all(&list).unwrap();
    assert_eq!(kinds(&Ran::new(running.wait_with_output().unwrap())), expected);
    assert!(adopt(&["--keys", &folder.file("missing")]).failure().contains("cannot read"));
    let both = adopt(&["--keys", &file, "redis://127.0.0.1:1"]);
    assert!(both.failure().contains("cannot be used with"), "{both:?}");
}

#[test]
fn without_keys_and_sources_there_is_nothing_to_read() {
    let folder = Folder::new();
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_cargo-redis-keys"));
    let ran = Ran::new(command.arg("adopt").current_dir(folder.file("")).output().unwrap());
    assert!(ran.failure().contains("there are neither keys nor sources to read"), "{ran:?}");
}

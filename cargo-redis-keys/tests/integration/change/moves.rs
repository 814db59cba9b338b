//! Keys that are renamed to the name in use.

use redis::Connection;
use redis::cluster::ClusterClient;
use redis_keys::testing::Cluster;
use serde_json::{Value, json};

use super::run::{Folder, Ran, catalog, dump, in_front_of, key, number_of, planned, run, start};

/// A declaration with a text beside its template, under `legacy` or `formerly`.
fn named(option: &str, name: &str, template: &str, ttl_ms: Option<u64>, text: &str) -> Value {
    let mut declared = key(name, template, ttl_ms, 0);
    declared[option] = json!(text);
    declared
}

fn keys(option: &str) -> Vec<Value> {
    let mut own = named(option, "Own", "own:data:{id}:string", Some(3_600_000), "Own/{id}");
    own["parameters"][0]["type"] = json!("OwnId");
    own["parameters"][0]["values"] = json!(null);
    let mut lock = named(option, "Lock", "lock:order:{id}:string", Some(3_600_000), "lock-{id}");
    lock["pattern"] = json!("lock");
    vec![
        named(option, "Profile", "user:profile:{#id}:hash", Some(3_600_000), "User:{{{id:05}}}"),
        named(option, "Kept", "app:kept:{id}:string", None, "Kept_{id}"),
        key("Name", "user:name:{id}:string", Some(3_600_000), 0),
        own,
        lock,
    ]
}

fn moves(folder: &Folder, option: &str, arguments: &[&str]) -> Ran {
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_cargo-redis-keys"));
    command.arg("move").args(arguments).args(["--full-speed", "--catalog", &catalog(folder, &keys(option), &[])]);
    Ran::new(command.env_remove("REDISCLI_AUTH").output().unwrap())
}

fn plan(folder: &Folder, option: &str, url: &str) -> String {
    let file = folder.file("plan");
    let ran = moves(folder, option, &[url, "--plan", &file]);
    assert_eq!(ran.status, Some(0), "{ran:?}");
    file
}

fn fill(con: &mut Connection) {
    for id in 0..300 {
        let _: u64 = run(con, &["HSET", &format!("User:{{{id:05}}}"), "name", &format!("{id}")]);
    }
    let _: u64 = run(con, &["PEXPIRE", "User:{00007}", "500000"]);
    for key in ["Kept_1", "user:name:1:string", "Own/1", "lock-1", "User:{00299}x"] {
        let _: () = run(con, &["SET", key, "x"]);
    }
    let _: u64 = run(con, &["HSET", "User:{0299}", "a", "b"]);
    let _: u64 = run(con, &["DEL", "User:{00298}"]);
    let _: u64 = run(con, &["RPUSH", "User:{00298}", "of another type"]);
}

fn ttl(con: &mut Connection, key: &str) -> i64 {
    run(con, &["PTTL", key])
}

#[test]
fn keys_get_the_name_in_use_and_an_expiry() {
    let (server, mut con) = start();
    fill(&mut con);
    let before = dump(&mut con);
    let folder = Folder::new();
    let ran = moves(&folder, "formerly", &[&server.url()]);
    assert_eq!(number_of(&ran, "would be moved"), 300, "{ran:?}");
    for why in [
        "left out: 1 key of another type than declared",
        "left out: 1 key of caches, locks and queues of jobs, which are not moved",
        "left out: 1 key of `shop::keys::Profile`: the other name is not certain",
        "left out: 1 key of `shop::keys::Own`: only the program knows how `id` of type `OwnId` is written",
    ] {
        assert!(ran.stdout.contains(why), "{why}: {ran:?}");
    }
    assert_eq!(dump(&mut con), before, "without `--yes` nothing is changed");
    let file = plan(&folder, "formerly", &server.url());
    let line = planned(&file).into_iter().find(|line| line["key"] == "User:{00042}").unwrap();
    assert_eq!((&line["to"], &line["set_ttl_ms"]), (&json!("user:profile:{42}:hash"), &json!(3_600_000)));
    let ran = moves(&folder, "formerly", &[&server.url(), "--plan", &file, "--yes", "--show-keys"]);
    assert_eq!((ran.status, number_of(&ran, " moved, ")), (Some(0), 300), "{ran:?}");

    let after = dump(&mut con);
    assert_eq!(after.len(), before.len());
    for id in (0..300).filter(|id| *id != 298) {
        let (old, new) = (format!("User:{{{id:05}}}"), format!("user:profile:{{{id}}}:hash"));
        assert_eq!(after[new.as_bytes()].0, before[old.as_bytes()].0);
        let left = ttl(&mut con, &new);
        let expected = if id == 7 { 400_000..=500_000 } else { 3_500_000..=3_600_000 };
        assert!(expected.contains(&left), "{new}: {left}");
    }
    assert_eq!(ttl(&mut con, "app:kept:1:string"), -1);
    for key in ["User:{00298}", "user:name:1:string", "Own/1", "lock-1", "User:{00299}x", "User:{0299}"] {
        assert_eq!(after[key.as_bytes()], before[key.as_bytes()], "{key}");
    }
    // To repeat it is safe.
    let again = moves(&folder, "formerly", &[&server.url(), "--plan", &file, "--yes"]);
    assert_eq!((again.status, number_of(&again, "moved already")), (Some(0), 300), "{again:?}");
    // And `legacy` is the way back.
    let file = {
        std::fs::remove_file(&file).unwrap();
        plan(&folder, "legacy", &server.url())
    };
    let back = moves(&folder, "legacy", &[&server.url(), "--plan", &file, "--yes"]);
    assert_eq!((back.status, number_of(&back, " moved, ")), (Some(0), 300), "{back:?}");
    let values = |dump: &std::collections::BTreeMap<Vec<u8>, (Vec<u8>, bool)>| {
        dump.iter().map(|(key, (value, _))| (key.clone(), value.clone())).collect::<Vec<_>>()
    };
    assert_eq!(values(&dump(&mut con)), values(&before));
}

/// The name of a template is in the namespace, and a legacy text behind its prefix.
#[test]
fn names_have_their_namespace_and_their_prefix() {
    let (server, mut con) = start();
    for key in ["eu/User:{00001}", "User:{00002}", "us/User:{00003}", "eu/user:profile:{4}:hash"] {
        let _: u64 = run(&mut con, &["HSET", key, "a", "b"]);
    }
    let folder = Folder::new();
    let url = server.url();
    let options = ["--namespace", "shop", "--legacy-prefix", "eu/"];
    let file = folder.file("plan");
    let ran = moves(&folder, "formerly", &[&[&url, "--plan", &file], &options[..]].concat());
    assert_eq!(number_of(&ran, "would be moved"), 1, "{ran:?}");
    let ran = moves(&folder, "formerly", &[&url, "--plan", &file, "--yes"]);
    assert_eq!((ran.status, number_of(&ran, " moved, ")), (Some(0), 1), "{ran:?}");
    let mut keys: Vec<String> = run(&mut con, &["KEYS", "*"]);
    keys.sort();
    let others = ["User:{00002}", "eu/user:profile:{4}:hash", "shop:user:profile:{1}:hash", "us/User:{00003}"];
    assert_eq!(keys, others);
    std::fs::remove_file(&file).unwrap();
    let ran = moves(&folder, "legacy", &[&[&url, "--plan", &file], &options[..]].concat());
    assert_eq!(number_of(&ran, "would be moved"), 1, "{ran:?}");
    let ran = moves(&folder, "legacy", &[&url, "--plan", &file, "--yes"]);
    assert_eq!((ran.status, number_of(&ran, " moved, ")), (Some(0), 1), "{ran:?}");
    assert!(run::<bool>(&mut con, &["EXISTS", "eu/User:{00001}"]));
}

#[test]
fn what_changed_since_the_plan_stays() {
    let (server, mut con) = start();
    fill(&mut con);
    let folder = Folder::new();
    let file = plan(&folder, "formerly", &server.url());
    let _: u64 = run(&mut con, &["HSET", "user:profile:{1}:hash", "name", "another"]);
    let _: u64 = run(&mut con, &["DEL", "User:{00002}", "User:{00003}"]);
    let _: () = run(&mut con, &["SET", "User:{00003}", "x"]);
    let _: () = run(&mut con, &["RENAME", "User:{00004}", "user:profile:{4}:hash"]);
    // Lines of a plan can be edited.
    let text = std::fs::read_to_string(&file).unwrap().replace("user:profile:{5}:hash", "user:profile:{6}:hash");
    std::fs::write(&file, text).unwrap();
    let ran = moves(&folder, "formerly", &[&server.url(), "--plan", &file, "--yes", "--show-keys"]);
    assert_eq!((ran.status, number_of(&ran, " moved, ")), (Some(1), 295), "{ran:?}");
    assert_eq!((number_of(&ran, "gone already"), number_of(&ran, "moved already")), (1, 1), "{ran:?}");
    for line in [
        "User:{00001}: there is a key of the new name",
        "User:{00003}: it has another type",
        "User:{00005}: its declaration gives it another name",
    ] {
        assert!(ran.stdout.contains(line), "{line}: {ran:?}");
    }
    let names: Vec<String> = run(&mut con, &["HVALS", "user:profile:{1}:hash"]);
    assert_eq!(names, ["another"]);
}

/// The connection ends before or after a script has run, and the command is repeated.
#[test]
fn nothing_is_lost_with_the_connection() {
    for before in [true, false] {
        let (server, mut con) = start();
        fill(&mut con);
        let folder = Folder::new();
        let file = plan(&folder, "formerly", &server.url());
        let front = in_front_of(&server, move |index, run| match (index % 40, before) {
            (7, true) => Vec::new(),
            (7, false) => {
                run();
                Vec::new()
            }
            _ => run(),
        });
        let text = std::fs::read_to_string(&file).unwrap();
        let address = |url: &str| url.trim_start_matches("redis://").trim_end_matches('/').to_owned();
        std::fs::write(&file, text.replace(&address(&server.url()), &address(&front.url()))).unwrap();
        let ran = moves(&folder, "formerly", &[&front.url(), "--plan", &file, "--yes"]);
        let moved = number_of(&ran, " moved, ") + number_of(&ran, "moved already");
        assert_eq!((ran.status, moved), (Some(0), 300), "{ran:?}");
        let moved: Vec<String> = run(&mut con, &["KEYS", "user:profile:*"]);
        assert_eq!(moved.len(), 299);
        assert!(moved.iter().all(|key| ttl(&mut con, key) > 0));
    }
}

/// A number that the type does not have is in no name that a program reads.
#[test]
fn numbers_beyond_their_type_stay() {
    let (server, mut con) = start();
    for id in ["18446744073709551615", "18446744073709551616", "99999999999999999999999"] {
        let _: u64 = run(&mut con, &["HSET", &format!("User:{{{id}}}"), "a", "b"]);
    }
    let folder = Folder::new();
    let ran = moves(&folder, "formerly", &[&server.url()]);
    assert_eq!(number_of(&ran, "would be moved"), 1, "{ran:?}");
    let why = "left out: 2 keys of `shop::keys::Profile`: `id` is beyond the numbers of its type";
    assert!(ran.stdout.contains(why), "{ran:?}");
}

/// A line that was edited cannot let a key expire at once.
#[test]
fn an_edited_expiry_stays() {
    let (server, mut con) = start();
    let _: u64 = run(&mut con, &["HSET", "User:{00001}", "a", "b"]);
    let folder = Folder::new();
    let file = plan(&folder, "formerly", &server.url());
    let text = std::fs::read_to_string(&file).unwrap();
    for edited in ["\"set_ttl_ms\":1", "\"set_ttl_ms\":null"] {
        std::fs::write(&file, text.replace("\"set_ttl_ms\":3600000", edited)).unwrap();
        let ran = moves(&folder, "formerly", &[&server.url(), "--plan", &file, "--yes", "--show-keys"]);
        assert_eq!(ran.status, Some(1), "{ran:?}");
        assert!(ran.stdout.contains("its declaration gives it another expiry"), "{ran:?}");
    }
    assert_eq!(ttl(&mut con, "User:{00001}"), -1);
}

#[test]
fn a_key_of_another_declaration_stays() {
    let (server, mut con) = start();
    for key in ["app_7", "app_x"] {
        let _: () = run(&mut con, &["SET", key, "x"]);
    }
    let folder = Folder::new();
    let mut any = named("formerly", "Any", "app:any:{name}:string", Some(3_600_000), "app_{name}");
    any["parameters"][0]["type"] = json!("String");
    any["parameters"][0]["values"] = json!("any");
    any["allowed"] = json!([{ "lint": "overlap", "reason": "a test" }]);
    let number = named("formerly", "Number", "app:number:{id}:string", Some(3_600_000), "app_{id}");
    let path = catalog(&folder, &[any, number], &[]);
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_cargo-redis-keys"));
    let ran = Ran::new(command.args(["move", &server.url(), "--full-speed", "--catalog", &path]).output().unwrap());
    assert_eq!(number_of(&ran, "would be moved"), 1, "{ran:?}");
    assert!(ran.stdout.contains("another declaration can produce it too"), "{ran:?}");
}

#[test]
fn a_cluster_keeps_what_would_change_its_slot() {
    let cluster = Cluster::start().unwrap();
    let mut con = ClusterClient::new(cluster.urls()).and_then(|client| client.get_connection()).unwrap();
    for id in 0..200 {
        redis::cmd("HSET").arg(format!("User:{{{id}}}")).arg("a").arg("b").exec(&mut con).unwrap();
        redis::cmd("SET").arg(format!("Kept_{id}")).arg("x").exec(&mut con).unwrap();
    }
    let folder = Folder::new();
    let mut keys = keys("formerly");
    keys[0]["formerly"] = json!("User:{{{id}}}");
    let path = catalog(&folder, &keys, &[]);
    let url = &cluster.urls()[1];
    let file = folder.file("plan");
    let run = |arguments: &[&str]| {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_cargo-redis-keys"));
        Ran::new(command.args(["move", url, "--full-speed", "--catalog", &path]).args(arguments).output().unwrap())
    };
    let ran = run(&["--plan", &file]);
    let left = ran.stdout.lines().find(|line| line.contains("different slots")).unwrap_or_default();
    let left: u64 = left.split(' ').nth(2).and_then(|number| number.parse().ok()).unwrap_or(0);
    let planned = number_of(&ran, "would be moved");
    // A slot can be the same by chance.
    assert!((198..=200).contains(&left) && planned + left == 400, "{ran:?}");
    let ran = run(&["--plan", &file, "--yes"]);
    assert_eq!((ran.status, number_of(&ran, " moved, ")), (Some(0), planned), "{ran:?}");
    for id in 0..200 {
        let key = format!("user:profile:{{{id}}}:hash");
        let value: Option<String> = redis::cmd("HGET").arg(key).arg("a").query(&mut con).unwrap();
        assert_eq!(value.as_deref(), Some("b"));
    }
}

/// The script does what `take_over` of the library does.
#[test]
fn both_scripts_do_the_same() {
    const MOVE: &str = include_str!("../../../src/operate/change/move.lua");
    const TAKE_OVER: &str = include_str!("../../../../redis-keys/src/lua/take_over.lua");
    let (server, mut con) = start();
    let state = |con: &mut Connection| {
        let read = |con: &mut Connection, key: &str| {
            let kind: String = run(con, &["TYPE", key]);
            let left: i64 = run(con, &["PTTL", key]);
            // The parts of 100 seconds, of which no expiry is near an end.
            (kind, left.signum(), (left + 50_000) / 100_000)
        };
        (read(con, "old"), read(con, "new"))
    };
    let writes: [&[&[&str]]; 6] = [
        &[],
        &[&["SET", "old", "x"]],
        &[&["SET", "old", "x", "EX", "600"]],
        &[&["SET", "new", "x", "EX", "600"]],
        &[&["SET", "old", "x"], &["SET", "new", "x"]],
        &[&["RPUSH", "old", "x"]],
    ];
    for write in writes {
        for ttl in ["", "300000"] {
            let mut states = Vec::new();
            for (script, keys, arguments) in
                [(MOVE, ["old", "new"], &["string", ttl, ""][..]), (TAKE_OVER, ["new", "old"], &[ttl, "string"])]
            {
                let _: () = run(&mut con, &["FLUSHALL"]);
                for words in write {
                    let _: redis::Value = run(&mut con, words);
                }
                let mut eval = redis::cmd("EVAL");
                let _: redis::RedisResult<redis::Value> =
                    eval.arg(script).arg(2).arg(&keys).arg(arguments).query(&mut con);
                states.push(state(&mut con));
            }
            assert_eq!(states[0], states[1], "{write:?} {ttl}");
        }
    }
    drop(server);
}

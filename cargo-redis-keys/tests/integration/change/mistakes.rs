//! Mistakes that could remove a key.

use std::fs;
use std::process::Command;

use redis::Connection;
use redis_keys::testing::Server;
use redis_keys_tests::wait_until;
use serde_json::json;

use super::run::{
    Folder, Ran, act, calls, catalog, change, command, connect, dump, key, keys, number_of, plan, planned, run, start,
    write_idle,
};
use crate::workspace::Workspace;

const NAME: &str = "user:name:1:string";

#[test]
fn a_key_that_looks_like_a_url_is_no_url() {
    let (server, mut con) = start();
    for key in ["redis://:a@b", "redis://b"] {
        let _: () = run(&mut con, &["SET", key, "x"]);
    }
    let _: String = run(&mut con, &["CONFIG", "SET", "requirepass", "sesame"]);
    let url = server.url().replace("redis://", "redis://:sesame@");
    let ran = change(&Folder::new(), &["purge", "--key", "redis://:a@b", &url, "--yes"]);
    assert_eq!((ran.status, number_of(&ran, "removed")), (Some(0), 1), "{ran:?}");
    assert_eq!(dump(&mut con).keys().collect::<Vec<_>>(), [b"redis://b"]);
}

#[test]
fn a_message_about_arguments_has_no_password() {
    let url = "redis://ada:ses@me/x@localhost";
    for arguments in [
        &["purge", "redis://localhost", url][..],
        &["audit", "--sample", url],
        &["audit", "--share", url, url],
        &[url],
        &["lookup", "--format", url],
        &["expire", &format!("--yes={url}")],
        &["purge", "redis://localhost", "unix:///a?pass=ses@me"],
    ] {
        let output = Command::new(env!("CARGO_BIN_EXE_cargo-redis-keys")).args(arguments).output().unwrap();
        let ran = Ran::new(output);
        assert!(!ran.failure().contains("ses"), "{ran:?}");
    }
}

#[test]
fn another_server_at_the_same_address_is_refused() {
    let (server, mut con) = start();
    write_idle(&mut con, &["SET", NAME, "x"]);
    let folder = Folder::new();
    let file = plan(&folder, &["purge", &server.url(), "--schema", "Name"]);
    let port = server.port();
    drop(server);
    let server = Server::start_on(port).unwrap();
    let mut con = connect(&server.url());
    write_idle(&mut con, &["SET", NAME, "x"]);
    let ran = act(&folder, "purge", &server.url(), &file, &[]);
    assert!(ran.failure().contains("was restarted since"), "{ran:?}");
    assert!(ran.failure().contains("help: make a new plan"), "{ran:?}");
    assert_eq!(dump(&mut con).len(), 1);
}

/// After the clock of a server was set back, a later use seems to be long before the planned one.
#[test]
fn a_last_use_before_the_planned_one_is_another_use() {
    let (server, mut con) = start();
    write_idle(&mut con, &["SET", NAME, "x"]);
    let folder = Folder::new();
    let file = plan(&folder, &["purge", &server.url(), "--schema", "Name"]);
    let planned_use = planned(&file)[0]["last_use"].as_u64().unwrap();
    let text = fs::read_to_string(&file).unwrap();
    fs::write(&file, text.replace(&planned_use.to_string(), &(planned_use + 500).to_string())).unwrap();
    let ran = act(&folder, "purge", &server.url(), &file, &[]);
    assert_eq!((ran.status, number_of(&ran, "removed")), (Some(1), 0), "{ran:?}");
    assert!(ran.stdout.contains("it was used"), "{ran:?}");
    assert_eq!(dump(&mut con).len(), 1);
}

/// Acts with these declarations.
fn with_keys(folder: &Folder, declared: &[serde_json::Value], arguments: &[&str]) -> Ran {
    let mut command = command(folder, arguments);
    catalog(folder, declared, &[]);
    Ran::new(command.arg("--full-speed").output().unwrap())
}

#[test]
fn declared_keys_of_other_namespaces_are_not_unknown() {
    let (server, mut con) = start();
    for key in ["shop:user:name:1:string", NAME, "a:b:user:name:1:string", "user:old:1", "shop:user:old:2"] {
        write_idle(&mut con, &["SET", key, "x"]);
    }
    let folder = Folder::new();
    for namespace in [&[][..], &["--namespace", "other"], &["--namespace", "shop"]] {
        let url = server.url();
        let arguments = [&["purge", &url, "--unknown", "--match", "*user:*"], namespace].concat();
        let ran = with_keys(&folder, &keys(), &arguments);
        assert_eq!((ran.status, number_of(&ran, "would be removed")), (Some(0), 2), "{ran:?}");
        assert!(ran.stdout.contains("declared with another namespace: see `--namespace`"), "{ran:?}");
    }
}

/// The declarations of most tests, each with a legacy text.
fn legacy_keys() -> Vec<serde_json::Value> {
    let mut declared = keys();
    declared[0]["legacy"] = json!("User:{id}:Name");
    declared[1]["formerly"] = json!("visits_{id}");
    declared[2]["legacy"] = json!("{{cfg}}{id:08x}");
    declared
}

#[test]
fn keys_with_legacy_texts_are_not_unknown() {
    let (server, mut con) = start();
    let texts = ["User:7:Name", "visits_7", "{cfg}0000000f"];
    let templates = ["user:name:7:string", "user:visits:7:hash", "app:settings:7:string"];
    for key in texts.iter().chain(&templates).chain(&["User:x:Name", "visits:7", "cfg:1"]) {
        write_idle(&mut con, &["SET", key, "x"]);
    }
    for key in texts {
        write_idle(&mut con, &["SET", &format!("app_{key}"), "x"]);
    }
    let folder = Folder::new();
    let url = server.url();
    for prefix in [&[][..], &["--legacy-prefix", "app_"], &["--namespace", "shop"]] {
        let arguments = [&["purge", &url, "--unknown", "--match", "*"], prefix].concat();
        let ran = with_keys(&folder, &legacy_keys(), &arguments);
        assert_eq!((ran.status, number_of(&ran, "would be removed")), (Some(0), 3), "{ran:?}");
        let left_out = "3 keys with a legacy text behind another prefix: see `--legacy-prefix`";
        assert!(ran.stdout.contains(left_out), "{ran:?}");
    }
    let file = folder.file("plan");
    let unknown = ["purge", &url, "--unknown", "--match", "*", "--legacy-prefix", "app_", "--plan", &file];
    let ran = with_keys(&folder, &legacy_keys(), &unknown);
    assert_eq!(ran.status, Some(0), "{ran:?}");
    let ran = with_keys(&folder, &legacy_keys(), &["purge", &url, "--plan", &file, "--yes"]);
    assert_eq!((ran.status, number_of(&ran, "removed")), (Some(0), 3), "{ran:?}");
    assert_eq!(dump(&mut con).len(), 9);
}

#[test]
fn keys_with_legacy_texts_are_those_of_their_declaration() {
    let (server, mut con) = start();
    for key in ["User:7:Name", "user:name:7:string", "User:x:Name"] {
        write_idle(&mut con, &["SET", key, "x"]);
    }
    let folder = Folder::new();
    let url = server.url();
    let ran = with_keys(&folder, &legacy_keys(), &["expire", &url, "--schema", "Name"]);
    assert_eq!((ran.status, number_of(&ran, "would get an expiry")), (Some(0), 2), "{ran:?}");
    let ran = with_keys(&folder, &legacy_keys(), &["purge", &url, "--schema", "Name"]);
    assert_eq!((ran.status, number_of(&ran, "would be removed")), (Some(0), 2), "{ran:?}");
}

#[test]
fn keys_with_legacy_texts_are_in_no_namespace() {
    let (server, mut con) = start();
    for key in ["User:7:Name", "shop:user:name:7:string", "other:user:name:7:string", "user:name:7:string"] {
        write_idle(&mut con, &["SET", key, "x"]);
    }
    let folder = Folder::new();
    let url = server.url();
    let arguments = ["purge", &url, "--schema", "Name", "--namespace", "shop"];
    let ran = with_keys(&folder, &legacy_keys(), &arguments);
    assert_eq!((ran.status, number_of(&ran, "would be removed")), (Some(0), 2), "{ran:?}");
    let ran = with_keys(&folder, &keys(), &arguments);
    assert_eq!((ran.status, number_of(&ran, "would be removed")), (Some(0), 1), "{ran:?}");
}

#[test]
fn a_template_that_cannot_be_read_leaves_no_key_unknown() {
    let (server, mut con) = start();
    write_idle(&mut con, &["SET", NAME, "x"]);
    let folder = Folder::new();
    for template in ["user:name:{id:string", "user:name:id}:string"] {
        let declared = [keys(), vec![key("Odd", template, None, 0)]].concat();
        let ran = with_keys(&folder, &declared, &["purge", &server.url(), "--unknown", "--match", "*"]);
        let message = format!("the template `{template}` of `shop::keys::Odd` cannot be read");
        assert!(ran.failure().contains(&message), "{ran:?}");
    }
}

#[test]
fn keys_of_two_declarations_are_counted() {
    let (server, mut con) = start();
    for key in [NAME, "user:name:2:string"] {
        write_idle(&mut con, &["SET", key, "x"]);
    }
    let mut other = key("Any", "user:{what}:1:string", None, 0);
    other["parameters"][0]["values"] = json!("any");
    let declared = [keys(), vec![other]].concat();
    let folder = Folder::new();
    let ran = with_keys(&folder, &declared, &["purge", &server.url(), "--schema", "Name"]);
    assert_eq!(number_of(&ran, "would be removed"), 2, "{ran:?}");
    assert!(ran.stdout.contains("not checked: declaration of 1 key: another one can produce"), "{ran:?}");
}

/// Keys behind features that are not enabled, and of packages that are not chosen, are declared too.
#[test]
fn what_other_features_declare_is_not_unknown() {
    let (server, mut con) = start();
    let (feature, platform, other) = ("one:1:string", "two:1:string", "three:1:string");
    for key in [feature, platform, other, "four:1:string"] {
        write_idle(&mut con, &["SET", key, "x"]);
    }
    let folder = Folder::new();
    let declare = |condition: &str, name: &str| {
        format!(
            "{condition}\n#[derive(RedisKey)]\n#[redis_key(\"{name}:{{id}}:string\", value = u64, ttl = 1h)]\n\
             struct {} {{ id: u64 }}\n",
            name.to_uppercase()
        )
    };
    let manifest = |name: &str| {
        format!("[package]\nname = \"{name}\"\nversion = \"0.0.0\"\nedition = \"2024\"\n[features]\nmore = []\n")
    };
    let root = folder.write("Cargo.toml", "[workspace]\nresolver = \"3\"\nmembers = [\"a\", \"b\"]\n");
    for (name, source) in [
        ("a", declare("#[cfg(feature = \"more\")]", "one") + &declare("#[cfg(windows)]", "two")),
        ("b", declare("", "three")),
    ] {
        fs::create_dir_all(folder.file(&format!("{name}/src"))).unwrap();
        folder.write(&format!("{name}/Cargo.toml"), &manifest(name));
        folder.write(&format!("{name}/src/lib.rs"), &source);
    }
    let url = server.url();
    let mut arguments = vec!["purge", &url, "--unknown", "--match", "*", "--show-keys", "--full-speed"];
    arguments.extend(["--manifest-path", &root, "-p", "a"]);
    let output = Command::new(env!("CARGO_BIN_EXE_cargo-redis-keys")).args(arguments).output().unwrap();
    let ran = Ran::new(output);
    assert_eq!((ran.status, number_of(&ran, "would be removed")), (Some(0), 1), "{ran:?}");
    assert!(ran.stdout.contains("four:"), "{ran:?}");
}

/// The same with a catalogue that was written before: it has what its selection leaves out.
#[test]
fn what_a_catalogue_leaves_out_is_not_unknown() {
    let (server, mut con) = start();
    let declared = ["one:1:string", "two:1:string", "three:1:string", "test:1:string", "example:1:string"];
    for key in declared.iter().chain(&["four:1:string"]) {
        write_idle(&mut con, &["SET", key, "x"]);
    }
    let declare = |condition: &str, name: &str| {
        format!(
            "{condition}\n#[derive(RedisKey)]\n#[redis_key(\"{name}:{{id}}:string\", value = u64, ttl = 1h)]\n\
             struct {} {{ id: u64 }}\n",
            name.to_uppercase()
        )
    };
    let inactive = declare("#[cfg(feature = \"more\")]", "one") + &declare("#[cfg(windows)]", "two");
    let [of_test, of_example] = ["test", "example"].map(|name| declare("", name));
    let workspace = Workspace::new(
        "leaves-out",
        &[
            ("a", &[("src/lib.rs", &inactive), ("tests/it.rs", &of_test), ("examples/ex.rs", &of_example)]),
            ("b", &[("src/lib.rs", &declare("", "three"))]),
        ],
    );
    let folder = Folder::new();
    let file = folder.file("all.json");
    let written = workspace.run(&["catalog", "-p", "a", "--format", "json", "--out", &file]);
    assert_eq!(written.status, Some(0), "{written:?}");
    let url = server.url();
    let purge = |file: &str| {
        let arguments = ["purge", &url, "--unknown", "--match", "*", "--full-speed", "--show-keys", "--catalog", file];
        Ran::new(Command::new(env!("CARGO_BIN_EXE_cargo-redis-keys")).args(arguments).output().unwrap())
    };
    let ran = purge(&file);
    assert_eq!((ran.status, number_of(&ran, "would be removed")), (Some(0), 1), "{ran:?}");
    assert!(ran.stdout.contains("four:"), "{ran:?}");
    let text = fs::read_to_string(&file).unwrap();
    let value: serde_json::Value = serde_json::from_str(&text).unwrap();
    let mut left_out: Vec<_> =
        value["left_out"]["keys"].as_array().unwrap().iter().map(|key| key["template"].as_str().unwrap()).collect();
    left_out.sort_unstable();
    assert_eq!(
        left_out,
        ["example:{id}:string", "one:{id}:string", "test:{id}:string", "three:{id}:string", "two:{id}:string"]
    );
    // A file of an earlier version, or one that was written by hand, does not list what it leaves out.
    for other in [
        text.replace("\"left_out\":{", "\"other\":{"),
        text.replace("\"format\":2", "\"format\":1").replace("\"left_out\":{", "\"other\":{"),
    ] {
        let ran = purge(&folder.write("other.json", &other));
        assert!(ran.failure().contains("does not list what it leaves out"), "{ran:?}");
    }
    let unread = text.replace("\"left_out\":{", "\"left_out\":{\"x\":0,").replacen(
        "\"unread\":[]}",
        "\"unread\":[{\"file\":\"src/x.rs\",\"line\":9,\"why\":\"macro_rules\"}]}",
        1,
    );
    let ran = purge(&folder.write("unread.json", &unread));
    assert!(ran.failure().contains("1 place may declare keys"), "{ran:?}");
}

/// Each line of a plan is one that a plan made now would contain, also if it was added by hand.
#[test]
fn a_plan_that_was_edited_is_checked_against_the_declarations() {
    let (server, mut con) = start();
    for key in [NAME, "user:name:2:string", "shop:user:name:1:string", "tmp:1", "tmp:2"] {
        write_idle(&mut con, &["SET", key, "x"]);
    }
    let _: () = run(&mut con, &["SET", "user:name:2:string", "just used"]);
    let _: u64 = run(&mut con, &["HSET", "user:visits:1:hash", "a", "b"]);
    let folder = Folder::new();
    let url = server.url();
    let file = plan(&folder, &["purge", &url, "--unknown", "--match", "tmp:1"]);
    let count = |con: &mut Connection| run::<u64>(con, &["DBSIZE"]);
    let before = count(&mut con);
    let text = fs::read_to_string(&file).unwrap().replace(r#""match":"tmp:1""#, r#""match":"*""#);
    let line = text.lines().nth(1).unwrap().to_owned();
    let mut lines = vec![text.lines().next().unwrap().to_owned()];
    for key in [NAME, "user:name:2:string", "shop:user:name:1:string"] {
        let mut edited: serde_json::Value = serde_json::from_str(&line.replace("tmp:1", key)).unwrap();
        lines.push(edited.to_string());
        edited.as_object_mut().unwrap().remove("last_use");
        edited["bytes"] = json!(null);
        lines.push(edited.to_string());
    }
    let declared = folder.write("declared", &(lines.join("\n") + "\n"));
    let ran = act(&folder, "purge", &url, &declared, &["--without-last-use"]);
    assert_eq!((ran.status, number_of(&ran, "that a new plan would not contain")), (Some(1), 6), "{ran:?}");
    assert!(ran.stdout.contains(&format!("  {NAME}: a declaration can produce it\n")), "{ran:?}");
    assert_eq!(count(&mut con), before);
    // Of another declaration, and of other keys.
    let visits = text.replace(r#""selected":"unknown""#, r#""selected":{"schema":"Visits"}"#).replace("tmp:1", NAME);
    let named = text
        .replace(r#""selected":"unknown""#, r#""selected":{"keys":["tmp:1"]}"#)
        .replace("tmp:1\",\"type", "tmp:2\",\"type");
    for (name, edited, why) in [
        ("visits", visits, "the declaration of the plan cannot produce it"),
        ("named", named, "it is not one of the keys that the plan was made of"),
    ] {
        let ran = act(&folder, "purge", &url, &folder.write(name, &edited), &[]);
        assert!(ran.stdout.contains(why), "{why}: {ran:?}");
    }
    assert_eq!(count(&mut con), before);
    // The plan itself is carried out.
    let ran = act(&folder, "purge", &url, &file, &[]);
    assert_eq!((ran.status, number_of(&ran, "removed")), (Some(0), 1), "{ran:?}");
}

/// A plan says which pattern its keys have.
#[test]
fn a_line_outside_of_the_pattern_stays() {
    let (server, mut con) = start();
    for key in ["tmp:1", "tmp:2", "queue:1"] {
        write_idle(&mut con, &["SET", key, "x"]);
    }
    for key in [NAME, "user:name:22:string"] {
        write_idle(&mut con, &["SET", key, "x"]);
    }
    let folder = Folder::new();
    let url = server.url();
    let cases = [
        (&["purge", &url, "--unknown", "--match", "tmp:*"][..], "tmp:1", "queue:1"),
        (&["purge", &url, "--schema", "Name", "--match", "user:name:?:*"], NAME, "user:name:22:string"),
        (&["expire", &url, "--schema", "Name", "--match", "user:name:[1-3]:*"], NAME, "user:name:22:string"),
    ];
    for (arguments, inside, outside) in cases {
        let file = plan(&folder, arguments);
        let text = fs::read_to_string(&file).unwrap();
        let line = text.lines().find(|line| line.contains(inside) && line.contains("\"key\"")).unwrap();
        fs::write(&file, format!("{}\n{}\n", text.lines().next().unwrap(), line.replace(inside, outside))).unwrap();
        let before = dump(&mut con);
        let ran = act(&folder, arguments[0], &url, &file, &["--json"]);
        let json: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
        assert_eq!((ran.status, &json["not_selected"]), (Some(1), &json!(1)), "{ran:?}");
        assert_eq!(json["stay"][0]["why"], "it does not match the pattern or the namespace of the plan");
        assert_eq!(dump(&mut con), before);
        fs::remove_file(&file).unwrap();
        for key in before.keys() {
            super::run::make_idle(&mut con, str::from_utf8(key).unwrap());
        }
    }
}

#[test]
fn an_edited_plan_sets_no_other_expiry() {
    let (server, mut con) = start();
    for key in [NAME, "app:settings:1:string", "tmp:1"] {
        write_idle(&mut con, &["SET", key, "x"]);
    }
    let before = dump(&mut con);
    let folder = Folder::new();
    let file = plan(&folder, &["expire", &server.url()]);
    let text = fs::read_to_string(&file).unwrap();
    let mut line: serde_json::Value = serde_json::from_str(text.lines().nth(1).unwrap()).unwrap();
    let mut lines = vec![text.lines().next().unwrap().to_owned()];
    for (key, ttl, jitter) in [
        (NAME, 1_000, 0),
        (NAME, 3_600_001, 0),
        (NAME, 3_600_000, 60_001),
        ("app:settings:1:string", 3_600_000, 0),
        ("tmp:1", 3_600_000, 0),
    ] {
        (line["key"], line["set_ttl_ms"], line["set_jitter_ms"]) = (json!(key), json!(ttl), json!(jitter));
        lines.push(line.to_string());
    }
    let edited = folder.write("edited", &(lines.join("\n") + "\n"));
    let ran = act(&folder, "expire", &server.url(), &edited, &[]);
    assert_eq!((ran.status, number_of(&ran, "that a new plan would not contain")), (Some(1), 5), "{ran:?}");
    assert_eq!(dump(&mut con), before);
}

/// The declaration of the other package is more specific.
#[test]
fn a_key_of_another_package_is_not_that_of_the_schema() {
    let (server, mut con) = start();
    for key in ["user:me:string", "user:7:string"] {
        write_idle(&mut con, &["SET", key, "x"]);
    }
    let declare = |template: &str, name: &str, field: &str| {
        format!("#[derive(RedisKey)]\n#[redis_key({template}, value = u64, ttl = 1h)]\nstruct {name} {{ {field} }}\n")
    };
    let workspace = Workspace::new(
        "specific",
        &[
            ("a", &[("src/lib.rs", &declare("user:{name}:string", "Named", "name: String"))]),
            ("b", &[("src/lib.rs", &declare("user:me:string", "Me", ""))]),
        ],
    );
    let ran = workspace.run(&["purge", &server.url(), "--schema", "Named", "-p", "a", "--full-speed", "--json"]);
    let json: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(json["keys"], 1, "{ran:?}");
}

/// The script with the elements that an earlier step has left.
fn step(con: &mut Connection, name: &str, expiry: &str, left: &str) -> Vec<String> {
    let script = include_str!("../../../src/operate/change/purge.lua");
    run(con, &["EVAL", script, "1", name, "list", expiry, "", "", "100", "0", left, "", "", "", "", ""])
}

#[test]
fn a_collection_that_has_grown_between_two_steps_stays() {
    let (_server, mut con) = start();
    for element in 0..250 {
        let _: u64 = run(&mut con, &["RPUSH", "list", &element.to_string()]);
    }
    assert_eq!(step(&mut con, "list", "0", "250"), ["rest", "0", "150"]);
    let _: u64 = run(&mut con, &["RPUSH", "list", "new"]);
    assert_eq!(step(&mut con, "list", "0", "150"), ["use"]);
    assert_eq!(step(&mut con, "list", "1", "151"), ["expiry"]);
    let left: u64 = run(&mut con, &["LLEN", "list"]);
    assert_eq!(left, 151);
}

/// A server that hangs does not keep the command from ending, and what was done until then is said.
#[test]
fn ctrl_c_ends_a_purge_of_a_server_that_hangs() {
    let (server, mut con) = start();
    for id in 0..1_500 {
        write_idle(&mut con, &["SET", &format!("user:name:{id}:string"), "x"]);
    }
    let folder = Folder::new();
    let file = plan(&folder, &["purge", &server.url(), "--schema", "Name"]);
    let process: String = run(&mut con, &["INFO", "server"]);
    let process = process.lines().find_map(|line| line.strip_prefix("process_id:")).unwrap().to_owned();
    let kill = |signal: &str, process: &str| {
        assert!(Command::new("kill").args(["-s", signal, process]).status().unwrap().success());
    };
    let before = calls(&mut con, "eval");
    let arguments = ["purge", &server.url(), "--plan", &file, "--yes", "--rate", "1000", "--max-latency", "1s"];
    let mut command = command(&folder, &arguments);
    let child = command.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped()).spawn().unwrap();
    wait_until("some keys are removed", || calls(&mut con, "eval") >= before + 100);
    kill("STOP", &process);
    kill("INT", &child.id().to_string());
    let sent = std::time::Instant::now();
    let ran = Ran::new(child.wait_with_output().unwrap());
    kill("CONT", &process);
    assert!(sent.elapsed() < std::time::Duration::from_secs(5), "a server that hangs is given up after 10 s");
    assert!(ran.failure().contains("error: interrupted"), "{ran:?}");
    assert!(number_of(&ran, "removed") >= 50, "{ran:?}");
}

/// The same before anything is done: the server accepts the connection, and does not reply.
#[test]
fn ctrl_c_ends_a_command_that_waits_for_a_first_reply() {
    let listener = std::net::TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let url = format!("redis://127.0.0.1:{}", listener.local_addr().unwrap().port());
    let folder = Folder::new();
    for arguments in [&["audit", &url][..], &["purge", &url, "--key", "a", "--yes"]] {
        let mut command = command(&folder, arguments);
        let child = command.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped()).spawn().unwrap();
        let accepted = listener.accept().unwrap();
        assert!(Command::new("kill").args(["-s", "INT", &child.id().to_string()]).status().unwrap().success());
        let sent = std::time::Instant::now();
        let ran = Ran::new(child.wait_with_output().unwrap());
        assert!(
            sent.elapsed() < std::time::Duration::from_secs(4),
            "a server that does not reply is tried again after 5 s"
        );
        assert!(ran.failure().contains("interrupted"), "{ran:?}");
        drop(accepted);
    }
}

//! Keys of other programs: those that the policy names, and those that a legacy text without fixed text would match.

use std::fs;
use std::process::Command;

use redis::Connection;
use serde_json::{Value, json};

use super::run::{Folder, Ran, catalog, dump, key, number_of, planned, run, start, write_idle};
use crate::workspace::Workspace;

const SOURCE: &str =
    "#[derive(RedisKey)]\n#[redis_key(user:name:{id}:string, value = u64, ttl = 1h)]\nstruct Name { id: u64 }\n";

/// Runs the command outside of any project.
fn outside(folder: &Folder, arguments: &[&str]) -> Ran {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cargo-redis-keys"));
    Ran::new(command.args(arguments).current_dir(folder.file("")).env_remove("REDISCLI_AUTH").output().unwrap())
}

fn names(file: &str) -> Vec<String> {
    let mut names: Vec<_> = planned(file).iter().map(|line| line["key"].as_str().unwrap().to_owned()).collect();
    names.sort();
    names
}

/// On a host without the sources, a catalogue file has what the policy says.
#[test]
fn a_queue_of_another_program_stays_with_a_catalogue() {
    let (server, mut con) = start();
    for key in ["bull:mails:id", "import:1", "legacy:1", "user:name:1:string"] {
        write_idle(&mut con, &["SET", key, "x"]);
    }
    let workspace = Workspace::new("foreign", &[("a", &[("src/lib.rs", SOURCE)]), ("b", &[("src/lib.rs", "")])]);
    workspace.write("redis-keys.toml", "[foreign]\nsystems = [\"bullmq\"]\npatterns = [\"legacy:*\"]\n");
    let folder = Folder::new();
    let file = folder.file("keys.json");
    let written = workspace.run(&["catalog", "-p", "a", "--format", "json", "--out", &file]);
    assert_eq!(written.status, Some(0), "{written:?}");
    let url = server.url();
    let plan = folder.file("plan");
    let arguments = ["purge", &url, "--unknown", "--match", "*", "--catalog", &file, "--plan", &plan, "--full-speed"];
    let ran = outside(&folder, &arguments);
    assert_eq!((ran.status, names(&plan)), (Some(0), vec!["import:1".to_owned()]), "{ran:?}");
    // A line that was added by hand.
    let text = fs::read_to_string(&plan).unwrap();
    let line = text.lines().nth(1).unwrap().replace("import:1", "bull:mails:id");
    fs::write(&plan, format!("{text}{line}\n")).unwrap();
    let ran = outside(&folder, &["purge", &url, "--plan", &plan, "--yes", "--catalog", &file, "--show-keys"]);
    assert_eq!((ran.status, number_of(&ran, "removed")), (Some(1), 1), "{ran:?}");
    assert!(ran.stdout.contains("bull:mails:id: `[foreign]` of the policy names it"), "{ran:?}");
    assert_eq!(dump(&mut con).len(), 3);
    let audit = outside(&folder, &["audit", &url, "--catalog", &file, "--json", "-", "--full-speed"]);
    let json: Value = serde_json::from_str(&audit.stdout).unwrap();
    assert_eq!(json["total"]["unknown_keys"], 0, "{audit:?}");
    // A file of an earlier version does not say which keys are other programs'.
    let value: Value = serde_json::from_str(&fs::read_to_string(&file).unwrap()).unwrap();
    assert_eq!(value["foreign"], json!({ "systems": ["bullmq"], "patterns": ["legacy:*"] }));
    let old = json!({ "format": 2, "keys": value["keys"], "unread": [], "left_out": value["left_out"] });
    let old = folder.write("old.json", &old.to_string());
    let ran = outside(&folder, &["purge", &url, "--unknown", "--match", "*", "--catalog", &old]);
    assert!(ran.failure().contains("does not list the keys of other programs"), "{ran:?}");
}

/// A declaration of sessions whose text today consists of fields alone.
fn session() -> Value {
    let mut session = key("Session", "user:session:{user}:{server}:string", Some(3_600_000), 0);
    session["formerly"] = json!("{user}:{server}");
    for parameter in session["parameters"].as_array_mut().unwrap() {
        (parameter["type"], parameter["values"]) = (json!("String"), json!("any"));
    }
    session
}

fn fill(con: &mut Connection) {
    for key in ["ada:web1", "bob:web1", "queue:mails", "user:session:ada:web1:string"] {
        write_idle(con, &["SET", key, "x"]);
    }
    write_idle(con, &["RPUSH", "ada:tasks", "x"]);
    write_idle(con, &["RPUSH", "user:session:eve:web1:string", "x"]);
}

#[test]
fn a_text_of_fields_alone_needs_a_pattern() {
    let (server, mut con) = start();
    fill(&mut con);
    let folder = Folder::new();
    let path = catalog(&folder, &[session()], &[]);
    let (url, file) = (server.url(), folder.file("plan"));
    let plan = |arguments: &[&str]| {
        let _ = fs::remove_file(&file);
        let ran = outside(&folder, &[arguments, &["--catalog", &path, "--plan", &file, "--full-speed"]].concat());
        assert_eq!(ran.status, Some(0), "{ran:?}");
        (names(&file), ran)
    };
    let template = "user:session:ada:web1:string".to_owned();
    let loose = "left out: 4 keys that other programs may have written, since the legacy text has no fixed text";
    let other_type = "left out: 1 key of another type than declared";
    for name in ["purge", "expire", "move"] {
        let (names, ran) = plan(&[name, &url, "--schema", "Session"]);
        let expected = if name == "move" { vec![] } else { vec![template.clone()] };
        assert_eq!(names, expected, "{name}: {ran:?}");
        assert!(ran.stdout.contains(loose), "{name}: {ran:?}");
        // A line of another plan.
        if name != "move" {
            let text = fs::read_to_string(&file).unwrap();
            let line = text.lines().nth(1).unwrap().replace(&template, "bob:web1");
            fs::write(&file, format!("{}\n{line}\n", text.lines().next().unwrap())).unwrap();
            let ran = outside(&folder, &[name, &url, "--catalog", &path, "--plan", &file, "--yes", "--show-keys"]);
            assert!(ran.stdout.contains("bob:web1: its declaration has no fixed text: see `--match`"), "{ran:?}");
        }
        let (names, ran) = plan(&[name, &url, "--schema", "Session", "--match", "ada:*"]);
        assert_eq!(names, ["ada:web1"], "{name}: {ran:?}");
        assert!(ran.stdout.contains(other_type), "{name}: {ran:?}");
        assert!(ran.stdout.contains(" string  user:session:{user}:{server}:string"), "{name}: {ran:?}");
    }
    // The pattern is not one for this declaration.
    let (names, ran) = plan(&["expire", &url, "--match", "ada:*"]);
    assert_eq!(names, Vec::<String>::new(), "{ran:?}");
    // A prefix is fixed text.
    write_idle(&mut con, &["SET", "app_ada:web1", "x"]);
    let (names, ran) = plan(&["purge", &url, "--schema", "Session", "--legacy-prefix", "app_"]);
    assert_eq!(names, ["app_ada:web1".to_owned(), template], "{ran:?}");
    // What the policy leaves to others stays with a pattern too.
    folder.write("redis-keys.toml", "[foreign]\nsystems = [\"sidekiq\"]\n");
    let (names, ran) = plan(&["purge", &url, "--schema", "Session", "--match", "*:mails"]);
    assert_eq!(names, Vec::<String>::new(), "{ran:?}");
    assert!(ran.stdout.contains("left out: 1 key with a legacy text, which `[foreign]`"), "{ran:?}");
}

#[test]
fn another_type_is_never_removed() {
    let (server, mut con) = start();
    write_idle(&mut con, &["SET", "user:name:1:string", "x"]);
    write_idle(&mut con, &["RPUSH", "user:name:2:string", "x"]);
    let folder = Folder::new();
    let path = catalog(&folder, &super::run::keys(), &[]);
    let (url, file) = (server.url(), folder.file("plan"));
    let arguments = ["purge", &url, "--catalog", &path, "--plan", &file, "--full-speed"];
    let ran = outside(&folder, &[&arguments[..], &["--schema", "Name"]].concat());
    assert!(ran.stdout.contains("left out: 1 key of another type than declared"), "{ran:?}");
    let text = fs::read_to_string(&file).unwrap();
    assert_eq!(text.lines().count(), 2);
    let line = text.lines().nth(1).unwrap().replace("name:1:", "name:2:").replace("\"string\"", "\"list\"");
    fs::write(&file, format!("{text}{line}\n")).unwrap();
    let ran = outside(&folder, &[&arguments[..], &["--yes", "--show-keys"]].concat());
    assert_eq!((ran.status, number_of(&ran, "removed")), (Some(1), 1), "{ran:?}");
    assert!(ran.stdout.contains("user:name:2:string: its declaration has another type"), "{ran:?}");
    let ran = outside(&folder, &["purge", &url, "--key", "user:name:2:string", "--json", "--catalog", &path]);
    let json: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!((&json["by"][0]["type"], &json["by"][0]["declaration"]), (&json!("list"), &json!("shop::keys::Name")));
}

/// The declaration of a key that is named is shown.
#[test]
fn a_named_key_shows_its_declaration() {
    let (server, mut con) = start();
    for id in 1..=3 {
        write_idle(&mut con, &["SET", &format!("user:name:{id}:string"), "x"]);
    }
    let workspace = Workspace::new("named", &[("a", &[("src/lib.rs", SOURCE)])]);
    let url = server.url();
    let keys = ["--key", "user:name:1:string", "--key", "tmp:1"];
    write_idle(&mut con, &["SET", "tmp:1", "x"]);
    for (options, done) in [(&[][..], "would be removed"), (&["--yes"], "removed")] {
        let ran = workspace.run(&[&["purge", &url], &keys[..], options].concat());
        assert_eq!(ran.status, Some(0), "{ran:?}");
        assert!(ran.stdout.contains(&format!("2 keys {done}")), "{ran:?}");
        for label in ["  a::Name\n", "  (no declaration)\n"] {
            assert!(ran.stdout.contains(label), "{ran:?}");
        }
    }
    let folder = Folder::new();
    let ran = outside(&folder, &["purge", &url, "--key", "user:name:2:string", "--yes"]);
    assert!(ran.stdout.contains("  (without `--catalog`, no declarations are known here)\n"), "{ran:?}");
    // Sources that cannot be read are no reason to keep a key.
    folder.write("Cargo.toml", "[package");
    let ran = outside(&folder, &["purge", &url, "--key", "user:name:3:string", "--yes"]);
    assert_eq!((ran.status, number_of(&ran, "removed")), (Some(0), 1), "{ran:?}");
    assert!(ran.stderr.contains("note: the declarations cannot be read: "), "{ran:?}");
    assert_eq!(run::<u64>(&mut con, &["DBSIZE"]), 0);
}

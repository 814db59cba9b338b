//! Secrets in the names of keys, which reports do not show, and text that a CI service takes for a command.

use std::fs;

use redis::Connection;
use redis_keys::testing::Server;
use serde_json::json;

use super::run::{Folder, Ran, audit, command, fill, run, start, without_declarations};

/// Names with a secret each: of families of many keys, of few, and alone.
fn secrets() -> Vec<(String, String)> {
    let people = ["ada", "grace", "edsger", "barbara", "donald", "niklaus", "frances", "tony", "leslie", "robin"];
    let words = ["hunter", "swordfish", "trustno", "letmein", "opensesame", "correcthorse", "rosebud"];
    let mut secrets: Vec<_> =
        people.iter().map(|name| (format!("session:{name}.lovelace"), format!("{name}.lov"))).collect();
    secrets.extend(words.iter().map(|word| (format!("password:{word}:reset"), (*word).to_owned())));
    for (name, secret) in [
        ("reset:maria@shop.example", "maria@"),
        ("token:eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl", "eyJ"),
        ("api_key:sk_live_51H8xkQv2eZvKYlo2C", "sk_live"),
        ("iban:DE89370400440532013000", "DE893"),
        ("customer:Mueller", "Mueller"),
        ("customer:Schmidt:orders", "Schmidt"),
        ("otp_hannelore_attempts", "hannelore"),
        ("kowalski", "kowalski"),
        ("Zimmermann/visits", "Zimmermann"),
        ("lock:import-nakamoto", "nakamoto"),
        ("user:profile:wojtek:string", "wojtek"),
        ("phone:+48601234567", "48601234567"),
    ] {
        secrets.push((name.to_owned(), secret.to_owned()));
    }
    secrets.push((format!("long:{}", "margarethe".repeat(40)), "margarethe".to_owned()));
    secrets
}

fn plant(con: &mut Connection) {
    fill(con, 30);
    for (index, (name, _)) in secrets().iter().enumerate() {
        let _: redis::Value = match index % 3 {
            0 => run(con, &["RPUSH", name, "x"]),
            1 => run(con, &["SET", name, "x", "EX", "600"]),
            _ => run(con, &["SET", name, "x"]),
        };
    }
}

/// The secrets in a text.
fn found_in(text: &str) -> Vec<String> {
    secrets().into_iter().map(|(_, secret)| secret).filter(|secret| text.contains(secret)).collect()
}

/// The outputs of an audit and of `adopt`, each with its name.
fn outputs(server: &Server, options: &[&str]) -> Vec<(String, String)> {
    let folder = Folder::new();
    let files = ["json", "html", "prometheus"].map(|form| (form, folder.file(form)));
    let forms: Vec<_> = files.iter().flat_map(|(form, file)| [format!("--{form}"), file.clone()]).collect();
    let (url, draft) = (server.url(), folder.file("keys.rs"));
    let mut arguments = [options, &[&url, "--full-speed", "--all-unknown"]].concat();
    arguments.extend(forms.iter().map(String::as_str));
    let ran = Ran::new(command(&folder, &arguments).output().unwrap());
    assert_eq!(ran.status, Some(1), "{ran:?}");
    let mut outputs = vec![("terminal".to_owned(), ran.stdout + &ran.stderr)];
    outputs.extend(files.iter().map(|(form, file)| ((*form).to_owned(), fs::read_to_string(file).unwrap())));
    for format in ["table", "json", "html"] {
        let _ = fs::remove_file(&draft);
        let arguments = [options, &[&url, "--full-speed", "--format", format, "--out", &draft]].concat();
        let ran = Ran::new(without_declarations("adopt", &folder, &arguments).output().unwrap());
        assert_eq!(ran.status, Some(0), "{ran:?}");
        let leaves_out = ran.stderr.contains("of fewer than 8 keys left out: words of their names can be secrets");
        assert_eq!(leaves_out, options.is_empty(), "{ran:?}");
        outputs.push((format!("adopt as {format}"), ran.stdout + &ran.stderr));
    }
    outputs.push(("draft".to_owned(), fs::read_to_string(draft).unwrap()));
    outputs
}

#[test]
fn no_output_shows_the_secrets_of_names() {
    let (server, mut con) = start();
    plant(&mut con);
    for (name, output) in outputs(&server, &[]) {
        assert_eq!(found_in(&output), [""; 0], "{name}: {output}");
    }
    // Families can still be told apart.
    let ran = audit(&[&server.url(), "--full-speed", "--all-unknown"]);
    for shown in ["session:{hidden}.{hidden}", "user:name:{integer}:string", "user:{hidden}:{hidden}:string"] {
        assert!(ran.stdout.contains(shown), "{shown}: {ran:?}");
    }
}

/// Nor does the first run of a purge.
#[test]
fn a_purge_shows_no_secrets_of_names() {
    let (server, mut con) = start();
    plant(&mut con);
    let folder = Folder::new();
    let key = crate::change::run::key("Other", "cart:items:{id}:hash", None, 0);
    let left_out = serde_json::json!({ "keys": [], "unread": [] });
    let foreign = serde_json::json!({ "systems": [], "patterns": [] });
    let catalog = serde_json::json!({
        "format": 2, "keys": [key], "unread": [], "left_out": left_out, "foreign": foreign
    });
    let (catalog, url) = (folder.write("keys.json", &catalog.to_string()), server.url());
    for (options, count) in [(&[][..], 0), (&["--show-keys"][..], secrets().len())] {
        for json in [&[][..], &["--json"]] {
            let mut purge = std::process::Command::new(env!("CARGO_BIN_EXE_cargo-redis-keys"));
            purge.args(["purge", &url, "--unknown", "--match", "*", "--without-last-use", "--catalog", &catalog]);
            let ran = Ran::new(purge.args(options).args(json).output().unwrap());
            let found = found_in(&(ran.stdout.clone() + &ran.stderr)).len();
            assert!(if count == 0 { found == 0 } else { found > 3 }, "{ran:?}");
            // A word that an argument contains is no secret.
            let mut purge = std::process::Command::new(env!("CARGO_BIN_EXE_cargo-redis-keys"));
            purge.args([
                "purge",
                &url,
                "--unknown",
                "--match",
                "api_key:*",
                "--without-last-use",
                "--catalog",
                &catalog,
            ]);
            let ran = Ran::new(purge.output().unwrap());
            assert!(ran.stdout.contains("  api_key:") && found_in(&ran.stdout).is_empty(), "{ran:?}");
        }
    }
}

/// Nor does the second run, of keys that it leaves alone.
#[test]
fn keys_that_stay_are_shown_without_secrets() {
    let (server, mut con) = start();
    plant(&mut con);
    let (folder, url) = (Folder::new(), server.url());
    let catalog = json!({
        "format": 3, "keys": [crate::change::run::key("Other", "cart:items:{id}:hash", None, 0)], "unread": [],
        "left_out": { "keys": [], "unread": [] }, "foreign": { "systems": [], "patterns": [] },
    });
    let (catalog, plan) = (folder.write("keys.json", &catalog.to_string()), folder.file("plan"));
    let purge = |options: &[&str]| {
        let mut purge = std::process::Command::new(env!("CARGO_BIN_EXE_cargo-redis-keys"));
        purge.args(["purge", &url, "--plan", &plan, "--catalog", &catalog, "--full-speed"]);
        Ran::new(purge.args(options).output().unwrap())
    };
    let ran = purge(&["--unknown", "--match", "*", "--without-last-use"]);
    assert_eq!(ran.status, Some(0), "{ran:?}");
    // They have another type by now.
    for (name, _) in secrets() {
        let _: u64 = run(&mut con, &["DEL", &name]);
        let _: u64 = run(&mut con, &["SADD", &name, "x"]);
    }
    for json in [&[][..], &["--json"]] {
        for (options, is_shown) in [(&[][..], false), (&["--show-keys"], true)] {
            let ran = purge(&[&["--yes", "--without-last-use"], options, json].concat());
            assert_eq!(ran.status, Some(1), "{ran:?}");
            assert_eq!(!found_in(&(ran.stdout.clone() + &ran.stderr)).is_empty(), is_shown, "{ran:?}");
        }
    }
}

#[test]
fn real_keys_are_shown_on_request() {
    let (server, mut con) = start();
    plant(&mut con);
    for (name, output) in outputs(&server, &["--show-keys"]) {
        assert!(name == "prometheus" || found_in(&output).len() > 3, "{name}: {output}");
    }
}

/// A state contains real keys, and so do reports with `--show-keys`.
#[cfg(unix)]
#[test]
fn files_with_real_keys_are_for_their_owner() {
    use std::os::unix::fs::PermissionsExt as _;

    use super::run::Running;

    let (server, mut con) = start();
    fill(&mut con, 20_000);
    let folder = Folder::new();
    let (state, json, plan) = (folder.file("state"), folder.file("report.json"), folder.file("plan"));
    let url = server.url();
    let mode = |file: &str| fs::metadata(file).unwrap().permissions().mode() & 0o777;
    let running = Running::start(command(&folder, &[&url, "--resume", &state]), &mut con);
    running.signal("INT");
    running.finish().failure();
    let _ = audit(&[&url, "--full-speed", "--show-keys", "--json", &json]);
    let mut purge = std::process::Command::new(env!("CARGO_BIN_EXE_cargo-redis-keys"));
    purge.args(["purge", &url, "--key", "user:name:7:string", "--without-last-use", "--plan", &plan]);
    assert_eq!(Ran::new(purge.output().unwrap()).status, Some(0));
    assert_eq!([mode(&state), mode(&json), mode(&plan)], [0o600; 3]);
    let _ = audit(&[&url, "--full-speed", "--json", &folder.file("masked.json")]);
    assert_eq!(mode(&folder.file("masked.json")), mode(&folder.write("usual", "")));
}

#[test]
fn a_name_is_no_command_for_a_ci_service() {
    let (server, mut con) = start();
    let names = [
        "::error file=src/lib.rs::x",
        " ::add-mask::x",
        "a\n::error::x",
        "##[error]x",
        "a ##vso[task.complete result=Failed;]x",
        "::warning::x:y:string",
    ];
    for name in names {
        let _: String = run(&mut con, &["SET", name, "x"]);
    }
    for (name, output) in outputs(&server, &["--show-keys"]).into_iter().filter(|(name, _)| name != "draft") {
        for line in output.lines() {
            let is_command = line.trim_start().starts_with("::") || line.contains("##[") || line.contains("##vso[");
            assert!(!is_command, "{name}: {line}");
        }
    }
    let folder = Folder::new();
    let lookup = without_declarations("lookup", &folder, &names).output().unwrap();
    let lookup = Ran::new(lookup);
    assert!(lookup.stdout.lines().all(|line| !line.trim_start().starts_with("::")), "{lookup:?}");
}

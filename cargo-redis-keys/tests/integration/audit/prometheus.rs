//! Metrics for Prometheus.
#![allow(clippy::float_cmp, reason = "the numbers are whole")]

use std::fs;
use std::io::Write as _;
use std::process::{Command, Stdio};

use redis_keys_tests::{Family, read_exposition};
use serde_json::{Value, json};

use super::run::{Folder, Ran, Running, command, connect, fill, run, start};
use crate::change::run::key;

/// An audit with the declaration of the keys that [`fill`] writes, and of one that does not exist.
fn with_declarations(folder: &Folder, arguments: &[&str]) -> Command {
    let declared = [
        key("Name", "user:name:{id}:string", Some(3_600_000), 0),
        key("Cart", "cart:items:{id}:hash", Some(3_600_000), 0),
    ];
    let catalog = json!({ "format": 2, "keys": declared, "unread": [], "left_out": { "keys": [], "unread": [] } });
    let catalog = folder.write("declared.json", &catalog.to_string());
    let mut command = Command::new(env!("CARGO_BIN_EXE_cargo-redis-keys"));
    command.args(["audit", "--catalog", &catalog, "--full-speed"]).args(arguments).env_remove("REDISCLI_AUTH");
    command
}

fn families(text: &str) -> Vec<Family> {
    read_exposition(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

fn family<'a>(families: &'a [Family], name: &str) -> &'a Family {
    let name = format!("redis_keys_stock_{name}");
    families.iter().find(|family| family.name == name).unwrap_or_else(|| panic!("no {name} in {families:?}"))
}

#[test]
fn the_metrics_of_a_server_are_those_of_its_report() {
    let (server, mut con) = start();
    fill(&mut con, 2_000);
    for (key, value) in [("user:name:x\"\\y\n:string", "x"), ("user:name:7:string", "x")] {
        let _: String = run(&mut con, &["SET", key, value]);
    }
    for id in 1..10 {
        let _: String = run(&mut con, &["SET", &format!("a\\b\"c:{id}"), "y"]);
    }
    let folder = Folder::new();
    let (file, json) = (folder.file("redis_keys.prom"), folder.file("report.json"));
    let ran = Ran::new(
        with_declarations(&folder, &[&server.url(), "--json", &json, "--prometheus", &file]).output().unwrap(),
    );
    // Findings do not keep the file from being written.
    assert_eq!((ran.status, ran.keys()), (Some(1), 2_010), "{ran:?}");
    assert!(ran.stdout.contains("Declarations with most memory"), "{ran:?}");
    let report: Value = serde_json::from_str(&fs::read_to_string(json).unwrap()).unwrap();
    let text = fs::read_to_string(&file).unwrap();
    let families = families(&text);
    let total = |name: &str| report["total"][name].as_f64().unwrap();
    let sum = |name: &str| family(&families, name).sum();
    assert_eq!(sum("keys") + sum("unknown_keys"), total("keys"));
    assert_eq!(sum("bytes") + sum("unknown_bytes"), total("bytes"));
    assert_eq!((sum("unknown_keys"), sum("audit_coverage_ratio")), (total("unknown_keys"), 1.0));
    for declared in report["declarations"].as_array().unwrap() {
        let template = declared["template"].as_str().unwrap();
        for (name, field) in [("keys", "keys"), ("bytes", "bytes"), ("keys_without_expiry", "without_expiry")] {
            assert_eq!(family(&families, name).value("template", template), declared[field].as_f64(), "{template}");
        }
    }
    assert_eq!(family(&families, "keys").value("template", "cart:items:{id}:hash"), Some(0.0));
    let findings = report["findings"].as_array().unwrap().iter().map(|finding| finding["count"].as_f64().unwrap());
    assert_eq!(sum("findings"), findings.sum::<f64>());
    assert!(family(&families, "unknown_keys").value("pattern", "a\\\\b\"c:{integer}").is_some(), "{text}");
    promtool_accepts(&text);

    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = |file: &str| fs::metadata(file).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode(&file), mode(&folder.write("usual", "")));
    }
}

/// Runs `promtool check metrics`, if it is on the `PATH`.
fn promtool_accepts(text: &str) {
    let spawned =
        Command::new("promtool").args(["check", "metrics"]).stdin(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let Ok(mut promtool) = spawned else {
        println!("not run: there is no promtool on the PATH");
        return;
    };
    promtool.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
    let output = promtool.wait_with_output().unwrap();
    assert!(output.status.success() && output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn metrics_can_go_to_stdout() {
    let (server, mut con) = start();
    fill(&mut con, 10);
    let folder = Folder::new();
    let html = folder.file("report.html");
    let arguments = [&server.url(), "--prometheus", "-", "--html", &html];
    let ran = Ran::new(with_declarations(&folder, &arguments).output().unwrap());
    assert_eq!(ran.status, Some(0), "{ran:?}");
    assert_eq!(family(&families(&ran.stdout), "keys").value("template", "user:name:{id}:string"), Some(10.0));
    assert!(fs::read_to_string(html).unwrap().contains("user:name:{id}:string"));
    let printed = with_declarations(&folder, &[&server.url(), "--format", "prometheus"]).output().unwrap();
    assert_eq!(
        family(&families(&Ran::new(printed).stdout), "keys").value("template", "user:name:{id}:string"),
        Some(10.0)
    );
    let both =
        Ran::new(with_declarations(&folder, &[&server.url(), "--prometheus", "-", "--json", "-"]).output().unwrap());
    assert!(both.failure().contains("two forms of the report cannot both go to stdout"), "{both:?}");
    let sample =
        Ran::new(with_declarations(&folder, &[&server.url(), "--prometheus", "-", "--match", "no*"]).output().unwrap());
    assert_eq!(family(&families(&sample.stdout), "audit_coverage_ratio").sum(), 0.0);
}

/// An audit that fails or is interrupted leaves the metrics of the one before, and nothing else in the folder.
#[test]
fn an_audit_that_does_not_end_leaves_the_old_file() {
    let (server, mut con) = start();
    fill(&mut con, 10_000);
    let folder = Folder::new();
    let file = folder.write("redis_keys.prom", "# as it was\n");
    let options = ["--prometheus", &file];
    let is_as_it_was = || {
        assert_eq!(fs::read_to_string(&file).unwrap(), "# as it was\n");
        let names = fs::read_dir(folder.file("")).unwrap().map(|entry| entry.unwrap().file_name());
        assert_eq!(names.filter(|name| name.to_string_lossy().starts_with("redis_keys")).count(), 1);
    };
    let mut interrupted = command(&folder, &[&server.url()]);
    interrupted.args(options);
    let running = Running::start(interrupted, &mut con);
    running.signal("INT");
    running.finish().failure();
    is_as_it_was();

    let mut nowhere = command(&folder, &["redis://127.0.0.1:1"]);
    Ran::new(nowhere.args(options).output().unwrap()).failure();
    is_as_it_was();

    let _: String = run(&mut con, &["CONFIG", "SET", "requirepass", "sesame"]);
    let mut refused = command(&folder, &[&server.url()]);
    Ran::new(refused.args(options).output().unwrap()).failure();
    is_as_it_was();

    // A second server that goes away while the first one is read.
    let _: String = run(&mut con, &["CONFIG", "SET", "requirepass", ""]);
    let (other, mut other_con) = start();
    fill(&mut other_con, 10_000);
    let mut both = command(&folder, &[&server.url(), &other.url()]);
    both.args(options);
    let running = Running::start(both, &mut connect(&server.url()));
    drop((other, other_con));
    running.finish().failure();
    is_as_it_was();
}

//! The draft for a game's service and what else is on its server.

use std::collections::BTreeSet;
use std::fs;

use redis_keys_tests::corpus::{KeyFormat, THIRD, keys, plant};

use crate::audit::run::{run, start};
use crate::workspace::Workspace;

const SERVICE: &str = include_str!("../../../../tests/tests/integration/adopted/service.rs");

/// The draft, which another test compiles and uses in place of the service. `SNAPSHOTS=overwrite` writes it anew.
const DRAFT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/tests/integration/adopted/keys.rs");

/// The declarations of all keys that expire, as they were written by hand before there was a draft: the arguments and
/// the fields of each, one a line.
const REFERENCE: &str = include_str!("reference.txt");

/// The declarations of a draft and the beginnings of modules, without the figures of a server. Their order depends on
/// the memory of keys.
fn blocks(draft: &str) -> BTreeSet<String> {
    let is_figure = |line: &str| {
        line.trim_start().strip_prefix("// ").is_some_and(|text| text.starts_with(|first: char| first.is_ascii_digit()))
    };
    let without_figures = |block: &str| block.lines().filter(|line| !is_figure(line)).collect::<Vec<_>>().join("\n");
    draft.split("\n\n").map(|block| without_figures(block).trim_end_matches(['\n', '}', ' ']).to_owned()).collect()
}

/// The declarations in which nobody has to decide anything, as lines of the reference.
fn decided(draft: &str) -> Vec<String> {
    let mut decided = Vec::new();
    for block in draft.split("\n\n").filter(|block| !block.contains("// TODO")) {
        let Some((_, item)) = block.split_once("#[redis_key(") else { continue };
        let item = plain(item);
        let (arguments, item) = item.split_once(")]pubstruct").unwrap();
        let fields = item.split(['{', '}']).nth(1).unwrap().replace("pub", "");
        decided.push(format!("{}{{{}}}", arguments.trim_end_matches(','), fields.trim_end_matches(',')));
    }
    decided
}

/// A text without white space.
fn plain(text: &str) -> String {
    text.split_whitespace().collect()
}

#[test]
fn a_draft_is_what_a_colleague_would_write() {
    let (server, mut con) = start();
    let formats = KeyFormat::read(THIRD);
    plant(&mut con, &formats, &keys(&formats, 10_000, 1));
    let files = [("src/lib.rs", "pub mod service;\n"), ("src/service.rs", SERVICE)];
    let workspace = Workspace::new("adopt-draft", &[("game", &files)]);
    let file = "packages/game/src/keys.rs";
    let ran = workspace.run(&["adopt", &server.url(), "--full-speed", "--show-keys", "--out", file]);
    assert_eq!(ran.status, Some(0), "{ran:?}");
    assert!(ran.stderr.contains("100% of 2,000 sampled keys are keys of the draft"), "{ran:?}");

    // Kinds with few keys are in the draft with real keys only.
    let draft = workspace.read(file);
    let lines = draft.lines().filter(|line| !line.trim_start().starts_with("// for example `"));
    let draft: String = lines.map(|line| line.to_owned() + "\n").collect();
    if std::env::var("SNAPSHOTS").is_ok_and(|action| action == "overwrite") {
        fs::write(DRAFT, &draft).unwrap();
    }
    assert_eq!(blocks(&draft), blocks(&fs::read_to_string(DRAFT).unwrap()));

    let decided = decided(&draft);
    let (same, others): (Vec<_>, Vec<_>) = REFERENCE.lines().map(plain).partition(|line| decided.contains(line));
    println!("{} of {} are as in the reference", same.len(), same.len() + others.len());
    assert!(same.len() * 3 >= (same.len() + others.len()) * 2, "{others:#?}\n{decided:#?}");
}

/// The words of a line that are the same on each server: those without a digit, and no units.
fn stable(line: &str) -> Vec<&str> {
    let is_stable =
        |word: &&str| !word.contains(|sign: char| sign.is_ascii_digit()) && !["B", "KB", "MB"].contains(word);
    line.split_whitespace().filter(is_stable).collect()
}

/// The first day that the guide tells of, on a server with the keys of the service alone.
#[test]
fn the_guide_shows_what_is_drafted() {
    const PAGE: &str = include_str!("../../../../redis-keys/docs/guide/existing/draft.md");
    let (server, mut con) = start();
    let mut formats = KeyFormat::read(THIRD);
    formats.retain(|format| ["A game", "A bank"].contains(&&*format.program));
    plant(&mut con, &formats, &keys(&formats, 5_000, 1));
    let files = [("src/lib.rs", "pub mod service;\n"), ("src/service.rs", SERVICE)];
    let workspace = Workspace::new("adopt-guide", &[("game", &files)]);
    let out = "packages/game/src/keys.rs";
    let ran = workspace.run(&["adopt", &server.url(), "--out", out, "--full-speed"]);
    let found = format!("{}\n{}\n{}", ran.stdout, ran.stderr, workspace.read(out)).replace("packages/game/", "");
    let found: Vec<_> = found.lines().map(stable).collect();

    let section = PAGE.split("\n## ").next().unwrap();
    let (_, recording) = section.split_once("```text\n").unwrap();
    let (_, declarations) = section.split_once("```rust\n").unwrap();
    let lines = [recording, declarations].map(|block| block.split("```").next().unwrap().lines());
    let is_output = |line: &&str| !line.starts_with(['$', '…']) && !line.trim_start().starts_with("Finished");
    for line in lines.into_iter().flatten().filter(is_output) {
        assert!(found.contains(&stable(line)), "{line}\n{ran:?}");
    }
}

/// The draft passes `check` with the policy of the project, and with the lines that it asks for.
#[test]
fn the_policy_of_the_project_holds() {
    let (server, mut con) = start();
    for id in 0..40 {
        for (key, ttl) in [("Cart", "600"), ("cache", "1209600"), ("celery-task-meta-", "600")] {
            let _: () = run(&mut con, &["SET", &format!("{key}_{id}"), "x", "EX", ttl]);
        }
    }
    let files = [("src/lib.rs", "mod broken;\n"), ("src/broken.rs", "fn broken( {\n")];
    let workspace = Workspace::new("adopt-policy", &[("shop", &files)]);
    let policy = |modules: &str, legacy: &str| {
        let text = format!(
            "modules = [{modules}]\n\n[lints]\nunusual_ttl = \"deny\"\n\n[legacy]\nkeys = [{legacy}]\n\n[foreign]\n\
             patterns = [\"celery-task-meta-*\"]\n"
        );
        workspace.write("packages/shop/redis-keys.toml", &text);
    };
    policy("\"user\"", "\"Profile\"");
    let ran = workspace.run(&["adopt", &server.url(), "--full-speed", "--out", "packages/shop/src/keys.rs"]);
    assert_eq!(ran.status, Some(0), "{ran:?}");
    for line in [
        "1 file cannot be read",
        "note: 40 keys of `celery-task-meta-*` left out: see `[foreign]` of the policy",
        "help: write into redis-keys.toml modules = [\"user\", \"cache\", \"cart\"]",
        "help: write into redis-keys.toml below `[legacy]`, keys = [\"Profile\", \"Cache\", \"Cart\"]",
    ] {
        assert!(ran.stderr.contains(line), "{line}: {ran:?}");
    }
    let draft = workspace.read("packages/shop/src/keys.rs");
    assert!(draft.contains("allow(unusual_ttl, reason = \"TODO\")"), "{draft}");
    policy("\"user\", \"cache\", \"cart\"", "\"Profile\", \"Cache\", \"Cart\"");
    workspace.write("packages/shop/src/lib.rs", "pub mod keys;\n");
    let ran = workspace.run(&["check"]);
    assert_eq!(ran.status, Some(0), "{ran:?}\n{draft}");
    assert!(ran.stdout.contains("of 2 declarations"), "{ran:?}");
}

/// Names of a list get fields and types from the sources.
#[test]
fn a_list_is_joined_with_sources() {
    let files = [("src/lib.rs", "pub mod service;\n"), ("src/service.rs", SERVICE)];
    let workspace = Workspace::new("adopt-list", &[("game", &files)]);
    let names: Vec<_> = (0..30).map(|id| format!("fx_EU{id}_US{id}")).collect();
    workspace.write("names.txt", &names.join("\n"));
    let ran = workspace.run(&["adopt", "--keys", "names.txt", "--format", "json"]);
    assert_eq!(ran.status, Some(0), "{ran:?}");
    let list: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    let found = list["keys"].as_array().unwrap().iter().find(|key| key["keys"] == 30).unwrap();
    assert_eq!((&found["text"], &found["type"]), (&"fx_{from}_{to}".into(), &"hash".into()), "{ran:?}");

    // What is declared by now is left out.
    let rates = "#[derive(redis_keys::RedisKey)]\n#[redis_key(\n    fx:{from}:{to}:hash, field = String, value = String, \
                 ttl = 1h, legacy = \"fx_{from}_{to}\",\n)]\npub struct Rates<'a> {\n    pub from: &'a str,\n    pub to: &'a str,\n}\n";
    workspace.write("packages/game/src/lib.rs", &format!("pub mod service;\n\n{rates}"));
    let ran = workspace.run(&["adopt", "--keys", "names.txt"]);
    assert!(ran.stderr.contains("in 0 keys without a declaration; 30 keys have a declaration"), "{ran:?}");
    assert!(ran.stdout.contains("otp_{transaction}_attempts") && !ran.stdout.contains("fx_"), "{ran:?}");
}

//! `catalog`.

use std::fs;
use std::path::PathBuf;

use snapbox::{assert_data_eq, file, str};

use crate::command::{Ran, run};
use crate::workspace::Workspace;

/// A catalog in which each field has a value.
pub(crate) const EVERY_FIELD: &str = "tests/integration/catalog/every_field.json";

/// A catalog in which each text is an attack on the reader's terminal, browser or renderer of Markdown.
pub(crate) const HOSTILE: &str = "tests/integration/catalog/hostile.json";

const UNREAD: &str = "\
read 10 declarations
2 places make keys that the sources do not show (--built reads them)
  shop/src/macros.rs:9: the macro `make` declares keys
  shop/src/macros.rs:12: the macro `make` declares keys
";

/// A file that is gone after the test.
pub(crate) struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str, text: &str) -> Self {
        let file = std::env::temp_dir().join(format!("redis-keys-{}-{name}", std::process::id()));
        fs::write(&file, text).unwrap();
        Self(file)
    }

    pub(crate) fn path(&self) -> &str {
        self.0.to_str().unwrap()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

fn catalog(catalog: &str, arguments: &[&str]) -> Ran {
    run(&[&["catalog", "--catalog", catalog], arguments].concat())
}

#[track_caller]
fn list(format: &str) -> String {
    let ran = catalog(EVERY_FIELD, &["--format", format]);
    assert_eq!((ran.status, ran.stderr.as_str()), (Some(0), UNREAD));
    ran.stdout
}

#[test]
fn each_format_has_every_field() {
    assert_data_eq!(list("table"), file!["catalog/table.txt"].raw());
    assert_data_eq!(list("markdown"), file!["catalog/markdown.md"].raw());
    assert_eq!(list("json"), fs::read_to_string(EVERY_FIELD).unwrap());
    let page = list("html");
    // The frame, which all pages have, is tested with them.
    let body = page.split_once("<h1>").and_then(|(_, rest)| rest.split_once("<script>")).unwrap().0.to_owned();
    assert_data_eq!(body.replace("<tr>", "\n<tr>"), file!["catalog/page.html"].raw());
}

/// The catalog with a legacy text in use and a former one.
pub(crate) fn with_legacy_texts(name: &str) -> Scratch {
    let mut catalog: serde_json::Value = serde_json::from_str(&fs::read_to_string(EVERY_FIELD).unwrap()).unwrap();
    let keys = catalog["keys"].as_array_mut().unwrap();
    keys.truncate(3);
    (keys[0]["legacy"], keys[2]["formerly"]) = ("Card:{user_id:05}".into(), "cart|{cart_id}".into());
    Scratch::new(name, &catalog.to_string())
}

#[test]
fn legacy_texts_have_a_column() {
    let file = with_legacy_texts("legacy.json");
    let list = |format: &str| {
        let ran = catalog(file.path(), &["--format", format]);
        assert_eq!(ran.status, Some(0), "{ran:?}");
        ran.stdout
    };
    let table = list("table");
    let cells = |line: &str| {
        line.split("  ").filter(|cell| !cell.is_empty()).take(2).map(str::trim).collect::<Vec<_>>().join(" | ")
    };
    let cells: Vec<_> = table.lines().map(cells).collect();
    assert_eq!(
        cells,
        [
            "KEY | TEXT IN USE",
            "cache:card:{user_id}:string | Card:{user_id:05}",
            "cache:hot:{copy}:{path}:string | 1h + 5m",
            "cart:{#cart_id}:items:list | cart:{#cart_id}:items:list",
        ]
    );
    let markdown = list("markdown");
    for line in [
        "| key | text in use | longest |",
        "| `cache:card:{user_id}:string` | `Card:{user_id:05}` |",
        "| `cache:hot:{copy}:{path}:string` | – |",
        "- text in use: `Card:{user_id:05}`, until programs write the template\n",
        "- formerly: `cart|{cart_id}`\n",
    ] {
        assert!(markdown.contains(line), "{line} {markdown}");
    }
    let page = list("html");
    assert!(page.contains("text in use") && page.contains("<code>Card:{user_id:05}</code>"), "{page}");
}

#[test]
fn the_table_is_the_default() {
    assert_eq!(catalog(EVERY_FIELD, &[]).stdout, list("table"));
}

#[test]
fn unread_places_are_findings_if_asked() {
    assert_eq!(catalog(EVERY_FIELD, &["--strict"]).status, Some(1));
}

#[test]
fn nothing_in_a_text_is_more_than_text() {
    for format in ["table", "markdown", "json", "html"] {
        let ran = catalog(HOSTILE, &["--format", format]);
        assert_eq!(ran.status, Some(0));
        for text in [&ran.stdout, &ran.stderr] {
            assert!(!text.contains(['\u{1b}', '\u{202e}']), "{format}: {text}");
            assert!(!text.lines().any(|line| line.starts_with("- z") || line.starts_with("## y")), "{format}: {text}");
        }
        assert!(format != "html" || !ran.stdout.contains("<script>alert"), "{}", ran.stdout);
    }
    assert_data_eq!(catalog(HOSTILE, &["--format", "markdown"]).stdout, file!["catalog/hostile.md"].raw());
    // Neither is the name of an unknown type, in the error.
    let hostile = fs::read_to_string(HOSTILE).unwrap().replace(r#""type":"string""#, r#""type":"a\u202eb\nc""#);
    let ran = catalog(Scratch::new("hostile.json", &hostile).path(), &[]);
    let error = r"error: not a catalogue: unknown variant `a\u{202e}b c`, expected one of `string`";
    assert!(ran.status == Some(2) && ran.stderr.starts_with(error), "{ran:?}");
}

#[test]
fn a_file_has_the_form_of_its_name() {
    for (name, format) in
        [("a.md", "markdown"), ("a.json", "json"), ("a.html", "html"), ("a.txt", "table"), ("a", "table")]
    {
        let file = Scratch::new(name, "");
        let ran = catalog(EVERY_FIELD, &["--out", file.path()]);
        assert_eq!((ran.status, ran.stdout.as_str()), (Some(0), ""));
        assert_eq!(fs::read_to_string(&file.0).unwrap(), list(format), "{name}");
    }
}

/// Returns what `--check` writes about a file.
fn check(name: &str, text: &str) -> (Option<i32>, String, String) {
    check_with(EVERY_FIELD, name, text)
}

fn check_with(declared: &str, name: &str, text: &str) -> (Option<i32>, String, String) {
    let file = Scratch::new(name, text);
    let ran = catalog(declared, &["--check", file.path()]);
    (ran.status, ran.stdout, ran.stderr.replace(file.path(), "FILE"))
}

#[test]
fn a_file_that_is_up_to_date_is_fine() {
    let markdown = list("markdown");
    for (name, text) in [("b.md", markdown.clone()), ("c.md", markdown.replace('\n', "\r\n")), ("b.json", list("json"))]
    {
        assert_eq!(check(name, &text), (Some(0), String::new(), UNREAD.to_owned()), "{name}");
    }
    // Other changes move the lines.
    let moved = list("json").replace("\"line\":12,", "\"line\":13,");
    assert_eq!(check("d.json", &moved).0, Some(0));
}

#[test]
fn the_keys_that_differ_are_shown() {
    let replaced = |text: String| {
        text.replace("cart:{#cart_id}:items:list", "cart:{#cart_id}:old:list").replace("web team", "app team")
    };
    let mut outputs = Vec::new();
    for (name, text) in [("e.md", replaced(list("markdown"))), ("e.json", replaced(list("json")))] {
        let (status, stdout, stderr) = check(name, &text);
        assert_eq!(status, Some(1), "{name}");
        assert_eq!(
            stderr.strip_suffix(UNREAD),
            Some(
                "`FILE` is out of date: 1 key added, 1 key removed, 1 key changed\n\
                 help: update it with `cargo redis-keys catalog --out FILE`\n"
            )
        );
        outputs.push(stdout);
    }
    assert_eq!(outputs[0], outputs[1]);
    assert_data_eq!(
        outputs[0].clone(),
        str![[r#"
- `cart:{#cart_id}:old:list`
+ `cart:{#cart_id}:items:list`
    + - declared: `keys::Items` in `shop/src/keys.rs` (shop, lib:shop)
    + - type: `list` of `Json<Item>`
    + - expiry: 7d, restarted by each write
    + - size: the newest 100 elements, each at most 4KB
    + - key: 50 bytes at most, of 128, such as `cart:{67e5504410b1426f9247bb680e5fe0c8}:items:list`
    + - parameter: `cart_id`, `Uuid`: 32 hexadecimal digits, the hash tag
~ `cache:card:{user_id}:string`
    - - owner: app team
    + - owner: web team

"#]]
    );
}

/// A change need not change the length of the file.
#[test]
fn a_file_of_the_same_length_can_differ() {
    for (name, format) in [("g.md", "markdown"), ("g.json", "json")] {
        let (status, stdout, _) = check(name, &list(format).replace("web team", "app team"));
        assert_eq!(status, Some(1), "{name}");
        assert_eq!(stdout, "~ `cache:card:{user_id}:string`\n    - - owner: app team\n    + - owner: web team\n");
    }
}

/// Under different conditions, and in different packages, declarations can have the same template.
#[test]
fn each_key_of_a_template_is_compared() {
    let lines = list("json");
    let card = lines.lines().find(|line| line.contains("cache:card:")).unwrap();
    let twice = |owners: [&str; 2]| {
        let cards = owners.map(|owner| card.replace("web team", owner)).join("\n");
        lines.replacen(card, &cards, 1)
    };
    let declared = Scratch::new("h.json", &twice(["web team", "app team"]));
    assert_eq!(check_with(declared.path(), "i.json", &twice(["web team", "app team"])).0, Some(0));
    for owners in [["old team", "app team"], ["web team", "old team"]] {
        let (status, stdout, _) = check_with(declared.path(), "i.json", &twice(owners));
        assert_eq!(status, Some(1), "{owners:?}");
        assert!(stdout.starts_with("~ `cache:card:{user_id}:string`\n    - - owner: old team\n"), "{stdout}");
    }
    let (status, stdout, stderr) = check_with(declared.path(), "i.json", &lines);
    assert_eq!(status, Some(1));
    assert!(stdout.starts_with("+ `cache:card:{user_id}:string`\n"), "{stdout}");
    assert!(stderr.contains("out of date: 1 key added\n"), "{stderr}");
}

#[test]
fn other_text_differs_too() {
    let (status, stdout, stderr) = check("f.md", &list("markdown").replace("# Redis keys", "# Keys"));
    assert_eq!((status, stdout.as_str()), (Some(1), ""));
    assert!(stderr.starts_with("`FILE` is out of date: its text differs, and no key\n"), "{stderr}");
}

#[test]
fn a_command_that_cannot_run_says_why() {
    let missing = catalog(EVERY_FIELD, &["--check", "missing.md"]).failure();
    assert!(missing.starts_with("error: cannot read `missing.md`: "), "{missing}");
    assert!(missing.ends_with("help: write it with `cargo redis-keys catalog --out missing.md`\n"), "{missing}");
    let page = catalog(EVERY_FIELD, &["--check", "keys.html"]).failure();
    let expected =
        "error: cannot compare with `keys.html`\nhelp: compare with a list in Markdown (`.md`) or JSON (`.json`)\n";
    assert_eq!(page, expected);
    let both = run(&["catalog", "--catalog", EVERY_FIELD, "--built"]).failure();
    assert!(both.contains("cannot be used with"), "{both}");
    let missing = catalog("missing.json", &[]).failure();
    assert!(missing.starts_with("error: cannot read `missing.json`: "), "{missing}");
}

#[test]
fn an_unknown_name_needs_a_format() {
    let ran = catalog(EVERY_FIELD, &["--out", "keys.xyz"]);
    assert_eq!(ran.status, Some(2));
    assert!(
        ran.stderr.starts_with("error: the name of `keys.xyz` does not tell its format\nhelp: add `--format`"),
        "{ran:?}"
    );
}

#[test]
fn the_number_of_declarations_is_said() {
    let key = |name: &str| {
        format!("#[derive(RedisKey)]\n#[redis_key(user:{name}:string, value = u64, ttl = 1h)]\nstruct Key;\n")
    };
    let files = [("src/lib.rs", key("lib")), ("benches/speed.rs", key("bench"))];
    let files = files.each_ref().map(|(file, text)| (*file, text.as_str()));
    let workspace = Workspace::new("counted", &[("shop", &files), ("none", &[("src/lib.rs", "")])]);
    for (arguments, count) in [
        (&["catalog"][..], "read 1 declaration\n"),
        (&["catalog", "--benches", "--offline"], "read 2 declarations\n"),
        (&["catalog", "-p", "none"], "read 0 declarations\nhelp: keys are items with `#[derive(RedisKey)]`"),
    ] {
        let ran = workspace.run(arguments);
        assert!(ran.status == Some(0) && ran.stderr.starts_with(count), "{arguments:?}: {ran:?}");
    }
    let table = workspace.run(&["catalog", "--benches"]).stdout;
    assert!(table.contains("user:bench:string") && table.contains("packages/shop/benches/speed.rs:3"), "{table}");
    for command in ["check", "catalog"] {
        workspace.write("Cargo.lock", "version = 4\n");
        let locked = workspace.run(&[command, "--locked"]);
        assert!(locked.status == Some(2) && locked.stderr.contains("--locked"), "{locked:?}");
        assert_eq!(workspace.run(&[command]).status, Some(0));
        assert_eq!(workspace.run(&[command, "--locked"]).status, Some(0));
    }
}

//! The outputs that README and guide show, compared with what the commands print. Numbers, sizes and times differ from
//! run to run: the words are compared.

use std::fs;
use std::path::{Path, PathBuf};

use crate::audit::run::start;
use crate::command::run;
use crate::workspace::Workspace;

/// The program that fills a server for the page on operations.
#[path = "../../../examples/audit.rs"]
#[expect(dead_code, reason = "its `main` is not called")]
mod years;

/// The blocks of text of README and guide, by their page and their start: the test that compares them, or what they are
/// instead of an output.
const BLOCKS: [(&str, &str, &str); 37] = [
    ("README", "cargo xtask shop", "a line to run"),
    ("changing_values", "error: stored values", "tests/integration/values/changes.rs"),
    ("checks", "cargo redis-keys check --raw --baseline", "lines to run"),
    ("checks", "warning: `Me` of package", "here"),
    ("existing/draft", "found 12 kinds", "tests/integration/adopt/drafts.rs"),
    ("existing/README", "$ cargo redis-keys audit --show-keys", "tests/integration/adoption.rs"),
    ("limits", "RateLimit-Policy", "tests/tests/integration/limit/layer.rs"),
    ("observability", "$ curl", "tests/tests/observability/main.rs"),
    ("observability", "1 - sum by", "a query"),
    ("observability", "histogram_quantile", "a query"),
    ("observability", "Name         :", "tests/tests/observability/examples.rs"),
    ("observability", "Targets::new", "an expression"),
    ("operations/audit", "HOTKEYS START", "a line to run"),
    ("operations/audit", "Hot keys,", "src/operate/audit/report/tests.rs"),
    ("other_languages", "ACL SETUSER", "tests/integration/acl.rs"),
    ("policy", "error: ", "here"),
    ("policy", "warning: ", "here"),
    ("declaration", "error[", "here"),
    ("catalogue", "KEY ", "here"),
    ("catalogue", "2 places", "here"),
    ("catalogue", "###", "here"),
    ("catalogue", "~ ", "here"),
    ("catalogue", "cache:card:42", "here"),
    ("catalogue", "unknown key", "here"),
    ("checks", "error: `Named`", "here"),
    ("checks", "warning: raw", "here"),
    ("checks", "$ cargo redis-keys explain", "here"),
    ("operations/audit", "Audit of", "here"),
    ("tutorial", "docker run", "lines to run"),
    ("tutorial", "sudo apt", "lines to run"),
    ("tutorial", "$ redis-cli", "lines of another program"),
    ("tutorial", "visits: 1", "tests/guide/page.rs"),
    ("tutorial", "loading user", "tests/guide/page.rs"),
    ("tutorial", "redis_keys_cache_hits", "tests/guide/page.rs"),
    ("tutorial", "#[redis_key(page:Visits", "a line that does not compile"),
    ("tutorial", "error: missing", "here"),
    ("tutorial", "Audit of", "here"),
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The text of a page of the guide.
fn page(name: &str) -> String {
    fs::read_to_string(root().join(format!("redis-keys/docs/guide/{name}.md"))).unwrap()
}

/// The blocks of a page in a language.
fn blocks<'p>(page: &'p str, language: &str) -> impl Iterator<Item = &'p str> {
    let start = format!("\n```{language}\n");
    let starts: Vec<_> = page.match_indices(&start).map(|(index, start)| index + start.len()).collect();
    starts.into_iter().map(|start| page[start..].split("\n```").next().unwrap())
}

/// The words of a line, with `#` for each number, since they differ from run to run, and without units of sizes.
fn words(line: &str) -> Vec<String> {
    let is_unit = |word: &&str| ["B", "KB", "MB"].contains(&word.trim_matches(['(', ')']));
    let plain = line.split_whitespace().filter(|word| !is_unit(word)).map(|word| {
        let mut text = String::new();
        for (index, sign) in word.char_indices() {
            let is_first = !word[..index].ends_with(|sign: char| sign.is_ascii_digit() || ".,".contains(sign));
            match sign {
                '0'..='9' if is_first => text.push('#'),
                '0'..='9' => {}
                '.' | ',' if word[..index].ends_with(|sign: char| sign.is_ascii_digit()) => {}
                _ => text.push(sign),
            }
        }
        text
    });
    plain.collect()
}

/// Compares a block of a page, which begins like this, with an output that has its lines one after the other. `…` stands
/// for lines that are left out.
#[track_caller]
fn assert_printed(page: &str, start: &str, output: &str) {
    let block = blocks(page, "text").find(|block| block.starts_with(start));
    let block = block.unwrap_or_else(|| panic!("the page has no block that begins with `{start}`"));
    let mut found = output.lines().map(words).filter(|words| !words.is_empty());
    let mut is_gap = true;
    for line in block.lines().filter(|line| !line.trim().is_empty()) {
        if line.starts_with(['$', '…']) {
            is_gap = true;
            continue;
        }
        let is_printed = if is_gap {
            found.any(|found| found == words(line))
        } else {
            found.next().is_some_and(|found| found == words(line))
        };
        assert!(is_printed, "not printed here: {line}\n{output}");
        is_gap = false;
    }
}

#[test]
fn each_block_is_compared() {
    let folder = root().join("redis-keys/docs/guide");
    let entries = |folder: &Path| fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let (folders, mut pages): (Vec<_>, Vec<_>) = entries(&folder).partition(|path| path.is_dir());
    // The cookbook's blocks are compared by tests/tests/cookbook.
    pages.extend(folders.iter().filter(|path| !path.ends_with("cookbook")).flat_map(|path| entries(path)));
    pages.push(root().join("README.md"));
    for path in pages {
        let page = path.strip_prefix(&folder).unwrap_or(Path::new("README.md")).with_extension("");
        let (name, text) = (page.to_str().unwrap(), fs::read_to_string(&path).unwrap());
        for block in blocks(&text, "text") {
            let is_known = |(page, start, _): &(&str, &str, &str)| *page == name && block.starts_with(start);
            assert!(BLOCKS.iter().any(is_known), "compare this block of {name} with what is printed: {block}");
        }
    }
}

#[test]
fn the_guide_shows_an_audit() {
    let (server, mut con) = start();
    // The setting of Valkey, which the page shows: Redis has another one, which is a finding.
    redis::cmd("CONFIG").arg("SET").arg("lazyfree-lazy-expire").arg("yes").exec(&mut con).unwrap();
    years::write_declared(&mut con).unwrap();
    years::write_others(&mut con).unwrap();
    let manifest = root().join("Cargo.toml");
    let declarations =
        ["--manifest-path", manifest.to_str().unwrap(), "--package", "redis-keys-examples", "--examples"];
    let url = server.url();
    let audit = run(&[&["audit", &url], &declarations[..]].concat());
    assert_printed(&page("operations/audit"), "Audit of", &audit.stdout.replace("(redis", "(valkey"));
}

#[test]
fn the_tutorial_shows_mistakes_and_an_audit() {
    let page = page("tutorial");
    let mut programs = blocks(&page, "rust,no_run");
    let (first, last) = (programs.next().unwrap(), programs.last().unwrap());
    let files = [("src/main.rs", last)];
    let workspace = Workspace::new("guide-tutorial", &[("first-keys", &files)]);
    let (server, mut con) = start();
    // The setting of Valkey, as above.
    redis::cmd("CONFIG").arg("SET").arg("lazyfree-lazy-expire").arg("yes").exec(&mut con).unwrap();
    redis::cmd("SET").arg("session:ada").arg("hello").exec(&mut con).unwrap();
    for (key, ttl) in [("page:visits:7:string", 86_400), ("user:name:42:string", 3600), ("user:name:43:string", 300)] {
        redis::cmd("SET").arg(key).arg("Ada").arg("EX").arg(ttl).exec(&mut con).unwrap();
    }
    let audit = workspace.run(&["audit", &server.url(), "--show-keys"]);
    assert_printed(&page, "Audit of", &audit.stdout.replace("(valkey", "(redis"));

    let mistakes = blocks(&page, "text").find(|block| block.starts_with("#[redis_key(page:Visits")).unwrap();
    let line = first.lines().find(|line| line.starts_with("#[redis_key(")).unwrap();
    workspace.write("packages/first-keys/src/main.rs", &first.replace(line, mistakes));
    let checked = workspace.run(&["check"]);
    let checked = (checked.stdout + &checked.stderr).replace("packages/first-keys/", "");
    // The compiler shows the lines of help in front of the source.
    let plain = |line: &str| words(line.trim_start_matches([' ', '=']));
    let printed: Vec<_> = checked.lines().map(plain).collect();
    let errors = blocks(&page, "text").find(|block| block.starts_with("error: missing")).unwrap();
    for line in errors.lines() {
        assert!(printed.contains(&plain(line)), "not printed here: {line}\n{checked}");
    }
}

#[test]
fn the_guide_shows_a_catalogue() {
    let page = page("catalogue");
    let source = blocks(&page, "rust").next().unwrap();
    let macros =
        "\nmacro_rules! keys { () => { #[derive(RedisKey)] struct A; #[derive(RedisKey)] struct B; } }\nkeys!();\n";
    let files = [("src/lib.rs", "mod keys;\n"), ("src/keys.rs", source)];
    let workspace = Workspace::new("guide-catalogue", &[("shop", &files)]);
    let printed = |arguments: &[&str]| {
        let ran = workspace.run(arguments);
        (ran.stdout + &ran.stderr).replace("packages/shop/", "")
    };
    assert_printed(&page, "KEY ", &printed(&["catalog"]));
    assert_printed(&page, "###", &printed(&["catalog", "--format", "markdown"]));
    assert_printed(&page, "cache:card:42", &printed(&["lookup", "cache:card:42:string"]));
    assert_printed(&page, "unknown key", &printed(&["lookup", "cache:card:ada:string"]));
    printed(&["catalog", "--out", "KEYS.md"]);
    workspace.write("packages/shop/src/keys.rs", &source.replace("ttl = 1h", "ttl = 2h"));
    assert_printed(&page, "~ ", &printed(&["catalog", "--check", "KEYS.md"]));
    workspace.write("packages/shop/src/keys.rs", &(source.to_owned() + macros));
    assert_printed(&page, "2 places", &printed(&["catalog"]));
}

#[test]
fn the_guide_shows_checks() {
    let page = page("checks");
    let key = |template: &str, item: &str| {
        format!(
            "use redis_keys::prelude::*;\n\n/// A name.\n#[derive(RedisKey)]\n\
             #[redis_key({template}, value = String, ttl = 1h)]\n{item}\n"
        )
    };
    let named = key("user:{name}:string", "pub struct Named<'a> { name: &'a str }");
    let (user, shop) = ([("src/lib.rs", &*named)], [("src/lib.rs", &*key("user:me:string", "pub struct Me;"))]);
    let workspace = Workspace::new("guide-checks", &[("shop", &shop), ("user", &user)]);
    let checked = workspace.run(&["check"]);
    let printed = (checked.stdout + &checked.stderr).replace("packages/", "");
    assert_printed(&page, "error: `Named`", &printed);
    // Compared with what is printed there.
    assert_printed(&page, "warning: `Me`", include_str!("check/overlaps.rs"));

    let profile = "user:profile:{user_id}:string, legacy = \"User:{user_id}:Profile\"";
    let profile = key(profile, "pub struct UserProfile { user_id: u64 }").replace(":string", ":hash");
    let profile = profile.replace("value = String", "field = String, value = String");
    let users = "use redis::AsyncCommands;\n\npub struct User { id: u64, name: String }\n\n\
                 pub async fn save(con: &mut redis::aio::MultiplexedConnection, user: &User) -> redis::RedisResult<()> {\n    \
                     con.hset(format!(\"User:{}:Profile\", user.id), \"name\", &user.name).await\n}\n";
    let files = [("src/lib.rs", "mod keys;\nmod users;\n"), ("src/keys.rs", &*profile), ("src/users.rs", users)];
    let workspace = Workspace::new("guide-raw", &[("shop", &files)]);
    let printed = workspace.run(&["check", "--raw"]).stdout.replace("packages/shop/", "");
    assert_printed(&page, "warning: raw", &printed);

    assert_printed(&page, "$ cargo redis-keys explain", &run(&["explain", "missing_jitter"]).stdout);
}

/// Other tests compare these messages with the compiler's.
#[test]
fn the_guide_shows_messages_of_the_compiler() {
    for (start, folder) in [("error: ", "wrong_names"), ("warning: ", "lint_missing_jitter")] {
        let messages = fs::read_to_string(root().join(format!("ui-tests/policy/{folder}/expected.stderr"))).unwrap();
        let messages = messages.replace(&format!("{folder}/main.rs"), "src/keys.rs").replace(&format!("{folder}/"), "");
        assert_printed(&page("policy"), start, &messages);
    }
    let attribute = fs::read_to_string(root().join("redis-keys/src/__private/overlap.rs")).unwrap();
    let shown = page("declaration").replace("`Me`", "`{One}`").replace("`ByName`", "`{Other}`").replace('"', "\\\"");
    for option in ["message", "label", "note"] {
        let message = attribute.split(&format!("    {option} = \"")).nth(1).unwrap().lines().next().unwrap();
        let message = message.trim_end_matches(',').trim_end_matches('"');
        assert!(shown.contains(message), "the page has no {message}");
    }
}

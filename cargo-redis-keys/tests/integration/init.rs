//! `init`.

use snapbox::{assert_data_eq, str};

use crate::workspace::Workspace;

const KEYS: &str = "
/// The name of a user.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = String, ttl = 1h, owner = \"users\")]
struct Name { id: u64 }

#[derive(RedisKey)]
#[redis_key(cache:page:{id}:string, value = String, ttl = 1h, jitter = 10%)]
struct Page { id: u64 }

#[cfg(test)]
mod tests {
    #[derive(RedisKey)]
    #[redis_key(fixture:page:{id}:string, value = String, ttl = 1h)]
    struct Page { id: u64 }
}
";

#[test]
fn the_project_is_valid_with_it() {
    let workspace = Workspace::new("init", &[("shop", &[("src/lib.rs", KEYS)])]);
    let shown = workspace.run(&["init", "--stdout"]).fine();
    assert_data_eq!(
        &shown,
        str![[r##"
# The policy of this project for its Redis keys.
# https://docs.rs/redis-keys/latest/redis_keys/guide/policy/index.html
#
# A line such as `# name = value` is a setting that is not in force. Remove the `#` to set it.

# The modules: the first segments of keys. A key of another module does not compile.
modules = ["cache", "fixture", "user"]

# Limits below those of redis-keys. A key that declares more does not compile.
[limits]
# max_bytes = "1MB"          # of a string or a bitmap; 10KB without `max_bytes` in the declaration
# max_len = 5000             # elements of a collection
# max_member_bytes = "1MB"   # of an element; 4KB without `max_member_bytes` in the declaration
# max_key_bytes = 128        # of the key itself
# longest_ttl = "3650d"      # of the expiry; rejects `ttl = never` as well

# The level of each lint: "allow", "warn" or "deny". `cargo redis-keys explain NAME` explains it.
[lints]
# misused_module = "warn"    # The type or the value of the key is unusual for its module
# misspelt_module = "warn"   # A table of the policy file is for a module whose name is probably a typo
# unusual_ttl = "warn"       # The expiry is outside the usual range of the module
# missing_jitter = "warn"    # Cached keys without jitter expire at the same time
# big_collection = "warn"    # The collection can have more than 1000 elements, or the stream more than 5000
# uncompressed = "warn"      # Values above 10KB of text, or of an object, are stored without compression
# hot_slot = "warn"          # The hash tag is a calendar bucket: all keys of the current day or hour are in one slot
# plain_secret = "warn"      # A secret is stored as plain text, or is part of a key
# sliding_ttl = "warn"       # A collection is renewed for as long as it is used, and nothing else removes its elements
# no_rebuild = "warn"        # A key that never expires does not say how it is restored
# long_word = "warn"         # The project abbreviates this word
# sibling_fields = "warn"    # Several string keys are fields of one object, and could be one hash
# unneeded_allow = "warn"    # The declaration opts out of a lint that does not fire
# long_key = "allow"         # The key can exceed 30 bytes
# undocumented = "allow"     # The key has no doc comment

# The structs that can have `legacy`. With the table, no other one can.
# [legacy]
# keys = []

# Other programs on the same servers: the audit counts their keys by program, and not as unknown.
# [foreign]
# systems = ["apalis", "bullmq", "celery", "django", "laravel", "sidekiq", "spring-session"]
# patterns = ["legacy:*"]

# Words and their abbreviations, for the lint `long_word`.
[abbreviations]
# preferences = "prefs"

# The modules: how long their keys live, the types that they can have, and who owns them. The values are those of the keys that
# are there.

# [module.cache]   # 1 key
# ttl = "1h..1h"
# types = ["string"]
# owner = "web team"

# [module.fixture]   # 1 key
# ttl = "1h..1h"
# types = ["string"]
# owner = "web team"

# [module.user]   # 1 key
# ttl = "1h..1h"
# types = ["string"]
# owner = "users"

"##]]
    );
    let ran = workspace.run(&["init"]);
    assert_eq!((ran.status, &*ran.stdout), (Some(0), ""));
    assert!(ran.stderr.starts_with("wrote ") && ran.stderr.contains("touch the sources"), "{}", ran.stderr);
    assert!(ran.stderr.contains("\n  cargo redis-keys values --check\n"), "{}", ran.stderr);
    assert_eq!(workspace.read("redis-keys.toml"), shown);
    workspace.run(&["check", "--tests", "--deny-warnings"]).fine();
    // With all comments as settings, too.
    let settings = shown.lines().map(|line| line.strip_prefix("# ").filter(|rest| is_setting(rest)).unwrap_or(line));
    workspace.write("redis-keys.toml", &settings.collect::<Vec<_>>().join("\n"));
    workspace.run(&["check", "--tests", "--deny-warnings"]).fine();
}

fn is_setting(line: &str) -> bool {
    line.starts_with("[module")
        || ["[legacy]", "[foreign]"].contains(&line)
        || line.split_once(" = ").is_some_and(|(name, _)| !name.contains([' ', '`']))
}

#[test]
fn a_project_with_a_client_gets_the_next_steps() {
    let workspace =
        Workspace::new("init-client", &[("redis", &[("src/lib.rs", "")]), ("shop", &[("src/lib.rs", KEYS)])]);
    let manifest = workspace.read("packages/shop/Cargo.toml");
    workspace.write("packages/shop/Cargo.toml", &(manifest + "redis = { path = \"../redis\" }\n"));
    let ran = workspace.run(&["init"]);
    let lines: Vec<_> = ran.stderr.lines().filter(|line| line.starts_with("  cargo redis-keys check ")).collect();
    assert_eq!(lines.len(), 2, "{}", ran.stderr);
    assert!(ran.stderr.contains("`redis`") && ran.stderr.contains("`[foreign]`"), "{}", ran.stderr);
    for line in lines {
        let words: Vec<_> = line.split_whitespace().skip(2).collect();
        workspace.run(&words).fine();
    }
}

#[test]
fn a_file_that_exists_is_not_changed() {
    let workspace = Workspace::new("init-twice", &[("shop", &[("src/lib.rs", KEYS)])]);
    workspace.write("redis-keys.toml", "# mine\n");
    let failure = workspace.run(&["init"]).failure();
    assert!(failure.contains("redis-keys.toml` exists already\nhelp: "), "{failure}");
    assert_eq!(workspace.read("redis-keys.toml"), "# mine\n");
    assert!(workspace.run(&["init", "--stdout"]).fine().contains("modules = [\"cache\", \"fixture\", \"user\"]\n"));
}

#[test]
fn coding_agents_are_told_once_how_keys_are_declared() {
    let workspace = Workspace::new("init-agents", &[("shop", &[("src/lib.rs", KEYS)])]);
    let section = workspace.run(&["init", "--agents", "--stdout"]).fine();
    assert!(section.lines().count() <= 10 && section.starts_with("## Redis keys\n"), "{section}");
    assert_eq!(workspace.run(&["init", "--agents"]).status, Some(0));
    assert_eq!(workspace.read("AGENTS.md"), section);
    workspace.write("AGENTS.md", "# Agents\n\nBe brief.\n");
    for message in ["wrote `", "note: `"] {
        let ran = workspace.run(&["init", "--agents"]);
        assert!(ran.status == Some(0) && ran.stderr.starts_with(message), "{}", ran.stderr);
        assert_eq!(workspace.read("AGENTS.md"), format!("# Agents\n\nBe brief.\n\n{section}"));
    }
    // The commands that it names.
    assert_eq!(workspace.run(&["catalog"]).status, Some(0));
    assert_eq!(workspace.run(&["check", "--raw"]).status, Some(0));
    workspace.run(&["explain", "missing_jitter"]).fine();
}

#[test]
fn a_file_for_agents_that_cannot_be_read_is_named() {
    let workspace = Workspace::new("init-agents-refused", &[("shop", &[("src/lib.rs", KEYS)])]);
    // A folder cannot be read as a file.
    workspace.write("AGENTS.md/notes.md", "");
    let failure = workspace.run(&["init", "--agents"]).failure();
    assert!(failure.starts_with("error: cannot read `") && failure.contains("AGENTS.md`: "), "{failure}");
}

#[cfg(unix)]
#[test]
fn a_broken_link_for_agents_is_named() {
    let workspace = Workspace::new("init-agents-link", &[("shop", &[("src/lib.rs", KEYS)])]);
    workspace.link("nowhere/AGENTS.md", "AGENTS.md");
    let failure = workspace.run(&["init", "--agents"]).failure();
    assert!(failure.starts_with("error: cannot write `") && failure.contains("AGENTS.md`: "), "{failure}");
}

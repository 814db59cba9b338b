//! `init`: a policy file for the keys that are there.
//!
//! Only the list of modules is in force. All other settings are comments, with their defaults, or with values that the keys of
//! the project already fulfil.

mod modules;
#[cfg(test)]
mod tests;

use redis_keys_schema::{Level, Lint, limits};
use std::fmt::Write as _;

use crate::catalogue::Catalogue;
use crate::explain::Topic;
use modules::Module;

/// The text of a policy file with which the declared keys remain valid.
pub(crate) fn policy(catalogue: &Catalogue) -> String {
    let modules = modules::of(catalogue);
    let mut text = HEAD.to_owned();
    text.push_str(&list(&modules, catalogue.unread.len()));
    text.push_str(LIMITS);
    text.push_str(&lints());
    text.push_str(ABBREVIATIONS);
    if !modules.is_empty() {
        text.push_str(MODULES);
    }
    for module in &modules {
        text.push('\n');
        text.push_str(&module.table());
    }
    text
}

const HEAD: &str = "\
# The policy of this project for its Redis keys.
# https://docs.rs/redis-keys/latest/redis_keys/guide/policy/index.html
#
# A line such as `# name = value` is a setting that is not in force. Remove the `#` to set it.

";

/// `modules`. It is a comment if there may be modules that were not read.
fn list(modules: &[Module], unread: usize) -> String {
    let mut text = "# The modules: the first segments of keys. A key of another module does not compile.\n".to_owned();
    let names: Vec<_> = modules.iter().map(|module| format!("\"{}\"", module.name)).collect();
    if names.is_empty() {
        return text + "# modules = [\"user\", \"shop\"]\n\n";
    }
    if unread > 0 {
        let places = if unread == 1 { "1 place makes".to_owned() } else { format!("{unread} places make") };
        let _ = write!(text, "# {places} keys that were not read: add their modules.\n# ");
    }
    text + &format!("modules = [{}]\n\n", names.join(", "))
}

const LIMITS: &str = "\
# Limits below those of redis-keys. A key that declares more does not compile.
[limits]
# max_bytes = \"1MB\"          # of a string or a bitmap; 10KB without `max_bytes` in the declaration
# max_len = 5000             # elements of a collection
# max_member_bytes = \"1MB\"   # of an element; 4KB without `max_member_bytes` in the declaration
# max_key_bytes = 128        # of the key itself
# longest_ttl = \"3650d\"      # of the expiry; rejects `ttl = never` as well

";

/// `[lints]`, with a comment for each.
fn lints() -> String {
    let mut text =
        "# The level of each lint: \"allow\", \"warn\" or \"deny\". `cargo redis-keys explain NAME` explains it.\n[lints]\n"
            .to_owned();
    for article in Topic::Lint.articles() {
        let level = match Lint::from_name(article.name).map(Lint::default_level) {
            Some(Level::Allow) => "allow",
            Some(Level::Deny) => "deny",
            Some(Level::Warn) | None => "warn",
        };
        let setting = format!("{} = \"{level}\"", article.name);
        let _ = writeln!(text, "# {setting:26} # {}", article.summary.trim_end_matches('.'));
    }
    text.push('\n');
    text
}

const ABBREVIATIONS: &str = "\
# Words and their abbreviations, for the lint `long_word`.
[abbreviations]
# preferences = \"prefs\"
";

const MODULES: &str = "
# The modules: how long their keys live, the types that they can have, and who owns them. The values are those of the keys that
# are there.
";

/// The numbers of the text above are the limits of the rules.
const _: () = assert!(
    limits::MAX_MAX_BYTES == 1024 * 1024
        && limits::DEFAULT_MAX_BYTES == 10 * 1024
        && limits::MAX_MAX_LEN == 5000
        && limits::DEFAULT_MAX_MEMBER_BYTES == 4 * 1024
        && limits::MAX_KEY_BYTES == 128
        && limits::LONGEST_TTL.as_secs() == 3650 * 24 * 60 * 60
);

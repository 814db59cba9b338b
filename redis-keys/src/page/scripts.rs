//! The scripts, as the page shows them.

use std::fmt::Write as _;

use crate::lua::{ALL, Script};

const SOURCE: &str = include_str!("../lua/mod.rs");

const BEGINNING: &str = "
## Scripts

Each is one atom on the server: it sees what is left of the key's life, and writes in the same step. Keys come through `KEYS`
alone, so that a cluster finds them. A user of the server who may run only some commands needs EVAL, EVALSHA and those that the
script calls.

The expiry comes in milliseconds, with a minus before it where each write starts it anew, or as nothing where it is `never`.
That is what *as all* means below; the `ARGV` of those that write collections begins with it.
";

/// A call of a script, as a line shows it.
pub(super) struct Call {
    pub(super) name: &'static str,
    pub(super) line: String,
    /// The commands that it calls.
    pub(super) runs: Vec<String>,
}

/// Which script a command calls, if any.
pub(super) fn called(line: &str) -> Option<Call> {
    ALL.iter().find_map(|(name, script)| {
        let rest = |word: &str, script: &str| Some(line.strip_prefix(word)?.strip_prefix(script)?.to_owned());
        let (shown, rest) = match rest("EVALSHA ", script.sha1) {
            Some(rest) => (format!("EVALSHA {}…", script.sha1.get(..7)?), rest),
            None => ("EVAL …".to_owned(), rest("EVAL ", script.text)?),
        };
        let argv: Vec<&str> = rest.split(' ').skip(1).collect();
        let keys: usize = argv.first()?.parse().ok()?;
        let runs = commands(script, argv.get(1 + keys..)?);
        let runs = runs.into_iter().filter(|name| !matches!(name.as_str(), "UNLINK" | "DEL")).collect();
        Some(Call { name, line: shown + &rest, runs })
    })
}

/// The commands that a script calls, in the order of its text. What comes as an argument is looked up there.
fn commands(script: &Script, argv: &[&str]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for (at, opened) in script.text.match_indices(['(', '{']) {
        let (before, after) = script.text.split_at(at);
        let after = &after[1..];
        if opened == "(" && !before.ends_with("call") {
            continue;
        }
        let name = match (after.strip_prefix('\''), argument(after)) {
            (Some(literal), _) => literal.split('\'').next().unwrap_or_default().to_owned(),
            (None, Some(number)) => {
                argv.get(number - 1).map_or_else(|| format!("`ARGV[{number}]`"), ToString::to_string)
            }
            (None, None) => continue,
        };
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

/// The number of the argument that is the first thing here.
fn argument(text: &str) -> Option<usize> {
    let rest = text.strip_prefix("ARGV[").or_else(|| text.strip_prefix("unpack(ARGV, "))?;
    rest.split([']', ')']).next()?.parse().ok()
}

pub(super) fn markdown() -> String {
    let mut text = BEGINNING.to_owned();
    for (name, script) in ALL {
        let calls = commands(script, &[]).join(", ");
        let Script { sha1, text: lua, .. } = script;
        let _ = write!(text, "\n### {name}\n\n{}\nIt calls {calls}. SHA-1: `{sha1}`\n", told(name));
        let _ = write!(text, "\n```lua\n{lua}```\n");
    }
    text
}

/// What stands above a script in its file.
fn told(name: &str) -> String {
    let (before, _) = SOURCE.split_once(&format!("\npub(crate) const {name}: Script")).unwrap();
    let lines: Vec<&str> = before.lines().rev().take_while(|line| line.starts_with("///")).collect();
    let lines = lines.iter().rev().map(|line| line.trim_start_matches('/').trim_start());
    lines.fold(String::new(), |text, line| text + line + "\n")
}

//! The scripts of redis-keys, as its guide describes them.

use std::collections::HashMap;
use std::sync::LazyLock;

use sha1_smol::Sha1;

/// The page of the guide that lists the scripts by their SHA-1.
const GUIDE: &str = include_str!("../../../redis-keys/docs/guide/commands/scripts.md");

#[derive(Clone, Copy, Debug)]
pub(crate) struct Script {
    pub(crate) file: &'static str,
    /// What it does, in one sentence.
    pub(crate) does: &'static str,
    /// The commands that it calls.
    pub(crate) calls: &'static str,
}

/// The script of EVAL, which sends its text, or of EVALSHA, which sends its SHA-1.
pub(crate) fn find(command: &str, script: &str) -> Option<Script> {
    static SCRIPTS: LazyLock<HashMap<&str, Script>> = LazyLock::new(|| GUIDE.lines().filter_map(parse).collect());
    let text = (command == "EVAL").then(|| Sha1::from(script).digest().to_string());
    SCRIPTS.get(text.as_deref().unwrap_or(script)).copied()
}

fn parse(line: &'static str) -> Option<(&'static str, Script)> {
    let mut columns = line.strip_prefix("| `")?.strip_suffix("` |")?.split(" | ");
    let file = columns.next()?.strip_suffix('`')?;
    let (does, calls, sha1) = (columns.next()?, columns.next()?, columns.next()?);
    let does = does.split_inclusive(". ").next().unwrap_or(does);
    Some((sha1.trim_start_matches('`'), Script { file, does, calls }))
}

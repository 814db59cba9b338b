//! The scripts, from their files.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use sha1_smol::Sha1;

const INTRODUCTION: &str = "\
# Commands: scripts

Why scripts? Each one reads a key's remaining time and writes in one atomic step, because Redis has no command for that. The
files are in `src/lua` of the crate and of `redis-keys-core`; the comment at the top of each describes its arguments and its reply.

If an ACL restricts your user's commands, allow EVAL, EVALSHA and the commands that the scripts of your keys call:
`cargo redis-keys acl` prints the rules. UNLINK and DEL are optional: they remove a new key that cannot get its expiry.

| script | does | calls | SHA-1 |
|---|---|---|---|
";

/// What the page calls a command among the arguments of a script.
const THE_COMMAND: &str = "the command";

static SCRIPTS: LazyLock<Vec<Script>> = LazyLock::new(|| {
    let folders = ["src/lua", "../redis-keys-core/src/lua"];
    let folders = folders.map(|folder| fs::read_dir(Path::new(crate::CRATE).join(folder)).unwrap());
    let mut files: Vec<_> = folders.into_iter().flatten().map(|file| file.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "lua"));
    files.sort_by(|one, other| one.file_name().cmp(&other.file_name()));
    files.iter().map(|file| Script::read(file)).collect()
});

struct Script {
    file: String,
    /// The first paragraph of its comment.
    summary: String,
    /// The code that is sent: the file without comments and blank lines.
    code: String,
    sha1: String,
}

impl Script {
    fn read(path: &Path) -> Self {
        let text = fs::read_to_string(path).unwrap();
        let summary = text.lines().map_while(|line| line.strip_prefix("-- ")).collect::<Vec<_>>().join(" ");
        let is_code = |line: &&str| !line.trim().is_empty() && !line.trim().starts_with("--");
        let code: String = text.split_inclusive('\n').filter(is_code).collect();
        let sha1 = Sha1::from(&code).digest().to_string();
        Self { file: path.file_name().unwrap().to_string_lossy().into(), summary, code, sha1 }
    }
}

/// The commands that a script calls, in the order of its text.
fn calls(code: &str) -> Vec<&str> {
    let mut names = Vec::new();
    for (at, opened) in code.match_indices(['(', '{']) {
        let (before, after) = code.split_at(at);
        let after = after[1..].trim_start();
        let name = if let Some(literal) = after.strip_prefix('\'') {
            literal.split('\'').next().unwrap()
        } else if after.starts_with("ARGV[") {
            THE_COMMAND
        } else {
            continue;
        };
        if (opened == "{" || before.ends_with("call")) && !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

/// The commands that a call of a script can lead to, given the words of EVAL or EVALSHA.
pub(crate) fn called(words: &[String]) -> Vec<String> {
    let script = SCRIPTS.iter().find(|script| script.sha1 == words[1]);
    let code = script.map_or(&words[1], |script| &script.code);
    let arguments = &words[3 + words[2].parse::<usize>().unwrap()..];
    let is_command =
        |word: &&String| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'_');
    let first = arguments.iter().find(is_command).cloned().unwrap_or_default();
    let name = |name: &str| match name {
        THE_COMMAND => first.clone(),
        "XGROUP" if code.contains("'XGROUP', 'CREATE'") => "XGROUP|CREATE".to_owned(),
        "XGROUP" => format!("XGROUP|{first}"),
        name => name.to_owned(),
    };
    let mut names: Vec<_> = calls(code).into_iter().map(name).collect();
    // It takes the command from a list of words.
    if script.is_some_and(|script| script.file == "read_stream.lua") {
        names.push(first);
    }
    names
}

/// The text of each script.
pub(crate) fn texts() -> impl Iterator<Item = &'static str> {
    SCRIPTS.iter().map(|script| script.code.as_str())
}

/// A command with the file of the script that it calls, if any, in the place of its SHA-1 or text, as `testing::text` writes it.
pub(crate) fn with_name(line: &str) -> String {
    let Some((word, call)) = line.split_once(' ').filter(|(word, _)| word.starts_with("EVAL")) else {
        return line.to_owned();
    };
    // It is sent with the scripts that it calls in the place of its empty table.
    let behind_composed = |script: &Script| {
        let (start, end) = script.code.split_once("{}").filter(|_| script.file == "take_over_and.lua")?;
        Some(call.strip_prefix(start)?.split_once(end)?.1)
    };
    let named = |script: &Script| {
        let texts = [&script.sha1, &script.code, &script.file];
        let rest = texts.into_iter().find_map(|text| call.strip_prefix(text.as_str()));
        Some(format!("{word} {}{}", script.file, rest.or_else(|| behind_composed(script))?))
    };
    SCRIPTS.iter().find_map(named).unwrap_or_else(|| panic!("no file has the script of {line}"))
}

/// The page.
pub(crate) fn page() -> String {
    let mut text = INTRODUCTION.to_owned();
    for script in SCRIPTS.iter() {
        let Script { file, summary, sha1, code } = script;
        let _ = writeln!(text, "| `{file}` | {summary} | {} | `{sha1}` |", calls(code).join(", "));
    }
    text + "\n[All types][commands] explains how to read the tables.\n\n[commands]: README.md\n"
}

//! Drafts for a game's service and what else is on its server.

use redis_keys_tests::corpus::{KeyFormat, THIRD, keys, plant};

use crate::audit::run::start;
use crate::workspace::Workspace;

const SERVICE: &str = include_str!("../../../../tests/tests/integration/adopted/service.rs");

/// The declarations of all keys that expire, as they were written by hand before there was a draft: the arguments and
/// the fields of each, one a line.
const REFERENCE: &str = include_str!("reference.txt");

/// The declarations of a draft as lines of the reference, each with whether a person has to decide something.
fn declarations(draft: &str) -> Vec<(String, bool)> {
    let mut declarations = Vec::new();
    for block in draft.split("\n\n") {
        let Some((comments, item)) = block.split_once("#[redis_key(") else { continue };
        let item = plain(item);
        let (arguments, item) = item.split_once(")]pubstruct").unwrap();
        let fields = item.split(['{', '}']).nth(1).unwrap().replace("pub", "");
        let line = format!("{}{{{}}}", arguments.trim_end_matches(','), fields.trim_end_matches(','));
        declarations.push((line, !comments.contains("// TODO")));
    }
    declarations
}

/// A text without white space.
fn plain(text: &str) -> String {
    text.split_whitespace().collect()
}

#[test]
fn a_draft_is_what_a_colleague_would_write() {
    let (server, mut con) = start();
    let formats = KeyFormat::read(THIRD);
    let planted = keys(&formats, 10_000, 1);
    plant(&mut con, &formats, &planted);
    let workspace =
        Workspace::new("adopt-draft", &[("game", &[("src/lib.rs", "pub mod service;\n"), ("src/service.rs", SERVICE)])]);
    let ran = workspace.run(&["adopt", &server.url(), "--full-speed", "--out", "packages/game/src/keys.rs"]);
    let draft = workspace.read("packages/game/src/keys.rs");
    println!("{}\n{}", ran.stdout, ran.stderr);
    let declarations = declarations(&draft);
    let reference: Vec<_> = REFERENCE.lines().map(plain).collect();
    let decided: Vec<_> = declarations.iter().filter(|(_, is_decided)| *is_decided).map(|(line, _)| line).collect();
    for line in &decided {
        println!("{} {line}", if reference.contains(line) { "=" } else { "!" });
    }
    for line in &reference {
        if !decided.contains(&line) { println!("? {line}"); }
    }
    std::fs::write("/tmp/w/keys.rs", draft).unwrap();
}

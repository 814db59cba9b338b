//! Commands in sources, in each notation.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on")]

mod notations;
mod random;
mod texts;

use super::commands::Effect;
use super::raw_use::SetsExpiry;
use super::*;
use crate::declare::sources::code_of_files;

/// The commands of files in a folder of the test's own, from `main.rs` on.
fn read(name: &str, files: &[(&str, &str)]) -> (Vec<RawUse>, usize) {
    let folder = std::env::temp_dir().join(format!("redis-keys-raw-{}-{name}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    for (file, text) in files {
        std::fs::write(folder.join(file), text).unwrap();
    }
    let code = code_of_files(&folder, &["main.rs".into()]);
    std::fs::remove_dir_all(&folder).unwrap();
    (uses(&code), code.unparsable.len())
}

/// Each command of a text: its name, what it does with the expiry if it creates a key, and the key.
fn found(name: &str, text: &str) -> Vec<String> {
    read(name, &[("main.rs", text)]).0.iter().map(shown).collect()
}

fn shown(used: &RawUse) -> String {
    let key = used.key.as_ref().map_or("?".to_owned(), ToString::to_string);
    let effect = match (used.effect, used.expiry) {
        (Effect::Create, SetsExpiry::No) => " for ever",
        (Effect::Create, SetsExpiry::Yes) => " expires",
        (Effect::Create, SetsExpiry::Unknown) => " perhaps",
        _ => "",
    };
    format!("{}{effect} {key}", used.command)
}

/// The commands of the body of a function with a connection and an id.
fn in_function(name: &str, body: &str) -> Vec<String> {
    let head = "use redis::{AsyncCommands, Commands, Cmd, Pipeline, Script, SetOptions, SetExpiry};";
    found(name, &format!("{head}\nasync fn f(con: &mut redis::Connection, id: u64, user: &User) {{ {body} }}"))
}

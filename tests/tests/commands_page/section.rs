//! A page with a section of the accessors: those of one type of key.

use std::fmt::Write as _;

use redis_keys::schema::Schema;

use crate::row::{Row, code};

pub(crate) struct Section {
    pub(crate) title: &'static str,
    /// The purpose in a few words.
    pub(crate) summary: &'static str,
    /// The purpose of the type.
    pub(crate) about: &'static str,
    /// The source file of the section, of which the page shows the declarations.
    pub(crate) file: &'static str,
    /// The declarations of its rows.
    pub(crate) schemas: Vec<&'static Schema>,
    /// The traits and builders whose methods it shows.
    pub(crate) types: &'static [&'static str],
    pub(crate) rows: Vec<Row>,
    /// Calls on keys with other options.
    pub(crate) more: Vec<Row>,
}

/// Keys that differ in their options.
macro_rules! keys {
    ($($kind:ident($($shared:ident = $form:ty),*) $name:ident $word:ident ($($option:tt)*);)*) => {$(
        #[derive(redis_keys::RedisKey)]
        #[redis_key(user:$word:{user}:$kind, $($shared = $form,)* allow(overlap, reason = "each section has keys of its own"), $($option)*)]
        struct $name {
            user: u64,
        }

        impl $crate::section::Options for $name {
            const OPTIONS: &'static str = stringify!($($option)*);
        }
    )*};
}

/// The options of a key.
pub(crate) trait Options {
    const OPTIONS: &'static str;
}

/// Rows about the options of their keys.
macro_rules! more {
    ($($key:ident: $call:expr $(=> $replies:expr)?;)*) => {
        vec![$($crate::section::with_options(&$key, $crate::row::row!($call $(=> $replies)?))),*]
    };
}

pub(crate) use keys;
pub(crate) use more;

pub(crate) fn with_options<K: Options>(_: &K, row: Row) -> Row {
    let (options, _reason) = K::OPTIONS.split_once(", reason").unwrap_or((K::OPTIONS, ""));
    Row { options, ..row }
}

impl Section {
    /// The name of the page.
    pub(crate) fn file_name(&self) -> String {
        crate::file_name(self.title)
    }

    /// The page, which leads on to `next`.
    pub(crate) fn page(&self, next: &str) -> String {
        let Self { title, about, .. } = self;
        let mut text = format!("# Commands: {title}\n\n```rust\n{}```\n\n{}\n", example(self.file), about.trim());
        text += "\n| accessor | sends | returns |\n|---|---|---|\n";
        for row in &self.rows {
            let _ = writeln!(text, "| {} | {} | {} |", code(row.call), row.commands(), code(&row.returns));
        }
        if !self.more.is_empty() {
            text += "\nWith other options:\n\n| options | accessor | sends |\n|---|---|---|\n";
        }
        for row in &self.more {
            let _ = writeln!(text, "| {} | {} | {} |", code(row.options), code(row.call), row.commands());
        }
        let title = next.replace('_', " ");
        let _ = writeln!(text, "\nNext: [{title}][next]. [All types][commands] explains how to read the tables.\n");
        text += "[commands]: README.md\n";
        if about.contains("[consumer groups]") {
            text += "[consumer groups]: consumer_groups.md\n";
        }
        text + &format!("[next]: {next}.md\n")
    }
}

/// The declarations of a file, from its import of redis-keys on, and the first lines of `section`, which create the keys.
fn example(file: &str) -> String {
    let (before, after) = file.split_once("\npub(crate) fn section() -> Section {\n").unwrap();
    let (_, declarations) = before.split_once("\nuse redis_keys::").unwrap();
    let (keys, _) = after.split_once("\n\n").unwrap();
    let keys = keys.lines().map(|line| line.strip_prefix("    ").unwrap_or(line));
    format!("use redis_keys::{declarations}\n{}\n", keys.collect::<Vec<_>>().join("\n"))
}

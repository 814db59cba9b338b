//! What the page says of one type.

use std::fmt::Write as _;

use super::row::{Row, code};

pub(super) struct Section {
    pub(super) title: &'static str,
    /// What it is for.
    pub(super) about: &'static str,
    /// The file that the section stands in, for its example.
    pub(super) file: &'static str,
    /// The files whose accessors and builders it shows.
    pub(super) sources: &'static [&'static str],
    pub(super) rows: Vec<Row>,
    /// What becomes of some of them where more is declared.
    pub(super) more: Vec<Row>,
}

/// Keys that differ in what is declared.
macro_rules! keys {
    ($($kind:ident($($shared:ident = $form:ty),*) $name:ident $word:ident ($($option:tt)*);)*) => {$(
        #[derive(redis_keys::RedisKey)]
        #[redis_key(user:$word:{user}:$kind, $($shared = $form,)* allow(overlap, reason = "each section has keys of its own"), $($option)*)]
        struct $name {
            user: u64,
        }

        impl $crate::page::section::Declared for $name {
            const OPTIONS: &'static str = stringify!($($option)*);
        }
    )*};
}

/// What is declared of a key besides what the example declares.
pub(super) trait Declared {
    const OPTIONS: &'static str;
}

/// Rows whose point is what is declared of their key.
macro_rules! more {
    ($($key:ident: $call:expr $(=> $replies:expr)?;)*) => {
        vec![$($crate::page::section::with(&$key, $crate::page::row::row!($call $(=> $replies)?))),*]
    };
}

pub(super) use keys;
pub(super) use more;

pub(super) fn with<K: Declared>(_: &K, row: Row) -> Row {
    Row { declared: K::OPTIONS, ..row }
}

impl Section {
    /// Where a link to the section leads.
    pub(super) fn anchor(&self) -> String {
        self.title.replace(' ', "-").replace(':', "")
    }

    pub(super) fn markdown(&self) -> String {
        let Self { title, about, .. } = self;
        let mut text = format!("\n## {title}\n\n{}\n\n```rust\n{}```\n", about.trim(), example(self.file));
        text += "\n| accessor | sends | gives |\n|---|---|---|\n";
        for row in &self.rows {
            let _ = writeln!(text, "| {} | {} | {} |", code(row.call), row.sends(), code(&row.gives));
        }
        if !self.more.is_empty() {
            text += "\nWhere more is declared, or something else:\n\n| declared | accessor | sends |\n|---|---|---|\n";
        }
        for row in &self.more {
            let _ = writeln!(text, "| {} | {} | {} |", code(row.declared), code(row.call), row.sends());
        }
        text
    }
}

/// The declarations of a file, and the keys that its calls are made on: what stands between the imports of the page's own and
/// the function, and the beginning of that.
fn example(file: &str) -> String {
    let (before, after) = file.split_once("\npub(super) fn section() -> Section {\n").unwrap();
    let (_, declarations) = before.split_once("\nuse redis_keys::").unwrap();
    let (keys, _) = after.split_once("\n\n").unwrap();
    let keys = keys.lines().map(|line| line.strip_prefix("    ").unwrap_or(line));
    format!("use redis_keys::{declarations}\n{}\n", keys.collect::<Vec<_>>().join("\n"))
}

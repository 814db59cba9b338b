//! A row of a table: a call and what it sends.

use std::any::type_name;
use std::fmt::Write as _;

use redis::Connection;
use redis_keys::scan::{KeyScan, Scan};
use redis_keys::{Command, Error, ParseKey};

use crate::scripts;
use crate::server::{WAIT, commands, record};

pub(crate) struct Row {
    /// The options of the key, where the row is about them.
    pub(crate) options: &'static str,
    pub(crate) call: &'static str,
    /// The commands of each round trip, as they are sent.
    pub(crate) trips: Vec<Vec<u8>>,
    pub(crate) returns: String,
}

/// A row for each call. Calls with replies are run; the others need one round trip only.
macro_rules! rows {
    ($($call:expr $(=> $replies:expr)?;)*) => {
        vec![$($crate::row::row!($call $(=> $replies)?)),*]
    };
}

macro_rules! row {
    ($call:expr) => {
        $crate::row::Row::built(stringify!($call), $call)
    };
    ($call:expr => $replies:expr) => {
        $crate::row::Row::run(stringify!($call), $replies, |con| $call.query(con))
    };
}

/// A row for each scan, with the pages that it reads.
macro_rules! scans {
    ($($call:expr => $replies:expr;)*) => {
        vec![$($crate::row::Row::scanned(stringify!($call), $replies, $call)),*]
    };
}

pub(crate) use row;
pub(crate) use rows;
pub(crate) use scans;

impl Row {
    pub(crate) fn built<T>(call: &'static str, command: impl Into<Command<T>>) -> Self {
        Self::new::<T>(call, vec![command.into().packed().unwrap()])
    }

    pub(crate) fn run<T>(
        call: &'static str,
        replies: impl IntoIterator<Item = String>,
        run: impl FnOnce(&mut Connection) -> Result<T, Error>,
    ) -> Self {
        Self::new::<T>(call, record(replies, |con| drop(run(con).unwrap())))
    }

    pub(crate) fn scanned<T>(call: &'static str, replies: impl IntoIterator<Item = String>, scan: Scan<T>) -> Self {
        let all = |con: &mut Connection| scan.iter(con).for_each(|element| drop(element.unwrap()));
        Self::new::<Scan<T>>(call, record(replies, all))
    }

    pub(crate) fn found<K: for<'k> ParseKey<'k>>(
        call: &'static str,
        replies: impl IntoIterator<Item = String>,
        scan: KeyScan<K>,
    ) -> Self {
        let all = |con: &mut Connection| scan.iter(con).for_each(|key| drop(key.unwrap()));
        Self::new::<KeyScan<K>>(call, record(replies, all))
    }

    fn new<T>(call: &'static str, trips: Vec<Vec<u8>>) -> Self {
        assert!(!call.contains('\n'), "{call} is too long for a line");
        Self { options: "", call, trips, returns: without_paths(type_name::<T>()) }
    }

    /// The cell of the commands.
    pub(crate) fn commands(&self) -> String {
        let cells =
            |trip: &Vec<u8>| commands(trip).iter().map(|cmd| code(&shown(cmd))).collect::<Vec<_>>().join("<br>");
        self.trips.iter().map(cells).collect::<Vec<_>>().join("<br>*then* ")
    }
}

/// A command with the name of its script, if it calls one, and visible empty words and bytes.
fn shown(words: &[Vec<u8>]) -> String {
    let line = scripts::with_name(&words.iter().map(|word| rounded(text(word))).collect::<Vec<_>>().join(" "));
    let mut text = String::new();
    for sign in line.chars() {
        if sign == '…' || sign.is_ascii_graphic() || sign == ' ' {
            text.push(sign);
        } else {
            let bytes = sign.to_string().into_bytes();
            for byte in bytes {
                let _ = write!(text, "\\x{byte:02X}");
            }
        }
    }
    text.split(' ').map(|word| if word.is_empty() { "\"\"" } else { word }).collect::<Vec<_>>().join(" ")
}

/// A word as text, with `\xC1` for each byte that is not UTF-8.
fn text(word: &[u8]) -> String {
    let mut text = String::new();
    for chunk in word.utf8_chunks() {
        text += chunk.valid();
        chunk.invalid().iter().for_each(|byte| _ = write!(text, "\\x{byte:02X}"));
    }
    text
}

/// A time that is nearly as long as `WAIT` is what is left of it after the first command.
pub(crate) fn rounded(word: String) -> String {
    let wait = WAIT.as_secs_f64();
    match word.parse::<f64>() {
        Ok(seconds) if (wait - 1.0..wait).contains(&seconds) => format!("{wait:.3}"),
        Ok(ms) if (wait - 1.0..wait).contains(&(ms / 1000.0)) => WAIT.as_millis().to_string(),
        _ => word,
    }
}

/// Code in a table.
pub(crate) fn code(text: &str) -> String {
    format!("`{}`", text.replace('|', "\\|"))
}

/// The name of a type without its modules.
fn without_paths(name: &str) -> String {
    let ends_path = |c: char| !c.is_alphanumeric() && !matches!(c, '_' | ':');
    name.split_inclusive(ends_path).map(|path| path.rsplit("::").next().unwrap_or(path)).collect()
}

//! A row of a table: a call and what it sends.

use std::any::type_name;
use std::fmt::Write as _;

use redis::Connection;
use redis_keys::scan::{KeyScan, Scan};
use redis_keys::testing::text;
use redis_keys::{Command, Error, ParseKey};

use crate::scripts;
use crate::server::record;

pub(crate) struct Row {
    /// The options of the key, where the row is about them.
    pub(crate) options: &'static str,
    pub(crate) call: &'static str,
    /// The commands of each round trip.
    pub(crate) trips: Vec<Vec<String>>,
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
        Self::new::<T>(call, vec![text(command).unwrap()])
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

    fn new<T>(call: &'static str, trips: Vec<Vec<String>>) -> Self {
        assert!(!call.contains('\n'), "{call} is too long for a line");
        Self { options: "", call, trips, returns: without_paths(type_name::<T>()) }
    }

    /// The cell of the commands.
    pub(crate) fn commands(&self) -> String {
        let commands = |trip: &Vec<String>| trip.iter().map(|line| code(&shown(line))).collect::<Vec<_>>().join("<br>");
        self.trips.iter().map(commands).collect::<Vec<_>>().join("<br>*then* ")
    }
}

/// A command with the name of its script, if it calls one, and visible empty words and bytes.
fn shown(line: &str) -> String {
    let line = scripts::with_name(line);
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

/// Code in a table.
pub(crate) fn code(text: &str) -> String {
    format!("`{}`", text.replace('|', "\\|"))
}

/// The name of a type without its modules.
fn without_paths(name: &str) -> String {
    let ends_path = |c: char| !c.is_alphanumeric() && !matches!(c, '_' | ':');
    name.split_inclusive(ends_path).map(|path| path.rsplit("::").next().unwrap_or(path)).collect()
}

//! One call and what it sends.

use std::any::type_name;

use redis::{RedisResult, Value};

use super::scripts;
use crate::{
    Command, Error, ParseKey, Scan,
    run::{blocking, blocking::Blocking},
    scan::keys::KeyScan,
    testing::{mock::Mock, text},
};

/// A line of a table.
pub(super) struct Row {
    /// What is declared, where that is the point.
    pub(super) declared: &'static str,
    pub(super) call: &'static str,
    /// The commands, by round trip.
    pub(super) sent: Vec<Vec<String>>,
    /// What comes back.
    pub(super) gives: String,
}

/// A row for each call. Those behind which replies stand are run; of the others it is known what they send.
macro_rules! rows {
    ($($call:expr $(=> $replies:expr)?;)*) => {
        vec![$($crate::page::row::row!($call $(=> $replies)?)),*]
    };
}

macro_rules! row {
    ($call:expr) => {
        $crate::page::row::Row::built(stringify!($call), $call)
    };
    ($call:expr => $replies:expr) => {
        $crate::page::row::Row::run(stringify!($call), $replies, |con| $call.query(con))
    };
}

/// A row for each scan, with the pages that it finds.
macro_rules! scans {
    ($($call:expr => $replies:expr;)*) => {
        vec![$($crate::page::row::Row::scanned(stringify!($call), $replies, $call)),*]
    };
}

/// A row for each call that waits.
macro_rules! waits {
    ($($call:expr;)*) => {
        vec![$($crate::page::row::Row::waited(stringify!($call), $call)),*]
    };
}

pub(super) use row;
pub(super) use rows;
pub(super) use scans;
pub(super) use waits;

impl Row {
    pub(super) fn built<T>(call: &'static str, command: impl Into<Command<T>>) -> Self {
        Self::new::<T>(call, vec![text(command).unwrap()])
    }

    pub(super) fn run<T>(
        call: &'static str,
        replies: impl IntoIterator<Item = RedisResult<Value>>,
        run: impl FnOnce(&mut Mock) -> Result<T, Error>,
    ) -> Self {
        let mut con = Mock::new(replies);
        run(&mut con).unwrap();
        Self::new::<T>(call, round_trips(con.sent))
    }

    pub(super) fn scanned<T>(
        call: &'static str,
        replies: impl IntoIterator<Item = RedisResult<Value>>,
        scan: Scan<T>,
    ) -> Self {
        let mut con = Mock::new(replies);
        scan.iter(&mut con).for_each(|element| drop(element.unwrap()));
        Self::new::<Scan<T>>(call, round_trips(con.sent))
    }

    pub(super) fn found<K: for<'k> ParseKey<'k>>(
        call: &'static str,
        replies: impl IntoIterator<Item = RedisResult<Value>>,
        scan: KeyScan<K>,
    ) -> Self {
        let mut con = Mock::new(replies);
        scan.iter(&mut con).for_each(|key| drop(key.unwrap()));
        Self::new::<KeyScan<K>>(call, round_trips(con.sent))
    }

    pub(super) fn waited<T>(call: &'static str, blocking: Blocking<T>) -> Self {
        Self::new::<Option<T>>(call, blocking::sends(blocking))
    }

    fn new<T>(call: &'static str, sent: Vec<Vec<String>>) -> Self {
        assert!(!call.contains('\n'), "{call} is too long for a line");
        Self { declared: "", call, sent, gives: short(type_name::<T>()) }
    }

    /// What is sent, as a table has it.
    pub(super) fn sends(&self) -> String {
        let trips = self.sent.iter().map(|trip| trip.iter().map(|line| shown(line)).collect::<Vec<_>>().join("<br>"));
        trips.collect::<Vec<_>>().join("<br>*then* ")
    }
}

/// The mock tells which commands went together.
fn round_trips(sent: Vec<String>) -> Vec<Vec<String>> {
    let mut trips: Vec<Vec<String>> = Vec::new();
    for line in sent {
        match (line.strip_prefix("| "), trips.last_mut()) {
            (Some(more), Some(trip)) => trip.push(more.to_owned()),
            _ => trips.push(vec![line.strip_prefix("> ").unwrap_or(&line).to_owned()]),
        }
    }
    trips
}

fn shown(line: &str) -> String {
    let Some(call) = scripts::called(line) else { return code(&words(line)) };
    format!("{}<br>[{}](#{}): {}", code(&words(&call.line)), call.name, call.name.to_lowercase(), call.runs.join(", "))
}

/// Words that are empty can be seen.
fn words(line: &str) -> String {
    line.split(' ').map(|word| if word.is_empty() { "\"\"" } else { word }).collect::<Vec<_>>().join(" ")
}

/// Code in a table.
pub(super) fn code(text: &str) -> String {
    format!("`{}`", text.replace('|', "\\|"))
}

/// The name of a type without the modules that it stands in.
fn short(name: &str) -> String {
    let ends_path = |c: char| !c.is_alphanumeric() && !matches!(c, '_' | ':');
    name.split_inclusive(ends_path).map(|path| path.rsplit("::").next().unwrap_or(path)).collect()
}

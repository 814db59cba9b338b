//! What it costs the compiler to find keys that can be the same: beside the same keys with `allow(overlap)`.

use std::fmt::Write as _;
use std::path::Path;

use super::checked::{Package, Workspace};
use super::topic::{Topic, beside_goal};
use crate::run::Outcome;

const RUNS: usize = 5;

/// How many keys there are, the names of the packages, and the goal in milliseconds a key.
const SIZES: [(u32, [&str; 2], f64, &str); 2] =
    [(1_000, ["alone-1000", "met-1000"], 0.5, "≤ 0.5"), (4_000, ["alone-4000", "met-4000"], 1.0, "≤ 1")];

/// One module and one length, so that each key could meet each other one.
const SHAPES: [(&str, &str, &str); 2] = [
    ("everyday keys, ms a key", "user:basic.info.nN:{id}:set", "u64"),
    ("a newtype first in each", "user:{id}:basic.info.nN:set", "UserId"),
];

pub(super) fn measure(_server: &Path) -> Outcome<Vec<Topic>> {
    let mut rows = SIZES.map(|(count, ..)| vec![count.to_string()]);
    for (at, (_, template, ty)) in SHAPES.into_iter().enumerate() {
        let packages = SIZES.iter().flat_map(|(count, names, ..)| {
            names
                .iter()
                .zip([true, false])
                .map(|(name, allowed)| Package { name, source: source(*count, template, ty, allowed) })
        });
        let times = Workspace::new(&format!("meeting-{at}"), packages.collect())?.measure(RUNS)?;
        for ((row, (count, _, goal, text)), pair) in rows.iter_mut().zip(SIZES).zip(times.chunks(2)) {
            let figure = pair.iter().rev().copied().reduce(|met, alone| met - alone).unwrap_or(f64::NAN);
            let figure = figure.max(0.0) / f64::from(count);
            row.push(beside_goal(figure, figure <= goal, text));
        }
    }
    Ok(vec![Topic {
        title: "Compile time of finding keys that can be the same",
        how: format!(
            "`cargo check` of a crate whose keys all have the same module, type and length, above the same crate with \
             `allow(overlap)` in each of its keys; not incremental, in turns, fastest of {RUNS} runs."
        ),
        columns: &["keys", SHAPES[0].0, SHAPES[1].0],
        rows: rows.into(),
    }])
}

fn source(count: u32, template: &str, ty: &str, allowed: bool) -> String {
    let mut text = "#![allow(dead_code)]\nuse redis_keys::{KeySegment, prelude::*};\n\
                    #[derive(KeySegment)]\npub struct UserId(u64);\n"
        .to_owned();
    let allow = if allowed { ", allow(overlap, reason = \"measured\")" } else { "" };
    for number in 0..count {
        let template = template.replace('N', &number.to_string());
        let _ = writeln!(
            text,
            "#[derive(RedisKey)]\n#[redis_key({template}, value = u64, ttl = 1h{allow})]\npub struct Key{number} {{ id: {ty} }}"
        );
    }
    text.push_str("fn main() {}\n");
    text
}

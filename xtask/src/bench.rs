//! `cargo xtask bench`: the figures of the README, each beside what it is compared with, taken in the same run.

mod checked;
mod instructions;
mod keys;
mod macros;
mod meeting;
mod pinned;
mod samples;
mod throughput;
mod topic;
mod turns;

use std::path::Path;

use crate::run::{Failure, Outcome, heading};
use topic::Topic;

/// A part may have nothing to show on a machine that lacks its tool; it says so itself.
type Part = fn(&Path) -> Outcome<Vec<Topic>>;

const PARTS: [(&str, Part); 9] = [
    ("throughput", throughput::measure),
    ("batches", turns::batches),
    ("cluster", turns::cluster),
    ("records", turns::records),
    ("collections", turns::collections),
    ("instructions", instructions::measure),
    ("keys", keys::measure),
    ("meeting", meeting::measure),
    ("macros", macros::measure),
];

/// Runs one part, or all; ends with the figures as Markdown.
pub(crate) fn run(server: &Path, only: Option<&str>) -> Outcome {
    if let Some(name) = only.filter(|only| !PARTS.iter().any(|(name, _)| name == only)) {
        return Err(Failure::usage(&format!("`{name}` is no part of the benchmarks")));
    }
    let mut topics = Vec::new();
    for (name, part) in PARTS {
        if only.is_none_or(|only| only == name) {
            heading(&format!("bench: {name}"));
            topics.extend(part(server)?);
        }
    }
    heading("the figures as Markdown");
    for topic in topics {
        println!("\n{topic}");
    }
    Ok(())
}

//! `cargo xtask bench`: the figures of the performance guide, each measured in the same run as what it is compared
//! with.

mod audit;
mod build;
mod cache;
mod compile_time;
mod instructions;
mod jobs;
mod limit;
mod lock;
mod near;
mod reports;
mod shop;
mod table;
mod throughput;

use std::path::Path;

use table::Table;

use crate::run::{Failure, Outcome, heading};

/// The setup of a measurement.
#[derive(Clone, Copy)]
struct Setup<'a> {
    /// The server's binary.
    server: &'a Path,
    /// Measures as little as possible, to see that everything works.
    quick: bool,
}

impl Setup<'_> {
    /// The number of runs or items, or a few for a quick measurement.
    fn count(&self, usual: u32, quick: u32) -> u32 {
        if self.quick { quick } else { usual }
    }
}

type Part = fn(Setup<'_>) -> Outcome<Vec<Table>>;

const PARTS: [(&str, Part); 19] = [
    ("single", throughput::single),
    ("batches", throughput::batches),
    ("cluster", throughput::cluster),
    ("away", throughput::away),
    ("records", throughput::records),
    ("collections", throughput::collections),
    ("cache", cache::measure),
    ("near", near::measure),
    ("lock", lock::measure),
    ("limit", limit::measure),
    ("jobs", jobs::measure),
    ("shop", shop::measure),
    ("audit", audit::measure),
    ("adopt", audit::adopt),
    ("instructions", instructions::measure),
    ("reports", reports::measure),
    ("keys", compile_time::keys),
    ("overlap", compile_time::overlap),
    ("build", build::measure),
];

/// Runs one part, or all, and prints the figures as Markdown at the end.
pub(crate) fn bench(server: &Path, only: Option<&str>, quick: bool) -> Outcome {
    if let Some(name) = only.filter(|only| !PARTS.iter().any(|(name, _)| name == only)) {
        return Err(Failure::usage(&format!("unknown benchmark `{name}`")));
    }
    let mut tables = Vec::new();
    for (name, part) in PARTS {
        if only.is_none_or(|only| only == name) {
            heading(&format!("Benchmark: {name}"));
            tables.extend(part(Setup { server, quick })?);
        }
    }
    heading("Results");
    for table in tables {
        println!("\n{table}");
    }
    Ok(())
}

//! Batches, records and collections against real servers, end to end, in turns with what is written by hand.

use std::path::Path;
use std::process::Stdio;

use super::pinned::Cores;
use super::samples::Samples;
use super::topic::{Topic, beside_goal};
use crate::run::{Failure, Outcome, cargo, run, target};

pub(super) fn batches(binary: &Path) -> Outcome<Vec<Topic>> {
    let cases = [
        ("blocking/get", "50 GETs, blocking"),
        ("blocking/set", "50 SETs with expiry, blocking"),
        ("blocking/mixed", "50 of five kinds, blocking"),
        ("blocking/get_many", "`get_many` of 1,000, blocking"),
        ("multiplexed/get", "50 GETs, multiplexed"),
        ("multiplexed/set", "50 SETs with expiry, multiplexed"),
        ("multiplexed/mixed", "50 of five kinds, multiplexed"),
        ("multiplexed/get_many", "`get_many` of 1,000, multiplexed"),
    ];
    let (samples, how) = samples("batches", binary)?;
    let row = |(name, title): &(&str, &str)| {
        let mut row = beside_hand(title, name, &samples, Some(0.97));
        row.push(times(samples.ratio(name, 2), 20.0));
        row
    };
    Ok(vec![Topic {
        title: "Batches",
        how: format!(
            "{how} By hand a batch is a `redis::pipe()`, and 1,000 keys are ten MGETs in one; one by one is a command after the \
             answer to the one before."
        ),
        columns: &["", "redis-keys, commands/s", "by hand, commands/s", "ratio", "of one by one"],
        rows: cases.iter().map(row).collect(),
    }])
}

pub(super) fn cluster(binary: &Path) -> Outcome<Vec<Topic>> {
    let cases = [("get", "1,000 GETs", 25.0), ("set", "1,000 SETs with expiry", 20.0)];
    let (samples, how) = samples("cluster", binary)?;
    let row = |(name, title, goal): &(&str, &str, f64)| {
        let mut row: Vec<String> = vec![(*title).to_owned()];
        row.extend([0, 1, 2].map(|way| samples.per_second(name, way)));
        row.push(times(samples.ratio(name, 2), *goal));
        row.push(format!("{:.2}", samples.ratio(name, 1)));
        row
    };
    Ok(vec![Topic {
        title: "Batches on a cluster",
        how: format!("{how} Three primaries on one core, an asynchronous connection."),
        columns: &[
            "",
            "redis-keys, commands/s",
            "`buffer_unordered(50)` by hand, commands/s",
            "one by one, commands/s",
            "of one by one",
            "of `buffer_unordered(50)`",
        ],
        rows: cases.iter().map(row).collect(),
    }])
}

pub(super) fn records(binary: &Path) -> Outcome<Vec<Topic>> {
    let cases = [
        ("load", "`load`; HMGET by hand"),
        ("store", "`store`; by hand MULTI, HSET, PEXPIRE NX, EXEC"),
        ("store_by_script", "`store`; by hand a script of HSET and PEXPIRE"),
        ("load/50", "50 times `load`; 50 HMGETs by hand"),
        ("store/50", "50 times `store`; 50 times MULTI by hand"),
        ("store_by_script/50", "50 times `store`; 50 times the script by hand"),
    ];
    let (samples, how) = samples("records", binary)?;
    Ok(vec![Topic {
        title: "Records",
        how: format!(
            "{how} Six fields: text, numbers, a `bool` and an `Option`. What stores them by hand gives a key without an expiry one \
             in the same step, too; PEXPIRE NX needs Redis 7."
        ),
        columns: &["", "redis-keys, records/s", "by hand, records/s", "ratio"],
        rows: cases.iter().map(|(name, title)| beside_hand(title, name, &samples, Some(0.97))).collect(),
    }])
}

pub(super) fn collections(binary: &Path) -> Outcome<Vec<Topic>> {
    let cases = [
        ("lpush", "LPUSH, `keep_last`"),
        ("sadd", "SADD, `max_len`"),
        ("zadd", "ZADD, `keep_top`"),
        ("hset", "HSET of 4 fields, `max_len`"),
    ];
    let (samples, how) = samples("collections", binary)?;
    let row = |(name, title): &(&str, &str)| {
        let alone = samples.ratio(name, 1);
        let mut row = beside_hand(title, &format!("{name}/50"), &samples, Some(1.0));
        row.push(beside_goal(alone, alone >= 1.0, "≥ 1.00"));
        row.push(format!("{:.2}", samples.ratio(&format!("{name}/new"), 1)));
        row
    };
    Ok(vec![Topic {
        title: "Capped, expiring collections",
        how: format!(
            "{how} By hand each is EVALSHA of a script for just that, which checks or trims, and starts the expiry of a key that \
             has none; the last column is beside scripts that do so for new keys only, and never for a key that has lost its expiry."
        ),
        columns: &[
            "",
            "redis-keys, batches of 50, writes/s",
            "by hand, writes/s",
            "ratio",
            "one after the other, ratio",
            "beside expiry at creation only",
        ],
        rows: cases.iter().map(row).collect(),
    }])
}

fn beside_hand(title: &str, name: &str, samples: &Samples, goal: Option<f64>) -> Vec<String> {
    let ratio = samples.ratio(name, 1);
    let shown = match goal {
        Some(goal) => beside_goal(ratio, ratio >= goal, &format!("≥ {goal:.2}")),
        None => format!("{ratio:.2}"),
    };
    vec![title.to_owned(), samples.per_second(name, 0), samples.per_second(name, 1), shown]
}

fn times(ratio: f64, goal: f64) -> String {
    let mark = if ratio >= goal { "" } else { ", **missed**" };
    format!("{ratio:.0} × (goal ≥ {goal:.0} ×{mark})")
}

/// Runs one part, and says how.
fn samples(part: &str, binary: &Path) -> Outcome<(Samples, String)> {
    run(cargo().args(["build", "--quiet", "--release", "--package", "redis-keys-bench", "--bin", "turns"]))?;
    let cores = Cores::choose(binary)?;
    let program = target().join("release").join("turns");
    let output = cores.client(program).arg(part).stderr(Stdio::inherit()).output()?;
    if !output.status.success() {
        return Err(Failure::new(format!("the benchmark of {part} failed")));
    }
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let how =
        format!("End to end, {}; all sides take turns of milliseconds, medians over the turns.", cores.describe());
    Ok((Samples::new(text), how))
}

//! Reading cached keys, in turns with the same work by hand and by the crate `cached`.

use super::Setup;
use super::table::{Table, with_goal};
use super::throughput::Samples;
use crate::run::Outcome;

pub(super) fn measure(setup: Setup<'_>) -> Outcome<Vec<Table>> {
    let samples = Samples::measure("cache", setup)?;
    Ok(vec![hits(&samples), many(&samples), misses(&samples), beside_cached(&samples)])
}

fn hits(samples: &Samples) -> Table {
    let row = |(name, title, goal): &(&str, &str, f64)| {
        let mut row = vec![(*title).to_owned()];
        row.extend([0, 1, 2, 3].map(|side| samples.per_second(name, side)));
        row.push(at_least(samples.ratio(name, 1), *goal));
        row.extend([2, 3].map(|side| format!("{:.2}", samples.ratio_between(name, side, 1))));
        row
    };
    Table {
        title: "Hits of cached keys",
        method: format!(
            "{} Values of six fields as JSON, on the connection of redis-keys. By hand is GET with redis-rs's multiplexed \
             connection, `format!` and serde_json.",
            samples.method
        ),
        columns: &[
            "",
            "`get_or_load`, hits/s",
            "by hand, reads/s",
            "`get`, reads/s",
            "`get_or_load` with `refresh`, hits/s",
            "`get_or_load`, ratio",
            "`get`, ratio",
            "with `refresh`, ratio",
        ],
        rows: [("tasks/hit", "64 tasks", 1.0), ("alone/hit", "one after the other", 0.97)].iter().map(row).collect(),
    }
}

fn many(samples: &Samples) -> Table {
    Table {
        title: "Hits of many cached keys",
        method: format!("{} The same values.", samples.method),
        columns: &["", "`get_or_load_many`, hits/s", "`get_many`, reads/s", "ratio"],
        rows: vec![vec![
            "1,000 keys".to_owned(),
            samples.per_second("many", 0),
            samples.per_second("many", 1),
            at_least(samples.ratio("many", 1), 0.95),
        ]],
    }
}

fn misses(samples: &Samples) -> Table {
    let row = |(name, title, goal): &(&str, &str, f64)| {
        let ratio = at_least(samples.ratio(name, 1), *goal);
        vec![(*title).to_owned(), samples.per_second(name, 0), samples.per_second(name, 1), ratio]
    };
    Table {
        title: "Misses of cached keys",
        method: format!(
            "{} The same values, which the loader returns at once. A miss of `get_or_load` is two round trips, since \
             all keys are missing: the claim and the fill. By hand it is GET and SET with an expiry: each program that misses \
             the key loads it, and a value that has changed meanwhile is overwritten.",
            samples.method
        ),
        columns: &["", "`get_or_load`, misses/s", "by hand, misses/s", "ratio"],
        rows: [("tasks/miss", "64 tasks", 0.6), ("alone/miss", "one after the other", 0.8)].iter().map(row).collect(),
    }
}

fn beside_cached(samples: &Samples) -> Table {
    let row = |(name, title, is_hit): &(&str, &str, bool)| {
        let ratio = samples.ratio(name, 1);
        let ratio = if *is_hit { at_least(ratio, 1.0) } else { format!("{ratio:.2}") };
        vec![(*title).to_owned(), samples.per_second(name, 0), samples.per_second(name, 1), ratio]
    };
    let cases = [
        ("tasks/packed_hit", "hits, 64 tasks", true),
        ("alone/packed_hit", "hits, one after the other", true),
        ("tasks/packed_miss", "misses, 64 tasks", false),
        ("alone/packed_miss", "misses, one after the other", false),
    ];
    Table {
        title: "Beside the crate `cached`",
        method: format!(
            "{} The same values as MessagePack, the form that `cached` uses. A miss of its `AsyncRedisCache` is two round trips: \
             GET, and GET with SET.",
            samples.method
        ),
        columns: &["", "`get_or_load`, reads/s", "`cached`, reads/s", "ratio"],
        rows: cases.iter().map(row).collect(),
    }
}

fn at_least(ratio: f64, goal: f64) -> String {
    with_goal(ratio, ratio >= goal, &format!("≥ {goal:.2}"))
}

//! Commands against real servers, in turns with the same work by hand.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::Setup;
use super::table::{Table, median, with_goal};
use crate::run::{Failure, Outcome, cargo, program, root, run, target};
use crate::server;

pub(super) fn single(setup: Setup<'_>) -> Outcome<Vec<Table>> {
    let cases = [
        ("blocking/get", "GET, blocking, one after the other"),
        ("blocking/set", "SET with expiry, blocking, one after the other"),
        ("tasks/get", "GET, multiplexed, 64 tasks"),
        ("tasks/set", "SET with expiry, multiplexed, 64 tasks"),
        ("blocking/might_contain", "`might_contain`, blocking, one after the other"),
        ("tasks/might_contain", "`might_contain`, multiplexed, 64 tasks"),
    ];
    let goal = |name: &str| if name.ends_with("might_contain") { 0.95 } else { 0.98 };
    let samples = Samples::measure("single", setup)?;
    let single = Table {
        title: "Single commands",
        method: samples.method.clone(),
        columns: &["", "redis-keys, commands/s", "redis-rs and `format!`, commands/s", "ratio"],
        rows: cases.iter().map(|(name, title)| beside_hand(title, name, &samples, goal(name))).collect(),
    };
    Ok(vec![single, connection(&samples), peers(setup)?])
}

/// The same objects with other clients.
fn peers(setup: Setup<'_>) -> Outcome<Table> {
    let cases = [
        ("tasks/get", "GET, 64 tasks"),
        ("tasks/set", "SET with expiry, 64 tasks"),
        ("alone/get", "GET, one after the other"),
        ("alone/set", "SET with expiry, one after the other"),
    ];
    let samples = Samples::measure("peers", setup)?;
    let row = |(name, title): &(&str, &str)| {
        let mut row = vec![(*title).to_owned()];
        row.extend([0, 1, 2, 3].map(|side| samples.per_second(name, side)));
        let of_best = [1, 2, 3].map(|side| samples.ratio(name, side)).into_iter().fold(f64::INFINITY, f64::min);
        row.push(with_goal(of_best, of_best >= 1.0, "≥ 1.00"));
        row
    };
    let versions = ["redis", "fred", "rustis"].map(locked_version).into_iter().collect::<Outcome<Vec<_>>>()?;
    Ok(Table {
        title: "Other clients",
        method: format!(
            "{} Each on one connection with its usual settings, in one thread: redis-keys on `redis_keys::connect`; redis-rs {} \
             on `MultiplexedConnection`, fred {} and rustis {} by hand, with `format!`.",
            samples.method, versions[0], versions[1], versions[2]
        ),
        columns: &["", "redis-keys, commands/s", "redis-rs", "fred", "rustis", "of the fastest of the others"],
        rows: cases.iter().map(row).collect(),
    })
}

/// The version of a dependency.
fn locked_version(name: &str) -> Outcome<String> {
    let lock = fs::read_to_string(root().join("Cargo.lock"))?;
    let package = lock.split_once(&format!("name = \"{name}\"\nversion = \"")).map(|(_, rest)| rest);
    let version = package.and_then(|rest| rest.split('"').next()).map(str::to_owned);
    version.ok_or_else(|| Failure::new(format!("Cargo.lock has no `{name}`")))
}

fn connection(samples: &Samples) -> Table {
    let cases = [
        ("tasks/get", "GET, 64 tasks"),
        ("tasks/set", "SET with expiry, 64 tasks"),
        ("alone/get", "GET, one after the other"),
        ("alone/set", "SET with expiry, one after the other"),
    ];
    let row = |(name, title): &(&str, &str)| {
        let ratio = samples.ratio_between(name, 2, 0);
        let mut row = vec![(*title).to_owned()];
        row.extend([2, 0].map(|side| samples.per_second(name, side)));
        row.push(with_goal(ratio, ratio >= 0.98, "≥ 0.98"));
        row
    };
    Table {
        title: "Connections",
        method: format!("{} Commands of redis-keys on its own connection, and on redis-rs's.", samples.method),
        columns: &["", "`redis_keys::connect`, commands/s", "`MultiplexedConnection`, commands/s", "ratio"],
        rows: cases.iter().map(row).collect(),
    }
}

/// Milliseconds while the server is away, beside redis-rs's connection manager.
pub(super) fn away(setup: Setup<'_>) -> Outcome<Vec<Table>> {
    let cases = [
        ("first", "first command after the server ended"),
        ("later", "later commands, while its port is closed"),
        ("back", "until a command succeeds after its return"),
        ("stopped", "commands while its process is stopped"),
        ("resumed", "until a command succeeds after it goes on"),
    ];
    let samples = Samples::measure("away", setup)?;
    let row = |(name, title): &(&str, &str)| {
        let milliseconds = |side| format!("{:.1}", 1e3 / samples.median_per_second(name, side));
        vec![(*title).to_owned(), milliseconds(0), milliseconds(1)]
    };
    Ok(vec![Table {
        title: "While the server is away",
        method: "PING, one after the other; medians over three rounds, with the default limits of both.".to_owned(),
        columns: &["", "`redis_keys::connect`, ms", "`ConnectionManager`, ms"],
        rows: cases.iter().map(row).collect(),
    }])
}

pub(super) fn batches(setup: Setup<'_>) -> Outcome<Vec<Table>> {
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
    let samples = Samples::measure("batches", setup)?;
    let row = |(name, title): &(&str, &str)| {
        let mut row = beside_hand(title, name, &samples, 0.97);
        row.push(times_as_fast(samples.ratio(name, 2), 20.0));
        row
    };
    Ok(vec![Table {
        title: "Batches",
        method: format!(
            "{} By hand, a batch is a `redis::pipe()`, and 1,000 keys are ten MGETs in one; one by one, each command waits for \
             the reply to the previous one.",
            samples.method
        ),
        columns: &["", "redis-keys, commands/s", "by hand, commands/s", "ratio", "of one by one"],
        rows: cases.iter().map(row).collect(),
    }])
}

pub(super) fn cluster(setup: Setup<'_>) -> Outcome<Vec<Table>> {
    let cases = [("get", "1,000 GETs", 25.0), ("set", "1,000 SETs with expiry", 25.0)];
    let samples = Samples::measure("cluster", setup)?;
    let row = |(name, title, goal): &(&str, &str, f64)| {
        let mut row: Vec<String> = vec![(*title).to_owned()];
        row.extend([0, 3, 1, 2].map(|side| samples.per_second(name, side)));
        row.push(times_as_fast(samples.ratio(name, 2), *goal));
        row.push(format!("{:.2}", samples.ratio(name, 1)));
        row.push(format!("{:.2}", samples.ratio(name, 3)));
        row
    };
    Ok(vec![Table {
        title: "Batches on a cluster",
        method: format!(
            "{} Three primaries on one core, asynchronous connections: that of redis-keys, and those of redis-rs.",
            samples.method
        ),
        columns: &[
            "",
            "redis-keys, commands/s",
            "redis-keys on redis-rs's connection, commands/s",
            "`buffer_unordered(50)` by hand, commands/s",
            "one by one, commands/s",
            "of one by one",
            "of `buffer_unordered(50)`",
            "of redis-rs's connection",
        ],
        rows: cases.iter().map(row).collect(),
    }])
}

pub(super) fn records(setup: Setup<'_>) -> Outcome<Vec<Table>> {
    let cases = [
        ("load", "`load`; HMGET by hand"),
        ("store", "`store`; by hand MULTI, HSET, PEXPIRE NX, EXEC"),
        ("store_by_script", "`store`; by hand a script of HSET and PEXPIRE"),
        ("load/50", "50 times `load`; 50 HMGETs by hand"),
        ("store/50", "50 times `store`; 50 times MULTI by hand"),
        ("store_by_script/50", "50 times `store`; 50 times the script by hand"),
    ];
    let samples = Samples::measure("records", setup)?;
    Ok(vec![Table {
        title: "Records",
        method: format!(
            "{} Six fields: text, numbers, a `bool` and an `Option`. By hand, a key without an expiry gets one in the same step, \
             too; PEXPIRE NX needs Redis 7.",
            samples.method
        ),
        columns: &["", "redis-keys, records/s", "by hand, records/s", "ratio"],
        rows: cases.iter().map(|(name, title)| beside_hand(title, name, &samples, 0.97)).collect(),
    }])
}

pub(super) fn collections(setup: Setup<'_>) -> Outcome<Vec<Table>> {
    let cases = [
        ("lpush", "LPUSH, `keep_last`"),
        ("sadd", "SADD, `max_len`"),
        ("zadd", "ZADD, `keep_top`"),
        ("hset", "HSET of 4 fields, `max_len`"),
    ];
    let samples = Samples::measure("collections", setup)?;
    let row = |(name, title): &(&str, &str)| {
        let single = samples.ratio(name, 1);
        let mut row = beside_hand(title, &format!("{name}/50"), &samples, 1.0);
        row.push(with_goal(single, single >= 1.0, "≥ 1.00"));
        row.push(format!("{:.2}", samples.ratio(&format!("{name}/new"), 1)));
        row
    };
    Ok(vec![Table {
        title: "Limited, expiring collections",
        method: format!(
            "{} By hand, each is EVALSHA of a script for just this write, which checks or trims, and sets the expiry of a key \
             that has none; the scripts of the last column do so for new keys only, and never for a key that lost its expiry.",
            samples.method
        ),
        columns: &[
            "",
            "redis-keys, batches of 50, writes/s",
            "by hand, writes/s",
            "ratio",
            "one after the other, ratio",
            "beside expiry at creation only, ratio",
        ],
        rows: cases.iter().map(row).collect(),
    }])
}

fn beside_hand(title: &str, name: &str, samples: &Samples, goal: f64) -> Vec<String> {
    let ratio = samples.ratio(name, 1);
    let ratio = with_goal(ratio, ratio >= goal, &format!("≥ {goal:.2}"));
    vec![title.to_owned(), samples.per_second(name, 0), samples.per_second(name, 1), ratio]
}

fn times_as_fast(ratio: f64, goal: f64) -> String {
    let mark = if ratio >= goal { "" } else { ", **missed**" };
    format!("{ratio:.0} × (goal ≥ {goal:.0} ×{mark})")
}

/// The nanoseconds that a command took on each side, of which the first is redis-keys, in each turn.
pub(super) struct Samples {
    /// Lines of a name and a figure for each side.
    text: String,
    /// The method of measurement.
    pub(super) method: String,
}

impl Samples {
    /// Runs one part of the program `throughput`.
    pub(super) fn measure(part: &str, setup: Setup<'_>) -> Outcome<Self> {
        run(cargo().args(["build", "--quiet", "--release", "--package", "redis-keys-bench", "--bin", "throughput"]))?;
        let cores = Cores::choose(setup.server)?;
        let milliseconds = setup.count(3_000, 100).to_string();
        let mut command = cores.client(target().join("release").join("throughput"));
        let output = command.args([part, &milliseconds]).stderr(Stdio::inherit()).output()?;
        if !output.status.success() {
            return Err(Failure::new(format!("the benchmark `{part}` failed")));
        }
        let method =
            format!("End to end, {}; all sides take turns of milliseconds, medians over the turns.", cores.describe());
        Ok(Self { text: String::from_utf8_lossy(&output.stdout).into_owned(), method })
    }

    fn turns(&self, name: &str) -> impl Iterator<Item = Vec<f64>> {
        let lines = self.text.lines().filter_map(move |line| line.strip_prefix(name)?.strip_prefix(' '));
        lines.map(|figures| figures.split(' ').filter_map(|figure| figure.parse().ok()).collect())
    }

    /// The commands per second of a side, as the median of all turns.
    pub(super) fn per_second(&self, name: &str, side: usize) -> String {
        format!("{:.0}", self.median_per_second(name, side))
    }

    pub(super) fn median_per_second(&self, name: &str, side: usize) -> f64 {
        median(self.turns(name).filter_map(|turn| turn.get(side).map(|nanoseconds| 1e9 / nanoseconds)).collect())
    }

    /// Returns how many times as fast as another side redis-keys is: the median of the ratios, so that a slow turn does
    /// not matter.
    pub(super) fn ratio(&self, name: &str, side: usize) -> f64 {
        self.ratio_between(name, 0, side)
    }

    /// Returns how many times as fast as another side a side is.
    pub(super) fn ratio_between(&self, name: &str, side: usize, other: usize) -> f64 {
        median(self.turns(name).filter_map(|turn| Some(turn.get(other)? / turn.get(side)?)).collect())
    }
}

/// Pins client and servers to different cores, since a round trip between two cores takes longer than one on the same
/// core.
pub(super) struct Cores<'a> {
    server: &'a Path,
    /// A script that runs the server on its core, if this machine can pin.
    script: Option<PathBuf>,
}

/// The variable in which the script finds the server's binary.
const PINNED_SERVER: &str = "REDIS_KEYS_PINNED_SERVER";

impl<'a> Cores<'a> {
    pub(super) fn choose(server: &'a Path) -> Outcome<Self> {
        let mut trial = Command::new("taskset");
        if !trial.args(["-c", "1", "true"]).stderr(Stdio::null()).status().is_ok_and(|status| status.success()) {
            return Ok(Self { server, script: None });
        }
        let folder = target().join("bench");
        let script = folder.join("pinned-server");
        fs::create_dir_all(&folder)?;
        fs::write(&script, format!("#!/bin/sh\nexec taskset -c 1 \"${PINNED_SERVER}\" \"$@\"\n"))?;
        server::make_executable(&script)?;
        Ok(Self { server, script: Some(script) })
    }

    /// A command that runs on the client's core, and starts its servers on the other one.
    pub(super) fn client(&self, name: impl AsRef<OsStr>) -> Command {
        let Some(script) = &self.script else {
            let mut command = program(name);
            command.env(server::VARIABLE, self.server);
            return command;
        };
        let mut command = program("taskset");
        command.args(["-c", "0"]).arg(name);
        command.env(server::VARIABLE, script).env(PINNED_SERVER, self.server);
        command
    }

    pub(super) fn describe(&self) -> String {
        let place = match self.script {
            Some(_) => "client on core 0, server on core 1",
            None => "not pinned, for want of `taskset` or a second core",
        };
        format!("over loopback TCP, {place}, {}", server::version(self.server).unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::Samples;

    #[test]
    fn medians_use_the_lines_with_the_exact_name() {
        let text = "get 10 20 100\nget/50 1 1 1\nget 10 30 400\nget 20 50 200\n".to_owned();
        let samples = Samples { text, method: String::new() };
        assert_eq!(samples.per_second("get", 1), (1e9_f64 / 30.0).round().to_string());
        assert!((samples.ratio("get", 1) - 2.5).abs() < 1e-9);
        assert!((samples.ratio("get", 2) - 10.0).abs() < 1e-9);
        assert!(samples.ratio("gets", 1).is_nan());
    }
}

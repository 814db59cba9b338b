//! Cold builds: of the macro crates, and of a program with and without redis-keys.

use std::fs;
use std::path::PathBuf;
use std::process::Stdio;
use std::time::Instant;

use super::Setup;
use super::table::{Table, minimum, with_goal};
use crate::run::{self, Failure, Outcome, cargo, root, run, target};

/// Two projects of which one builds more than the other.
struct Comparison {
    title: &'static str,
    with: Project,
    without: Project,
}

pub(super) fn measure(setup: Setup<'_>) -> Outcome<Vec<Table>> {
    let manifest = fs::read_to_string(root().join("Cargo.toml"))?;
    let local = |name: &str| format!("{name} = {{ path = '{}' }}\n", root().join(name).display());
    let syn = ["proc-macro2", "quote", "syn"]
        .iter()
        .map(|name| workspace_dependency(&manifest, name))
        .collect::<Outcome<String>>()?;
    let others = "redis = { version = \"1.8\", default-features = false, features = [\"tokio-comp\"] }\n\
                   serde = { version = \"1\", features = [\"derive\"] }\n\
                   tokio = { version = \"1\", features = [\"macros\", \"rt-multi-thread\"] }\n";
    let macros = Comparison {
        title: "redis-keys-macros; without them",
        with: Project::new("macros", &local("redis-keys-macros"))?,
        without: Project::new("syn", &syn)?,
    };
    let program = Comparison {
        title: "program with redis-keys; without",
        with: Project::new("program-with", &format!("{others}{}", local("redis-keys")))?,
        without: Project::new("program-without", others)?,
    };
    let runs = setup.count(5, 1);
    let method = format!(
        "`cargo build` into an empty folder with the sources fetched, not incremental, as crates from a registry are built, in \
         turns, fastest of {runs} runs: wall time, and in brackets the CPU time of cargo and all compilers."
    );
    let [with, without] = macros.measure(runs)?;
    let ratio = with.wall / without.wall;
    let macros = Table {
        title: "Cold build of the macro crates",
        method: method.clone(),
        columns: &["redis-keys-macros", "syn, quote and proc-macro2 alone", "ratio of wall time"],
        rows: vec![vec![with.to_string(), without.to_string(), with_goal(ratio, ratio <= 1.6, "≤ 1.6")]],
    };
    let [with, without] = program.measure(runs)?;
    let added = with.cpu - without.cpu;
    let program = Table {
        title: "Cold build of a program",
        method,
        columns: &["with redis, serde, tokio and redis-keys", "without redis-keys", "added CPU time, s"],
        rows: vec![vec![with.to_string(), without.to_string(), with_goal(added, added <= 6.0, "≤ 6")]],
    };
    Ok(vec![macros, program])
}

impl Comparison {
    /// Builds both in turns and returns the fastest build of each.
    fn measure(&self, runs: u32) -> Outcome<[Cost; 2]> {
        let (mut with, mut without) = (Vec::new(), Vec::new());
        for number in 1..=runs {
            without.push(self.without.cold_build()?);
            with.push(self.with.cold_build()?);
            let [with, without] = [&with, &without].map(|costs| costs.last().map(Cost::to_string).unwrap_or_default());
            println!("run {number} of {runs}: {}: {with}; {without}", self.title);
        }
        Ok([Cost::minimum(&with), Cost::minimum(&without)])
    }
}

/// The line of the workspace's manifest for a dependency.
fn workspace_dependency(manifest: &str, name: &str) -> Outcome<String> {
    let is_wanted = |line: &&str| line.strip_prefix(name).is_some_and(|rest| rest.starts_with(" = "));
    let line = manifest.lines().find(is_wanted);
    line.map(|line| format!("{line}\n")).ok_or_else(|| Failure::new(format!("the workspace does not depend on {name}")))
}

/// An empty crate with dependencies.
struct Project {
    folder: PathBuf,
}

impl Project {
    /// Writes the crate, with the versions that the workspace has locked.
    fn new(name: &str, dependencies: &str) -> Outcome<Self> {
        let folder = target().join("bench").join("build").join(name);
        fs::create_dir_all(&folder)?;
        fs::write(folder.join("lib.rs"), "")?;
        fs::copy(root().join("Cargo.lock"), folder.join("Cargo.lock"))?;
        let package = format!(
            "[package]\nname = \"{name}\"\nedition = \"2024\"\n[workspace]\n[lib]\npath = \"lib.rs\"\n[dependencies]\n"
        );
        fs::write(folder.join("Cargo.toml"), package + dependencies)?;
        run(cargo().args(["fetch", "--quiet"]).current_dir(&folder))?;
        Ok(Self { folder })
    }

    fn cold_build(&self) -> Outcome<Cost> {
        let built = self.folder.join("target");
        if built.exists() {
            fs::remove_dir_all(&built)?;
        }
        let started = Instant::now();
        // The shell's `times` prints the CPU time of the shell, and below it that of its children.
        let mut command = run::program("sh");
        command.args(["-c", "\"$@\" && times", "sh"]).arg(cargo().get_program());
        command.args(["build", "--quiet", "--offline", "--target-dir"]).arg(&built).current_dir(&self.folder);
        // Users fetch our crates, which cargo never builds incrementally; here they are crates of a folder.
        command.env("CARGO_INCREMENTAL", "0");
        let output = command.stderr(Stdio::inherit()).output()?;
        let wall = started.elapsed().as_secs_f64();
        let text = String::from_utf8_lossy(&output.stdout);
        match text.lines().nth(1).and_then(cpu_seconds) {
            Some(cpu) if output.status.success() => Ok(Cost { wall, cpu }),
            _ => Err(Failure::new(format!("`{}` does not build", self.folder.display()))),
        }
    }
}

/// Seconds of wall time and of CPU time.
struct Cost {
    wall: f64,
    cpu: f64,
}

impl Cost {
    fn minimum(costs: &[Self]) -> Self {
        let of = |figure: fn(&Self) -> f64| minimum(&costs.iter().map(figure).collect::<Vec<_>>());
        Self { wall: of(|cost| cost.wall), cpu: of(|cost| cost.cpu) }
    }
}

impl std::fmt::Display for Cost {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:.2} s ({:.2} s)", self.wall, self.cpu)
    }
}

/// User and system time together, of a line such as `0m12.340s 0m1.200s`.
fn cpu_seconds(line: &str) -> Option<f64> {
    let seconds = |time: &str| {
        let (minutes, seconds) = time.strip_suffix('s')?.split_once('m')?;
        Some(minutes.parse::<f64>().ok()? * 60.0 + seconds.parse::<f64>().ok()?)
    };
    let (user, system) = line.trim().split_once(' ')?;
    Some(seconds(user)? + seconds(system)?)
}

#[cfg(test)]
mod tests {
    use super::cpu_seconds;

    #[test]
    fn user_and_system_time_are_added() {
        let seconds = cpu_seconds("1m2.500s 0m0.250s");
        assert!(seconds.is_some_and(|seconds| (seconds - 62.75).abs() < 1e-9), "{seconds:?}");
        assert_eq!(cpu_seconds("real 3"), None);
    }
}

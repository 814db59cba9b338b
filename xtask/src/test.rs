//! `cargo xtask test`: all checks.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::Instant;

use crate::run::{Failure, Outcome, cargo, heading, paint, program, run, run_quietly};
use crate::{aliases, circles, docs, generated, links, lua, paths, published, server, server_user, shop};

/// The command that builds and runs the tests.
pub(crate) const TESTS: [&str; 3] = ["test", "--workspace", "--all-features"];

/// The name of the tests that wait for servers most of the time.
pub(crate) const WAITING: &str = "integration";

/// Runs all checks with the first server, and the integration tests with each of the others. With several servers also
/// the accessors run as a user with few rights, the build of all features takes place, and the guide is followed.
pub(crate) fn test(binaries: &[PathBuf]) -> Outcome {
    let [first, others @ ..] = binaries else {
        return Err(Failure::new("no server to test with"));
    };
    let mut checks = Checks { started: Instant::now(), seconds: Vec::new() };
    components()?;
    // Also those of other systems: the tests of the tool read whole projects, offline.
    run(cargo().args(["fetch", "--locked", "--quiet"]))?;
    let names = test_names()?;

    checks.run("Formatting", || run(cargo().args(["fmt", "--all", "--check"])))?;
    checks.run("Lua", lua::check)?;
    checks.run("Circles of modules", circles::check)?;
    checks.run("Dependencies", published::dependencies)?;
    checks.run("Clippy", || {
        run(cargo().args(["clippy", "--workspace", "--all-targets", "--all-features", "--", "-D", "warnings"]))
    })?;
    checks.run("Clippy, redis-keys without features", || {
        run(cargo().args(["clippy", "--package", "redis-keys", "--no-default-features", "--", "-D", "warnings"]))
    })?;
    checks.run("Oldest Rust", published::oldest_rust)?;
    checks.run("Rustdoc, redis-keys without features", paths::rustdoc_without_features)?;
    checks.run("Rustdoc", paths::rustdoc)?;
    checks.run("Public paths", paths::check)?;
    checks.run("Links of the rendered documentation", links::rendered)?;
    checks.run("Aliases in the rendered documentation", aliases::rendered)?;
    checks.run("Links of Markdown files", links::markdown)?;
    checks.run("Generated files", docs::check)?;
    checks.run("Generated keys in other languages", generated::check)?;
    checks.run("Contents of the packages", published::contents)?;
    checks.run("Building the tests", || run(cargo().args(TESTS).arg("--no-run")))?;
    checks.run("Values of the shop", shop::check_values)?;
    let version = server::version(first).unwrap_or_default();
    checks.run(&format!("Unit, doc, ui and integration tests, with {version}"), || tests(first, &names))?;
    for other in others {
        let name = format!("Integration tests, with {}", server::version(other).unwrap_or_default());
        // The same packages and features as before, so that nothing is built again.
        checks.run(&name, || {
            run(cargo().args(TESTS).args(["--test", WAITING, "--test", "cookbook"]).env(server::VARIABLE, other))
        })?;
    }
    if !others.is_empty() {
        for binary in binaries {
            let name = format!("Accessors as the user of `acl`, with {}", server::version(binary).unwrap_or_default());
            checks.run(&name, || server_user::check(binary))?;
        }
        checks.run("Features", published::features)?;
        checks.run("Guide", || guide(first, None))?;
    }
    checks.report();
    Ok(())
}

/// The checks that have passed, with the seconds that each took.
struct Checks {
    started: Instant,
    seconds: Vec<(String, u64)>,
}

impl Checks {
    fn run(&mut self, name: &str, check: impl FnOnce() -> Outcome) -> Outcome {
        heading(name);
        let started = Instant::now();
        check()?;
        self.seconds.push((name.to_owned(), started.elapsed().as_secs()));
        Ok(())
    }

    fn report(&self) {
        heading("Seconds of each check");
        for (name, seconds) in &self.seconds {
            println!("{seconds:>4}  {name}");
        }
        let seconds = self.started.elapsed().as_secs();
        println!("\n{}", paint("1;32", &format!("All checks passed in {} min {} s", seconds / 60, seconds % 60)));
    }
}

/// Runs the tests that wait for servers beside those that compute, all of them even if some fail, and prints the output
/// of each command as a whole.
fn tests(server: &Path, names: &[String]) -> Outcome {
    let command = |mut command: Command, words: &[&str]| {
        command.args(TESTS).args(words).env(server::VARIABLE, server);
        run_quietly(command)
    };
    let others: Vec<&str> = names.iter().flat_map(|name| ["--test", name]).collect();
    println!("The output of each command follows at its end.");
    thread::scope(|scope| {
        // With a lower priority, since the others measure time.
        let computing = scope.spawn(|| {
            let units = command(niced_cargo(), &["--lib", "--bins"]);
            units.and(command(niced_cargo(), &others)).and(command(niced_cargo(), &["--doc"]))
        });
        let waiting = command(cargo(), &["--test", WAITING]);
        let computing = computing.join().unwrap_or_else(|_| Err(Failure::new("a thread of xtask panicked")));
        waiting.and(computing)
    })
}

/// Runs every shell line and every program of README and guide, or of one page.
pub(crate) fn guide(server: &Path, page: Option<&str>) -> Outcome {
    let mut command = cargo();
    command.args(TESTS).args(["--test", "guide", "--", "--ignored", "--nocapture"]).env(server::VARIABLE, server);
    run(command.envs(page.map(|page| ("REDIS_KEYS_PAGE", page))))
}

/// Cargo at a lower priority, where the system can set it by a command.
fn niced_cargo() -> Command {
    let cargo = cargo();
    let can_be_nice = program("nice").arg("true").status().is_ok_and(|status| status.success());
    if !can_be_nice {
        return cargo;
    }
    let mut command = program("nice");
    command.arg(cargo.get_program());
    command
}

/// The names of the tests in folders `tests`, without those that wait for servers.
fn test_names() -> Outcome<Vec<String>> {
    let mut names = published::test_targets()?;
    names.retain(|name| name != WAITING);
    Ok(names)
}

/// Adds rustfmt and clippy, which a minimal installation of Rust lacks.
fn components() -> Outcome {
    let installed = |name: &str| {
        cargo()
            .args([name, "--version"])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()
            .is_ok_and(|s| s.success())
    };
    if installed("fmt") && installed("clippy") {
        return Ok(());
    }
    heading("Adding rustfmt and clippy: rustup component add clippy rustfmt");
    let added =
        program("rustup").args(["component", "add", "clippy", "rustfmt"]).status().is_ok_and(|status| status.success());
    if added && installed("fmt") && installed("clippy") {
        return Ok(());
    }
    Err(Failure::new(
        "rustfmt or clippy is missing: run `rustup component add clippy rustfmt`, or install them with your Rust",
    ))
}

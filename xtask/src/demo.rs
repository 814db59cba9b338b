//! `cargo xtask demo`: declarations that do not compile, then keys in use on a real server.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::run::{Failure, Outcome, cargo, heading, root, run, target};
use crate::server;

/// Programs that do not compile: the name, the heading and the source. The compiler reports the errors of the first one
/// before it checks types, so that the second one has its own.
const BAD: [(&str, &str, &str); 2] = [
    ("keys", "Invalid declarations do not compile", include_str!("demo/bad_keys.rs")),
    ("types", "Neither do parameters and values of the wrong type", include_str!("demo/bad_types.rs")),
];

pub(crate) fn demo(binary: &Path) -> Outcome {
    let folder = write_project()?;
    heading("Building redis-keys");
    run(cargo_in(&folder).args(["build", "--bin", "good"]))?;
    for (name, title, _) in BAD {
        heading(title);
        println!("\n{}", compiler_output(name)?.trim_end());
    }
    heading("Keys in use, on a real server");
    run(cargo_in(&folder).args(["run", "--quiet", "--bin", "good"]).env(server::VARIABLE, binary))
}

/// Returns what the compiler prints for one of the programs in [`BAD`], in color.
pub(crate) fn compiler_output(name: &str) -> Outcome<String> {
    let folder = write_project()?;
    let mut command = cargo_in(&folder);
    command.args(["check", "--quiet", "--color", "always", "--bin", name]).stderr(Stdio::piped());
    let output = command.spawn()?.wait_with_output()?;
    let text = String::from_utf8_lossy(&output.stderr);
    match text.rsplit_once("\n\n") {
        // Cargo's own summary follows the last diagnostic.
        Some((diagnostics, summary)) if summary.contains("could not compile") => {
            // A warning is one of the library, which is under development.
            let is_error = |diagnostic: &&str| !diagnostic.lines().next().is_some_and(|line| line.contains("mwarning"));
            Ok(diagnostics.split("\n\n").filter(is_error).collect::<Vec<_>>().join("\n\n"))
        }
        _ => Err(Failure::new(format!("`{name}` must not compile, with errors of its own:\n{text}"))),
    }
}

fn cargo_in(folder: &Path) -> Command {
    let mut command = cargo();
    command.current_dir(folder).env("CARGO_TARGET_DIR", target());
    command
}

/// Writes a crate as a user would have it, beside the workspace and with its versions of the dependencies.
fn write_project() -> Outcome<PathBuf> {
    let folder = target().join("demo");
    fs::create_dir_all(folder.join("src"))?;
    let repository = root().canonicalize()?;
    let mut manifest = format!(
        "[package]\nname = \"demo\"\nedition = \"2024\"\nautobins = false\n[workspace]\n\
         [dependencies]\n\
         redis-keys = {{ path = '{repository}/redis-keys', default-features = false, features = [\"json\", \"testing\"] }}\n\
         serde = {{ version = \"1\", features = [\"derive\"] }}\n\
         [[bin]]\nname = \"good\"\npath = '{repository}/examples/demo.rs'\n",
        repository = repository.display()
    );
    for (name, _, source) in BAD {
        fs::write(folder.join(format!("src/{name}.rs")), source)?;
        let _ = writeln!(manifest, "[[bin]]\nname = \"{name}\"\npath = \"src/{name}.rs\"");
    }
    fs::write(folder.join("Cargo.toml"), manifest)?;
    fs::copy(root().join("Cargo.lock"), folder.join("Cargo.lock"))?;
    Ok(folder)
}

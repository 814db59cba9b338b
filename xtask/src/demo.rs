//! `cargo xtask demo`: what the compiler says to bad keys, then good keys on a real server.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use crate::run::{Failure, Outcome, cargo, heading, root, run as must, status, target};
use crate::server;

/// Keys that do not compile, each file for what one run of the compiler says.
const BAD: [(&str, &str, &str); 2] = [
    ("bad_names", "Bad keys do not compile: every mistake of a file at once", include_str!("demo/bad_names.rs")),
    ("bad_types", "Nor do parameters and values of the wrong type", include_str!("demo/bad_types.rs")),
];

pub(crate) fn run(binary: &Path) -> Outcome {
    let folder = write_project()?;
    let build = |bin: &str| {
        let mut command = cargo();
        command
            .args(["build", "--color", "always", "--bin", bin])
            .current_dir(&folder)
            .env("CARGO_TARGET_DIR", target());
        command
    };
    heading("Building the library (the first time takes a moment)");
    must(&mut build("good"))?;
    for (name, title, _) in BAD {
        heading(title);
        println!();
        if status(build(name).arg("--quiet"))?.success() {
            return Err(Failure::new("these keys must not compile, and they do"));
        }
    }
    heading("Good keys, on a real server");
    let mut good = cargo();
    good.args(["run", "--quiet", "--bin", "good"]).current_dir(&folder);
    must(good.env("CARGO_TARGET_DIR", target()).env(server::VARIABLE, binary))
}

/// A crate as a user would have it, beside the workspace and with its versions.
fn write_project() -> Outcome<PathBuf> {
    let folder = target().join("demo");
    fs::create_dir_all(&folder)?;
    let library = root().join("redis-keys").canonicalize()?;
    let mut manifest = format!(
        "[package]\nname = \"demo\"\nedition = \"2024\"\n[workspace]\n\
         [dependencies]\n\
         redis-keys = {{ path = '{library}', default-features = false, features = [\"json\", \"testing\"] }}\n\
         serde = {{ version = \"1\", features = [\"derive\"] }}\n\
         [[bin]]\nname = \"good\"\npath = '{library}/examples/demo.rs'\n",
        library = library.display()
    );
    for (name, _, source) in BAD {
        let file = format!("{name}.rs");
        fs::write(folder.join(&file), source)?;
        let _ = writeln!(manifest, "[[bin]]\nname = \"{name}\"\npath = \"{file}\"");
    }
    fs::write(folder.join("Cargo.toml"), manifest)?;
    fs::copy(root().join("Cargo.lock"), folder.join("Cargo.lock"))?;
    Ok(folder)
}

//! `cargo xtask editor`: what editors know of a declaration, asked of a real rust-analyzer.
//!
//! The sources in `ui-tests/editor` are the binaries of a generated crate. Comments below a line say what rust-analyzer
//! must answer for its marked part; `marks` lists what can be asked.

mod answers;
mod client;
mod marks;

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Instant;

use answers::Answers;
use client::Client;

use crate::run::{Failure, Outcome, heading, program, root, target};

/// Compares the answers of rust-analyzer with the comments in all sources.
pub(crate) fn check() -> Outcome {
    let started = Instant::now();
    components()?;
    let sources = sources()?;
    heading("rust-analyzer loads the sources");
    let mut client = Client::start(&generated_crate(&sources)?, &target().join("editor"))?;
    let mut wrong = Vec::new();
    let mut asked = 0;
    for path in &sources {
        let text = fs::read_to_string(path)?;
        let mut answers = Answers::open(&mut client, path, &text)?;
        let marks = marks::read(&text).map_err(|message| Failure::new(format!("{}: {message}", path.display())))?;
        asked += marks.len();
        wrong.extend(answers.differences(&marks)?);
    }
    client.stop()?;
    if wrong.is_empty() {
        println!("rust-analyzer answers as {asked} marks say, after {} s", started.elapsed().as_secs());
        return Ok(());
    }
    Err(Failure::new(format!("{}\n{} of the answers differ", wrong.join("\n"), wrong.len())))
}

fn sources() -> Outcome<Vec<PathBuf>> {
    let mut paths = Vec::new();
    for entry in fs::read_dir(root().join("ui-tests/editor"))? {
        paths.push(entry?.path().canonicalize()?);
    }
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "rs"));
    paths.sort();
    Ok(paths)
}

/// A crate in the target folder with a binary for each source.
fn generated_crate(sources: &[PathBuf]) -> Outcome<PathBuf> {
    let folder = target().join("editor/crate");
    fs::create_dir_all(&folder)?;
    // The versions of the workspace, which are already downloaded.
    fs::copy(root().join("Cargo.lock"), folder.join("Cargo.lock"))?;
    let library = root().join("redis-keys").canonicalize()?;
    let mut manifest = format!(
        "[package]\nname = 'editor'\nversion = '0.0.0'\nedition = '2024'\n[workspace]\n[profile.dev]\ndebug = false\n\
         [dependencies.redis-keys]\npath = '{}'\nfeatures = ['base32', 'digest']\n\
         [dependencies.serde]\nversion = '1'\nfeatures = ['derive']\n",
        library.display()
    );
    for source in sources {
        let name = source.file_stem().unwrap_or_default().display();
        let _ = write!(manifest, "[[bin]]\nname = '{name}'\npath = '{}'\n", source.display());
    }
    write_if_changed(&folder.join("Cargo.toml"), &manifest)?;
    Ok(folder.canonicalize()?)
}

fn write_if_changed(path: &Path, text: &str) -> Outcome {
    if fs::read_to_string(path).is_ok_and(|written| written == text) {
        return Ok(());
    }
    Ok(fs::write(path, text)?)
}

/// Adds rust-analyzer and the sources of the standard library, without which it knows neither `Vec` nor `derive`.
fn components() -> Outcome {
    let starts = program("rust-analyzer").arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    let sysroot = program("rustc").args(["--print", "sysroot"]).output()?;
    let sysroot = PathBuf::from(String::from_utf8_lossy(&sysroot.stdout).trim());
    if starts.is_ok_and(|status| status.success()) && sysroot.join("lib/rustlib/src/rust/library").is_dir() {
        return Ok(());
    }
    heading("Adding rust-analyzer: rustup component add rust-analyzer rust-src");
    let added = program("rustup").args(["component", "add", "rust-analyzer", "rust-src"]).status();
    if added.is_ok_and(|status| status.success()) {
        return Ok(());
    }
    Err(Failure::missing_tool(
        "rust-analyzer or rust-src is missing: run `rustup component add rust-analyzer rust-src`, or install them with your Rust",
    ))
}

//! The tests of generated keys in other languages, with the programs that are installed.

use std::path::Path;

use crate::run::{Outcome, program, root, run};

/// The folder of the generated keys and their tests.
const FOLDER: &str = "cargo-redis-keys/tests/generated";

/// Runs the tests, and reports which programs are missing.
pub(crate) fn check() -> Outcome {
    let folder = root().join(FOLDER);
    typescript(&folder, &root().join("target").join("generated"))?;
    python(&folder)
}

/// Type-checks and runs the test in TypeScript. Node needs a compiled file before version 22.18.
fn typescript(folder: &Path, compiled: &Path) -> Outcome {
    let tsc = is_there("tsc");
    if tsc {
        let project = folder.join("tsconfig.json");
        run(program("tsc").arg("--project").arg(project).arg("--outDir").arg(compiled))?;
    } else {
        println!("not run: no tsc");
    }
    let Some(version) = node_version() else {
        println!("not run: no node");
        return Ok(());
    };
    if version >= (22, 18) {
        return run(program("node").arg(folder.join("keys.test.ts")));
    }
    if !tsc {
        println!("not run: node {}.{} cannot run TypeScript, and there is no tsc", version.0, version.1);
        return Ok(());
    }
    std::fs::write(compiled.join("package.json"), "{\"type\":\"module\"}\n")?;
    for name in ["vectors.json", "calls.json"] {
        std::fs::copy(folder.join(name), compiled.join(name))?;
    }
    run(program("node").arg(compiled.join("keys.test.js")))
}

/// Type-checks and runs the test in Python.
fn python(folder: &Path) -> Outcome {
    let files = [folder.join("keys.py"), folder.join("test_keys.py")];
    if is_there("mypy") {
        run(program("mypy").args(["--strict", "--cache-dir", "/dev/null"]).args(&files))?;
    } else {
        println!("not run: no mypy");
    }
    if is_there("python3") {
        return run(program("python3").args(["-B"]).arg(folder.join("test_keys.py")));
    }
    println!("not run: no python3");
    Ok(())
}

fn is_there(name: &str) -> bool {
    program(name).arg("--version").output().is_ok_and(|output| output.status.success())
}

fn node_version() -> Option<(u32, u32)> {
    let output = program("node").arg("--version").output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let mut numbers = text.trim().strip_prefix('v')?.split('.').map(str::parse);
    Some((numbers.next()?.ok()?, numbers.next()?.ok()?))
}

//! `cargo xtask lua`: the scripts in `redis-keys/src/lua`, and those that other languages send too in
//! `redis-keys-core/src/lua`.
//!
//! Each script is a whole file, to be read alone and run with `redis-cli --eval`. The code that several share is in
//! `shared`, and is copied between two marks. Values replace its names in capitals:
//!
//! ```lua
//! -- begin shared/push_capped.lua
//! -- PUSH = 'LPUSH'
//! …
//! -- end shared/push_capped.lua
//! ```

use std::path::PathBuf;
use std::process::Command;
use std::{fs, io};

use crate::run::{Outcome, installed, root, run};

const FORMATTER: &str = "stylua@2.6.0";
const LINTER: &str = "selene@0.31.0";

/// The other folder of scripts, from the folder of most.
const SHARED_SCRIPTS: &str = "../../../redis-keys-core/src/lua";

/// Copies the shared code into the scripts, formats them, and lints them.
pub(crate) fn update() -> Outcome {
    for path in scripts()? {
        fs::write(&path, with_shared_code(&fs::read_to_string(&path)?)?)?;
    }
    run(tool(FORMATTER)?.args(["--config-path", "stylua.toml", ".", SHARED_SCRIPTS]))?;
    lint()
}

/// Checks the format and lints. A unit test checks the shared code.
pub(crate) fn check() -> Outcome {
    run(tool(FORMATTER)?.args(["--config-path", "stylua.toml", "--check", ".", SHARED_SCRIPTS]))?;
    lint()
}

fn lint() -> Outcome {
    run(tool(LINTER)?.args(["--quiet", ".", SHARED_SCRIPTS]))
}

/// A tool, to be run where its configuration is.
fn tool(package: &str) -> Outcome<Command> {
    let mut command = installed(package)?;
    command.current_dir(folder());
    Ok(command)
}

fn folder() -> PathBuf {
    root().join("redis-keys/src/lua")
}

/// The files of the scripts and of what they share.
fn scripts() -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for folder in [".", "shared", SHARED_SCRIPTS].map(|name| folder().join(name)) {
        for entry in fs::read_dir(folder)? {
            files.push(entry?.path());
        }
    }
    files.retain(|path| path.extension().is_some_and(|extension| extension == "lua"));
    Ok(files)
}

/// The text of a script with the shared code between its marks.
fn with_shared_code(script: &str) -> io::Result<String> {
    let mut text = Vec::new();
    let mut lines = script.lines();
    while let Some(line) = lines.next() {
        text.push(line.to_owned());
        let Some((indent, name)) = line.split_once("-- begin ") else { continue };
        let end = format!("{indent}-- end {name}");
        let mut values = Vec::new();
        for line in lines.by_ref().take_while(|line| *line != end) {
            if let Some(value) = line.trim_start().strip_prefix("-- ").and_then(|line| line.split_once(" = ")) {
                text.push(line.to_owned());
                values.push(value);
            }
        }
        let shared = with_shared_code(&fs::read_to_string(folder().join(name))?)?;
        let code = shared.lines().filter(|line| !line.trim_start().starts_with("--"));
        text.extend(code.map(|line| format!("{indent}{}", with_values(line, &values))));
        text.push(end);
    }
    Ok(text.join("\n") + "\n")
}

/// A line of code with values for its names in capitals.
fn with_values(line: &str, values: &[(&str, &str)]) -> String {
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let with_value = |word: &str| {
        let name = word.trim_end_matches(|c| !is_name(c));
        let value = values.iter().find(|(known, _)| *known == name).map_or(name, |(_, value)| value);
        format!("{value}{}", &word[name.len()..])
    };
    line.split_inclusive(|c| !is_name(c)).map(with_value).collect()
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;
    use std::{fs, io};

    use super::{scripts, with_shared_code, with_values};

    #[test]
    fn shared_code_is_up_to_date() -> io::Result<()> {
        let mut outdated: Vec<PathBuf> = Vec::new();
        for path in scripts()? {
            let text = fs::read_to_string(&path)?;
            if with_shared_code(&text)? != text {
                outdated.push(path);
            }
        }
        assert!(outdated.is_empty(), "run `cargo xtask lua`, which updates {outdated:?}");
        Ok(())
    }

    #[test]
    fn values_replace_whole_names() {
        let values = [("MEMBER", "0"), ("SIZE", "'SCARD'"), ("IS_NEW", "not SIZE")];
        assert_eq!(
            with_values("pcall(SIZE, 'SISMEMBER', MEMBER) and IS_NEW", &values),
            "pcall('SCARD', 'SISMEMBER', 0) and not SIZE"
        );
    }
}

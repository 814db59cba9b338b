//! Private servers, and their processes.

use std::env;
use std::ffi::{OsStr, OsString};
use std::io::{self, Read as _, Write as _};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// The environment variable with the path of the server's binary.
const VARIABLE: &str = "REDIS_KEYS_SERVER";

/// Another process may take a free port before the server does.
const START_ATTEMPTS: usize = 5;

/// A server starts within milliseconds and a cluster within seconds; an overloaded machine may need longer.
pub(super) const START_TIMEOUT: Duration = Duration::from_secs(30);

/// Runs the server (`$2` and following) in the directory `$1` until the server exits or standard input closes.
///
/// Standard input is a pipe whose other end is held by the test process only. The system closes it when that process
/// ends in any way, even by an uncatchable signal, so the server never outlives it. The server's last lines go to
/// standard output.
const WATCHDOG: &str = r#"
    trap '' HUP INT PIPE TERM
    exec 2>&1 3<&0
    folder=$1
    shift
    mkdir -m 700 "$folder" || exit
    "$@" </dev/null >"$folder/log" 2>&1 3<&- &
    server=$!
    { read -r _ <&3; kill -9 "$server"; } &
    reader=$!
    wait "$server"
    kill -9 "$reader"
    tail -n 20 "$folder/log"
    rm -rf "$folder"
"#;

/// A private Redis or Valkey server for tests.
///
/// It listens on a free port of 127.0.0.1, has its own temporary directory, and persists nothing. The server and the
/// directory are removed when the value is dropped, and when the process ends without dropping it: by an aborting
/// panic, by Ctrl-C or by `kill -9`. So the tests of a binary can also share a `static` server.
///
/// You can name the binary in the environment variable `REDIS_KEYS_SERVER`. Otherwise it is `valkey-server` or
/// `redis-server` on the `PATH`. In a clone of redis-keys, it can also be the server that `cargo xtask` has downloaded.
///
/// This type is available on Unix only.
///
/// ```
/// use redis_keys::{prelude::*, redis::Client, testing::Server};
///
/// #[derive(RedisKey)]
/// #[redis_key(user:name:{user_id}:string, value = String, ttl = 1h)]
/// struct Name { user_id: u64 }
///
/// let server = Server::start()?;
/// let mut con = Client::open(server.url())?.get_connection()?;
/// Name { user_id: 42 }.set("Ada").query(&mut con)?;
/// assert_eq!(Name { user_id: 42 }.get().query(&mut con)?.as_deref(), Some("Ada"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
#[must_use = "dropping the value stops the server"]
pub struct Server {
    process: Process,
}

impl Server {
    /// Starts a server and waits until it replies.
    ///
    /// # Errors
    ///
    /// Returns an error if no server is found, with the packages to install, or if the server does not start, with its
    /// output.
    pub fn start() -> io::Result<Self> {
        Self::start_with(find_program()?)
    }

    /// Starts a server with this binary, a path or a name on the `PATH`, and waits until it replies.
    ///
    /// # Errors
    ///
    /// Returns an error if the server does not start, with its output.
    pub fn start_with(program: impl AsRef<OsStr>) -> io::Result<Self> {
        Process::start(program.as_ref(), free_port, &[]).map(|process| Self { process })
    }

    /// Starts an empty server on this port, for example to replace a server that was dropped.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`start`](Self::start), and an error if the port is in use.
    pub fn start_on(port: u16) -> io::Result<Self> {
        Process::start(&find_program()?, || Ok(port), &[]).map(|process| Self { process })
    }

    /// Returns the port on 127.0.0.1.
    pub fn port(&self) -> u16 {
        self.process.port()
    }

    /// Returns the URL for clients: `redis://127.0.0.1:PORT/`.
    pub fn url(&self) -> String {
        self.process.url()
    }
}

/// A server on a port of 127.0.0.1 with its own temporary directory.
///
/// The server and the directory are removed when this value is dropped or the process ends.
#[derive(Debug)]
pub(super) struct Process {
    watchdog: Child,
    port: u16,
}

impl Process {
    /// Starts a server on a port that `free_port` returns, and waits until it replies.
    pub(super) fn start(
        program: &OsStr,
        free_port: impl Fn() -> io::Result<u16>,
        options: &[&str],
    ) -> io::Result<Self> {
        let mut attempt = 1;
        loop {
            match Self::start_once(program, free_port()?, options) {
                Err(error) if error.kind() != io::ErrorKind::TimedOut && attempt < START_ATTEMPTS => attempt += 1,
                result => return result,
            }
        }
    }

    fn start_once(program: &OsStr, port: u16, options: &[&str]) -> io::Result<Self> {
        let name = format!("redis-keys-{}-{port}", std::process::id());
        let folder = env::temp_dir().join(&name);
        let watchdog = Command::new("/bin/sh")
            .args(["-c", WATCHDOG, "redis-keys"])
            .arg(&folder)
            .arg(program)
            .args(["--bind", "127.0.0.1", "--protected-mode", "yes", "--port", &port.to_string()])
            .args(["--save", "", "--appendonly", "no", "--dir"])
            .arg(&folder)
            .args(options)
            // In its own process group, Ctrl-C reaches the server only through the pipe, after the tests.
            .process_group(0)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let mut server = Self { watchdog, port };
        server.wait_for(&name, program)?;
        Ok(server)
    }

    fn wait_for(&mut self, folder: &str, program: &OsStr) -> io::Result<()> {
        let started = Instant::now();
        loop {
            if self.watchdog.try_wait()?.is_some() {
                return Err(io::Error::other(self.failure(program, "did not start")));
            }
            if self.is_ready(folder).unwrap_or(false) {
                return Ok(());
            }
            if started.elapsed() > START_TIMEOUT {
                let what = format!("did not reply within {} s", START_TIMEOUT.as_secs());
                return Err(io::Error::new(io::ErrorKind::TimedOut, self.failure(program, &what)));
            }
            sleep(Duration::from_millis(5));
        }
    }

    /// Returns whether this server replies, and not another process's server that took the port first.
    fn is_ready(&self, folder: &str) -> io::Result<bool> {
        let second = Duration::from_secs(1);
        let mut stream = TcpStream::connect_timeout(&SocketAddr::from((Ipv4Addr::LOCALHOST, self.port)), second)?;
        stream.set_read_timeout(Some(second))?;
        // INFO is for sentinels, which report only the path of their file.
        stream.write_all(b"CONFIG GET dir\r\nINFO server\r\n")?;
        let mut reply = [0; 4096];
        let length = stream.read(&mut reply)?;
        Ok(String::from_utf8_lossy(reply.get(..length).unwrap_or_default()).contains(folder))
    }

    /// Stops the server and returns a message with its last output.
    fn failure(&mut self, program: &OsStr, what: &str) -> String {
        drop(self.watchdog.stdin.take());
        let mut log = String::new();
        if let Some(output) = &mut self.watchdog.stdout {
            // The output is optional.
            let _ = output.read_to_string(&mut log);
        }
        let (program, log) = (Path::new(program).display(), log.trim_end());
        if log.is_empty() {
            format!("`{program}` {what}, and printed nothing")
        } else {
            format!("`{program}` {what}; it printed:\n{log}")
        }
    }

    /// Returns the port on 127.0.0.1.
    pub(super) fn port(&self) -> u16 {
        self.port
    }

    /// Returns the URL for clients.
    pub(super) fn url(&self) -> String {
        url(self.port)
    }
}

impl Drop for Process {
    /// Kills the server with SIGKILL and waits until it has exited.
    fn drop(&mut self) {
        drop(self.watchdog.stdout.take());
        // `wait` closes standard input first. Errors cannot be reported from here.
        let _ = self.watchdog.wait();
    }
}

pub(super) fn url(port: u16) -> String {
    format!("redis://127.0.0.1:{port}/")
}

/// Returns a port that is not in use.
pub(super) fn free_port() -> io::Result<u16> {
    Ok(TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr()?.port())
}

/// Returns the server's binary.
pub(super) fn find_program() -> io::Result<OsString> {
    if let Some(program) = env::var_os(VARIABLE).filter(|program| !program.is_empty()) {
        return Ok(program);
    }
    let path = env::var_os("PATH").unwrap_or_default();
    ["valkey-server", "redis-server"]
        .iter()
        .find_map(|name| env::split_paths(&path).map(|folder| folder.join(name)).find(|file| is_program(file)))
        .or_else(|| downloaded(&env::current_exe().ok()?))
        .map(PathBuf::into_os_string)
        .ok_or_else(|| {
            let message = format!(
                "no Redis server found: install `valkey` or `redis` (`apt install redis-server`, `brew install valkey`), \
                 or set {VARIABLE} to the path of a server's binary"
            );
            io::Error::new(io::ErrorKind::NotFound, message)
        })
}

/// The server in the target folder that a program was built in, where `cargo xtask` of redis-keys puts one.
fn downloaded(program: &Path) -> Option<PathBuf> {
    program.ancestors().skip(1).map(|folder| folder.join("servers/valkey-server")).find(|file| is_program(file))
}

fn is_program(file: &Path) -> bool {
    file.metadata().is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o111 != 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_finds_the_server_beside_its_folder() {
        let target = env::temp_dir().join(format!("redis-keys-downloaded-{}", std::process::id()));
        let [examples, servers] = ["debug/examples", "servers"].map(|folder| target.join(folder));
        for folder in [&examples, &servers] {
            std::fs::create_dir_all(folder).unwrap();
        }
        let server = servers.join("valkey-server");
        let found = || downloaded(&examples.join("cache"));
        assert_eq!(found(), None);
        std::fs::write(&server, "").unwrap();
        assert_eq!(found(), None, "it is no program");
        std::fs::set_permissions(&server, std::fs::Permissions::from_mode(0o755)).unwrap();
        assert_eq!(found(), Some(server));
        std::fs::remove_dir_all(target).unwrap();
    }
}

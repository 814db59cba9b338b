//! The process of a private server, and how it is made sure that nothing of it stays behind.

use std::{
    env,
    ffi::{OsStr, OsString},
    io::{self, Read as _, Write as _},
    net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream},
    os::unix::{fs::PermissionsExt as _, process::CommandExt as _},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    thread::sleep,
    time::{Duration, Instant},
};

/// Names the server's binary; the PATH is searched without it.
const VARIABLE: &str = "REDIS_KEYS_SERVER";

/// Between asking a free port of the system and the server's taking it, somebody else may have taken it.
const ATTEMPTS: usize = 5;

/// A server starts within milliseconds, a cluster within seconds; a machine at its limits may need longer.
pub(super) const PATIENCE: Duration = Duration::from_secs(30);

/// Runs the server (`$2` and on) in the folder `$1` until it ends or standard input does.
///
/// Standard input is a pipe whose other end only the test's process holds. The system closes it when that process ends in whatever way, also
/// by a signal that cannot be caught, so nothing is left behind. The server's last lines go to standard output.
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

/// A server on a port of 127.0.0.1 with a temporary folder of its own. It ends, and its folder goes, with this value or with
/// this process.
#[derive(Debug)]
pub(super) struct Process {
    watchdog: Child,
    port: u16,
}

impl Process {
    /// Starts a server on a port that `free_port` finds, and waits until it answers.
    pub(super) fn start(
        program: &OsStr,
        free_port: impl Fn() -> io::Result<u16>,
        options: &[&str],
    ) -> io::Result<Self> {
        let mut attempt = 1;
        loop {
            match Self::start_once(program, free_port()?, options) {
                Err(error) if error.kind() != io::ErrorKind::TimedOut && attempt < ATTEMPTS => attempt += 1,
                done => return done,
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
            // A group of its own, so that Ctrl-C reaches the tests first and the server only through the pipe.
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
            if self.answers_from(folder).unwrap_or(false) {
                return Ok(());
            }
            if started.elapsed() > PATIENCE {
                let what = format!("did not answer within {} s", PATIENCE.as_secs());
                return Err(io::Error::new(io::ErrorKind::TimedOut, self.failure(program, &what)));
            }
            sleep(Duration::from_millis(5));
        }
    }

    /// Whether the server on this port is ours: another process's may have been quicker to take the port.
    fn answers_from(&self, folder: &str) -> io::Result<bool> {
        let second = Duration::from_secs(1);
        let mut stream = TcpStream::connect_timeout(&SocketAddr::from((Ipv4Addr::LOCALHOST, self.port)), second)?;
        stream.set_read_timeout(Some(second))?;
        // The second is for sentinels, which tell the folder of their file only.
        stream.write_all(b"CONFIG GET dir\r\nINFO server\r\n")?;
        let mut answer = [0; 4096];
        let length = stream.read(&mut answer)?;
        Ok(String::from_utf8_lossy(answer.get(..length).unwrap_or_default()).contains(folder))
    }

    /// Ends the server and tells its last words.
    fn failure(&mut self, program: &OsStr, what: &str) -> String {
        drop(self.watchdog.stdin.take());
        let mut log = String::new();
        if let Some(output) = &mut self.watchdog.stdout {
            // Without its words the message is poorer, but still true.
            let _ = output.read_to_string(&mut log);
        }
        let (program, log) = (Path::new(program).display(), log.trim_end());
        if log.is_empty() {
            format!("`{program}` {what}, and printed nothing")
        } else {
            format!("`{program}` {what}; it printed:\n{log}")
        }
    }

    /// The port on 127.0.0.1.
    pub(super) fn port(&self) -> u16 {
        self.port
    }

    /// What a client connects to.
    pub(super) fn url(&self) -> String {
        url(self.port)
    }
}

impl Drop for Process {
    /// Kills the server (SIGKILL), and returns when it is gone.
    fn drop(&mut self) {
        drop(self.watchdog.stdout.take());
        // Closes standard input first. There is nobody to tell a failure to.
        let _ = self.watchdog.wait();
    }
}

pub(super) fn url(port: u16) -> String {
    format!("redis://127.0.0.1:{port}/")
}

/// A port that nobody listens on.
pub(super) fn free_port() -> io::Result<u16> {
    Ok(TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr()?.port())
}

/// The server's binary.
pub(super) fn find() -> io::Result<OsString> {
    if let Some(program) = env::var_os(VARIABLE).filter(|program| !program.is_empty()) {
        return Ok(program);
    }
    let path = env::var_os("PATH").unwrap_or_default();
    ["valkey-server", "redis-server"]
        .iter()
        .find_map(|name| env::split_paths(&path).map(|folder| folder.join(name)).find(|file| is_program(file)))
        .map(PathBuf::into_os_string)
        .ok_or_else(|| {
            let message = format!(
                "no Redis server found: install `valkey` or `redis` (`apt install redis-server`, `brew install valkey`), \
                 or set {VARIABLE} to the path of a server's binary"
            );
            io::Error::new(io::ErrorKind::NotFound, message)
        })
}

fn is_program(file: &Path) -> bool {
    file.metadata().is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o111 != 0)
}

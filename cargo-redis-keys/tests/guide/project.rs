//! The project of a reader.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::{env, mem};

use redis_keys::testing::Server;
use redis_keys_tests::{shared_cluster, wait_until};

use crate::page::{Program, Step};
use crate::{NOT_RUN, root};

/// The folder for what is built, which all projects share.
const TARGET: &str = concat!(env!("CARGO_TARGET_TMPDIR"), "/guide");

/// What shows that a program works that runs until it is stopped.
enum Sign {
    /// It prints this.
    Prints(&'static str),
    /// Its page at this address contains this.
    Serves(&'static str, &'static str),
}

/// Programs that run until they are stopped, by what they contain.
const SERVICES: [(&str, Sign); 3] = [
    ("ctrl_c()", Sign::Prints("to ada@example.org: Hello")),
    ("axum::serve(", Sign::Serves(WEB_SERVER, "hello")),
    ("with_http_listener(", Sign::Serves(METRICS, "outcome=\"absent\"")),
];

/// The addresses of the web server and of the metrics in programs.
const WEB_SERVER: &str = "127.0.0.1:3000";
const METRICS: &str = "127.0.0.1:9000";

pub(crate) struct Project {
    folder: PathBuf,
    /// The servers that the pages mention, with the addresses that they have here.
    addresses: Vec<(&'static str, String)>,
    server: Server,
    /// Programs that are built when the next lines follow, or the page ends.
    programs: Vec<Program>,
    failures: Vec<String>,
}

impl Project {
    /// A project as `cargo new` creates it, with the workspace's versions of the dependencies.
    pub(crate) fn new(name: &str) -> Self {
        let folder = folder().join(name);
        if folder.exists() {
            fs::remove_dir_all(&folder).unwrap();
        }
        for sources in ["src/bin", "tests"] {
            fs::create_dir_all(folder.join(sources)).unwrap();
        }
        let manifest = format!("[package]\nname = \"{name}\"\nedition = \"2024\"\n\n[dependencies]\n");
        fs::write(folder.join("Cargo.toml"), manifest).unwrap();
        fs::write(folder.join("src/main.rs"), "fn main() {\n    println!(\"Hello, world!\");\n}\n").unwrap();
        fs::copy(root().join("Cargo.lock"), folder.join("Cargo.lock")).unwrap();

        let server = Server::start().unwrap();
        let single = server.url();
        let addresses = vec![
            ("redis://127.0.0.1:6379", single.clone()),
            ("redis://127.0.0.1/", single.clone()),
            ("redis://10.0.0.5:6379", single),
            ("redis://10.0.0.1/", shared_cluster().urls().swap_remove(0)),
            (WEB_SERVER, format!("127.0.0.1:{}", free_port())),
            (METRICS, format!("127.0.0.1:{}", free_port())),
        ];
        Self { folder, addresses, server, programs: Vec::new(), failures: Vec::new() }
    }

    pub(crate) fn follow(&mut self, step: Step) {
        match step {
            Step::Program(program) => self.programs.push(program),
            Step::Shell(lines) => {
                // Programs at the start of a page need what the page adds below.
                if self.has_redis_keys() {
                    self.run_programs();
                }
                for line in lines {
                    self.run_line(&line);
                }
            }
        }
    }

    /// Runs the last programs, and returns what failed.
    pub(crate) fn finish(mut self) -> Vec<String> {
        self.run_programs();
        self.failures
    }

    fn has_redis_keys(&self) -> bool {
        fs::read_to_string(self.folder.join("Cargo.toml")).unwrap().contains("\nredis-keys")
    }

    fn run_line(&mut self, line: &str) {
        if NOT_RUN.iter().any(|(start, _)| line.starts_with(start)) {
            return;
        }
        if let Some(words) = line.strip_prefix("redis-cli ") {
            if has_redis_cli() {
                self.run(&format!("redis-cli -u {} {words}", self.server.url()));
            }
            return;
        }
        let mut script = self.with_addresses(line);
        if line.starts_with("cargo add ") {
            let path = root().join("redis-keys");
            script = script.replace(" redis-keys", &format!(" redis-keys --path '{}'", path.display()));
        }
        self.run(&script);
    }

    /// Builds and runs the programs that wait for it.
    fn run_programs(&mut self) {
        for program in mem::take(&mut self.programs) {
            let folder = if program.is_test() { "tests" } else { "src/bin" };
            let file = self.folder.join(folder).join(format!("{}.rs", program.name));
            fs::write(file, self.with_addresses(&program.source())).unwrap();
            if program.is_test() {
                self.run(&format!("cargo test --test {}", program.name));
            } else if self.run(&format!("cargo build --bin {}", program.name)) {
                self.run_program(&program);
            }
        }
    }

    fn with_addresses(&self, text: &str) -> String {
        self.addresses.iter().fold(text.to_owned(), |text, (shown, here)| text.replace(shown, here))
    }

    /// Runs a line, and returns whether it succeeded.
    fn run(&mut self, script: &str) -> bool {
        let mut command = Command::new("sh");
        command
            .args(["-c", script])
            .current_dir(&self.folder)
            .env("PATH", path())
            .env("CARGO_TARGET_DIR", TARGET)
            .env("CARGO_TERM_QUIET", "true")
            // What is built is used once.
            .env("CARGO_INCREMENTAL", "0")
            .env("CARGO_PROFILE_DEV_DEBUG", "0")
            // Those of the test run.
            .env_remove("RUSTFLAGS")
            .env_remove("CARGO_ENCODED_RUSTFLAGS");
        let output = command.stdin(Stdio::null()).output().unwrap();
        if !output.status.success() {
            let [stdout, stderr] = [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes));
            self.fail(&format!("$ {script}\n{stdout}{stderr}"));
        }
        output.status.success()
    }

    /// Runs a program to its end, or until it shows that it works.
    fn run_program(&mut self, program: &Program) {
        let output = self.folder.join(format!("{}.out", program.name));
        let file = File::create(&output).unwrap();
        let mut process = Process(
            Command::new(Path::new(TARGET).join("debug").join(&program.name))
                .current_dir(&self.folder)
                // The variable that a line of a page exports.
                .env("REDIS_SECRETS", format!("k001:{}", "9d1b".repeat(16)))
                .stdin(Stdio::null())
                .stdout(file.try_clone().unwrap())
                .stderr(file)
                .spawn()
                .unwrap(),
        );
        let text = || fs::read_to_string(&output).unwrap();
        let sign = SERVICES.iter().find(|(code, _)| program.contains(code)).map(|(_, sign)| sign);
        let mut status = None;
        wait_until(&format!("{} works", program.name), || {
            status = process.0.try_wait().unwrap();
            status.is_some()
                || match sign {
                    Some(Sign::Prints(line)) => text().contains(line),
                    Some(Sign::Serves(address, body)) => self.response(address).contains(body),
                    None => false,
                }
        });
        if status.is_some_and(|status| !status.success() || sign.is_some()) {
            self.fail(&format!("{}: {}\n{}", program.name, status.unwrap_or_default(), text()));
        } else if !program.prints(&text()) {
            self.fail(&format!("{} prints something else than the page shows\n{}", program.name, text()));
        }
    }

    /// The response of a web server, or nothing while it does not respond.
    fn response(&self, address: &str) -> String {
        let mut response = String::new();
        if let Ok(mut stream) = TcpStream::connect(self.with_addresses(address)) {
            let request = "GET / HTTP/1.1\r\nHost: localhost\r\nClient-Id: 42\r\nConnection: close\r\n\r\n";
            _ = stream.write_all(request.as_bytes()).and_then(|()| stream.read_to_string(&mut response));
        }
        response
    }

    fn fail(&mut self, what: &str) {
        println!("  failed: {}", what.lines().next().unwrap_or_default());
        self.failures.push(format!("{}: {what}", self.folder.file_name().unwrap().to_string_lossy()));
    }
}

/// A process that ends when it is dropped.
struct Process(Child);

impl Drop for Process {
    fn drop(&mut self) {
        _ = self.0.kill().and_then(|()| self.0.wait());
    }
}

/// The folder of all projects: outside of the workspace, whose settings of cargo are not the reader's. It is the same
/// in each run, so that what is built replaces what was.
pub(crate) fn folder() -> PathBuf {
    let workspace = root().to_string_lossy().replace(['/', '\\', ':'], "-");
    env::temp_dir().join(format!("redis-keys-guide{workspace}"))
}

/// The PATH, with this build of `cargo redis-keys` and the cargo that runs the test in front.
fn path() -> OsString {
    let folder = |file: &str| Path::new(file).parent().unwrap().to_owned();
    let own = [folder(env!("CARGO_BIN_EXE_cargo-redis-keys")), folder(&env::var("CARGO").unwrap())];
    let path = env::var_os("PATH").unwrap_or_default();
    env::join_paths(own.into_iter().chain(env::split_paths(&path))).unwrap()
}

/// Returns whether `redis-cli` is installed, which a machine with another server may lack.
fn has_redis_cli() -> bool {
    Command::new("redis-cli").arg("--version").output().is_ok_and(|output| output.status.success())
}

fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

//! The processes of a test: a server that keeps its data in a folder, and the shop.

use std::env;
use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::browser::{Browser, PATIENCE};

/// The key of encrypted values.
pub(crate) const SECRET: &str = "9d1b0c5a1f7e4be9a8d0c6537a29e1f4b3c2d1e0f9a8b7c6d5e4f3a2b1c0d9e8";

/// A shop with a server of its own. Both end with this value.
pub(crate) struct Shop {
    folder: PathBuf,
    redis_port: u16,
    redis: Child,
    process: Child,
    address: SocketAddr,
}

impl Shop {
    pub(crate) fn open() -> Self {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let name = format!("redis-keys-shop-{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let folder = env::temp_dir().join(name);
        fs::create_dir_all(&folder).expect("a temporary folder");
        let redis_port = free_port();
        let redis = start_redis(&folder, redis_port);
        let mut shop = Command::new(env!("CARGO_BIN_EXE_redis-keys-shop"))
            .env("REDIS_URL", format!("redis://127.0.0.1:{redis_port}/"))
            .env("SHOP_DATABASE", folder.join("shop.db"))
            .env("SHOP_PORT", "0")
            .env("SHOP_SECRETS", format!("k001:{SECRET}"))
            .env_remove("SHOP_WITHOUT_CACHE")
            .stdout(Stdio::piped())
            .spawn()
            .expect("the shop starts");
        let mut line = String::new();
        BufReader::new(shop.stdout.take().expect("a pipe")).read_line(&mut line).expect("the shop opens");
        let address = line.trim().trim_start_matches("the shop is open: http://").trim_end_matches('/');
        let address = address.parse().expect("an address");
        Self { folder, redis_port, redis, process: shop, address }
    }

    pub(crate) fn browser(&self) -> Browser {
        Browser::new(self.address)
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    pub(crate) fn database(&self) -> PathBuf {
        self.folder.join("shop.db")
    }

    /// Kills the server, without a chance to write anything.
    pub(crate) fn kill_redis(&mut self) {
        end(&mut self.redis);
    }

    /// Starts the server again, with its data and on its port.
    pub(crate) fn start_redis(&mut self) {
        self.redis = start_redis(&self.folder, self.redis_port);
    }
}

impl Drop for Shop {
    fn drop(&mut self) {
        end(&mut self.process);
        end(&mut self.redis);
        let _ = fs::remove_dir_all(&self.folder);
    }
}

fn end(process: &mut Child) {
    let _ = process.kill();
    let _ = process.wait();
}

fn start_redis(folder: &Path, port: u16) -> Child {
    let log = fs::File::create(folder.join("log")).expect("a log");
    let redis = Command::new(server())
        .args(["--bind", "127.0.0.1", "--port", &port.to_string(), "--save", "", "--appendonly", "yes", "--dir"])
        .arg(folder)
        .stdout(log)
        .spawn()
        .expect("the server starts");
    let started = Instant::now();
    while !answers(port) {
        assert!(started.elapsed() < PATIENCE, "the server does not answer");
        sleep(Duration::from_millis(10));
    }
    redis
}

/// Whether the server has read its data and answers.
fn answers(port: u16) -> bool {
    let Ok(mut stream) = TcpStream::connect((Ipv4Addr::LOCALHOST, port)) else { return false };
    let mut answer = [0; 5];
    stream.write_all(b"PING\r\n").and_then(|()| stream.read_exact(&mut answer)).is_ok() && &answer == b"+PONG"
}

/// The server's binary, as `redis_keys::testing` finds it.
fn server() -> PathBuf {
    if let Some(program) = env::var_os("REDIS_KEYS_SERVER").filter(|it| !it.is_empty()) {
        return program.into();
    }
    let folders: Vec<_> = env::split_paths(&env::var_os("PATH").unwrap_or_default()).collect();
    let names = ["valkey-server", "redis-server"];
    let found = names.iter().flat_map(|name| folders.iter().map(move |it| it.join(name))).find(|it| it.is_file());
    found.expect("no Redis server found: install `valkey` or `redis`, or set REDIS_KEYS_SERVER")
}

fn free_port() -> u16 {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a free port");
    listener.local_addr().expect("its address").port()
}

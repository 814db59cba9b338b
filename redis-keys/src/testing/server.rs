//! A private server for one test.

use std::{ffi::OsStr, io};

use super::{process, process::Process};

/// A private Redis or Valkey server for tests, on a free port of this machine and with a temporary folder of its own.
///
/// It listens on 127.0.0.1 only and keeps nothing on disk. It ends, and its folder goes, when the value is dropped, and also when the
/// process ends without dropping it: by a panic that aborts, by Ctrl-C, by `kill -9`. So a `static` one, shared by all tests of a binary, is
/// fine too.
///
/// The binary is the one that the environment variable `REDIS_KEYS_SERVER` names, or else `valkey-server` or `redis-server` on the PATH.
///
/// Only on Unix, where these servers run.
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
#[must_use = "the server ends when this is dropped"]
pub struct Server {
    process: Process,
}

impl Server {
    /// Starts a server and waits until it answers.
    ///
    /// # Errors
    /// When no server is found, the error says what to install; when it does not start, what it printed.
    pub fn start() -> io::Result<Self> {
        Self::start_with(process::find()?)
    }

    /// Starts the server of which the binary is given, as a path or as a name on the PATH, and waits until it answers.
    ///
    /// # Errors
    /// When it does not start, the error says what it printed.
    pub fn start_with(program: impl AsRef<OsStr>) -> io::Result<Self> {
        Process::start(program.as_ref(), process::free_port, &[]).map(|process| Self { process })
    }

    /// Starts a server on a port of which you know that it is free: on that of one that was dropped, to see what clients do
    /// then. The new one is empty.
    ///
    /// # Errors
    /// As [`start`](Self::start), and when the port is taken.
    pub fn start_on(port: u16) -> io::Result<Self> {
        Process::start(&process::find()?, || Ok(port), &[]).map(|process| Self { process })
    }

    /// The port on 127.0.0.1.
    pub fn port(&self) -> u16 {
        self.process.port()
    }

    /// What a client connects to: `redis://127.0.0.1:PORT/`.
    pub fn url(&self) -> String {
        self.process.url()
    }
}

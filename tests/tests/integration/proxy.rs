//! A proxy in front of a server, which sees the commands that clients send.

use std::sync::{Arc, Mutex, PoisonError};

use redis_keys::testing::Server;
use redis_keys_tests::{FakeServer, forward, until};

/// The scripts whose calls have a name.
const SCRIPTS: [(&str, &str); 11] = [
    ("claim", include_str!("../../../redis-keys/src/lua/claim.lua")),
    ("claim_refresh", include_str!("../../../redis-keys/src/lua/claim_refresh.lua")),
    ("fill", include_str!("../../../redis-keys/src/lua/fill.lua")),
    ("abandon", include_str!("../../../redis-keys/src/lua/abandon.lua")),
    ("fail", include_str!("../../../redis-keys/src/lua/fail.lua")),
    ("job_take", include_str!("../../../redis-keys/src/lua/job_take.lua")),
    ("job_ack", include_str!("../../../redis-keys/src/lua/job_ack.lua")),
    ("job_reschedule", include_str!("../../../redis-keys/src/lua/job_reschedule.lua")),
    ("lock", include_str!("../../../redis-keys/src/lua/lock.lua")),
    ("lock_renew", include_str!("../../../redis-keys/src/lua/lock_renew.lua")),
    ("unlock", include_str!("../../../redis-keys/src/lua/unlock.lua")),
];

/// The reply of a proxy that closes the connection.
pub(crate) const CUT: Vec<u8> = Vec::new();

/// A proxy, which serves one command of a connection after the other.
pub(crate) struct Proxy {
    server: FakeServer,
    commands: Arc<Mutex<Vec<String>>>,
}

/// A command that a proxy has received.
pub(crate) struct Call<'c> {
    /// Its first word, or the name of the script that it calls.
    pub(crate) name: &'c str,
    pub(crate) words: &'c [Vec<u8>],
    port: u16,
}

/// Runs a command that was sent and kept back, and returns the reply.
pub(crate) type LateCommand = Box<dyn FnOnce() -> Vec<u8> + Send>;

impl Call<'_> {
    /// Runs it on the server, and returns the reply.
    pub(crate) fn forward(&self) -> Vec<u8> {
        forward(self.port, self.words).expect("the server replies")
    }

    /// Returns a function that runs it on the server, for a command that arrives late.
    pub(crate) fn later(&self) -> LateCommand {
        let (port, words) = (self.port, self.words.to_vec());
        Box::new(move || forward(port, &words).expect("the server replies"))
    }
}

impl Proxy {
    /// Starts a proxy that forwards all commands.
    #[allow(clippy::redundant_closure_for_method_calls, reason = "the method is not general enough")]
    pub(crate) fn start(server: &Server) -> Self {
        Self::start_with(server, |call| call.forward())
    }

    /// Starts a proxy that replies what the function returns.
    pub(crate) fn start_with(server: &Server, reply: impl Fn(&Call<'_>) -> Vec<u8> + Send + Sync + 'static) -> Self {
        let port = server.port();
        let mut con =
            redis::Client::open(server.url()).and_then(|client| client.get_connection()).expect("the server replies");
        let scripts = SCRIPTS.map(|(name, file)| {
            let is_code = |line: &&str| !line.trim().is_empty() && !line.trim_start().starts_with("--");
            let code: String = file.split_inclusive('\n').filter(is_code).collect();
            let sha1: String = redis::cmd("SCRIPT").arg("LOAD").arg(&code).query(&mut con).expect("the server replies");
            (name, sha1, code)
        });
        let commands = Arc::<Mutex<Vec<String>>>::default();
        let log = Arc::clone(&commands);
        let server = FakeServer::start(move |words| {
            let mut texts = words.iter().map(|word| String::from_utf8_lossy(word));
            let (first, second) = (texts.next().unwrap_or_default(), texts.next().unwrap_or_default());
            let script = scripts.iter().find(|(_, sha1, code)| *sha1 == second || *code == second);
            let name = script.map_or(&*first, |(name, ..)| name);
            log.lock().unwrap_or_else(PoisonError::into_inner).push(name.to_owned());
            reply(&Call { name, words, port })
        });
        Self { server, commands }
    }

    pub(crate) fn url(&self) -> String {
        self.server.url()
    }

    /// The commands that were received so far.
    pub(crate) fn commands(&self) -> Vec<String> {
        self.commands.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Takes the commands that were received so far.
    pub(crate) fn take(&self) -> Vec<String> {
        std::mem::take(&mut *self.commands.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Returns how often a command was received.
    pub(crate) fn count(&self, name: &str) -> usize {
        self.commands().iter().filter(|command| *command == name).count()
    }

    /// Waits until a command was received so often.
    pub(crate) async fn wait_for(&self, name: &str, number: usize) {
        until(&format!("{number} times {name}"), || self.count(name) >= number).await;
    }
}

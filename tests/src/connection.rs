//! One way to talk, whatever the connection behind it.

use redis::aio::MultiplexedConnection;
use redis::{Client, Connection, FromRedisValue};
use redis_keys::{Command, Error};
use tokio::runtime::{Builder, Runtime};

/// A connection of redis-rs, and another one beside it for looking at what the first did.
pub struct Con {
    typed: Typed,
    plain: Connection,
}

enum Typed {
    Sync(Connection),
    Async(MultiplexedConnection, Runtime),
}

impl Con {
    /// One that blocks.
    ///
    /// # Panics
    /// When the server cannot be reached: nothing can be tested then.
    pub fn blocking(url: &str) -> Self {
        Self { typed: Typed::Sync(plain(url)), plain: plain(url) }
    }

    /// One that is shared by tasks.
    ///
    /// # Panics
    /// When the server cannot be reached.
    pub fn multiplexed(url: &str) -> Self {
        let runtime = Builder::new_current_thread().enable_all().build().expect("a runtime starts");
        let client = Client::open(url).expect("the address is good");
        let typed = runtime.block_on(client.get_multiplexed_async_connection()).expect("the server answers");
        Self { typed: Typed::Async(typed, runtime), plain: plain(url) }
    }

    /// Runs one of our commands.
    ///
    /// # Errors
    /// Those of the command.
    pub fn run<T>(&mut self, command: impl Into<Command<T>>) -> Result<T, Error> {
        match &mut self.typed {
            Typed::Sync(con) => command.into().query(con),
            Typed::Async(con, runtime) => runtime.block_on(command.into().query_async(con)),
        }
    }

    /// Runs one of our commands that has to succeed.
    ///
    /// # Panics
    /// When it does not.
    #[track_caller]
    pub fn ok<T>(&mut self, command: impl Into<Command<T>>) -> T {
        match self.run(command) {
            Ok(done) => done,
            Err(error) => panic!("{error}"),
        }
    }

    /// Runs one of our commands that has to be refused on this side: the server must not see it.
    ///
    /// # Panics
    /// When it is not refused, or when something was sent.
    #[track_caller]
    pub fn refused<T>(&mut self, command: impl Into<Command<T>>) -> Error {
        let before = self.commands_processed();
        let error = self.error(command);
        assert_eq!(error.sent(), redis_keys::Sent::No, "{error}");
        assert_eq!(self.commands_processed(), before + 1, "something was sent, and then: {error}");
        error
    }

    /// Runs one of our commands that has to fail.
    ///
    /// # Panics
    /// When it does not.
    #[track_caller]
    pub fn error<T>(&mut self, command: impl Into<Command<T>>) -> Error {
        match self.run(command) {
            Ok(_) => panic!("this had to be an error"),
            Err(error) => error,
        }
    }

    /// Runs any command on the other connection.
    ///
    /// # Panics
    /// When it fails.
    #[track_caller]
    pub fn raw<T: FromRedisValue>(&mut self, words: &[&str]) -> T {
        let mut command = redis::cmd(words[0]);
        command.arg(&words[1..]);
        match command.query(&mut self.plain) {
            Ok(answer) => answer,
            Err(error) => panic!("{words:?}: {error}"),
        }
    }

    /// What is left of a key's life in milliseconds; -1 without expiry, -2 without the key.
    #[track_caller]
    pub fn pttl(&mut self, key: &str) -> i64 {
        self.raw(&["PTTL", key])
    }

    /// Asserts what is left of a key's life, give or take what a slow machine needs for a round trip.
    ///
    /// # Panics
    /// When it is more, or clearly less.
    #[track_caller]
    pub fn assert_left(&mut self, key: &str, ms: i64) {
        let left = self.pttl(key);
        assert!((ms - 5_000..=ms).contains(&left), "{key} has {left} ms left, not {ms}");
    }

    /// Every key of this database has an expiry, but for those that are declared to have none (module `never`).
    ///
    /// # Panics
    /// When one has not.
    #[track_caller]
    pub fn assert_all_expire(&mut self) {
        for key in self.raw::<Vec<String>>(&["KEYS", "*"]) {
            let left = self.pttl(&key);
            assert_eq!(left == -1, key.starts_with("never:"), "{key} has {left} ms left");
        }
    }

    fn commands_processed(&mut self) -> u64 {
        let info: String = self.raw(&["INFO", "stats"]);
        let count = info.lines().find_map(|line| line.strip_prefix("total_commands_processed:"));
        count.and_then(|count| count.parse().ok()).expect("servers count their commands")
    }
}

fn plain(url: &str) -> Connection {
    Client::open(url).and_then(|client| client.get_connection()).expect("the server answers")
}

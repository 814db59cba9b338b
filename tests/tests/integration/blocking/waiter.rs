//! The two kinds of connections that run blocking commands.

use redis::{Client, Connection};
use redis_keys::command::Blocking;
use redis_keys::testing::Server;
use redis_keys::{BlockingConnection, Error};
use redis_keys_tests::{Con, wait_until};
use tokio::runtime::{Builder, Runtime};

pub(super) enum Waiter {
    Blocking(Box<Connection>),
    Asynchronous(Box<BlockingConnection>, Runtime),
}

impl Waiter {
    pub(super) fn blocking(url: &str) -> Self {
        Self::Blocking(Box::new(client(url).get_connection().expect("the server replies")))
    }

    pub(super) fn asynchronous(url: &str) -> Self {
        Self::Asynchronous(Box::new(BlockingConnection::new(client(url))), runtime())
    }

    pub(super) fn run<T>(&mut self, blocking: Blocking<T>) -> Result<Option<T>, Error> {
        match self {
            Self::Blocking(con) => blocking.query(con),
            Self::Asynchronous(con, runtime) => runtime.block_on(blocking.query_async(con)),
        }
    }

    /// Runs a blocking command that must succeed.
    #[track_caller]
    pub(super) fn ok<T>(&mut self, blocking: Blocking<T>) -> Option<T> {
        match self.run(blocking) {
            Ok(found) => found,
            Err(error) => panic!("{error}"),
        }
    }

    /// Runs a blocking command, and calls `act` as soon as it is blocked on the server.
    #[track_caller]
    pub(super) fn meanwhile<T: Send>(
        &mut self,
        blocking: Blocking<T>,
        con: &mut Con,
        act: impl FnOnce(&mut Con),
    ) -> Result<Option<T>, Error> {
        std::thread::scope(|scope| {
            let waiting = waiting(con);
            let taking = scope.spawn(|| self.run(blocking));
            wait_until("a client waits", || self::waiting(con) > waiting || taking.is_finished());
            act(con);
            taking.join().expect("the thread does not panic")
        })
    }
}

/// Returns the number of blocked clients of all servers.
pub(super) fn waiting(con: &mut Con) -> u32 {
    let info = con.info("clients");
    let counts = info.lines().filter_map(|line| line.strip_prefix("blocked_clients:"));
    counts.map(|count| count.parse::<u32>().expect("servers count blocked clients")).sum()
}

/// Runs a test on both kinds of connections, with both protocols, and a plain connection to the same server. Afterwards
/// no key may be without an expiry.
pub(super) fn on_both(test: impl Fn(&mut Waiter, &mut Con)) {
    let server = Server::start().expect("a server starts");
    let kinds = [Waiter::blocking as fn(&str) -> Waiter, Waiter::asynchronous];
    for (database, (connect, protocol)) in
        kinds.into_iter().flat_map(|connect| [(connect, "resp2"), (connect, "resp3")]).enumerate()
    {
        println!("{database}, {protocol}");
        let url = format!("{}{database}?protocol={protocol}", server.url());
        let mut con = Con::blocking(&url);
        test(&mut connect(&url), &mut con);
        con.assert_all_expire();
    }
}

pub(super) fn client(url: &str) -> Client {
    Client::open(url).expect("the address is valid")
}

pub(super) fn runtime() -> Runtime {
    Builder::new_current_thread().enable_all().build().expect("a runtime starts")
}

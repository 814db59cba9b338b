//! A connection that notes the commands of a request, for the page *What Redis sees*.

use std::cell::RefCell;
use std::time::Instant;

use redis_keys::Connection;
use redis_keys::redis::aio::ConnectionLike;
use redis_keys::redis::{Arg, Cmd, Pipeline, RedisFuture, Value};

/// A command that was sent. Values are not noted.
#[derive(Clone, Debug)]
pub(crate) struct Sent {
    pub(crate) command: String,
    pub(crate) keys: Vec<String>,
    pub(crate) bytes: usize,
    pub(crate) at: Instant,
    /// The number of its round trip: the commands of a batch have the same.
    pub(crate) trip: usize,
}

tokio::task_local! {
    /// The commands of the request that this task handles. Tasks that a request starts have none.
    static SENT: RefCell<Vec<Sent>>;
}

/// Runs a future, and returns the commands that it has sent as well.
pub(crate) async fn trace<T>(future: impl Future<Output = T>) -> (T, Vec<Sent>) {
    SENT.scope(RefCell::default(), async { (future.await, SENT.with(RefCell::take)) }).await
}

fn note<'c>(commands: impl Iterator<Item = &'c Cmd>) {
    // Outside of requests nothing is noted.
    let _ = SENT.try_with(|sent| {
        let mut sent = sent.borrow_mut();
        let trip = sent.last().map_or(1, |last| last.trip + 1);
        sent.extend(commands.map(|command| describe(command, trip)));
    });
}

fn describe(command: &Cmd, trip: usize) -> Sent {
    let mut words = command.args_iter().map(|argument| match argument {
        Arg::Simple(bytes) => String::from_utf8_lossy(bytes).into_owned(),
        _ => String::new(),
    });
    let name = words.next().unwrap_or_default().to_uppercase();
    let keys = match name.as_str() {
        "EVAL" | "EVALSHA" => {
            let count = words.nth(1).and_then(|count| count.parse().ok()).unwrap_or(0);
            words.take(count).collect()
        }
        "EXISTS" | "MGET" | "PFCOUNT" | "UNLINK" => words.collect(),
        "EXEC" | "MULTI" | "SCRIPT" => Vec::new(),
        _ => words.take(1).collect(),
    };
    Sent { command: name, keys, bytes: command.get_packed_command().len(), at: Instant::now(), trip }
}

/// The connection of the shop, whose commands are noted in the trace of the request.
#[derive(Clone, Debug)]
pub(crate) struct Traced(pub(crate) Connection);

impl ConnectionLike for Traced {
    fn req_packed_command<'a>(&'a mut self, command: &'a Cmd) -> RedisFuture<'a, Value> {
        note(std::iter::once(command));
        self.0.req_packed_command(command)
    }

    fn req_packed_commands<'a>(
        &'a mut self,
        commands: &'a Pipeline,
        offset: usize,
        count: usize,
    ) -> RedisFuture<'a, Vec<Value>> {
        note(commands.cmd_iter());
        self.0.req_packed_commands(commands, offset, count)
    }

    fn get_db(&self) -> i64 {
        self.0.get_db()
    }
}

//! A connection that notes the commands of a request, for the page *What Redis sees*.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use redis_keys::Connection;
use redis_keys::redis::aio::ConnectionLike;
use redis_keys::redis::{Arg, Cmd, Pipeline, RedisFuture, Value};

/// A command that was sent. Values are not noted.
#[derive(Clone, Debug)]
pub(crate) struct Sent {
    pub(crate) command: String,
    pub(crate) keys: Vec<String>,
    pub(crate) bytes: usize,
    /// Since the request began.
    pub(crate) after: Duration,
    /// The number of its round trip: the commands of a batch have the same.
    pub(crate) trip: usize,
}

#[derive(Clone, Debug)]
pub(crate) struct Trace {
    started: Instant,
    sent: Arc<Mutex<(usize, Vec<Sent>)>>,
}

tokio::task_local! {
    /// The trace of the request that this task handles. Tasks that a request starts have none.
    static TRACE: Trace;
}

impl Trace {
    /// Runs a future, and returns the commands that it has sent as well.
    pub(crate) async fn of<T>(future: impl Future<Output = T>) -> (T, Vec<Sent>) {
        let trace = Self { started: Instant::now(), sent: Arc::default() };
        let result = TRACE.scope(trace.clone(), future).await;
        let mut noted = trace.sent.lock().unwrap_or_else(PoisonError::into_inner);
        (result, std::mem::take(&mut noted.1))
    }

    fn note<'c>(commands: impl Iterator<Item = &'c Cmd>) {
        // Outside of requests nothing is noted.
        let _ = TRACE.try_with(|trace| {
            let after = trace.started.elapsed();
            let mut noted = trace.sent.lock().unwrap_or_else(PoisonError::into_inner);
            noted.0 += 1;
            let trip = noted.0;
            noted.1.extend(commands.map(|command| describe(command, after, trip)));
        });
    }
}

fn describe(command: &Cmd, after: Duration, trip: usize) -> Sent {
    let words = command.args_iter().map(|argument| match argument {
        Arg::Simple(bytes) => bytes,
        _ => b"",
    });
    let words: Vec<&[u8]> = words.collect();
    let text = |word: &&[u8]| String::from_utf8_lossy(word).into_owned();
    let name = words.first().map(text).unwrap_or_default().to_uppercase();
    let keys = match name.as_str() {
        "EVAL" | "EVALSHA" => {
            let count = words.get(2).and_then(|count| text(count).parse().ok()).unwrap_or(0);
            words.iter().skip(3).take(count).map(text).collect()
        }
        "EXISTS" | "MGET" | "PFCOUNT" | "UNLINK" => words.iter().skip(1).map(text).collect(),
        "EXEC" | "MULTI" | "SCRIPT" => Vec::new(),
        _ => words.iter().skip(1).take(1).map(text).collect(),
    };
    Sent { command: name, keys, bytes: command.get_packed_command().len(), after, trip }
}

/// The connection of the shop, whose commands are noted in the trace of the request.
#[derive(Clone, Debug)]
pub(crate) struct Traced(pub(crate) Connection);

impl ConnectionLike for Traced {
    fn req_packed_command<'a>(&'a mut self, command: &'a Cmd) -> RedisFuture<'a, Value> {
        Trace::note(std::iter::once(command));
        self.0.req_packed_command(command)
    }

    fn req_packed_commands<'a>(
        &'a mut self,
        commands: &'a Pipeline,
        offset: usize,
        count: usize,
    ) -> RedisFuture<'a, Vec<Value>> {
        Trace::note(commands.cmd_iter());
        self.0.req_packed_commands(commands, offset, count)
    }

    fn get_db(&self) -> i64 {
        self.0.get_db()
    }
}

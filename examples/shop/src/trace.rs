//! A connection that notes the commands of a request, for the page *What Redis sees*.

use std::cell::RefCell;
use std::iter::{once, repeat_n};

use redis_keys::Connection;
use redis_keys::redis::aio::ConnectionLike;
use redis_keys::redis::{Arg, Cmd, Pipeline, RedisError, RedisFuture, Value};

/// What a request has sent.
#[derive(Clone, Debug, Default)]
pub(crate) struct Trace {
    pub(crate) sent: Vec<SentCommand>,
    /// The template and the name of each accessor that was called.
    pub(crate) calls: Vec<(String, String)>,
}

impl Trace {
    pub(crate) fn trips(&self) -> usize {
        self.sent.last().map_or(0, |last| last.trip)
    }
}

/// A command that was sent. Values are not noted.
#[derive(Clone, Debug)]
pub(crate) struct SentCommand {
    pub(crate) command: String,
    /// The text of EVAL, or the SHA-1 of EVALSHA.
    pub(crate) script: Option<String>,
    pub(crate) keys: Vec<String>,
    /// The number of its round trip: the commands of a batch have the same.
    trip: usize,
    /// The code of the server's error, or that there is no answer.
    pub(crate) problem: Option<String>,
}

tokio::task_local! {
    /// The trace of the request that this task handles. Tasks that a request starts have none.
    static TRACE: RefCell<Trace>;
}

/// Runs a future, and returns what it has sent as well.
pub(crate) async fn trace<T>(future: impl Future<Output = T>) -> (T, Trace) {
    TRACE.scope(RefCell::default(), async { (future.await, TRACE.with(RefCell::take)) }).await
}

/// Notes a call of an accessor.
pub(crate) fn note_call(template: &str, accessor: &str) {
    // Outside of requests nothing is noted.
    let _ = TRACE.try_with(|trace| trace.borrow_mut().calls.push((template.to_owned(), accessor.to_owned())));
}

/// Notes commands, and returns the number of their round trip.
fn note<'c>(commands: impl Iterator<Item = &'c Cmd>) -> usize {
    let noted = TRACE.try_with(|trace| {
        let mut trace = trace.borrow_mut();
        let trip = trace.trips() + 1;
        trace.sent.extend(commands.map(|command| describe(command, trip)));
        trip
    });
    noted.unwrap_or_default()
}

fn describe(command: &Cmd, trip: usize) -> SentCommand {
    let mut words = command.args_iter().map(|argument| match argument {
        Arg::Simple(bytes) => String::from_utf8_lossy(bytes).into_owned(),
        _ => String::new(),
    });
    let name = words.next().unwrap_or_default().to_uppercase();
    let mut script = None;
    let keys = match name.as_str() {
        "EVAL" | "EVALSHA" => {
            script = words.next();
            let count = words.next().and_then(|count| count.parse().ok()).unwrap_or(0);
            words.take(count).collect()
        }
        "EXISTS" | "MGET" | "PFCOUNT" | "UNLINK" => words.collect(),
        "EXEC" | "MULTI" | "SCRIPT" => Vec::new(),
        _ => words.take(1).collect(),
    };
    SentCommand { command: name, script, keys, trip, problem: Some("no answer".to_owned()) }
}

/// Notes the answers to the commands of a round trip.
fn note_answers(trip: usize, problems: impl Iterator<Item = Option<String>>) {
    let _ = TRACE.try_with(|trace| {
        let mut trace = trace.borrow_mut();
        for (sent, problem) in trace.sent.iter_mut().filter(|sent| sent.trip == trip).zip(problems) {
            sent.problem = problem;
        }
    });
}

fn problem_of(answer: &Value) -> Option<String> {
    match answer {
        Value::ServerError(error) => Some(error.code().to_owned()),
        _ => None,
    }
}

fn code_of(error: &RedisError) -> String {
    error.code().unwrap_or("no answer").to_owned()
}

/// The connection of the shop, whose commands are noted in the trace of the request.
#[derive(Clone, Debug)]
pub(crate) struct TracedConnection(pub(crate) Connection);

impl ConnectionLike for TracedConnection {
    fn req_packed_command<'a>(&'a mut self, command: &'a Cmd) -> RedisFuture<'a, Value> {
        Box::pin(async move {
            let trip = note(once(command));
            let answer = self.0.req_packed_command(command).await;
            note_answers(trip, once(answer.as_ref().map_or_else(|error| Some(code_of(error)), problem_of)));
            answer
        })
    }

    fn req_packed_commands<'a>(
        &'a mut self,
        commands: &'a Pipeline,
        offset: usize,
        count: usize,
    ) -> RedisFuture<'a, Vec<Value>> {
        Box::pin(async move {
            let trip = note(commands.cmd_iter());
            let answers = self.0.req_packed_commands(commands, offset, count).await;
            match &answers {
                Ok(answers) => note_answers(trip, repeat_n(None, offset).chain(answers.iter().map(problem_of))),
                Err(error) => note_answers(trip, repeat_n(Some(code_of(error)), commands.len())),
            }
            answers
        })
    }

    fn get_db(&self) -> i64 {
        self.0.get_db()
    }
}

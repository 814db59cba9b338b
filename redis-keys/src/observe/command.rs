//! Calls of accessors: counted, timed and traced, labelled with the template of their declaration.
//!
//! A call is counted where its result is read: alone in `run::batch::read_first`, in a batch where its replies are
//! taken. Until then, the code that runs it holds a [`Call`] or a [`BatchCall`], which measures the time, has the span, and
//! counts a call whose future is dropped.

#[cfg(feature = "metrics")]
use std::time::Instant;

#[cfg(feature = "metrics")]
use redis::Arg;
use redis::{Cmd, Value};

use crate::accessor::{Accessor, Outcome};
#[cfg(feature = "metrics")]
use crate::counters::handles;
#[cfg(feature = "metrics")]
use crate::schema::Role;
use crate::schema::Schema;
#[cfg(feature = "metrics")]
use crate::stored::cached;
use crate::{Error, ErrorKind, Sent};

/// The target of spans.
#[cfg(feature = "tracing")]
const TARGET: &str = "redis_keys::command";

/// The outcome of a call that failed.
#[cold]
fn outcome_of(error: &Error) -> Outcome {
    match (error.sent(), error.kind()) {
        (Sent::Maybe, _) => Outcome::Unknown,
        (Sent::No, ErrorKind::Connection | ErrorKind::Server | ErrorKind::UnexpectedReply) | (Sent::Yes, _) => {
            Outcome::Failed
        }
        (Sent::No, _) => Outcome::Rejected,
    }
}

/// Counts a rejected call, by the rule that it breaks too.
#[cfg(feature = "metrics")]
#[cold]
fn reject(accessor: Accessor, schema: &'static Schema, error: &Error) {
    handles::call(accessor, schema, Some(Outcome::Rejected), None, None);
    let rule = match (error.rule(), error.kind()) {
        (Some(rule), _) => rule.name(),
        (None, ErrorKind::Encode) => "encode",
        (None, ErrorKind::OutOfRange) => "out-of-range",
        (None, ErrorKind::Unsupported) => "unsupported",
        (None, _) => "argument",
    };
    handles::rejected(schema, rule);
}

impl Accessor {
    /// Counts a call that failed. What is rejected is counted by its rule too.
    #[cold]
    pub(crate) fn fails(self, schema: &'static Schema, error: &Error, traffic: &Traffic) {
        #[cfg(feature = "metrics")]
        match outcome_of(error) {
            Outcome::Rejected if !self.is_step() => reject(self, schema, error),
            outcome => self.done(schema, outcome, traffic),
        }
    }

    /// Counts a call whose result is known.
    #[inline]
    pub(crate) fn done(self, schema: &'static Schema, outcome: Outcome, traffic: &Traffic) {
        #[cfg(feature = "metrics")]
        handles::call(self, schema, (!self.is_step()).then_some(outcome), None, Some([traffic.sent, traffic.received]));
    }
}

/// Counts a call that was rejected before anything was sent.
#[cold]
pub(crate) fn rejected(error: &Error) {
    #[cfg(feature = "metrics")]
    if !error.accessor().is_step() {
        reject(error.accessor(), error.schema(), error);
    }
}

/// The bytes that a call has sent and received. They are only counted if there is a recorder.
#[derive(Default)]
pub(crate) struct Traffic {
    #[cfg(feature = "metrics")]
    sent: u64,
    #[cfg(feature = "metrics")]
    received: u64,
    /// Whether a reply has a value.
    #[cfg(feature = "metrics")]
    has_value: bool,
}

impl Traffic {
    #[inline]
    pub(crate) fn is_counted() -> bool {
        #[cfg(feature = "metrics")]
        return handles::is_recorded();
        #[cfg(not(feature = "metrics"))]
        false
    }

    #[inline]
    pub(crate) fn sent(&mut self, cmd: &Cmd) {
        #[cfg(feature = "metrics")]
        {
            let (mut bytes, mut number) = (0, 0);
            for arg in cmd.args_iter() {
                let len = if let Arg::Simple(word) = arg { word.len() } else { 0 };
                bytes += length_line(len) + len + 2;
                number += 1;
            }
            self.sent += (length_line(number) + bytes) as u64;
        }
    }

    #[inline]
    pub(crate) fn received(&mut self, reply: &Value, schema: &Schema) {
        #[cfg(feature = "metrics")]
        {
            self.received += bytes_of(reply) as u64;
            self.has_value |= has_value(reply, matches!(schema.role, Some(Role::Cache(_))));
        }
    }

    /// The outcome of a call that succeeded.
    #[inline]
    pub(crate) fn outcome(&self, accessor: Accessor) -> Outcome {
        #[cfg(feature = "metrics")]
        if accessor.reads() && !self.has_value {
            return Outcome::Absent;
        }
        Outcome::Ok
    }
}

/// The length of a line such as `$12\r\n`.
#[cfg(feature = "metrics")]
#[inline]
fn length_line(number: usize) -> usize {
    match number {
        0..10 => 4,
        10..100 => 5,
        _ => number.ilog10() as usize + 4,
    }
}

/// The length of all texts and values in a reply.
#[cfg(feature = "metrics")]
fn bytes_of(reply: &Value) -> usize {
    match reply {
        Value::BulkString(bytes) => bytes.len(),
        Value::VerbatimString { text, .. } => text.len(),
        Value::Array(values) | Value::Set(values) => values.iter().map(bytes_of).sum(),
        Value::Map(pairs) => pairs.iter().map(|(name, value)| bytes_of(name) + bytes_of(value)).sum(),
        _ => 0,
    }
}

/// Whether a read has found something. The markers of cached keys are no values, nor is the -1 of BITPOS.
#[cfg(feature = "metrics")]
fn has_value(reply: &Value, is_cached: bool) -> bool {
    match reply {
        Value::Nil | Value::Int(-1) => false,
        Value::BulkString(bytes) if is_cached => cached::has_value(bytes),
        Value::Array(values) | Value::Set(values) => values.iter().any(|value| has_value(value, is_cached)),
        Value::Map(pairs) => !pairs.is_empty(),
        _ => true,
    }
}

/// A call that is not part of a batch, while it runs.
pub(crate) struct Call {
    accessor: Accessor,
    schema: &'static Schema,
    #[cfg(feature = "metrics")]
    is_counted: bool,
    /// Whether it has to be counted, which happens elsewhere if it is handed over.
    #[cfg(feature = "metrics")]
    is_open: bool,
    /// The start of a call that is timed, until its time is recorded.
    #[cfg(feature = "metrics")]
    started: Option<Instant>,
    #[cfg(feature = "tracing")]
    span: tracing::Span,
}

impl Call {
    /// Starts a call, if there is a recorder or a subscriber that gets a report.
    #[inline]
    pub(crate) fn start_if_reported(accessor: Accessor, schema: &'static Schema) -> Option<Self> {
        let is_counted = Traffic::is_counted();
        #[cfg(feature = "tracing")]
        let is_reported = is_counted || spans_are_enabled();
        #[cfg(not(feature = "tracing"))]
        let is_reported = is_counted;
        is_reported.then(|| Self::new(accessor, schema, is_counted))
    }

    /// Starts a call, also if it is not reported.
    pub(crate) fn start(accessor: Accessor, schema: &'static Schema) -> Self {
        Self::new(accessor, schema, Traffic::is_counted())
    }

    /// One in eight is timed: reading the clock twice costs more than all counting. It is one in eight of all, also of
    /// those that wait for long, so that the samples of a template are those of its calls.
    #[inline]
    fn new(accessor: Accessor, schema: &'static Schema, is_counted: bool) -> Self {
        #[cfg(feature = "metrics")]
        let is_timed = is_counted && !accessor.is_step() && fastrand::u8(..).is_multiple_of(8);
        Self {
            accessor,
            schema,
            #[cfg(feature = "metrics")]
            is_counted,
            #[cfg(feature = "metrics")]
            is_open: is_counted && !accessor.is_step(),
            #[cfg(feature = "metrics")]
            started: is_timed.then(Instant::now),
            #[cfg(feature = "tracing")]
            span: accessor.span(schema),
        }
    }

    /// The place for the bytes of the command, if they are counted.
    #[inline]
    pub(crate) fn traffic(&self) -> Option<Traffic> {
        #[cfg(feature = "metrics")]
        return self.is_counted.then(Traffic::default);
        #[cfg(not(feature = "metrics"))]
        None
    }

    /// Runs a future in the span of the call.
    #[inline]
    pub(crate) fn within<F: Future>(&self, future: F) -> impl Future<Output = F::Output> + use<F> {
        #[cfg(feature = "tracing")]
        let future = tracing::Instrument::instrument(future, self.span.clone());
        future
    }

    /// Runs a function in the span of the call.
    #[inline]
    pub(crate) fn in_scope<T>(&self, run: impl FnOnce() -> T) -> T {
        #[cfg(feature = "tracing")]
        return self.span.in_scope(run);
        #[cfg(not(feature = "tracing"))]
        run()
    }

    /// Counts the call, with its time until now.
    #[inline]
    pub(crate) fn settle(&mut self, outcome: Outcome, traffic: Option<&Traffic>) {
        #[cfg(feature = "metrics")]
        if self.is_counted {
            self.is_open = false;
            let time = self.started.take().map(|started| started.elapsed());
            let outcome = (!self.accessor.is_step()).then_some(outcome);
            handles::call(
                self.accessor,
                self.schema,
                outcome,
                time,
                traffic.map(|traffic| [traffic.sent, traffic.received]),
            );
        }
    }

    /// Leaves the count to the submission that sends the command.
    #[cold]
    pub(crate) fn hand_over(&mut self) {
        #[cfg(feature = "metrics")]
        {
            self.is_open = false;
        }
    }

    /// Leaves the call out of the count.
    pub(crate) fn forget(&mut self) {
        #[cfg(feature = "metrics")]
        {
            (self.is_open, self.started) = (false, None);
        }
    }

    /// Ends the call.
    #[inline]
    pub(crate) fn end<T>(mut self, result: &Result<T, Error>) {
        #[cfg(feature = "metrics")]
        if let Some(started) = self.started.take() {
            handles::call(self.accessor, self.schema, None, Some(started.elapsed()), None);
        }
        self.note(result.as_ref().err());
    }

    /// Notes the error in the span of the call.
    #[inline]
    pub(crate) fn note(&self, error: Option<&Error>) {
        #[cfg(feature = "tracing")]
        if let Some(error) = error {
            record_error(&self.span, error);
        }
    }

    /// Ends a call that was run as several commands, and counts it by its result.
    pub(crate) fn end_as<T>(mut self, result: &Result<T, Error>, is_absent: fn(&T) -> bool) {
        match result {
            Ok(result) => self.settle(if is_absent(result) { Outcome::Absent } else { Outcome::Ok }, None),
            Err(error) => self.settle_error(error, None),
        }
        self.end(result);
    }

    /// Counts a call that failed, with its time until now.
    #[cold]
    pub(crate) fn settle_error(&mut self, error: &Error, traffic: Option<&Traffic>) {
        match outcome_of(error) {
            #[cfg(feature = "metrics")]
            Outcome::Rejected if self.is_open => {
                (self.is_open, self.started) = (false, None);
                reject(self.accessor, self.schema, error);
            }
            outcome => self.settle(outcome, traffic),
        }
    }
}

/// Runs a future in the span of a call, if there is one.
#[inline]
pub(crate) fn within<F: Future>(call: Option<&Call>, future: F) -> impl Future<Output = F::Output> + use<F> {
    #[cfg(feature = "tracing")]
    let future =
        tracing::Instrument::instrument(future, call.map_or_else(tracing::Span::none, |call| call.span.clone()));
    future
}

/// Runs a function in the span of a call, if there is one.
#[inline]
pub(crate) fn in_scope<T>(call: Option<&Call>, run: impl FnOnce() -> T) -> T {
    match call {
        Some(call) => call.in_scope(run),
        None => run(),
    }
}

/// A call whose future is dropped has an outcome too, as with a time limit of the program.
#[cfg(feature = "metrics")]
impl Drop for Call {
    #[inline]
    fn drop(&mut self) {
        let time = self.started.take().map(|started| started.elapsed());
        if self.is_open || time.is_some() {
            let outcome = self.is_open.then_some(Outcome::Unknown);
            handles::call(self.accessor, self.schema, outcome, time, None);
        }
    }
}

/// The calls of a submission, until they are counted one by one.
#[derive(Default)]
pub(crate) struct OpenCalls {
    number: usize,
    #[cfg(feature = "metrics")]
    calls: Vec<(Accessor, &'static Schema)>,
    /// Whether they are being sent. Then dropping them is an outcome.
    #[cfg(feature = "metrics")]
    are_sent: bool,
}

impl OpenCalls {
    pub(crate) fn push(&mut self, accessor: Accessor, schema: &'static Schema) {
        self.number = self.number.saturating_add(1);
        #[cfg(feature = "metrics")]
        if !accessor.is_step() && Traffic::is_counted() {
            self.calls.push((accessor, schema));
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.number
    }

    /// Adds the calls of another submission, which is sent as a part of this one.
    pub(crate) fn append(&mut self, other: &mut Self) {
        self.number = self.number.saturating_add(other.number);
        #[cfg(feature = "metrics")]
        self.calls.append(&mut other.calls);
    }

    /// The submission is sent now.
    pub(crate) fn send(&mut self) {
        #[cfg(feature = "metrics")]
        {
            self.are_sent = true;
        }
    }

    /// The calls are counted where their results are read, which is now.
    pub(crate) fn close(&mut self) {
        #[cfg(feature = "metrics")]
        self.calls.clear();
    }

    /// Counts all calls with this error.
    #[cold]
    pub(crate) fn close_as(&mut self, error: &Error) {
        #[cfg(feature = "metrics")]
        for (accessor, schema) in self.calls.drain(..) {
            accessor.fails(schema, error, &Traffic::default());
        }
    }
}

#[cfg(feature = "metrics")]
impl Drop for OpenCalls {
    fn drop(&mut self) {
        if self.are_sent {
            for (accessor, schema) in self.calls.drain(..) {
                accessor.done(schema, Outcome::Unknown, &Traffic::default());
            }
        }
    }
}

/// A batch or an atomic group, while it runs.
pub(crate) struct BatchCall {
    #[cfg(feature = "metrics")]
    started: Option<(Instant, usize)>,
    #[cfg(feature = "tracing")]
    span: tracing::Span,
}

impl BatchCall {
    /// Starts a batch of this many calls. `operation` is `PIPELINE` or `MULTI`.
    pub(crate) fn start(operation: &'static str, calls: usize) -> Self {
        Self {
            #[cfg(feature = "metrics")]
            started: (calls > 0 && Traffic::is_counted()).then(|| (Instant::now(), calls)),
            #[cfg(feature = "tracing")]
            span: batch_span(operation, calls),
        }
    }

    /// Runs a future in the span of the batch.
    pub(crate) fn within<F: Future>(&self, future: F) -> impl Future<Output = F::Output> + use<F> {
        #[cfg(feature = "tracing")]
        let future = tracing::Instrument::instrument(future, self.span.clone());
        future
    }

    /// Runs a function in the span of the batch.
    pub(crate) fn in_scope<T>(&self, run: impl FnOnce() -> T) -> T {
        #[cfg(feature = "tracing")]
        return self.span.in_scope(run);
        #[cfg(not(feature = "tracing"))]
        run()
    }

    /// Ends the batch with its error, if it has one as a whole.
    pub(crate) fn end(self, error: Option<&Error>) {
        #[cfg(feature = "tracing")]
        if let Some(error) = error {
            record_error(&self.span, error);
        }
    }
}

/// A batch is timed to its end, or until its future is dropped.
#[cfg(feature = "metrics")]
impl Drop for BatchCall {
    fn drop(&mut self) {
        if let Some((started, calls)) = self.started {
            handles::batch(started.elapsed(), calls);
        }
    }
}

#[cfg(feature = "tracing")]
#[inline]
fn spans_are_enabled() -> bool {
    tracing::enabled!(target: TARGET, tracing::Level::TRACE)
}

// The fields have the names of OpenTelemetry's conventions for databases.

#[cfg(feature = "tracing")]
impl Accessor {
    #[inline]
    fn span(self, schema: &'static Schema) -> tracing::Span {
        if self.is_step() || !spans_are_enabled() {
            return tracing::Span::none();
        }
        tracing::trace_span!(
            target: TARGET,
            "redis",
            "otel.name" = format_args!("{} {}", self.name(), schema.template),
            "otel.kind" = "client",
            "otel.status_code" = tracing::field::Empty,
            "db.system.name" = "redis",
            "db.operation.name" = self.name(),
            "db.collection.name" = schema.template,
            "db.response.status_code" = tracing::field::Empty,
            "error.type" = tracing::field::Empty,
            "server.address" = tracing::field::Empty,
            "server.port" = tracing::field::Empty,
        )
    }
}

#[cfg(feature = "tracing")]
fn batch_span(operation: &'static str, calls: usize) -> tracing::Span {
    if calls == 0 || !spans_are_enabled() {
        return tracing::Span::none();
    }
    tracing::trace_span!(
        target: TARGET,
        "redis",
        "otel.name" = operation,
        "otel.kind" = "client",
        "otel.status_code" = tracing::field::Empty,
        "db.system.name" = "redis",
        "db.operation.name" = operation,
        "db.operation.batch.size" = i64::try_from(calls).ok().filter(|calls| *calls > 1),
        "db.response.status_code" = tracing::field::Empty,
        "error.type" = tracing::field::Empty,
        "server.address" = tracing::field::Empty,
        "server.port" = tracing::field::Empty,
    )
}

#[cfg(feature = "tracing")]
#[cold]
fn record_error(span: &tracing::Span, error: &Error) {
    span.record("otel.status_code", "ERROR");
    span.record("error.type", tracing::field::debug(error.kind()));
    if let Some(code) = error.code() {
        span.record("db.response.status_code", code);
    }
}

/// Notes the server in the span of a command, if that is the current one.
#[cfg(feature = "aio")]
#[inline]
pub(crate) fn record_server(client: &redis::Client) {
    #[cfg(feature = "tracing")]
    if spans_are_enabled() {
        let span = tracing::Span::current();
        if span.metadata().is_some_and(|metadata| metadata.target() == TARGET)
            && let redis::ConnectionAddr::Tcp(host, port) | redis::ConnectionAddr::TcpTls { host, port, .. } =
                client.get_connection_info().addr()
        {
            span.record("server.address", host.as_str());
            span.record("server.port", i64::from(*port));
        }
    }
}

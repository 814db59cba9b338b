//! Calls of accessors: counted, timed and traced, labelled with the template of their declaration.
//!
//! A call is counted where its result is read: alone in `run::batch::read_first`, in a batch where its replies are
//! taken. Whoever runs it has a [`Call`] or a [`BatchCall`] meanwhile, which measures the time, is the span, and counts
//! what nobody has waited for to the end.

#[cfg(feature = "metrics")]
use std::time::Instant;

use redis::{Cmd, RedisResult, Value};
#[cfg(feature = "metrics")]
use redis_keys_core::metric::{Metric, MetricKind};

#[cfg(feature = "metrics")]
use crate::command::responses::is_reply;
#[cfg(feature = "metrics")]
use crate::command::table::words;
use crate::schema::Schema;
use crate::{Error, ErrorKind, Sent};

/// The target of spans.
#[cfg(feature = "tracing")]
const TARGET: &str = "redis_keys::command";

#[cfg(feature = "metrics")]
pub(super) const COMMANDS: Metric = Metric {
    name: "redis_keys_commands_total",
    kind: MetricKind::Counter,
    labels: &["template", "command", "outcome"],
    description: "Calls of accessors, by their outcome.",
};

#[cfg(feature = "metrics")]
pub(super) const REJECTED: Metric = Metric {
    name: "redis_keys_rejected_total",
    kind: MetricKind::Counter,
    labels: &["template", "rule"],
    description: "Calls that were rejected before anything was sent, by the rule that they break.",
};

#[cfg(feature = "metrics")]
pub(super) const SECONDS: Metric = Metric {
    name: "redis_keys_command_seconds",
    kind: MetricKind::Histogram,
    labels: &["template", "command"],
    description: "How long each call that was not part of a batch took, with all its retries.",
};

#[cfg(feature = "metrics")]
pub(super) const BATCH_SECONDS: Metric = Metric {
    name: "redis_keys_batch_seconds",
    kind: MetricKind::Histogram,
    labels: &[],
    description: "How long each batch or atomic group took.",
};

#[cfg(feature = "metrics")]
pub(super) const BATCH_COMMANDS: Metric = Metric {
    name: "redis_keys_batch_commands",
    kind: MetricKind::Histogram,
    labels: &[],
    description: "The number of calls in each batch or atomic group.",
};

#[cfg(feature = "metrics")]
pub(super) const SENT_BYTES: Metric = Metric {
    name: "redis_keys_sent_bytes_total",
    kind: MetricKind::Counter,
    labels: &["template"],
    description: "Bytes of the commands, as they are packed for the server.",
};

#[cfg(feature = "metrics")]
pub(super) const RECEIVED_BYTES: Metric = Metric {
    name: "redis_keys_received_bytes_total",
    kind: MetricKind::Counter,
    labels: &["template"],
    description: "Bytes of the texts and values in the replies.",
};

/// The families of all calls.
#[cfg(feature = "metrics")]
pub(super) const FAMILIES: [Metric; 7] =
    [COMMANDS, REJECTED, SECONDS, BATCH_SECONDS, BATCH_COMMANDS, SENT_BYTES, RECEIVED_BYTES];

/// The accessor that has built a command. Commands that are only steps of another call have none.
#[derive(Clone, Copy, Default)]
pub(crate) struct Accessor {
    #[cfg(any(feature = "metrics", feature = "tracing"))]
    name: &'static str,
}

impl Accessor {
    #[inline]
    pub(crate) const fn new(name: &'static str) -> Self {
        Self {
            #[cfg(any(feature = "metrics", feature = "tracing"))]
            name,
        }
    }

    /// Counts a call that was rejected before anything was sent.
    #[cold]
    pub(crate) fn rejected(self, error: &Error) {
        #[cfg(feature = "metrics")]
        if !self.name.is_empty() {
            super::metrics::call(self.name, error.schema(), Some(Outcome::Rejected), None, None);
            super::metrics::rejected(error);
        }
    }

    /// Counts a call whose result is known.
    #[inline]
    pub(crate) fn done(self, schema: &'static Schema, outcome: Outcome, traffic: &Traffic) {
        #[cfg(feature = "metrics")]
        super::metrics::call(self.name, schema, (!self.name.is_empty()).then_some(outcome), None, Some(traffic));
    }

    /// Counts a call of which nobody waited for the result.
    fn abandoned(self, schema: &'static Schema) {
        #[cfg(feature = "metrics")]
        if !self.name.is_empty() {
            super::metrics::call(self.name, schema, Some(Outcome::Unknown), None, None);
        }
    }
}

/// The outcome of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    Ok,
    /// A read that found nothing.
    Absent,
    /// Nothing was sent.
    Rejected,
    /// The server replied with an error or with something else than expected, or could not be reached.
    Failed,
    /// The command was sent, and there is no reply.
    Unknown,
}

impl Outcome {
    pub(super) const ALL: [Self; 5] = [Self::Ok, Self::Absent, Self::Rejected, Self::Failed, Self::Unknown];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Absent => "absent",
            Self::Rejected => "rejected",
            Self::Failed => "failed",
            Self::Unknown => "unknown",
        }
    }

    #[cold]
    pub(crate) fn of_error(error: &Error) -> Self {
        match (error.sent(), error.kind()) {
            (Sent::Maybe, _) => Self::Unknown,
            (Sent::No, ErrorKind::Connection | ErrorKind::Server) | (Sent::Yes, _) => Self::Failed,
            (Sent::No, _) => Self::Rejected,
        }
    }

    /// The outcome of commands that were run as one call, whose results say whether they found something.
    fn of_result<T>(result: &Result<T, Error>, is_absent: fn(&T) -> bool) -> Self {
        match result {
            Ok(result) if is_absent(result) => Self::Absent,
            Ok(_) => Self::Ok,
            Err(error) => Self::of_error(error),
        }
    }
}

/// What a call has sent and received. There is none if nobody counts.
#[derive(Default)]
pub(crate) struct Traffic {
    #[cfg(feature = "metrics")]
    pub(super) sent: u64,
    #[cfg(feature = "metrics")]
    pub(super) received: u64,
    /// Whether a reply has a value.
    #[cfg(feature = "metrics")]
    has_value: bool,
}

impl Traffic {
    #[inline]
    pub(crate) fn is_counted() -> bool {
        #[cfg(feature = "metrics")]
        return super::metrics::is_recorded();
        #[cfg(not(feature = "metrics"))]
        false
    }

    #[inline]
    pub(crate) fn sent(&mut self, cmd: &Cmd) {
        #[cfg(feature = "metrics")]
        {
            let (mut bytes, mut number) = (0, 0_usize);
            for word in words(cmd) {
                bytes += length_line(word.len()) + word.len() + 2;
                number += 1;
            }
            self.sent += (length_line(number) + bytes) as u64;
        }
    }

    #[inline]
    pub(crate) fn received(&mut self, reply: &Value) {
        #[cfg(feature = "metrics")]
        {
            self.received += bytes_of(reply) as u64;
            self.has_value |= has_value(reply);
        }
    }

    /// The outcome of a call that succeeded.
    #[inline]
    pub(crate) fn outcome(&self, reads: bool) -> Outcome {
        #[cfg(feature = "metrics")]
        if reads && !self.has_value {
            return Outcome::Absent;
        }
        Outcome::Ok
    }
}

/// The length of a line such as `$12\r\n`.
#[cfg(feature = "metrics")]
#[inline]
fn length_line(number: usize) -> usize {
    let digits = if number < 10 { 1 } else { number.ilog10() as usize + 1 };
    digits + 3
}

/// The length of all texts and values in a reply.
#[cfg(feature = "metrics")]
fn bytes_of(reply: &Value) -> usize {
    match reply {
        Value::BulkString(bytes) => bytes.len(),
        Value::Array(values) | Value::Set(values) => values.iter().map(bytes_of).sum(),
        Value::Map(pairs) => pairs.iter().map(|(name, value)| bytes_of(name) + bytes_of(value)).sum(),
        _ => 0,
    }
}

#[cfg(feature = "metrics")]
fn has_value(reply: &Value) -> bool {
    match reply {
        Value::Nil => false,
        Value::Array(values) | Value::Set(values) => values.iter().any(has_value),
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
    /// Whether a submission counts the call, which sends the command again.
    #[cfg(feature = "metrics")]
    is_handed_over: bool,
    /// The start of a call with an accessor, until its time is recorded.
    #[cfg(feature = "metrics")]
    started: Option<Instant>,
    #[cfg(feature = "tracing")]
    span: tracing::Span,
}

impl Call {
    #[inline]
    pub(crate) fn start(accessor: Accessor, schema: &'static Schema) -> Self {
        #[cfg(feature = "metrics")]
        let is_counted = super::metrics::is_recorded();
        Self {
            accessor,
            schema,
            #[cfg(feature = "metrics")]
            is_counted,
            #[cfg(feature = "metrics")]
            is_handed_over: false,
            #[cfg(feature = "metrics")]
            started: (is_counted && !accessor.name.is_empty()).then(Instant::now),
            #[cfg(feature = "tracing")]
            span: accessor.span(schema),
        }
    }

    /// Where to note what the command sends and receives, if that is counted.
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
            let time = self.started.take().map(|started| started.elapsed());
            let outcome = (!self.accessor.name.is_empty()).then_some(outcome);
            super::metrics::call(self.accessor.name, self.schema, outcome, time, traffic);
        }
    }

    /// Leaves the count to the submission that sends the command again, and returns the accessor for it.
    #[cold]
    pub(crate) fn hand_over(&mut self) -> Accessor {
        #[cfg(feature = "metrics")]
        {
            self.is_handed_over = true;
        }
        self.accessor
    }

    /// Ends the call.
    #[inline]
    pub(crate) fn end<T>(mut self, result: &Result<T, Error>) {
        #[cfg(feature = "metrics")]
        if let Some(started) = self.started.take() {
            super::metrics::call(self.accessor.name, self.schema, None, Some(started.elapsed()), None);
        }
        #[cfg(feature = "tracing")]
        if let Err(error) = result {
            record_error(&self.span, error);
        }
    }

    /// Ends a call without a key, such as the page of a scan, and counts it by its reply.
    pub(crate) fn end_with_reply(mut self, cmd: &Cmd, reply: &RedisResult<Value>) {
        #[cfg(feature = "metrics")]
        if !self.accessor.name.is_empty()
            && let Some(mut traffic) = self.traffic()
        {
            traffic.sent(cmd);
            reply.iter().for_each(|reply| traffic.received(reply));
            let outcome = match reply {
                Ok(Value::ServerError(_)) => Outcome::Failed,
                Ok(_) => Outcome::Ok,
                reply if is_reply(reply) => Outcome::Failed,
                _ => Outcome::Unknown,
            };
            self.settle(outcome, Some(&traffic));
        }
    }

    /// Ends a call that was run as several commands, and counts it by its result.
    pub(crate) fn end_as<T>(mut self, result: &Result<T, Error>, is_absent: fn(&T) -> bool) {
        match (Outcome::of_result(result, is_absent), result) {
            (Outcome::Rejected, Err(error)) => {
                self.accessor.rejected(error);
                #[cfg(feature = "metrics")]
                {
                    self.started = None;
                }
            }
            (outcome, _) => self.settle(outcome, None),
        }
        self.end(result);
    }
}

/// A call whose future is dropped has an outcome too, as with a time limit of the program.
#[cfg(feature = "metrics")]
impl Drop for Call {
    #[inline]
    fn drop(&mut self) {
        if self.started.is_some() && !self.is_handed_over {
            self.accessor.abandoned(self.schema);
        }
    }
}

/// The calls of a submission, until they are counted one by one.
#[derive(Default)]
pub(crate) struct OpenCalls {
    number: usize,
    #[cfg(feature = "metrics")]
    calls: Vec<(Accessor, &'static Schema)>,
}

impl OpenCalls {
    pub(crate) fn push(&mut self, accessor: Accessor, schema: &'static Schema) {
        self.number = self.number.saturating_add(1);
        #[cfg(feature = "metrics")]
        if Traffic::is_counted() {
            self.calls.push((accessor, schema));
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.number
    }

    /// The calls will be counted, or were not made.
    pub(crate) fn close(&mut self) {
        #[cfg(feature = "metrics")]
        self.calls.clear();
    }

    /// Counts the calls with this error, which none of them has caused.
    #[cold]
    pub(crate) fn close_as(&mut self, error: &Error) {
        #[cfg(feature = "metrics")]
        for (accessor, schema) in self.calls.drain(..) {
            accessor.done(schema, Outcome::of_error(error), &Traffic::default());
        }
    }
}

#[cfg(feature = "metrics")]
impl Drop for OpenCalls {
    fn drop(&mut self) {
        for (accessor, schema) in self.calls.drain(..) {
            accessor.abandoned(schema);
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
        #[cfg(feature = "metrics")]
        if let Some((started, calls)) = self.started {
            super::metrics::batch(started.elapsed(), calls);
        }
        #[cfg(feature = "tracing")]
        if let Some(error) = error {
            record_error(&self.span, error);
        }
    }
}

// The fields have the names of OpenTelemetry's conventions for databases.

#[cfg(feature = "tracing")]
impl Accessor {
    #[inline]
    fn span(self, schema: &'static Schema) -> tracing::Span {
        if self.name.is_empty() || !tracing::enabled!(target: TARGET, tracing::Level::TRACE) {
            return tracing::Span::none();
        }
        tracing::trace_span!(
            target: TARGET,
            "redis",
            "otel.name" = format_args!("{} {}", self.name, schema.template),
            "otel.kind" = "client",
            "otel.status_code" = tracing::field::Empty,
            "db.system.name" = "redis",
            "db.operation.name" = self.name,
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
    if calls == 0 || !tracing::enabled!(target: TARGET, tracing::Level::TRACE) {
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
        "db.operation.batch.size" = calls,
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
#[cfg(all(feature = "aio", feature = "tracing"))]
pub(crate) fn record_server(address: Option<(&str, u16)>) {
    if !tracing::enabled!(target: TARGET, tracing::Level::TRACE) {
        return;
    }
    let span = tracing::Span::current();
    if let Some((host, port)) = address
        && span.metadata().is_some_and(|metadata| metadata.target() == TARGET)
    {
        span.record("server.address", host);
        span.record("server.port", port);
    }
}

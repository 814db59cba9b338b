//! Spans of calls of accessors. Their fields have the names of OpenTelemetry's conventions for databases.

use tracing::field::Empty;
use tracing::{Instrument as _, Level};

use crate::Error;
use crate::accessor::Accessor;
use crate::schema::Schema;

/// The target of spans.
const TARGET: &str = "redis_keys::command";

/// The span of a call or of a batch, which is disabled where no subscriber wants it.
#[derive(Clone)]
pub(crate) struct Span(tracing::Span);

impl Span {
    #[inline]
    pub(crate) fn are_enabled() -> bool {
        tracing::enabled!(target: TARGET, Level::TRACE)
    }

    #[inline]
    pub(crate) fn none() -> Self {
        Self(tracing::Span::none())
    }

    #[inline]
    pub(crate) fn of_call(accessor: Accessor, schema: &'static Schema) -> Self {
        if accessor.is_step() || !Self::are_enabled() {
            return Self::none();
        }
        Self(tracing::trace_span!(
            target: TARGET,
            "redis",
            "otel.name" = format_args!("{} {}", accessor.name(), schema.template),
            "otel.kind" = "client",
            "otel.status_code" = Empty,
            "db.system.name" = "redis",
            "db.operation.name" = accessor.name(),
            "db.collection.name" = schema.template,
            "db.response.status_code" = Empty,
            "error.type" = Empty,
            "server.address" = Empty,
            "server.port" = Empty,
        ))
    }

    pub(crate) fn of_batch(operation: &'static str, calls: usize) -> Self {
        if calls == 0 || !Self::are_enabled() {
            return Self::none();
        }
        Self(tracing::trace_span!(
            target: TARGET,
            "redis",
            "otel.name" = operation,
            "otel.kind" = "client",
            "otel.status_code" = Empty,
            "db.system.name" = "redis",
            "db.operation.name" = operation,
            "db.operation.batch.size" = i64::try_from(calls).ok().filter(|calls| *calls > 1),
            "db.response.status_code" = Empty,
            "error.type" = Empty,
            "server.address" = Empty,
            "server.port" = Empty,
        ))
    }

    /// Runs a future in the span.
    #[inline]
    pub(crate) fn within<F: Future>(&self, future: F) -> impl Future<Output = F::Output> + use<F> {
        self.clone().instrument(future)
    }

    #[inline]
    pub(crate) fn instrument<F: Future>(self, future: F) -> impl Future<Output = F::Output> + use<F> {
        future.instrument(self.0)
    }

    /// Runs a function in the span.
    #[inline]
    pub(crate) fn in_scope<T>(&self, run: impl FnOnce() -> T) -> T {
        self.0.in_scope(run)
    }

    /// Notes the error of a call.
    #[inline]
    pub(crate) fn note(&self, error: Option<&Error>) {
        if let Some(error) = error {
            record_error(&self.0, error);
        }
    }
}

#[cold]
fn record_error(span: &tracing::Span, error: &Error) {
    span.record("otel.status_code", "ERROR");
    span.record("error.type", tracing::field::debug(error.kind()));
    if let Some(code) = error.code() {
        span.record("db.response.status_code", code);
    }
}

/// Notes the server in the span of a command, if that span is current.
#[inline]
pub(crate) fn record_server(client: &redis::Client) {
    if Span::are_enabled() {
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

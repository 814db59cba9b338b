//! The layer that applies a rate limit to a web service's requests.

use std::future::Future;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::task::{Context, Poll};
use std::time::Duration;
use std::{fmt, mem};

use http::header::{HeaderName, RETRY_AFTER};
use http::{HeaderMap, HeaderValue, Request, Response, StatusCode};
use tower_layer::Layer;
use tower_service::Service;

use super::decision::Rate;
use super::local::LocalLimits;
use super::{Decision, LimitKey};
use crate::counters::Table as _;
use crate::observe::limit::{self as observe, Counter};
use crate::run::breaker::Breaker;
use crate::run::time_limit::TimeLimit;
use crate::schema::{LimitOptions, Role, Schema};
use crate::{Command, Error, ErrorKind, Key, SharedConnection};

/// The default time that a request waits for the server.
const TIME_LIMIT: Duration = Duration::from_millis(100);

/// Applies a rate limit to requests, in axum and other services of tower.
///
/// Your closure returns the key of a request, which decides who is limited. Requests for which it returns `None` are
/// not limited.
///
/// ```
/// use axum::{Router, extract::Request, routing::get};
/// use redis_keys::{Connection, limit::LimitLayer, prelude::*};
///
/// /// The requests of a user.
/// #[derive(RedisKey)]
/// #[redis_key(rate:requests:{user_id}:string, limit(100 / 1m, burst = 20))]
/// struct Requests { user_id: u64 }
///
/// fn routes(con: Connection) -> Router {
///     let limit = LimitLayer::new(con, |request: &Request| {
///         // A layer outside of this one has authenticated the user.
///         let user_id = *request.extensions().get::<u64>()?;
///         Some(Requests { user_id })
///     });
///     Router::new().route("/", get(|| async { "hello" })).layer(limit)
/// }
/// ```
///
/// | request | response |
/// |---|---|
/// | allowed | the service's response, with the headers `RateLimit-Policy` and `RateLimit` |
/// | refused | `429 Too Many Requests`, with these headers and `Retry-After` |
/// | the closure returns `None` | the service's response |
/// | a parameter of the key is invalid, for example text with a space | `400 Bad Request`, so that it does not get around the limit |
/// | Redis fails, or does not reply in time | as this process decides; `503 Service Unavailable` if it [fails closed](Self::fail_closed) |
///
/// The headers follow the [draft of the IETF][draft]. For example, `RateLimit-Policy: "default";q=100;w=60` and
/// `RateLimit: "default";r=19;t=1` mean: 100 requests in 60 seconds; 19 are allowed now, and one more after one second.
/// The layer keeps such headers if the response already has some, so that several layers can limit the same request.
///
/// The layer runs on tokio, whose timers must be enabled.
///
/// # While Redis fails
///
/// The layer, together with its clones, then applies the same limit by itself: to each of up to 10,000 keys separately,
/// and to all other keys together. The requests that it has allowed count when the server fails again.
///
/// After five faults in a row, nothing is sent, so that your requests do not wait; one request per second tries the
/// server again. A fault is a request without a reply. Requests in flight at the same time count as one fault, for
/// example when a connection is lost.
///
/// [draft]: https://datatracker.ietf.org/doc/draft-ietf-httpapi-ratelimit-headers/
#[derive(Clone)]
pub struct LimitLayer<C, F> {
    key: F,
    limiter: Limiter<C>,
}

impl<C, F> LimitLayer<C, F>
where
    C: SharedConnection,
{
    /// Creates a layer from a connection, which is cloned for each request, and a closure that returns a request's key.
    pub fn new<B, K>(con: C, key: F) -> Self
    where
        F: Fn(&Request<B>) -> Option<K>,
        K: LimitKey,
    {
        let limiter = Limiter {
            con,
            time_limit: TimeLimit::new(TIME_LIMIT),
            fails_closed: false,
            policy: "default".into(),
            shared: Arc::default(),
        };
        Self { key, limiter }
    }

    /// Sets how long a request waits for the server. The default is 100 milliseconds.
    pub fn with_time_limit(mut self, time_limit: Duration) -> Self {
        self.limiter.time_limit = TimeLimit::new(time_limit);
        self
    }

    /// Sets the name of the policy in the headers. The default is `default`.
    ///
    /// If several layers limit the same requests, give each a different name. Quotes, backslashes and all characters
    /// outside printable ASCII are left out.
    pub fn with_policy(mut self, name: &str) -> Self {
        self.limiter.policy = policy_name(name);
        self
    }

    /// Refuses requests with `503 Service Unavailable` if Redis does not decide.
    ///
    /// Without it, this process decides.
    pub fn fail_closed(mut self) -> Self {
        self.limiter.fails_closed = true;
        self
    }
}

impl<S, C, F> Layer<S> for LimitLayer<C, F>
where
    C: Clone,
    F: Clone,
{
    type Service = LimitService<S, C, F>;

    fn layer(&self, inner: S) -> Self::Service {
        LimitService { inner, key: self.key.clone(), limiter: self.limiter.clone() }
    }
}

/// The service that a [`LimitLayer`] creates.
#[derive(Clone)]
pub struct LimitService<S, C, F> {
    inner: S,
    key: F,
    limiter: Limiter<C>,
}

impl<S, C, F, K, B, R> Service<Request<B>> for LimitService<S, C, F>
where
    S: Service<Request<B>, Response = Response<R>> + Clone + Send + 'static,
    S::Future: Send,
    C: SharedConnection,
    F: Fn(&Request<B>) -> Option<K>,
    K: LimitKey,
    B: Send + 'static,
    R: Default,
{
    type Response = Response<R>;
    type Error = S::Error;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, Self::Error>> + Send>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        self.inner.poll_ready(context)
    }

    fn call(&mut self, request: Request<B>) -> Self::Future {
        // This service is ready, but its clone may not be.
        let clone = self.inner.clone();
        let mut inner = mem::replace(&mut self.inner, clone);
        let Some(key) = (self.key)(&request) else {
            return Box::pin(inner.call(request));
        };
        let (text, command, limiter) = (key.key(), key.take(1), self.limiter.clone());
        Box::pin(async move {
            let decision = match limiter.decide(text, command, K::SCHEMA).await {
                LimitOutcome::Decided(decision) => decision,
                LimitOutcome::InvalidKey => return Ok(empty(StatusCode::BAD_REQUEST)),
                LimitOutcome::Undecided => return Ok(empty(StatusCode::SERVICE_UNAVAILABLE)),
            };
            let mut response =
                if decision.allowed { inner.call(request).await? } else { empty(StatusCode::TOO_MANY_REQUESTS) };
            add_headers(response.headers_mut(), &limiter.policy, K::SCHEMA, decision);
            Ok(response)
        })
    }
}

fn empty<R: Default>(status: StatusCode) -> Response<R> {
    let mut response = Response::new(R::default());
    *response.status_mut() = status;
    response
}

/// Decides on requests.
#[derive(Clone)]
struct Limiter<C> {
    con: C,
    time_limit: TimeLimit,
    fails_closed: bool,
    /// The name of the policy in the headers.
    policy: Arc<str>,
    shared: Arc<SharedState>,
}

/// The state that the clones of a layer and its services share.
#[derive(Default)]
struct SharedState {
    breaker: Breaker,
    /// The limits that apply while the server does not decide.
    local: LocalLimits,
    /// Whether the last reply was an error.
    has_errors: AtomicBool,
}

enum LimitOutcome {
    Decided(Decision),
    /// A parameter of the key breaks a rule.
    InvalidKey,
    /// The server does not decide, and the layer fails closed.
    Undecided,
}

impl<C: SharedConnection> Limiter<C> {
    async fn decide(
        &self,
        key: Result<Key, Error>,
        command: Command<Decision>,
        schema: &'static Schema,
    ) -> LimitOutcome {
        let report = |counter: Counter| counter.report(schema);
        let Ok(key) = key else {
            report(Counter::InvalidKey);
            return LimitOutcome::InvalidKey;
        };
        if let Some(decision) = self.ask(command, schema).await {
            report(if decision.allowed { Counter::Allowed } else { Counter::Refused });
            return LimitOutcome::Decided(decision);
        }
        report(Counter::Undecided);
        if self.fails_closed {
            return LimitOutcome::Undecided;
        }
        LimitOutcome::Decided(self.shared.local.take(key, Rate::of(schema)))
    }

    /// Asks the server for its decision; `None` if it replies with an error, or not in time.
    async fn ask(&self, command: Command<Decision>, schema: &'static Schema) -> Option<Decision> {
        let breaker = &self.shared.breaker;
        let attempt = breaker.begin()?;
        let mut con = self.con.clone();
        let reply = pin!(command.query_async(&mut con));
        let error = match Counter::timed(schema, self.time_limit.run(reply)).await {
            Some(Err(error)) if error.kind() != ErrorKind::Connection => Some(error),
            Some(Ok(decision)) => {
                self.answered();
                if self.shared.has_errors.swap(false, Relaxed) {
                    observe::errors_ended();
                }
                return Some(decision);
            }
            None | Some(Err(_)) => None,
        };
        match error {
            Some(error) => {
                self.answered();
                // Reported once for all requests with the same error: a full server refuses each of them.
                if !self.shared.has_errors.swap(true, Relaxed) {
                    observe::server_error(error.kind(), schema);
                }
            }
            None if breaker.failed(attempt) => observe::breaker_opened(),
            None => {}
        }
        None
    }

    fn answered(&self) {
        if self.shared.breaker.answered() {
            observe::breaker_closed();
        }
    }
}

const POLICY: HeaderName = HeaderName::from_static("ratelimit-policy");

const LIMIT: HeaderName = HeaderName::from_static("ratelimit");

/// Adds the headers of a response to a limited request, as the IETF has drafted them:
/// <https://datatracker.ietf.org/doc/draft-ietf-httpapi-ratelimit-headers/10/>.
///
/// A response can already have the headers of other limits.
fn add_headers(headers: &mut HeaderMap, policy: &str, schema: &'static Schema, decision: Decision) {
    let Some(Role::Limit(options)) = schema.role else { return };
    let (quota, window) = quota(options);
    append(headers, POLICY, format_args!("\"{policy}\";q={quota};w={window}"));
    // "The time until additional quota is made available", which is never later than `Retry-After`.
    let more = seconds(decision.retry_after.unwrap_or_else(|| Rate::of(schema).until_more(decision)));
    append(headers, LIMIT, format_args!("\"{policy}\";r={};t={more}", decision.remaining));
    if !decision.allowed {
        headers.insert(RETRY_AFTER, more.into());
    }
}

fn append(headers: &mut HeaderMap, name: HeaderName, value: fmt::Arguments<'_>) {
    // The policy's name is printable ASCII, and so is the rest.
    if let Ok(value) = HeaderValue::try_from(value.to_string()) {
        headers.append(name, value);
    }
}

/// Returns a policy's name without the characters that a header must escape or cannot contain.
fn policy_name(name: &str) -> Arc<str> {
    let is_plain = |c: &char| (' '..='~').contains(c) && !['"', '\\'].contains(c);
    name.chars().filter(is_plain).collect::<String>().into()
}

/// Returns how many are allowed in how many seconds. Headers use whole seconds, so the numbers of a shorter period are
/// scaled up.
fn quota(LimitOptions { count, per, .. }: LimitOptions) -> (u128, u64) {
    let window = seconds(per);
    let quota = u128::from(count).saturating_mul(1000).saturating_mul(window.into()).checked_div(per.as_millis());
    (quota.unwrap_or_default(), window)
}

/// Whole seconds, rounded up, at least one.
fn seconds(time: Duration) -> u64 {
    time.as_secs().saturating_add(u64::from(time.subsec_nanos() > 0)).max(1)
}

//! The layer that applies a rate limit to the requests of a web service.

use std::{
    future::Future,
    mem,
    pin::{Pin, pin},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
    task::{Context, Poll},
    time::Duration,
};

use http::{Request, Response, StatusCode};
use tower_layer::Layer;
use tower_service::Service;

use super::{
    Decision, LimitKey, headers,
    report::{self, Counters, Event},
};
use crate::{
    Command, ErrorKind, SharedConnection,
    command::State,
    run::{breaker::Breaker, time_limit::within},
    schema::Schema,
};

/// How long a request waits for the server.
const TIME_LIMIT: Duration = Duration::from_millis(100);

/// Applies a rate limit to requests, in axum and other services of tower.
///
/// A closure returns the key of a request: who is limited. Requests for which it returns `None` are not limited.
///
/// ```
/// use axum::{Router, extract::Request, routing::get};
/// use redis_keys::{limit::LimitLayer, prelude::*, redis::aio::ConnectionManager};
///
/// /// The requests of a user.
/// #[derive(RedisKey)]
/// #[redis_key(rate:requests:{user_id}:string, limit = 100 / 1m, burst = 20)]
/// struct Requests { user_id: u64 }
///
/// fn routes(con: ConnectionManager) -> Router {
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
/// | allowed | that of the service, with the headers `RateLimit-Policy` and `RateLimit` |
/// | refused | `429 Too Many Requests`, with these headers and `Retry-After` |
/// | the closure returns `None` | that of the service |
/// | a parameter of the key is invalid, such as text with a space | `400 Bad Request`: it must not get around the limit |
/// | Redis fails, or does not reply in time | that of the service; `503 Service Unavailable` if it [fails closed](Self::fail_closed) |
///
/// `RateLimit-Policy: "default";q=100;w=60` and `RateLimit: "default";r=19;t=1` are those of the [draft of the IETF][draft]: 100
/// requests in 60 seconds; 19 are allowed now, and one more after one second. Both are added to those that the response already
/// has, so that several layers can limit the same request.
///
/// It runs on tokio, whose timers must be enabled.
///
/// After five requests in a row without a reply nothing is sent, so that requests do not wait, and one request a second tries again.
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
    /// Creates a layer with a connection, which is cloned for each request, and the key of a request.
    pub fn new<B, K>(con: C, key: F) -> Self
    where
        F: Fn(&Request<B>) -> Option<K>,
        K: LimitKey,
    {
        let limiter = Limiter {
            con,
            time_limit: TIME_LIMIT,
            fails_closed: false,
            policy: "default".into(),
            shared: Arc::default(),
        };
        Self { key, limiter }
    }

    /// Sets how long a request waits for the server; 100 milliseconds if it is not set.
    pub fn with_time_limit(mut self, time_limit: Duration) -> Self {
        self.limiter.time_limit = time_limit;
        self
    }

    /// Sets the name of the policy in the headers; `default` if it is not set. Layers that limit the same requests need different
    /// names.
    ///
    /// Characters other than printable ASCII, quotes and backslashes are left out.
    pub fn with_policy(mut self, name: &str) -> Self {
        self.limiter.policy = headers::policy_name(name);
        self
    }

    /// Refuses requests that cannot be decided on, with `503 Service Unavailable`, instead of letting them pass.
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

/// The service of a [`LimitLayer`].
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
        // This one is ready, and its clone need not be.
        let clone = self.inner.clone();
        let mut inner = mem::replace(&mut self.inner, clone);
        let Some(key) = (self.key)(&request) else {
            return Box::pin(inner.call(request));
        };
        let (command, limiter) = (key.take(1), self.limiter.clone());
        Box::pin(async move {
            let decision = match limiter.decide(command, K::SCHEMA).await {
                Outcome::Decided(decision) => decision,
                Outcome::InvalidKey => return Ok(empty(StatusCode::BAD_REQUEST)),
                Outcome::Undecided if limiter.fails_closed => return Ok(empty(StatusCode::SERVICE_UNAVAILABLE)),
                Outcome::Undecided => return inner.call(request).await,
            };
            let mut response =
                if decision.allowed { inner.call(request).await? } else { empty(StatusCode::TOO_MANY_REQUESTS) };
            headers::add(response.headers_mut(), &limiter.policy, K::SCHEMA, decision);
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
    time_limit: Duration,
    fails_closed: bool,
    /// The name of the policy in the headers.
    policy: Arc<str>,
    shared: Arc<Shared>,
}

/// What the clones of a layer and its services share.
#[derive(Default)]
struct Shared {
    breaker: Breaker,
    /// Whether the last reply was an error.
    has_errors: AtomicBool,
    counters: Counters,
}

enum Outcome {
    Decided(Decision),
    /// A parameter of the key breaks a rule.
    InvalidKey,
    /// The server has replied with an error, or not in time.
    Undecided,
}

impl<C: SharedConnection> Limiter<C> {
    async fn decide(&self, command: Command<Decision>, schema: &'static Schema) -> Outcome {
        let outcome = self.ask(command, schema).await;
        let event = match &outcome {
            Outcome::Decided(decision) if decision.allowed => Event::Allowed,
            Outcome::Decided(_) => Event::Refused,
            Outcome::InvalidKey => Event::InvalidKey,
            Outcome::Undecided => Event::Undecided,
        };
        self.shared.counters.count(event, schema);
        outcome
    }

    async fn ask(&self, command: Command<Decision>, schema: &'static Schema) -> Outcome {
        if matches!(command.state, State::Refused(_)) {
            return Outcome::InvalidKey;
        }
        let Shared { breaker, counters, .. } = &*self.shared;
        if !breaker.allows() {
            return Outcome::Undecided;
        }
        let mut con = self.con.clone();
        let reply = pin!(command.query_async(&mut con));
        let error = match counters.timed(schema, within(self.time_limit, reply)).await {
            Some(Err(error)) if error.kind() != ErrorKind::Connection => Some(error),
            Some(Ok(decision)) => {
                self.answered();
                if self.shared.has_errors.swap(false, Relaxed) {
                    report::errors_ended();
                }
                return Outcome::Decided(decision);
            }
            None | Some(Err(_)) => None,
        };
        match error {
            Some(error) => {
                self.answered();
                // Once for all requests that meet the same error: a full server refuses each of them.
                if !self.shared.has_errors.swap(true, Relaxed) {
                    report::server_error(error.kind(), schema);
                }
            }
            None if breaker.failed() => report::breaker_opened(),
            None => {}
        }
        Outcome::Undecided
    }

    fn answered(&self) {
        if self.shared.breaker.answered() {
            report::breaker_closed();
        }
    }
}

//! A visit: the browser's cookies, and what every page shows of them.

use std::sync::Arc;
use std::time::Instant;

use axum::extract::{FromRequestParts, Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, header};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use redis_keys::bucket::Day;
use redis_keys::prelude::*;

use crate::app::{self, App};
use crate::failure::Failure;
use crate::keys::{Cart, FEATURES, Features, Session, SignedIn, Visitors};
use crate::pages::Frame;
use crate::trace::Trace;

/// The cookies of a browser.
#[derive(Clone, Debug)]
struct Cookies {
    visitor: String,
    session: Option<String>,
}

/// A request for a page. Its extractor reads in one round trip what every page shows.
#[derive(Debug)]
pub(crate) struct Visit {
    pub(crate) visitor: String,
    /// The token of the session, whether or not there is one.
    pub(crate) session: Option<String>,
    pub(crate) frame: Frame,
}

impl Visit {
    /// Fails if Redis cannot be reached, for what does not work without it.
    pub(crate) fn needs_redis(&self) -> Result<(), Failure> {
        if self.frame.is_away { Err(Failure::Unavailable) } else { Ok(()) }
    }

    /// Returns the customer, for pages that are not for others.
    pub(crate) fn signed_in(&self) -> Result<&SignedIn, Failure> {
        self.needs_redis()?;
        self.frame.signed_in.as_ref().ok_or(Failure::SignedOut)
    }

    pub(crate) fn cart(&self) -> Cart<'_> {
        Cart { visitor: &self.visitor }
    }
}

impl FromRequestParts<Arc<App>> for Visit {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Failure> {
        let Cookies { visitor, session } = parts.extensions.get().cloned().ok_or(Failure::Internal)?;
        let commands = batch((
            batch_iter(session.iter().map(|token| Session { token }.load())),
            Cart { visitor: &visitor }.hlen(),
            Features.smismember(FEATURES),
            Visitors { day: Day::now() }.pfadd(&visitor),
        ));
        let (sessions, in_cart, switches, _) = commands.query_each_async(&mut app.quick.clone()).await;
        let switches = switches.unwrap_or_default();
        let frame = Frame {
            is_away: in_cart.is_err(),
            in_cart: in_cart.unwrap_or_default(),
            // A session that does not decrypt, since the keys have changed, is none.
            signed_in: sessions.into_iter().find_map(|session| session.ok().flatten()),
            features: FEATURES
                .into_iter()
                .zip(switches)
                .filter_map(|(feature, is_on)| is_on.then_some(feature))
                .collect(),
        };
        Ok(Self { visitor, session, frame })
    }
}

/// Gives each browser a cookie, and keeps what each request sends to Redis.
pub(crate) async fn around(State(app): State<Arc<App>>, mut request: Request, next: Next) -> Response {
    let visitor = cookie(request.headers(), "visitor");
    let is_new = visitor.is_none();
    let Some(visitor) = visitor.or_else(|| random().ok()) else {
        return Failure::Internal.into_response();
    };
    let session = cookie(request.headers(), "session");
    request.extensions_mut().insert(Cookies { visitor: visitor.clone(), session });
    let (line, started) = (format!("{} {}", request.method(), request.uri().path()), Instant::now());

    let (mut response, sent) = Trace::of(next.run(request)).await;

    if is_new {
        set_cookie(&mut response, "visitor", &visitor, 365);
    }
    if line != "GET /redis" {
        let (status, took) = (response.status().as_u16(), started.elapsed());
        app.keep(app::Request { visitor, line, status, took, sent });
    }
    response
}

/// A cookie of this shop: 32 hexadecimal digits. Others are ignored.
fn cookie(headers: &HeaderMap, name: &str) -> Option<String> {
    let cookies = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    cookies
        .flat_map(|value| value.split("; "))
        .filter_map(|cookie| cookie.split_once('='))
        .find(|(found, value)| {
            *found == name && value.len() == 32 && value.bytes().all(|byte| byte.is_ascii_hexdigit())
        })
        .map(|(_, value)| value.to_owned())
}

/// Sets a cookie that scripts cannot read, and that other sites do not send along with their forms. With HTTPS it would
/// have `Secure` as well.
pub(crate) fn set_cookie(response: &mut Response, name: &str, value: &str, days: u32) {
    let seconds = days * 24 * 60 * 60;
    let cookie = format!("{name}={value}; HttpOnly; SameSite=Lax; Path=/; Max-Age={seconds}");
    if let Ok(cookie) = HeaderValue::from_str(&cookie) {
        response.headers_mut().append(header::SET_COOKIE, cookie);
    }
}

/// Returns 128 random bits in hexadecimal digits.
pub(crate) fn random() -> Result<String, Failure> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes)?;
    Ok(format!("{:032x}", u128::from_be_bytes(bytes)))
}

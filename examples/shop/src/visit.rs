//! A visit: the browser's cookies, and what every page shows of them.

use std::sync::Arc;
use std::time::Instant;

use axum::extract::{FromRequestParts, Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, Method, header};
use axum::middleware::Next;
use axum::response::{AppendHeaders, IntoResponse as _, Response};
use redis_keys::parameter::bucket::Day;
use redis_keys::prelude::*;

use crate::app::{self, App};
use crate::failure::{Failure, Result};
use crate::keys::{Cart, CartForm, FEATURES, Features, Session, SignedIn, Visitors};
use crate::pages::{Frame, explain};
use crate::trace::trace;

/// A request for a page.
#[derive(Clone)]
pub(crate) struct Visit {
    pub(crate) app: Arc<App>,
    /// The cookie of the browser, which may be new.
    pub(crate) visitor: String,
    /// The session's cookie, also if the session has ended.
    pub(crate) session: Option<String>,
    pub(crate) frame: Frame,
}

impl Visit {
    /// Reads in one round trip what every page shows.
    async fn read(app: Arc<App>, visitor: String, session: Option<String>) -> Self {
        let commands = batch((
            batch_iter(session.iter().map(|token| Session { token }.load())),
            Cart { visitor: &visitor }.hlen(),
            Features.smismember(FEATURES),
            // Half of the cookie, since the output of MONITOR shows it.
            Visitors { day: Day::now() }.pfadd(&visitor[..16]),
        ));
        let (sessions, in_cart, switches, _) = commands.run_each(&app.quick).await;
        let switches = FEATURES.into_iter().zip(switches.unwrap_or_default());
        let is_away = in_cart.is_err();
        // A session that does not decrypt, since the keys have changed, is none.
        let signed_in = sessions.into_iter().find_map(|session| session.ok().flatten());
        let frame = Frame {
            has_session: signed_in.is_some() || (is_away && session.is_some()),
            signed_in,
            is_away,
            in_cart: in_cart.unwrap_or_default(),
            features: switches.filter_map(|(feature, is_on)| is_on.then_some(feature)).collect(),
            words: String::new(),
        };
        Self { app, visitor, session, frame }
    }

    /// Fails if Redis cannot be reached, for what does not work without it.
    pub(crate) fn needs_redis(&self) -> Result<()> {
        if self.frame.is_away { Err(Failure::Unavailable) } else { Ok(()) }
    }

    /// Returns the customer, for pages that are not for others.
    pub(crate) fn signed_in(&self) -> Result<&SignedIn> {
        self.needs_redis()?;
        self.frame.signed_in.as_ref().ok_or(Failure::SignedOut)
    }

    pub(crate) fn cart(&self) -> Cart<'_> {
        Cart { visitor: &self.visitor }
    }

    pub(crate) fn cart_form(&self) -> CartForm<'_> {
        CartForm { visitor: &self.visitor }
    }
}

impl FromRequestParts<Arc<App>> for Visit {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, _: &Arc<App>) -> Result<Self> {
        parts.extensions.get().cloned().ok_or(Failure::Internal)
    }
}

/// Reads the visit, gives each browser a cookie, and keeps what each request sends to Redis.
pub(crate) async fn around(State(app): State<Arc<App>>, mut request: Request, next: Next) -> Response {
    // A form of another site gets no cookie of a visitor or a session.
    if request.method() == Method::POST && is_from_elsewhere(request.headers()) {
        return explain(Failure::OtherSite.into_response(), &Frame::default());
    }
    let known = cookie(request.headers(), "visitor");
    let Ok(visitor) = known.clone().map_or_else(random, Ok) else {
        return explain(Failure::Internal.into_response(), &Frame::default());
    };
    let session = cookie(request.headers(), "session");
    let (line, started) = (format!("{} {}", request.method(), request.uri().path()), Instant::now());

    let (visit, shared) = trace(Visit::read(Arc::clone(&app), visitor.clone(), session)).await;
    let (frame, has_session) = (visit.frame.clone(), visit.session.is_some());
    request.extensions_mut().insert(visit);
    let (response, own) = trace(next.run(request)).await;

    let new = known.is_none().then(|| AppendHeaders([new_cookie("visitor", &visitor, 365)]));
    // After signing out, *back* shows nothing of the account.
    let store = has_session.then_some([(header::CACHE_CONTROL, "no-store")]);
    if line != "GET /redis" {
        let (status, took) = (response.status().as_u16(), started.elapsed());
        app.keep(app::Request { visitor, line, status, took, shared, own });
    }
    (new, store, explain(response, &frame)).into_response()
}

/// Whether a form is of another site. Browsers from before 2023 may report its origin only.
fn is_from_elsewhere(headers: &HeaderMap) -> bool {
    let text = |name| headers.get(name).map(|value| value.to_str().unwrap_or_default());
    match (text("sec-fetch-site"), text("origin")) {
        (Some(site), _) => site != "same-origin",
        (None, Some(origin)) => origin.split_once("://").map(|(_, host)| host) != text("host"),
        (None, None) => false,
    }
}

/// A cookie of this shop: 32 hexadecimal digits. Others are ignored.
fn cookie(headers: &HeaderMap, name: &str) -> Option<String> {
    let lines = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    let cookies = lines.flat_map(|value| value.split("; "));
    let mut values = cookies.filter_map(|cookie| cookie.strip_prefix(name)?.strip_prefix('='));
    values.find(|value| value.len() == 32 && value.bytes().all(|byte| byte.is_ascii_hexdigit())).map(str::to_owned)
}

/// A header with a cookie that scripts cannot read, and that other sites do not send along with their forms. With HTTPS
/// it would have `Secure` as well.
pub(crate) fn new_cookie(name: &str, value: &str, days: u32) -> (HeaderName, String) {
    let seconds = days * 24 * 60 * 60;
    (header::SET_COOKIE, format!("{name}={value}; HttpOnly; SameSite=Lax; Path=/; Max-Age={seconds}"))
}

/// Returns 128 random bits in hexadecimal digits.
pub(crate) fn random() -> Result<String> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes)?;
    Ok(format!("{:032x}", u128::from_be_bytes(bytes)))
}

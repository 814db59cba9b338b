//! The pages: plain HTML that works without scripts. Only the list of orders has one, which shows changes at once.

mod account;
mod cart;
mod counter;
mod orders;
mod redis;
mod shelf;
mod stores;

use std::net::SocketAddr;
use std::sync::Arc;

use axum::Router;
use axum::extract::{ConnectInfo, Request};
use axum::http::{StatusCode, header};
use axum::middleware::{from_fn_with_state, map_response};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use maud::{DOCTYPE, Markup, html};
use metrics_exporter_prometheus::PrometheusHandle;
use redis_keys::limit::LimitLayer;

use crate::app::App;
use crate::failure::{Failure, Notice};
use crate::keys::{Feature, Searches, SignedIn};
use crate::visit::around;

pub(crate) fn routes(app: Arc<App>, metrics: PrometheusHandle) -> Router {
    let search = get(shelf::search).route_layer(LimitLayer::new(app.con.clone(), searches_of));
    Router::new()
        .route("/", get(shelf::first))
        .route("/search", search)
        .route("/products/{product_id}", get(shelf::product))
        .route("/cart", get(cart::show).post(cart::add))
        .route("/cart/change/{product_id}", post(cart::change))
        .route("/cart/remove/{product_id}", post(cart::remove))
        .route("/sign-in", get(account::sign_in_form).post(account::sign_in))
        .route("/sign-out", post(account::sign_out))
        .route("/account", get(account::show))
        .route("/account/newsletter", post(account::move_newsletter))
        .route("/orders", get(orders::list).post(orders::place))
        .route("/orders/live", get(orders::live))
        .route("/counter", get(counter::show))
        .route("/counter/price", post(counter::set_price))
        .route("/counter/feature", post(counter::switch))
        .route("/stores", get(stores::nearby))
        .route("/redis", get(redis::show))
        .fallback(async || Failure::NotFound)
        // Also around the page that is not found, unlike a `route_layer`.
        .layer(from_fn_with_state(Arc::clone(&app), around))
        .route("/icon.svg", get(async || text("image/svg+xml", include_str!("icon.svg"))))
        .route("/pictures.svg", get(async || text("image/svg+xml", include_str!("pictures.svg"))))
        .route("/style.css", get(async || text("text/css", include_str!("style.css"))))
        .route("/live.js", get(async || text("text/javascript", include_str!("live.js"))))
        .route("/metrics", get(async move || text("text/plain", metrics.render())))
        .layer(map_response(protect))
        .with_state(app)
}

/// Scripts and styles of other places, and those within a page, are not used.
async fn protect(response: Response) -> impl IntoResponse {
    let policy = "default-src 'self'; form-action 'self'; frame-ancestors 'none'";
    ([(header::CONTENT_SECURITY_POLICY, policy)], response)
}

fn text(media_type: &'static str, text: impl IntoResponse) -> impl IntoResponse {
    ([(header::CONTENT_TYPE, media_type)], text)
}

fn searches_of(request: &Request) -> Option<Searches> {
    let ConnectInfo(address) = request.extensions().get::<ConnectInfo<SocketAddr>>()?;
    Some(Searches { address: address.ip() })
}

/// Gives a page to failures and to refusals without one: of the limit, whose headers say when to come back, and of forms
/// that a browser would not send.
pub(crate) fn explain(mut response: Response, frame: &Frame) -> Response {
    let has_page =
        response.headers().get(header::CONTENT_TYPE).is_some_and(|it| it.as_bytes().starts_with(b"text/html"));
    let notice = response.extensions().get::<Notice>().copied();
    if notice.is_some() || (response.status().is_client_error() && !has_page) {
        let Notice(title, text) = notice.unwrap_or(match response.status() {
            StatusCode::TOO_MANY_REQUESTS => Notice("Too many searches", "Please try again in a few seconds."),
            _ => {
                Notice("Not understood", "Something is missing in this address or form, or is not what belongs there.")
            }
        });
        let content = html! { p.notice role="alert" { (text) } };
        let (head, body) = page(title, frame, &content).into_response().into_parts();
        response.headers_mut().extend(head.headers);
        *response.body_mut() = body;
    }
    response
}

/// The state that every page shows around its content.
#[derive(Clone, Debug, Default)]
pub(crate) struct Frame {
    pub(crate) signed_in: Option<SignedIn>,
    /// Whether the browser has a session as far as is known: without Redis it is the one of its cookie.
    pub(crate) has_session: bool,
    pub(crate) in_cart: u64,
    /// The features that are switched on.
    pub(crate) features: Vec<Feature>,
    /// Redis cannot be reached.
    pub(crate) is_away: bool,
    /// The words of this search.
    pub(crate) words: String,
}

fn page(title: &str, frame: &Frame, content: &Markup) -> Markup {
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (title) " · Kettle" }
                link rel="stylesheet" href="/style.css";
                link rel="icon" href="/icon.svg";
            }
            body {
                a.skip href="#content" { "Skip to content" }
                (head(frame))
                main #content {
                    @if frame.is_away {
                        p.notice role="status" {
                            "Carts, orders and signing in do not work right now, and come back in a moment. "
                            "You can still look at all products."
                        }
                    }
                    h1 { (title) }
                    (content)
                }
                footer {
                    a href="/redis" { "What Redis sees" }
                    a href="/counter" { "Behind the counter" }
                    a href="/metrics" { "Metrics" }
                    span { "An example of redis-keys: nothing is sold here." }
                }
            }
        }
    }
}

fn head(frame: &Frame) -> Markup {
    html! {
        header {
            a.brand href="/" { "Kettle" }
            form.search role="search" action="/search" {
                label.hidden for="words" { "Search" }
                input #words type="search" name="words" value=(frame.words)
                    placeholder="Search tea, cups, biscuits" maxlength="60";
                button { "Search" }
            }
            nav aria-label="Shop" {
                a href="/stores" { "Stores" }
                @if frame.has_session {
                    a href="/orders" { "Orders" }
                    a href="/account" { "Account" }
                } @else {
                    a href="/sign-in" { "Sign in" }
                }
                a href="/cart" { "Cart" @if frame.in_cart > 0 { " " span.badge { (frame.in_cart) } } }
            }
        }
    }
}

fn euros(cents: u64) -> String {
    format!("€ {}.{:02}", cents / 100, cents % 100)
}

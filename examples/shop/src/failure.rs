//! The reasons for which a request fails, and what their pages say.

use std::error::Error;

use axum::Extension;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Redirect, Response};
use redis_keys::ErrorKind;

pub(crate) type Result<T, E = Failure> = std::result::Result<T, E>;

/// The title and the text of a page, which `pages::explain` makes of a response.
#[derive(Clone, Copy)]
pub(crate) struct Notice(pub(crate) &'static str, pub(crate) &'static str);

pub(crate) enum Failure {
    NotFound,
    /// The page is for customers who are signed in.
    SignedOut,
    /// The cart has as many products as it can have.
    CartFull,
    /// A form of another site.
    OtherSite,
    /// Redis cannot be reached, or is busy.
    Unavailable,
    /// A mistake of the program, or of the database. It has been reported.
    Internal,
}

/// Reports any error. Those of Redis have pages of their own.
impl<E: Error + 'static> From<E> for Failure {
    fn from(error: E) -> Self {
        use ErrorKind::{CollectionSize, Connection, Contended, Server, TimedOut};
        eprintln!("{error}");
        let error: &(dyn Error + 'static) = &error;
        match error.downcast_ref::<redis_keys::Error>().map(redis_keys::Error::kind) {
            Some(Connection | Contended | Server | TimedOut) => Self::Unavailable,
            Some(CollectionSize) => Self::CartFull,
            _ => Self::Internal,
        }
    }
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        let (status, title, text) = match self {
            Self::SignedOut => return Redirect::to("/sign-in").into_response(),
            Self::NotFound => (StatusCode::NOT_FOUND, "Not found", "There is no such page."),
            Self::OtherSite => (StatusCode::FORBIDDEN, "Not accepted", "Please use the forms of this shop."),
            Self::CartFull => (StatusCode::CONFLICT, "Your cart is full", "Please order what is in it first."),
            Self::Unavailable => (
                StatusCode::SERVICE_UNAVAILABLE,
                "Back in a moment",
                "Carts, orders and signing in do not work right now. Nothing is lost: your cart and your orders are \
                 kept. You can still look at all products.",
            ),
            Self::Internal => (StatusCode::INTERNAL_SERVER_ERROR, "Our mistake", "Please try again in a moment."),
        };
        let retry = (status == StatusCode::SERVICE_UNAVAILABLE).then_some([(header::RETRY_AFTER, "5")]);
        (status, retry, Extension(Notice(title, text))).into_response()
    }
}

//! The reasons for which a request fails, and their pages.

use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Redirect, Response};
use redis_keys::cache::LoadError;
use redis_keys::{Error, ErrorKind};

use crate::database;
use crate::pages::{Frame, page};

#[derive(Debug)]
pub(crate) enum Failure {
    NotFound,
    /// The page is for customers who are signed in.
    SignedOut,
    /// The cart has as many products as it can have.
    CartFull,
    /// Redis cannot be reached, or is busy.
    Unavailable,
    /// A mistake of the program, or of the database. It has been reported.
    Internal,
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        eprintln!("{error}");
        match error.kind() {
            ErrorKind::Connection | ErrorKind::Contended | ErrorKind::Server | ErrorKind::TimedOut => Self::Unavailable,
            ErrorKind::CollectionSize => Self::CartFull,
            _ => Self::Internal,
        }
    }
}

impl From<database::Error> for Failure {
    fn from(error: database::Error) -> Self {
        eprintln!("{error}");
        Self::Internal
    }
}

impl From<LoadError<database::Error>> for Failure {
    fn from(error: LoadError<database::Error>) -> Self {
        eprintln!("{error}");
        Self::Internal
    }
}

impl From<getrandom::Error> for Failure {
    fn from(error: getrandom::Error) -> Self {
        eprintln!("no random numbers: {error}");
        Self::Internal
    }
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        let (status, title, text) = match self {
            Self::SignedOut => return Redirect::to("/sign-in").into_response(),
            Self::NotFound => (StatusCode::NOT_FOUND, "Not found", "There is no such page."),
            Self::CartFull => (StatusCode::CONFLICT, "Your cart is full", "Please order what is in it first."),
            Self::Unavailable => (
                StatusCode::SERVICE_UNAVAILABLE,
                "Back in a moment",
                "Carts, orders and signing in do not work right now. Nothing is lost: your cart and your orders are \
                 kept. You can look at all products meanwhile.",
            ),
            Self::Internal => {
                (StatusCode::INTERNAL_SERVER_ERROR, "Something went wrong", "This is our mistake. Please try again.")
            }
        };
        let body = page(title, &Frame::default(), &maud::html! { p.notice role="alert" { (text) } });
        let mut response = (status, body).into_response();
        if status == StatusCode::SERVICE_UNAVAILABLE {
            response.headers_mut().insert(header::RETRY_AFTER, header::HeaderValue::from_static("5"));
        }
        response
    }
}

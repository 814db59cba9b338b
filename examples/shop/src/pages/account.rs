//! Signing in and out, and the account.

use std::sync::Arc;

use axum::Form;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Redirect, Response};
use maud::{Markup, html};
use redis_keys::TakenOver;
use redis_keys::prelude::*;
use serde::Deserialize;

use super::{Frame, page};
use crate::app::App;
use crate::failure::Failure;
use crate::keys::{Newsletter, Session, SignIns, SignedIn};
use crate::password;
use crate::start::DEMO;
use crate::visit::{Visit, random, set_cookie};

#[derive(Deserialize)]
pub(crate) struct Credentials {
    email: String,
    password: String,
}

pub(crate) async fn sign_in_form(visit: Visit) -> Result<Markup, Failure> {
    visit.needs_redis()?;
    Ok(form(&visit.frame, None))
}

fn form(frame: &Frame, problem: Option<&str>) -> Markup {
    let content = html! {
        @if let Some(problem) = problem { p.notice role="alert" { (problem) } }
        form.stack method="post" action="/sign-in" {
            label for="email" { "Email address" }
            input #email type="email" name="email" autocomplete="username" maxlength="200" required;
            label for="password" { "Password" }
            input #password type="password" name="password" autocomplete="current-password" maxlength="200" required;
            button.primary { "Sign in" }
        }
        p.quiet { "The account of this example is " code { (DEMO.0) } " with the password " code { (DEMO.1) } "." }
    };
    page("Sign in", frame, &content)
}

pub(crate) async fn sign_in(
    State(app): State<Arc<App>>,
    visit: Visit,
    Form(Credentials { email, password }): Form<Credentials>,
) -> Result<Response, Failure> {
    visit.needs_redis()?;
    let mut con = app.con.clone();
    let email = email.trim().to_lowercase();
    if let Some(wait) = (SignIns { email: &email }).take(1).query_async(&mut con).await?.retry_after {
        let problem = format!("Too many attempts. Please try again in {} seconds.", wait.as_secs() + 1);
        return Ok((StatusCode::TOO_MANY_REQUESTS, form(&visit.frame, Some(&problem))).into_response());
    }
    let account = app.db.account(email).await?;
    let Some(account) = account else { return Ok(refuse(&visit.frame)) };
    if !password::is_right(password, account.password).await? {
        return Ok(refuse(&visit.frame));
    }
    // A new token for each session, so that one that was known before is worth nothing.
    let token = random()?;
    let signed_in = SignedIn { account_id: account.id, email: account.email };
    Session { token: &token }.store(&signed_in).query_async(&mut con).await?;
    let mut response = Redirect::to("/cart").into_response();
    set_cookie(&mut response, "session", &token, 7);
    Ok(response)
}

fn refuse(frame: &Frame) -> Response {
    let problem = "The email address or the password is wrong.";
    (StatusCode::FORBIDDEN, form(frame, Some(problem))).into_response()
}

pub(crate) async fn sign_out(State(app): State<Arc<App>>, visit: Visit) -> Result<Response, Failure> {
    if let Some(token) = &visit.session {
        Session { token }.unlink().query_async(&mut app.con.clone()).await?;
    }
    let mut response = Redirect::to("/").into_response();
    set_cookie(&mut response, "session", "", 0);
    Ok(response)
}

/// The account, with a choice that an earlier release has stored under another name.
pub(crate) async fn show(State(app): State<Arc<App>>, visit: Visit) -> Result<Markup, Failure> {
    let SignedIn { email, .. } = visit.signed_in()?;
    let (key, earlier) = (Newsletter { email }, Newsletter { email }.other_name());
    let names = (key.key()?, earlier.key()?);
    let (now, before) = batch((key.get(), earlier.get())).query_async(&mut app.con.clone()).await?;
    let content = html! {
        p.lead { "Signed in as " (email) "." }
        section {
            h2 { "Newsletter" }
            p { "You get it " strong { (now.as_deref().or(before.as_deref()).unwrap_or("never")) } "." }
            @if before.is_some() {
                p { "This is stored under the name of an earlier release, " code { (names.1.as_str()) } "." }
                form method="post" action="/account/newsletter" { button { "Move it to the name of the guideline" } }
            } @else if now.is_some() {
                p.quiet { "This is stored as " code { (names.0.as_str()) } "." }
            }
        }
        form method="post" action="/sign-out" { button { "Sign out" } }
    };
    Ok(page("Your account", &visit.frame, &content))
}

pub(crate) async fn move_newsletter(State(app): State<Arc<App>>, visit: Visit) -> Result<Redirect, Failure> {
    let SignedIn { email, .. } = visit.signed_in()?;
    let taken = Newsletter { email }.take_over().query_async(&mut app.con.clone()).await?;
    if taken == TakenOver::Both {
        eprintln!("a newsletter choice exists under both names: {}", Newsletter { email }.key()?);
    }
    Ok(Redirect::to("/account"))
}

//! Signing in and out, and the account.

use std::net::SocketAddr;

use axum::Form;
use axum::extract::ConnectInfo;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect, Response};
use maud::{Markup, html};
use redis_keys::prelude::*;
use serde::Deserialize;

use super::{Frame, page};
use crate::failure::Result;
use crate::keys::{Newsletter, Session, SignIns, SignedIn};
use crate::password;
use crate::start::DEMO;
use crate::visit::{Visit, new_cookie, random};

#[derive(Deserialize)]
pub(crate) struct Credentials {
    email: String,
    password: String,
}

pub(crate) async fn sign_in_form(visit: Visit) -> Result<Markup> {
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
        p.quiet { "The accounts of this example:" }
        ul.quiet { @for (email, password) in DEMO { li { code { (email) } " with the password " code { (password) } } } }
    };
    page("Sign in", frame, &content)
}

pub(crate) async fn sign_in(
    visit: Visit,
    ConnectInfo(address): ConnectInfo<SocketAddr>,
    Form(credentials): Form<Credentials>,
) -> Result<Response> {
    visit.needs_redis()?;
    let con = &visit.app.con;
    let email = credentials.email.trim().to_lowercase();
    let attempts = SignIns { email: &email, address: address.ip() };
    if let Some(wait) = attempts.take(1).run(con).await?.retry_after {
        let problem = format!("Too many attempts. Please try again in {} seconds.", wait.as_secs() + 1);
        return Ok((StatusCode::TOO_MANY_REQUESTS, form(&visit.frame, Some(&problem))).into_response());
    }
    let account = visit.app.db.account(&email)?;
    let stored = account.as_ref().map_or(password::OF_NO_ACCOUNT, |(_, stored)| stored);
    let is_right = password::is_right(&credentials.password, stored);
    let Some((account_id, _)) = account.filter(|_| is_right) else {
        let problem = "The email address or the password is wrong.";
        return Ok((StatusCode::FORBIDDEN, form(&visit.frame, Some(problem))).into_response());
    };
    // A new token for each session, so that one that was known before is worth nothing.
    let token = random()?;
    let earlier = batch_iter(visit.session.iter().map(|token| Session { token }.unlink()));
    batch((Session { token: &token }.store(&SignedIn { account_id, email }), earlier)).run(con).await?;
    // Redis decides when the session ends.
    Ok(([new_cookie("session", &token, 365)], Redirect::to("/cart")).into_response())
}

pub(crate) async fn sign_out(visit: Visit) -> Result<impl IntoResponse> {
    if let Some(token) = &visit.session {
        Session { token }.unlink().run(&visit.app.con).await?;
    }
    Ok(([new_cookie("session", "", 0)], Redirect::to("/")))
}

/// The account, with a choice that an earlier release has stored under another name.
pub(crate) async fn show(visit: Visit) -> Result<Markup> {
    let SignedIn { email, .. } = visit.signed_in()?;
    let (key, earlier) = (Newsletter { email }, Newsletter { email }.other_name());
    let (now, before) = batch((key.get(), earlier.get())).run(&visit.app.con).await?;
    let content = html! {
        p.lead { "Signed in as " (email) "." }
        section {
            h2 { "Newsletter" }
            @match now.as_deref().or(before.as_deref()) {
                Some(interval) => p { "You get it " strong { (interval) } "." },
                None => p { "You do not get it." },
            }
            @if before.is_some() {
                p { "This is stored under the name of an earlier release, " code { (earlier.key()?.as_str()) } "." }
                form method="post" action="/account/newsletter" { button { "Rename the key" } }
            } @else if now.is_some() {
                p.quiet { "This is stored as " code { (key.key()?.as_str()) } "." }
            }
        }
        form method="post" action="/sign-out" { button { "Sign out" } }
    };
    Ok(page("Your account", &visit.frame, &content))
}

pub(crate) async fn move_newsletter(visit: Visit) -> Result<Redirect> {
    let SignedIn { email, .. } = visit.signed_in()?;
    Newsletter { email }.take_over().run(&visit.app.con).await?;
    Ok(Redirect::to("/account"))
}

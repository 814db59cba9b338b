//! The orders of an account, and their changes.

use std::convert::Infallible;

use axum::Form;
use axum::http::StatusCode;
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse as _, Redirect, Response};
use futures_util::{Stream, StreamExt as _, future, stream};
use maud::{Markup, html};
use redis_keys::prelude::*;
use redis_keys::subscriber::{ChannelEvent, Subscriber};
use serde::Deserialize;

use super::{cart, euros, page};
use crate::database::OrderOutcome;
use crate::failure::{Failure, Result};
use crate::keys::{OrderChange, OrderChanges};
use crate::visit::Visit;
use crate::{orders, products};

#[derive(Deserialize)]
pub(crate) struct Order {
    form: String,
    /// The sum that the cart has shown.
    cents: u64,
    /// The products that the cart has shown, and how many of each.
    items: String,
}

pub(crate) async fn place(visit: Visit, Form(order): Form<Order>) -> Result<Response> {
    let account_id = visit.signed_in()?.account_id;
    let con = &visit.app.con;
    let items = cart::items(&visit).await?;
    if items.is_empty() {
        // The form was sent twice.
        return Ok(Redirect::to("/orders").into_response());
    }
    if visit.cart_form().get().run(con).await?.as_ref() != Some(&order.form) {
        // The form of an earlier cart, from another tab.
        return Ok(Redirect::to("/cart").into_response());
    }
    if cart::text_of(&items) != order.items {
        return Ok(refused(&visit, "Your cart has changed, perhaps in another tab. Please look at it again."));
    }
    let problem = match orders::place(&visit.app, account_id, &order.form, order.cents, items).await? {
        OrderOutcome::Order(order_id) => {
            // Products that were added later stay. If this fails, the cart has the form of an order that exists.
            let ordered = visit.app.db.ordered(order_id)?;
            let emptied = batch((visit.cart().hdel_many(&ordered), visit.cart_form().unlink()));
            let _ = emptied.run(con).await;
            return Ok(Redirect::to("/orders").into_response());
        }
        OrderOutcome::PriceChanged => "Prices have changed. Please look at your cart again.".to_owned(),
        OrderOutcome::TooFew { product_id } => {
            let product = products::product(&visit.app, product_id).await?.ok_or(Failure::NotFound)?;
            match product.stock {
                0 => format!("“{}” is sold out.", product.name),
                stock => format!("There are only {stock} of “{}” left.", product.name),
            }
        }
        OrderOutcome::LockLost => "Someone else was faster. Please try again.".to_owned(),
    };
    Ok(refused(&visit, &problem))
}

fn refused(visit: &Visit, problem: &str) -> Response {
    let content = html! { p.notice role="alert" { (problem) } p { a href="/cart" { "Back to your cart" } } };
    (StatusCode::CONFLICT, page("Not ordered", &visit.frame, &content)).into_response()
}

pub(crate) async fn list(visit: Visit) -> Result<Markup> {
    let orders = visit.app.db.orders(visit.signed_in()?.account_id)?;
    let content = html! {
        @if orders.is_empty() { p.lead { "You have not ordered anything yet." } }
        @else {
            p.lead { "An order is confirmed when it is paid, a few seconds after it was placed." }
            table {
                thead { tr { th { "Order" } th { "Products" } th.number { "Total" } } }
                tbody aria-live="polite" {
                    @for order in &orders {
                        tr {
                            td { (order.id) br; span.quiet { (order.placed_on) } }
                            td { (order.items) }
                            td.number {
                                (euros(order.cents)) br;
                                span.state #{ "order-" (order.id) } data-state=(order.state) { (order.state) }
                            }
                        }
                    }
                }
            }
        }
        script src="/live.js" defer {}
    };
    Ok(page("Your orders", &visit.frame, &content))
}

/// The states of all orders, and then each change, as server-sent events.
///
/// It subscribes before it reads, so that no change is missed, and goes on until the page is closed. Each open page is one subscription; a shop with many of
/// them would have one for all, and pass the changes on.
pub(crate) async fn live(visit: Visit) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>> {
    let account_id = visit.signed_in()?.account_id;
    let changes = Subscriber::connect(&visit.app.con.0, [OrderChanges { account_id }]).await?;
    let states = visit.app.db.orders(account_id)?.into_iter().map(|order| state(order.id, &order.state));
    let changes = changes.filter_map(|received| future::ready(event(received)));
    let events = stream::iter(states).chain(changes).take_until(visit.app.closing.clone()).map(Ok);
    Ok(Sse::new(events).keep_alive(KeepAlive::default()))
}

fn event(received: ChannelEvent<OrderChanges, OrderChange>) -> Option<Event> {
    match received {
        ChannelEvent::Message(_, OrderChange { order_id, state: now }) => Some(state(order_id, &now)),
        // Changes may be missing: the page reads all states again.
        ChannelEvent::Gap(_) | ChannelEvent::Dropped(_) => Some(Event::default().event("gap").data("")),
        _ => None,
    }
}

fn state(order_id: u64, state: &str) -> Event {
    Event::default().data(format!("{order_id} {state}"))
}

//! The cart.

use std::sync::Arc;

use axum::Form;
use axum::extract::State;
use axum::response::Redirect;
use maud::{Markup, html};
use redis_keys::prelude::*;
use serde::Deserialize;

use super::{euros, page};
use crate::app::App;
use crate::failure::Failure;
use crate::products;
use crate::visit::{Visit, random};

/// The largest number of a product that one form can add.
const MOST: u32 = 20;

#[derive(Deserialize)]
pub(crate) struct Added {
    product_id: u64,
    number: u32,
}

#[derive(Deserialize)]
pub(crate) struct Removed {
    product_id: u64,
}

pub(crate) async fn show(State(app): State<Arc<App>>, visit: Visit) -> Result<Markup, Failure> {
    let items = items(&app, &visit).await?;
    let products = products::products(&app, items.iter().map(|(id, _)| *id)).await?;
    let number_of =
        |id| items.iter().find(|(product_id, _)| *product_id == id).map_or(0, |(_, number)| u64::from(*number));
    let total = products.iter().map(|product| number_of(product.id) * product.cents).sum();
    let content = html! {
        @if products.is_empty() {
            p.lead { "Your cart is empty." }
        } @else {
            table {
                thead { tr { th { "Product" } th.number { "Number" } th.number { "Price" } th { span.hidden { "Remove" } } } }
                tbody {
                    @for product in &products {
                        tr {
                            td { a href={ "/products/" (product.id) } { (product.name) } }
                            td.number { (number_of(product.id)) }
                            td.number { (euros(number_of(product.id) * product.cents)) }
                            td.number {
                                form method="post" action="/cart/remove" {
                                    button name="product_id" value=(product.id) aria-label={ "Remove " (product.name) } { "Remove" }
                                }
                            }
                        }
                    }
                }
                tfoot { tr { th { "Total" } td {} td.number { (euros(total)) } td {} } }
            }
            @if visit.frame.signed_in.is_some() {
                form.row method="post" action="/orders" {
                    input type="hidden" name="form" value=(random()?);
                    button.primary { "Place the order" }
                }
            } @else {
                p { a href="/sign-in" { "Sign in" } " to place the order." }
            }
        }
    };
    Ok(page("Your cart", &visit.frame, &content))
}

pub(crate) async fn add(
    State(app): State<Arc<App>>,
    visit: Visit,
    Form(added): Form<Added>,
) -> Result<Redirect, Failure> {
    visit.needs_redis()?;
    let Added { product_id, number } = added;
    if products::product(&app, product_id).await?.is_none() {
        return Err(Failure::NotFound);
    }
    visit.cart().hincr(&product_id, number.clamp(1, MOST)).query_async(&mut app.con.clone()).await?;
    Ok(Redirect::to("/cart"))
}

pub(crate) async fn remove(
    State(app): State<Arc<App>>,
    visit: Visit,
    Form(removed): Form<Removed>,
) -> Result<Redirect, Failure> {
    visit.needs_redis()?;
    visit.cart().hdel(&removed.product_id).query_async(&mut app.con.clone()).await?;
    Ok(Redirect::to("/cart"))
}

/// The products in the cart and how many there are of each.
pub(crate) async fn items(app: &App, visit: &Visit) -> Result<Vec<(u64, u32)>, Failure> {
    visit.needs_redis()?;
    let mut items = visit.cart().hscan().collect_async(&mut app.con.clone()).await?;
    items.sort_unstable();
    Ok(items)
}

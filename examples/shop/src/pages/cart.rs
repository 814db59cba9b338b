//! The cart.

use std::collections::BTreeMap;

use axum::Form;
use axum::extract::Path;
use axum::response::Redirect;
use maud::{Markup, html};
use redis_keys::prelude::*;
use serde::Deserialize;

use super::{euros, page};
use crate::failure::{Failure, Result};
use crate::products;
use crate::visit::{Visit, random};

/// The largest number of a product that one form can add.
const MOST: u32 = 20;

/// The largest number of a product that can be typed in the cart.
const MOST_IN_CART: u32 = 999;

#[derive(Deserialize)]
pub(crate) struct CartAddition {
    product_id: u64,
    number: u32,
}

#[derive(Deserialize)]
pub(crate) struct QuantityChange {
    number: u32,
}

pub(crate) async fn show(visit: Visit) -> Result<Markup> {
    let items = items(&visit).await?;
    let products = products::products(&visit.app, items.keys().copied()).await?;
    let number_of = |id| items.get(&id).map_or(0, |number| u64::from(*number));
    let total: u64 = products.iter().map(|product| number_of(product.id) * product.cents).sum();
    let content = html! {
        @if products.is_empty() {
            p.lead { "Your cart is empty." }
        } @else {
            table {
                thead { tr { th { "Product" } th.number { "Quantity" } th.number { "Price" } th { span.hidden { "Remove" } } } }
                tbody {
                    @for product in &products {
                        tr {
                            td { a href={ "/products/" (product.id) } { (product.name) } }
                            td.number {
                                form.row method="post" action={ "/cart/change/" (product.id) } {
                                    input type="number" name="number" value=(number_of(product.id)) min="1"
                                        max=(MOST_IN_CART) required aria-label={ "Quantity of " (product.name) };
                                    button aria-label={ "Change the quantity of " (product.name) } { "Change" }
                                }
                            }
                            td.number { (euros(number_of(product.id) * product.cents)) }
                            td.number {
                                form method="post" action={ "/cart/remove/" (product.id) } {
                                    button aria-label={ "Remove " (product.name) } { "Remove" }
                                }
                            }
                        }
                    }
                }
                tfoot { tr { th { "Total" } td {} td.number { (euros(total)) } td {} } }
            }
            @if visit.frame.signed_in.is_some() {
                form.row method="post" action="/orders" {
                    input type="hidden" name="form" value=(form(&visit).await?);
                    input type="hidden" name="cents" value=(total);
                    input type="hidden" name="items" value=(text_of(&items));
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
    visit: Visit,
    Form(CartAddition { product_id, number }): Form<CartAddition>,
) -> Result<Redirect> {
    visit.needs_redis()?;
    if products::product(&visit.app, product_id).await?.is_none() {
        return Err(Failure::NotFound);
    }
    visit.cart().hincr(&product_id, number.clamp(1, MOST)).run(&visit.app.con).await?;
    Ok(Redirect::to("/cart"))
}

/// Changes how many of a product are in the cart, if it is there.
pub(crate) async fn change(
    visit: Visit,
    Path(product_id): Path<u64>,
    Form(QuantityChange { number }): Form<QuantityChange>,
) -> Result<Redirect> {
    if items(&visit).await?.contains_key(&product_id) {
        let number = number.clamp(1, MOST_IN_CART);
        visit.cart().hset(&product_id, &number).run(&visit.app.con).await?;
    }
    Ok(Redirect::to("/cart"))
}

pub(crate) async fn remove(visit: Visit, Path(product_id): Path<u64>) -> Result<Redirect> {
    visit.needs_redis()?;
    visit.cart().hdel(&product_id).run(&visit.app.con).await?;
    Ok(Redirect::to("/cart"))
}

/// The form that orders this cart: always the same one until it is ordered.
async fn form(visit: &Visit) -> Result<String> {
    let new = random()?;
    let commands = batch((visit.cart_form().set_nx(&new), visit.cart_form().get()));
    let (_, form) = commands.run(&visit.app.con).await?;
    Ok(form.unwrap_or(new))
}

/// What a form says of the cart that it was made of, such as `4×2 7×1`.
pub(crate) fn text_of(items: &BTreeMap<u64, u32>) -> String {
    items.iter().map(|(product_id, number)| format!("{product_id}×{number}")).collect::<Vec<_>>().join(" ")
}

/// The products in the cart and how many there are of each.
pub(crate) async fn items(visit: &Visit) -> Result<BTreeMap<u64, u32>> {
    visit.needs_redis()?;
    let items: Vec<_> = visit.cart().hscan().collect(&visit.app.con).await?;
    Ok(items.into_iter().collect())
}

//! Behind the counter: prices, and the features that are switched on.

use axum::Form;
use axum::response::Redirect;
use maud::{Markup, html};
use redis_keys::prelude::*;
use serde::Deserialize;

use super::{euros, page};
use crate::failure::{Failure, Result};
use crate::keys::{FEATURES, Feature, Features};
use crate::products;
use crate::visit::Visit;

#[derive(Deserialize)]
pub(crate) struct Price {
    product_id: u64,
    cents: u64,
}

#[derive(Deserialize)]
pub(crate) struct Switch {
    feature: usize,
    is_on: bool,
}

pub(crate) async fn show(visit: Visit) -> Result<Markup> {
    visit.signed_in()?;
    let products = products::search(&visit.app, "").await?;
    let content = html! {
        p.lead { "In this example, everyone who is signed in may work here." }
        section {
            h2 { "Prices" }
            form.row method="post" action="/counter/price" {
                label for="product" { "Product" }
                select #product name="product_id" {
                    @for product in &products { option value=(product.id) { (product.name) ", " (euros(product.cents)) } }
                }
                label for="cents" { "New price in cents" }
                input #cents type="number" name="cents" min="1" max="1000000" required;
                button { "Change" }
            }
            p.quiet { "The database is changed first, then the cache forgets the product." }
        }
        section {
            h2 { "Features" }
            @for (index, feature) in FEATURES.iter().enumerate() {
                form.row method="post" action="/counter/feature" {
                    @let is_on = visit.frame.features.contains(feature);
                    @let (state, action) = if is_on { ("on", "Switch off") } else { ("off", "Switch on") };
                    span { (name(*feature)) ": " strong { (state) } }
                    input type="hidden" name="is_on" value=(!is_on);
                    button name="feature" value=(index) aria-label={ (action) " " (name(*feature)) } { (action) }
                }
            }
        }
    };
    Ok(page("Behind the counter", &visit.frame, &content))
}

pub(crate) async fn set_price(visit: Visit, Form(price): Form<Price>) -> Result<Redirect> {
    visit.signed_in()?;
    products::set_price(&visit.app, price.product_id, price.cents.clamp(1, 1_000_000)).await?;
    Ok(Redirect::to(&format!("/products/{}", price.product_id)))
}

pub(crate) async fn switch(visit: Visit, Form(switch): Form<Switch>) -> Result<Redirect> {
    visit.signed_in()?;
    let feature = *FEATURES.get(switch.feature).ok_or(Failure::NotFound)?;
    let command = if switch.is_on { Features.sadd(&feature) } else { Features.srem(&feature) };
    command.run(&visit.app.con).await?;
    Ok(Redirect::to("/counter"))
}

fn name(feature: Feature) -> &'static str {
    match feature {
        Feature::BestSellers => "Best sellers on the first page",
        Feature::ViewsToday => "Views on the page of a product",
    }
}

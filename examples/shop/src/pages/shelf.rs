//! The first page, searches, and the page of a product.

use axum::extract::{Path, Query};
use maud::{Markup, html};
use redis_keys::parameter::bucket::{Day, Month};
use redis_keys::prelude::*;
use serde::Deserialize;

use super::{euros, page};
use crate::app::App;
use crate::database::Product;
use crate::failure::{Failure, Result};
use crate::keys::{Feature, Sales, Views, Visitors};
use crate::products;
use crate::visit::Visit;

#[derive(Deserialize)]
pub(crate) struct Search {
    #[serde(default)]
    words: String,
}

pub(crate) async fn first(visit: Visit) -> Result<Markup> {
    let found = products::search(&visit.app, "").await?;
    let has_ranks = visit.frame.features.contains(&Feature::BestSellers);
    let today = if has_ranks { Some(best_sellers(&visit.app).await?) } else { None };
    let content = html! {
        p.lead { "Leaves, cups and biscuits from three small makers." }
        (shelf(&found))
        @if let Some((sellers, visitors)) = today {
            section {
                h2 { "This month’s best sellers" }
                @if sellers.is_empty() { p { "Nothing has been sold this month yet." } }
                ol.ranks { @for (name, cents) in &sellers { li { (name) " " span.quiet { (euros(*cents)) } } } }
                p.quiet { "Visitors today: about " (visitors) "." }
            }
        }
    };
    Ok(page("Everything for tea", &visit.frame, &content))
}

pub(crate) async fn search(mut visit: Visit, Query(search): Query<Search>) -> Result<Markup> {
    let found = products::search(&visit.app, &search.words).await?;
    let content = html! {
        p.lead { (found.len()) " found for “" (search.words) "”" }
        (shelf(&found))
    };
    visit.frame.words = search.words;
    Ok(page("Search", &visit.frame, &content))
}

pub(crate) async fn product(visit: Visit, Path(product_id): Path<u64>) -> Result<Markup> {
    let product = products::product(&visit.app, product_id).await?.ok_or(Failure::NotFound)?;
    let count = Views { product_id, day: Day::now() }.incr();
    // The page does without the number if Redis has none.
    let views = if visit.frame.is_away { None } else { count.run(&visit.app.quick).await.ok() };
    let content = html! {
        div.product {
            (picture(&product))
            div {
                p.lead { (product.description) }
                p.price { (euros(product.cents)) }
                p.quiet {
                    "By " (product.seller) ". "
                    @match product.stock { 0 => "Sold out.", 1..=5 => { "Only " (product.stock) " left." }, _ => "In stock." }
                }
                @if product.stock > 0 {
                    form.row method="post" action="/cart" {
                        input type="hidden" name="product_id" value=(product_id);
                        label for="number" { "Quantity" }
                        input #number type="number" name="number" value="1" min="1" max="20" required;
                        button.primary { "Add to cart" }
                    }
                }
                @if let (true, Some(views)) = (visit.frame.features.contains(&Feature::ViewsToday), views) {
                    p.quiet { "Views today: " (views) }
                }
            }
        }
    };
    Ok(page(&product.name, &visit.frame, &content))
}

/// The three sellers that have sold most in this month, and about how many visitors there were today.
async fn best_sellers(app: &App) -> Result<(Vec<(String, u64)>, u64)> {
    let commands =
        batch((Sales { month: Month::now() }.zrevrange_withscores(0..3), Visitors { day: Day::now() }.pfcount()));
    let (sales, visitors) = commands.run_each(&app.quick).await;
    let names = app.db.sellers()?;
    let name_of = |id| names.iter().find(|(seller, _)| *seller == id).map_or("", |(_, name)| name);
    let sellers = sales.unwrap_or_default().into_iter().map(|(id, sum)| (name_of(id).to_owned(), cents(sum)));
    Ok((sellers.collect(), visitors.unwrap_or_default()))
}

#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the scores are sums in cents")]
fn cents(score: f64) -> u64 {
    score as u64
}

fn shelf(products: &[Product]) -> Markup {
    html! {
        ul.shelf {
            @for product in products {
                li {
                    a href={ "/products/" (product.id) } { (picture(product)) span.name { (product.name) } }
                    span.price { (euros(product.cents)) }
                    span.quiet { (product.seller) }
                }
            }
        }
    }
}

/// A still life in the colours of a product.
fn picture(product: &Product) -> Markup {
    let hue = product.id * 67 % 360;
    let (wall, table) = (format!("hsl({hue} 30% 88%)"), format!("hsl({hue} 24% 76%)"));
    let (light, dark) = (format!("hsl({} 35% 42%)", (hue + 30) % 360), format!("hsl({hue} 45% 28%)"));
    html! {
        svg.picture viewBox="0 0 120 90" aria-hidden="true" {
            rect width="120" height="90" fill=(wall) {}
            rect y="62" width="120" height="28" fill=(table) {}
            use href={ "/pictures.svg#" (product.picture) } fill=(light) stroke=(dark) {}
        }
    }
}

//! The stores near a city.

use axum::extract::Query;
use maud::{Markup, html};
use redis_keys::prelude::*;
use serde::Deserialize;

use super::page;
use crate::failure::{Failure, Result};
use crate::keys::Stores;
use crate::visit::Visit;

const NEAR: GeoArea = GeoArea::radius(600.0, GeoUnit::Kilometers);

#[derive(Deserialize)]
pub(crate) struct Place {
    store: Option<u64>,
}

pub(crate) async fn nearby(visit: Visit, Query(place): Query<Place>) -> Result<Markup> {
    let stores = visit.app.db.stores()?;
    let here = stores.iter().find(|store| Some(store.id) == place.store).or(stores.first()).ok_or(Failure::NotFound)?;
    let nearby = Stores.geosearch(here.place, NEAR, 20).with_dist().run(&visit.app.quick).await?;
    let found =
        nearby.iter().filter_map(|(id, distance)| Some((stores.iter().find(|store| store.id == *id)?, distance)));
    let content = html! {
        form.row action="/stores" {
            label for="store" { "You are in" }
            select #store name="store" {
                @for store in &stores { option value=(store.id) selected[store.id == here.id] { (store.city) } }
            }
            button { "Show stores" }
        }
        table {
            thead { tr { th { "Store" } th { "City" } th.number { "Distance" } } }
            tbody {
                @for (store, distance) in found {
                    tr { td { (store.name) } td { (store.city) } td.number { (format!("{distance:.0} km")) } }
                }
            }
        }
    };
    Ok(page("Stores nearby", &visit.frame, &content))
}

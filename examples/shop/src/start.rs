//! The first data of a new shop, and the keys that are written from the database at each start.

use std::sync::Arc;
use std::time::Duration;

use redis_keys::batch;
use redis_keys::bucket::Month;
use redis_keys::prelude::*;
use tokio::time::sleep;

use crate::app::App;
use crate::database::Database;
use crate::failure::Failure;
use crate::keys::{FEATURES, Features, Newsletter, Sales, Stores};
use crate::password;

/// The account of this example. Its page says so: no other shop would show it.
pub(crate) const DEMO: (&str, &str) = ("ada@example.org", "analytical engine");

pub(crate) async fn add_account(db: &Database) -> Result<(), Box<dyn std::error::Error>> {
    Ok(db.add_account(DEMO.0, password::hash(DEMO.1)?).await?)
}

/// Writes to Redis what the database knows, and tries again until Redis is there.
pub(crate) async fn fill(app: Arc<App>, is_new: bool) {
    while write(&app, is_new).await.is_err() {
        sleep(Duration::from_secs(1)).await;
    }
}

async fn write(app: &App, is_new: bool) -> Result<(), Failure> {
    let mut con = app.con.clone();
    let (stores, sales) = (app.db.stores().await?, app.db.sales().await?);
    let places = stores.iter().map(|store| (store.id, store.place()));
    Stores.geoadd_many(places).query_async(&mut con).await?;
    if !sales.is_empty() {
        let sums = sales.iter().map(|&(seller, cents)| (seller, score(cents)));
        Sales { month: Month::now() }.zadd_many(sums).gt().query_async(&mut con).await?;
    }
    if is_new {
        // What an earlier release has left.
        let choice = Newsletter { email: DEMO.0 }.other_name();
        batch((Features.sadd_many(FEATURES), choice.set("weekly"))).query_async(&mut con).await?;
    }
    Ok(())
}

/// A sum in cents as a score. Scores are exact up to 2^53.
#[allow(clippy::cast_precision_loss, reason = "no seller sells for 90 trillion euros in a month")]
pub(crate) fn score(cents: u64) -> f64 {
    cents as f64
}

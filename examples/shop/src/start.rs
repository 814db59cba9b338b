//! The first data of a new shop, and the keys that are written from the database at each start.

use std::sync::Arc;
use std::time::Duration;

use redis_keys::parameter::bucket::Month;
use redis_keys::prelude::*;
use tokio::time::sleep;

use crate::app::App;
use crate::failure::Result;
use crate::keys::{FEATURES, Features, Newsletter, Stores};
use crate::orders;

/// The accounts of this example, with their passwords.
pub(crate) const DEMO: [(&str, &str); 2] =
    [("ada@example.org", "analytical engine"), ("grace@example.org", "compiled by hand")];

/// Writes to Redis what the database knows, and tries again until Redis is there.
pub(crate) async fn fill(app: Arc<App>) {
    while write(&app).await.is_err() {
        sleep(Duration::from_secs(1)).await;
    }
}

async fn write(app: &App) -> Result<()> {
    let con = &app.con;
    let stores = app.db.stores()?;
    Stores.geoadd_many(stores.iter().map(|store| (store.id, store.place))).run(con).await?;
    orders::write_sales(app, Month::now()).await?;
    if app.db.is_new()? {
        // The choice is what an earlier release has left.
        let choice = Newsletter { email: DEMO[0].0 }.other_name();
        batch((Features.sadd_many(FEATURES), choice.set("weekly"))).run(con).await?;
        app.db.set_used()?;
    }
    Ok(())
}

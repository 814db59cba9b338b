//! Orders: placing one, confirming it by a job, and finding those without a job.
//!
//! An order is a row of the database before it is a job, so it is never lost. If the shop or Redis ends in between,
//! [`push_overdue`] finds the row. A job can run twice: each of its steps does nothing if it has been done.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use redis_keys::jobs::{Job, Outcome, Worker};
use redis_keys::parameter::bucket::Month;
use redis_keys::prelude::*;
use tokio::time::sleep;

use crate::app::App;
use crate::database::{OrderOutcome, Reservation};
use crate::failure::Result;
use crate::keys::{OrderChange, OrderChanges, OrderQueue, ProductCard, Sales, StockLock};
use crate::trace::TracedConnection;

/// The time that a customer waits for others who buy the same product.
const LOCK_WAIT: Duration = Duration::from_secs(2);

/// The time that the payment of an order takes, in which the customer sees that it is placed.
const PAYMENT: Duration = Duration::from_millis(2500);

/// Places an order of these products. The number of each is positive.
///
/// One statement of SQL would do here without locks. They are for stock that another system keeps, where reading and
/// taking are two steps. The order of a map keeps two requests from waiting for each other.
pub(crate) async fn place(
    app: &App,
    account_id: u64,
    form: &str,
    cents: u64,
    items: BTreeMap<u64, u32>,
) -> Result<OrderOutcome> {
    let (mut guards, mut reserved) = (Vec::new(), Vec::new());
    for (product_id, number) in items {
        let guard = app.locks.acquire(&StockLock { product_id }).with_time_limit(LOCK_WAIT).await?;
        reserved.push(Reservation { product_id, number, fence: guard.fence() });
        guards.push(guard);
    }
    let placed = app.db.place(account_id, form, cents, &reserved)?;
    for guard in guards {
        // If Redis has gone, the lock expires.
        let _ = guard.release().await;
    }
    if let OrderOutcome::Order(order_id) = placed {
        // If this fails, other tabs show the order when they are opened again.
        let _ = publish(app, account_id, order_id, "placed").await;
        // If this fails, `push_overdue` does it again.
        let _ = push(app, order_id).await;
    }
    for Reservation { product_id, .. } in reserved {
        // If this fails, pages show the old stock until it expires. The order is checked all the same.
        let _ = app.cache.invalidate(&ProductCard { product_id }).await;
    }
    Ok(placed)
}

async fn push(app: &App, order_id: u64) -> Result<()> {
    app.orders.push(&order_id).await?;
    Ok(app.db.set_pushed(order_id)?)
}

/// Looks for orders without a job once a second, by an index of the orders that wait.
pub(crate) async fn push_overdue(app: Arc<App>) {
    loop {
        for order_id in app.db.overdue_orders().unwrap_or_default() {
            let _ = push(&app, order_id).await;
        }
        sleep(Duration::from_secs(1)).await;
    }
}

/// Confirms orders until the shop closes.
pub(crate) async fn work(worker: Worker<TracedConnection, OrderQueue>, app: Arc<App>) -> Result<(), redis_keys::Error> {
    let closing = app.closing.clone();
    worker.run(move |job| confirm(Arc::clone(&app), job)).until(closing).await
}

async fn confirm(app: Arc<App>, job: Job<u64>) -> Result<Outcome> {
    let order_id = job.value;
    if !charge(order_id, job.tries()).await {
        return Ok(Outcome::Retry);
    }
    let Some((account_id, month)) = app.db.confirm(order_id)? else { return Ok(Outcome::Bury) };
    write_sales(&app, month).await?;
    publish(&app, account_id, order_id, "confirmed").await?;
    Ok(Outcome::Done)
}

async fn publish(app: &App, account_id: u64, order_id: u64, state: &str) -> Result<()> {
    let change = OrderChange { order_id, state: state.to_owned() };
    OrderChanges { account_id }.publish(&change).run(&app.con).await?;
    Ok(())
}

/// Asks the payment provider of this example, which takes some time, and is busy at the first try of every third order. A
/// real one gets the number of the order as its idempotency key.
async fn charge(order_id: u64, tries: u8) -> bool {
    if order_id.is_multiple_of(3) && tries == 1 {
        return false;
    }
    sleep(PAYMENT).await;
    true
}

/// Writes what each seller has sold in a month. A sum only grows, so an older one that arrives late changes nothing.
pub(crate) async fn write_sales(app: &App, month: Month) -> Result<()> {
    let sums = app.db.sales(month)?;
    if !sums.is_empty() {
        Sales { month }.zadd_many(sums).gt().run(&app.con).await?;
    }
    Ok(())
}

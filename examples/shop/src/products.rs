//! Products: from the cache, which loads what it does not have from the database.

use std::future::ready;

use crate::app::App;
use crate::database::Product;
use crate::failure::{Failure, Result};
use crate::keys::{ProductCard, SearchResults};

/// Longer searches find what their beginning finds.
const LONGEST_SEARCH: usize = 60;

pub(crate) async fn product(app: &App, product_id: u64) -> Result<Option<Product>> {
    if !app.is_cached {
        return Ok(app.db.product(product_id)?);
    }
    Ok(app.cache.get_or_load(&ProductCard { product_id }, || ready(app.db.product(product_id))).await?)
}

/// The products with these numbers, without those that do not exist.
pub(crate) async fn products(app: &App, ids: impl IntoIterator<Item = u64>) -> Result<Vec<Product>> {
    let keys: Vec<_> = ids.into_iter().map(|product_id| ProductCard { product_id }).collect();
    let find = |key: &ProductCard| Ok(app.db.product(key.product_id)?.map(|product| (key.clone(), product)));
    let load = |missing: Vec<&ProductCard>| {
        ready(missing.into_iter().filter_map(|key| find(key).transpose()).collect::<rusqlite::Result<Vec<_>>>())
    };
    Ok(app.cache.get_or_load_many(&keys, load).await?.into_iter().flatten().collect())
}

/// The products whose name or description contains these words.
pub(crate) async fn search(app: &App, words: &str) -> Result<Vec<Product>> {
    let words: String = words.trim().to_lowercase().chars().take(LONGEST_SEARCH).collect();
    let load = || ready(app.db.search(&words).map(|found| (!found.is_empty()).then_some(found)));
    let found = app.cache.get_or_load(&SearchResults { words: &words }, load).await?;
    products(app, found.unwrap_or_default()).await
}

/// Changes a price, and then makes the cache forget the old one.
pub(crate) async fn set_price(app: &App, product_id: u64, cents: u64) -> Result<()> {
    if !app.db.set_price(product_id, cents)? {
        return Err(Failure::NotFound);
    }
    app.cache.invalidate(&ProductCard { product_id }).await?;
    Ok(())
}

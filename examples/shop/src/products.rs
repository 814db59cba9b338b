//! Products: from the cache, which loads what it does not have from the database.

use crate::app::App;
use crate::database::{Error, Product};
use crate::failure::Failure;
use crate::keys::{Found, ProductCard};

/// Longer searches find what their beginning finds.
const LONGEST_SEARCH: usize = 60;

pub(crate) async fn product(app: &App, product_id: u64) -> Result<Option<Product>, Failure> {
    if !app.is_cached {
        return Ok(app.db.product(product_id).await?);
    }
    Ok(app.cache.get_or_load(&ProductCard { product_id }, || app.db.product(product_id)).await?)
}

/// The products with these numbers, without those that do not exist.
pub(crate) async fn products(app: &App, ids: impl IntoIterator<Item = u64>) -> Result<Vec<Product>, Failure> {
    let keys: Vec<_> = ids.into_iter().map(|product_id| ProductCard { product_id }).collect();
    let load = |missing: Vec<&ProductCard>| {
        let missing: Vec<_> = missing.into_iter().cloned().collect();
        async move {
            let mut found = Vec::new();
            for key in missing {
                if let Some(product) = app.db.product(key.product_id).await? {
                    found.push((key, product));
                }
            }
            Ok::<_, Error>(found)
        }
    };
    Ok(app.cache.get_or_load_many(&keys, load).await?.into_iter().flatten().collect())
}

/// The products whose name or description contains these words.
pub(crate) async fn search(app: &App, words: &str) -> Result<Vec<Product>, Failure> {
    let words: String = words.trim().to_lowercase().chars().take(LONGEST_SEARCH).collect();
    let load = || async {
        let found = app.db.search(words.clone()).await?;
        Ok::<_, Error>((!found.is_empty()).then_some(found))
    };
    let found = app.cache.get_or_load(&Found { words: &words }, load).await?;
    products(app, found.unwrap_or_default()).await
}

/// Changes a price, and then makes the cache forget the old one.
pub(crate) async fn set_price(app: &App, product_id: u64, cents: u64) -> Result<(), Failure> {
    if !app.db.set_price(product_id, cents).await? {
        return Err(Failure::NotFound);
    }
    app.cache.invalidate(&ProductCard { product_id }).await?;
    Ok(())
}

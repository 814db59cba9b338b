//! All keys of the shop in Redis. `KEYS.md` lists them for reviews, as `cargo redis-keys catalog` writes it, and
//! `redis-keys.toml` is their policy, with the owners of the modules.

use std::net::IpAddr;

use redis_keys::parameter::bucket::{Day, Month};
use redis_keys::prelude::*;
use redis_keys::schema::Schema;
use serde::{Deserialize, Serialize};

use crate::database::Product;

/// A product as its page shows it, from the database. Each process of the shop keeps copies in memory. Invalidated when
/// its price or its stock has changed.
#[derive(Clone, RedisKey)]
#[redis_key(
    cache:product:{product_id}:string, value = Json<Product>, ttl = 1h, jitter = 10%,
    cache(null_ttl = 5m, refresh = 80%, near = 10s)
)]
pub(crate) struct ProductCard {
    pub(crate) product_id: u64,
}

/// The products that a search finds, by their numbers: what they cost is in `ProductCard`. A new product is found
/// when this has expired.
#[derive(RedisKey)]
#[redis_key(cache:search:{words}:string, value = Json<Vec<u64>>, ttl = 10m, jitter = 10%, cache(null_ttl = 5m))]
pub(crate) struct SearchResults<'a> {
    #[redis_key(digest)]
    pub(crate) words: &'a str,
}

/// A customer who is signed in.
#[derive(Clone, Debug, RedisHash)]
pub(crate) struct SignedIn {
    pub(crate) account_id: u64,
    /// Not to be read in a backup, or in the output of MONITOR.
    #[redis_hash(value = Secret<String>)]
    pub(crate) email: String,
}

/// The session of a browser, by the digest of its cookie. It ends a week after its last use.
#[derive(RedisKey)]
#[redis_key(session:login:{token}:hash, value = SignedIn, ttl = 7d, renew = below(6d))]
pub(crate) struct Session<'a> {
    #[redis_key(digest)]
    pub(crate) token: &'a str,
}

/// The cart of a visitor: how many of each product. It is not renewed, so it ends 30 days after its first product.
#[derive(RedisKey)]
#[redis_key(cart:items:{visitor}:hash, field = u64, value = u32, ttl = 30d, max_len = 50)]
pub(crate) struct Cart<'a> {
    #[redis_key(digest)]
    pub(crate) visitor: &'a str,
}

/// The form that orders a cart, from the first look at the cart until it is ordered: one cart is one order, however
/// often its form is opened or sent.
#[derive(RedisKey)]
#[redis_key(cart:form:{visitor}:string, value = String, ttl = 30d)]
pub(crate) struct CartForm<'a> {
    #[redis_key(digest)]
    pub(crate) visitor: &'a str,
}

/// The views of a product on a day.
#[derive(RedisKey)]
#[redis_key(counter:views:{product_id}:{day}:string, value = u64, ttl = 7d, ttl_from_end_of = day)]
pub(crate) struct Views {
    pub(crate) product_id: u64,
    pub(crate) day: Day,
}

/// About how many visitors the shop has had on a day.
#[derive(RedisKey)]
#[redis_key(counter:visitors:{day}:hyperloglog, value = String, ttl = 7d, ttl_from_end_of = day)]
pub(crate) struct Visitors {
    pub(crate) day: Day,
}

/// The sellers by what they have sold in a month, in cents. The database has the same sums, so writing one again is
/// harmless.
#[derive(RedisKey)]
#[redis_key(seller:sales:{month}:zset, value = u64, ttl = 90d, ttl_from_end_of = month, keep_top = 100)]
pub(crate) struct Sales {
    pub(crate) month: Month,
}

/// The right to take from the stock of a product. Its fence is compared in the database.
#[derive(RedisKey)]
#[redis_key(lock:stock:{product_id}:string, lock, ttl = 10s)]
pub(crate) struct StockLock {
    pub(crate) product_id: u64,
}

/// The orders that are to be paid and confirmed, by their numbers.
#[derive(RedisKey)]
#[redis_key(queue:orders:zset, value = u64, ttl = 7d, jobs(lease = 30s, tries = 10))]
pub(crate) struct OrderQueue;

/// A change of an order, for the page that lists the orders of an account.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct OrderChange {
    pub(crate) order_id: u64,
    pub(crate) state: String,
}

/// The changes of an account's orders. The page is read again when messages may be missing.
#[derive(Clone, RedisKey)]
#[redis_key(order:changes:{account_id}:channel, value = Json<OrderChange>)]
pub(crate) struct OrderChanges {
    pub(crate) account_id: u64,
}

/// The attempts to sign in to an account from an address: five at once, then one every twelve seconds. Others cannot
/// keep a customer out.
#[derive(RedisKey)]
#[redis_key(rate:sign.in:{email}:{address}:string, limit(5 / 1m))]
pub(crate) struct SignIns<'a> {
    #[redis_key(digest)]
    pub(crate) email: &'a str,
    pub(crate) address: IpAddr,
}

/// The searches from an address.
#[derive(RedisKey)]
#[redis_key(rate:search:{address}:string, limit(120 / 1m, burst = 20))]
pub(crate) struct Searches {
    pub(crate) address: IpAddr,
}

/// The places of the stores, by the numbers of the stores.
#[derive(RedisKey)]
#[redis_key(
    shop:stores:geo, value = u64, max_len = 1000, ttl = never, reason = "stores do not go away by themselves",
    rebuild = "from the database, at each start of the shop"
)]
pub(crate) struct Stores;

/// A part of the shop that is switched on and off while it runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, KeySegment)]
pub(crate) enum Feature {
    /// The list of sellers on the first page.
    BestSellers,
    /// The number of views on the page of a product.
    ViewsToday,
}

pub(crate) const FEATURES: [Feature; 2] = [Feature::BestSellers, Feature::ViewsToday];

/// The features that are switched on.
#[derive(RedisKey)]
#[redis_key(
    shop:features:set, value = Feature, max_len = 100, ttl = never, reason = "a feature stays on until it is switched off",
    rebuild = "without the key all features are off: switch them on again at the counter"
)]
pub(crate) struct Features;

/// The interval at which a customer gets the newsletter. Earlier releases have written it as `Newsletter:ada@example.org`.
#[derive(RedisKey)]
#[redis_key(newsletter:choice:{email}:string, value = String, ttl = 365d, formerly = "Newsletter:{email}")]
pub(crate) struct Newsletter<'a> {
    #[redis_key(digest)]
    pub(crate) email: &'a str,
}

/// All declarations, by which the page *What Redis sees* finds the one of a key.
pub(crate) const ALL: [&Schema; 16] = [
    ProductCard::SCHEMA,
    SearchResults::SCHEMA,
    Session::SCHEMA,
    Cart::SCHEMA,
    CartForm::SCHEMA,
    Views::SCHEMA,
    Visitors::SCHEMA,
    Sales::SCHEMA,
    StockLock::SCHEMA,
    OrderQueue::SCHEMA,
    OrderChanges::SCHEMA,
    SignIns::SCHEMA,
    Searches::SCHEMA,
    Stores::SCHEMA,
    Features::SCHEMA,
    Newsletter::SCHEMA,
];

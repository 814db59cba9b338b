//! The declarations of keys, as constants.
//!
//! [`RedisKey::SCHEMA`](crate::RedisKey::SCHEMA) is the [`Schema`] of a key.
//!
//! ```
//! use redis_keys::prelude::*;
//!
//! #[derive(RedisKey)]
//! #[redis_key(page:views:{page}:string, value = u64, ttl = 1d, jitter = 10m)]
//! struct Views { page: u32 }
//!
//! assert_eq!(Views::SCHEMA.template, "page:views:{page}:string");
//! assert_eq!(Views::SCHEMA.parameters.get(0).unwrap().name, "page");
//! assert_eq!(Views::SCHEMA.expiry.ttl().unwrap().as_secs(), 86_400);
//! assert_eq!(Views::SCHEMA.max_bytes, Some(10 * 1024));
//!
//! #[derive(RedisKey)]
//! #[redis_key(
//!     shop:stock:{shop}:{item}:string, value = u32, ttl = 1d,
//!     allow(sibling_fields, reason = "written by the nightly job"),
//! )]
//! struct Stock<'a> { shop: u32, item: &'a str }
//!
//! let parameters: Vec<_> = Stock::SCHEMA.parameters.iter().map(|parameter| (parameter.name, parameter.type_name)).collect();
//! assert_eq!(parameters, [("shop", "u32"), ("item", "&'a str")]);
//! let allowed: Vec<_> = Stock::SCHEMA.allowed.iter().map(|allowed| (allowed.lint, allowed.reason)).collect();
//! assert_eq!(allowed, [("sibling_fields", "written by the nightly job")]);
//! ```

#[cfg(all(test, feature = "base32", feature = "digest", feature = "json", feature = "serde"))]
mod tests;

use std::time::Duration;

#[doc(inline)]
pub use redis_keys_core::Kind;
#[doc(hidden)]
pub use redis_keys_core::schema::RoleLiterals;
#[doc(inline)]
pub use redis_keys_core::schema::{
    Allowance, Allowances, BloomOptions, CacheOptions, Expiry, JobOptions, Keep, LimitOptions, Parameter,
    ParameterForm, Parameters, Renew, Role, Schema,
};

/// The literals of every declaration, as the derive prints them.
#[doc(hidden)]
pub type KeyLiterals = redis_keys_core::schema::KeyLiterals<'static>;

/// The literals of options that only some declarations have.
#[doc(hidden)]
pub type OptionLiterals = redis_keys_core::schema::OptionLiterals<'static>;

/// A key's text before it was declared, and whether it is in use.
#[doc(hidden)]
pub type LegacyLiterals = redis_keys_core::schema::LegacyLiterals<'static>;

pub use redis_keys_core::schema::TemplateName;

/// The expiry of a single write.
pub(crate) trait Draw: Sized {
    /// Returns the milliseconds for one write: the time to live and a random part of the jitter.
    fn draw(self) -> Option<u64>;

    /// Returns the expiry with a time to live that is longer or shorter by some milliseconds, or `None` if nothing is
    /// left.
    fn extended_by(self, by_ms: i64) -> Option<Self>;

    /// Returns the expiry with another time to live, and with the jitter in proportion.
    fn in_proportion(self, ttl: Duration) -> Self;
}

impl Draw for Expiry {
    #[inline]
    fn draw(self) -> Option<u64> {
        match self.as_ms() {
            (0, _) => None,
            (ttl_ms, jitter_ms) => Some(ttl_ms + crate::clock::up_to(jitter_ms)),
        }
    }

    fn extended_by(self, by_ms: i64) -> Option<Self> {
        match self.as_ms() {
            (0, _) => Some(self),
            (ttl_ms, jitter_ms) => {
                let ttl_ms = ttl_ms.checked_add_signed(by_ms).filter(|ms| *ms > 0)?;
                Some(Self::from_ms(ttl_ms, jitter_ms))
            }
        }
    }

    fn in_proportion(self, ttl: Duration) -> Self {
        let (own_ttl_ms, jitter_ms) = self.as_ms();
        let ttl_ms = u64::try_from(ttl.as_millis()).unwrap_or(u64::MAX);
        let jitter = u128::from(jitter_ms) * u128::from(ttl_ms) / u128::from(own_ttl_ms.max(1));
        Self::from_ms(ttl_ms, u64::try_from(jitter).unwrap_or(u64::MAX))
    }
}

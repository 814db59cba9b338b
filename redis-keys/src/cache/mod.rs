//! Cached keys: values that are loaded from elsewhere, once for all who ask.

#[cfg(feature = "cache")]
mod breaker;
mod content;
#[cfg(feature = "cache")]
mod driver;
#[cfg(feature = "cache")]
mod error;
#[cfg(feature = "cache")]
mod flight;
#[cfg(all(feature = "cache", feature = "metrics"))]
mod handles;
mod key;
#[cfg(feature = "cache")]
mod load;
#[cfg(feature = "cache")]
mod loaded;
#[cfg(feature = "cache")]
mod many;
#[cfg(feature = "cache")]
mod report;
mod set;
#[cfg(feature = "cache")]
mod stats;
#[cfg(feature = "cache")]
mod step;
mod token;

#[cfg(feature = "cache")]
#[cfg_attr(docsrs, doc(cfg(feature = "cache")))]
pub use driver::Cache;
#[cfg(feature = "cache")]
#[cfg_attr(docsrs, doc(cfg(feature = "cache")))]
pub use error::LoadError;
pub use key::{CachedKey, Claim, Input, Output};
#[cfg(feature = "cache")]
#[cfg_attr(docsrs, doc(cfg(feature = "cache")))]
pub use loaded::Loaded;
#[cfg(feature = "cache")]
#[cfg_attr(docsrs, doc(cfg(feature = "cache")))]
pub use many::Warmed;
pub use set::Set;
#[cfg(feature = "cache")]
#[cfg_attr(docsrs, doc(cfg(feature = "cache")))]
pub use stats::Stats;
pub use token::Token;

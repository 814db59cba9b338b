//! Cached keys: values that are loaded from elsewhere, once for all who ask.

mod content;
mod key;
mod set;
mod token;

#[doc(hidden)]
pub use key::CachedType;
pub use key::{CachedKey, Claim, Input, Output};
pub use set::Set;
pub use token::Token;

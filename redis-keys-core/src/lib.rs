//! Types and limits shared by the derive macros and the runtime of [`redis-keys`].
//!
//! The derive uses them at compile time and the runtime at run time. The attribute's grammar is in another crate, so
//! programs do not compile it. All dependencies of this crate are optional.
//!
//! Semantic versioning does not cover this crate's interface. Depend on [`redis-keys`] instead.
//!
//! [`redis-keys`]: https://docs.rs/redis-keys

mod argument;
pub mod duration;
#[cfg(any(feature = "base32", feature = "digest"))]
pub mod encoding;
mod key_pattern;
mod kind;
pub mod legacy;
pub mod limits;
#[doc(hidden)]
pub mod lua;
pub mod metric;
pub mod record;
pub mod rights;
mod rule;
pub mod schema;
pub mod slot;
mod value_set;
#[cfg(feature = "values")]
pub mod value_shape;

pub use argument::{Argument, Integer, NamedText};
pub use key_pattern::KeyPattern;
pub use kind::Kind;
pub use rule::Rule;
pub use value_set::ValueSet;

//! Reads the Rust items that declare Redis keys, their records and their parameter types.
//!
//! [`read_key`], [`read_record`] and [`read_segment`] render the attributes of an item as text, let `redis-keys-schema`
//! check it, and check whether a value is a type, which needs a parser of Rust. [`Input::underline`] maps the
//! place of a diagnostic back to tokens.
//!
//! The derives of [`redis-keys`] read each item with these functions. A tool that reads source files can call them too,
//! because this crate does not need the compiler.
//!
//! Semantic versioning does not cover this crate's interface. Depend on [`redis-keys`] instead.
//!
//! [`redis-keys`]: https://docs.rs/redis-keys

mod code;
mod generics;
mod input;
mod key;
mod nesting;
pub mod policy;
mod record;
mod rendered_tokens;
mod segment;
mod siblings;
#[cfg(test)]
mod tests;
mod tokens;
mod underline;

pub use generics::{mentions_any, mentions_generics, mentions_parameter, typed_fields};
pub use input::{Input, KeyAttribute, KeyField, KeyVariant, docs, is_phantom};
pub use key::{KeyCode, ReadKey, read_key, schema};
pub use nesting::{MAX_NESTING, too_deep};
pub use record::{FieldForm, ReadRecord, read_record, value_type};
pub use rendered_tokens::RenderedTokens;
pub use segment::{ReadSegment, read_segment};
pub use siblings::Siblings;
pub use tokens::Tokens;
pub use underline::Underline;

//! The shapes of stored values, for `cargo redis-keys values`.
//!
//! A form tells its shape by [`Stored::form`](crate::Stored), and a record by [`RedisHash::form`](crate::RedisHash). The
//! data of a serde type has no declaration that a program could read, so the module `tracer` asks the type's own `Deserialize`
//! and `Serialize`.
//!
//! The tracer does not see rules that reject only values that it does not try, such as a length or a certain number, nor
//! fields that serde buffers and that are neither needed nor written. It says where it may be wrong, if it can know that.

mod candidates;
mod error;
pub mod forms;
mod name;
mod place;
#[cfg(feature = "protobuf")]
mod protobuf;
mod reading;
mod report;
mod step;
#[cfg(test)]
mod tests;
mod tracer;
mod writing;

pub use self::report::{Part, report};
pub use self::tracer::{Traced, shape_of};

//! What every output needs.

mod base64;
mod escape;
pub(crate) mod markdown;
pub(crate) mod page;
pub(crate) mod table;
pub(crate) mod units;

pub(crate) use base64::{base64, from_base64};
pub(crate) use escape::printable;

//! What every output needs.

mod base64;
mod escape;
pub(crate) mod github;
pub(crate) mod markdown;
pub(crate) mod page;
pub(crate) mod rustc;
pub(crate) mod sarif;
pub(crate) mod snippet;
pub(crate) mod table;
mod text;
pub(crate) mod units;

pub(crate) use base64::{base64, from_base64};
pub(crate) use escape::{one_line, printable};
pub(crate) use text::{BOLD, wrapped};

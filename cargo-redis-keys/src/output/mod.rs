//! What every output needs.

mod escape;
mod text;

pub(crate) use escape::printable;
pub(crate) use text::{BOLD, wrapped};

//! Statistics of keys that can be saved and merged.

mod histogram;
mod key_text;

pub(crate) use histogram::Histogram;
pub(crate) use key_text::KeyText;

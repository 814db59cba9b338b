//! Statistics of keys that can be saved and merged.

mod histogram;
mod key_text;
mod value_forms;

pub(crate) use histogram::Histogram;
pub(crate) use key_text::KeyText;
pub(crate) use value_forms::ValueForms;

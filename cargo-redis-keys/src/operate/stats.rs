//! Statistics of keys that can be saved and merged.

mod histogram;
mod value_forms;

pub(crate) use histogram::Histogram;
pub(crate) use value_forms::ValueForms;

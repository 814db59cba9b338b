//! Copies of cached keys in the memory of the process, for keys with `near`.

mod value;

#[doc(hidden)]
pub use value::NearValue;

//! How the commands of `geo` keys are built and their replies read.

pub(crate) mod add;
pub(crate) mod area;
pub(crate) mod cell;
pub(crate) mod place;
pub(crate) mod scan;
pub(crate) mod search;
#[cfg(all(test, feature = "aio"))]
mod tests;

pub use add::GeoAdd;
pub use area::{GeoArea, GeoPoint, GeoUnit};
pub use search::GeoSearch;

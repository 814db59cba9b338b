//! The trait of a parameter whose type is probably one of another crate, by the feature that this type needs: [`KeySegment`] if
//! the feature is enabled, otherwise a trait whose error names the feature.

pub mod uuid {
    #[cfg(feature = "uuid")]
    pub use crate::KeySegment;
    #[cfg(not(feature = "uuid"))]
    pub use crate::parameter::disabled::UuidEnabled as KeySegment;
}

pub mod chrono {
    #[cfg(feature = "chrono")]
    pub use crate::KeySegment;
    #[cfg(not(feature = "chrono"))]
    pub use crate::parameter::disabled::ChronoEnabled as KeySegment;
}

pub mod time {
    #[cfg(feature = "time")]
    pub use crate::KeySegment;
    #[cfg(not(feature = "time"))]
    pub use crate::parameter::disabled::TimeEnabled as KeySegment;
}

pub mod jiff {
    #[cfg(feature = "jiff")]
    pub use crate::KeySegment;
    #[cfg(not(feature = "jiff"))]
    pub use crate::parameter::disabled::JiffEnabled as KeySegment;
}

/// A `Date` without a path, of time or jiff: what is not enabled is missing.
pub mod date {
    #[cfg(feature = "time")]
    pub use super::jiff::KeySegment;
    #[cfg(all(feature = "jiff", not(feature = "time")))]
    pub use super::time::KeySegment;
    #[cfg(not(any(feature = "jiff", feature = "time")))]
    pub use crate::parameter::disabled::DateEnabled as KeySegment;
}

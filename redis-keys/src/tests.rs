//! Keys and connections for the unit tests of this crate.

#[cfg_attr(not(feature = "aio"), allow(dead_code, reason = "most are used with the mock only"))]
pub(crate) mod keys;
#[cfg(feature = "aio")]
pub(crate) mod mock;

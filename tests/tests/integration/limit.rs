//! Rate limits, on real servers.

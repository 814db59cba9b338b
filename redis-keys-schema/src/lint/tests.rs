//! Each lint.

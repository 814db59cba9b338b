//! Guides: pages of documentation without code.

#[doc = include_str!("../docs/guide/commands.md")]
pub mod commands {}

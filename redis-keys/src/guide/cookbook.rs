// As in the guide, the definitions in front of a page override the page's own.

/// [caching]: crate::guide::caching
/// [stored_forms]: crate::guide::stored_forms
#[doc = include_str!("../../docs/guide/cookbook/cache_aside.md")]
pub mod cache_aside {}

#[doc = include_str!("../../docs/guide/cookbook/sessions.md")]
pub mod sessions {}

/// [limits]: crate::guide::limits
#[doc = include_str!("../../docs/guide/cookbook/counters_and_limits.md")]
pub mod counters_and_limits {}

#[doc = include_str!("../../docs/guide/cookbook/recent_items.md")]
pub mod recent_items {}

#[doc = include_str!("../../docs/guide/cookbook/leaderboard.md")]
pub mod leaderboard {}

#[doc = include_str!("../../docs/guide/cookbook/sign_ins.md")]
pub mod sign_ins {}

#[doc = include_str!("../../docs/guide/cookbook/unique_visitors.md")]
pub mod unique_visitors {}

#[doc = include_str!("../../docs/guide/cookbook/nearby.md")]
pub mod nearby {}

/// [jobs]: crate::guide::jobs
#[doc = include_str!("../../docs/guide/cookbook/events.md")]
pub mod events {}

/// [running]: crate::guide::running
#[doc = include_str!("../../docs/guide/cookbook/several_keys.md")]
pub mod several_keys {}

/// [testing]: crate::guide::testing
#[doc = include_str!("../../docs/guide/cookbook/testing.md")]
pub mod testing {}

/// [parameters]: crate::guide::declaration#parameters
/// [policy]: crate::guide::policy#adopting-a-policy-in-an-existing-project
/// [stored_forms]: crate::guide::stored_forms
#[doc = include_str!("../../docs/guide/cookbook/migration.md")]
pub mod migration {}

//! The pages of the cookbook: their code runs on a real server, and sends what they show. `build.rs` extracts the code.

#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used, reason = "a page whose code fails is wrong")]

/// A block of code of a page: the first one, or that with this number.
macro_rules! recipe {
    ($page:literal) => {
        recipe!($page, 1);
    };
    ($page:literal, $number:literal) => {
        include!(concat!(env!("OUT_DIR"), "/", $page, "_", $number, ".rs"));
    };
}

mod cache_aside;
mod counters_and_limits;
mod events;
mod leaderboard;
mod migration;
mod nearby;
mod recent_items;
mod recorder;
#[path = "../commands_page/scripts.rs"]
#[allow(dead_code, reason = "the page of all commands also lists the scripts")]
mod scripts;
mod sessions;
mod several_keys;
mod sign_ins;
mod testing;
mod unique_visitors;

/// The folder of the crate `redis-keys`.
const CRATE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../redis-keys");

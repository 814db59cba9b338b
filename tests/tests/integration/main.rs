//! Tests on real servers, in one binary, since linking takes longer than testing.

#![allow(clippy::expect_used, clippy::panic, reason = "a test cannot continue when these fail")]

mod batches;
mod bitmaps;
mod blocking;
mod cache;
mod connections;
mod copies;
mod denied;
mod forms;
mod geo;
mod hashes;
mod hostile;
mod hyperloglogs;
mod jobs;
mod killed;
mod limit;
mod lists;
mod lock;
mod namespace;
mod observe;
mod parameters;
mod proxy;
mod purge;
mod records;
mod scan;
mod scripts;
mod sets;
mod streams;
mod strings;
mod testing;
mod zsets;

//! Everything that needs a real server. One binary, since linking takes longer than testing.

#![allow(clippy::expect_used, clippy::panic, reason = "nothing can go on when these fail")]

mod batches;
mod bitmaps;
mod blocking;
mod connections;
mod copies;
mod denied;
mod forms;
mod geo;
mod hashes;
mod hostile;
mod hyperloglogs;
mod killed;
mod lists;
mod namespace;
mod parameters;
mod purge;
mod records;
mod scan;
mod sets;
mod streams;
mod strings;
mod testing;
mod zsets;

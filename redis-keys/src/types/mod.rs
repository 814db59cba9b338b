//! One module for each type of key: its trait, its builders and the commands that they send.

pub mod bitmap;
pub mod copies;
pub mod geo;
pub mod hash;
pub mod hyperloglog;
pub mod list;
pub mod record;
pub mod set;
pub mod stream;
pub mod string;
pub mod zset;

//! The contents of cached keys, and the commands of their accessors.

mod content;
#[cfg(all(
    feature = "bytes",
    feature = "gzip",
    feature = "json",
    feature = "lz4",
    feature = "messagepack",
    feature = "postcard",
    feature = "protobuf",
    feature = "snappy",
    feature = "zstd"
))]
mod golden;
#[cfg(feature = "aio")]
mod sent;

use crate::stored::Stored;
use crate::stored::cached::MarkedValue;

fn encode<F: Stored>(value: &F::Input) -> Vec<u8> {
    let mut out = Vec::new();
    MarkedValue::<F>::encode(value, &mut out).unwrap();
    out
}

/// Returns a content that is being refreshed.
fn refreshed(content: &[u8]) -> Vec<u8> {
    [b"\xC1r0123456789abcdef1700000000000", content].concat()
}

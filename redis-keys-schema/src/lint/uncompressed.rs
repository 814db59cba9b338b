//! Values above 10KB of text, or of an object, are stored without compression.
//!
//! `Zstd<…>`, `Gzip<…>`, `Snappy<…>` and `Lz4<…>` compress another form. Bytes are not flagged: they may be compressed
//! already.
//!
//! # Why
//!
//! JSON and other text usually compress to a fraction of their size. Uncompressed, each value takes several times the
//! memory, and each read several times the network: a hot key of this size fills the server's link long before its CPU.
//!
//! # Wrong
//!
//! ```text
//! #[derive(RedisKey)]
//! #[redis_key(shop:page:{page_id}:string, value = String, ttl = 1h, max_bytes = 100KB)]
//! struct Page {
//!     page_id: u64,
//! }
//! ```
//!
//! # Right
//!
//! ```rust
//! # use redis_keys::prelude::*;
//! #[derive(RedisKey)]
//! #[redis_key(shop:page:{page_id}:string, value = Zstd<String>, ttl = 1h, max_bytes = 100KB)]
//! struct Page {
//!     page_id: u64,
//! }
//! ```
//!
//! # In the guide
//!
//! - flags: `max_bytes` above 10KB for text or an object without compression
//! - instead: `value = Zstd<Json<Page>>`

use super::{Entry, Subject};
use crate::attribute::{SECRET, StoredForm, render_bytes};
use crate::edit::Suggestion;
use crate::limits::DEFAULT_MAX_BYTES;
use crate::warning::{Level, Lint, Warning};

pub(super) const LINT: Entry = Entry { level: Level::Warn, check: Some(check) };

/// Compression makes a large value smaller, unless it is bytes, which may be compressed already.
fn check(subject: &Subject<'_>, warnings: &mut Vec<Warning>) {
    let options = &subject.declaration.options;
    let bytes = options.max_bytes.as_ref().and_then(|given| given.value);
    let Some(bytes) = bytes.filter(|bytes| *bytes > DEFAULT_MAX_BYTES) else { return };
    let Some(form) = options.value.as_ref().and_then(|given| given.value.as_ref()) else { return };
    let text = subject.text_at(&form.range);
    if is_uncompressed_text(form, text) && !subject.has_legacy_values() {
        let message = format!("values of up to {} are stored uncompressed", render_bytes(bytes));
        warnings.push(Warning::at(Lint::Uncompressed, &form.range, message, Suggestion::write(compressed(form, text))));
    }
}

fn is_uncompressed_text(form: &StoredForm, text: &str) -> bool {
    match form.ours.last() {
        Some(_) if form.is_compressed() => false,
        Some((name, _)) if *name == SECRET => form.inner == "String",
        Some(_) => true,
        None => text == "String",
    }
}

/// The form, compressed: before it is encrypted.
fn compressed(form: &StoredForm, text: &str) -> String {
    if form.is_secret() { format!("{SECRET}<Zstd<{}>>", form.inner) } else { format!("Zstd<{text}>") }
}

#[cfg(test)]
mod tests {
    use crate::Lint;
    use crate::lint::tests::warns;

    #[test]
    fn large_text_is_compressed() {
        let string =
            |value: &str, size: &str| format!("user:name:{{id}}:string, ttl = 1h, value = {value}, max_bytes = {size}");
        warns("", &string("Json<P>", "11KB"), &[(Lint::Uncompressed, "Json<P>", "write `Zstd<Json<P>>`")]);
        warns(
            "",
            &string("\"Postcard<P>\"", "1MB"),
            &[(Lint::Uncompressed, "Postcard<P>", "write `Zstd<Postcard<P>>`")],
        );
        let secret = (Lint::Uncompressed, "Secret<Json<P>>", "write `Secret<Zstd<Json<P>>>`");
        warns("", &string("Secret<Json<P>>", "11KB"), &[secret]);
        // Other code reads the bytes that are there.
        for legacy in ["legacy", "formerly"] {
            warns("", &format!("{}, {legacy} = \"Name/{{id}}\"", string("Json<P>", "11KB")), &[]);
        }
        for (value, size) in [
            ("Secret<Zstd<String>>", "1MB"),
            ("Secret<Own>", "1MB"),
            ("Json<P>", "10KB"),
            ("Lz4<Json<P>>", "1MB"),
            ("Vec<u8>", "1MB"),
            ("Bytes", "1MB"),
            ("Own", "1MB"),
        ] {
            warns("", &string(value, size), &[]);
        }
    }
}

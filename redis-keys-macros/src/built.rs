//! Writes declarations to the file that `cargo redis-keys --built` names. Without that file it does nothing.
//!
//! Each declaration is a record of texts, see [`record`](redis_keys_core::record).

use std::ffi::OsString;
use std::fs::OpenOptions;
use std::io::Write as _;
use std::sync::LazyLock;
use std::{env, io};

use proc_macro2::{Span, TokenStream};
use redis_keys_core::record;
use redis_keys_core::schema::Schema;
use redis_keys_schema::Segment;
use redis_keys_syntax::Input;

use crate::item::position;

/// Each compiler process writes a separate file.
static FILE: LazyLock<Option<OsString>> = LazyLock::new(|| env::var_os("REDIS_KEYS_CATALOG"));

/// Writes a valid key. Returns the error if that fails.
pub(crate) fn write_key(input: &Input<'_>, schema: &Schema<String>) -> TokenStream {
    write(input, "key", || schema.to_texts())
}

/// Writes a valid parameter type: the type of a newtype's field, or the texts of an enum. Returns the error if that
/// fails.
pub(crate) fn write_segment(input: &Input<'_>, segment: &Segment) -> TokenStream {
    let ident = || input.item.ident.to_string();
    match segment {
        Segment::Names(names) => write(input, "names", || {
            let texts = names.variants.iter().map(|variant| variant.text.clone());
            [ident()].into_iter().chain(texts).collect()
        }),
        Segment::Newtype(index) => write(input, "newtype", || {
            let field = input.fields.get(*index).map(|field| field.ty.clone());
            [ident()].into_iter().chain(field).collect()
        }),
    }
}

/// Appends the record of an item: its kind, its file, its line, its column, and its texts.
fn write(input: &Input<'_>, kind: &str, texts: impl FnOnce() -> Vec<String>) -> TokenStream {
    let Some(path) = &*FILE else { return TokenStream::new() };
    let (file, line, column) = position(input.item.ident.span()).unwrap_or_default();
    let place = [kind.to_owned(), file, line.to_string(), column.to_string()];
    let record = record::write(place.into_iter().chain(texts()));
    let append = || -> io::Result<()> {
        let mut file = OpenOptions::new().append(true).create(true).open(path)?;
        file.write_all(record.as_bytes())
    };
    match append() {
        Ok(()) => TokenStream::new(),
        Err(error) => {
            let message = format!("cannot write `{}`: {error}", path.to_string_lossy());
            syn::Error::new(Span::call_site(), message).into_compile_error()
        }
    }
}

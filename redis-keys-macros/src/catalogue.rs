//! Writes declarations to the file that `cargo redis-keys --built` names, one in each line. Without that file it does nothing.

use std::ffi::OsString;
use std::fs::OpenOptions;
use std::io::Write as _;
use std::sync::LazyLock;
use std::{env, io};

use proc_macro2::{Span, TokenStream};
use redis_keys_schema::catalogue::{Entry, Json, Object};
use redis_keys_schema::{Declaration, Names, Segment};
use redis_keys_syntax::{Input, texts};

use crate::position::position;

/// Each compiler process has a file of its own.
static FILE: LazyLock<Option<OsString>> = LazyLock::new(|| env::var_os("REDIS_KEYS_CATALOG"));

/// Writes a valid key. Returns the error if that fails.
pub(crate) fn write_key(input: &Input<'_>, declaration: &Declaration) -> TokenStream {
    write(input, |file, line, column| {
        let texts = texts(input, declaration, file, line);
        let entry = Entry::new(&input.item(), declaration, texts).ok()?;
        Some(entry.object().field("column", &column))
    })
}

/// Writes a valid parameter type. Returns the error if that fails.
pub(crate) fn write_segment(input: &Input<'_>, segment: &Segment) -> TokenStream {
    write(input, |file, line, column| {
        let texts = |names: &Names| names.variants.iter().map(|variant| variant.text.clone()).collect::<Vec<_>>();
        let (texts, field) = match segment {
            Segment::Names(names) => (Some(texts(names)), None),
            Segment::Newtype(number) => (None, input.fields.get(*number).map(|field| &field.ty)),
        };
        let object = Object::new().field("segment", &input.item.ident.to_string()).field("texts", &texts);
        let object = object.field("field", &field).field("file", &file);
        Some(object.field("line", &u64::try_from(line).ok()?).field("column", &column))
    })
}

/// Appends the object of an item, for its file, line and column.
fn write(input: &Input<'_>, object: impl FnOnce(String, usize, u64) -> Option<Object>) -> TokenStream {
    let Some(path) = &*FILE else { return TokenStream::new() };
    let (file, line, column) = position(input.item.ident.span()).unwrap_or_default();
    let Some(object) = object(file, line, u64::try_from(column).unwrap_or_default()) else { return TokenStream::new() };
    let append = || -> io::Result<()> {
        let mut file = OpenOptions::new().append(true).create(true).open(path)?;
        file.write_all(format!("{}\n", object.to_json()).as_bytes())
    };
    match append() {
        Ok(()) => TokenStream::new(),
        Err(error) => {
            let message = format!("cannot write `{}`: {error}", path.to_string_lossy());
            syn::Error::new(Span::call_site(), message).into_compile_error()
        }
    }
}

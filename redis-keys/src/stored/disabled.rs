//! Placeholders for the forms whose feature is disabled, so that the compiler can name the missing feature.
//!
//! Each form requires a trait that nothing implements. The messages and the headers of the `impl`s are written out, since
//! `#[diagnostic::on_unimplemented]` takes only literals, and the compiler quotes the headers.

#![allow(unused_imports, unused_macros, reason = "nothing is left if all features are enabled")]

use std::{io, marker::PhantomData};

use super::{Stored, StoredError};

macro_rules! placeholder {
    ($form:ident, $feature:literal, $enabled:ident, $message:literal, $label:literal, $note:literal) => {
        #[doc = concat!("A stored form that needs the feature `", $feature, "`.")]
        #[derive(Debug)]
        pub struct $form<F> {
            form: PhantomData<fn() -> F>,
        }

        #[doc(hidden)]
        #[diagnostic::on_unimplemented(message = $message, label = $label, note = $note)]
        pub trait $enabled {}
    };
}

macro_rules! disabled {
    ($input:ty => $output:ty) => {
        type Input = $input;
        type Output = $output;

        fn encode(_value: &$input, _out: &mut impl io::Write) -> Result<(), StoredError> {
            Err(StoredError::new("the feature of this stored form is disabled"))
        }

        fn decode(_bytes: Vec<u8>) -> Result<$output, StoredError> {
            Err(StoredError::new("the feature of this stored form is disabled"))
        }
    };
}

#[cfg(not(feature = "json"))]
placeholder! {
    Json, "json", JsonEnabled,
    "the stored form `Json` needs the feature `json` of redis-keys",
    "the feature `json` is disabled",
    "run `cargo add redis-keys --features json`"
}
#[cfg(not(feature = "json"))]
impl<P: JsonEnabled> Stored for Json<P> {
    disabled!(P => P);
}

#[cfg(not(feature = "messagepack"))]
placeholder! {
    MessagePack, "messagepack", MessagePackEnabled,
    "the stored form `MessagePack` needs the feature `messagepack` of redis-keys",
    "the feature `messagepack` is disabled",
    "run `cargo add redis-keys --features messagepack`"
}
#[cfg(not(feature = "messagepack"))]
impl<P: MessagePackEnabled> Stored for MessagePack<P> {
    disabled!(P => P);
}

#[cfg(not(feature = "postcard"))]
placeholder! {
    Postcard, "postcard", PostcardEnabled,
    "the stored form `Postcard` needs the feature `postcard` of redis-keys",
    "the feature `postcard` is disabled",
    "run `cargo add redis-keys --features postcard`"
}
#[cfg(not(feature = "postcard"))]
impl<P: PostcardEnabled> Stored for Postcard<P> {
    disabled!(P => P);
}

#[cfg(not(feature = "protobuf"))]
placeholder! {
    Protobuf, "protobuf", ProtobufEnabled,
    "the stored form `Protobuf` needs the feature `protobuf` of redis-keys",
    "the feature `protobuf` is disabled",
    "run `cargo add redis-keys --features protobuf`"
}
#[cfg(not(feature = "protobuf"))]
impl<P: ProtobufEnabled> Stored for Protobuf<P> {
    disabled!(P => P);
}

#[cfg(not(feature = "gzip"))]
placeholder! {
    Gzip, "gzip", GzipEnabled,
    "the stored form `Gzip` needs the feature `gzip` of redis-keys",
    "the feature `gzip` is disabled",
    "run `cargo add redis-keys --features gzip`"
}
#[cfg(not(feature = "gzip"))]
impl<F: Stored + GzipEnabled> Stored for Gzip<F> {
    disabled!(F::Input => F::Output);
}

#[cfg(not(feature = "lz4"))]
placeholder! {
    Lz4, "lz4", Lz4Enabled,
    "the stored form `Lz4` needs the feature `lz4` of redis-keys",
    "the feature `lz4` is disabled",
    "run `cargo add redis-keys --features lz4`"
}
#[cfg(not(feature = "lz4"))]
impl<F: Stored + Lz4Enabled> Stored for Lz4<F> {
    disabled!(F::Input => F::Output);
}

#[cfg(not(feature = "snappy"))]
placeholder! {
    Snappy, "snappy", SnappyEnabled,
    "the stored form `Snappy` needs the feature `snappy` of redis-keys",
    "the feature `snappy` is disabled",
    "run `cargo add redis-keys --features snappy`"
}
#[cfg(not(feature = "snappy"))]
impl<F: Stored + SnappyEnabled> Stored for Snappy<F> {
    disabled!(F::Input => F::Output);
}

#[cfg(not(feature = "zstd"))]
placeholder! {
    Zstd, "zstd", ZstdEnabled,
    "the stored form `Zstd` needs the feature `zstd` of redis-keys",
    "the feature `zstd` is disabled",
    "run `cargo add redis-keys --features zstd`"
}
#[cfg(not(feature = "zstd"))]
impl<F: Stored + ZstdEnabled> Stored for Zstd<F> {
    disabled!(F::Input => F::Output);
}

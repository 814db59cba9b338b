//! The forms of which the feature is off. Their names are there all the same, so that the compiler can say what is missing.

use std::{io, marker::PhantomData};

use super::{Stored, StoredError};

/// What a form without its feature would do, if it could be used.
macro_rules! nothing {
    ($input:ty => $output:ty) => {
        type Input = $input;
        type Output = $output;

        fn encode(_value: &$input, _out: &mut impl io::Write) -> Result<(), StoredError> {
            Err(StoredError::new("its feature is off"))
        }

        fn decode(_bytes: Vec<u8>) -> Result<$output, StoredError> {
            Err(StoredError::new("its feature is off"))
        }
    };
}

/// A stored form that needs the feature `json`.
#[cfg(not(feature = "json"))]
#[derive(Debug)]
pub struct Json<P> {
    form: PhantomData<fn() -> P>,
}

#[doc(hidden)]
#[cfg(not(feature = "json"))]
#[diagnostic::on_unimplemented(
    message = "the stored form `Json` needs the feature `json` of redis-keys",
    label = "the feature `json` is off",
    note = "`cargo add redis-keys --features json` switches it on"
)]
pub trait JsonIsOn {}

#[cfg(not(feature = "json"))]
impl<P: JsonIsOn> Stored for Json<P> {
    nothing!(P => P);
}

/// A stored form that needs the feature `messagepack`.
#[cfg(not(feature = "messagepack"))]
#[derive(Debug)]
pub struct MessagePack<P> {
    form: PhantomData<fn() -> P>,
}

#[doc(hidden)]
#[cfg(not(feature = "messagepack"))]
#[diagnostic::on_unimplemented(
    message = "the stored form `MessagePack` needs the feature `messagepack` of redis-keys",
    label = "the feature `messagepack` is off",
    note = "`cargo add redis-keys --features messagepack` switches it on"
)]
pub trait MessagePackIsOn {}

#[cfg(not(feature = "messagepack"))]
impl<P: MessagePackIsOn> Stored for MessagePack<P> {
    nothing!(P => P);
}

/// A stored form that needs the feature `postcard`.
#[cfg(not(feature = "postcard"))]
#[derive(Debug)]
pub struct Postcard<P> {
    form: PhantomData<fn() -> P>,
}

#[doc(hidden)]
#[cfg(not(feature = "postcard"))]
#[diagnostic::on_unimplemented(
    message = "the stored form `Postcard` needs the feature `postcard` of redis-keys",
    label = "the feature `postcard` is off",
    note = "`cargo add redis-keys --features postcard` switches it on"
)]
pub trait PostcardIsOn {}

#[cfg(not(feature = "postcard"))]
impl<P: PostcardIsOn> Stored for Postcard<P> {
    nothing!(P => P);
}

/// A stored form that needs the feature `protobuf`.
#[cfg(not(feature = "protobuf"))]
#[derive(Debug)]
pub struct Protobuf<P> {
    form: PhantomData<fn() -> P>,
}

#[doc(hidden)]
#[cfg(not(feature = "protobuf"))]
#[diagnostic::on_unimplemented(
    message = "the stored form `Protobuf` needs the feature `protobuf` of redis-keys",
    label = "the feature `protobuf` is off",
    note = "`cargo add redis-keys --features protobuf` switches it on"
)]
pub trait ProtobufIsOn {}

#[cfg(not(feature = "protobuf"))]
impl<P: ProtobufIsOn> Stored for Protobuf<P> {
    nothing!(P => P);
}

/// A stored form that needs the feature `gzip`.
#[cfg(not(feature = "gzip"))]
#[derive(Debug)]
pub struct Gzip<F> {
    form: PhantomData<fn() -> F>,
}

#[doc(hidden)]
#[cfg(not(feature = "gzip"))]
#[diagnostic::on_unimplemented(
    message = "the stored form `Gzip` needs the feature `gzip` of redis-keys",
    label = "the feature `gzip` is off",
    note = "`cargo add redis-keys --features gzip` switches it on"
)]
pub trait GzipIsOn {}

#[cfg(not(feature = "gzip"))]
impl<F: Stored + GzipIsOn> Stored for Gzip<F> {
    nothing!(F::Input => F::Output);
}

/// A stored form that needs the feature `lz4`.
#[cfg(not(feature = "lz4"))]
#[derive(Debug)]
pub struct Lz4<F> {
    form: PhantomData<fn() -> F>,
}

#[doc(hidden)]
#[cfg(not(feature = "lz4"))]
#[diagnostic::on_unimplemented(
    message = "the stored form `Lz4` needs the feature `lz4` of redis-keys",
    label = "the feature `lz4` is off",
    note = "`cargo add redis-keys --features lz4` switches it on"
)]
pub trait Lz4IsOn {}

#[cfg(not(feature = "lz4"))]
impl<F: Stored + Lz4IsOn> Stored for Lz4<F> {
    nothing!(F::Input => F::Output);
}

/// A stored form that needs the feature `snappy`.
#[cfg(not(feature = "snappy"))]
#[derive(Debug)]
pub struct Snappy<F> {
    form: PhantomData<fn() -> F>,
}

#[doc(hidden)]
#[cfg(not(feature = "snappy"))]
#[diagnostic::on_unimplemented(
    message = "the stored form `Snappy` needs the feature `snappy` of redis-keys",
    label = "the feature `snappy` is off",
    note = "`cargo add redis-keys --features snappy` switches it on"
)]
pub trait SnappyIsOn {}

#[cfg(not(feature = "snappy"))]
impl<F: Stored + SnappyIsOn> Stored for Snappy<F> {
    nothing!(F::Input => F::Output);
}

/// A stored form that needs the feature `zstd`.
#[cfg(not(feature = "zstd"))]
#[derive(Debug)]
pub struct Zstd<F> {
    form: PhantomData<fn() -> F>,
}

#[doc(hidden)]
#[cfg(not(feature = "zstd"))]
#[diagnostic::on_unimplemented(
    message = "the stored form `Zstd` needs the feature `zstd` of redis-keys",
    label = "the feature `zstd` is off",
    note = "`cargo add redis-keys --features zstd` switches it on"
)]
pub trait ZstdIsOn {}

#[cfg(not(feature = "zstd"))]
impl<F: Stored + ZstdIsOn> Stored for Zstd<F> {
    nothing!(F::Input => F::Output);
}

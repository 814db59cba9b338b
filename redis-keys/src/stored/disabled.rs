//! Placeholders for the forms whose feature is disabled, so that the compiler can name the missing feature.
//!
//! Each form requires a trait that nothing implements. The messages and the headers of the `impl`s are written out,
//! because `#[diagnostic::on_unimplemented]` takes only literals, and the compiler quotes the headers.

#![allow(unused_imports, unused_macros, reason = "nothing is left if all features are enabled")]

use std::io;
use std::marker::PhantomData;

use super::{Stored, StoredError};

macro_rules! refuse {
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

macro_rules! disabled {
    (
        $feature:literal, $form:ident $(<const $version:ident>)?, $enabled:ident, $message:literal, $label:literal, $note:literal,
        $implementation:item
    ) => {
        #[cfg(not(feature = $feature))]
        #[doc = concat!("A stored form that needs the feature `", $feature, "`.")]
        #[derive(Debug)]
        pub struct $form<F $(, const $version: u8 = 1)?> {
            form: PhantomData<fn() -> F>,
        }

        #[cfg(not(feature = $feature))]
        #[doc(hidden)]
        #[diagnostic::on_unimplemented(message = $message, label = $label, note = $note)]
        pub trait $enabled {}

        #[cfg(not(feature = $feature))]
        $implementation
    };
}

disabled! {
    "json", Json, JsonEnabled,
    "the stored form `Json` needs the feature `json` of redis-keys",
    "the feature `json` is disabled",
    "run `cargo add redis-keys --features json`",
    impl<P: JsonEnabled> Stored for Json<P> { refuse!(P => P); }
}

disabled! {
    "messagepack", MessagePack, MessagePackEnabled,
    "the stored form `MessagePack` needs the feature `messagepack` of redis-keys",
    "the feature `messagepack` is disabled",
    "run `cargo add redis-keys --features messagepack`",
    impl<P: MessagePackEnabled> Stored for MessagePack<P> { refuse!(P => P); }
}

disabled! {
    "postcard", Postcard<const VERSION>, PostcardEnabled,
    "the stored form `Postcard` needs the feature `postcard` of redis-keys",
    "the feature `postcard` is disabled",
    "run `cargo add redis-keys --features postcard`",
    impl<P: PostcardEnabled, const VERSION: u8> Stored for Postcard<P, VERSION> { refuse!(P => P); }
}

disabled! {
    "protobuf", Protobuf, ProtobufEnabled,
    "the stored form `Protobuf` needs the feature `protobuf` of redis-keys",
    "the feature `protobuf` is disabled",
    "run `cargo add redis-keys --features protobuf`",
    impl<P: ProtobufEnabled> Stored for Protobuf<P> { refuse!(P => P); }
}

disabled! {
    "gzip", Gzip, GzipEnabled,
    "the stored form `Gzip` needs the feature `gzip` of redis-keys",
    "the feature `gzip` is disabled",
    "run `cargo add redis-keys --features gzip`",
    impl<F: Stored + GzipEnabled> Stored for Gzip<F> { refuse!(F::Input => F::Output); }
}

disabled! {
    "lz4", Lz4, Lz4Enabled,
    "the stored form `Lz4` needs the feature `lz4` of redis-keys",
    "the feature `lz4` is disabled",
    "run `cargo add redis-keys --features lz4`",
    impl<F: Stored + Lz4Enabled> Stored for Lz4<F> { refuse!(F::Input => F::Output); }
}

disabled! {
    "secret", Secret, SecretEnabled,
    "the stored form `Secret` needs the feature `secret` of redis-keys",
    "the feature `secret` is disabled",
    "run `cargo add redis-keys --features secret`",
    impl<F: Stored + SecretEnabled> Stored for Secret<F> { refuse!(F::Input => F::Output); }
}

disabled! {
    "snappy", Snappy, SnappyEnabled,
    "the stored form `Snappy` needs the feature `snappy` of redis-keys",
    "the feature `snappy` is disabled",
    "run `cargo add redis-keys --features snappy`",
    impl<F: Stored + SnappyEnabled> Stored for Snappy<F> { refuse!(F::Input => F::Output); }
}

disabled! {
    "zstd", Zstd, ZstdEnabled,
    "the stored form `Zstd` needs the feature `zstd` of redis-keys",
    "the feature `zstd` is disabled",
    "run `cargo add redis-keys --features zstd`",
    impl<F: Stored + ZstdEnabled> Stored for Zstd<F> { refuse!(F::Input => F::Output); }
}

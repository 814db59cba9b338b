//! Placeholders for the forms whose feature is disabled, so that the compiler can name the missing feature.
//!
//! Each form requires a trait that nothing implements. `#[diagnostic::on_unimplemented]` takes literals only, hence the
//! spelled-out messages.

macro_rules! disabled_forms {
    ($(
        $feature:tt $form:ident<$parameter:ident $(: $bound:ident)?>($input:ty => $output:ty), $enabled:ident:
        $message:literal, $label:literal, $note:literal;
    )*) => {$(
        #[doc = concat!("A stored form that needs the feature `", $feature, "`.")]
        #[cfg(not(feature = $feature))]
        #[derive(Debug)]
        pub struct $form<$parameter> {
            form: std::marker::PhantomData<fn() -> $parameter>,
        }

        #[doc(hidden)]
        #[cfg(not(feature = $feature))]
        #[diagnostic::on_unimplemented(message = $message, label = $label, note = $note)]
        pub trait $enabled {}

        #[cfg(not(feature = $feature))]
        impl<$parameter: $enabled $(+ super::$bound)?> super::Stored for $form<$parameter> {
            type Input = $input;
            type Output = $output;

            fn encode(_value: &$input, _out: &mut impl std::io::Write) -> Result<(), super::StoredError> {
                Err(super::StoredError::new("the feature of this stored form is disabled"))
            }

            fn decode(_bytes: Vec<u8>) -> Result<$output, super::StoredError> {
                Err(super::StoredError::new("the feature of this stored form is disabled"))
            }
        }
    )*};
}

disabled_forms! {
    "json" Json<P>(P => P), JsonEnabled:
        "the stored form `Json` needs the feature `json` of redis-keys",
        "the feature `json` is disabled",
        "run `cargo add redis-keys --features json`";
    "messagepack" MessagePack<P>(P => P), MessagePackEnabled:
        "the stored form `MessagePack` needs the feature `messagepack` of redis-keys",
        "the feature `messagepack` is disabled",
        "run `cargo add redis-keys --features messagepack`";
    "postcard" Postcard<P>(P => P), PostcardEnabled:
        "the stored form `Postcard` needs the feature `postcard` of redis-keys",
        "the feature `postcard` is disabled",
        "run `cargo add redis-keys --features postcard`";
    "protobuf" Protobuf<P>(P => P), ProtobufEnabled:
        "the stored form `Protobuf` needs the feature `protobuf` of redis-keys",
        "the feature `protobuf` is disabled",
        "run `cargo add redis-keys --features protobuf`";
    "gzip" Gzip<F: Stored>(F::Input => F::Output), GzipEnabled:
        "the stored form `Gzip` needs the feature `gzip` of redis-keys",
        "the feature `gzip` is disabled",
        "run `cargo add redis-keys --features gzip`";
    "lz4" Lz4<F: Stored>(F::Input => F::Output), Lz4Enabled:
        "the stored form `Lz4` needs the feature `lz4` of redis-keys",
        "the feature `lz4` is disabled",
        "run `cargo add redis-keys --features lz4`";
    "snappy" Snappy<F: Stored>(F::Input => F::Output), SnappyEnabled:
        "the stored form `Snappy` needs the feature `snappy` of redis-keys",
        "the feature `snappy` is disabled",
        "run `cargo add redis-keys --features snappy`";
    "zstd" Zstd<F: Stored>(F::Input => F::Output), ZstdEnabled:
        "the stored form `Zstd` needs the feature `zstd` of redis-keys",
        "the feature `zstd` is disabled",
        "run `cargo add redis-keys --features zstd`";
}

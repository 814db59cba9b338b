//! Inside of `macro_rules!`, with fragments of every kind.

use redis_keys::prelude::*;

macro_rules! records {
    ($(
        $(#[$attribute:meta])*
        $visibility:vis $name:ident { $($field:ident: $ty:ty = $stored:literal as $form:ty),* }
    )*) => {$(
        $(#[$attribute])*
        #[derive(RedisHash)]
        $visibility struct $name {
            $(
                /// One of them.
                #[redis_hash(rename = $stored, value = $form)]
                pub $field: $ty,
            )*
        }
    )*};
}

records! {
    /// Fragments for types and for forms, of which ours are not in scope.
    pub Profile { name: String = "n" as String, tags: Option<Vec<String>> = "t" as Json<Vec<String>> }
    /// Another one.
    pub Count { r#type: u64 = "c" as u64 }
}

macro_rules! fields {
    ($name:ident { $($field:ident),* } $($option:tt)*) => {
        /// As many fields as are named.
        #[derive(RedisHash)]
        pub struct $name {
            /// One more.
            #[redis_hash($($option)*)]
            pub one_more: Option<u8>,
            $(
                /// One of them.
                pub $field: u16,
            )*
        }
    };
}

fields!(Fields { first, second } rename = more, ttl = 10m);

/// A macro that goes through another macro.
macro_rules! nested {
    ($($name:ident)*) => {$(
        fields!($name { first } ttl = "1h");
    )*};
}

nested!(Nested Again);

#[test]
fn fragments_are_read() {
    use redis_keys::types::record::Presence::{Mandatory, Optional};

    assert_eq!(super::names::<Profile>(), ["n", "t"]);
    assert_eq!(Profile::FIELDS.iter().map(|field| field.presence).collect::<Vec<_>>(), [Mandatory, Optional]);
    assert_eq!((Profile::TAGS.name(), Count::TYPE.name()), ("t", "c"));
    assert_eq!(super::names::<Fields>(), ["more", "first", "second"]);
    assert_eq!((Fields::ONE_MORE.name(), Fields::SECOND.name()), ("more", "second"));
    assert_eq!(
        (super::names::<Nested>(), super::names::<Again>()),
        (vec!["one_more", "first"], vec!["one_more", "first"])
    );
}

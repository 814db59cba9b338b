//! Inside of `macro_rules!`, with fragments of every kind in the template and in the options.

use redis_keys::prelude::*;

macro_rules! keys {
    ($(
        $(#[$attribute:meta])*
        $visibility:vis $name:ident($field:ident: $parameter:ty) = $module:ident, $ttl:literal, $jitter:tt, $value:ty;
    )*) => {$(
        $(#[$attribute])*
        #[derive(RedisKey)]
        #[redis_key($module:by.macro:{$field}:string, value = $value, ttl = $ttl, jitter = $jitter)]
        $visibility struct $name {
            /// Its parameter.
            pub $field: $parameter,
        }
    )*};
}

keys! {
    /// One fragment for a type that is a path.
    pub Views(page: u32) = page, 1d, 10m, u64;
    /// One for a form of ours, which is not in scope.
    pub Profiles(user_id: u64) = profile, 1h, "10%", Json<Vec<u8>>;
}

macro_rules! quoted {
    ($name:ident, $template:literal, $value:literal) => {
        /// Declared in quotes.
        #[derive(RedisKey)]
        #[redis_key($template, value = $value, ttl = 1h)]
        pub struct $name {
            /// Its parameter.
            pub id: u64,
        }
    };
}

quoted!(Quoted, "macrobyexample:quoted:{id}:string", "Json<u8>");

macro_rules! words {
    ($name:ident, $($word:tt)*) => {
        /// Declared by a run of tokens.
        #[derive(RedisKey)]
        #[redis_key($($word)*)]
        pub struct $name {
            /// Its parameter.
            pub id: u64,
        }
    };
}

words!(Words, macrobyexample:words:{id}:string, value = Json<Option<u8>>, ttl = 1h);

macro_rules! fields {
    ($name:ident { $($field:ident),* }) => {
        /// As many placeholders as fields.
        #[derive(RedisKey)]
        #[redis_key(macrobyexample:fields $(:{$field})* :string, value = u64, ttl = 1h)]
        pub struct $name {
            $(
                /// One of them.
                pub $field: u16,
            )*
        }
    };
}

fields!(Fields { first, second });

/// A macro that goes through another macro.
macro_rules! nested {
    ($($name:ident)*) => {$(
        fields!($name { first });
    )*};
}

nested!(Nested);

#[test]
fn fragments_are_read() {
    crate::assert_key(&Views { page: 7 }, "page:by.macro:7:string");
    crate::assert_key(&Profiles { user_id: 42 }, "profile:by.macro:42:string");
    crate::assert_key(&Quoted { id: 42 }, "macrobyexample:quoted:42:string");
    crate::assert_key(&Words { id: 42 }, "macrobyexample:words:42:string");
    crate::assert_key(&Fields { first: 1, second: 2 }, "macrobyexample:fields:1:2:string");
    crate::assert_key(&Nested { first: 1 }, "macrobyexample:fields:1:string");
    let found: (Command<Option<Vec<u8>>>, Command<Option<u8>>) =
        (Profiles { user_id: 42 }.get(), Quoted { id: 42 }.get());
    drop(found);
}

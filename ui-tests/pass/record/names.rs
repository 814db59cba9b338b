//! Names of every kind, and what can be seen of them from where.

/// A module in a module.
pub mod outer {
    /// The inner one.
    pub mod inner {
        use redis_keys::prelude::*;

        /// The data of a user.
        #[derive(RedisHash)]
        #[allow(non_snake_case, reason = "that is the case")]
        pub struct Profile {
            pub(in crate::record) name: String,
            pub(super) page: u32,
            /// Its kind.
            pub r#type: u8,
            private: Option<bool>,
            pub(crate) userId: u64,
            pub(crate) größe: Option<u8>,
            pub(crate) _hidden: Option<u8>,
            pub(crate) _1: Option<u8>,
        }

        /// Uses what is private.
        pub fn private() -> &'static str {
            Profile::PRIVATE.name()
        }
    }

    /// Uses what is seen here.
    pub fn page() -> &'static str {
        inner::Profile::PAGE.name()
    }
}

/// A private record without a use.
#[derive(redis_keys::RedisHash)]
#[allow(dead_code, reason = "that is the case")]
struct UnusedRecord {
    a: u8,
}

#[test]
fn every_name_works() {
    use outer::inner::Profile;

    assert_eq!((Profile::NAME.name(), outer::page(), outer::inner::private()), ("name", "page", "private"));
    assert_eq!((Profile::TYPE.name(), Profile::USER_ID.name(), Profile::GRÖSSE.name()), ("type", "userId", "größe"));
    assert_eq!((Profile::HIDDEN.name(), Profile::_1.name()), ("_hidden", "_1"));
}

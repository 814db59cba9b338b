//! Structs and fields of every visibility, in nested modules.

use redis_keys::prelude::*;

/// A module in a module.
pub mod outer {
    /// The inner one.
    pub mod inner {
        use redis_keys::prelude::*;

        /// The user's name.
        ///
        /// It may change.
        #[derive(RedisKey)]
        #[redis_key(visibility:name:{user_id}:{page}:string, value = String, ttl = 1h)]
        pub struct Name {
            pub(in crate::visibility) user_id: u64,
            pub(super) page: u32,
        }

        #[derive(RedisKey)]
        #[redis_key(visibility:mail:{user_id}:string, value = String, ttl = 1h)]
        pub(in crate::visibility) struct Mail {
            pub user_id: u64,
        }
    }

    /// The first page of a user's.
    pub fn first_page(user_id: u64) -> inner::Name {
        inner::Name { user_id, page: 1 }
    }
}

#[derive(RedisKey)]
#[redis_key(visibility:age:{0}:string, value = u8, ttl = 1h)]
pub(crate) struct Age(u64);

#[derive(RedisKey)]
#[redis_key(visibility:city:{0}:string, value = String, ttl = 1h)]
struct City(u64);

/// Uses what is private.
pub fn commands(user_id: u64) -> (Command<bool>, Command<bool>, Command<bool>) {
    (outer::inner::Mail { user_id }.exists(), Age(user_id).exists(), City(user_id).exists())
}

#[test]
fn every_visibility_works() {
    crate::assert_key(&outer::first_page(42), "visibility:name:42:1:string");
    assert_eq!(outer::inner::Name::SCHEMA.docs, Some("The user's name.\n\nIt may change."));
    assert_eq!(Age::SCHEMA.docs, None);
    drop(commands(42));
}

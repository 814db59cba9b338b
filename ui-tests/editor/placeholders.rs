//! Placeholders are references to fields.
use redis_keys::parameter::bucket::Month;
use redis_keys::prelude::*;

#[derive(RedisKey)]
#[redis_key(user:name:{user_id}:string, value = String, ttl = 1h)]
//                     ^^^^^^^
// definition: user_id: u64,
// hover: user_id: u64
// hover: The number of the user.
// token: property
// rename account_id: #[redis_key(user:name:{account_id}:string, value = String, ttl = 1h)]
// rename account_id: account_id: u64,
// rename account_id: let name = Name { account_id: 7 };
struct Name {
    /// The number of the user.
    user_id: u64,
//  ^^^^^^^
// references: #[redis_key(user:name:{user_id}:string, value = String, ttl = 1h)]
// references: user_id: u64,
// references: let name = Name { user_id: 7 };
// rename account_id: #[redis_key(user:name:{account_id}:string, value = String, ttl = 1h)]
// rename account_id: account_id: u64,
// rename account_id: let name = Name { account_id: 7 };
}

#[derive(RedisKey)]
#[redis_key(user:follows:{id % 8}:{#id}:{month}:set, value = u64, ttl = 1h, ttl_from_end_of = month)]
//                        ^^
// definition: id: u64,
//                                  ^^
// definition: id: u64,
// token: property
// rename follower: #[redis_key(user:follows:{follower % 8}:{#follower}:{month}:set, value = u64, ttl = 1h, ttl_from_end_of = month)]
// rename follower: follower: u64,
//                                                                                            ^^^^^
// definition: month: Month,
// hover: month: Month
// token: property
struct Follows {
    id: u64,
    month: Month,
}

#[derive(RedisKey)]
#[redis_key(user:pair:{0}:{1}:string, value = u8, ttl = 1h)]
//                         ^
// definition: struct Pair(u64, u32);
// hover: 1: u32
struct Pair(u64, u32);

#[derive(RedisKey)]
#[redis_key(user:kind:{type}:string, value = u8, ttl = 1h)]
//                     ^^^^
// definition: r#type: u64,
struct Kind {
    r#type: u64,
}

#[derive(RedisKey)]
#[redis_key(user:copied:{id}:{copy}:string, value = u8, ttl = 1h, copies = 8)]
//                       ^^
// definition: id: u64,
//                            ^^^^
// definition: none
struct CopiedTemplate {
    id: u64,
}

/// A quoted template is one word for editors.
#[derive(RedisKey)]
#[redis_key("user:quoted:{id}:string", value = "u8", ttl = "1h")]
//          ^^^^^^^^^^^^^^^^^^^^^^^^
// hover: none
// definition: none
struct QuotedTemplate {
    id: u64,
//  ^^
// references: id: u64,
}

#[derive(RedisKey)]
#[redis_key(user:generic:{id}:{of}:string, value = Json<Vec<T>>, ttl = 1h)]
//                             ^^
// definition: of: T,
//                                                          ^
// definition: struct Generic<'a, T: KeySegment + serde::Serialize + serde::de::DeserializeOwned = u64, const N: usize = 5>
struct Generic<'a, T: KeySegment + serde::Serialize + serde::de::DeserializeOwned = u64, const N: usize = 5>
where
    T: Send,
{
    id: &'a str,
    of: T,
    array: std::marker::PhantomData<[T; N]>,
}

macro_rules! key {
    ($name:ident, $field:ident, $value:ty) => {
        #[derive(RedisKey)]
        #[redis_key(user:made:{$field}:string, value = $value, ttl = 1h)]
        struct $name {
            $field: u64,
        }
    };
    ($name:ident) => {
        #[derive(RedisKey)]
        #[redis_key(user:own:{id}:string, value = u64, ttl = 1h)]
        struct $name {
            id: u64,
        }
    };
}

key!(Made, user_id, Json<Vec<u64>>);
//         ^^^^^^^
// definition: key!(Made, user_id, Json<Vec<u64>>);
// rename id: key!(Made, id, Json<Vec<u64>>);
// rename id: let made = Made { id: 5 };
key!(Own);

fn main() {
    let name = Name { user_id: 7 };
    let made = Made { user_id: 5 };
    let own = Own { id: 5 };
    let names = (name.get(), made.get(), own.get());
    //                ^^^
    // hover: fn get(&self) -> Command<Option
}

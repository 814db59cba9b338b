//! Inside of functions and of other blocks.

use redis_keys::{Error, RedisKey};

/// The keys of a function's own.
///
/// # Errors
///
/// If a parameter breaks a rule.
pub fn texts(user: &str) -> Result<[String; 2], Error> {
    #[derive(RedisKey)]
    #[redis_key(functions:name:{user}:string, value = String, ttl = 1h)]
    struct Name<'u> {
        user: &'u str,
    }

    #[derive(RedisKey)]
    #[redis_key(functions:mail:{user}:string, value = String, ttl = 1h)]
    struct Mail<'u> {
        user: &'u str,
    }

    Ok([Name { user }.key()?.to_string(), Mail { user }.key()?.to_string()])
}

/// A constant that a block works out.
pub const TEMPLATE: &str = {
    #[derive(RedisKey)]
    #[redis_key(functions:count:all:string, value = u64, ttl = 1h)]
    struct Count;

    Count::SCHEMA.template
};

#[test]
fn keys_of_a_function_work() {
    let texts = texts("ada").map_err(|error| error.to_string());
    assert_eq!(texts, Ok(["functions:name:ada:string", "functions:mail:ada:string"].map(str::to_owned)));
    assert_eq!(TEMPLATE, "functions:count:all:string");

    let closure = |id| {
        #[derive(RedisKey)]
        #[redis_key(functions:age:{id}:string, value = u8, ttl = 1h)]
        struct Age {
            id: u8,
        }

        crate::assert_key(&Age { id }, "functions:age:7:string");
    };
    closure(7);
}

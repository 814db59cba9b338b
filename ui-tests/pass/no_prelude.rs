//! Without any name in scope.
#![no_implicit_prelude]

/// Text, a number and an object.
#[derive(::redis_keys::RedisKey)]
#[redis_key(
    noprelude:basic.info:{name}:{page}:string,
    value = Json<::std::vec::Vec<u8>>,
    ttl = 1h,
    jitter = 10%,
    renew = below(10m),
    max_bytes = 8KB,
    owner = "the web team",
)]
pub struct BasicInfo<'n> {
    /// Text.
    pub name: &'n str,
    /// A number.
    pub page: u32,
}

/// A type parameter, and a path of another crate's.
#[derive(::redis_keys::RedisKey)]
#[redis_key(noprelude:any:v.{0}:string, value = u64, ttl = never, reason = "a fixed table", rebuild = "from the table", crate = ::redis_keys)]
pub struct Any<T>(pub T);

#[test]
fn nothing_has_to_be_in_scope() {
    crate::assert_key(&BasicInfo { name: "ada", page: 7 }, "noprelude:basic.info:ada:7:string");
    crate::assert_key(&Any(7_u8), "noprelude:any:v.7:string");
}

//! Without any name in scope.
#![no_implicit_prelude]

/// Text, a number, an object and nothing at all.
#[derive(::redis_keys::RedisHash)]
#[redis_hash(crate = ::redis_keys)]
pub struct Profile<T> {
    /// Text.
    pub name: ::std::string::String,
    /// A number.
    #[redis_hash(default)]
    pub page: u32,
    /// An object.
    #[redis_hash(value = Json<::std::vec::Vec<u8>>, ttl = 10m)]
    pub object: ::std::option::Option<::std::vec::Vec<u8>>,
    /// Anything.
    #[redis_hash(rename = "any")]
    pub thing: T,
    /// Nothing.
    pub of: ::std::marker::PhantomData<T>,
}

#[test]
fn nothing_has_to_be_in_scope() {
    ::std::assert_eq!(crate::record::names::<Profile<u8>>(), ["name", "page", "object", "any"]);
}

//! Hot keys.
#![no_implicit_prelude]
#![deny(warnings, missing_docs)]

/// The number of the copy first.
#[derive(::redis_keys::RedisKey)]
#[redis_key(shop:banner:{#copy}:{shop}:{query}:string, value = Json<u64>, ttl = 10m, jitter = 10%, copies = 1_000)]
pub struct Banner<'q> {
    /// Whose.
    pub shop: u64,
    /// For what.
    #[redis_key(digest)]
    pub query: &'q str,
}

/// Alone, and as one word.
#[derive(::redis_keys::RedisKey)]
#[redis_key("shop:motto:v.{copy}:string", value = u64, ttl = never, reason = "a fixed table", rebuild = "from the table", copies = "2")]
pub struct Motto;

/// Open types, and all options.
#[derive(::redis_keys::RedisKey)]
#[redis_key(
    shop:sale:{of % 10}:{copy}:{month}:string,
    value = T,
    ttl = 1d,
    ttl_from_end_of = month,
    max_bytes = 1KB,
    copies = 8,
    crate = ::redis_keys,
)]
pub struct Sale<N, T> {
    /// Of what.
    pub of: N,
    /// The month.
    pub month: ::redis_keys::parameter::bucket::Month,
    /// Its value.
    pub value: ::core::marker::PhantomData<T>,
}

/// A field of that name is a field where there are no copies.
#[derive(::redis_keys::RedisKey)]
#[redis_key(shop:print:{copy}:string, value = u64, ttl = 1h)]
pub struct Print {
    /// The copy.
    pub copy: u8,
}

#[test]
fn copies_print() {
    use ::redis_keys::types::copies::CopiedKey as _;
    const ABC: &str = "ba7816bf8f01cfea414140de5dae2223";
    crate::assert_key(
        &Banner { shop: 7, query: "abc" }.copy(999),
        &::std::format!("shop:banner:{{999}}:7:{ABC}:string"),
    );
    crate::assert_key(&Motto.copy(1), "shop:motto:v.1:string");
    let month = ::redis_keys::parameter::bucket::Month::now();
    let sale = Sale::<u64, ::std::string::String> { of: 42, month, value: ::core::marker::PhantomData };
    crate::assert_key(&sale.copy(3), &::std::format!("shop:sale:2:3:{month}:string"));
    crate::assert_key(&Print { copy: 9 }, "shop:print:9:string");
}

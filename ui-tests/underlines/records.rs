//! Underlines in a record.
use redis_keys::prelude::*;

struct Address;

#[derive(RedisHash)]
struct Nothing {
    // ^^^^^^^
    // record: make one field mandatory: neither an `Option` nor `default`
    name: Option<String>,
}

#[derive(RedisHash)]
#[redis_hash(rename_all = "camelCase")]
//           ^^^^^^^^^^
// declaration: write `#[redis_hash(rename = "…")]` at the fields that are stored under another name
struct Options {
    id: u64,
    #[redis_hash(defualt, value = json<Address>)]
    //           ^^^^^^^          ^^^^
    // declaration: did you mean `default`?
    // stored-form: write `Json`
    address: Address,
    #[redis_hash(ttl = 10m, rename = "e mail")]
    //           ^^^                 ^^^^^^^^
    // expiry: write `email: Option<String>`, or add `default`
    // record: write `e_mail`
    email: String,
    #[redis_hash(rename = "id")]
    //                    ^^^^
    // record: write another name
    other: u64,
}

#[derive(RedisHash)]
struct Types<'a, 'b> {
    //           ^^
    // record: remove `'b`
    id: u64,
    name: &'a str,
    //    ^^^^^^^
    // record: write `String`
    address: Option<Json<Address>>,
    //       ^^^^^^^^^^^^^^^^^^^^^
    // stored-form: write `#[redis_hash(value = Json<Address>)]`, and `Address` as the field's type
    of: std::marker::PhantomData<&'b u8>,
}

#[derive(RedisHash)]
struct StoredRecord {
    id: u64,
    address: Option<Address>,
    //              ^^^^^^^
    // : add `#[redis_hash(value = Json<Address>)]` to the field
    #[redis_hash(value = Json<Address>)]
    //                   ^^^^^^^^^^^^^
    // : add `#[derive(serde::Serialize, serde::Deserialize)]` to `Address`
    other: Address,
}

fn main() {}

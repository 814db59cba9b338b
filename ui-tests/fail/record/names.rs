// A stored name is a short word, and no two fields have one.
use redis_keys::prelude::*;

// No two fields have one constant.
#[derive(RedisHash)]
#[allow(non_snake_case)]
struct Constants {
    userId: u64,
    user_id: u64,
}

// No two fields are stored under one name.
#[derive(RedisHash)]
struct RenamedField {
    #[redis_hash(rename = "mail")]
    email: String,
    #[redis_hash(rename = "mail")]
    post: String,
}

#[derive(RedisHash)]
struct Plain {
    #[redis_hash(rename = "mail")]
    email: String,
    mail: String,
}

// A stored name is a word.
#[derive(RedisHash)]
struct Signs {
    #[redis_hash(rename = "")]
    first: String,
    #[redis_hash(rename = "e mail")]
    second: String,
    #[redis_hash(rename = "e\tmail")]
    third: String,
    #[redis_hash(rename = e mail)]
    fourth: String,
}

// A stored name is short.
#[derive(RedisHash)]
struct TooLong {
    #[redis_hash(rename = "a.name.that.is.longer.than.any.name.of.a.field.can.be.if.it.is.to.be.stored")]
    first: String,
    a_name_that_is_longer_than_any_name_of_a_field_can_be_if_it_is_to_be_stored: String,
}

fn main() {}

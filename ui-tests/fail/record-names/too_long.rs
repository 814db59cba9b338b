// A stored name is short.
use redis_keys::prelude::*;

#[derive(RedisHash)]
struct Case {
    #[redis_hash(rename = "a.name.that.is.longer.than.any.name.of.a.field.can.be.if.it.is.to.be.stored")]
    first: String,
    a_name_that_is_longer_than_any_name_of_a_field_can_be_if_it_is_to_be_stored: String,
}

fn main() {}

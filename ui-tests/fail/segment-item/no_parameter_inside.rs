// What is inside a newtype is a parameter type itself.
use redis_keys::KeySegment;
use std::time::Duration;

#[derive(KeySegment)]
struct Wait(Duration);

fn main() {}

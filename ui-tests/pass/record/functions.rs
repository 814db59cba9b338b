//! Inside of functions and of other blocks.

use redis_keys::RedisHash;

/// The name of a function's own record's field.
pub fn name() -> &'static str {
    #[derive(RedisHash)]
    struct Profile {
        name: String,
        #[redis_hash(value = Json<Address>)]
        address: Option<Address>,
    }

    #[derive(serde::Deserialize, serde::Serialize)]
    struct Address;

    let ada = Profile { name: "Ada".to_owned(), address: Some(Address) };
    drop((ada.name, ada.address));
    Profile::NAME.name()
}

/// A constant that a block works out.
pub const FIELDS: usize = {
    #[derive(RedisHash)]
    struct Count {
        of: u64,
    }

    Count::FIELDS.len()
};

#[test]
fn records_of_a_function_work() {
    assert_eq!((name(), FIELDS), ("name", 1));
}

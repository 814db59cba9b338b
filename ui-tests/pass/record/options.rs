//! Everything that can be said of a field, in every way.

use redis_keys::prelude::*;
use serde::{Deserialize, Serialize};

use self::axum::Json;

mod axum {
    /// The response to a request.
    pub struct Json<T>(pub T);
}

/// A value stored as JSON. Its fields belong to serde.
#[derive(Debug, Default, Deserialize, PartialEq, Serialize)]
pub struct Address {
    /// The town.
    #[serde(rename = "t")]
    pub town: String,
}

/// A record, which serde can write and read too.
#[derive(Deserialize, RedisHash, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Profile {
    /// With nothing said of it.
    pub name: String,
    /// Bare.
    #[redis_hash(rename = mail, default)]
    pub email: String,
    /// In quotes, with another `Json` in scope.
    #[redis_hash(rename = "home-address", value = "Json<Address>", ttl = "10m")]
    #[serde(skip)]
    pub home: Option<Address>,
    /// In several attributes.
    #[redis_hash(value = Json<Address>)]
    #[redis_hash(default)]
    #[redis_hash(ttl = 1h30m,)]
    pub work: Address,
    /// Behind a condition.
    #[cfg_attr(all(), redis_hash(r#rename = r#"raw"#))]
    #[cfg_attr(any(), redis_hash(nobody_reads_this))]
    pub raw: std::option::Option<u8>,
    /// A field that is not there.
    #[cfg(any())]
    pub page: Nothing,
    /// A value that is nothing for JSON is something here.
    #[redis_hash(value = Json<Option<u8>>)]
    pub twice: Option<Option<u8>>,
}

/// Answers a request.
pub fn answer(address: Address) -> Json<Address> {
    Json(address)
}

#[test]
fn options_are_read() {
    use std::time::Duration;

    use redis_keys::types::record::Presence;

    let declared: Vec<_> =
        Profile::FIELDS.iter().map(|field| (field.name, field.form, field.presence, field.ttl)).collect();
    let minutes = |minutes: u64| Some(Duration::from_secs(minutes * 60));
    assert_eq!(
        declared,
        [
            ("name", "String", Presence::Mandatory, None),
            ("mail", "String", Presence::Default, None),
            ("home-address", "Json<Address>", Presence::Optional, minutes(10)),
            ("work", "Json<Address>", Presence::Default, minutes(90)),
            ("raw", "u8", Presence::Optional, None),
            ("twice", "Json<Option<u8>>", Presence::Optional, None),
        ]
    );
    assert_eq!(answer(Address::default()).0, Address::default());
}

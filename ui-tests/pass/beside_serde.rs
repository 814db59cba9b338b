//! Beside other derives, which have attributes of their own on the struct and on its fields.

use redis_keys::prelude::*;
use serde::{Deserialize, Serialize};

/// A key that is a value, too.
#[derive(Clone, Debug, Default, Deserialize, Eq, Hash, Ord, PartialEq, PartialOrd, RedisKey, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[redis_key(besideserde:last.seen:{user_id}:{device}:string, value = Json<LastVisit>, ttl = 1d)]
#[non_exhaustive]
pub struct LastVisit {
    /// Whose.
    #[serde(rename = "user")]
    pub user_id: u64,
    /// The device.
    #[serde(default)]
    pub device: String,
}

#[test]
fn the_key_holds_its_own_kind() {
    let key = LastVisit { user_id: 42, device: "phone".to_owned() };
    crate::assert_key(&key, "besideserde:last.seen:42:phone:string");
    let set = key.set(&key.clone());
    let get: Command<Option<LastVisit>> = key.get();
    drop((set, get));
}

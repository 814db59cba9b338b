//! With another crate's `Json` in scope: inside of `value` the name means ours.

use redis_keys::prelude::*;
use serde::{Deserialize, Serialize};

use self::axum::Json;

mod axum {
    /// The response to a request.
    pub struct Json<T>(pub T);
}

/// The stored value.
#[derive(Debug, Deserialize, PartialEq, Serialize)]
pub struct Profile {
    /// Its name.
    pub name: String,
}

/// The profile of a user.
#[derive(RedisKey)]
#[redis_key(otherjson:profile:{user_id}:string, value = Json<Profile>, ttl = 1h)]
pub struct UserProfile {
    /// Whose.
    pub user_id: u64,
}

/// The same in quotes.
#[derive(RedisKey)]
#[redis_key("otherjson:quoted:{user_id}:string", value = "Json<Profile>", ttl = "1h")]
pub struct QuotedProfile {
    /// Whose.
    pub user_id: u64,
}

/// Both meanings, side by side.
pub fn answer(profile: Profile) -> (Json<Profile>, Command<Option<Profile>>, Command<Option<Profile>>) {
    (Json(profile), UserProfile { user_id: 42 }.get(), QuotedProfile { user_id: 42 }.get())
}

#[test]
fn ours_is_stored() {
    let (Json(profile), ..) = answer(Profile { name: "Ada".to_owned() });
    drop(UserProfile { user_id: 42 }.set(&profile));
    assert_eq!(profile, Profile { name: "Ada".to_owned() });
}

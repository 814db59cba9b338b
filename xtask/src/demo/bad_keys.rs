use redis_keys::prelude::*;
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize)]
struct Profile { name: String, email: String }

#[derive(RedisKey)]
#[redis_key(user:basicInfo:{user_idd}:strng, value = Json<Profile>, expire = 3600)]
struct BasicInfo { user_id: u64 }

fn main() {}

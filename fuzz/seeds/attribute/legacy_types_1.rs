struct UserId(u64);

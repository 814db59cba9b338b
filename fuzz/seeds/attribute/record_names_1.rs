#[allow(non_snake_case)]
struct Constants {
    userId: u64,
    user_id: u64,
}

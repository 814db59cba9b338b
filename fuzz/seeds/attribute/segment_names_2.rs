enum RenamedVariant {
    #[redis_key(rename = "basicInfo")]
    A,
    #[redis_key(rename = "basic_info")]
    B,
    #[redis_key(rename = basic-info)]
    C,
    #[redis_key(rename = "basic info")]
    D,
    #[redis_key(rename = "basic:info")]
    E,
    #[redis_key(rename = "basic..info")]
    F,
    #[redis_key(rename = Info)]
    G,
    #[redis_key(rename = "été")]
    H,
    #[redis_key(rename = "{id}")]
    I,
}

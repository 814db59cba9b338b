struct UnknownOption {
    #[redis_hash(defualt)]
    first: u8,
    #[redis_hash(colour = red)]
    second: u8,
    #[redis_hash(renam = "x", !)]
    third: u8,
}

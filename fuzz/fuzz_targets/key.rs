#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| redis_keys_fuzz::key(bytes));

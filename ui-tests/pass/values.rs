//! Values of every form.

use std::collections::BTreeMap;
use std::io;

use redis_keys::prelude::*;
use redis_keys::stored::{Stored, StoredError};

/// A form of one's own, in a module of its own.
pub mod forms {
    use super::{Stored, StoredError, io};

    /// A number in base 36.
    pub struct Short<const RADIX: u32 = 36>;

    impl<const RADIX: u32> Stored for Short<RADIX> {
        type Input = u32;
        type Output = u32;

        fn encode(value: &u32, out: &mut impl io::Write) -> Result<(), StoredError> {
            write!(out, "{value}").map_err(|_| StoredError::new("it cannot be written"))
        }

        fn decode(bytes: Vec<u8>) -> Result<u32, StoredError> {
            let text = String::decode(bytes)?;
            u32::from_str_radix(&text, RADIX).map_err(|_| StoredError::new("it is no number"))
        }
    }
}

macro_rules! values {
    ($($name:ident: $value:ty => $output:ty;)*) => {
        $(
            /// A key with that value.
            #[derive(RedisKey)]
            #[redis_key(values:value:all:string, value = $value, ttl = 1h, allow(overlap, reason = "each is a case of its own"))]
            pub struct $name;

            const _: fn() -> Command<Option<$output>> = || $name.get();
        )*

        #[test]
        fn the_schema_shows_the_form() {
            $(
                let plain = |text: &str| text.chars().filter(|c| !c.is_whitespace()).collect::<String>();
                assert_eq!($name::SCHEMA.value.map(plain), Some(plain(stringify!($value))));
            )*
        }
    };
}

values! {
    Number: u64 => u64;
    Signed: i8 => i8;
    Float: f64 => f64;
    Flag: bool => bool;
    Text: String => String;
    PathText: std::string::String => String;
    Bytes: Vec<u8> => Vec<u8>;
    Own: forms::Short => u32;
    OwnOfOctal: self::forms::Short<{ 4 + 4 }> => u32;
    JsonOfMap: Json<BTreeMap<String, Vec<u8>>> => BTreeMap<String, Vec<u8>>;
    JsonOfTuple: Json<(u8, [bool; 2], Option<()>)> => (u8, [bool; 2], Option<()>);
    JsonByPath: redis_keys::stored::Json<u8> => u8;
}

#[test]
fn writes_take_what_fits() {
    drop((Text.set("text"), Bytes.set(b"bytes"), Number.set(&5), Own.set(&5), JsonOfMap.set(&BTreeMap::new())));
    drop((Number.incr(), Number.incr_by(5), Signed.decr_by(5), Float.incr_by_float(0.5), Text.append("more")));
}

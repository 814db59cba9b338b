//! Keys for the unit tests of this crate, implemented as by the derive.

use crate::__private::{KeyLiterals, OptionLiterals};
use crate::key::KeyWriter;
use crate::stored::Stored;
use crate::types::other_accessors::kind;
use crate::types::string::StringKey;
use crate::{KeySegment, RedisKey};

macro_rules! key {
    ($name:ident $(<$life:lifetime>)? { $field:ident: $type:ty }, $before:literal, $value:ty, $ttl:expr, $jitter:expr $(, $rare:expr)?) => {
        pub(crate) struct $name $(<$life>)? {
            pub(crate) $field: $type,
        }

        impl $(<$life>)? RedisKey for $name $(<$life>)? {
            const DECLARATION: KeyLiterals = (
                stringify!($name),
                concat!($before, "{", stringify!($field), "}:string"),
                0,
                concat!(stringify!($field), ": ", stringify!($type)),
                stringify!($value),
                file!(),
                "",
                $ttl,
                $jitter,
                line!(),
            );
            $(const RARE_OPTIONS: OptionLiterals = $rare;)?
                    fn write_key(&self, key: &mut KeyWriter) -> &'static str {
                <$type as KeySegment>::segment(&self.$field, key, $before);
                ":string"
            }

            type Kind = kind::StringKey;
            type Fields = ($type,);

            fn from_fields(($field,): Self::Fields) -> Self {
                Self { $field }
            }
        }

        impl $(<$life>)? StringKey for $name $(<$life>)? {
            type Value = $value;
        }
    };
}

const HOUR: u64 = 3_600_000;
const NEVER: u64 = 0;

const WRITE: OptionLiterals = ("", "", "", "", 0, 1, 0, (0, 0, 0, false, 0));
const READ: OptionLiterals = ("", "", "", "", 0, 2, 0, (0, 0, 0, false, 0));
const BELOW_TEN_MINUTES: OptionLiterals = ("", "", "", "", 0, 3, 600_000, (0, 0, 0, false, 0));
const EIGHT_BYTES: OptionLiterals = ("", "", "", "", 8, 0, 0, (0, 0, 0, false, 0));
const KEY_OF_20_BYTES: OptionLiterals = ("", "", "", "", 0, 0, 0, (0, 0, 0, false, 20));
const THE_BOOKS: OptionLiterals = ("the books", "", "", "", 0, 0, 0, (0, 0, 0, false, 0));

/// A form that never decodes, and whose size hint is the maximum.
pub(crate) struct Unreadable;

impl Stored for Unreadable {
    type Input = str;
    type Output = ();

    fn encode(value: &str, out: &mut impl std::io::Write) -> Result<(), crate::stored::StoredError> {
        String::encode(value, out)
    }

    fn decode(_bytes: Vec<u8>) -> Result<(), crate::stored::StoredError> {
        Err(crate::stored::StoredError::new("never decodes"))
    }

    fn size_hint(_value: &str) -> usize {
        usize::MAX
    }
}

key!(Name<'a> { user: &'a str }, "user:name:", String, HOUR, 0);
key!(Views { page: u32 }, "page:views:", u64, HOUR, 600_000);
key!(Seen { page: u32 }, "page:seen:", u64, HOUR, 0, WRITE);
key!(Token { id: u32 }, "user:token:", String, HOUR, 0, READ);
key!(Session { id: u32 }, "user:session:", String, HOUR, 0, BELOW_TEN_MINUTES);
key!(Level { id: u32 }, "game:level:", u8, HOUR, 0);
key!(Total { id: u32 }, "shop:total:", i64, NEVER, 0, THE_BOOKS);
key!(Balance { id: u32 }, "shop:balance:", i64, HOUR, 0);
key!(Stock { id: u32 }, "shop:stock:", u32, NEVER, 0, THE_BOOKS);
key!(Rate { id: u32 }, "shop:rate:", f64, HOUR, 0);
key!(Weight { id: u32 }, "shop:weight:", f64, NEVER, 0, THE_BOOKS);
key!(Note { id: u32 }, "user:note:", Vec<u8>, HOUR, 0, EIGHT_BYTES);
key!(Tag<'a> { name: &'a str }, "user:tag:", String, HOUR, 0, KEY_OF_20_BYTES);
key!(Ghost { id: u32 }, "user:ghost:", Unreadable, HOUR, 0);

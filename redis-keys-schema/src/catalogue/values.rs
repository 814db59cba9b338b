//! The texts that a parameter can have in a key.

use redis_keys_core::ValueSet;

use super::json::{Json, Object};
use crate::rust_type;

/// The texts that a parameter can have in a key: a [`ValueSet`] with names of its own, or unknown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Values {
    /// Only the compiler knows.
    #[default]
    Unknown,
    /// Any text.
    Any,
    /// A whole number without leading zeros.
    Number {
        /// The smallest number.
        from: u128,
        /// The largest number.
        to: u128,
    },
    /// A fixed number of hexadecimal digits.
    Hex {
        /// The number of digits.
        digits: u32,
    },
    /// 8 or 32 hexadecimal digits.
    IpAddr,
    /// Lower-case base32 without padding.
    Base32,
    /// A year in 4 digits.
    Years,
    /// A month in 6 digits.
    Months,
    /// A day in 8 digits.
    Days,
    /// An hour in 10 digits.
    Hours,
    /// One of these texts.
    OneOf(Vec<String>),
}

impl From<ValueSet> for Values {
    fn from(values: ValueSet) -> Self {
        match values {
            ValueSet::Any => Self::Any,
            ValueSet::Number { from, to } => Self::Number { from, to },
            ValueSet::Hex { digits } => Self::Hex { digits },
            ValueSet::IpAddr => Self::IpAddr,
            ValueSet::Base32 => Self::Base32,
            ValueSet::Years => Self::Years,
            ValueSet::Months => Self::Months,
            ValueSet::Days => Self::Days,
            ValueSet::Hours => Self::Hours,
            ValueSet::OneOf(texts) => Self::OneOf(texts.iter().map(|text| (*text).to_owned()).collect()),
            _ => Self::Unknown,
        }
    }
}

impl Values {
    /// The texts of a parameter of a type of Rust or of a supported crate, by its name. [`Unknown`](Self::Unknown) for any other
    /// type.
    ///
    /// A name without its path, such as `Uuid` or `Month`, can also be a type of the user's: whoever knows those looks there
    /// first.
    pub fn of_type(ty: &str) -> Self {
        let ty = behind_pointers(ty);
        if ty == "str" {
            return Self::Any;
        }
        if let Some(values) = rust_type::values_of(ty) {
            return values.into();
        }
        if let Some(to) = non_zero(ty).and_then(rust_type::integer_max) {
            return Self::Number { from: 1, to };
        }
        let (path, name) = ty.rsplit_once("::").unwrap_or(("", ty));
        match (path.trim_start_matches("::"), name) {
            ("" | "std::net" | "core::net" | "net", "Ipv4Addr") => ValueSet::IPV4.into(),
            ("" | "std::net" | "core::net" | "net", "Ipv6Addr") => ValueSet::IPV6.into(),
            ("" | "std::net" | "core::net" | "net", "IpAddr") => Self::IpAddr,
            ("" | "uuid", "Uuid") => Self::Hex { digits: 32 },
            ("" | "chrono", "NaiveDate") | ("" | "time" | "civil" | "jiff::civil", "Date") => Self::Days,
            ("" | "bucket" | "redis_keys::bucket", bucket) => match bucket {
                "Year" => Self::Years,
                "Month" => Self::Months,
                "Day" => Self::Days,
                "Hour" => Self::Hours,
                _ => Self::Unknown,
            },
            _ => Self::Unknown,
        }
    }

    /// The length of the longest text, if there is one and it is known.
    pub fn longest(&self) -> Option<usize> {
        match self {
            Self::Unknown | Self::Any | Self::Base32 => None,
            Self::Number { to, .. } => Some(to.checked_ilog10().unwrap_or_default() as usize + 1),
            Self::Hex { digits } => usize::try_from(*digits).ok(),
            Self::IpAddr => Some(32),
            Self::Years => Some(4),
            Self::Months => Some(6),
            Self::Days => Some(8),
            Self::Hours => Some(10),
            Self::OneOf(texts) => texts.iter().map(String::len).max(),
        }
    }

    /// Whether a text can contain a `.`, in a whole segment. `None` if that is unknown.
    pub fn is_dotted(&self) -> Option<bool> {
        match self {
            Self::Unknown => None,
            Self::Any => Some(true),
            Self::OneOf(texts) => Some(texts.iter().any(|text| text.contains('.'))),
            _ => Some(false),
        }
    }

    /// An example of a text, or `None` if no text is known.
    pub fn example(&self) -> Option<String> {
        const HEX: &str = "67e5504410b1426f9247bb680e5fe0c8";
        Some(match self {
            Self::Unknown => return None,
            Self::Any => "abc".to_owned(),
            Self::Number { from, to } => 42_u128.clamp(*from, *to.max(from)).to_string(),
            Self::Hex { digits } => HEX.chars().cycle().take(usize::try_from(*digits).ok()?).collect(),
            Self::IpAddr => "c0000207".to_owned(),
            Self::Base32 => "mzxw6".to_owned(),
            Self::Years => "2026".to_owned(),
            Self::Months => "202612".to_owned(),
            Self::Days => "20261231".to_owned(),
            Self::Hours => "2026123123".to_owned(),
            Self::OneOf(texts) => texts.first()?.clone(),
        })
    }
}

impl Json for Values {
    /// A name; for a set with a bound or a list of texts an object of that name; null if the values are unknown.
    fn write(&self, out: &mut String) {
        let name = match self {
            Self::Unknown => return None::<&str>.write(out),
            Self::Any => "any",
            // Other programs read numbers as floats, which are too small for these.
            Self::Number { from, to } => {
                let (from, to) = (from.to_string(), to.to_string());
                let bounds = Object::new().field("from", &from).field("to", &to);
                return Object::new().field("number", &bounds).write(out);
            }
            Self::Hex { digits } => {
                let digits = Object::new().field("digits", &u64::from(*digits));
                return Object::new().field("hex", &digits).write(out);
            }
            Self::IpAddr => "ip_addr",
            Self::Base32 => "base32",
            Self::Years => "years",
            Self::Months => "months",
            Self::Days => "days",
            Self::Hours => "hours",
            Self::OneOf(texts) => return Object::new().field("one_of", texts).write(out),
        };
        name.write(out);
    }
}

/// The type that references and smart pointers lead to, which render as it does.
fn behind_pointers(ty: &str) -> &str {
    let ty = ty.trim();
    if let Some(rest) = ty.strip_prefix('&') {
        let rest = match rest.trim_start().strip_prefix('\'') {
            Some(lifetime) => lifetime.split_once(' ').map_or(lifetime, |(_, ty)| ty),
            None => rest,
        };
        return behind_pointers(rest);
    }
    let Some((pointer, inner)) = ty.strip_suffix('>').and_then(|ty| ty.split_once('<')) else { return ty };
    match pointer.rsplit("::").next().unwrap_or_default() {
        "Box" | "Arc" => behind_pointers(inner),
        "Cow" => inner.split_once(',').map_or(ty, |(_, inner)| behind_pointers(inner)),
        _ => ty,
    }
}

/// The integer of a `NonZero<u64>` or `NonZeroU64`.
fn non_zero(ty: &str) -> Option<&str> {
    let (path, inner) = ty.split_once('<').unwrap_or((ty, ""));
    match path.rsplit("::").next()?.strip_prefix("NonZero")? {
        "" => inner.strip_suffix('>'),
        name => {
            const NAMES: [(&str, &str); 12] = [
                ("U8", "u8"),
                ("U16", "u16"),
                ("U32", "u32"),
                ("U64", "u64"),
                ("U128", "u128"),
                ("Usize", "usize"),
                ("I8", "i8"),
                ("I16", "i16"),
                ("I32", "i32"),
                ("I64", "i64"),
                ("I128", "i128"),
                ("Isize", "isize"),
            ];
            NAMES.iter().find(|(short, _)| *short == name).map(|(_, integer)| *integer)
        }
    }
}

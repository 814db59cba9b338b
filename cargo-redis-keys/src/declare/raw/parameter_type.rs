//! The types of values in keys whose texts are known.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::str::FromStr;

use redis_keys_core::legacy::WrittenForm;
use syn::Type;

use crate::declare::sources::type_name;

/// The type of a value in a key, of those whose texts are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum ParameterType {
    /// An integer, by its name.
    Integer(&'static str),
    IpAddr,
    Ipv4Addr,
    Ipv6Addr,
    Uuid,
}

impl ParameterType {
    const INTEGERS: [&str; 10] = ["u8", "u16", "u32", "u64", "u128", "i8", "i16", "i32", "i64", "i128"];

    /// The type that a parameter of a key has, without references.
    pub(super) fn of(ty: &Type) -> Option<Self> {
        match type_name(ty)?.as_str() {
            "IpAddr" => Some(Self::IpAddr),
            "Ipv4Addr" => Some(Self::Ipv4Addr),
            "Ipv6Addr" => Some(Self::Ipv6Addr),
            "Uuid" => Some(Self::Uuid),
            name => Self::INTEGERS.into_iter().find(|integer| *integer == name).map(Self::Integer),
        }
    }

    /// The type as a declaration writes it.
    pub(crate) fn path(self) -> &'static str {
        match self {
            Self::Integer(name) => name,
            Self::IpAddr => "std::net::IpAddr",
            Self::Ipv4Addr => "std::net::Ipv4Addr",
            Self::Ipv6Addr => "std::net::Ipv6Addr",
            Self::Uuid => "uuid::Uuid",
        }
    }

    /// Whether `Display` of a value writes this text.
    pub(crate) fn writes(self, text: &str) -> bool {
        fn is_same<T: FromStr + ToString>(text: &str) -> bool {
            text.parse::<T>().is_ok_and(|value| value.to_string() == text)
        }
        match self {
            Self::Integer(name) if name.starts_with('i') => is_same::<i128>(text),
            Self::Integer(_) => is_same::<u128>(text),
            Self::IpAddr => is_same::<IpAddr>(text),
            Self::Ipv4Addr => is_same::<Ipv4Addr>(text),
            Self::Ipv6Addr => is_same::<Ipv6Addr>(text),
            Self::Uuid => WrittenForm::Uuid.gives(text),
        }
    }
}

//! The stored forms with their shapes: what `Stored::form` and `RedisHash::form` return.

use std::any::type_name;

use redis_keys_core::value_shape::Number;
pub use redis_keys_core::value_shape::{Codec, Form};

use crate::parameter::{KeySegment, ValueSet};

/// Places that are not known, or only in part, each with the reason.
pub type Notes = Vec<String>;

/// Returns the form of a number.
pub(crate) fn number(name: &str) -> Form {
    let name = match name {
        "usize" => "u64",
        "isize" => "i64",
        name => name,
    };
    Number::of(name).map_or_else(|| Form::Own(name.to_owned()), Form::Number)
}

/// Returns the form of a parameter's type: its text follows the type's rules.
pub fn parameter<T: KeySegment>() -> Form {
    let name = short_name::<T>();
    let rules = match T::VALUES {
        ValueSet::OneOf(texts) => format!("{name}: {}", texts.join(", ")),
        _ => name,
    };
    Form::Text(Some(rules))
}

/// Returns the form of a serde type.
#[cfg(any(feature = "json", feature = "messagepack", feature = "postcard"))]
pub(crate) fn serde<T: serde::Serialize + serde::de::DeserializeOwned>(codec: Codec, notes: &mut Notes) -> Form {
    let traced = super::shape_of::<T>(codec == Codec::Json);
    notes.extend(traced.notes);
    Form::Serde(codec, traced.shape)
}

/// Returns the form of a Protobuf message.
#[cfg(feature = "protobuf")]
pub(crate) fn protobuf<M: prost::Message + Default + std::fmt::Debug>(notes: &mut Notes) -> Form {
    Form::Protobuf(super::protobuf::shape_of::<M>(notes))
}

/// Returns the form of a program, of which nothing but the name is known.
pub(crate) fn own<T: ?Sized>(notes: &mut Notes) -> Form {
    notes.push("`.`: the bytes of the program's own form are not known, so only its name is compared".to_owned());
    Form::Own(short_name::<T>())
}

/// Returns the name of a type without its modules, which do not matter to stored values.
fn short_name<T: ?Sized>() -> String {
    let mut short = String::new();
    let mut word = String::new();
    for c in type_name::<T>().chars() {
        if c == ':' {
            word.clear();
        } else if c.is_alphanumeric() || c == '_' {
            word.push(c);
        } else {
            short.push_str(&std::mem::take(&mut word));
            short.push(c);
        }
    }
    short + &word
}

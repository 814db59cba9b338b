//! The fields of a Protobuf message.
//!
//! prost has no declaration that a program could read. So each number is given a value of each wire type: a message drops
//! a number that it does not have, rejects one of another wire type, and shows the others by `Debug`.

use std::fmt::Debug;

use prost::Message;
use redis_keys_core::value_shape::{Field, Number, Read, Shape, Struct, Written};

/// The highest number that is tried.
const MAX_NUMBER: u32 = 2_000;

/// The wire types of Protobuf.
const VARINT: u32 = 0;
const EIGHT_BYTES: u32 = 1;
const LENGTH: u32 = 2;
const FOUR_BYTES: u32 = 5;

/// All bits, which each type of integer shows as another number.
const ALL_BITS: [u8; 10] = [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01];

/// 2³² + 1, which an `int32` shows as 1.
const BEYOND_32_BITS: [u8; 5] = [0x81, 0x80, 0x80, 0x80, 0x10];

/// Returns the fields, each with its number as its name.
pub(super) fn shape_of<M: Message + Default + Debug>(notes: &mut Vec<String>) -> Shape {
    let declared = names(&format!("{:#?}", M::default()));
    let mut found = Vec::new();
    let mut fields = Vec::new();
    for number in 1..=MAX_NUMBER {
        let Some((name, shape)) = field::<M>(number) else { continue };
        if matches!(message_of(&shape), Shape::Struct(_)) {
            notes.push(format!("`.{number}`: the fields of `{name}` are not known"));
        }
        found.push(name);
        let written = Written::Sometimes;
        fields.push(Field { read: Read::Optional, written, ..Field::new(number.to_string(), shape) });
    }
    let is_partly_known = declared.iter().any(|name| !found.contains(name));
    if is_partly_known {
        notes.push("`.`: the message has fields that were not found".to_owned());
    }
    Shape::Struct(Struct { fields, rejects_others: false, is_partly_known })
}

/// Returns the shape without its option or list.
fn message_of(shape: &Shape) -> &Shape {
    match shape {
        Shape::Option(inner) | Shape::List(inner) => inner,
        shape => shape,
    }
}

/// Returns the names of a message's fields, each in a line of its own.
fn names(shown: &str) -> Vec<String> {
    let fields = shown.lines().filter_map(|line| line.strip_prefix("    ").filter(|line| !line.starts_with(' ')));
    fields.filter_map(|line| Some(line.split_once(": ")?.0.to_owned())).collect()
}

/// Returns the name and the shape of a field. `None` if the message has no field of this number.
fn field<M: Message + Default + Debug>(number: u32) -> Option<(String, Shape)> {
    let shapes = [
        (VARINT, &ALL_BITS[..], varint::<M> as fn(u32, &str) -> Shape),
        (EIGHT_BYTES, &[0xff; 8], |_, shown| fixed(shown, Number::F64, Number::I64, Number::U64)),
        (FOUR_BYTES, &[0xff; 4], |_, shown| fixed(shown, Number::F32, Number::I32, Number::U32)),
        (LENGTH, &[1, 1], bytes),
    ];
    for (wire_type, payload, shape) in shapes {
        match give::<M>(number, wire_type, payload) {
            Given::Shown(name, shown) => return Some((name, around(&shown, shape(number, &shown)))),
            Given::Dropped => return None,
            Given::Rejected => {}
        }
    }
    // The byte is no message. An empty one is.
    let Given::Shown(name, shown) = give::<M>(number, LENGTH, &[0]) else { return None };
    let message = Shape::Struct(Struct { is_partly_known: true, ..Struct::default() });
    Some((name, around(&shown, message)))
}

/// What a message does with a field.
enum Given {
    /// It shows the field, by its name, with this value.
    Shown(String, String),
    Dropped,
    Rejected,
}

/// Gives a message one field.
fn give<M: Message + Default + Debug>(number: u32, wire_type: u32, payload: &[u8]) -> Given {
    let mut bytes = Vec::new();
    prost::encoding::encode_varint(u64::from(number << 3 | wire_type), &mut bytes);
    bytes.extend(payload);
    let Ok(message) = M::decode(bytes.as_slice()) else { return Given::Rejected };
    let (empty, shown) = (format!("{:#?}", M::default()), format!("{message:#?}"));
    let (empty, shown): (Vec<_>, Vec<_>) = (fields(&empty).collect(), fields(&shown).collect());
    match shown.into_iter().find(|field| !empty.contains(field)) {
        Some(field) => match field.split_once(": ") {
            Some((name, value)) => Given::Shown(name.to_owned(), value.to_owned()),
            None => Given::Shown(String::new(), field),
        },
        None => Given::Dropped,
    }
}

/// Returns the fields of a shown message, each with all of its lines.
fn fields(shown: &str) -> impl Iterator<Item = String> {
    shown
        .split("\n    ")
        .skip(1)
        .fold(Vec::<String>::new(), |mut fields, line| {
            match fields.last_mut() {
                Some(last) if line.starts_with(' ') || line.starts_with([']', ')', '}']) => {
                    last.push(' ');
                    last.push_str(line.trim());
                }
                _ => fields.push(line.to_owned()),
            }
            fields
        })
        .into_iter()
}

/// Returns the shape with the option or the list that is shown around it.
fn around(shown: &str, shape: Shape) -> Shape {
    // Bytes are shown as a list, and a list of them as a list of lists.
    let list = if shape == Shape::Bytes { &["[ [", "[ b"][..] } else { &["["] };
    if shown.starts_with("Some(") {
        Shape::Option(Box::new(shape))
    } else if list.iter().any(|start| shown.starts_with(start)) {
        Shape::List(Box::new(shape))
    } else {
        shape
    }
}

fn varint<M: Message + Default + Debug>(number: u32, shown: &str) -> Shape {
    let has = |text: &str| shown.contains(text);
    if has("true") {
        return Shape::Bool;
    }
    if has("18446744073709551615") || has("4294967295") {
        return Shape::Number(if has("18446744073709551615") { Number::U64 } else { Number::U32 });
    }
    if has("-9223372036854775808") || has("-2147483648") {
        let number = if has("-9223372036854775808") { Number::I64 } else { Number::I32 };
        return Shape::Checked(Box::new(Shape::Number(number)), vec!["plain integers".to_owned()]);
    }
    let is_64 =
        matches!(give::<M>(number, VARINT, &BEYOND_32_BITS), Given::Shown(_, shown) if shown.contains("4294967297"));
    Shape::Number(if is_64 { Number::I64 } else { Number::I32 })
}

/// A number of fixed length, which is not the same as one of variable length.
fn fixed(shown: &str, float: Number, signed: Number, unsigned: Number) -> Shape {
    if shown.contains("NaN") {
        return Shape::Number(float);
    }
    let number = if shown.contains("-1") { signed } else { unsigned };
    Shape::Checked(Box::new(Shape::Number(number)), vec!["integers of variable length".to_owned()])
}

fn bytes(_number: u32, shown: &str) -> Shape {
    if shown.contains("\"\\u{1}\"") { Shape::Text } else { Shape::Bytes }
}

//! The fields of a Protobuf message.
//!
//! prost has no declaration that a program could read. So each number is given a value of each wire type: a message drops
//! a number that it does not have, rejects one of another wire type, and shows the others by `Debug`.

use std::fmt::Debug;
use std::mem;

use prost::Message;
use prost::encoding::encode_varint;
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
    let outline = outline(&lines(&M::default()));
    Shape::Struct(message::<M>(&[], &[outline], notes))
}

/// Returns the fields of the message at a path of numbers. The outlines are its own and those of the messages around it,
/// the outermost first.
fn message<M: Message + Default + Debug>(path: &[u32], outlines: &[Vec<String>], notes: &mut Vec<String>) -> Struct {
    let mut found = Vec::new();
    let mut fields = Vec::new();
    for number in 1..=MAX_NUMBER {
        let Some((name, shape)) = field::<M>(&[path, &[number]].concat(), outlines, notes) else { continue };
        found.push(name);
        let written = Written::Sometimes;
        fields.push(Field { read: Read::Optional, written, ..Field::new(number.to_string(), shape) });
    }
    let declared = outlines.last().into_iter().flatten().skip(1);
    let is_partly_known = declared.into_iter().any(|name| !found.contains(name));
    if is_partly_known {
        notes.push(format!("`{}`: the message has fields that were not found", place(path)));
    }
    Struct { fields, rejects_others: false, is_partly_known }
}

/// Returns the name and the shape of a field. `None` if its message has no field of this number.
fn field<M: Message + Default + Debug>(
    path: &[u32],
    outlines: &[Vec<String>],
    notes: &mut Vec<String>,
) -> Option<(String, Shape)> {
    let shapes = [
        (VARINT, &ALL_BITS[..], varint::<M> as fn(&[u32], &str) -> Shape),
        (EIGHT_BYTES, &[0xff; 8], |_, shown| fixed(shown, Number::F64, Number::I64, Number::U64)),
        (FOUR_BYTES, &[0xff; 4], |_, shown| fixed(shown, Number::F32, Number::I32, Number::U32)),
        (LENGTH, &[1], bytes),
    ];
    for (wire_type, payload, shape) in shapes {
        match give::<M>(path, wire_type, payload) {
            Given::Shown { name, value, .. } => return Some((name, around(&value, shape(path, &value)))),
            Given::Dropped => return None,
            Given::Rejected => {}
        }
    }
    // The byte is no message. An empty one is.
    let Given::Shown { name, value, lines } = give::<M>(path, LENGTH, &[]) else { return None };
    let outline = outline(&lines);
    // Maps are shown without the numbers of keys and values, and a message inside itself would have no end.
    let message = if value.starts_with('{') || outlines.contains(&outline) {
        notes.push(format!("`{}`: the fields of `{name}` are not known", place(path)));
        Struct { is_partly_known: true, ..Struct::default() }
    } else {
        message::<M>(path, &[outlines, &[outline]].concat(), notes)
    };
    Some((name, around(&value, Shape::Struct(message))))
}

/// Returns the path of numbers for notes, such as `.4.1`.
fn place(path: &[u32]) -> String {
    let numbers: Vec<_> = path.iter().map(u32::to_string).collect();
    format!(".{}", numbers.join("."))
}

/// Returns the name of the message that is shown, and those of its fields. Nothing if it is shown without fields.
fn outline(lines: &[String]) -> Vec<String> {
    let mut lines = lines.iter().skip_while(|line| !line.ends_with(" {"));
    let Some(first) = lines.next() else { return Vec::new() };
    let name = first.trim_end_matches(" {").rsplit(' ').next().unwrap_or_default();
    let depth = indent(first) + 4;
    let fields = lines.take_while(|line| indent(line) >= depth).filter(|line| indent(line) == depth);
    let names = fields.filter_map(|line| Some(line.trim().split_once(": ")?.0.to_owned()));
    [name.to_owned()].into_iter().chain(names).collect()
}

/// What a message does with a field.
enum Given {
    /// It shows the field, by its name, with this value, on these lines.
    Shown {
        name: String,
        value: String,
        lines: Vec<String>,
    },
    Dropped,
    Rejected,
}

/// Gives a message the field at a path of numbers, inside messages that are empty otherwise.
fn give<M: Message + Default + Debug>(path: &[u32], wire_type: u32, payload: &[u8]) -> Given {
    let around = path.split_last().map_or(&[][..], |(_, around)| around);
    let Ok(message) = M::decode(encoded(path, wire_type, payload).as_slice()) else { return Given::Rejected };
    let Ok(empty) = M::decode(encoded(around, LENGTH, &[]).as_slice()) else { return Given::Rejected };
    let (empty, shown) = (lines(&empty), lines(&message));
    let is_same = |(index, line): &(usize, &String)| empty.get(*index) == Some(*line);
    let mut rest = shown.iter().enumerate().skip_while(is_same).map(|(_, line)| line);
    let Some(first) = rest.next() else { return Given::Dropped };
    let ends_value = |line: &str| line.trim().starts_with([']', ')', '}']);
    let is_inside = |line: &&String| indent(line) > indent(first) || indent(line) == indent(first) && ends_value(line);
    let lines: Vec<_> = [first].into_iter().chain(rest.take_while(is_inside)).cloned().collect();
    let text = lines.iter().map(|line| line.trim()).collect::<Vec<_>>().join(" ");
    let (name, value) = text.split_once(": ").unwrap_or(("", &text));
    Given::Shown { name: name.to_owned(), value: value.to_owned(), lines }
}

/// Returns the bytes of the outermost message.
fn encoded(path: &[u32], wire_type: u32, payload: &[u8]) -> Vec<u8> {
    let (mut bytes, mut wire_type) = (payload.to_vec(), wire_type);
    for number in path.iter().rev() {
        let inner = mem::take(&mut bytes);
        encode_varint(u64::from(number << 3 | wire_type), &mut bytes);
        if wire_type == LENGTH {
            encode_varint(inner.len() as u64, &mut bytes);
        }
        bytes.extend(inner);
        wire_type = LENGTH;
    }
    bytes
}

fn lines(message: &impl Debug) -> Vec<String> {
    format!("{message:#?}").lines().map(str::to_owned).collect()
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
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

fn varint<M: Message + Default + Debug>(path: &[u32], shown: &str) -> Shape {
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
        matches!(give::<M>(path, VARINT, &BEYOND_32_BITS), Given::Shown { value, .. } if value.contains("4294967297"));
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

fn bytes(_path: &[u32], shown: &str) -> Shape {
    if shown.contains("\"\\u{1}\"") { Shape::Text } else { Shape::Bytes }
}

//! The bytes with which values of a form begin.

use redis_keys_core::value_shape::{Codec, Form, Shape};

/// The first bytes of compressing forms: `Lz4`, `Snappy`, `Gzip`, `Zstd`, and any of these uncompressed.
const COMPRESSION_MARKERS: [u8; 5] = [0xf6, 0xf7, 0xfc, 0xfe, 0xff];

/// Whether values of both forms can begin with the same byte.
pub(super) fn is_shared(written: &Form, reader: &Form) -> bool {
    (u8::MIN..=u8::MAX).any(|byte| can_begin(written, byte) && can_begin(reader, byte))
}

fn can_begin(form: &Form, byte: u8) -> bool {
    match form {
        Form::Number(_) | Form::Bool => matches!(byte, b'0'..=b'9' | b'-' | b'+' | b'.'),
        // The bytes that begin a character in UTF-8.
        Form::Text(_) => matches!(byte, 0..=0x7f | 0xc2..=0xf4),
        Form::Serde(Codec::Json, _) => byte.is_ascii_graphic() || byte.is_ascii_whitespace(),
        // Only numbers begin with less than 0x80.
        Form::Serde(Codec::MessagePack, shape) => byte >= 0x80 || can_be_number(shape),
        Form::Serde(Codec::Postcard(version), _) => byte == *version,
        Form::Compressed(..) => COMPRESSION_MARKERS.contains(&byte),
        Form::Bytes | Form::Protobuf(_) | Form::Secret(_) | Form::Own(_) => true,
        // A record is no single value.
        Form::Record(_) => false,
    }
}

fn can_be_number(shape: &Shape) -> bool {
    match shape {
        Shape::Number(_) | Shape::Any(_) | Shape::Unknown | Shape::Recursive(_) => true,
        Shape::Option(inner) | Shape::Checked(inner, _) => can_be_number(inner),
        _ => false,
    }
}

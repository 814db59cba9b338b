//! Shapes in messages.

use redis_keys_core::value_shape::{Codec, Content, Field, Form, Shape, Written};

/// A longer text of a shape is replaced by the kind of shape.
const LONGEST: usize = 48;

/// A shape in backticks, or its kind.
pub(super) fn shown(shape: &Shape) -> String {
    let text = shape.to_string();
    if text.len() <= LONGEST { format!("`{text}`") } else { kind(shape).to_owned() }
}

/// What is not known if one of the shapes is not. An unknown shape that stays unknown has a text of its own, because it
/// was accepted as such.
pub(super) fn what_is_unknown(written: &Shape, reader: &Shape) -> &'static str {
    match (written, reader) {
        (Shape::Unknown, Shape::Unknown) => "the type is not known, so it can have changed",
        (Shape::Unknown, _) => "the type that is written is not known",
        _ => "the type that is read is not known",
    }
}

fn kind(shape: &Shape) -> &'static str {
    match shape {
        Shape::Option(_) => "an optional value",
        Shape::List(_) => "a list",
        Shape::Tuple(_) => "a tuple",
        Shape::Map(_) => "a map",
        Shape::Struct(_) => "a struct",
        Shape::Enum(_) | Shape::OneOf(_) => "an enum",
        _ => "another type",
    }
}

/// The name of a form.
pub(super) fn form_name(form: &Form) -> String {
    match form {
        Form::Number(number) => format!("`{}`", number.name()),
        Form::Bool => "`bool`".to_owned(),
        Form::Text(None) => "text".to_owned(),
        Form::Text(Some(rules)) => format!("the text of `{rules}`"),
        Form::Bytes => "bytes".to_owned(),
        Form::Serde(Codec::Json, _) => "`Json`".to_owned(),
        Form::Serde(Codec::MessagePack, _) => "`MessagePack`".to_owned(),
        Form::Serde(Codec::Postcard(_), _) => "`Postcard`".to_owned(),
        Form::Protobuf(_) => "`Protobuf`".to_owned(),
        Form::Compressed(format, _) => format!("`{}`", format.name()),
        Form::Secret(_) => "`Secret`".to_owned(),
        Form::Record(_) => "a record".to_owned(),
        Form::Own(name) => format!("the form `{name}`"),
    }
}

/// Names, each in backticks.
pub(super) fn quoted<'n>(names: impl IntoIterator<Item = &'n str>) -> String {
    names.into_iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

/// What the content of a variant is.
pub(super) fn content_kind(content: &Content) -> &'static str {
    match content {
        Content::Unit => "no content",
        Content::Newtype(_) => "one value",
        Content::Tuple(_) => "a tuple",
        Content::Struct(_) => "named fields",
    }
}

/// The fields that can be written.
pub(super) fn written(fields: &[Field]) -> impl Iterator<Item = &Field> {
    fields.iter().filter(|field| field.written != Written::Never)
}

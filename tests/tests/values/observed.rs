//! What a stored form really does with the values of another.

use redis_keys::stored::Stored;
use redis_keys_schema::values::Outcome;
use serde::Serialize;
use serde_json::Value;

/// What happened to the values that could be stored.
#[derive(Debug, Default)]
pub(crate) struct Observed {
    pub(crate) stored: usize,
    pub(crate) failed: usize,
    /// Written, and read as something else.
    pub(crate) misread: Vec<(Value, Value)>,
}

impl Observed {
    /// The worst of what happened, if anything could be stored.
    pub(crate) fn outcome(&self) -> Option<Outcome> {
        match self {
            Self { stored: 0, .. } => None,
            Self { misread, .. } if !misread.is_empty() => Some(Outcome::Misread),
            Self { failed: 0, .. } => Some(Outcome::Reads),
            Self { failed, stored, .. } if failed < stored => Some(Outcome::Some),
            _ => Some(Outcome::All),
        }
    }

    /// Stores a value in one form, and reads it in another.
    pub(crate) fn add<F: Stored, G: Stored>(
        &mut self,
        value: &F::Input,
        is_same: impl Fn(&G::Output) -> Option<(Value, Value)>,
    ) {
        let mut bytes = Vec::new();
        if F::encode(value, &mut bytes).is_err() {
            return;
        }
        self.stored += 1;
        match G::decode(bytes) {
            Ok(read) => self.misread.extend(is_same(&read)),
            Err(_) => self.failed += 1,
        }
    }
}

/// Returns both values as JSON if they do not mean the same.
pub(crate) fn difference(written: &impl Serialize, read: &impl Serialize, texts: Texts) -> Option<(Value, Value)> {
    let (written, read) = (serde_json::to_value(written).ok()?, serde_json::to_value(read).ok()?);
    (!means_the_same(&written, &read, texts)).then_some((written, read))
}

/// Whether a value that is meant to have another text can be recognized. Only the author of a change knows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Texts {
    #[default]
    Same,
    /// As after a variant was renamed, or duplicates were dropped.
    Other,
}

/// Compares what both values have. Another notation of the same data is no misread, but other data is.
fn means_the_same(written: &Value, read: &Value, texts: Texts) -> bool {
    match (written, read) {
        // Another notation of the same data.
        (Value::Null, _)
        | (_, Value::Null)
        | (Value::Bool(_), Value::Number(_))
        | (Value::Number(_), Value::Bool(_)) => true,
        (Value::Object(written), Value::Object(read)) => {
            written.iter().all(|(name, value)| read.get(name).is_none_or(|read| means_the_same(value, read, texts)))
        }
        (Value::Array(written), Value::Array(read)) => {
            texts == Texts::Other
                || written.len() == read.len()
                    && written.iter().zip(read).all(|(written, read)| means_the_same(written, read, texts))
        }
        (Value::Number(written), Value::Number(read)) => {
            let (written, read) = (written.as_f64().unwrap_or_default(), read.as_f64().unwrap_or_default());
            (written - read).abs() <= written.abs() * 1e-6 + 1e-6
        }
        (Value::String(written), Value::String(read)) => written == read || texts == Texts::Other,
        (Value::Bool(written), Value::Bool(read)) => written == read,
        // In Postcard, a struct of one field is this field.
        (Value::String(_) | Value::Number(_), Value::Object(fields)) if fields.len() == 1 => {
            fields.values().all(|read| means_the_same(written, read, texts))
        }
        (Value::Object(fields), Value::String(_) | Value::Number(_)) if fields.len() == 1 => {
            fields.values().all(|written| means_the_same(written, read, texts))
        }
        // The fields of a struct as a list, or bytes as text.
        (Value::Array(list), Value::Object(fields)) | (Value::Object(fields), Value::Array(list)) => {
            list.len() == fields.len()
        }
        (Value::String(text), Value::Array(list)) | (Value::Array(list), Value::String(text)) => {
            text.len() == list.len()
        }
        // Rounded, or with other digits after the point.
        (Value::String(text), Value::Number(number)) | (Value::Number(number), Value::String(text)) => {
            number.to_string().chars().next() == text.chars().next()
        }
        _ => false,
    }
}

//! The place of a value, to which an encrypted form binds it.

use std::iter;

use super::StoredError;
use crate::schema::{ParameterForm, Schema};

/// The place of a [`Secret`](crate::stored::Secret): its key's name under the template, and its field's name.
///
/// The name has no namespace and no copy number, and is the same while a legacy text is in use. So a value stays
/// readable when such a change renames its key, and cannot be read under any other key.
#[doc(hidden)]
#[derive(Debug)]
pub struct Binding {
    #[cfg_attr(not(feature = "secret"), allow(dead_code, reason = "only encrypted values are counted"))]
    schema: &'static Schema,
    bytes: Vec<u8>,
}

impl Binding {
    /// The binding of a value in the key with this text. `field` is empty where the type has no fields.
    pub(crate) fn new(schema: &'static Schema, key: &[u8], field: &[u8]) -> Result<Self, StoredError> {
        let mut bytes = match (&schema.legacy, &schema.template_name) {
            (None, _) => template_name(schema, key),
            (Some(_), Some(name)) => name.of(key).and_then(|name| template_name(schema, name.as_bytes())),
            (Some(_), None) => {
                return Err(StoredError::new("cannot be encrypted under a legacy text, unless it is the whole value"));
            }
        }
        .ok_or_else(|| StoredError::new("cannot be encrypted: its key cannot have the name of its template"))?;
        // No name contains this byte.
        bytes.push(0);
        bytes.extend_from_slice(field);
        Ok(Self { schema, bytes })
    }

    /// The declaration of the value.
    #[cfg(feature = "secret")]
    pub(crate) fn schema(&self) -> &'static Schema {
        self.schema
    }

    /// The bytes that are authenticated.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }
}

/// The text of a key without the text before its template, and without the number of a copy.
fn template_name(schema: &'static Schema, key: &[u8]) -> Option<Vec<u8>> {
    let has_copies = schema.parameters.iter().any(|parameter| matches!(parameter.form, ParameterForm::Copy(_)));
    // No parameter contains `:`.
    let template: Vec<&str> = schema.template.split(':').collect();
    let segments: Vec<&[u8]> = key.split(|byte| *byte == b':').collect();
    let segments = segments.get(segments.len().checked_sub(template.len())?..)?;
    if !has_copies {
        return Some(segments.join(&b':'));
    }
    let without_number = |(segment, text): (&&[u8], &str)| {
        if !COPY.iter().any(|copy| text.contains(copy)) {
            return segment.to_vec();
        }
        // Each word of this segment is one word of the template.
        let words = iter::zip(segment.split(|byte| *byte == b'.'), text.split('.'));
        words.map(|(word, text)| if COPY.contains(&text) { &[] } else { word }).collect::<Vec<&[u8]>>().join(&b'.')
    };
    Some(iter::zip(segments, template).map(without_number).collect::<Vec<_>>().join(&b':'))
}

/// The number of a copy in a template.
const COPY: [&str; 2] = ["{copy}", "{#copy}"];

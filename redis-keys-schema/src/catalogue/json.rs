//! JSON, written without a library: the derives use this crate, and each dependency costs every user build time.

use std::fmt::Write as _;

/// A value that can be written as JSON.
pub trait Json {
    /// Appends the value.
    fn write(&self, out: &mut String);

    /// The value as text.
    fn to_json(&self) -> String {
        let mut out = String::new();
        self.write(&mut out);
        out
    }
}

/// An object.
#[derive(Clone, Debug)]
pub struct Object {
    /// The text without the closing brace.
    text: String,
}

impl Object {
    /// An object without fields.
    #[allow(clippy::new_without_default, reason = "it is the start of a chain of fields")]
    pub fn new() -> Self {
        Self { text: "{".to_owned() }
    }

    /// Appends a field, whose name must be new.
    pub fn field(mut self, name: &str, value: &(impl Json + ?Sized)) -> Self {
        if self.text.len() > 1 {
            self.text.push(',');
        }
        name.write(&mut self.text);
        self.text.push(':');
        value.write(&mut self.text);
        self
    }
}

impl Json for Object {
    fn write(&self, out: &mut String) {
        out.push_str(&self.text);
        out.push('}');
    }
}

impl Json for str {
    fn write(&self, out: &mut String) {
        out.push('"');
        for sign in self.chars() {
            match sign {
                '"' => out.push_str("\\\""),
                '\\' => out.push_str("\\\\"),
                '\n' => out.push_str("\\n"),
                '\r' => out.push_str("\\r"),
                '\t' => out.push_str("\\t"),
                // Control characters have code points below 256, and would reach a terminal.
                sign if sign.is_control() => {
                    let _ = write!(out, "\\u{:04x}", u32::from(sign));
                }
                sign => out.push(sign),
            }
        }
        out.push('"');
    }
}

impl Json for String {
    fn write(&self, out: &mut String) {
        self.as_str().write(out);
    }
}

impl Json for bool {
    fn write(&self, out: &mut String) {
        out.push_str(if *self { "true" } else { "false" });
    }
}

impl Json for u64 {
    fn write(&self, out: &mut String) {
        let _ = write!(out, "{self}");
    }
}

impl<T: Json + ?Sized> Json for &T {
    fn write(&self, out: &mut String) {
        T::write(self, out);
    }
}

impl<T: Json> Json for Option<T> {
    fn write(&self, out: &mut String) {
        match self {
            Some(value) => value.write(out),
            None => out.push_str("null"),
        }
    }
}

impl<T: Json> Json for Vec<T> {
    fn write(&self, out: &mut String) {
        out.push('[');
        for (number, value) in self.iter().enumerate() {
            if number > 0 {
                out.push(',');
            }
            value.write(out);
        }
        out.push(']');
    }
}

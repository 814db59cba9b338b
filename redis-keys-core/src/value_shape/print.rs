//! The text of a form: fields and variants in lines of their own, indented by two spaces.

use std::fmt::{self, Display, Formatter, Write as _};

use super::{Codec, Content, Enum, Field, Form, Read, RecordField, Shape, Struct, Variant, Written};

impl Display for Form {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        Printer { out: f, depth: Some(0) }.form(self)
    }
}

impl Display for Shape {
    /// On one line, for messages.
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        Printer { out: f, depth: None }.shape(self)
    }
}

/// Quotes a text unless it is a plain word.
pub(super) fn quoted(name: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    if !name.is_empty() && name.chars().all(is_plain) { name.to_owned() } else { quote(name) }
}

/// Quotes a text. Apostrophes are escaped, because the file has shapes in TOML's literal strings.
fn quote(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '\'' => out.push_str("\\u{27}"),
            c if c.is_control() => out.extend(c.escape_unicode()),
            c => out.push(c),
        }
    }
    out + "\""
}

struct Printer<'p, 'f> {
    out: &'p mut Formatter<'f>,
    /// The indentation. `None` if all is on one line.
    depth: Option<usize>,
}

impl Printer<'_, '_> {
    fn form(&mut self, form: &Form) -> fmt::Result {
        match form {
            Form::Number(number) => self.out.write_str(number.name()),
            Form::Bool => self.out.write_str("bool"),
            Form::Text(None) => self.out.write_str("text"),
            Form::Text(Some(rules)) => write!(self.out, "text of {}", quoted(rules)),
            Form::Bytes => self.out.write_str("bytes"),
            Form::Serde(codec, shape) => {
                match codec {
                    Codec::Json => self.out.write_str("Json<")?,
                    Codec::MessagePack => self.out.write_str("MessagePack<")?,
                    Codec::Postcard(version) => write!(self.out, "Postcard<{version}, ")?,
                }
                self.shape(shape)?;
                self.out.write_char('>')
            }
            Form::Protobuf(shape) => {
                self.out.write_str("Protobuf<")?;
                self.shape(shape)?;
                self.out.write_char('>')
            }
            Form::Compressed(format, inner) => {
                write!(self.out, "{}<", format.name())?;
                self.form(inner)?;
                self.out.write_char('>')
            }
            Form::Secret(inner) => {
                self.out.write_str("Secret<")?;
                self.form(inner)?;
                self.out.write_char('>')
            }
            Form::Record(fields) => {
                self.out.write_str("record ")?;
                self.braces(fields, Self::record_field)
            }
            Form::Own(name) => write!(self.out, "own form {}", quoted(name)),
        }
    }

    fn record_field(&mut self, field: &RecordField) -> fmt::Result {
        write!(self.out, "{}: ", quoted(&field.name))?;
        self.form(&field.form)?;
        if field.is_optional { self.out.write_char('?') } else { Ok(()) }
    }

    fn shape(&mut self, shape: &Shape) -> fmt::Result {
        match shape {
            Shape::Unit => self.out.write_str("unit"),
            Shape::Bool => self.out.write_str("bool"),
            Shape::Char => self.out.write_str("char"),
            Shape::Number(number) => self.out.write_str(number.name()),
            Shape::Text => self.out.write_str("text"),
            Shape::TextLike(example) => write!(self.out, "text like {}", quote(example)),
            Shape::Bytes => self.out.write_str("bytes"),
            Shape::Option(inner) => {
                self.shape(inner)?;
                self.out.write_char('?')
            }
            Shape::List(item) => {
                self.out.write_char('[')?;
                self.shape(item)?;
                self.out.write_char(']')
            }
            Shape::Tuple(items) => self.tuple(items),
            Shape::Map(pair) => {
                self.out.write_str("map<")?;
                self.shape(&pair.0)?;
                self.out.write_str(", ")?;
                self.shape(&pair.1)?;
                self.out.write_char('>')
            }
            Shape::Struct(fields) => self.fields(fields),
            Shape::Enum(choice) => self.variants(choice),
            Shape::OneOf(shapes) => {
                self.out.write_str("one of ")?;
                self.braces(shapes, Self::shape)
            }
            Shape::Any(written) => {
                self.out.write_str("any<")?;
                self.shape(written)?;
                self.out.write_char('>')
            }
            Shape::Checked(inner, rejects) => {
                self.out.write_str("checked<")?;
                self.shape(inner)?;
                for reject in rejects {
                    write!(self.out, ", not {}", quote(reject))?;
                }
                self.out.write_char('>')
            }
            Shape::Recursive(levels) => write!(self.out, "up<{levels}>"),
            Shape::Unknown => self.out.write_str("unknown"),
        }
    }

    fn tuple(&mut self, items: &[Shape]) -> fmt::Result {
        self.out.write_char('(')?;
        for (index, item) in items.iter().enumerate() {
            if index > 0 {
                self.out.write_str(", ")?;
            }
            self.shape(item)?;
        }
        self.out.write_char(')')
    }

    fn fields(&mut self, of: &Struct) -> fmt::Result {
        if of.rejects_others {
            self.out.write_str("only ")?;
        }
        if of.is_partly_known {
            self.out.write_str("partly ")?;
        }
        self.braces(&of.fields, Self::field)
    }

    fn field(&mut self, field: &Field) -> fmt::Result {
        write!(self.out, "{}: ", quoted(&field.name))?;
        self.shape(&field.shape)?;
        let is_option = matches!(field.shape, Shape::Option(_));
        let read = match field.read {
            Read::Needed if is_option => Some("needed"),
            Read::Optional if !is_option => Some("optional"),
            Read::Needed | Read::Optional => None,
            Read::Never => Some("not read"),
            Read::Unknown => Some("perhaps needed"),
        };
        let written = match field.written {
            Written::Always => None,
            Written::Sometimes => Some("not always written"),
            Written::Never => Some("not written"),
        };
        let marks = read.into_iter().chain(written).map(str::to_owned);
        let marks: Vec<_> = marks.chain(field.aliases.iter().map(|name| format!("or {}", quoted(name)))).collect();
        if marks.is_empty() { Ok(()) } else { write!(self.out, " ({})", marks.join(", ")) }
    }

    fn variants(&mut self, of: &Enum) -> fmt::Result {
        self.out.write_str("enum ")?;
        if let Some(tag) = &of.tag {
            write!(self.out, "by {} ", quoted(tag))?;
        }
        if let Some(content) = &of.content {
            write!(self.out, "in {} ", quoted(content))?;
        }
        if of.reads_others {
            self.out.write_str("or other ")?;
        }
        self.braces(&of.variants, Self::variant)
    }

    fn variant(&mut self, variant: &Variant) -> fmt::Result {
        self.out.write_str(&quoted(&variant.name))?;
        match &variant.content {
            Content::Unit => {}
            Content::Newtype(shape) => {
                self.out.write_str(": ")?;
                self.shape(shape)?;
            }
            Content::Tuple(items) => {
                self.out.write_char(' ')?;
                self.tuple(items)?;
            }
            Content::Struct(fields) => {
                self.out.write_char(' ')?;
                self.fields(fields)?;
            }
        }
        if variant.is_written { Ok(()) } else { self.out.write_str(" (not written)") }
    }

    /// Items within braces.
    fn braces<T>(&mut self, items: &[T], print: impl Fn(&mut Self, &T) -> fmt::Result) -> fmt::Result {
        if items.is_empty() {
            return self.out.write_str("{}");
        }
        self.out.write_char('{')?;
        self.depth = self.depth.map(|depth| depth + 1);
        for (index, item) in items.iter().enumerate() {
            if self.depth.is_none() && index > 0 {
                self.out.write_char(',')?;
            }
            self.new_line()?;
            print(self, item)?;
        }
        self.depth = self.depth.map(|depth| depth - 1);
        self.new_line()?;
        self.out.write_char('}')
    }

    fn new_line(&mut self) -> fmt::Result {
        match self.depth {
            Some(depth) => write!(self.out, "\n{:width$}", "", width = depth * 2),
            None => self.out.write_char(' '),
        }
    }
}

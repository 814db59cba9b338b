//! Reads the text of a form.

use std::error::Error;
use std::fmt;
use std::str::FromStr;

use super::{
    Codec, Compression, Content, Enum, Field, Form, Number, Read, RecordField, Shape, Struct, Variant, Written,
};

/// More levels are an error: each level is a call.
const MAX_DEPTH: usize = 128;

/// The text is not that of a form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    /// What is expected.
    pub expected: &'static str,
    /// The byte at which it is expected.
    pub at: usize,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is expected at byte {}", self.expected, self.at)
    }
}

impl Error for ParseError {}

impl FromStr for Form {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let mut parser = Parser { text, at: 0, depth: 0 };
        let form = parser.form()?;
        parser.space();
        if parser.rest().is_empty() { Ok(form) } else { Err(parser.expected("the end")) }
    }
}

struct Parser<'t> {
    text: &'t str,
    at: usize,
    depth: usize,
}

type Parsed<T> = Result<T, ParseError>;

impl<'t> Parser<'t> {
    fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn expected(&self, expected: &'static str) -> ParseError {
        ParseError { expected, at: self.at }
    }

    fn space(&mut self) {
        self.at += self.rest().len() - self.rest().trim_start().len();
    }

    /// Skips a sign if it is next.
    fn skips(&mut self, sign: &str) -> bool {
        self.space();
        let is_next = self.rest().starts_with(sign);
        self.at += if is_next { sign.len() } else { 0 };
        is_next
    }

    fn sign(&mut self, sign: &'static str) -> Parsed<()> {
        if self.skips(sign) { Ok(()) } else { Err(self.expected(sign)) }
    }

    /// The plain word that is next, without reading it.
    fn peek(&mut self) -> &'t str {
        self.space();
        let rest = self.rest();
        let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == '-')).unwrap_or(rest.len());
        rest.get(..end).unwrap_or_default()
    }

    /// Skips a word if it is next.
    fn skips_word(&mut self, word: &str) -> bool {
        let is_next = self.peek() == word;
        self.at += if is_next { word.len() } else { 0 };
        is_next
    }

    /// A plain word, or a quoted text.
    fn name(&mut self) -> Parsed<String> {
        let word = self.peek();
        if word.is_empty() {
            return self.quoted();
        }
        self.at += word.len();
        Ok(word.to_owned())
    }

    fn quoted(&mut self) -> Parsed<String> {
        const END: &str = "the end of a text";
        self.sign("\"").map_err(|error| ParseError { expected: "a name", ..error })?;
        let mut text = String::new();
        loop {
            let c = self.rest().chars().next().ok_or_else(|| self.expected(END))?;
            self.at += c.len_utf8();
            match c {
                '"' => return Ok(text),
                '\\' => text.push(self.escaped()?),
                c => text.push(c),
            }
        }
    }

    /// The character after a backslash.
    fn escaped(&mut self) -> Parsed<char> {
        let wrong = self.expected("an escape such as `\\u{27}`");
        let c = self.rest().chars().next().ok_or_else(|| wrong.clone())?;
        self.at += c.len_utf8();
        if c != 'u' {
            return Ok(c);
        }
        let (digits, _) =
            self.rest().strip_prefix('{').and_then(|rest| rest.split_once('}')).ok_or_else(|| wrong.clone())?;
        self.at += digits.len() + 2;
        u32::from_str_radix(digits, 16).ok().and_then(char::from_u32).ok_or(wrong)
    }

    fn number<N: FromStr>(&mut self) -> Parsed<N> {
        let word = self.peek();
        let number = word.parse().map_err(|_| self.expected("a number"))?;
        self.at += word.len();
        Ok(number)
    }

    /// What is between two angle brackets.
    fn angles<T>(&mut self, inner: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        self.sign("<")?;
        let inner = inner(self)?;
        self.sign(">")?;
        Ok(inner)
    }

    /// A level deeper.
    fn deeper<T>(&mut self, inner: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth >= MAX_DEPTH {
            return Err(self.expected("a shape of at most 128 levels"));
        }
        self.depth += 1;
        let inner = inner(self);
        self.depth -= 1;
        inner
    }

    fn form(&mut self) -> Parsed<Form> {
        self.deeper(Self::form_here)
    }

    fn form_here(&mut self) -> Parsed<Form> {
        let word = self.peek();
        let start = self.at;
        self.at += word.len();
        if let Some(number) = Number::of(word) {
            return Ok(Form::Number(number));
        }
        if let Some(format) = Compression::of(word) {
            return Ok(Form::Compressed(format, Box::new(self.angles(Self::form)?)));
        }
        Ok(match word {
            "bool" => Form::Bool,
            "bytes" => Form::Bytes,
            "text" if self.skips_word("of") => Form::Text(Some(self.name()?)),
            "text" => Form::Text(None),
            "Json" => Form::Serde(Codec::Json, self.angles(Self::shape)?),
            "MessagePack" => Form::Serde(Codec::MessagePack, self.angles(Self::shape)?),
            "Postcard" => self.angles(|parser| {
                let version = parser.number()?;
                parser.sign(",")?;
                Ok(Form::Serde(Codec::Postcard(version), parser.shape()?))
            })?,
            "Protobuf" => Form::Protobuf(self.angles(Self::shape)?),
            "Secret" => Form::Secret(Box::new(self.angles(Self::form)?)),
            "record" => Form::Record(self.braces(Self::record_field)?),
            "own" if self.skips_word("form") => Form::Own(self.name()?),
            _ => {
                self.at = start;
                return Err(self.expected("a stored form"));
            }
        })
    }

    fn record_field(&mut self) -> Parsed<RecordField> {
        let name = self.name()?;
        self.sign(":")?;
        let form = self.form()?;
        Ok(RecordField { name, form, is_optional: self.skips("?") })
    }

    fn shape(&mut self) -> Parsed<Shape> {
        self.deeper(|parser| {
            let mut shape = parser.shape_here()?;
            while parser.skips("?") {
                shape = Shape::Option(Box::new(shape));
            }
            Ok(shape)
        })
    }

    fn shape_here(&mut self) -> Parsed<Shape> {
        if self.skips("[") {
            let item = self.shape()?;
            self.sign("]")?;
            return Ok(Shape::List(Box::new(item)));
        }
        let word = self.peek();
        if word.is_empty() || ["only", "partly"].contains(&word) {
            return if self.rest().starts_with('(') {
                Ok(Shape::Tuple(self.tuple()?))
            } else {
                Ok(Shape::Struct(self.fields()?))
            };
        }
        let start = self.at;
        self.at += word.len();
        if let Some(number) = Number::of(word) {
            return Ok(Shape::Number(number));
        }
        Ok(match word {
            "unit" => Shape::Unit,
            "bool" => Shape::Bool,
            "char" => Shape::Char,
            "text" if self.skips_word("like") => Shape::TextLike(self.quoted()?),
            "text" => Shape::Text,
            "bytes" => Shape::Bytes,
            "map" => self.angles(|parser| {
                let key = parser.shape()?;
                parser.sign(",")?;
                Ok(Shape::Map(Box::new((key, parser.shape()?))))
            })?,
            "enum" => Shape::Enum(self.variants()?),
            "one" if self.skips_word("of") => Shape::OneOf(self.braces(Self::shape)?),
            "any" => Shape::Any(Box::new(self.angles(Self::shape)?)),
            "checked" => self.angles(|parser| {
                let inner = parser.shape()?;
                let mut rejects = Vec::new();
                while parser.skips(",") {
                    if !parser.skips_word("not") {
                        return Err(parser.expected("not"));
                    }
                    rejects.push(parser.quoted()?);
                }
                Ok(Shape::Checked(Box::new(inner), rejects))
            })?,
            "up" => Shape::Recursive(self.angles(Self::number)?),
            "unknown" => Shape::Unknown,
            _ => {
                self.at = start;
                return Err(self.expected("a shape"));
            }
        })
    }

    fn tuple(&mut self) -> Parsed<Vec<Shape>> {
        self.sign("(")?;
        let mut items = Vec::new();
        while !self.skips(")") {
            if !items.is_empty() {
                self.sign(",")?;
            }
            items.push(self.shape()?);
        }
        Ok(items)
    }

    fn fields(&mut self) -> Parsed<Struct> {
        let rejects_others = self.skips_word("only");
        let is_partly_known = self.skips_word("partly");
        Ok(Struct { fields: self.braces(Self::field)?, rejects_others, is_partly_known })
    }

    fn field(&mut self) -> Parsed<Field> {
        let name = self.name()?;
        self.sign(":")?;
        let shape = self.shape()?;
        let read = if matches!(shape, Shape::Option(_)) { Read::Optional } else { Read::Needed };
        let mut field = Field { read, ..Field::new(name, shape) };
        if self.skips("(") {
            loop {
                self.mark(&mut field)?;
                if !self.skips(",") {
                    break;
                }
            }
            self.sign(")")?;
        }
        Ok(field)
    }

    /// A mark of a field.
    fn mark(&mut self, field: &mut Field) -> Parsed<()> {
        for (mark, read) in [
            ("needed", Read::Needed),
            ("optional", Read::Optional),
            ("not read", Read::Never),
            ("perhaps needed", Read::Unknown),
        ] {
            if self.skips(mark) {
                field.read = read;
                return Ok(());
            }
        }
        for (mark, written) in [("not always written", Written::Sometimes), ("not written", Written::Never)] {
            if self.skips(mark) {
                field.written = written;
                return Ok(());
            }
        }
        if !self.skips_word("or") {
            return Err(self.expected("a mark of a field"));
        }
        field.aliases.push(self.name()?);
        Ok(())
    }

    fn variants(&mut self) -> Parsed<Enum> {
        let mut choice = Enum::default();
        if self.skips_word("by") {
            choice.tag = Some(self.name()?);
        }
        if self.skips_word("in") {
            choice.content = Some(self.name()?);
        }
        if self.skips_word("or") {
            if !self.skips_word("other") {
                return Err(self.expected("other"));
            }
            choice.reads_others = true;
        }
        choice.variants = self.braces(Self::variant)?;
        Ok(choice)
    }

    fn variant(&mut self) -> Parsed<Variant> {
        let name = self.name()?;
        let content = if self.skips(":") {
            Content::Newtype(self.shape()?)
        } else {
            // On the same line: the next variant can be `only`.
            let line = self.rest().split('\n').next().unwrap_or_default().trim_start();
            if line.starts_with('(') && !line.starts_with("(not written)") {
                Content::Tuple(self.tuple()?)
            } else if ["{", "only {", "only partly {", "partly {"].iter().any(|start| line.starts_with(start)) {
                Content::Struct(self.fields()?)
            } else {
                Content::Unit
            }
        };
        Ok(Variant { name, content, is_written: !self.skips("(not written)") })
    }

    /// Items within braces, each on a line.
    fn braces<T>(&mut self, item: impl Fn(&mut Self) -> Parsed<T>) -> Parsed<Vec<T>> {
        self.sign("{")?;
        let mut items = Vec::new();
        while !self.skips("}") {
            if !items.is_empty()
                && !self.text.get(..self.at).is_some_and(|before| before.trim_end_matches([' ', '\t']).ends_with('\n'))
            {
                return Err(self.expected("a new line"));
            }
            items.push(item(self)?);
        }
        Ok(items)
    }
}

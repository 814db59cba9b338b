//! The text of `format!`, `concat!`, `vec!` and `join`.

use redis_keys_core::legacy::{FormatPart, format_parts};
use syn::spanned::Spanned as _;
use syn::{Expr, Macro};

use super::Evaluation;
use crate::declare::raw::expressions::{Contents, contents, is_one_of, last_name, start, unwrapped, variable_name};
use crate::declare::raw::key_text::KeyText;

impl Evaluation<'_, '_> {
    pub(super) fn text_of_macro(self, call: &Macro) -> KeyText {
        const FORMAT: &str = "format format_args formatcp const_format format_compact eco_format";
        let Contents::Exprs(exprs) = contents(call) else { return KeyText::unknown() };
        match (last_name(&call.path).as_str(), exprs.as_slice()) {
            (name, [format, arguments @ ..]) if is_one_of(FORMAT, name) => self.text_of_format(format, arguments),
            ("concat" | "concatcp", exprs) => self.joined(exprs, ""),
            ("vec", []) => KeyText::default(),
            ("vec", exprs) => self.text_of_element(exprs.iter()),
            _ => KeyText::unknown(),
        }
    }

    fn text_of_format(self, format: &Expr, arguments: &[Expr]) -> KeyText {
        let Some(format_text) = self.evaluate(format).constant() else { return KeyText::unknown() };
        let mut text = KeyText::default();
        for part in parts(&format_text) {
            text.extend(match part {
                // A declaration of this type would write it in another way.
                Part::Formatted(part) => self.text_of_part(*part, format, arguments).untyped(),
                part => self.text_of_part(part, format, arguments),
            });
        }
        text
    }

    fn text_of_part(self, part: Part, format: &Expr, arguments: &[Expr]) -> KeyText {
        match part {
            Part::Text(literal) => KeyText::text(literal),
            Part::Index(index) => {
                arguments.get(index).map_or_else(KeyText::unknown, |argument| self.evaluate(argument))
            }
            Part::Name(name) => {
                let named = arguments.iter().find_map(|argument| match argument {
                    Expr::Assign(assign) if variable_name(&assign.left).as_ref() == Some(&name) => Some(&assign.right),
                    _ => None,
                });
                match named {
                    Some(argument) => self.text_of_argument(name, argument),
                    None => self.text_of_variable(&name, start(format.span())),
                }
            }
            Part::Formatted(_) => KeyText::unknown(),
        }
    }

    /// The text of `name = expression`: the name, if nothing more is known.
    fn text_of_argument(self, name: String, argument: &Expr) -> KeyText {
        let text = self.evaluate(argument);
        if text.has_words() { text } else { KeyText::parameter(name).typed(|| text.parameter_type()) }
    }

    /// The text of the elements of an array or of `vec!`, with a separator between them.
    pub(super) fn joined_elements(self, list: &Expr, separator: &str) -> Option<KeyText> {
        match unwrapped(list) {
            Expr::Array(array) => Some(self.joined(&array.elems, separator)),
            Expr::Macro(call) if call.mac.path.is_ident("vec") => match contents(&call.mac) {
                Contents::Exprs(exprs) => Some(self.joined(&exprs, separator)),
                Contents::Statements(_) => None,
            },
            _ => None,
        }
    }

    pub(super) fn joined<'e>(self, exprs: impl IntoIterator<Item = &'e Expr>, separator: &str) -> KeyText {
        let mut text = KeyText::default();
        for (index, expr) in exprs.into_iter().enumerate() {
            text.extend(KeyText::text(if index > 0 { separator } else { "" }));
            text.extend(self.evaluate(expr));
        }
        text
    }
}

/// A part of the text of `format!`.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Part {
    Text(String),
    /// The argument of an index that is not named.
    Index(usize),
    /// The argument or the variable of a name.
    Name(String),
    /// An argument in another format than `Display`, as in `{id:05}` or `{id:?}`.
    Formatted(Box<Self>),
}

/// The parts of the text of `format!`, up to a brace without its counterpart.
fn parts(text: &str) -> Vec<Part> {
    let (mut parts, mut next) = (Vec::new(), 0);
    for part in format_parts(text) {
        match (part, parts.last_mut()) {
            (FormatPart::Literal(text), Some(Part::Text(before))) => before.push_str(text),
            (FormatPart::Literal(text), _) => parts.push(Part::Text(text.to_owned())),
            (FormatPart::Field { name, format, .. }, _) => {
                // `{:.*}` takes the precision first.
                next += usize::from(format.contains(".*"));
                let part = match name.trim() {
                    "" => {
                        next += 1;
                        Part::Index(next - 1)
                    }
                    name => name.parse().map_or_else(|_| Part::Name(name.to_owned()), Part::Index),
                };
                parts.push(if format.is_empty() { part } else { Part::Formatted(Box::new(part)) });
            }
            (FormatPart::Stray { .. }, _) => break,
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_form_is_read() {
        let text = |text: &str| Part::Text(text.to_owned());
        let name = |name: &str| Part::Name(name.to_owned());
        let formatted = |part: Part| Part::Formatted(Box::new(part));
        for (format, expected) in [
            ("a:b", vec![text("a:b")]),
            ("{}:{}", vec![Part::Index(0), text(":"), Part::Index(1)]),
            ("a:{1}{}{0:?}", vec![text("a:"), Part::Index(1), Part::Index(0), formatted(Part::Index(0))]),
            ("{{{id}}}:x", vec![text("{"), name("id"), text("}:x")]),
            ("{id:05}", vec![formatted(name("id"))]),
            ("{:.*}{}", vec![formatted(Part::Index(1)), Part::Index(2)]),
            ("", vec![]),
            ("a}b{", vec![text("a")]),
        ] {
            assert_eq!(parts(format), expected, "{format}");
        }
    }
}

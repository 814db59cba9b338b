//! The text of `format!`, `concat!`, `vec!` and `join`.

use syn::spanned::Spanned as _;
use syn::{Expr, Macro};

use super::Evaluation;
use crate::declare::raw::expressions::{is_one_of, last_name, start, unwrapped, variable_name};
use crate::declare::raw::format_text::{Part, parts};
use crate::declare::raw::key_text::KeyText;
use crate::declare::raw::macros::{Contents, contents};

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

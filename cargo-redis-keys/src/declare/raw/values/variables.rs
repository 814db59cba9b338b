//! The text of variables and constants.

use syn::spanned::Spanned as _;

use super::Evaluation;
use crate::declare::raw::bindings::Value;
use crate::declare::raw::expressions::start;
use crate::declare::raw::frame::Frame;
use crate::declare::raw::key_text::{KeyText, SourcePart};
use crate::declare::raw::names::Callee;
use crate::declare::raw::parameter_type::ParameterType;

impl Evaluation<'_, '_> {
    pub(super) fn text_of_path(self, path: &syn::Path) -> KeyText {
        match Callee::of_path(path, 0) {
            Some(constant) if constant.qualifier.is_some() => self.text_of_constant(&constant),
            Some(variable) => self.text_of_variable(&variable.name, start(path.span())),
            None => KeyText::unknown(),
        }
    }

    /// The text of a variable or a constant that is named at a place.
    pub(super) fn text_of_variable(self, name: &str, at: usize) -> KeyText {
        let Some(binding) = self.frame.bindings.at(name, at) else {
            return self.text_of_constant(&Callee::named(name));
        };
        let Some(deeper) = self.deeper() else { return KeyText::parameter(name) };
        let mut ty = binding.ty.as_deref().and_then(ParameterType::of);
        let mut text = match &binding.value {
            Value::Expr(value) => deeper.evaluate(value),
            Value::Parameter(index) => {
                let argument = self.frame.arguments.get(*index);
                ty = ty.or_else(|| argument?.parameter_type());
                argument.filter(|text| text.has_words()).cloned().unwrap_or_else(|| KeyText::parameter(name))
            }
            Value::Unknown => KeyText::parameter(name),
        };
        let additions = self.frame.bindings.additions(name, binding, at).map(|added| deeper.evaluate(added));
        if binding.is_list() {
            let elements = [text.clone()].into_iter().chain(additions);
            text = KeyText::merged(elements.filter(|element| !element.0.is_empty()));
        } else {
            additions.for_each(|added| text.extend(added));
        }
        let ty = ty.or_else(|| text.parameter_type());
        let says_little = match text.0.as_slice() {
            [] => true,
            [SourcePart::Parameter(_) | SourcePart::Unknown] => name.len() > 1 && name != "key",
            _ => false,
        };
        if says_little { KeyText::parameter(name) } else { text }.typed(|| ty)
    }

    fn text_of_constant(self, path: &Callee) -> KeyText {
        let constant = self.values.names.constant(path, self.frame.function(), &self.frame.place);
        let text = constant.map(|constant| {
            Evaluation { frame: &Frame::of_constant(&constant.place), ..self }.evaluate(&constant.value)
        });
        text.filter(KeyText::has_text).unwrap_or_else(|| KeyText::parameter(path.name.to_lowercase()))
    }
}

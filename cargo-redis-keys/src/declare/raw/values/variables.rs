//! The text of variables and constants, and the name and the type of a value in a key.

use syn::spanned::Spanned as _;
use syn::{Expr, Member};

use super::Evaluation;
use crate::declare::raw::bindings::Value;
use crate::declare::raw::expressions::{inner, is_one_of, keeps_text, last_name, start};
use crate::declare::raw::key_text::{KeyText, ParameterType, SourcePart};
use crate::declare::raw::names::{Callee, Frame};
use crate::declare::sources::name;

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

    /// An expression's type, if the sources write it.
    pub(super) fn type_of(self, expr: &Expr) -> Option<ParameterType> {
        let deeper = self.deeper()?;
        match expr {
            Expr::Path(path) => {
                let written = self.frame.binding(&path.path)?.ty.as_deref().and_then(ParameterType::of);
                written.or_else(|| deeper.type_of(self.frame.assigned(expr)?))
            }
            Expr::Field(field) => ParameterType::of(self.frame.field_type(field, &self.values.names)?),
            Expr::Cast(cast) => ParameterType::of(&cast.ty),
            Expr::Binary(binary) => {
                let either = deeper.type_of(&binary.left).or_else(|| deeper.type_of(&binary.right));
                either.filter(|ty| matches!(ty, ParameterType::Integer(_)))
            }
            Expr::MethodCall(call) => match name(&call.method).as_str() {
                "to_string" | "to_owned" | "clone" | "as_ref" | "borrow" | "as_str" => deeper.type_of(&call.receiver),
                // Of chrono, jiff and `std::time`.
                "timestamp" | "timestamp_millis" | "as_second" | "as_millisecond" if call.args.is_empty() => {
                    Some(ParameterType::Integer("i64"))
                }
                "as_secs" => Some(ParameterType::Integer("u64")),
                _ => None,
            },
            expr => deeper.type_of(inner(expr)?),
        }
    }
}

/// A parameter with an expression's name.
pub(super) fn named(expr: &Expr) -> KeyText {
    name_of(expr).map_or_else(KeyText::unknown, KeyText::parameter)
}

/// The name of a value: `user_id` for `user.id`, `self.user.id` and `user.id()`.
fn name_of(expr: &Expr) -> Option<String> {
    match expr {
        Expr::Path(path) => Some(last_name(&path.path).to_lowercase()).filter(|name| name != "self"),
        Expr::Field(field) => match &field.member {
            Member::Named(member) => Some(qualified(&field.base, name(member))),
            Member::Unnamed(_) => name_of(&field.base),
        },
        Expr::MethodCall(call) => match name(&call.method) {
            method if call.args.is_empty() && !keeps_text(&method) => Some(qualified(&call.receiver, method)),
            _ => name_of(&call.receiver),
        },
        Expr::Call(call) => name_of(&call.func),
        Expr::Index(index) => name_of(&index.expr),
        Expr::Binary(binary) => name_of(&binary.left),
        expr => name_of(inner(expr)?),
    }
}

/// A name with its owner's name in front, if it says little by itself.
fn qualified(base: &Expr, name: String) -> String {
    match name_of(base).filter(|_| is_one_of("id uuid name key slug hash code value kind as_u64", &name)) {
        Some(base) => format!("{base}_{name}"),
        None => name,
    }
}

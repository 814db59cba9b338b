//! The name and the type of a value in a key.

use syn::{Expr, Member};

use super::Evaluation;
use crate::declare::raw::expressions::{inner, is_one_of, keeps_text, last_name};
use crate::declare::raw::key_text::KeyText;
use crate::declare::raw::parameter_type::ParameterType;
use crate::declare::sources::name;

/// A parameter with the name of an expression.
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

/// A name with that of the value that it belongs to, if it says little by itself.
fn qualified(base: &Expr, name: String) -> String {
    match name_of(base).filter(|_| is_one_of("id uuid name key slug hash code value kind as_u64", &name)) {
        Some(base) => format!("{base}_{name}"),
        None => name,
    }
}

impl Evaluation<'_, '_> {
    /// The type of an expression, if the sources write it.
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

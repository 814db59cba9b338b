//! The parameters of an object, and which of them are the same though they are called otherwise.

use crate::item::Item;
use crate::rust_type::{is_integer, is_text};
use crate::template::{Encoding, Placeholder};

/// Words that say no more than that it is a parameter.
const PLAIN: [&str; 7] = ["id", "uid", "uuid", "no", "number", "key", "of"];

/// A parameter, as far as it tells objects apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Parameter {
    pub(super) name: String,
    /// The words of its name that the object's own words don't say already: none of `user_id` in `user:{user_id}`.
    words: Vec<String>,
    ty: Type,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Type {
    Whole,
    Text,
    /// Any other, of which its text is known.
    Other(String),
}

/// How a parameter is printed, if not as it is. `None` where no hash can have it.
pub(super) fn form(placeholder: &Placeholder) -> Option<String> {
    if placeholder.copies.is_some() {
        return None;
    }
    let shards = placeholder.shards.map(|shards| format!("% {shards}")).unwrap_or_default();
    Some(format!("{{{shards}{}}}", placeholder.encoding.map_or("", Encoding::name)))
}

impl Parameter {
    /// `around` are the words of the object's text.
    pub(super) fn of(item: &Item<'_>, placeholder: &Placeholder, around: &[&str]) -> Option<Self> {
        let field = item.fields.get(placeholder.field?)?;
        let ty = match field.ty {
            ty if is_integer(ty) => Type::Whole,
            ty if is_text(ty) => Type::Text,
            ty => Type::Other(ty.to_owned()),
        };
        let says = |word: &&str| {
            let number = word.bytes().all(|byte| byte.is_ascii_digit());
            !number && !PLAIN.contains(word) && !around.contains(word)
        };
        let words = field.name.split('_').filter(says).map(str::to_owned).collect();
        Some(Self { name: field.name.clone(), words, ty })
    }

    /// Whether two parameters in the same place are likely the same.
    pub(super) fn is_like(&self, other: &Self) -> bool {
        match (&self.ty, &other.ty) {
            // An `order_id` is no `customer_id`, whatever its type is.
            (own, other_ty) if own == other_ty => {
                self.words == other.words || self.words.is_empty() || other.words.is_empty()
            }
            // What a type of the user's own stands for nobody knows here.
            (Type::Other(_), _) | (_, Type::Other(_)) => self.name == other.name,
            _ => false,
        }
    }
}

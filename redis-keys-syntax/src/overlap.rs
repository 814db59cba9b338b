//! The parameters whose values follow from their types.

use redis_keys_schema::overlap::Pattern;

use crate::generics::mentions_any;
use crate::input::{Input, KeyField};

/// The fields of the parameters in `pattern.typed`, in order. `None` for a generic one, which can be any type.
pub fn typed_fields<'r>(input: &'r Input<'_>, pattern: &'r Pattern) -> impl Iterator<Item = Option<&'r KeyField<'r>>> {
    pattern.typed.iter().map(|typed| {
        let field = input.fields.get(typed.field)?;
        (!mentions_any(&input.item.generics, &field.field.ty)).then_some(field)
    })
}

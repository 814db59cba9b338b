//! Records: structs whose fields are the fields of a hash or of a stream's entry.

/// A struct whose fields are the fields of a hash or of a stream's entry.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a record",
    label = "no `#[derive(RedisHash)]` here",
    note = "a hash without `field = …` and a stream hold records: structs with `#[derive(RedisHash)]`"
)]
pub trait RedisHash: Sized {}

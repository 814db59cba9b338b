//! Structs around one value.

/// What `#[derive(KeySegment)]` says of a struct: what a newtype of a number or a text can be follows from what is in it.
pub trait Newtype {
    /// What it is around.
    type Inner: ?Sized;

    /// The value.
    fn inner(&self) -> &Self::Inner;
}

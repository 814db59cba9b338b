//! Structs around one value.

/// What `#[derive(KeySegment)]` says of a struct: what a newtype of a number or a text can be follows from what is in it.
pub trait Newtype {
    /// What it is around.
    type Inner: ?Sized;

    /// The value.
    fn inner(&self) -> &Self::Inner;
}

/// A reference to one is no less.
#[diagnostic::do_not_recommend]
impl<T: Newtype + ?Sized> Newtype for &T {
    type Inner = T::Inner;

    #[inline]
    fn inner(&self) -> &Self::Inner {
        T::inner(self)
    }
}

/// What it says of one that can be made of the value: all but those around a `str` or a slice.
pub trait FromInner: Newtype<Inner: Sized> {
    /// The struct around that.
    fn from_inner(inner: Self::Inner) -> Self;
}

//! An option as it is written, of any attribute.

use crate::piece::Piece;

/// An option as written.
#[derive(Clone, Copy)]
pub(crate) struct RawOption<'t> {
    /// Its name, or the whole option where it does not start with a name.
    pub(crate) name: Piece<'t>,
    /// The text after `=` or in parentheses. `None` for a name alone.
    pub(crate) value: Option<Piece<'t>>,
    /// The whole option.
    pub(crate) whole: Piece<'t>,
}

impl<'t> RawOption<'t> {
    /// The value without quotes, if it is not empty.
    pub(crate) fn bare_value(self) -> Option<Piece<'t>> {
        self.value.map(Piece::bare).filter(|value| !value.is_empty())
    }
}

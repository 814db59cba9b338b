//! How the commands of `list` keys are built and their replies read.

pub(crate) mod pop;
pub(crate) mod push;
pub(crate) mod range;

/// An end of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    Left,
    Right,
}

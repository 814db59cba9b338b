//! Why nothing was loaded.

use std::{error, fmt, sync::Arc};

use crate::Error;

/// Why [`Cache::get_or_load`](super::Cache::get_or_load) has no result.
///
/// A server that fails is not a reason: the value is loaded without it.
///
/// Its text is that of the error inside. It has no `source`, since `E` need not implement [`Error`](error::Error), as
/// `anyhow::Error` does not: [`loader`](Self::loader) returns the error itself.
#[non_exhaustive]
pub enum LoadError<E> {
    /// The loader failed. Calls that waited for the same load have the same error.
    Loader(Arc<E>),
    /// The key was refused, and the loader did not run: a parameter breaks a rule, or the key is too long.
    Refused(Error),
    /// What [`Cache::warm`](super::Cache::warm) loaded could not be stored.
    NotStored(Error),
}

impl<E> LoadError<E> {
    /// Returns the error of the loader, if it failed.
    pub fn loader(&self) -> Option<&E> {
        match self {
            Self::Loader(error) => Some(error),
            Self::Refused(_) | Self::NotStored(_) => None,
        }
    }
}

impl<E> Clone for LoadError<E> {
    fn clone(&self) -> Self {
        match self {
            Self::Loader(error) => Self::Loader(Arc::clone(error)),
            Self::Refused(error) => Self::Refused(error.clone()),
            Self::NotStored(error) => Self::NotStored(error.clone()),
        }
    }
}

impl<E: fmt::Display> fmt::Display for LoadError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Loader(error) => error.fmt(f),
            Self::Refused(error) | Self::NotStored(error) => error.fmt(f),
        }
    }
}

impl<E: fmt::Debug> fmt::Debug for LoadError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Loader(error) => f.debug_tuple("Loader").field(error).finish(),
            Self::Refused(error) => f.debug_tuple("Refused").field(error).finish(),
            Self::NotStored(error) => f.debug_tuple("NotStored").field(error).finish(),
        }
    }
}

impl<E: fmt::Debug + fmt::Display> error::Error for LoadError<E> {}

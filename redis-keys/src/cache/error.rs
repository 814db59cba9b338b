//! The error of a load.

use std::sync::Arc;
use std::{error, fmt};

use crate::Error;

/// The reason why [`Cache::get_or_load`](super::Cache::get_or_load) has no result.
///
/// A failing server is not such a reason: the value is then loaded without it.
///
/// Its text is the inner error's text. It has no `source`, because `E` need not implement [`Error`](error::Error); for
/// example, `anyhow::Error` does not. Get the inner error from [`loader`](Self::loader).
#[derive(Debug)]
#[non_exhaustive]
pub enum LoadError<E> {
    /// The loader failed. Calls that waited for the same load have the same error.
    Loader(Arc<E>),
    /// The key was refused before the loader ran.
    ///
    /// For example, a parameter breaks a rule, the key is too long, or no keys are installed for an encrypted value.
    Refused(Error),
    /// A value that [`Cache::warm`](super::Cache::warm) loaded could not be stored.
    NotStored(Error),
    /// The tokio runtime shut down while the loader ran in it.
    ///
    /// Only [`Cache::get_or_load_detached`](super::Cache::get_or_load_detached) returns this.
    Stopped,
}

impl<E> LoadError<E> {
    /// Returns the loader's error, if the loader failed.
    pub fn loader(&self) -> Option<&E> {
        match self {
            Self::Loader(error) => Some(error),
            Self::Refused(_) | Self::NotStored(_) | Self::Stopped => None,
        }
    }
}

impl<E> Clone for LoadError<E> {
    fn clone(&self) -> Self {
        match self {
            Self::Loader(error) => Self::Loader(Arc::clone(error)),
            Self::Refused(error) => Self::Refused(error.clone()),
            Self::NotStored(error) => Self::NotStored(error.clone()),
            Self::Stopped => Self::Stopped,
        }
    }
}

impl<E: fmt::Display> fmt::Display for LoadError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Loader(error) => error.fmt(f),
            Self::Refused(error) | Self::NotStored(error) => error.fmt(f),
            Self::Stopped => f.write_str("the runtime of the loader has shut down"),
        }
    }
}

impl<E: fmt::Debug + fmt::Display> error::Error for LoadError<E> {}

//! Loaders and their return types.

use std::future::Future;
use std::time::Duration;

/// A loaded value with its own expiry, or its absence, for a loader that needs more than an `Option`.
///
/// ```
/// use std::time::Duration;
///
/// use redis_keys::cache::LoadedValue;
///
/// let found = LoadedValue::found("Ada".to_owned()).expire_in(Duration::from_secs(60));
/// let absent = LoadedValue::<String>::absent();
/// # let _ = (found, absent);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct LoadedValue<T> {
    pub(super) value: Option<T>,
    pub(super) expire_in: Option<Duration>,
}

impl<T> LoadedValue<T> {
    /// Returns a value.
    pub fn found(value: T) -> Self {
        Some(value).into()
    }

    /// Reports that there is no value, which is remembered for `null_ttl`.
    pub fn absent() -> Self {
        None.into()
    }

    /// Stores the value for a shorter time than the declared expiry. A longer time has no effect, and with zero nothing
    /// is stored.
    pub fn expire_in(self, time: Duration) -> Self {
        Self { expire_in: Some(time), ..self }
    }
}

/// The result of a loader for a value of type `T`: an `Option<T>`, or a [`LoadedValue`] with its own expiry.
#[diagnostic::on_unimplemented(
    message = "expected a loader that returns `Option<{T}>`, found one that returns `{Self}`",
    label = "the loader returns `{Self}`",
    note = "a loader returns `Ok(Some(value))`, or `Ok(None)` if there is no value"
)]
pub trait LoaderOutput<T> {
    /// Returns the value and its expiry.
    fn into_loaded(self) -> LoadedValue<T>;
}

impl<T> LoaderOutput<T> for Option<T> {
    fn into_loaded(self) -> LoadedValue<T> {
        self.into()
    }
}

impl<T> LoaderOutput<T> for LoadedValue<T> {
    fn into_loaded(self) -> Self {
        self
    }
}

impl<T> From<Option<T>> for LoadedValue<T> {
    fn from(value: Option<T>) -> Self {
        Self { value, expire_in: None }
    }
}

/// The output of a loader's future: a `Result`.
#[diagnostic::on_unimplemented(
    message = "expected a loader that returns a `Result`, found one that returns `{Self}`",
    label = "the loader returns `{Self}`",
    note = "a loader returns `Ok(Some(value))`, or `Ok(None)` if there is no value, and `Err(error)` if it fails"
)]
pub trait LoaderResult {
    /// The success type: an `Option` or a [`LoadedValue`].
    type Output;

    /// The error type.
    type Error;

    #[doc(hidden)]
    fn into_result(self) -> Result<Self::Output, Self::Error>;
}

impl<R, E> LoaderResult for Result<R, E> {
    type Output = R;
    type Error = E;

    #[inline]
    fn into_result(self) -> Self {
        self
    }
}

/// A loader for a single value: the argument of [`Cache::get_or_load`](super::Cache::get_or_load).
pub(super) trait Loader<T> {
    type Future: Future<Output: LoaderResult<Output = Self::Output, Error = Self::Error>>;
    type Output: LoaderOutput<T>;
    type Error: Send + Sync + 'static;

    fn load(self) -> Self::Future;
}

impl<T, L, F, R, E> Loader<T> for L
where
    L: FnOnce() -> F,
    F: Future<Output: LoaderResult<Output = R, Error = E>>,
    R: LoaderOutput<T>,
    E: Send + Sync + 'static,
{
    type Future = F;
    type Output = R;
    type Error = E;

    #[inline]
    fn load(self) -> F {
        self()
    }
}

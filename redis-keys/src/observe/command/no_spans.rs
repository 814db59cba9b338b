//! The types of `spans` without the feature `tracing`: they have no content, and note nothing.

use crate::Error;
use crate::accessor::Accessor;
use crate::schema::Schema;

#[derive(Clone)]
pub(crate) struct Span;

impl Span {
    #[inline]
    pub(crate) fn are_enabled() -> bool {
        false
    }

    #[inline]
    pub(crate) fn none() -> Self {
        Self
    }

    #[inline]
    pub(crate) fn of_call(_accessor: Accessor, _schema: &'static Schema) -> Self {
        Self
    }

    #[inline]
    pub(crate) fn of_batch(_operation: &'static str, _calls: usize) -> Self {
        Self
    }

    #[inline]
    pub(crate) fn within<F: Future>(&self, future: F) -> impl Future<Output = F::Output> + use<F> {
        future
    }

    #[inline]
    pub(crate) fn instrument<F: Future>(self, future: F) -> impl Future<Output = F::Output> + use<F> {
        future
    }

    #[inline]
    pub(crate) fn in_scope<T>(&self, run: impl FnOnce() -> T) -> T {
        run()
    }

    #[inline]
    pub(crate) fn note(&self, _error: Option<&Error>) {}
}

#[inline]
pub(crate) fn record_server(_client: &redis::Client) {}

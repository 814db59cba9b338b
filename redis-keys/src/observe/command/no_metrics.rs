//! The types of `metrics` without that feature: they have no content, and count nothing.

use redis::Value;

use crate::Error;
use crate::accessor::{Accessor, Outcome};
use crate::redis_rs::Words;
use crate::schema::Schema;

#[inline]
pub(crate) fn is_recorded() -> bool {
    false
}

#[inline]
pub(crate) fn rejected(_error: &Error) {}

#[derive(Default)]
pub(crate) struct Traffic {}

impl Traffic {
    #[inline]
    pub(crate) fn sent<'c>(&mut self, _cmd: impl Words<'c>) {}

    #[inline]
    pub(crate) fn received(&mut self, _reply: &Value, _schema: &Schema) {}

    #[inline]
    pub(crate) fn outcome(&self, _accessor: Accessor) -> Outcome {
        Outcome::Ok
    }

    #[inline]
    pub(crate) fn count(&self, _accessor: Accessor, _schema: &'static Schema, _error: Option<&Error>) {}
}

pub(crate) struct CallMetrics;

impl CallMetrics {
    #[inline]
    pub(crate) fn start(_accessor: Accessor, _schema: &'static Schema, _is_counted: bool) -> Self {
        Self
    }

    #[inline]
    pub(crate) fn traffic(&self) -> Option<Traffic> {
        None
    }

    #[inline]
    pub(crate) fn settle(&mut self, _outcome: Outcome, _traffic: Option<&Traffic>) {}

    #[inline]
    pub(crate) fn settle_error(&mut self, _error: &Error, _traffic: Option<&Traffic>) {}

    #[inline]
    pub(crate) fn hand_over(&mut self) {}

    #[inline]
    pub(crate) fn forget(&mut self) {}

    #[inline]
    pub(crate) fn end(self) {}
}

#[derive(Default)]
pub(crate) struct OpenCalls {}

impl OpenCalls {
    #[inline]
    pub(crate) fn push(&mut self, _accessor: Accessor, _schema: &'static Schema) {}

    #[inline]
    pub(crate) fn append(&mut self, _other: &mut Self) {}

    #[inline]
    pub(crate) fn send(&mut self) {}

    #[inline]
    pub(crate) fn close(&mut self) {}

    #[inline]
    pub(crate) fn close_as(&mut self, _error: &Error) {}
}

pub(crate) struct BatchMetrics;

impl BatchMetrics {
    #[inline]
    pub(crate) fn start(_calls: usize) -> Self {
        Self
    }

    #[inline]
    pub(crate) fn end(self) {}
}

//! Reads a whole collection with a single command, if its declaration bounds it.
//!
//! The command asks for one element more than the collection may have. So a reply is never much larger than declared,
//! and an oversized collection, written by other programs, is recognized without a second command.

use redis::Cmd;

use crate::command::arguments::{Amount, Arguments, Capacity};
use crate::command::{ReplyContext, ReplyError};
use crate::error::Cause;
use crate::scan::most_elements;
use crate::schema::Schema;

/// Fails the build for a collection whose declaration has no cap.
pub(super) const fn assert_bounded(schema: &Schema) {
    assert!(
        schema.max_len.is_some() || schema.keep.is_some(),
        "a collection is read whole if `max_len` bounds it: declare `max_len = …`, or read it page by page"
    );
}

/// The number of elements to request: one more than the collection may have.
pub(super) struct OneMore;

/// The last position to request from a list.
pub(super) struct LastOfOneMore;

impl Arguments for OneMore {
    fn capacity(&self, _schema: &'static Schema) -> Capacity {
        Capacity::new(1, 20)
    }

    fn push(self, cmd: &mut Cmd, schema: &'static Schema) -> Result<Amount, Cause> {
        cmd.arg(most_elements(schema).saturating_add(1));
        Ok(Amount::Some)
    }
}

impl Arguments for LastOfOneMore {
    fn capacity(&self, _schema: &'static Schema) -> Capacity {
        Capacity::new(1, 20)
    }

    fn push(self, cmd: &mut Cmd, schema: &'static Schema) -> Result<Amount, Cause> {
        cmd.arg(most_elements(schema));
        Ok(Amount::Some)
    }
}

/// Rejects more elements than the collection may have.
pub(super) fn check_len<T>(elements: Vec<T>, sent: &ReplyContext<'_>) -> Result<Vec<T>, ReplyError> {
    let most = most_elements(sent.schema);
    if elements.len() as u64 > most {
        return Err(ReplyError::new(Cause::LargeCollection { len: None, most }));
    }
    Ok(elements)
}

//! Reading a collection page by page: a state machine without I/O.

use std::{mem, vec};

use redis::Value;

use super::{Paging, Scan, cursors::CursorCycle};
use crate::{
    Command, Error,
    command::{Decode, Replies, ReplyError, Sent, Step, replies, replies::list},
    error::Cause,
};

/// What one reply contains.
pub(crate) struct Page<T> {
    /// The elements up to the first one that cannot be decoded.
    elements: Vec<T>,
    /// The error of that one.
    error: Option<Error>,
    /// The number of elements in the reply, and the cursor that came with them.
    len: u64,
    cursor: u128,
}

/// Reads the reply to a scan by cursor: `split` separates the elements, `decode` reads each.
pub(crate) fn page<E, T>(
    replies: Replies,
    sent: &Sent<'_>,
    split: impl FnOnce(Value) -> Result<Vec<E>, ReplyError>,
    decode: impl FnMut(E) -> Result<T, ReplyError>,
) -> Result<Step<Page<T>>, ReplyError> {
    let [cursor, elements] = list(replies.one())?.try_into().map_err(|_| ReplyError::unexpected())?;
    Ok(Step::Done(Page::new(replies::cursor(&cursor)?.into(), split(elements)?, sent, decode)))
}

/// Reads the reply to a scan by positions.
pub(crate) fn items<T>(
    replies: Replies,
    sent: &Sent<'_>,
    decode: impl FnMut(Value) -> Result<T, ReplyError>,
) -> Result<Step<Page<T>>, ReplyError> {
    Ok(Step::Done(Page::new(0, list(replies.one())?, sent, decode)))
}

impl<T> Page<T> {
    /// A page of decoded elements, and where the next one begins; 0 if there is none.
    pub(crate) fn of(elements: Vec<T>, next: u128) -> Self {
        Self { error: None, len: elements.len() as u64, elements, cursor: next }
    }

    fn new<E>(cursor: u128, encoded: Vec<E>, sent: &Sent<'_>, decode: impl FnMut(E) -> Result<T, ReplyError>) -> Self {
        let len = encoded.len() as u64;
        let mut page = Self { elements: Vec::with_capacity(encoded.len()), error: None, len, cursor };
        for element in encoded.into_iter().map(decode) {
            match element {
                Ok(element) => page.elements.push(element),
                Err(fault) => {
                    page.error = Some(fault.into_error(sent));
                    break;
                }
            }
        }
        page
    }
}

/// A scan that is being run.
pub(super) struct ScanState<T> {
    pub(super) scan: Scan<T>,
    /// The elements of the last page that have not been taken, and the error after them.
    elements: vec::IntoIter<T>,
    error: Option<Error>,
    /// Where the next page begins.
    position: u128,
    cursors: CursorCycle,
    is_first: bool,
    is_over: bool,
}

impl<T> ScanState<T> {
    pub(super) fn new(scan: Scan<T>) -> Self {
        Self {
            scan,
            elements: Vec::new().into_iter(),
            error: None,
            position: 0,
            cursors: CursorCycle::default(),
            is_first: true,
            is_over: false,
        }
    }

    /// Takes the next element of the page.
    pub(super) fn element(&mut self) -> Option<Result<T, Error>> {
        self.elements.next().map(Ok).or_else(|| self.error.take().map(Err))
    }

    /// The command for the next page. `None` at the end.
    pub(super) fn page_command(&mut self) -> Option<Command<Page<T>>> {
        self.command(self.scan.decode)
    }

    /// The same, with another decoder.
    pub(super) fn command<P>(&mut self, decode: Decode<P>) -> Option<Command<P>> {
        let is_first = mem::take(&mut self.is_first);
        (!self.is_over).then(|| self.scan.page(self.position, is_first, decode))
    }

    /// Takes the page.
    pub(super) fn resume(&mut self, page: Result<Page<T>, Error>) {
        let page = match page {
            Ok(page) => page,
            Err(error) => {
                self.is_over = true;
                self.error = Some(error);
                return;
            }
        };
        let is_short = page.len < u64::from(self.scan.len);
        let is_last = match self.scan.paging {
            Paging::Cursor => page.cursor == 0,
            Paging::Positions => is_short,
            Paging::Ids => is_short || page.cursor == 0,
        };
        let advances = is_last
            || match self.scan.paging {
                Paging::Cursor => !u64::try_from(page.cursor).is_ok_and(|cursor| self.cursors.repeats(cursor)),
                Paging::Ids => page.cursor > self.position,
                Paging::Positions => true,
            };
        self.position = match self.scan.paging {
            Paging::Cursor | Paging::Ids => page.cursor,
            Paging::Positions => self.position.saturating_add(page.len.into()),
        };
        self.elements = page.elements.into_iter();
        self.error = page.error.or_else(|| (!advances).then(|| self.scan.error(Cause::UnexpectedReply)));
        self.is_over = is_last || self.error.is_some();
    }
}

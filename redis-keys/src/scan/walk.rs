//! From page to page.

use std::{mem, vec};

use redis::Value;

use super::{Scan, Way};
use crate::{
    Command, Error,
    command::{Fault, Replies, Sent, Step, replies, replies::list},
};

/// What one reply brings.
pub(crate) struct Page<T> {
    /// What decodes, up to the first that does not.
    elements: Vec<T>,
    failure: Option<Error>,
    /// How many elements came, and the cursor that came with them.
    len: u64,
    cursor: u128,
}

/// Reads the reply to a scan by cursor: `split` takes the elements apart, `decode` reads each.
pub(crate) fn page<E, T>(
    replies: Replies,
    sent: &Sent<'_>,
    split: impl FnOnce(Value) -> Result<Vec<E>, Fault>,
    decode: impl FnMut(E) -> Result<T, Fault>,
) -> Result<Step<Page<T>>, Fault> {
    let [cursor, elements] = list(replies.one())?.try_into().map_err(|_| Fault::unexpected())?;
    Ok(Step::Done(Page::new(replies::cursor(&cursor)?.into(), split(elements)?, sent, decode)))
}

/// Reads the reply to a scan by positions.
pub(crate) fn items<T>(
    replies: Replies,
    sent: &Sent<'_>,
    decode: impl FnMut(Value) -> Result<T, Fault>,
) -> Result<Step<Page<T>>, Fault> {
    Ok(Step::Done(Page::new(0, list(replies.one())?, sent, decode)))
}

impl<T> Page<T> {
    /// A page of which everything decodes, and where the next one begins; 0 where there is none.
    pub(crate) fn of(elements: Vec<T>, next: u128) -> Self {
        Self { failure: None, len: elements.len() as u64, elements, cursor: next }
    }

    fn new<E>(cursor: u128, found: Vec<E>, sent: &Sent<'_>, decode: impl FnMut(E) -> Result<T, Fault>) -> Self {
        let mut page =
            Self { elements: Vec::with_capacity(found.len()), failure: None, len: found.len() as u64, cursor };
        for element in found.into_iter().map(decode) {
            match element {
                Ok(element) => page.elements.push(element),
                Err(fault) => {
                    page.failure = Some(fault.into_error(sent));
                    break;
                }
            }
        }
        page
    }
}

/// How far a scan has come.
pub(super) struct Walk<T> {
    scan: Scan<T>,
    /// What has come and is not taken yet, and what was wrong behind it.
    ready: vec::IntoIter<T>,
    failure: Option<Error>,
    /// Where the page begins that was asked for last.
    at: u128,
    first: bool,
    over: bool,
}

impl<T> Walk<T> {
    pub(super) fn new(scan: Scan<T>) -> Self {
        Self { scan, ready: Vec::new().into_iter(), failure: None, at: 0, first: true, over: false }
    }

    /// The next of what has come.
    pub(super) fn element(&mut self) -> Option<Result<T, Error>> {
        self.ready.next().map(Ok).or_else(|| self.failure.take().map(Err))
    }

    /// What has to be sent for more; nothing where there is no more.
    pub(super) fn command(&mut self) -> Option<Command<Page<T>>> {
        let first = mem::take(&mut self.first);
        (!self.over).then(|| self.scan.page(self.at, first))
    }

    pub(super) fn read(&mut self, page: Result<Page<T>, Error>) {
        match page {
            Ok(page) => {
                self.at = match self.scan.way {
                    Way::Cursor | Way::Ids => page.cursor,
                    Way::Positions => self.at.saturating_add(page.len.into()),
                };
                let short = page.len < u64::from(self.scan.len);
                self.over = page.failure.is_some()
                    || match self.scan.way {
                        Way::Cursor => page.cursor == 0,
                        Way::Positions => short,
                        Way::Ids => short || page.cursor == 0,
                    };
                self.ready = page.elements.into_iter();
                self.failure = page.failure;
            }
            Err(error) => {
                self.over = true;
                self.failure = Some(error);
            }
        }
    }
}

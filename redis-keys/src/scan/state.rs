//! Reads a collection page by page: a state machine without I/O.

use std::{mem, vec};

use redis::Value;

use super::{Paging, Scan};
use crate::command::reply::list;
use crate::command::{Decode, DecodeResult, Replies, ReplyContext, ReplyError, Step, reply};
use crate::error::Cause;
use crate::{Command, Error};

/// A decoded reply of a scan.
pub(crate) struct Page<T> {
    /// The elements up to the first that cannot be decoded.
    elements: Vec<T>,
    /// The error of the element that cannot be decoded.
    error: Option<Error>,
    /// The number of elements in the reply, and the cursor in it.
    len: u64,
    cursor: u128,
}

/// Reads the reply to a scan by cursor: `split` separates the elements, and `decode` reads each.
pub(crate) fn page<E, T>(
    replies: Replies,
    sent: &ReplyContext<'_>,
    split: impl FnOnce(Value) -> Result<Vec<E>, ReplyError>,
    decode: impl FnMut(E) -> Result<T, ReplyError>,
) -> DecodeResult<Page<T>> {
    let [cursor, elements] = list(replies.one())?.try_into().map_err(|_| ReplyError::unexpected())?;
    Ok(Step::Done(Page::new(reply::number(&cursor)?.into(), split(elements)?, sent, decode)))
}

/// Reads the reply to a scan by positions.
pub(crate) fn items<T>(
    replies: Replies,
    sent: &ReplyContext<'_>,
    decode: impl FnMut(Value) -> Result<T, ReplyError>,
) -> DecodeResult<Page<T>> {
    Ok(Step::Done(Page::new(0, list(replies.one())?, sent, decode)))
}

impl<T> Page<T> {
    /// Creates a page from decoded elements and the start of the next page; 0 if there is none.
    pub(crate) fn of(elements: Vec<T>, next: u128) -> Self {
        Self { error: None, len: elements.len() as u64, elements, cursor: next }
    }

    fn new<E>(
        cursor: u128,
        encoded: Vec<E>,
        sent: &ReplyContext<'_>,
        decode: impl FnMut(E) -> Result<T, ReplyError>,
    ) -> Self {
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

/// The state of a running scan.
pub(super) struct ScanState<T> {
    pub(super) scan: Scan<T>,
    /// The elements of the last page that have not been taken, and the error after them.
    elements: vec::IntoIter<T>,
    error: Option<Error>,
    /// The start of the next page.
    position: u128,
    cursors: Cursors,
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
            cursors: Cursors::default(),
            is_first: true,
            is_over: false,
        }
    }

    /// Takes the next element of the page.
    pub(super) fn element(&mut self) -> Option<Result<T, Error>> {
        self.elements.next().map(Ok).or_else(|| self.error.take().map(Err))
    }

    /// Returns the command for the next page, or for the number of elements; `None` at the end.
    pub(super) fn page_command(&mut self) -> Option<Command<Page<T>>> {
        self.command(if self.needs_size() { size } else { self.scan.decode })
    }

    /// Does the same with another decoder.
    pub(super) fn command<P>(&mut self, decode: Decode<P>) -> Option<Command<P>> {
        if self.needs_size() {
            return Some(self.scan.size(decode));
        }
        let is_first = mem::take(&mut self.is_first);
        (!self.is_over).then(|| self.scan.page(self.position, is_first, decode))
    }

    /// Whether the next command asks for the number of elements.
    pub(super) fn needs_size(&self) -> bool {
        !self.is_over && self.cursors.needs_size()
    }

    /// Takes the number of elements.
    pub(super) fn set_size(&mut self, size: Option<u64>) {
        self.cursors.set_size(size, self.scan.len.into());
    }

    /// Takes the page.
    pub(super) fn resume(&mut self, page: Result<Page<T>, Error>) {
        if self.needs_size() {
            return self.set_size(page.ok().map(|page| page.len));
        }
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
                Paging::Cursor => u64::try_from(page.cursor).is_ok_and(|cursor| self.cursors.advance(cursor)),
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

/// Reads the number of elements, as the length of an empty page.
fn size<T>(replies: Replies, _sent: &ReplyContext<'_>) -> DecodeResult<Page<T>> {
    let len = number_of(&replies.one()).ok_or_else(ReplyError::unexpected)?;
    Ok(Step::Done(Page { len, ..Page::of(Vec::new(), 0) }))
}

/// The number of elements or keys in a reply.
pub(super) fn number_of(reply: &Value) -> Option<u64> {
    match reply {
        Value::Int(number) => u64::try_from(*number).ok(),
        _ => None,
    }
}

/// The number of pages after which a scan needs the number of elements.
const FREE_PAGES: u64 = 1_000;

/// The maximum number of elements in a collection, and of keys on a server.
const MOST_ELEMENTS: u64 = 1 << 32;

/// The maximum number of visits to an element, because the number of elements can grow during a scan.
const VISITS: u64 = 4;

/// The visits to a table of a billion buckets without elements, rounded up.
const EMPTY_VISITS: u64 = 1 << 27;

/// Detects a scan by cursor that would not end, because its cursors repeat or there are too many pages.
///
/// Cursors of real servers do not repeat: each follows the previous cursor in the order in which the server visits its
/// elements, even if its table grows or shrinks in between. A single earlier cursor is kept, and replaced after 1, 2,
/// 4, … pages (Brent's algorithm), which finds a cycle of any length.
///
/// For a page, a real server visits COUNT elements, or ten times as many buckets of its table. A table has up to ten
/// times as many buckets as elements, or any number if most of its elements are gone and the server has had no time to
/// shrink the table. So the number of elements bounds the number of pages; a server that sends more is not a real
/// server.
#[derive(Default)]
pub(crate) struct Cursors {
    /// The cursor to compare with. It starts as 0, which only the last reply returns.
    kept: u64,
    /// The number of pages since then, and the number until which it is kept.
    age: u64,
    longest_age: u64,
    pages: u64,
    /// The maximum number of pages, once the number of elements is known.
    most_pages: Option<u64>,
}

impl Cursors {
    /// Takes the next cursor before the last, and returns whether the scan advances towards its end.
    pub(crate) fn advance(&mut self, cursor: u64) -> bool {
        self.pages = self.pages.saturating_add(1);
        self.most_pages.is_none_or(|most| self.pages <= most) && !self.repeats(cursor)
    }

    fn repeats(&mut self, cursor: u64) -> bool {
        if cursor == self.kept {
            return true;
        }
        self.age = self.age.saturating_add(1);
        if self.age > self.longest_age {
            self.longest_age = self.longest_age.saturating_mul(2).max(1);
            (self.kept, self.age) = (cursor, 0);
        }
        false
    }

    /// Whether the number of elements is needed before the next page.
    pub(crate) fn needs_size(&self) -> bool {
        self.pages >= FREE_PAGES && self.most_pages.is_none()
    }

    /// Sets the number of elements, if the server has replied, for pages with this COUNT.
    pub(crate) fn set_size(&mut self, size: Option<u64>, count: u64) {
        let elements = size.unwrap_or(MOST_ELEMENTS).min(MOST_ELEMENTS);
        let visits = elements.saturating_mul(VISITS).saturating_add(EMPTY_VISITS);
        self.most_pages = Some(self.pages.saturating_add(visits.div_ceil(count.max(1))));
    }
}

#[cfg(test)]
mod tests {
    use super::{Cursors, FREE_PAGES, MOST_ELEMENTS};

    /// Returns the number of pages after which a cycle is found.
    fn found_after(cursors: impl IntoIterator<Item = u64>) -> Option<usize> {
        let mut cycle = Cursors::default();
        cursors.into_iter().position(|cursor| !cycle.advance(cursor))
    }

    #[test]
    fn every_cycle_is_found() {
        for (start, len) in [(0, 1), (0, 2), (1, 1), (5, 3), (100, 7), (3, 100)] {
            let pages = start + len;
            let cursors = (1..).map(|page| if page < pages { page } else { start + 1 + (page - 1 - start) % len });
            let found = found_after(cursors.take(10_000)).unwrap();
            assert!(found <= 4 * usize::try_from(pages).unwrap(), "{start}, {len}: after {found} pages");
        }
    }

    #[test]
    fn cursors_of_real_servers_do_not_repeat() {
        // The cursor counts from its highest bit down, in a table that changes its size.
        let mut sizes = [4_u32, 5, 3, 10, 12, 2, 12, 12].into_iter().cycle();
        let mut cursor = 0_u64;
        let next = || {
            let unused = u64::MAX << sizes.next()?;
            cursor = (cursor | unused).reverse_bits().wrapping_add(1).reverse_bits();
            (cursor != 0).then_some(cursor)
        };
        assert_eq!(found_after(std::iter::from_fn(next).take(100_000)), None);
    }
    /// Returns the maximum number of pages of a scan.
    fn most_pages(size: Option<u64>, count: u64) -> u64 {
        let mut cursors = Cursors::default();
        assert!((1..=FREE_PAGES).all(|cursor| !cursors.needs_size() && cursors.advance(cursor)));
        assert!(cursors.needs_size());
        cursors.set_size(size, count);
        assert!(!cursors.needs_size());
        cursors.most_pages.unwrap()
    }

    #[test]
    fn real_servers_have_fewer_pages() {
        for (elements, buckets, count) in [
            (0, 1 << 30, 500),
            (10, 1 << 30, 1),
            (1_000_000, 10_000_000, 10),
            // Ten times as many elements at the end as when they were counted.
            (10_000_000, 1 << 27, 500),
            (MOST_ELEMENTS, MOST_ELEMENTS * 2, 100),
        ] {
            let most = most_pages(Some(elements), count);
            assert!(elements / count + buckets / (10 * count) < most, "{elements} in {buckets}: {most}");
        }
        assert_eq!(most_pages(None, 500), most_pages(Some(u64::MAX), 500));
        assert!(most_pages(None, 500) < 50_000_000);
    }
}

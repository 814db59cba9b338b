//! From page to page, and from node to node.

use std::{mem, vec};

use redis::{Cmd, RedisResult, Value};

use super::{
    KeyScan,
    to::{Con, To},
};
use crate::{
    Error, ParseKey, Sent,
    command::{Fault, answer, lost},
    error::Cause,
    parse,
    replies::{cursor, list},
};

/// How far a scan has come.
pub(super) struct Walk<K> {
    scan: KeyScan<K>,
    next: Next,
    /// Who has not told all, and where the next page begins.
    rest: Vec<(To, u64)>,
    /// What has come and is not taken yet, and what was wrong behind it.
    ready: vec::IntoIter<K>,
    failure: Option<Error>,
}

/// What is to be sent.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Next {
    /// The question which primaries there are. Whether each of them can be asked is known.
    Question {
        cluster: bool,
    },
    /// The first page of so many primaries.
    Primaries {
        count: usize,
    },
    /// A page of the last one in the rest.
    Page,
    Nothing,
}

impl<K: for<'k> ParseKey<'k>> Walk<K> {
    pub(super) fn new(scan: KeyScan<K>, con: Con) -> Self {
        let refused = match &scan.count {
            Err(error) => Some(error.clone()),
            Ok(_) if con == Con::Closed => Some(Error::refused(scan.schema, None, Cause::PartOfCluster)),
            Ok(_) => None,
        };
        let next = if refused.is_some() { Next::Nothing } else { Next::Question { cluster: con == Con::Cluster } };
        Self { scan, next, rest: Vec::new(), ready: Vec::new().into_iter(), failure: refused }
    }

    /// The next of what has come.
    pub(super) fn key(&mut self) -> Option<Result<K, Error>> {
        self.ready.next().map(Ok).or_else(|| self.failure.take().map(Err))
    }

    /// What has to be sent for more, and to whom; nothing where there is no more.
    pub(super) fn command(&self) -> Option<(Cmd, To)> {
        let count = *self.scan.count.as_ref().ok()?;
        match self.next {
            Next::Question { .. } => {
                let mut cmd = Cmd::new();
                cmd.arg("CLUSTER").arg("SLOTS");
                Some((cmd, To::Any))
            }
            Next::Primaries { .. } => Some((self.scan.page(0, count), To::Primaries)),
            Next::Page => self.rest.last().map(|(to, cursor)| (self.scan.page(*cursor, count), to.clone())),
            Next::Nothing => None,
        }
    }

    pub(super) fn read(&mut self, cmd: &Cmd, reply: RedisResult<Value>) {
        let result = match mem::replace(&mut self.next, Next::Nothing) {
            Next::Question { cluster } => self.read_slots(cluster, cmd, reply),
            Next::Primaries { count } => self.reply(cmd, reply).and_then(|reply| self.read_primaries(count, reply)),
            Next::Page => self
                .rest
                .pop()
                .map_or(Ok(()), |(to, _)| self.reply(cmd, reply).and_then(|reply| self.read_page(to, reply))),
            Next::Nothing => Ok(()),
        };
        match result {
            Ok(()) if self.next == Next::Nothing && !self.rest.is_empty() => self.next = Next::Page,
            Ok(()) => {}
            Err(error) => self.failure = Some(error),
        }
    }

    fn reply(&self, cmd: &Cmd, reply: RedisResult<Value>) -> Result<Value, Error> {
        answer(reply).map_err(|error| lost(self.scan.schema, cmd, error))
    }

    fn fault(&self, sent: Sent, cause: Cause) -> Error {
        Error::new(self.scan.schema, None, sent, cause)
    }

    fn unexpected(&self) -> Error {
        self.fault(Sent::Yes, Cause::UnexpectedReply)
    }

    fn read_slots(&mut self, cluster: bool, cmd: &Cmd, reply: RedisResult<Value>) -> Result<(), Error> {
        let primaries = match answer(reply) {
            Ok(slots) => primaries(slots),
            // The server is no cluster, or does not know the question. What else it may say leaves that open.
            Err(error) if !cluster && error.code() == Some("ERR") => Vec::new(),
            Err(error) => return Err(lost(self.scan.schema, cmd, error)),
        };
        match (cluster, primaries.len()) {
            (true, 0) => return Err(self.unexpected()),
            (true, count) => match primaries.iter().map(To::primary).collect::<Option<Vec<_>>>() {
                // redis-rs may still know of others than there are. Asked for one that it does not know, it learns them anew.
                Some(nodes) => self.rest.extend(nodes.into_iter().map(|node| (node, 0))),
                None => self.next = Next::Primaries { count },
            },
            (false, 0 | 1) => self.rest.push((To::Any, 0)),
            (false, _) => return Err(self.fault(Sent::No, Cause::PartOfCluster)),
        }
        Ok(())
    }

    /// The first pages of all primaries, where they do not say their addresses. redis-rs leaves those out to which it has no
    /// connection.
    fn read_primaries(&mut self, count: usize, reply: Value) -> Result<(), Error> {
        let Value::Map(pages) = reply else { return Err(self.unexpected()) };
        if pages.len() != count {
            return Err(self.fault(Sent::Yes, Cause::Unreached { primaries: count, reached: pages.len() }));
        }
        let mut keys = Vec::new();
        for (address, page) in pages {
            let to = To::node(&address).ok_or_else(|| self.unexpected())?;
            let page = self.reply(&Cmd::new(), Ok(page))?;
            keys.extend(self.take(to, page)?);
        }
        self.ready = keys.into_iter();
        Ok(())
    }

    fn read_page(&mut self, to: To, reply: Value) -> Result<(), Error> {
        self.ready = self.take(to, reply)?.into_iter();
        Ok(())
    }

    /// The keys of one page. What is none of the declaration is left out.
    fn take(&mut self, to: To, reply: Value) -> Result<Vec<K>, Error> {
        let read = |reply| {
            let [next, names] = list(reply)?.try_into().map_err(|_| Fault::unexpected())?;
            Ok::<_, Fault>((cursor(&next)?, list(names)?))
        };
        let (next, names) = read(reply).map_err(|_| self.unexpected())?;
        if next != 0 {
            self.rest.push((to, next));
        }
        let front = self.scan.front;
        let key = |name: &Value| match name {
            Value::BulkString(name) => parse::read(name, front).ok(),
            _ => None,
        };
        Ok(names.iter().filter_map(key).collect())
    }
}

/// The primaries that CLUSTER SLOTS names: host, port and more of each.
fn primaries(slots: Value) -> Vec<Value> {
    let mut primaries = Vec::new();
    for range in list(slots).unwrap_or_default() {
        // Its first slot, its last one, the primary, and replicas.
        if let Some(primary) = list(range).unwrap_or_default().into_iter().nth(2)
            && !primaries.contains(&primary)
        {
            primaries.push(primary);
        }
    }
    primaries
}

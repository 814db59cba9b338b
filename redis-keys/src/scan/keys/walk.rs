//! From page to page, and from node to node.

#[cfg(all(test, feature = "aio"))]
mod tests;

use std::{mem, vec};

use redis::{Cmd, RedisResult, Value};

use super::{
    KeyScan,
    look::{Claim, Found, Look, Slots},
    to::{Con, To},
};
use crate::{
    Error, ErrorKind, ParseKey, Sent,
    command::{
        Fault, answer, lost,
        replies::{cursor, list},
    },
    error::Cause,
    key::parse,
};

/// How far a scan has come.
pub(super) struct Walk<K> {
    scan: KeyScan<K>,
    /// Whether each node of a cluster can be asked.
    cluster: bool,
    next: Next,
    look: Look,
    /// Who has not told all, and where the next page begins.
    rest: Vec<(To, u64)>,
    /// What has come and is not taken yet, and what was wrong behind it.
    ready: vec::IntoIter<K>,
    failure: Option<Error>,
}

/// What is to be sent.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Next {
    /// The question which primaries there are, at first or once all keys have come.
    Slots {
        last: bool,
    },
    /// The question to each of them what it serves.
    Claims,
    /// A page of the last one in the rest. Whether nothing is to be asked once all keys have come.
    Page {
        last: bool,
    },
    Nothing,
}

impl<K: for<'k> ParseKey<'k>> Walk<K> {
    pub(super) fn new(scan: KeyScan<K>, con: Con) -> Self {
        let refused = match &scan.count {
            Err(error) => Some(error.clone()),
            Ok(_) if con == Con::Closed => Some(Error::refused(scan.schema, None, Cause::PartOfCluster)),
            Ok(_) => None,
        };
        let next = if refused.is_some() { Next::Nothing } else { Next::Slots { last: false } };
        let cluster = con == Con::Cluster;
        let (look, rest, ready) = (Look::default(), Vec::new(), Vec::new().into_iter());
        Self { scan, cluster, next, look, rest, ready, failure: refused }
    }

    /// The next of what has come.
    pub(super) fn key(&mut self) -> Option<Result<K, Error>> {
        self.ready.next().map(Ok).or_else(|| self.failure.take().map(Err))
    }

    /// What has to be sent for more, and to whom; nothing where there is no more.
    pub(super) fn command(&self) -> Option<(Cmd, To)> {
        let count = *self.scan.count.as_ref().ok()?;
        match self.next {
            Next::Slots { .. } => Some((of_cluster("SLOTS"), To::Any)),
            Next::Claims => self.look.open().map(|to| (of_cluster("NODES"), to.clone())),
            Next::Page { .. } => self.rest.last().map(|(to, cursor)| (self.scan.page(*cursor, count), to.clone())),
            Next::Nothing => None,
        }
    }

    pub(super) fn read(&mut self, cmd: &Cmd, reply: RedisResult<Value>) {
        let result = match mem::replace(&mut self.next, Next::Nothing) {
            Next::Slots { last } => self.read_slots(last, cmd, reply),
            Next::Claims => self.read_claims(cmd, reply),
            Next::Page { last } => self.read_page(last, cmd, reply),
            Next::Nothing => Ok(Next::Nothing),
        };
        match result {
            Ok(next) => self.next = next,
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

    fn read_slots(&mut self, last: bool, cmd: &Cmd, reply: RedisResult<Value>) -> Result<Next, Error> {
        let slots = match answer(reply) {
            Ok(slots) => Slots::read(slots),
            // The server is no cluster, or does not know the question. What else it may say leaves that open.
            Err(error) if !self.cluster && error.code() == Some("ERR") => Slots::default(),
            Err(error) => return Err(lost(self.scan.schema, cmd, error)),
        };
        match (self.cluster, slots.primaries.len()) {
            (true, 0) => Err(self.unexpected()),
            (false, 0) if last => Ok(Next::Nothing),
            (false, 0) => {
                self.rest.push((To::Any, 0));
                Ok(Next::Page { last: true })
            }
            // What is alone in its cluster may not be so for long.
            (false, nodes) if nodes > 1 => {
                Err(self.fault(if last { Sent::Yes } else { Sent::No }, Cause::PartOfCluster))
            }
            _ if self.look.begin(&slots, self.cluster) => Ok(Next::Claims),
            _ => Err(self.fault(Sent::Yes, Cause::UnstableTopology)),
        }
    }

    /// What primaries say of themselves: one, or all at once where they do not say their addresses.
    fn read_claims(&mut self, cmd: &Cmd, reply: RedisResult<Value>) -> Result<Next, Error> {
        let reply = self.reply(cmd, reply)?;
        match self.look.open().cloned() {
            Some(To::Primaries) => {
                let Value::Map(claims) = reply else { return Err(self.unexpected()) };
                for (address, claim) in claims {
                    let node = To::node(&address).ok_or_else(|| self.unexpected())?;
                    let claim = self.reply(cmd, Ok(claim))?;
                    self.look.says(node, Claim::read(&claim).ok_or_else(|| self.unexpected())?);
                }
            }
            Some(node) => self.look.says(node, Claim::read(&reply).ok_or_else(|| self.unexpected())?),
            None => {}
        }
        self.look.close();
        if self.look.open().is_some() {
            return Ok(Next::Claims);
        }
        Ok(match self.look.end() {
            Found::Changed(nodes) => {
                self.rest = nodes.into_iter().map(|node| (node, 0)).collect();
                Next::Page { last: false }
            }
            Found::Same => Next::Nothing,
            Found::Unsettled => Next::Slots { last: true },
        })
    }

    fn read_page(&mut self, last: bool, cmd: &Cmd, reply: RedisResult<Value>) -> Result<Next, Error> {
        let Some((to, _)) = self.rest.pop() else { return Ok(Next::Nothing) };
        match self.reply(cmd, reply) {
            Ok(reply) => self.ready = self.take(to, reply)?.into_iter(),
            // It may have been replaced by another one, which is found then, and otherwise the question fails as this has.
            Err(error) if self.cluster && error.kind() == ErrorKind::Connection && self.look.forget(&to) => {}
            Err(error) => return Err(error),
        }
        Ok(match self.rest.is_empty() {
            false => Next::Page { last },
            true if last => Next::Nothing,
            true => Next::Slots { last: true },
        })
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
            Value::BulkString(name) => parse::parse(name, front).ok(),
            _ => None,
        };
        Ok(names.iter().filter_map(key).collect())
    }
}

fn of_cluster(question: &str) -> Cmd {
    let mut cmd = Cmd::new();
    cmd.arg("CLUSTER").arg(question);
    cmd
}

//! Scans the keys of a declaration: a state machine without I/O.

use std::{mem, vec};

use redis::{Cmd, RedisResult, Value};

use super::KeyScan;
use super::route::{ConnectionKind, Route};
use super::topology::{SlotOwnership, Survey, Topology, primaries};
use crate::accessor::{Accessor, Outcome};
use crate::command::ReplyError;
use crate::command::context::{NoReply, keyless_error};
use crate::command::reply::{list, number};
use crate::command::responses::flatten;
use crate::error::Cause;
use crate::observe::command::{Call, rejected};
use crate::run::slot_range::SlotRange;
use crate::scan::state::{Cursors, number_of};
use crate::{Error, ErrorKind, SendStatus};

/// The state of a running scan.
///
/// CLUSTER SLOTS comes first: a single server rejects it, and is then scanned by itself. The nodes of a cluster are
/// surveyed and scanned as [`Topology`] decides.
pub(super) struct KeyScanState<K> {
    scan: KeyScan<K>,
    /// Whether commands can be routed to each node of a cluster.
    routes_by_node: bool,
    next: Next,
    topology: Topology,
    /// The nodes that are not completely scanned, each with the cursor of its next page. The last node is next.
    unscanned: Vec<(Route, u64)>,
    /// The cursors of the last node.
    cursors: Cursors,
    /// The keys of the last page that have not been taken, and the error after them.
    keys: vec::IntoIter<K>,
    error: Option<Error>,
}

/// The next command.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Next {
    /// CLUSTER SLOTS, before the first page or after the last one.
    Slots {
        has_scanned: bool,
    },
    /// CLUSTER NODES to the next node of the survey.
    Ownership,
    /// SCAN on the last of the unscanned nodes. Whether the scan ends when all are scanned.
    Page {
        is_final: bool,
    },
    /// DBSIZE on the same node, before the page.
    Size {
        is_final: bool,
    },
    Nothing,
}

const SCAN: Accessor = Accessor::of("scan");

impl<K> KeyScanState<K> {
    pub(super) fn new(scan: KeyScan<K>, kind: ConnectionKind) -> Self {
        let error = match &scan.count {
            Err(error) => Some(error.clone()),
            Ok(_) if kind == ConnectionKind::OpaqueCluster => {
                Some(Error::refused(scan.schema, None, Cause::PartOfCluster))
            }
            Ok(_) => None,
        };
        let error = error.map(|mut error| {
            error.name(SCAN);
            error
        });
        Self {
            scan,
            routes_by_node: kind == ConnectionKind::Cluster,
            next: if error.is_some() { Next::Nothing } else { Next::Slots { has_scanned: false } },
            topology: Topology::default(),
            unscanned: Vec::new(),
            cursors: Cursors::default(),
            keys: Vec::new().into_iter(),
            error,
        }
    }

    /// Takes the next key of the page.
    pub(super) fn key(&mut self) -> Option<Result<K, Error>> {
        self.keys.next().map(Ok).or_else(|| self.error.take().inspect(rejected).map(Err))
    }

    /// Returns the command for more keys, and its destination; `None` at the end.
    pub(super) fn command(&self) -> Option<(Cmd, Route)> {
        let count = *self.scan.count.as_ref().ok()?;
        match self.next {
            Next::Slots { .. } => Some((cluster_cmd("SLOTS"), Route::Any)),
            Next::Ownership => self.topology.next_node().map(|route| (cluster_cmd("NODES"), route.clone())),
            Next::Page { .. } => {
                self.unscanned.last().map(|(route, cursor)| (self.scan.page(*cursor, count), route.clone()))
            }
            Next::Size { .. } => self.unscanned.last().map(|(route, _)| (redis::cmd("DBSIZE"), route.clone())),
            Next::Nothing => None,
        }
    }

    /// Returns the report on the command. Among successful commands, only pages are counted.
    pub(super) fn call(&self) -> Call {
        Call::start(SCAN, self.scan.schema)
    }

    /// Takes the reply to the command.
    pub(super) fn resume(&mut self, mut call: Call, cmd: &Cmd, reply: RedisResult<Value>) {
        let is_page = matches!(self.next, Next::Page { .. });
        let traffic = call.metrics.traffic().filter(|_| is_page).map(|mut traffic| {
            traffic.sent(cmd);
            if let Ok(reply) = &reply {
                traffic.received(reply, self.scan.schema);
            }
            traffic
        });
        let result = match mem::replace(&mut self.next, Next::Nothing) {
            Next::Slots { has_scanned } => self.read_slots(has_scanned, cmd, reply),
            Next::Ownership => self.read_ownership(cmd, reply),
            Next::Page { is_final } => self.read_page(is_final, cmd, reply),
            Next::Size { is_final } => {
                let count = self.scan.count.as_ref().map_or(1, |count| u64::from(*count));
                self.cursors.set_size(reply.ok().as_ref().and_then(number_of), count);
                Ok(Next::Page { is_final })
            }
            Next::Nothing => Ok(Next::Nothing),
        };
        match &result {
            Ok(_) if is_page => call.metrics.settle(Outcome::Ok, traffic.as_ref()),
            Ok(_) => call.metrics.forget(),
            Err(error) => call.metrics.settle_error(error, traffic.as_ref()),
        }
        call.end(&result);
        match result {
            Ok(next) => self.next = next,
            Err(error) => self.error = Some(error),
        }
    }

    fn reply(&self, cmd: &Cmd, reply: RedisResult<Value>) -> Result<Value, Error> {
        flatten(reply).map_err(|error| keyless_error(self.scan.schema, cmd, NoReply { error, never_sent: false }))
    }

    fn failure(&self, sent: SendStatus, cause: Cause) -> Error {
        Error::new(self.scan.schema, None, sent, cause)
    }

    fn unexpected(&self) -> Error {
        self.failure(SendStatus::Yes, Cause::UnexpectedReply)
    }

    fn read_slots(&mut self, has_scanned: bool, cmd: &Cmd, reply: RedisResult<Value>) -> Result<Next, Error> {
        let ranges = match flatten(reply) {
            Ok(reply) => SlotRange::read_all(reply),
            // The server is no cluster, or does not know the command. Other errors do not prove that.
            Err(error) if !self.routes_by_node && error.code() == Some("ERR") => Vec::new(),
            Err(error) => return Err(keyless_error(self.scan.schema, cmd, NoReply { error, never_sent: false })),
        };
        match (self.routes_by_node, primaries(&ranges).len()) {
            (true, 0) => Err(self.unexpected()),
            (false, 0) if has_scanned => Ok(Next::Nothing),
            (false, 0) => {
                self.unscanned.push((Route::Any, 0));
                Ok(Next::Page { is_final: true })
            }
            (false, 2..) => {
                Err(self.failure(if has_scanned { SendStatus::Yes } else { SendStatus::No }, Cause::PartOfCluster))
            }
            // The only node of a cluster is surveyed too: there may be others soon.
            _ if self.topology.begin_survey(&ranges, self.routes_by_node) => Ok(Next::Ownership),
            _ => Err(self.failure(SendStatus::Yes, Cause::UnstableTopology)),
        }
    }

    /// Reads the slots that a primary owns, or that all primaries own if they do not announce their addresses.
    fn read_ownership(&mut self, cmd: &Cmd, reply: RedisResult<Value>) -> Result<Next, Error> {
        let reply = self.reply(cmd, reply)?;
        match self.topology.take_next_node() {
            Some(Route::AllPrimaries) => {
                let Value::Map(nodes) = reply else { return Err(self.unexpected()) };
                for (address, nodes) in nodes {
                    let node = Route::of_address(&address).ok_or_else(|| self.unexpected())?;
                    let nodes = self.reply(cmd, Ok(nodes))?;
                    self.topology.record(node, SlotOwnership::read(&nodes).ok_or_else(|| self.unexpected())?);
                }
            }
            Some(node) => self.topology.record(node, SlotOwnership::read(&reply).ok_or_else(|| self.unexpected())?),
            None => {}
        }
        if self.topology.next_node().is_some() {
            return Ok(Next::Ownership);
        }
        Ok(match self.topology.end_survey() {
            Survey::Changed(nodes) => {
                self.unscanned = nodes.into_iter().map(|node| (node, 0)).collect();
                Next::Page { is_final: false }
            }
            Survey::Complete => Next::Nothing,
            Survey::Inconsistent => Next::Slots { has_scanned: true },
        })
    }

    fn read_page(&mut self, is_final: bool, cmd: &Cmd, reply: RedisResult<Value>) -> Result<Next, Error> {
        let Some((route, _)) = self.unscanned.pop() else { return Ok(Next::Nothing) };
        match self.reply(cmd, reply) {
            Ok(reply) => self.keys = self.read_keys(route, reply)?.into_iter(),
            // A replica may have replaced the node, which the next survey finds. If not, the survey fails like this scan.
            Err(error)
                if self.routes_by_node && error.kind() == ErrorKind::Connection && self.topology.lose(&route) =>
            {
                self.cursors = Cursors::default();
            }
            Err(error) => return Err(error),
        }
        Ok(match self.unscanned.is_empty() {
            false if self.cursors.needs_size() => Next::Size { is_final },
            false => Next::Page { is_final },
            true if is_final => Next::Nothing,
            true => Next::Slots { has_scanned: true },
        })
    }

    /// Reads the keys of a page, without the keys that the declaration cannot parse.
    fn read_keys(&mut self, route: Route, reply: Value) -> Result<Vec<K>, Error> {
        let read = |reply| {
            let [next, names] = list(reply)?.try_into().map_err(|_| ReplyError::unexpected())?;
            Ok::<_, ReplyError>((number(&next)?, list(names)?))
        };
        let (next, names) = read(reply).map_err(|_| self.unexpected())?;
        if next == 0 {
            self.cursors = Cursors::default();
        } else if self.cursors.advance(next) {
            self.unscanned.push((route, next));
        } else {
            return Err(self.unexpected());
        }
        let KeyScan { front, parse, .. } = self.scan;
        let key = |name: &Value| match name {
            Value::BulkString(name) => parse(name, front),
            _ => None,
        };
        Ok(names.iter().filter_map(key).collect())
    }
}

fn cluster_cmd(subcommand: &str) -> Cmd {
    let mut cmd = Cmd::new();
    cmd.arg("CLUSTER").arg(subcommand);
    cmd
}

//! Calls of the scripts that look at a key and change it, each on the server that has its key.
//!
//! `EVAL` sends a script without its comments. So nothing has to be loaded before, on no node. Errors of a script are
//! returned unchanged.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock};
use std::time::{Duration, Instant};

use redis::Value;

use super::target::{self, Target};
use crate::Failure;
use crate::operate::server::connection::{Link, LinkError, Redirect, Reply, Requests, Server};
use crate::operate::server::facts::{Patience, RETRY_EVERY};
use crate::operate::server::pace::{Pace, PaceLimits};
use crate::operate::server::script::{DIGEST, code};
use crate::operate::server::stop;
use crate::operate::server::throttle::Throttle;

/// The most calls that are sent to a server together.
pub(super) const PIPELINE: usize = 50;

/// Looks at a key.
pub(super) static LOOK: Script = LazyLock::new(|| DIGEST.clone() + &code(include_str!("look.lua")));
pub(super) static PURGE: Script = LazyLock::new(|| DIGEST.clone() + &code(include_str!("purge.lua")));
pub(super) static EXPIRE: Script = LazyLock::new(|| code(include_str!("expire.lua")));
pub(super) static MOVE: Script = LazyLock::new(|| code(include_str!("move.lua")));

/// The code of a script that looks at a key or changes it.
pub(super) type Script = LazyLock<String>;

/// A call of a script for a key.
pub(super) struct Call {
    pub(super) key: Vec<u8>,
    /// Another key of the same slot.
    pub(super) to: Option<String>,
    pub(super) script: &'static Script,
    pub(super) arguments: Vec<String>,
    /// The id of the server that must have the key. `None` if any may.
    pub(super) node: Option<String>,
}

/// The result of a call.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Answer {
    pub(super) reply: Result<Value, String>,
    /// Whether an earlier reply was lost, so that the script may have run before.
    pub(super) is_repeated: bool,
}

/// Calls scripts, each on the server that has its key.
pub(super) struct Caller {
    pub(super) target: Target,
    limits: PaceLimits,
    /// Whether the scripts only read, without a use of the keys if the server can do that.
    must_not_touch: bool,
    lanes: HashMap<String, Lane>,
    pub(super) stop: Arc<AtomicBool>,
}

/// A server that is called.
struct Lane {
    link: Link,
    /// Whether scripts can read without a use of the key.
    is_untouching: bool,
    throttle: Throttle,
}

/// The reply for a key that another server has.
fn moved() -> Value {
    Value::Array(vec![Value::BulkString(b"moved".to_vec())])
}

/// Calls, some of which have no answer yet.
struct PendingCalls<'c> {
    calls: &'c [Call],
    answers: Vec<Option<Answer>>,
    /// For each call, whether a reply was lost.
    is_repeated: Vec<bool>,
    /// The reason for which a server did not answer.
    why: Option<String>,
}

impl Caller {
    pub(super) fn new(target: Target, limits: PaceLimits, stop: Arc<AtomicBool>) -> Self {
        Self { target, limits, must_not_touch: false, lanes: HashMap::new(), stop }
    }

    /// A caller of scripts that only read, without a use of the keys if the server can do that.
    pub(super) fn without_use(self) -> Self {
        Self { must_not_touch: true, ..self }
    }

    pub(super) fn must_stop(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// The number of calls to make together.
    pub(super) fn pipeline(&self) -> usize {
        let page = self.lanes.values().map(|lane| lane.throttle.pace.page()).min();
        let page = page.unwrap_or_else(|| Pace::new(self.limits, None).page());
        usize::try_from(page).unwrap_or(PIPELINE).min(PIPELINE)
    }

    /// Makes calls, and waits as long as the pace demands. Calls without an answer at an error or at Ctrl-C stay
    /// `None`.
    pub(super) fn call(&mut self, calls: &[Call]) -> (Vec<Option<Answer>>, Result<(), Failure>) {
        let (answers, is_repeated) = (vec![None; calls.len()], vec![false; calls.len()]);
        let mut pending = PendingCalls { calls, answers, is_repeated, why: None };
        let result = self.call_all(&mut pending);
        (pending.answers, result)
    }

    fn call_all(&mut self, pending: &mut PendingCalls<'_>) -> Result<(), Failure> {
        let mut patience = Patience::default();
        let mut pause = Duration::ZERO;
        loop {
            let before = pending.open().count();
            pause = pause.max(self.try_all(pending)?);
            let open = pending.open().count();
            if open == 0 || self.must_stop() {
                break;
            }
            if patience.is_over(open < before) {
                let why = pending.why.take().unwrap_or_else(|| "no server has the slots of the keys".to_owned());
                return Err(Failure::new(why));
            }
            stop::sleep(RETRY_EVERY, &self.stop);
            self.target.refresh();
        }
        stop::sleep(pause, &self.stop);
        Ok(())
    }

    /// Sends all open calls, and receives the answers. Returns the time to wait then.
    fn try_all(&mut self, pending: &mut PendingCalls<'_>) -> Result<Duration, Failure> {
        let mut groups: Vec<(Server, Vec<usize>)> = Vec::new();
        for (index, call) in pending.open().collect::<Vec<_>>() {
            let Some((owner, id)) = self.target.owner_with_id(&call.key) else { continue };
            if call.node.as_ref().is_some_and(|node| node.as_bytes() != id) {
                pending.answer(index, Ok(moved()));
                continue;
            }
            match groups.iter_mut().find(|(server, _)| server.to_string() == owner.to_string()) {
                Some((_, indexes)) => indexes.push(index),
                None => groups.push((owner.clone(), vec![index])),
            }
        }
        let mut pause = Duration::ZERO;
        for (server, indexes) in groups {
            let started = Instant::now();
            match self.try_server(&server, &indexes, pending) {
                Ok(()) => {}
                Err(CallError::Lost(address, why)) => {
                    self.lanes.remove(&address);
                    pending.why = Some(format!("{address} cannot be reached: {why}"));
                }
                Err(CallError::Failed(failure)) => return Err(failure),
            }
            if let Some(lane) = self.lanes.get_mut(&server.to_string()) {
                lane.throttle.set_busy(false);
                pause = pause.max(lane.throttle.pause(indexes.len() as u64, started.elapsed()));
            }
        }
        Ok(pause)
    }

    fn try_server(
        &mut self,
        server: &Server,
        indexes: &[usize],
        pending: &mut PendingCalls<'_>,
    ) -> Result<(), CallError> {
        let is_cluster = self.target.is_cluster();
        let lane = self.lane(server)?;
        let mut requests = Requests::default();
        for call in indexes.iter().filter_map(|index| pending.calls.get(*index)) {
            call.push(&mut requests, lane.is_untouching);
        }
        let mut asked = Vec::new();
        lane.throttle.set_busy(true);
        let mut lost = lane.link.send(&requests).err();
        let mut unanswered = indexes.iter().copied();
        while lost.is_none() {
            let Some(index) = unanswered.next() else { break };
            match lane.link.receive() {
                Ok(Reply::Moved(Redirect::Moved)) => {}
                Ok(Reply::Moved(Redirect::Ask(host, port))) => asked.push((index, server.at(&host, port))),
                Ok(Reply::CommandRefused) => return Err(CallError::Failed(target::refuses(server, "EVAL"))),
                Ok(Reply::KeyRefused) => pending.answer(index, Err("the user may not access it".to_owned())),
                Ok(Reply::Error(text)) if text.starts_with("READONLY") => {
                    if !is_cluster {
                        return Err(CallError::Failed(target::is_replica(server).help("name its primary")));
                    }
                }
                Ok(Reply::Error(text)) => pending.answer(index, Err(text)),
                Ok(Reply::Value(value)) => pending.answer(index, Ok(value)),
                Err(error) => {
                    pending.lose(index);
                    lost = Some(error);
                }
            }
        }
        if let Some(error) = lost {
            unanswered.for_each(|index| pending.lose(index));
            return Err(call_error(server, error));
        }
        asked.into_iter().try_for_each(|(index, server)| self.ask(&server, index, pending))
    }

    /// Makes a call on the server to which the slot of its key moves.
    fn ask(&mut self, server: &Server, index: usize, pending: &mut PendingCalls<'_>) -> Result<(), CallError> {
        let Some(call) = pending.calls.get(index) else { return Ok(()) };
        if call.node.is_some() {
            pending.answer(index, Ok(moved()));
            return Ok(());
        }
        let Lane { link, is_untouching, .. } = self.lane(server)?;
        let mut requests = Requests::default();
        requests.push(&[b"ASKING"]);
        call.push(&mut requests, *is_untouching);
        match link.send(&requests).and_then(|()| link.receive()).and_then(|_| link.receive()) {
            Ok(Reply::Value(value)) => pending.answer(index, Ok(value)),
            Ok(Reply::Error(text)) => pending.answer(index, Err(text)),
            // It is tried again.
            Ok(_) => {}
            Err(error) => {
                pending.lose(index);
                return Err(call_error(server, error));
            }
        }
        Ok(())
    }

    /// The connection to a server, which is opened if it is missing.
    fn lane(&mut self, server: &Server) -> Result<&mut Lane, CallError> {
        let place = match self.lanes.entry(server.to_string()) {
            Entry::Occupied(lane) => return Ok(lane.into_mut()),
            Entry::Vacant(place) => place,
        };
        let mut link = Link::open(server).map_err(|error| call_error(server, error))?;
        // See `Facts::has_no_touch`: a cluster's nodes are not asked for their version.
        let is_untouching = self.must_not_touch
            && !self.target.is_cluster()
            && link.set_no_touch().map_err(|error| call_error(server, error))?;
        let throttle = Throttle::start(server, self.limits).map_err(|error| call_error(server, error))?;
        Ok(place.insert(Lane { link, is_untouching, throttle }))
    }
}

impl<'c> PendingCalls<'c> {
    /// The calls without an answer, with their indexes.
    fn open(&self) -> impl Iterator<Item = (usize, &'c Call)> {
        let calls = self.calls.iter().enumerate().zip(&self.answers);
        calls.filter(|(_, answer)| answer.is_none()).map(|(call, _)| call)
    }

    fn answer(&mut self, index: usize, reply: Result<Value, String>) {
        let is_repeated = self.is_repeated.get(index).copied().unwrap_or_default();
        if let Some(answer) = self.answers.get_mut(index) {
            *answer = Some(Answer { reply, is_repeated });
        }
    }

    fn lose(&mut self, index: usize) {
        if let Some(is_repeated) = self.is_repeated.get_mut(index) {
            *is_repeated = true;
        }
    }
}

impl Call {
    fn push(&self, requests: &mut Requests, is_untouching: bool) {
        let keys: &[u8] = if self.to.is_some() { b"2" } else { b"1" };
        let mut parts: Vec<&[u8]> = vec![b"EVAL", self.script.as_bytes(), keys, &self.key];
        parts.extend(self.to.iter().map(String::as_bytes));
        parts.extend(self.arguments.iter().map(String::as_bytes));
        // The script that looks reads the value as well then.
        parts.extend(is_untouching.then_some(b"digest".as_slice()));
        requests.push(&parts);
    }
}

/// The reason for which a server was left.
enum CallError {
    /// The server at this address is tried again.
    Lost(String, String),
    Failed(Failure),
}

fn call_error(server: &Server, error: LinkError) -> CallError {
    error.retry(server).map_or_else(CallError::Failed, |why| CallError::Lost(server.to_string(), why))
}

//! Calls of scripts, each on the server that has its key.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use redis::Value;

use super::script::Script;
use super::target::{self, PATIENCE, RETRY_EVERY, Target, wait};
use crate::Failure;
use crate::audit::pace::{Pace, PaceLimits};
use crate::audit::scan::Latency;
use crate::connection::{Link, LinkError, Redirect, Reply, Requests, Server, shown_command};

/// The most calls that are sent to a server at once.
pub(super) const PIPELINE: usize = 50;

/// A call of a script for a key.
pub(super) struct Call {
    pub(super) key: Vec<u8>,
    pub(super) script: Script,
    pub(super) arguments: Vec<String>,
}

/// What came of a call.
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
    lanes: HashMap<String, Lane>,
    stop: Arc<AtomicBool>,
}

/// A server that is called.
struct Lane {
    link: Link,
    pace: Pace,
    latency: Option<Latency>,
}

/// What is left to do of some calls.
struct Pending<'c> {
    calls: &'c [Call],
    /// The numbers of the calls without an answer.
    open: Vec<usize>,
    /// Whether a reply to the call was lost.
    is_repeated: Vec<bool>,
    /// Why a server did not answer.
    why: Option<String>,
}

impl Caller {
    pub(super) fn new(target: Target, limits: PaceLimits, stop: Arc<AtomicBool>) -> Self {
        Self { target, limits, lanes: HashMap::new(), stop }
    }

    /// Whether the program must stop.
    pub(super) fn stop(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.stop)
    }

    pub(super) fn must_stop(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// How many calls to make at once.
    pub(super) fn pipeline(&self) -> usize {
        let page = self.lanes.values().map(|lane| lane.pace.page()).min();
        let page = page.unwrap_or_else(|| Pace::new(self.limits, None).page());
        usize::try_from(page).unwrap_or(PIPELINE).min(PIPELINE)
    }

    /// Makes calls, and waits as long as the pace demands. What has no answer yet at an error or at Ctrl-C stays `None`.
    pub(super) fn call(&mut self, calls: &[Call], answers: &mut Vec<Option<Answer>>) -> Result<(), Failure> {
        answers.clear();
        answers.resize(calls.len(), None);
        let mut pending =
            Pending { calls, open: (0..calls.len()).collect(), is_repeated: vec![false; calls.len()], why: None };
        let mut failing: Option<Instant> = None;
        let mut pause = Duration::ZERO;
        loop {
            let before = pending.open.len();
            pause = pause.max(self.try_all(&mut pending, answers)?);
            if pending.open.is_empty() || self.must_stop() {
                break;
            }
            if pending.open.len() < before {
                failing = None;
            }
            if failing.get_or_insert_with(Instant::now).elapsed() >= PATIENCE {
                let why = pending.why.unwrap_or_else(|| "no server has the slots of the keys".to_owned());
                return Err(Failure::new(why).help(format!("go on with `{}`", shown_command())));
            }
            wait(RETRY_EVERY, &self.stop);
            self.target.refresh();
        }
        wait(pause, &self.stop);
        Ok(())
    }

    /// Sends all open calls, and receives what is answered. Returns how long to wait then.
    fn try_all(&mut self, pending: &mut Pending<'_>, answers: &mut [Option<Answer>]) -> Result<Duration, Failure> {
        let mut groups: Vec<(Server, Vec<usize>)> = Vec::new();
        for number in pending.open.clone() {
            let owner = pending.calls.get(number).and_then(|call| self.target.owner(&call.key));
            let Some(owner) = owner else { continue };
            match groups.iter_mut().find(|(server, _)| server.to_string() == owner.to_string()) {
                Some((_, numbers)) => numbers.push(number),
                None => groups.push((owner.clone(), vec![number])),
            }
        }
        let mut pause = Duration::ZERO;
        for (server, numbers) in groups {
            let started = Instant::now();
            self.set_busy(&server, true);
            let result = self.try_server(&server, &numbers, pending, answers);
            self.set_busy(&server, false);
            match result {
                Ok(()) => {}
                Err(Stopped::Lost(address, why)) => {
                    self.lanes.remove(&address);
                    pending.why = Some(format!("{address} cannot be reached: {why}"));
                }
                Err(Stopped::Failed(failure)) => return Err(failure),
            }
            if let Some(lane) = self.lanes.get_mut(&server.to_string()) {
                lane.set_busy(false);
                for measured in lane.latency.iter().flat_map(Latency::take) {
                    lane.pace.measured(measured);
                }
                pause = pause.max(lane.pace.pause(numbers.len() as u64, started.elapsed()));
            }
        }
        pending.open.retain(|number| answers.get(*number).is_some_and(Option::is_none));
        Ok(pause)
    }

    /// Says whether a server works for the command, if its latency is measured.
    fn set_busy(&self, server: &Server, is_busy: bool) {
        if let Some(latency) = self.lanes.get(&server.to_string()).and_then(|lane| lane.latency.as_ref()) {
            latency.set_busy(is_busy);
        }
    }

    fn try_server(
        &mut self,
        server: &Server,
        numbers: &[usize],
        pending: &mut Pending<'_>,
        answers: &mut [Option<Answer>],
    ) -> Result<(), Stopped> {
        let is_cluster = self.target.is_cluster();
        let mut requests = Requests::default();
        for number in numbers {
            if let Some(call) = pending.calls.get(*number) {
                call.push(&mut requests);
            }
        }
        let lane = self.lane(server)?;
        let mut asked = Vec::new();
        lane.set_busy(true);
        let sent = lane.link.send(&requests);
        let mut unanswered = numbers.iter().copied();
        let mut lost = sent.err();
        while lost.is_none() {
            let Some(number) = unanswered.next() else { break };
            match lane.link.receive() {
                Ok(Reply::Moved(Redirect::Moved)) => {}
                Ok(Reply::Moved(Redirect::Ask(host, port))) => asked.push((number, neighbour(server, &host, port))),
                Ok(Reply::CommandRefused) => return Err(Stopped::Failed(not_allowed(server))),
                Ok(Reply::KeyRefused) => pending.answer(answers, number, Err("the user may not access it".to_owned())),
                Ok(Reply::Error(text)) if text.starts_with("READONLY") => {
                    if !is_cluster {
                        return Err(Stopped::Failed(target::is_replica(server).help("name its primary")));
                    }
                }
                Ok(Reply::Error(text)) => pending.answer(answers, number, Err(text)),
                Ok(Reply::Value(value)) => pending.answer(answers, number, Ok(value)),
                Err(error) => {
                    pending.lose(number);
                    lost = Some(error);
                }
            }
        }
        if let Some(error) = lost {
            unanswered.for_each(|number| pending.lose(number));
            return Err(stopped(server, error));
        }
        for (number, server) in asked {
            self.ask(&server, number, pending, answers)?;
        }
        Ok(())
    }

    /// Makes a call on the server to which the slot of its key moves.
    fn ask(
        &mut self,
        server: &Server,
        number: usize,
        pending: &mut Pending<'_>,
        answers: &mut [Option<Answer>],
    ) -> Result<(), Stopped> {
        let Some(call) = pending.calls.get(number) else { return Ok(()) };
        let mut requests = Requests::default();
        requests.push(&[b"ASKING"]);
        call.push(&mut requests);
        let link = &mut self.lane(server)?.link;
        let reply = link.send(&requests).and_then(|()| link.receive()).and_then(|_| link.receive());
        match reply {
            Ok(Reply::Value(value)) => pending.answer(answers, number, Ok(value)),
            Ok(Reply::Error(text)) => pending.answer(answers, number, Err(text)),
            // It is tried again.
            Ok(_) => {}
            Err(error) => {
                pending.lose(number);
                return Err(stopped(server, error));
            }
        }
        Ok(())
    }

    /// The connection to a server, which is opened if there is none.
    fn lane(&mut self, server: &Server) -> Result<&mut Lane, Stopped> {
        let address = server.to_string();
        if !self.lanes.contains_key(&address) {
            let link = Link::open(server).map_err(|error| stopped(server, error))?;
            let latency = match self.limits.max_latency {
                Some(_) => Latency::start(server).map_err(|error| stopped(server, error))?,
                None => None,
            };
            let pace = Pace::new(self.limits, latency.as_ref().and_then(|latency| latency.before));
            self.lanes.insert(address.clone(), Lane { link, pace, latency });
        }
        self.lanes.get_mut(&address).ok_or_else(|| Stopped::Lost(address, "no connection".to_owned()))
    }
}

impl Lane {
    /// Says whether the server works for this command from now on.
    fn set_busy(&self, is_busy: bool) {
        if let Some(latency) = &self.latency {
            latency.set_busy(is_busy);
        }
    }
}

impl Pending<'_> {
    fn answer(&self, answers: &mut [Option<Answer>], number: usize, reply: Result<Value, String>) {
        let is_repeated = self.is_repeated.get(number).copied().unwrap_or_default();
        if let Some(answer) = answers.get_mut(number) {
            *answer = Some(Answer { reply, is_repeated });
        }
    }

    fn lose(&mut self, number: usize) {
        if let Some(is_repeated) = self.is_repeated.get_mut(number) {
            *is_repeated = true;
        }
    }
}

impl Call {
    fn push(&self, requests: &mut Requests) {
        let mut parts: Vec<&[u8]> = vec![b"EVAL", self.script.text().as_bytes(), b"1", &self.key];
        parts.extend(self.arguments.iter().map(String::as_bytes));
        requests.push(&parts);
    }
}

/// Why a server was left.
enum Stopped {
    /// The server at this address is tried again.
    Lost(String, String),
    Failed(Failure),
}

fn stopped(server: &Server, error: LinkError) -> Stopped {
    match error {
        LinkError::Unavailable(why) => Stopped::Lost(server.to_string(), why),
        LinkError::Refused(why) => Stopped::Failed(target::refused(server, &why)),
    }
}

/// A node that another one has named. Without a host it is on the same machine.
fn neighbour(server: &Server, host: &str, port: u16) -> Server {
    server.at(if host.is_empty() || host == "?" { server.host() } else { host }, port)
}

fn not_allowed(server: &Server) -> Failure {
    Failure::new(format!("{server} refuses `EVAL`")).help("`--acl` shows what the user must be allowed")
}

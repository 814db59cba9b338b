//! Routing and retries.

use redis::{Cmd, Pipeline, RedisError, Value};

use super::{Action, ActionResult, Dispatch, Failure, MAX_ATTEMPTS, Packet};
use crate::command::responses::Response;
use crate::lua;
use crate::run::cluster::view::View;
use crate::run::slot_range::Address;
use crate::tests::mock::server_error;

/// `foo` is in slot 12182 and `bar` in 5061, of which port 2 and port 1 are the primaries.
fn view() -> View {
    let node = |port| Value::Array(vec![Value::BulkString(b"a".to_vec()), Value::Int(port)]);
    let range = |first, last, port| Value::Array(vec![Value::Int(first), Value::Int(last), node(port)]);
    let mut view = View::new(vec![Address { host: "a".into(), port: 1 }]);
    let reporter = view.id(Address { host: "a".into(), port: 1 });
    assert!(view.replace(Value::Array(vec![range(0, 8_191, 1), range(8_192, 16_383, 2)]), reporter));
    view
}

fn cmds(lines: &[&str]) -> Vec<Cmd> {
    let cmd = |line: &&str| {
        let mut cmd = Cmd::new();
        line.split(' ').for_each(|word| _ = cmd.arg(word));
        cmd
    };
    lines.iter().map(cmd).collect()
}

fn line(cmd: &Cmd) -> String {
    let words = cmd.args_iter().map(|word| match word {
        redis::Arg::Simple(word) => String::from_utf8_lossy(word).into_owned(),
        _ => String::new(),
    });
    words.collect::<Vec<_>>().join(" ")
}

fn ok() -> Value {
    Value::Okay
}

fn error(line: &str) -> Value {
    server_error(line).unwrap()
}

/// A dispatch and what it has sent: `PORT: COMMAND | COMMAND`, `pause` or `pause and ask`.
struct Run<'s> {
    dispatch: Dispatch<'s>,
    view: View,
    sent: Vec<(String, Option<Packet>)>,
}

impl<'s> Run<'s> {
    fn of(cmds: &'s [Cmd]) -> Self {
        let view = view();
        Self { dispatch: Dispatch::new(cmds.iter(), &view), view, sent: Vec::new() }
    }

    /// Lets it send what it can.
    #[track_caller]
    fn sends(&mut self, expected: &[&str]) {
        let before = self.sent.len();
        while let Some(action) = self.dispatch.next() {
            let entry = match action {
                Action::Send(packet, pipeline) => {
                    let lines: Vec<_> = crate::redis_rs::commands(&pipeline).map(|cmd| line(&cmd)).collect();
                    let port = self.view.address(packet.node).unwrap().port;
                    (format!("{port}: {}", lines.join(" | ")), Some(packet))
                }
                Action::Pause { asks_slots: true, .. } => ("pause and ask".to_owned(), None),
                Action::Pause { asks_slots: false, .. } => ("pause".to_owned(), None),
            };
            self.sent.push(entry);
        }
        let sent: Vec<_> = self.sent[before..].iter().map(|(line, _)| line.as_str()).collect();
        assert_eq!(sent, expected);
    }

    /// Ends the step with that number.
    fn ends(&mut self, step: usize, result: Result<Vec<Value>, Failure>) {
        let event = match self.sent[step].1.take() {
            Some(packet) => ActionResult::Sent(packet, result),
            None => ActionResult::Paused,
        };
        self.dispatch.resume(event, &mut self.view);
    }

    /// The responses: the reply, `maybe` or `never sent`.
    #[track_caller]
    fn finishes(mut self, expected: &[&str]) {
        assert!(self.dispatch.next().is_none());
        let text = |response: Response| match response {
            Ok(Value::Okay) => "ok".to_owned(),
            Ok(Value::ServerError(error)) => error.code().to_owned(),
            Ok(reply) => format!("{reply:?}"),
            Err(no_reply) if no_reply.never_sent => "never sent".to_owned(),
            Err(_) => "maybe".to_owned(),
        };
        assert_eq!(self.dispatch.finish().into_iter().map(text).collect::<Vec<_>>(), expected);
    }
}

fn dropped() -> RedisError {
    std::io::Error::from(std::io::ErrorKind::BrokenPipe).into()
}

#[test]
fn of_the_commands_on_a_key_one_is_in_flight() {
    let cmds = cmds(&["SET foo 1", "SET bar 1", "GET foo", "SET bar 2", "SET foo 3"]);
    let mut run = Run::of(&cmds);
    run.sends(&["1: SET bar 1", "2: SET foo 1"]);
    run.ends(1, Ok(vec![ok()]));
    run.sends(&["2: GET foo"]);
    run.ends(0, Ok(vec![error("WRONGTYPE x")]));
    run.ends(2, Ok(vec![ok()]));
    run.sends(&["1: SET bar 2", "2: SET foo 3"]);
    run.ends(3, Ok(vec![ok()]));
    run.ends(4, Ok(vec![ok()]));
    run.finishes(&["ok", "WRONGTYPE", "ok", "ok", "ok"]);
}

#[test]
fn reads_of_a_key_are_in_flight_together() {
    let cmds = cmds(&["GET foo", "TYPE foo", "GET bar"]);
    let mut run = Run::of(&cmds);
    run.sends(&["1: GET bar", "2: GET foo | TYPE foo"]);
}

#[test]
fn commands_with_unknown_keys_keep_their_order() {
    let cmds = cmds(&["SET bar 1", "SUNIONSTORE foo baz", "GET foo"]);
    let view = view();
    let mut run = Run { dispatch: Dispatch::of_any(&cmds.iter().collect::<Vec<_>>(), &view), view, sent: Vec::new() };
    run.sends(&["1: SET bar 1"]);
    run.ends(0, Ok(vec![ok()]));
    run.sends(&["2: SUNIONSTORE foo baz"]);
    run.ends(1, Ok(vec![ok()]));
    run.sends(&["2: GET foo"]);
    run.ends(2, Ok(vec![ok()]));
    run.finishes(&["ok"; 3]);
}

#[test]
fn a_node_gets_two_pipelines_of_fifty() {
    let lines: Vec<_> = (0..120).map(|id| format!("SET {{foo}}{id} 1")).collect();
    let cmds = cmds(&lines.iter().map(String::as_str).collect::<Vec<_>>());
    let mut run = Run::of(&cmds);
    let pipeline = |ids: std::ops::Range<usize>| format!("2: {}", lines[ids].join(" | "));
    run.sends(&[&pipeline(0..50), &pipeline(50..100)]);
    run.ends(1, Ok(vec![ok(); 50]));
    run.sends(&[&pipeline(100..120)]);
}

/// The command behind it waits. Were the migration cancelled, it would be executed first.
#[test]
fn redirected_commands_keep_their_order() {
    let cmds = cmds(&["SET foo 1", "SET foo 2"]);
    let mut run = Run::of(&cmds);
    run.sends(&["2: SET foo 1"]);
    run.ends(0, Ok(vec![error("ASK 12182 b:7")]));
    run.sends(&["7: ASKING | SET foo 1"]);
    run.ends(1, Ok(vec![ok(), error("MOVED 12182 :8")]));
    run.sends(&["8: SET foo 1"]);
    run.ends(2, Ok(vec![ok()]));
    // The slot has stayed there.
    run.sends(&["8: SET foo 2"]);
    run.ends(3, Ok(vec![ok()]));
    run.finishes(&["ok", "ok"]);
}

#[test]
fn a_command_without_a_home_waits_and_is_given_up() {
    for (reply, pause) in [
        ("TRYAGAIN x", "pause"),
        ("CLUSTERDOWN x", "pause and ask"),
        ("LOADING x", "pause and ask"),
        ("MASTERDOWN x", "pause and ask"),
        ("READONLY x", "pause and ask"),
    ] {
        let cmds = cmds(&["SET foo 1", "SET foo 2"]);
        let mut run = Run::of(&cmds);
        for attempt in 0..MAX_ATTEMPTS as usize {
            run.sends(&["2: SET foo 1"]);
            run.ends(2 * attempt, Ok(vec![error(reply)]));
            run.sends(&[pause]);
            run.ends(2 * attempt + 1, Ok(Vec::new()));
        }
        run.sends(&["2: SET foo 1"]);
        run.ends(2 * MAX_ATTEMPTS as usize, Ok(vec![error(reply)]));
        // The one behind it would wait as long.
        run.finishes(&[reply.split(' ').next().unwrap(), "never sent"]);
    }
}

#[test]
fn nodes_that_send_each_other_a_command_are_given_time() {
    let cmds = cmds(&["SET foo 1"]);
    let mut run = Run::of(&cmds);
    let ports = [2, 1, 2, 1, 2];
    for (step, port) in ports.into_iter().enumerate() {
        run.sends(&[&format!("{port}: SET foo 1")]);
        run.ends(step, Ok(vec![error(&format!("MOVED 12182 a:{}", 3 - port))]));
    }
    run.sends(&["pause and ask"]);
    run.ends(ports.len(), Ok(Vec::new()));
    run.sends(&["1: SET foo 1"]);
}

#[test]
fn a_script_that_is_not_known_is_sent() {
    let calls = cmds(&[&format!("EVALSHA {} 1 foo 1", lua::SADD.sha1), "SET foo 2", "EVALSHA abc 1 bar"]);
    let mut run = Run::of(&calls);
    run.sends(&["1: EVALSHA abc 1 bar", &format!("2: EVALSHA {} 1 foo 1", lua::SADD.sha1)]);
    // It is not this crate's.
    run.ends(0, Ok(vec![error("NOSCRIPT x")]));
    run.ends(1, Ok(vec![error("NOSCRIPT x")]));
    run.sends(&[&format!("2: EVAL {} 1 foo 1", lua::SADD.text.as_str())]);
    run.ends(2, Ok(vec![ok()]));
    run.sends(&["2: SET foo 2"]);
    run.ends(3, Ok(vec![ok()]));
    run.finishes(&["ok", "ok", "NOSCRIPT"]);
}

#[test]
fn a_write_without_a_reply_is_not_repeated_and_ends_its_lane() {
    let cmds = cmds(&["SET foo 1", "SET {foo}other 1", "GET {foo}third", "SET foo 2", "SET foo 3"]);
    let mut run = Run::of(&cmds);
    run.sends(&["2: SET foo 1 | SET {foo}other 1 | GET {foo}third"]);
    run.ends(0, Err(Failure::Lost(dropped())));
    // To read twice is harmless.
    run.sends(&["pause and ask"]);
    run.ends(1, Ok(Vec::new()));
    run.sends(&["2: GET {foo}third"]);
    run.ends(2, Ok(vec![ok()]));
    run.finishes(&["maybe", "maybe", "ok", "never sent", "never sent"]);
}

#[test]
fn too_few_replies_are_none() {
    let cmds = cmds(&["SET foo 1", "SET {foo}2 1"]);
    let mut run = Run::of(&cmds);
    run.sends(&["2: SET foo 1 | SET {foo}2 1"]);
    run.ends(0, Ok(vec![ok()]));
    run.finishes(&["ok", "maybe"]);
}

#[test]
fn a_node_that_is_not_reached_is_tried_again() {
    let cmds = cmds(&["SET foo 1", "SET foo 2"]);
    let mut run = Run::of(&cmds);
    let unsent = || Err(Failure::Unsent(dropped()));
    for attempt in 0..MAX_ATTEMPTS as usize {
        run.sends(&["2: SET foo 1"]);
        run.ends(2 * attempt, unsent());
        run.sends(&["pause and ask"]);
        run.ends(2 * attempt + 1, Ok(Vec::new()));
    }
    run.sends(&["2: SET foo 1"]);
    run.ends(2 * MAX_ATTEMPTS as usize, unsent());
    run.finishes(&["never sent", "never sent"]);
}

#[test]
fn a_transaction_that_was_not_executed_is_sent_again() {
    let mut pipeline = Pipeline::new();
    for cmd in cmds(&["MULTI", "SET foo 1", "SET foo 2", "EXEC"]) {
        pipeline.add_command(cmd);
    }
    let view = view();
    let mut run = Run { dispatch: Dispatch::transaction(&pipeline, &view), view, sent: Vec::new() };
    run.sends(&["2: MULTI | SET foo 1 | SET foo 2 | EXEC"]);
    let ask = || error("ASK 12182 b:7");
    run.ends(0, Ok(vec![ok(), ask(), ask(), error("EXECABORT x")]));
    run.sends(&["7: ASKING | MULTI | SET foo 1 | SET foo 2 | EXEC"]);
    // The commands of the transaction have been executed, whatever has come of them.
    let executed = Value::Array(vec![error("MOVED 1 a:1"), ok()]);
    run.ends(1, Ok(vec![ok(), ok(), ok(), ok(), executed]));
    assert!(run.dispatch.next().is_none());
}

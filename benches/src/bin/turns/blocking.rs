//! On blocking connections.

use std::{hint::black_box, ops::Range};

use redis::{Client, Cmd, Connection, Value, pipe};
use redis_keys::{Command, batch_iter, testing::Server};
use redis_keys_bench::Work;

use crate::turns::{Way, take_turns};

/// A server, and connections of its own for each way.
pub(crate) struct Blocking {
    server: Server,
}

impl Blocking {
    pub(crate) fn start() -> Self {
        Self { server: Server::start().expect("a server starts") }
    }

    pub(crate) fn connect(&self) -> Connection {
        Client::open(self.server.url()).and_then(|client| client.get_connection()).expect("it answers")
    }

    /// Batches of so many ids: by this library, by hand, and each command by itself.
    pub(crate) fn batches<W: Work>(&self, name: &str, work: &W, ids: u64) {
        let (mut ours, mut hand, mut alone) = (self.connect(), self.connect(), self.connect());
        take_turns(
            name,
            W::COMMANDS,
            [
                Way::new(4, ids, |ids| {
                    drop(black_box(batch_iter(ids.map(|id| work.ours(id))).query(&mut ours).expect("it answers")));
                }),
                Way::new(4, ids, |ids| {
                    let mut pipe = pipe();
                    ids.for_each(|id| work.by_hand(id, &mut pipe));
                    drop(black_box(W::read_all(pipe.query(&mut hand).expect("it answers"))));
                }),
                Way::new(1, ids, |ids| one_by_one(work, ids, &mut alone)),
            ],
        );
    }

    /// One after the other: by this library and by hand.
    pub(crate) fn singles<T, W: Work<Ours = Command<T>>>(&self, name: &str, work: &W) {
        let (mut ours, mut hand) = (self.connect(), self.connect());
        take_turns(
            name,
            1,
            [
                Way::new(8, 1, |ids| {
                    ids.for_each(|id| drop(black_box(work.ours(id).query(&mut ours).expect("it answers"))));
                }),
                Way::new(8, 1, |ids| ids.for_each(|id| one_by_hand(work, id, &mut hand))),
            ],
        );
    }
}

fn one_by_hand<W: Work>(work: &W, id: u64, con: &mut Connection) {
    let mut pipe = pipe();
    work.by_hand(id, &mut pipe);
    let mut commands = pipe.cmd_iter();
    match (commands.next(), commands.next()) {
        (Some(command), None) => drop(black_box(W::read(command.query(con).expect("it answers")))),
        _ => drop(black_box(W::read_all(pipe.query(con).expect("it answers")))),
    }
}

fn one_by_one<W: Work>(work: &W, ids: Range<u64>, con: &mut Connection) {
    let mut pipe = pipe();
    ids.for_each(|id| work.one_by_one(id, &mut pipe));
    let answer = |command: &Cmd| command.query::<Value>(con).expect("it answers");
    pipe.cmd_iter().map(answer).for_each(|answer| drop(black_box(answer)));
}

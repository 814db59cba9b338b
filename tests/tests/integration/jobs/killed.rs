//! Programs that are killed at each instant of the table in the documentation of `redis_keys::jobs`.

use std::env;
use std::io::Write as _;
use std::net::TcpStream;
use std::thread::sleep;
use std::time::Duration;

use redis_keys::Command;
use redis_keys::jobs::TakenJob;
use redis_keys::prelude::*;
use redis_keys::testing::Server;
use redis_keys_tests::{Child, Con, wait_until};

use super::keys::{HOUR, MAILS, assert_counts, pass, score, take, values};

/// The environment of a child process: the port of the server, and the instant at which it is killed.
const PORT: &str = "REDIS_KEYS_JOBS_PORT";
const INSTANT: &str = "REDIS_KEYS_JOBS_INSTANT";

/// Not a test: the process that is killed.
#[test]
#[ignore = "runs inside another test"]
fn stop_at_an_instant() {
    let variable = |name: &str| env::var(name).expect("the other test sets the variable");
    let port = variable(PORT);
    let mut con = Con::blocking(&format!("redis://127.0.0.1:{port}/"));
    let mut taken = || con.ok(MAILS.take(1)).jobs.remove(0);
    let stream = match &*variable(INSTANT) {
        "half of a push" => Some(send_half(&port, MAILS.push("a"))),
        "a push without its reply" => Some(send(&port, MAILS.push("a"))),
        "half of a take" => Some(send_half(&port, MAILS.take(1))),
        "a take without its reply" => Some(send(&port, MAILS.take(1))),
        "a take" => {
            taken();
            None
        }
        "the work" => {
            let job = taken();
            work(&mut con, &job);
            None
        }
        "half of an ack" => {
            let job = taken();
            work(&mut con, &job);
            Some(send_half(&port, MAILS.ack(&job)))
        }
        "an ack without its reply" => {
            let job = taken();
            work(&mut con, &job);
            Some(send(&port, MAILS.ack(&job)))
        }
        "half of a retry" => Some(send_half(&port, MAILS.retry(&taken(), Duration::ZERO))),
        "a retry without its reply" => Some(send(&port, MAILS.retry(&taken(), Duration::ZERO))),
        instant => panic!("no instant `{instant}`"),
    };
    println!("\nreached");
    // The other test kills it, unless that has failed.
    sleep(Duration::from_secs(60));
    drop(stream);
}

/// Sends a command whose reply is not read.
fn send<T>(port: &str, command: impl Into<Command<T>>) -> TcpStream {
    let bytes = command.into().packed().expect("the command is valid");
    write(port, &bytes)
}

fn send_half<T>(port: &str, command: impl Into<Command<T>>) -> TcpStream {
    let bytes = command.into().packed().expect("the command is valid");
    write(port, &bytes[..bytes.len() / 2])
}

fn write(port: &str, bytes: &[u8]) -> TcpStream {
    let mut stream = TcpStream::connect(format!("127.0.0.1:{port}")).expect("the server listens");
    stream.write_all(bytes).expect("the server reads");
    stream
}

/// Does the work of a job: it is counted.
fn work(con: &mut Con, job: &TakenJob<String>) {
    let value = job.value.as_ref().expect("it decodes");
    let _: u64 = con.raw(&["INCR", &format!("worked:{value}")]);
}

/// The state that a killed program leaves behind.
struct Instant {
    /// The last action of the program.
    after: &'static str,
    /// The jobs in the queue before.
    jobs: usize,
    /// The numbers of jobs due, later and dead then.
    counts: [u64; 3],
    /// The number of times that the job has been taken then.
    tries: u64,
    /// The number of times that its work is done in the end, if a client without a reply pushes again.
    worked: u64,
}

const INSTANTS: [Instant; 10] = [
    Instant { after: "half of a push", jobs: 0, counts: [0, 0, 0], tries: 0, worked: 1 },
    Instant { after: "a push without its reply", jobs: 0, counts: [1, 0, 0], tries: 0, worked: 2 },
    Instant { after: "half of a take", jobs: 1, counts: [1, 0, 0], tries: 0, worked: 1 },
    Instant { after: "a take without its reply", jobs: 1, counts: [0, 1, 0], tries: 1, worked: 1 },
    Instant { after: "a take", jobs: 1, counts: [0, 1, 0], tries: 1, worked: 1 },
    Instant { after: "the work", jobs: 1, counts: [0, 1, 0], tries: 1, worked: 2 },
    Instant { after: "half of an ack", jobs: 1, counts: [0, 1, 0], tries: 1, worked: 2 },
    Instant { after: "an ack without its reply", jobs: 1, counts: [0, 0, 0], tries: 0, worked: 1 },
    Instant { after: "half of a retry", jobs: 1, counts: [0, 1, 0], tries: 1, worked: 1 },
    Instant { after: "a retry without its reply", jobs: 1, counts: [1, 0, 0], tries: 1, worked: 1 },
];

/// Runs a program up to an instant, and kills it when the server has executed what it has sent.
fn kill_at(instant: &str, server: &Server, con: &mut Con, counts: [u64; 3]) {
    let clients = |con: &mut Con| con.raw::<String>(&["CLIENT", "LIST"]).lines().count();
    let before = clients(con);
    let port = server.port().to_string();
    let mut child = Child::start("jobs::killed::stop_at_an_instant", &[(PORT, &port), (INSTANT, instant)]);
    child.wait_for_line("reached");
    wait_until("the server has executed it", || {
        let found = con.ok(MAILS.counts());
        [found.due, found.later, found.dead] == counts
    });
    child.kill();
    wait_until("the server has noticed it", || clients(con) == before);
    assert_counts(con, &MAILS, counts);
}

#[test]
fn a_kill_loses_and_doubles_what_the_table_says() {
    for Instant { after, jobs, counts, tries, worked } in INSTANTS {
        println!("killed after {after}");
        let server = Server::start().expect("a server starts");
        let mut con = Con::blocking(&server.url());
        // The scripts are known, so that a command that is sent once is executed.
        con.ok(MAILS.push("a"));
        for job in take(&mut con, &MAILS) {
            con.ok(MAILS.retry(&job, Duration::ZERO));
        }
        for job in take(&mut con, &MAILS) {
            con.ok(MAILS.ack(&job));
        }
        con.ok(MAILS.push_many(vec!["a"; jobs]));
        kill_at(after, &server, &mut con, counts);
        if counts != [0, 0, 0] {
            assert_eq!(score(&mut con, &MAILS) % 64, tries, "{after}");
        }
        if jobs == 0 {
            con.ok(MAILS.push("a"));
        }
        // Another program goes on when the lease ends.
        pass(&mut con, &MAILS, 2 * HOUR);
        for job in take(&mut con, &MAILS) {
            assert_eq!(u64::from(job.tries()), if jobs == 0 { 1 } else { tries + 1 }, "{after}");
            work(&mut con, &job);
            assert!(con.ok(MAILS.ack(&job)));
        }
        assert_eq!(con.raw::<u64>(&["GET", "worked:a"]), worked, "{after}");
        assert!(!con.ok(MAILS.exists()));
    }
}

#[test]
fn a_job_that_kills_its_programs_is_dead_after_its_tries() {
    let server = Server::start().expect("a server starts");
    let mut con = Con::blocking(&server.url());
    con.ok(MAILS.push("a"));
    for tries in 1..=3 {
        kill_at("a take", &server, &mut con, [0, 1, 0]);
        assert_eq!(score(&mut con, &MAILS) % 64, tries);
        pass(&mut con, &MAILS, 2 * HOUR);
    }
    assert!(take(&mut con, &MAILS).is_empty());
    assert_counts(&mut con, &MAILS, [0, 0, 1]);
    assert_eq!(values(&con.ok(MAILS.dead(..10))), ["a"]);
}

//! Many clients of several processes share a limit: never one more is allowed than the server's clock permits, and none
//! less.

use std::env;
use std::time::{Duration, Instant};

use redis::{Client, Connection};
use redis_keys::prelude::*;
use redis_keys::testing::Server;
use redis_keys_tests::{Child, Signals};

const PROCESSES: usize = 4;

/// In each process.
const CLIENTS: usize = 13;

/// The environment of a child process: the address of the server.
const URL: &str = "REDIS_KEYS_LIMIT_URL";

/// One each 5 ms. A whole burst takes ten seconds, so that the limit is not whole again in a pause of a busy machine.
#[derive(RedisKey)]
#[redis_key(processes:limited:string, limit(200 / 1s, burst = 2_000))]
struct LimitedCalls;

/// One each 334 µs.
#[derive(RedisKey)]
#[redis_key(processes:thirds:string, limit(3 / 1ms, burst = 30_000))]
struct Thirds;

/// How long all of them try.
const TIME: Duration = Duration::from_secs(2);

fn connect(url: &str) -> Connection {
    Client::open(url).and_then(|client| client.get_connection()).expect("the server replies")
}

/// Takes one, and returns whether it was allowed.
fn take<K: LimitKey>(key: &K, con: &mut Connection) -> bool {
    key.take(1).query(con).expect("the server replies").allowed
}

/// Not a test: one of the processes, with a thread for each client. They take as often as they can.
#[test]
#[ignore = "runs inside another test"]
fn take_until_the_end() {
    let url = env::var(URL).expect("the other test sets the variable");
    let mut signals = Signals::new(&url);
    signals.send("ready");
    signals.wait("start");
    let clients: Vec<_> = (0..CLIENTS)
        .map(|_| {
            let mut con = connect(&url);
            std::thread::spawn(move || {
                let (started, mut limited, mut refused, mut thirds) = (Instant::now(), 0, 0, 0);
                while started.elapsed() < TIME {
                    if take(&LimitedCalls, &mut con) {
                        limited += 1;
                    } else {
                        refused += 1;
                    }
                    thirds += u64::from(take(&Thirds, &mut con));
                }
                [limited, refused, thirds]
            })
        })
        .collect();
    let counts = clients.into_iter().map(|client| client.join().expect("no client panics"));
    let [limited, refused, thirds] = counts.fold([0; 3], |sum, counts| [0, 1, 2].map(|at| sum[at] + counts[at]));
    println!("\nallowed {limited} {refused} {thirds}");
}

/// The time that a key holds, in microseconds.
fn time_of(key: &impl RedisKey, con: &mut Connection) -> u64 {
    let text: String =
        redis::cmd("GET").arg(key.key().expect("it is valid").as_str()).query(con).expect("the key exists");
    text.parse().expect("it is a number")
}

/// The server's time, in microseconds.
fn now(con: &mut Connection) -> u64 {
    let (seconds, micros): (u64, u64) = redis::cmd("TIME").query(con).expect("the server replies");
    seconds * 1_000_000 + micros
}

#[test]
fn clients_of_several_processes_get_exactly_what_is_allowed() {
    let server = Server::start().expect("a server starts");
    let (mut signals, mut con) = (Signals::new(&server.url()), connect(&server.url()));
    let url = server.url();
    let test = "limit::processes::take_until_the_end";
    let processes: Vec<_> = (0..PROCESSES).map(|_| Child::start(test, &[(URL, &url)])).collect();
    (0..PROCESSES).for_each(|_| signals.wait("ready"));
    let started = now(&mut con);
    // Half of each burst. From now on neither limit is whole.
    assert!(LimitedCalls.take(1_000).query(&mut con).expect("the server replies").allowed);
    assert!(Thirds.take(15_000).query(&mut con).expect("the server replies").allowed);
    let before = [time_of(&LimitedCalls, &mut con), time_of(&Thirds, &mut con)];
    signals.send_to("start", PROCESSES);
    let [mut limited, mut refused, mut thirds] = [0; 3];
    for mut process in processes {
        let line = process.wait_for_line("allowed ");
        let counts: Vec<u64> = line.split(' ').map(|count| count.parse().expect("it is a number")).collect();
        (limited, refused, thirds) = (limited + counts[0], refused + counts[1], thirds + counts[2]);
        process.finish();
    }
    let time = now(&mut con) - started;
    println!("{} clients: {limited} and {thirds} allowed, {refused} refused", PROCESSES * CLIENTS);
    // Each call that was allowed has moved the time by one, and no other call has.
    let moved = [time_of(&LimitedCalls, &mut con) - before[0], time_of(&Thirds, &mut con) - before[1]];
    assert_eq!(moved, [limited * 5_000, thirds * 334]);
    // What became allowed in the whole time, and a burst.
    let most = time / 5_000 + 2_000;
    assert!(1_000 + limited <= most, "{limited} of {most}");
    assert!(15_000 + thirds <= time / 334 + 30_000, "{thirds}");
    // All of it was used up.
    assert!(refused > 0 && limited >= 1_000);
}

//! Resume files: each key is counted once.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::sleep;
use std::time::Duration;

use redis_keys::testing::Cluster;
use redis_keys_tests::{FakeServer, fail_over, wait_until};
use serde_json::{Value, json};

use super::run::{Folder, Ran, Running, calls, command, connect, fill, run, start};

/// A server with the lists `a`, `b` and `c`, each on a page of its own, that does not reply to one command while it is
/// held.
struct HeldServer {
    server: FakeServer,
    is_held: Arc<AtomicBool>,
    is_reached: Arc<AtomicBool>,
    /// The cursors of the pages that were asked for.
    pages: Arc<Mutex<Vec<String>>>,
}

impl HeldServer {
    /// A server that is held at a command: its name and its key.
    fn new(stop: [&'static str; 2]) -> Self {
        let (is_held, is_reached) = (Arc::new(AtomicBool::new(true)), Arc::<AtomicBool>::default());
        let pages = Arc::<Mutex<Vec<String>>>::default();
        let (hold, reach, log) = (Arc::clone(&is_held), Arc::clone(&is_reached), Arc::clone(&pages));
        let server = FakeServer::start(move |words| {
            let words: Vec<_> = words.iter().map(|word| String::from_utf8_lossy(word)).collect();
            let [name, argument] = [0, 1].map(|index| words.get(index).map_or("", |word| word));
            if [name, argument] == stop {
                reach.store(true, Ordering::Relaxed);
                while hold.load(Ordering::Relaxed) {
                    sleep(Duration::from_millis(5));
                }
            }
            let reply = match (name, argument) {
                ("INFO", _) => "$10\r\nrun_id:abc\r\n",
                ("SCAN", cursor) => {
                    log.lock().unwrap().push(cursor.to_owned());
                    match cursor {
                        "0" => "*2\r\n$1\r\n1\r\n*1\r\n$1\r\na\r\n",
                        "1" => "*2\r\n$1\r\n2\r\n*1\r\n$1\r\nb\r\n",
                        _ => "*2\r\n$1\r\n0\r\n*1\r\n$1\r\nc\r\n",
                    }
                }
                ("TYPE", _) => "+list\r\n",
                ("PTTL" | "MEMORY" | "LLEN" | "DBSIZE", _) => ":60\r\n",
                ("OBJECT", _) => "$9\r\nquicklist\r\n",
                ("LRANGE", _) => "*1\r\n$1\r\nx\r\n",
                ("CONFIG", _) => "*0\r\n",
                _ => "+OK\r\n",
            };
            reply.as_bytes().to_vec()
        });
        Self { server, is_held, is_reached, pages }
    }

    fn url(&self) -> String {
        self.server.url()
    }

    /// Waits until it is held.
    fn wait(&self) {
        wait_until("the server is held", || self.is_reached.load(Ordering::Relaxed));
    }

    /// Replies from now on. Returns the cursors of the pages that were asked for until now.
    fn go_on(&self) -> Vec<String> {
        self.is_held.store(false, Ordering::Relaxed);
        std::mem::take(&mut *self.pages.lock().unwrap())
    }
}

/// Starts an audit that is interrupted later.
fn spawn(folder: &Folder, urls: &[&str], options: &[&str]) -> Running {
    Running::spawn(command(folder, &[urls, &["--resume", &folder.file("state")], options].concat()))
}

/// Goes on to the end, and returns the JSON report.
fn resumed(folder: &Folder, urls: &[&str]) -> (Ran, Value) {
    let file = folder.file("state");
    let ran = Ran::new(command(folder, &[urls, &["--resume", &file, "--json", "-"]].concat()).output().unwrap());
    assert_eq!(ran.status, Some(0), "{ran:?}");
    let report = serde_json::from_str(&ran.stdout).unwrap();
    (ran, report)
}

/// Either the first looks at a page or the last second look are missing when the state is saved.
#[test]
fn what_was_not_counted_is_read_again() {
    for (held, pages) in [(["TYPE", "b"], &["1", "2"][..]), (["LLEN", "c"], &[])] {
        for options in [&["--full-speed"][..], &["--max-latency", "1s"]] {
            let (server, folder) = (HeldServer::new(held), Folder::new());
            let running = spawn(&folder, &[&server.url()], options);
            server.wait();
            running.signal("INT");
            assert!(running.finish().failure().contains("interrupted"));
            assert_eq!(server.go_on(), ["0", "1", "2"]);

            let (_, report) = resumed(&folder, &[&server.url()]);
            let total = &report["total"];
            assert_eq!((&total["keys"], &total["second_looks"]), (&json!(3), &json!(3)), "{held:?} {options:?}");
            let largest = report["largest"].as_array().unwrap();
            assert!(largest.len() == 3 && largest.iter().all(|key| key["length"] == 60), "{report}");
            assert_eq!(server.go_on(), pages, "{held:?} {options:?}");
        }
    }
}

#[test]
fn a_server_that_is_finished_is_not_read_again() {
    let (finished, mut con) = start();
    fill(&mut con, 50);
    let (held, folder) = (HeldServer::new(["TYPE", "b"]), Folder::new());
    let (url, held_url) = (finished.url(), held.url());
    let running = spawn(&folder, &[&url, &held_url], &["--max-latency", "1s"]);
    held.wait();
    wait_until("the other one is finished", || {
        let clients: String = run(&mut con, &["INFO", "clients"]);
        calls(&mut con, "scan") > 0 && clients.contains("connected_clients:1\r")
    });
    running.signal("INT");
    running.finish().failure();
    held.go_on();

    let _: String = run(&mut con, &["CONFIG", "RESETSTAT"]);
    let (ran, _) = resumed(&folder, &[&url, &held_url]);
    assert_eq!(ran.keys(), 53);
    for command in ["scan", "type", "ping"] {
        assert_eq!(calls(&mut con, command), 0, "{command}");
    }
}

/// The replica that has taken the place of a primary is another server.
#[test]
fn a_failover_between_two_runs_loses_no_key() {
    let cluster = Cluster::start_with_replicas(1).unwrap();
    let keys = super::cluster::fill(&cluster);
    let mut con = connect(&cluster.primary_of("user:name:7:string").unwrap().url());
    let (folder, url) = (Folder::new(), &cluster.urls()[0]);
    let file = folder.file("state");
    let running = Running::start(command(&folder, &[url, "--resume", &file]), &mut con);
    running.signal("INT");
    running.finish().failure();
    fail_over(&cluster, "user:name:7:string", None);
    let (ran, _) = resumed(&folder, &[url]);
    assert_eq!(ran.keys(), keys);
}

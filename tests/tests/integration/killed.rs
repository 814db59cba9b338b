//! Clients that are killed during their writes.

mod writes;

use redis::{Client, Connection};
use redis_keys::testing::{Server, without_expiry};
use redis_keys_tests::{Child, Con, on_every_connection, seed};

use self::writes::WRITES;

const KILLS: usize = 500;

/// The number of commands after which a child is killed at the latest, including those of connecting.
const MAX_COMMANDS: u64 = 8 + 4 * WRITES.len() as u64;

/// The environment of a child process: the address of the server, the kind of connection, and a number for unique keys.
const URL: &str = "REDIS_KEYS_KILLED_URL";
const KIND: &str = "REDIS_KEYS_KILLED_KIND";
const NUMBER: &str = "REDIS_KEYS_KILLED_NUMBER";

#[test]
fn every_write_of_the_table_creates_a_key() {
    on_every_connection(|con| {
        for (id, write) in (0..).zip(WRITES) {
            let before: u64 = con.raw(&["DBSIZE"]);
            write(con, id);
            assert!(con.raw::<u64>(&["DBSIZE"]) > before, "write {id} of the table");
        }
    });
}

/// Not a test: the process that is killed. It creates one key after another with every write.
#[test]
#[ignore = "runs inside another test"]
fn write_until_killed() {
    let variable = |name: &str| std::env::var(name).expect("the other test sets the variable");
    let connect = [Con::blocking, Con::multiplexed][variable(KIND).parse::<usize>().expect("the variable is a number")];
    let number: u32 = variable(NUMBER).parse().expect("the variable is a number");
    let mut con = connect(&variable(URL));
    for index in 0..1_000_000 {
        let write = WRITES[(number + index) as usize % WRITES.len()];
        // No key is written twice, since the second write could add a missing expiry.
        write(&mut con, number * 1_000_000 + index);
    }
}

#[test]
fn killed_clients_leave_no_key_without_an_expiry() {
    let mut rng = fastrand::Rng::with_seed(seed());
    let server = Server::start().expect("a server starts");
    let mut con = Client::open(server.url()).and_then(|client| client.get_connection()).expect("the server replies");
    for kill in 0..KILLS {
        let (kind, number) = ((kill % 2).to_string(), kill.to_string());
        let arguments = [(URL, server.url()), (KIND, kind), (NUMBER, number)];
        let until = commands_processed(&mut con) + rng.u64(8..MAX_COMMANDS);
        let mut child = Child::start(
            "killed::write_until_killed",
            &arguments.each_ref().map(|(name, text)| (*name, text.as_str())),
        );
        let mut infos = 0;
        while commands_processed(&mut con) < until + infos {
            infos += 1;
            assert!(child.is_running(), "the process ended before it was killed");
        }
        child.kill();
    }
    let keys: usize = redis::cmd("DBSIZE").query(&mut con).expect("the server replies");
    assert!(keys > KILLS, "only {keys} keys were written");
    assert_eq!(without_expiry(&mut con, "").expect("the server replies"), [""; 0]);
    println!("soak: {KILLS} clients killed, {keys} keys left");
}

fn commands_processed(con: &mut Connection) -> u64 {
    let info: String = redis::cmd("INFO").arg("stats").query(con).expect("the server replies");
    let count = info.lines().find_map(|line| line.strip_prefix("total_commands_processed:"));
    count.and_then(|count| count.parse().ok()).expect("servers count their commands")
}

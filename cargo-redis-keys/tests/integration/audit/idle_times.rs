//! An audit leaves the idle times of the keys alone.

use redis::Connection;

use super::run::{audit, run, start};

const KEYS: [&[&str]; 6] = [
    &["SET", "a:string", "x"],
    &["HSET", "a:hash", "field", "value"],
    &["RPUSH", "a:list", "x"],
    &["SADD", "a:set", "1"],
    &["ZADD", "a:zset", "1", "x"],
    &["XADD", "a:stream", "*", "field", "value"],
];

/// Writes the keys, as if they had not been used for some time.
fn write(con: &mut Connection) {
    for words in KEYS {
        let key = words[1];
        let _: redis::Value = run(con, words);
        let value: Vec<u8> = redis::cmd("DUMP").arg(key).query(con).unwrap();
        let restore = redis::cmd("RESTORE").arg(key).arg(0).arg(value).arg(&["REPLACE", "IDLETIME", "1000"]).exec(con);
        restore.unwrap();
    }
}

fn idle_times(con: &mut Connection) -> Vec<u64> {
    KEYS.iter().map(|words| run(con, &["OBJECT", "IDLETIME", words[1]])).collect()
}

#[test]
fn idle_times_stay() {
    let (server, mut con) = start();
    write(&mut con);
    assert_eq!(audit(&[&server.url(), "--full-speed"]).keys(), 6);
    let times = idle_times(&mut con);
    assert!(times.iter().all(|time| *time >= 1_000), "{times:?}");
}

/// Every list gets a second look, which reads its length.
#[test]
fn only_with_touch_they_are_reset_on_servers_that_cannot_keep_them() {
    let (server, mut con) = start();
    write(&mut con);
    let keeps = redis::cmd("CLIENT").arg("NO-TOUCH").arg("ON").exec(&mut con).is_ok();
    assert_eq!(audit(&[&server.url(), "--full-speed", "--touch"]).keys(), 6);
    let list: u64 = run(&mut con, &["OBJECT", "IDLETIME", "a:list"]);
    assert_eq!(list >= 1_000, keeps);
}

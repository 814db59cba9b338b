//! No source makes the search panic.

use fastrand::Rng;

use super::read;

const SOURCE: &str = "use redis::{Commands, Script}; const A: &str = \"a\"; \
    fn key(id: u64) -> String { if x { return format!(\"{A}:{}\", id); } [\"b\", &id.to_string()].join(\":\") } \
    struct S { con: redis::Connection, key: String } \
    impl S { fn new(key: &str) -> Self { Self { key: key.to_owned() } } fn f<C: Commands>(&self, con: &mut C, id: u64) { \
    let mut key = key(id); key += \"é\"; let mut c = redis::cmd(\"SET\"); c.arg(&key).arg(1).arg(\"EX\"); \
    redis::pipe().cmd(\"XREAD\").arg(\"STREAMS\").arg(&self.key).arg(0).hset(key.clone(), 1, 2).query(con)?; \
    for key in [A, b\"x\"] { con.mset(&[(key, 1)]); } Script::new(\"redis.call('SET')\").key(A).invoke(con); \
    if let Some((a, b)) = match id { 1 => (A, 2), _ => Err(3)? } { con.set(a, concat!(\"x\", 1)); write!(key, \"{:?}\", a); } } }";

/// The source with random tokens removed, repeated or exchanged.
#[test]
fn broken_sources_do_not_make_it_panic() {
    const TOKENS: [&str; 14] =
        ["{", "}", "(", ")", "\"{}\"", "\"{x:\"", "key", ".arg(", "|x| ", "&", "+", "redis::cmd(", "format!(", ";"];
    let tokens: Vec<_> = SOURCE.split_inclusive([' ', '(', ')', '.', ';', '{', '}']).collect();
    let mut random = Rng::with_seed(redis_keys_tests::seed());
    for _ in 0..400 {
        let mut tokens = tokens.clone();
        for _ in 0..random.usize(1..6) {
            let at = random.usize(..tokens.len());
            match random.u8(..3) {
                0 => drop(tokens.remove(at)),
                1 => tokens.insert(random.usize(..tokens.len()), tokens[at]),
                _ => tokens[at] = TOKENS[random.usize(..TOKENS.len())],
            }
        }
        let text = tokens.concat();
        for used in read("random", &[("main.rs", &text)]).0 {
            assert!(text.get(used.range).is_some(), "{text}");
        }
    }
}

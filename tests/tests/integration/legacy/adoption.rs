//! A service of ten hand-written keys that is adopted in three releases. Each release is a process of its own, and runs
//! beside the one before it. The guide's page *Existing projects* tells the same story.

use std::collections::HashMap;
use std::env;
use std::fmt::Display;
use std::ops::Range;
use std::thread::sleep;
use std::time::Duration;

use redis::{Client, Connection, FromRedisValue, cmd};
use redis_keys::lock::{Acquired, Token};
use redis_keys::prelude::*;
use redis_keys::testing::Server;
use redis_keys::{Batch, OtherName, TakenOver};
use redis_keys_tests::{Child, wait_until};

const ROUNDS: u64 = 250;

/// What a client may do in each window.
const ALLOWED: u64 = 100;

/// Sessions that the releases use, and sessions that none of them uses.
const SESSIONS: Range<u64> = 0..10;
const IDLE: Range<u64> = 100..110;

/// The environment of a process: the address of the server, the name of the release, and the index of the process.
const URL: &str = "REDIS_KEYS_ADOPTION_URL";
const RELEASE: &str = "REDIS_KEYS_ADOPTION_RELEASE";
const INDEX: &str = "REDIS_KEYS_ADOPTION_INDEX";

const REPLIES: &str = "the server replies";

/// What the service does, in every release.
trait Service {
    /// A cache: the version of a page.
    fn page(&mut self) -> u64;
    fn invalidate_page(&mut self);
    fn count_login(&mut self);
    /// A session: a whole value.
    fn session(&mut self, id: u64) -> Option<String>;
    fn set_session(&mut self, id: u64);
    fn add_score(&mut self, number: u64);
    fn add_tag(&mut self, number: u64);
    /// A queue in a list.
    fn push_mail(&mut self, number: u64);
    fn pop_mail(&mut self) -> Option<u64>;
    /// A queue in a stream.
    fn add_event(&mut self, number: u64);
    fn take_event(&mut self) -> Option<u64>;
    /// Works under a lock, unless another process holds it.
    fn ship(&mut self, work: &mut dyn FnMut());
    /// A rate limit.
    fn is_allowed(&mut self) -> bool;
    /// A number that is given once, and never expires.
    fn next_invoice(&mut self) -> u64;
    /// Logins, scores and tags.
    fn totals(&mut self) -> [u64; 3];
}

fn connect(url: &str) -> Connection {
    Client::open(url).and_then(|client| client.get_connection()).expect(REPLIES)
}

fn send<T: FromRedisValue>(con: &mut Connection, command: &str) -> T {
    let mut words = command.split(' ');
    cmd(words.next().expect("a command")).arg(words.collect::<Vec<_>>()).query(con).expect(REPLIES)
}

/// The version of the page in the database.
fn page_in_database(con: &mut Connection) -> u64 {
    send::<Option<u64>>(con, "GET control:page").unwrap_or(0)
}

/// The release before the adoption, with redis-rs alone.
struct Old(Connection);

impl Service for Old {
    fn page(&mut self) -> u64 {
        // It takes markers of a cached key for a value that is missing.
        let cached: Option<Vec<u8>> = send(&mut self.0, &format!("GET Page:{}", 7));
        let cached = cached.and_then(|bytes| String::from_utf8(bytes).ok()?.parse().ok());
        cached.unwrap_or_else(|| {
            let page = page_in_database(&mut self.0);
            () = send(&mut self.0, &format!("SETEX Page:{} 3600 {page}", 7));
            page
        })
    }

    fn invalidate_page(&mut self) {
        () = send(&mut self.0, &format!("DEL Page:{}", 7));
    }

    fn count_login(&mut self) {
        () = send(&mut self.0, &format!("INCR User:{}:Logins", 7));
    }

    fn session(&mut self, id: u64) -> Option<String> {
        send(&mut self.0, &format!("GET sess-{id}"))
    }

    fn set_session(&mut self, id: u64) {
        () = send(&mut self.0, &format!("SET sess-{id} Ada"));
    }

    fn add_score(&mut self, number: u64) {
        () = send(&mut self.0, &format!("HSET User:{}:Scores {number} 1", 7));
    }

    fn add_tag(&mut self, number: u64) {
        () = send(&mut self.0, &format!("SADD Tags/{} {number}", 7));
    }

    fn push_mail(&mut self, number: u64) {
        () = send(&mut self.0, &format!("RPUSH {{mail}}_queue {number}"));
    }

    fn pop_mail(&mut self) -> Option<u64> {
        send(&mut self.0, "LPOP {mail}_queue")
    }

    fn add_event(&mut self, number: u64) {
        () = send(&mut self.0, &format!("XADD Events * number {number}"));
    }

    fn take_event(&mut self) -> Option<u64> {
        type Streams = Vec<(String, Vec<(String, (String, u64))>)>;
        let streams: Option<Streams> = send(&mut self.0, "XREADGROUP GROUP workers old COUNT 1 STREAMS Events >");
        let (id, (_, number)) = streams?.pop()?.1.pop()?;
        () = send(&mut self.0, &format!("XACK Events workers {id}"));
        Some(number)
    }

    fn ship(&mut self, work: &mut dyn FnMut()) {
        let token = fastrand::u64(..);
        let lock = format!("lock.order-{}", 7);
        if send::<Option<String>>(&mut self.0, &format!("SET {lock} {token} NX PX 10000")).is_some() {
            work();
            let release = "if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('DEL', KEYS[1]) end";
            () = cmd("EVAL").arg(release).arg(1).arg(lock).arg(token).query(&mut self.0).expect(REPLIES);
        }
    }

    fn is_allowed(&mut self) -> bool {
        let count: u64 = send(&mut self.0, &format!("INCR rate_limit:{}", 7));
        if count == 1 {
            () = send(&mut self.0, &format!("EXPIRE rate_limit:{} 36000", 7));
        }
        count <= ALLOWED
    }

    fn next_invoice(&mut self) -> u64 {
        send(&mut self.0, &format!("INCR Invoice-{}-last", 7))
    }

    fn totals(&mut self) -> [u64; 3] {
        ["GET User:7:Logins", "HLEN User:7:Scores", "SCARD Tags/7"].map(|command| send(&mut self.0, command))
    }
}

/// Runs a command while programs use either name.
mod both_names {
    use super::{Batch, Connection, LegacyKey, OtherName, REPLIES};

    pub(super) fn run<B: Batch>(con: &mut Connection, key: &impl LegacyKey, command: B) -> B::Output {
        key.take_over_and(command).query(con).expect(REPLIES).1
    }

    #[allow(clippy::unnecessary_wraps, reason = "other releases have no other name")]
    pub(super) fn other<K: LegacyKey + Clone>(key: &K) -> Option<OtherName<K>> {
        Some(key.clone().other_name())
    }
}

/// Runs a command when all keys have been taken over.
mod one_name {
    use super::{Batch, Connection, REPLIES, batch};

    pub(super) fn run<K, B: Batch>(con: &mut Connection, _key: &K, command: B) -> B::Output {
        batch(command).query(con).expect(REPLIES)
    }

    pub(super) fn other<K>(_key: &K) -> Option<K> {
        None
    }
}

/// Does the work under a lock, unless another process holds it.
fn hold<K: LockKey>(con: &mut Connection, lock: &K, work: &mut dyn FnMut(&mut Connection)) {
    let token = Token::random();
    if let Acquired::Held { .. } = lock.acquire(&token).query(con).expect(REPLIES) {
        work(con);
        lock.release(&token).query(con).expect(REPLIES);
    }
}

#[derive(RedisHash)]
struct Event {
    number: u64,
}

macro_rules! keys {
    ($($name:ident($($declaration:tt)*) { $($field:ident)? })*) => {$(
        #[derive(Clone, RedisKey)]
        #[redis_key($($declaration)*, allow(overlap, reason = "all releases are in one program here"))]
        pub(super) struct $name {
            $(pub(super) $field: u64,)?
        }
    )*};
}

/// A release with redis-keys. The releases differ in one word of each declaration.
macro_rules! release {
    ($release:ident, $names:ident $(, $option:ident)?) => {
        mod $release {
            use redis_keys::cache::Cache;
            use tokio::runtime::Runtime;

            use super::$names::{other, run};
            use super::*;

            keys! {
                Page(page:version:{id}:string, value = u64, ttl = 1h, null_ttl = 1m, jitter = 5m $(, $option = "Page:{id}")?) { id }
                Logins(user:logins:{id}:string, value = u64, ttl = 30d $(, $option = "User:{id}:Logins")?) { id }
                Session(session:name:{id}:string, value = String, ttl = 1d $(, $option = "sess-{id}")?) { id }
                Scores(user:scores:{id}:hash, field = u64, value = u64, ttl = 30d $(, $option = "User:{id}:Scores")?) { id }
                Tags(user:tags:{id}:set, value = u64, ttl = 30d $(, $option = "Tags/{id}")?) { id }
                Mails(mail:queue:list, value = u64, ttl = 1d $(, $option = "{{mail}}_queue")?) {}
                Events(event:numbers:stream, value = Event, ttl = 1d $(, $option = "Events")?) {}
                Shipping(lock:order:{id}:string, value = Lock, ttl = 10s $(, $option = "lock.order-{id}")?) { id }
                // A limit counts anew under its template.
                Requests(rate:requests:{id}:string, limit = 100 / 10h) { id }
                Invoices(
                    invoice:last:{id}:string, value = u64, ttl = never, reason = "each number is given once"
                    $(, $option = "Invoice-{id}-last")?
                ) { id }
            }

            pub(super) struct Release {
                con: Connection,
                runtime: Runtime,
                cache: Cache<redis_keys::Connection>,
            }

            impl Release {
                pub(super) fn new(url: &str) -> Self {
                    let runtime = Runtime::new().expect("a runtime starts");
                    let cache = Cache::new(redis_keys::connect(url).expect("the address is valid"));
                    let mut con = connect(url);
                    Events {}.group("workers").create(GroupStart::Start).query(&mut con).expect(REPLIES);
                    if let Some(other) = other(&Events {}) {
                        other.group("workers").create(GroupStart::Start).query(&mut con).expect(REPLIES);
                    }
                    Self { con, runtime, cache }
                }

                fn take<K: StreamKey<Value = Event>>(&mut self, key: &K) -> Option<u64> {
                    let group = key.group("workers");
                    let entry = group.read("new", 1).query(&mut self.con).expect(REPLIES).pop()?;
                    group.ack(entry.id).query(&mut self.con).expect(REPLIES);
                    Some(entry.value.expect("it decodes").number)
                }
            }

            impl Service for Release {
                fn page(&mut self) -> u64 {
                    let Self { con, runtime, cache } = self;
                    let load = || async move { Ok::<_, std::io::Error>(Some(page_in_database(con))) };
                    let page = runtime.block_on(cache.get_or_load(&Page { id: 7 }, load));
                    page.expect(REPLIES).expect("every page has a version")
                }

                fn invalidate_page(&mut self) {
                    self.runtime.block_on(self.cache.invalidate(&Page { id: 7 })).expect(REPLIES);
                }

                fn count_login(&mut self) {
                    let logins = Logins { id: 7 };
                    run(&mut self.con, &logins, logins.incr());
                }

                fn session(&mut self, id: u64) -> Option<String> {
                    let session = Session { id };
                    run(&mut self.con, &session, session.get())
                }

                fn set_session(&mut self, id: u64) {
                    let session = Session { id };
                    run(&mut self.con, &session, session.set("Ada"));
                }

                fn add_score(&mut self, number: u64) {
                    let scores = Scores { id: 7 };
                    run(&mut self.con, &scores, scores.hset(&number, &1));
                }

                fn add_tag(&mut self, number: u64) {
                    let tags = Tags { id: 7 };
                    run(&mut self.con, &tags, tags.sadd(&number));
                }

                fn push_mail(&mut self, number: u64) {
                    Mails {}.rpush(&number).query(&mut self.con).expect(REPLIES);
                }

                fn pop_mail(&mut self) -> Option<u64> {
                    let mail = other(&Mails {}).and_then(|mails| mails.lpop().query(&mut self.con).expect(REPLIES));
                    mail.or_else(|| Mails {}.lpop().query(&mut self.con).expect(REPLIES))
                }

                fn add_event(&mut self, number: u64) {
                    Events {}.xadd(&Event { number }).query(&mut self.con).expect(REPLIES);
                }

                fn take_event(&mut self) -> Option<u64> {
                    let event = other(&Events {}).and_then(|events| self.take(&events));
                    event.or_else(|| self.take(&Events {}))
                }

                fn ship(&mut self, work: &mut dyn FnMut()) {
                    let (con, lock) = (&mut self.con, Shipping { id: 7 });
                    let work = &mut |_: &mut Connection| work();
                    // The old text first, whichever is in use.
                    match other(&lock) {
                        None => hold(con, &lock, work),
                        Some(other) if Shipping::SCHEMA.legacy.is_some() => {
                            hold(con, &lock, &mut |con| hold(con, &other, work));
                        }
                        Some(other) => hold(con, &other, &mut |con| hold(con, &lock, work)),
                    }
                }

                fn is_allowed(&mut self) -> bool {
                    Requests { id: 7 }.take(1).query(&mut self.con).expect(REPLIES).allowed
                }

                fn next_invoice(&mut self) -> u64 {
                    let invoices = Invoices { id: 7 };
                    run(&mut self.con, &invoices, invoices.incr())
                }

                fn totals(&mut self) -> [u64; 3] {
                    let (logins, scores, tags) = (Logins { id: 7 }, Scores { id: 7 }, Tags { id: 7 });
                    let con = &mut self.con;
                    let count = run(con, &logins, logins.get()).unwrap_or(0);
                    [count, run(con, &scores, scores.hlen()), run(con, &tags, tags.scard())]
                }
            }
        }
    };
}

release!(adopted, both_names, legacy);
release!(renamed, both_names, formerly);
release!(last, one_name);

fn start(release: &str, url: &str) -> Box<dyn Service> {
    match release {
        "old" => Box::new(Old(connect(url))),
        "legacy" => Box::new(adopted::Release::new(url)),
        "formerly" => Box::new(renamed::Release::new(url)),
        _ => Box::new(last::Release::new(url)),
    }
}

/// Notes in a hash of the test that something has happened. All that is counted here happens once.
fn note(con: &mut Connection, hash: &str, what: &dyn Display) {
    if send::<u64>(con, &format!("HINCRBY control:{hash} {what} 1")) != 1 {
        () = send(con, &format!("RPUSH control:wrong {hash}.{what}.twice"));
    }
}

fn drain(service: &mut dyn Service, con: &mut Connection) -> bool {
    let (mail, event) = (service.pop_mail(), service.take_event());
    mail.iter().for_each(|mail| note(con, "mails", mail));
    event.iter().for_each(|event| note(con, "events", event));
    mail.is_some() || event.is_some()
}

/// Not a test: a process of one release.
#[test]
#[ignore = "runs inside another test"]
fn run_a_release() {
    let [url, release, index] = [URL, RELEASE, INDEX].map(|name| env::var(name).expect("the other test sets it"));
    let mut con = connect(&url);
    let mut service = start(&release, &url);
    let index: u64 = index.parse().expect("a number");
    // Both processes begin together.
    () = send(&mut con, "INCR control:started");
    wait_until("the other process has started", || send::<u64>(&mut con, "GET control:started") > index | 1);
    for number in index * ROUNDS..(index + 1) * ROUNDS {
        service.count_login();
        service.add_score(number);
        service.add_tag(number);
        service.push_mail(number);
        service.add_event(number);
        drain(&mut *service, &mut con);
        note(&mut con, "invoices", &service.next_invoice());
        let session = number % SESSIONS.end;
        if service.session(session).is_none() {
            () = send(&mut con, &format!("RPUSH control:wrong session.{session}"));
        }
        service.set_session(session);
        service.page();
        if number % 8 == 0 {
            () = send(&mut con, "INCR control:page");
            service.invalidate_page();
        }
        if service.is_allowed() {
            () = send(&mut con, &format!("HINCRBY control:allowed {release} 1"));
        }
        service.ship(&mut || {
            if send::<u64>(&mut con, "INCR control:holders") != 1 {
                () = send(&mut con, "RPUSH control:wrong holders");
            }
            sleep(Duration::from_millis(1));
            () = send(&mut con, "DECR control:holders");
            () = send(&mut con, &format!("HINCRBY control:held {release} 1"));
        });
    }
}

/// Renames all keys of a declaration that are left under the old text.
fn take_over_all<K: LegacyKey>(con: &mut Connection)
where
    OtherName<K>: for<'k> ParseKey<'k>,
{
    let keys = <OtherName<K>>::scan().iter(con).collect::<Result<Vec<_>, _>>().expect(REPLIES);
    for key in keys {
        assert_eq!(key.into_inner().take_over().query(con).expect(REPLIES), TakenOver::Moved);
    }
}

/// What is done between the last two releases, when no program uses the old texts any more.
fn leave_the_old_texts(url: &str, con: &mut Connection) {
    take_over_all::<renamed::Logins>(con);
    take_over_all::<renamed::Session>(con);
    take_over_all::<renamed::Scores>(con);
    take_over_all::<renamed::Tags>(con);
    take_over_all::<renamed::Invoices>(con);
    let mut service = renamed::Release::new(url);
    while drain(&mut service, con) {}
    assert!(renamed::Events {}.other_name().unlink().query(con).expect(REPLIES));
    // What is left expires: the counter of the old limit, and a lock that was released.
    let mut left: Vec<String> = send(con, "KEYS *");
    left.retain(|key| !["control:", "lock.", "rate_limit:"].iter().any(|prefix| key.starts_with(prefix)));
    left.retain(|key| ![":string", ":hash", ":set", ":list", ":stream"].iter().any(|suffix| key.ends_with(suffix)));
    assert_eq!(left, [""; 0]);
}

/// A change that either release makes is seen by the other.
fn assert_changes_are_seen(con: &mut Connection, services: &mut [Box<dyn Service>; 2]) {
    for changes in [0, 1, 0] {
        let reads = 1 - changes;
        services[reads].page();
        let page: u64 = send(con, "INCR control:page");
        services[changes].invalidate_page();
        assert_eq!(services[reads].page(), page);
    }
}

#[test]
fn a_service_is_adopted_release_by_release() {
    let server = Server::start().expect("a server starts");
    let (url, mut con) = (server.url(), connect(&server.url()));
    let mut old = Old(connect(&url));
    SESSIONS.chain(IDLE).for_each(|id| old.set_session(id));
    () = send(&mut con, "XGROUP CREATE Events workers 0 MKSTREAM");
    for (index, pair) in (0_u64..).zip([["old", "legacy"], ["legacy", "formerly"], ["formerly", "last"]]) {
        if pair[1] == "last" {
            leave_the_old_texts(&url, &mut con);
        }
        let arguments = |release, index| [(URL, url.clone()), (RELEASE, release), (INDEX, index)];
        let processes = [0, 1].map(|which| {
            let arguments = arguments(pair[which].to_owned(), (2 * index + which as u64).to_string());
            let arguments = arguments.each_ref().map(|(name, value)| (*name, value.as_str()));
            Child::start("legacy::adoption::run_a_release", &arguments)
        });
        processes.into_iter().for_each(Child::finish);

        assert_eq!(send::<Vec<String>>(&mut con, "LRANGE control:wrong 0 -1"), [""; 0], "{pair:?}");
        let done = 2 * (index + 1) * ROUNDS;
        let mut services = pair.map(|release| start(release, &url));
        assert_eq!(services[1].totals(), [done; 3], "{pair:?}");
        assert_eq!(send::<u64>(&mut con, "HLEN control:invoices"), done, "{pair:?}");
        assert_changes_are_seen(&mut con, &mut services);
        if index > 0 {
            let mut eternal = redis_keys::testing::without_expiry(&mut con, "").expect(REPLIES);
            eternal
                .retain(|key| !key.starts_with("control:") && !key.contains("nvoice") && !key.starts_with("sess-10"));
            assert_eq!(eternal, [""; 0], "{pair:?}");
        }
    }
    let mut last = last::Release::new(&url);
    while drain(&mut last, &mut con) {}
    for queue in ["mails", "events"] {
        assert_eq!(send::<u64>(&mut con, &format!("HLEN control:{queue}")), 6 * ROUNDS, "{queue}");
    }
    assert!(SESSIONS.chain(IDLE).all(|id| last.session(id).is_some()));
    let held: HashMap<String, u64> = send(&mut con, "HGETALL control:held");
    assert!(["legacy", "formerly", "last"].iter().all(|release| held.contains_key(*release)), "{held:?}");
    // A little more is allowed as the time passes.
    let allowed: HashMap<String, u64> = send(&mut con, "HGETALL control:allowed");
    let before = allowed["old"];
    let since = allowed.values().sum::<u64>() - before;
    assert!(before <= ALLOWED && (ALLOWED..ALLOWED + 5).contains(&since), "{allowed:?}");
    println!("held {held:?}, allowed {allowed:?}");
}

//! The releases of the service.

use Action::*;
use redis::{Client, Connection, FromRedisValue, cmd};
use redis_keys::Batch;
use redis_keys::legacy_key::OtherName;
use redis_keys::lock::{Acquisition, Token};
use redis_keys::prelude::*;

/// What a client may do in each window.
pub(crate) const ALLOWED: u64 = 100;

pub(crate) const REPLIES: &str = "the server replies";

/// What the service does, in every release.
pub(crate) enum Action {
    /// A cache: the version of a page.
    Page,
    InvalidatePage,
    /// A counter.
    Login,
    /// Whole values: the user of a session.
    Session(u64),
    SetSession(u64),
    /// A hash and a set.
    Score(u64),
    Tag(u64),
    /// A queue in a list.
    PushMail(u64),
    PopMail,
    /// A queue in a stream.
    AddEvent(u64),
    TakeEvent,
    /// A rate limit.
    Request,
    /// A number that is given once, and never expires.
    Invoice,
    LoginCount,
    ScoreCount,
    TagCount,
}

pub(crate) trait Service {
    /// Returns the number that was read, or `None` if there is none.
    fn act(&mut self, action: Action) -> Option<u64>;

    /// Works under a lock, unless another process holds it.
    fn ship(&mut self, work: &mut dyn FnMut());
}

pub(crate) fn connect(url: &str) -> Connection {
    Client::open(url).and_then(|client| client.get_connection()).expect(REPLIES)
}

pub(crate) fn send<T: FromRedisValue>(con: &mut Connection, command: &str) -> T {
    let mut words = command.split(' ');
    cmd(words.next().expect("a command")).arg(words.collect::<Vec<_>>()).query(con).expect(REPLIES)
}

/// The version of the page in the database.
fn page_in_database(con: &mut Connection) -> u64 {
    send::<Option<u64>>(con, "GET control:page").unwrap_or(0)
}

/// The release before the adoption, with redis-rs alone.
pub(crate) struct Old(pub(crate) Connection);

impl Old {
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

    fn take_event(&mut self) -> Option<u64> {
        type Streams = Vec<(String, Vec<(String, (String, u64))>)>;
        let streams: Option<Streams> = send(&mut self.0, "XREADGROUP GROUP workers old COUNT 1 STREAMS Events >");
        let (id, (_, number)) = streams?.pop()?.1.pop()?;
        () = send(&mut self.0, &format!("XACK Events workers {id}"));
        Some(number)
    }
}

impl Service for Old {
    fn act(&mut self, action: Action) -> Option<u64> {
        let command = match action {
            Page => return Some(self.page()),
            InvalidatePage => format!("DEL Page:{}", 7),
            Login => format!("INCR User:{}:Logins", 7),
            Session(id) => format!("GET sess-{id}"),
            SetSession(id) => format!("SET sess-{id} 7"),
            Score(number) => format!("HSET User:{}:Scores {number} 1", 7),
            Tag(number) => format!("SADD Tags/{} {number}", 7),
            PushMail(number) => format!("RPUSH {{mail}}_queue {number}"),
            PopMail => "LPOP {mail}_queue".to_owned(),
            AddEvent(number) => format!("XADD Events * number {number}"),
            TakeEvent => return self.take_event(),
            Request => {
                let count: u64 = send(&mut self.0, &format!("INCR rate_limit:{}", 7));
                () = send(&mut self.0, &format!("EXPIRE rate_limit:{} 36000", 7));
                return (count <= ALLOWED).then_some(count);
            }
            Invoice => format!("INCR Invoice-{}-last", 7),
            LoginCount => format!("GET User:{}:Logins", 7),
            ScoreCount => format!("HLEN User:{}:Scores", 7),
            TagCount => format!("SCARD Tags/{}", 7),
        };
        redis::from_redis_value(send(&mut self.0, &command)).unwrap_or(None)
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
}

/// Runs a command while programs use either name.
mod both_names {
    use super::{Batch, Connection, LegacyKey, OtherName, REPLIES};

    pub(crate) fn run<B: Batch>(con: &mut Connection, key: &impl LegacyKey, command: B) -> B::Output {
        key.take_over_and(command).query(con).expect(REPLIES).1
    }

    #[allow(clippy::unnecessary_wraps, reason = "other releases have no other name")]
    pub(crate) fn other<K: LegacyKey + Clone>(key: &K) -> Option<OtherName<K>> {
        Some(key.clone().other_name())
    }
}

/// Runs a command when all keys have been taken over.
mod one_name {
    use super::{Batch, Connection, REPLIES, batch};

    pub(crate) fn run<K, B: Batch>(con: &mut Connection, _key: &K, command: B) -> B::Output {
        batch(command).query(con).expect(REPLIES)
    }

    pub(crate) fn other<K>(_key: &K) -> Option<K> {
        None
    }
}

/// Does the work under a lock, unless another process holds it.
fn hold<K: LockKey>(con: &mut Connection, lock: &K, work: &mut dyn FnMut(&mut Connection)) {
    let token = Token::random();
    if let Acquisition::Held { .. } = lock.acquire(&token).query(con).expect(REPLIES) {
        work(con);
        lock.release(&token).query(con).expect(REPLIES);
    }
}

/// Takes an entry of a stream.
fn take<K: StreamKey<Value = Event>>(con: &mut Connection, key: &K) -> Option<u64> {
    let group = key.group("workers");
    let entry = group.read("new", 1).query(con).expect(REPLIES).pop()?;
    group.ack(entry.id).query(con).expect(REPLIES);
    Some(entry.value.expect("it decodes").number)
}

#[derive(RedisHash)]
pub(crate) struct Event {
    number: u64,
}

macro_rules! keys {
    ($($name:ident($($declaration:tt)*) { $($field:ident)? })*) => {$(
        #[derive(Clone, RedisKey)]
        #[redis_key($($declaration)*, allow(overlap, reason = "all releases are in one program here"))]
        pub(crate) struct $name {
            $(pub(crate) $field: u64,)?
        }
    )*};
}

/// A release with redis-keys. The releases differ in one word of each declaration.
macro_rules! release {
    ($release:ident, $names:ident $(, $option:ident)?) => {
        pub(crate) mod $release {
            use redis_keys::cache::Cache;
            use tokio::runtime::Runtime;

            use super::$names::{other, run};
            use super::*;

            keys! {
                CachedPage(page:version:{id}:string, value = u64, ttl = 1h, jitter = 5m, cache(null_ttl = 1m) $(, $option = "Page:{id}")?) { id }
                Logins(user:logins:{id}:string, value = u64, ttl = 30d $(, $option = "User:{id}:Logins")?) { id }
                UserOf(session:user:{id}:string, value = u64, ttl = 1d $(, $option = "sess-{id}")?) { id }
                Scores(user:scores:{id}:hash, field = u64, value = u64, ttl = 30d $(, $option = "User:{id}:Scores")?) { id }
                Tags(user:tags:{id}:set, value = u64, ttl = 30d $(, $option = "Tags/{id}")?) { id }
                Mails(mail:queue:list, value = u64, ttl = 1d $(, $option = "{{mail}}_queue")?) {}
                Events(event:numbers:stream, value = Event, ttl = 1d $(, $option = "Events")?) {}
                Shipping(lock:order:{id}:string, lock, ttl = 10s $(, $option = "lock.order-{id}")?) { id }
                // A limit counts anew under its template.
                Requests(rate:requests:{id}:string, limit(100 / 10h)) { id }
                Invoices(
                    invoice:last:{id}:string, value = u64, ttl = never, reason = "each number is given once",
                    rebuild = "the last invoice in the database"
                    $(, $option = "Invoice-{id}-last")?
                ) { id }
            }

            pub(crate) struct Release {
                con: Connection,
                runtime: Runtime,
                cache: Cache<redis_keys::Connection>,
            }

            impl Release {
                pub(crate) fn new(url: &str) -> Self {
                    let runtime = Runtime::new().expect("a runtime starts");
                    let cache = Cache::new(redis_keys::connect(url).expect("the address is valid"));
                    let mut con = connect(url);
                    Events {}.group("workers").create(GroupStart::Start).query(&mut con).expect(REPLIES);
                    if let Some(other) = other(&Events {}) {
                        other.group("workers").create(GroupStart::Start).query(&mut con).expect(REPLIES);
                    }
                    Self { con, runtime, cache }
                }
            }

            impl Service for Release {
                fn act(&mut self, action: Action) -> Option<u64> {
                    let (logins, scores, tags, invoices) =
                        (Logins { id: 7 }, Scores { id: 7 }, Tags { id: 7 }, Invoices { id: 7 });
                    let Self { con, runtime, cache } = self;
                    match action {
                        Page => {
                            let load = || async move { Ok::<_, std::io::Error>(Some(page_in_database(con))) };
                            return runtime.block_on(cache.get_or_load(&CachedPage { id: 7 }, load)).expect(REPLIES);
                        }
                        InvalidatePage => _ = runtime.block_on(cache.invalidate(&CachedPage { id: 7 })).expect(REPLIES),
                        Login => _ = run(con, &logins, logins.incr()),
                        Session(id) => return run(con, &UserOf { id }, UserOf { id }.get()),
                        SetSession(id) => run(con, &UserOf { id }, UserOf { id }.set(&7)),
                        Score(number) => _ = run(con, &scores, scores.hset(&number, &1)),
                        Tag(number) => _ = run(con, &tags, tags.sadd(&number)),
                        PushMail(number) => _ = Mails {}.rpush(&number).query(con).expect(REPLIES),
                        PopMail => {
                            let mail = other(&Mails {}).and_then(|mails| mails.lpop().query(con).expect(REPLIES));
                            return mail.or_else(|| Mails {}.lpop().query(con).expect(REPLIES));
                        }
                        AddEvent(number) => _ = Events {}.xadd(&Event { number }).query(con).expect(REPLIES),
                        TakeEvent => {
                            let event = other(&Events {}).and_then(|events| take(con, &events));
                            return event.or_else(|| take(con, &Events {}));
                        }
                        Request => {
                            let decision = Requests { id: 7 }.take(1).query(con).expect(REPLIES);
                            return decision.allowed.then_some(1);
                        }
                        Invoice => return Some(run(con, &invoices, invoices.incr())),
                        LoginCount => return run(con, &logins, logins.get()),
                        ScoreCount => return Some(run(con, &scores, scores.hlen())),
                        TagCount => return Some(run(con, &tags, tags.scard())),
                    }
                    None
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
            }
        }
    };
}

release!(adopted, both_names, legacy);
release!(renamed, both_names, formerly);
release!(last, one_name);

pub(crate) fn start(release: &str, url: &str) -> Box<dyn Service> {
    match release {
        "old" => Box::new(Old(connect(url))),
        "legacy" => Box::new(adopted::Release::new(url)),
        "formerly" => Box::new(renamed::Release::new(url)),
        _ => Box::new(last::Release::new(url)),
    }
}

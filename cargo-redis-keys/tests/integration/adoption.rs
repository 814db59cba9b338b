//! A service of ten hand-written keys that is adopted in three releases. Each release is a process of its own, and runs
//! beside the one before it. The guide's page *Existing projects* tells the same story.

use std::collections::HashMap;
use std::fmt::Display;
use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::SeqCst;
use std::thread::{self, sleep};
use std::time::{Duration, Instant};
use std::{env, vec};

use redis::{Connection, ProtocolVersion};
use redis_keys::legacy_key::{OtherName, TakenOver};
use redis_keys::lock::{Acquisition, Token};
use redis_keys::prelude::*;
use redis_keys::testing::Server;
use redis_keys_tests::{Child, Con, shared_cluster, wait_until};

use self::releases::Action::*;
use self::releases::{ALLOWED, Old, REPLIES, Service, adopted, connect, last, renamed, send, start};
use crate::workspace::Workspace;

mod releases;

/// The page of the guide.
const PAGE: &str = include_str!("../../../redis-keys/docs/guide/existing/README.md");

/// The declarations of A, to which the page links.
const DECLARATIONS: &str = include_str!("adoption/declarations.rs");

/// The outputs of the audit, in the order of the releases.
const AUDITS: &str = include_str!("adoption/audits.txt");

const ROUNDS: u64 = 250;

/// Sessions that the releases use, and sessions that none of them uses.
const SESSIONS: Range<u64> = 0..10;
const IDLE: Range<u64> = 100..110;

/// The environment of a process: the address of the server, the name of the release, and the index of the process.
const URL: &str = "REDIS_KEYS_ADOPTION_URL";
const RELEASE: &str = "REDIS_KEYS_ADOPTION_RELEASE";
const INDEX: &str = "REDIS_KEYS_ADOPTION_INDEX";

/// Notes in a hash of the test that something has happened. All that is counted here happens once.
fn note(con: &mut Connection, hash: &str, what: &dyn Display) {
    if send::<u64>(con, &format!("HINCRBY control:{hash} {what} 1")) != 1 {
        () = send(con, &format!("RPUSH control:wrong {hash}.{what}.twice"));
    }
}

/// Takes from both queues, and returns whether there was anything.
fn drain(service: &mut dyn Service, con: &mut Connection) -> bool {
    let (mail, event) = (service.act(PopMail), service.act(TakeEvent));
    for (queue, number) in [("mails", mail), ("events", event)] {
        if let Some(number) = number {
            note(con, queue, &number);
        }
    }
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
        for action in [Login, Score(number), Tag(number), PushMail(number), AddEvent(number), Page] {
            service.act(action);
        }
        drain(&mut *service, &mut con);
        note(&mut con, "invoices", &service.act(Invoice).expect("a number"));
        let session = number % SESSIONS.end;
        if service.act(Session(session)).is_none() {
            () = send(&mut con, &format!("RPUSH control:wrong session.{session}"));
        }
        service.act(SetSession(session));
        if number % 8 == 0 {
            () = send(&mut con, "INCR control:page");
            service.act(InvalidatePage);
        }
        if service.act(Request).is_some() {
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
    take_over_all::<renamed::UserOf>(con);
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
        services[reads].act(Page);
        let page: u64 = send(con, "INCR control:page");
        services[changes].act(InvalidatePage);
        assert_eq!(services[reads].act(Page), Some(page));
    }
}

/// The expected outputs of the audit, one of which the guide shows.
struct Story {
    url: String,
    /// The outputs that follow.
    outputs: vec::IntoIter<&'static str>,
}

impl Story {
    fn new(url: &str) -> Self {
        let outputs: Vec<_> = AUDITS.split("\n\n").collect();
        let [_, _, renamed, _, _] = outputs[..] else { panic!("five outputs") };
        let start = "```text\n$ cargo redis-keys audit --show-keys redis://127.0.0.1:6379\n";
        let (_, shown) = PAGE.split_once(start).expect("a block");
        let (shown, _) = shown.split_once("```").expect("the end of the block");
        assert!(shown.lines().all(|line| renamed.contains(line)), "{shown}");
        for schema in [
            adopted::CachedPage::SCHEMA,
            adopted::Logins::SCHEMA,
            adopted::UserOf::SCHEMA,
            adopted::Scores::SCHEMA,
            adopted::Tags::SCHEMA,
            adopted::Mails::SCHEMA,
            adopted::Events::SCHEMA,
            adopted::Shipping::SCHEMA,
            adopted::Requests::SCHEMA,
            adopted::Invoices::SCHEMA,
        ] {
            let text = schema.legacy.map(|legacy| format!("legacy = {legacy:?}"));
            for text in [Some(schema.template.to_owned()), text].into_iter().flatten() {
                assert!(DECLARATIONS.contains(&text), "{text} is not declared");
            }
        }
        Self { url: url.to_owned(), outputs: outputs.into_iter() }
    }

    /// Audits the server with the declarations of a release.
    fn audit(&mut self, release: &str) {
        let declarations = match release {
            "legacy" => DECLARATIONS.to_owned(),
            "formerly" => DECLARATIONS.replace("legacy = ", "formerly = "),
            _ => {
                let mut parts = DECLARATIONS.split("legacy = \"");
                let first = parts.next().expect("a text").to_owned();
                let rest = parts.map(|part| part.split_once('"').expect("the end of a string").1);
                (first + &rest.collect::<String>()).replace(",\n    ,", ",")
            }
        };
        let workspace = Workspace::new("adoption", &[("shop", &[("src/lib.rs", &declarations)])]);
        // The keys of the test.
        workspace.write("packages/shop/redis-keys.toml", "[foreign]\npatterns = [\"control:*\"]\n");
        let page = self.outputs.next().expect("the output of the audit");
        // Keys of locks, which expire after some seconds, would take the place of others in tables.
        let started = Instant::now();
        let ran = loop {
            let ran = workspace.run(&["audit", &self.url, "--full-speed", "--show-keys"]);
            let is_there = |line: &str| ran.stdout.lines().any(|found| comparable(found) == comparable(line));
            match page.lines().find(|line| !is_there(line)) {
                None => break ran,
                Some(line) => assert!(started.elapsed() < Duration::from_secs(30), "{line:?}\n{}", ran.stdout),
            }
        };
        let errors = |text: &str| text.lines().filter(|line| line.starts_with("  error")).count();
        assert_eq!(errors(&ran.stdout), errors(page), "{}", ran.stdout);
    }
}

/// A line without the sizes of keys, which differ between servers, and so without the key of a finding, which is the
/// largest; without times, and without the number of lines that are left out.
fn comparable(line: &str) -> String {
    let line = line.split([';', '(']).next().unwrap_or_default();
    let is_time = |word: &str| word.starts_with(|sign: char| sign.is_ascii_digit()) && word.ends_with(['s', 'm']);
    let words: Vec<_> = line.split_whitespace().filter(|word| !is_time(word)).collect();
    let is_unit = |word: &str| ["B", "KB", "MB"].contains(&word);
    let is_size = |index: usize| is_unit(words[index]) || words.get(index + 1).is_some_and(|word| is_unit(word));
    (0..words.len()).filter(|index| !is_size(*index)).map(|index| words[index]).collect::<Vec<_>>().join(" ")
}

#[test]
fn a_service_is_adopted_release_by_release() {
    let server = Server::start().expect("a server starts");
    let mut story = Story::new(&server.url());
    let (url, mut con) = (server.url(), connect(&server.url()));
    let mut old = Old(connect(&url));
    SESSIONS.chain(IDLE).for_each(|id| _ = old.act(SetSession(id)));
    () = send(&mut con, "XGROUP CREATE Events workers 0 MKSTREAM");
    story.audit("legacy");
    for (index, pair) in (0_u64..).zip([["old", "legacy"], ["legacy", "formerly"], ["formerly", "last"]]) {
        if pair[1] == "last" {
            leave_the_old_texts(&url, &mut con);
            story.audit("formerly");
        }
        let arguments = |release, index| [(URL, url.clone()), (RELEASE, release), (INDEX, index)];
        let processes = [0, 1].map(|which| {
            let arguments = arguments(pair[which].to_owned(), (2 * index + which as u64).to_string());
            let arguments = arguments.each_ref().map(|(name, value)| (*name, value.as_str()));
            Child::start("adoption::run_a_release", &arguments)
        });
        processes.into_iter().for_each(Child::finish);

        assert_eq!(send::<Vec<String>>(&mut con, "LRANGE control:wrong 0 9"), [""; 0], "{pair:?}");
        let done = 2 * (index + 1) * ROUNDS;
        let mut services = pair.map(|release| start(release, &url));
        let totals = [LoginCount, ScoreCount, TagCount].map(|count| services[1].act(count));
        assert_eq!(totals, [Some(done); 3], "{pair:?}");
        assert_eq!(send::<u64>(&mut con, "HLEN control:invoices"), done, "{pair:?}");
        assert_changes_are_seen(&mut con, &mut services);
        // The older release has ended.
        for id in SESSIONS {
            services[1].act(Session(id));
            services[1].act(SetSession(id));
        }
        story.audit(pair[1]);
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
    assert!(SESSIONS.chain(IDLE).all(|id| last.act(Session(id)).is_some()));
    let held: HashMap<String, u64> = send(&mut con, "HGETALL control:held");
    assert!(["legacy", "formerly", "last"].iter().all(|release| held.contains_key(*release)), "{held:?}");
    // A little more is allowed as the time passes.
    let allowed: HashMap<String, u64> = send(&mut con, "HGETALL control:allowed");
    let before = allowed["old"];
    let since = allowed.values().sum::<u64>() - before;
    assert!(before <= ALLOWED && (ALLOWED..ALLOWED + 5).contains(&since), "{allowed:?}");
    println!("held {held:?}, allowed {allowed:?}");
}

/// What both releases do on a cluster that has the two names in different slots.
struct OnACluster {
    mails: Mutex<Vec<u64>>,
    holders: AtomicU64,
    /// How often each release has held the lock.
    held: [AtomicU64; 2],
}

/// A turn of a release: it writes a value under both names, adds to its own queue, takes from both, and works under the
/// lock of the old text and then that of the template.
macro_rules! take_a_turn {
    ($release:ident, $con:ident, $number:ident, $shared:ident, [$first:expr, $second:expr]) => {{
        let user = $release::UserOf { id: $number };
        $con.batch((user.set(&$number), user.clone().other_name().set(&$number))).expect(REPLIES);
        let mails = $release::Mails {};
        $con.ok(mails.rpush(&$number));
        let mail = $con.ok(mails.clone().other_name().lpop()).or_else(|| $con.ok(mails.lpop()));
        $shared.mails.lock().expect("no thread has panicked").extend(mail);
        let token = Token::random();
        if let Acquisition::Held { .. } = $con.ok($first.acquire(&token)) {
            if let Acquisition::Held { .. } = $con.ok($second.acquire(&token)) {
                assert_eq!($shared.holders.fetch_add(1, SeqCst), 0, "two holders");
                thread::yield_now();
                $shared.holders.fetch_sub(1, SeqCst);
                $shared.held[($number % 2) as usize].fetch_add(1, SeqCst);
                $con.ok($second.release(&token));
            }
            $con.ok($first.release(&token));
        }
    }};
}

#[test]
fn two_releases_share_a_cluster() {
    const TURNS: u64 = 400;
    let shared = OnACluster { mails: Mutex::default(), holders: AtomicU64::default(), held: Default::default() };
    let cluster = shared_cluster();
    let connect = |()| Con::nodes(&cluster, ProtocolVersion::RESP3);
    thread::scope(|scope| {
        for (thread, mut con) in (0..4).zip([(); 4].map(connect)) {
            let shared = &shared;
            scope.spawn(move || {
                let (adopted, renamed) = (adopted::Shipping { id: 7 }, renamed::Shipping { id: 7 });
                for number in (thread..TURNS).step_by(4) {
                    if thread % 2 == 0 {
                        take_a_turn!(adopted, con, number, shared, [adopted, adopted.clone().other_name()]);
                    } else {
                        take_a_turn!(renamed, con, number, shared, [renamed.clone().other_name(), renamed]);
                    }
                }
            });
        }
    });
    let mut con = connect(());
    let mut mails = shared.mails.into_inner().expect("no thread has panicked");
    while let Some(mail) = con.ok(adopted::Mails {}.lpop()).or_else(|| con.ok(renamed::Mails {}.lpop())) {
        mails.push(mail);
    }
    mails.sort_unstable();
    assert!(mails.iter().copied().eq(0..TURNS), "{mails:?}");
    for id in 0..TURNS {
        assert_eq!([con.ok(adopted::UserOf { id }.get()), con.ok(renamed::UserOf { id }.get())], [Some(id); 2]);
    }
    assert!(shared.held.iter().all(|held| held.load(SeqCst) > 0), "{:?}", shared.held);
    con.assert_all_expire();
}

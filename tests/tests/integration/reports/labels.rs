//! Labels never contain a parameter, a key or a value.

#![allow(clippy::panic, clippy::unwrap_used, reason = "a test cannot continue when it fails")]

use std::cell::RefCell;
use std::collections::BTreeSet;

use proptest::prelude::*;
use redis_keys::batch;
use redis_keys::prelude::*;
use redis_keys::testing::Server;

use crate::observe::{Recorder, Subscriber};

#[derive(RedisKey)]
#[redis_key(report:label:{first}:{second}:string, value = String, ttl = 1h, max_bytes = 40B)]
struct LabelledText {
    first: String,
    second: u64,
}

#[derive(RedisKey)]
#[redis_key(report:field:{first}:hash, field = String, value = String, ttl = 1h)]
struct Fields {
    first: String,
}

const TEMPLATES: [&str; 2] = ["report:label:{first}:{second}:string", "report:field:{first}:hash"];
const OUTCOMES: [&str; 5] = ["ok", "absent", "rejected", "failed", "unknown"];

/// The values of all labels.
fn labels(recorder: &Recorder) -> BTreeSet<String> {
    let series = recorder.counters("").into_iter().chain(recorder.histograms(""));
    let labels = series.flat_map(|(series, _)| series.split(' ').skip(1).map(str::to_owned).collect::<Vec<_>>());
    labels.map(|label| label.split_once('=').unwrap().1.to_owned()).collect()
}

#[test]
fn labels_are_fixed_words() {
    let server = Server::start().unwrap();
    let con = RefCell::new(redis::Client::open(server.url()).unwrap().get_connection().unwrap());
    let recorder = Recorder::default();
    let subscriber = Subscriber::of_commands();
    _ = tracing::subscriber::set_global_default(tracing::subscriber::NoSubscriber::default());
    let _recorder = metrics::set_default_local_recorder(&recorder);
    let _subscriber = tracing::subscriber::set_default(subscriber.clone());
    let mut rules: BTreeSet<String> = redis_keys::Rule::ALL.iter().map(|rule| rule.name().to_owned()).collect();
    rules.extend(["argument", "encode", "out-of-range", "unsupported"].map(str::to_owned));

    proptest!(ProptestConfig::with_cases(200), |(first in "\\PC{0,30}", second: u64, value in "\\PC{0,30}")| {
        let con = &mut *con.borrow_mut();
        let key = LabelledText { first: first.clone(), second };
        let fields = Fields { first: first.clone() };
        _ = key.set(&value).query(con);
        _ = key.get().query(con);
        _ = fields.hset(&value, &first).query(con);
        _ = fields.hget(&value).query(con);
        _ = batch((key.append(&value), fields.hlen())).query_each(con);
        let accessors: BTreeSet<_> = redis_keys::__private::accessor_names().collect();
        for label in labels(&recorder) {
            let is_fixed = TEMPLATES.contains(&label.as_str()) || OUTCOMES.contains(&label.as_str())
                || rules.contains(&label) || accessors.contains(label.as_str());
            prop_assert!(is_fixed, "{label:?}");
        }
    });
    // Nor do spans: their lines are the same whatever the parameters are.
    let lines: BTreeSet<_> = subscriber.lines().into_iter().collect();
    assert!(lines.len() < 30, "{lines:#?}");
}

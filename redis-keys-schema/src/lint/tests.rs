//! The underlined text, the help and the exceptions of each lint.

use super::*;
use crate::check::tests::underlined;
use crate::tests::applied::Editable as _;
use crate::{Attribute, Checked, Field, Shape, check as check_item};

fn checked(policy: &str, attribute: &str) -> Checked {
    check_item(&item(attribute), &parsed(policy))
}

fn parsed(policy: &str) -> Policy {
    let (policy, errors) = Policy::parse(policy);
    assert_eq!(errors, []);
    policy
}

fn item(attribute: &str) -> Item<'_> {
    let field = |name: &str| Field { name: name.to_owned(), ty: "u64", phantom: false, attributes: vec![] };
    let fields = ["id", "page"].into_iter().filter(|name| attribute.contains(&format!("{{{name}}}"))).map(field);
    let attributes = vec![Attribute::Arguments(attribute)];
    let (name, fields) = ("Case".to_owned(), fields.collect());
    Item { name, shape: Shape::Struct, documented: false, attributes, fields }
}

/// Asserts that the suggestion of a warning avoids it, if it names a text to write.
#[track_caller]
fn assert_avoided(policy: &str, attribute: &str, warning: &Warning) {
    if warning.edits.is_empty() {
        let names = ["write `", "add `", "remove "].iter().any(|start| warning.suggestion.starts_with(start));
        assert!(!names, "a suggestion without edits: {warning}\n{attribute}");
        return;
    }
    let edited = item(attribute).edited(&warning.edits);
    let Checked { diagnostics, warnings, .. } = check_item(&edited, &parsed(policy));
    let count = |warnings: &[Warning]| {
        warnings.iter().filter(|other| other.lint == warning.lint && other.message == warning.message).count()
    };
    let is_less = count(&warnings) < count(&checked(policy, attribute).warnings);
    assert!(is_less && diagnostics.is_empty(), "{warning}\n\n{edited:?}\n\n{diagnostics:?}\n{warnings:?}");
}

/// Asserts the warnings: the lint, what is underlined, and the help.
#[track_caller]
fn warns(policy: &str, attribute: &str, expected: &[(Lint, &str, &str)]) {
    let checked = checked(policy, attribute);
    assert_eq!(*checked.diagnostics, [], "{attribute}");
    let reported = checked
        .warnings
        .iter()
        .map(|warning| (warning.lint, underlined(attribute, &warning.place), warning.suggestion.as_str()));
    assert_eq!(reported.collect::<Vec<_>>(), expected, "{attribute}");
    for warning in &checked.warnings {
        assert_avoided(policy, attribute, warning);
    }
}

#[test]
fn usual_modules_have_their_usual_types() {
    let warns = |key: &str, options: &str, expected: &[(&str, &str)]| {
        let expected: Vec<_> = expected.iter().map(|&(what, help)| (Lint::MisusedModule, what, help)).collect();
        warns("", &format!("{key}, {options}, ttl = 30s"), &expected);
    };
    warns("lock:order:{id}:string", "lock", &[]);
    let lock = "write `string` with `lock`, or another module";
    warns("lock:order:{id}:hash", "value = Order", &[("hash", lock)]);
    for own in ["String", "Json<Lock>", "Lock<u64>"] {
        warns(
            "lock:order:{id}:string",
            &format!("value = {own}"),
            &[(own, "write `lock` in place of `value`, or another module")],
        );
    }
    warns("queue:mail:{id}:list", "value = String", &[]);
    warns("queue:mail:{id}:stream", "value = Mail", &[]);
    warns(
        "queue:mail:{id}:string",
        "value = String",
        &[("string", "write `list`, `stream` or `zset`, or another module")],
    );
    warns("counter:mail:{id}:string", "value = u64", &[]);
    warns("counter:mail:{id}:string", "value = Count", &[]);
    warns("counter:mail:{id}:hash", "field = String, value = i64", &[]);
    warns("counter:mail:{id}:hash", "value = Counts", &[]);
    warns("counter:mail:{id}:hyperloglog", "value = String", &[]);
    warns("counter:mail:{id}:string", "value = f64", &[("f64", "write `u64`, or another module")]);
    warns("counter:mail:{id}:string", "value = \"Json<u64>\"", &[("Json<u64>", "write `u64`, or another module")]);
    warns("counters:mail:{id}:string", "value = String", &[]);
}

#[test]
fn a_policy_replaces_what_is_usual() {
    warns("module.lock.types = ['hash']", "lock:order:{id}:hash, value = Order, ttl = 30s", &[]);
    warns("module.lock.ttl = '1m..1h'", "lock:order:{id}:string, lock, ttl = 1h", &[]);
}

#[test]
fn expiries_are_in_the_window_of_the_module() {
    let warns = |module: &str, ttl: &str, help: Option<&str>| {
        let options = match module {
            "lock" => "string, lock",
            "rate" => "hash, value = Rates",
            _ => "string, value = String, jitter = 1ms",
        };
        let attribute = format!("{module}:name:{{id}}:{options}, ttl = {ttl}");
        let expected: Vec<_> = help.into_iter().map(|help| (Lint::UnusualTtl, ttl, help)).collect();
        warns("module.report.ttl = '1d..'\nmodule.tmp.ttl = '..1m'", &attribute, &expected);
    };
    for (module, ttl) in
        [("cache", "5m"), ("cache", "1d"), ("session", "1d"), ("session", "1w"), ("lock", "10s"), ("lock", "1m")]
    {
        warns(module, ttl, None);
    }
    for (module, ttl) in
        [("rate", "1s"), ("rate", "1d"), ("tmp", "1s"), ("tmp", "1m"), ("report", "365d"), ("user", "1s")]
    {
        warns(module, ttl, None);
    }
    let helps = |module: &str, ttl: &str, nearest: &str, wider: &str| {
        let file = format!("set `ttl = \"{wider}\"` below `[module.{module}]` in redis-keys.toml");
        warns(module, ttl, Some(&format!("write `{nearest}`, or {file}")));
    };
    helps("cache", "4m59s", "5m", "4m59s..1d");
    helps("cache", "25h", "1d", "5m..1d1h");
    helps("session", "8d", "1w", "1d..8d");
    helps("session", "1m", "1d", "1m..1w");
    helps("lock", "9s", "10s", "9s..1m");
    helps("lock", "61s", "1m", "10s..1m1s");
    helps("rate", "500ms", "1s", "500ms..1d");
    helps("tmp", "5m", "1m", "..5m");
    helps("report", "1h", "1d", "1h..");
}

#[test]
fn a_lock_is_held_as_long_as_locks_usually_are() {
    let key = |module: &str, ttl: &str| format!("{module}:lock:{{id}}:string, lock, ttl = {ttl}");
    // Not as long as other keys of its module, nor with jitter.
    for module in ["cache", "order", "session"] {
        warns("module.order.ttl = '1d..2d'", &key(module, "30s"), &[]);
        warns("", &key(module, "2m"), &[(Lint::UnusualTtl, "2m", "write `1m`")]);
        warns("module.lock.ttl = '..5m'", &key(module, "2m"), &[]);
    }
    let help = "write `5m`, or set `ttl = \"..6m\"` below `[module.lock]` in redis-keys.toml";
    warns("module.lock.ttl = '..5m'", &key("order", "6m"), &[(Lint::UnusualTtl, "6m", help)]);
    warns("limits.longest_ttl = '30s'", &key("order", "5s"), &[(Lint::UnusualTtl, "5s", "write `10s`")]);
}

#[test]
fn the_keys_of_a_limit_do_not_live_long() {
    let key = |module: &str, limit: &str| format!("{module}:api:{{id}}:string, limit({limit})");
    for module in ["rate", "cache", "session", "user"] {
        warns("", &key(module, "100 / 1s, burst = 1"), &[]);
        warns("", &key(module, "100 / 1d"), &[]);
        // A step of whole microseconds makes this one a little longer.
        warns("", &key(module, "7 / 1d"), &[]);
    }
    warns("module.rate.ttl = '1h..2h'", &key("rate", "100 / 1m"), &[]);
    let help = "shorten the period, or set `ttl = \"1s..30d\"` below `[module.rate]` in redis-keys.toml";
    warns("", &key("rate", "100 / 30d"), &[(Lint::UnusualTtl, "100 / 30d", help)]);
    warns("", &key("rate", "100 / 30d, burst = 3"), &[]);
    let help = "shorten the period, or set `ttl = \"..2h\"` below `[module.api]` in redis-keys.toml";
    warns("module.api.ttl = '..1h'", &key("api", "1 / 1h, burst = 2"), &[(Lint::UnusualTtl, "1 / 1h", help)]);
}

#[test]
fn a_lock_and_a_limit_are_no_fields_of_an_object() {
    let has_sibling = |options: &str| checked("", &format!("user:{{id}}:name:string, {options}")).sibling.is_some();
    assert!(has_sibling("value = u64, ttl = 1h") && has_sibling("value = Lock<u64>, ttl = 1h"));
    assert!(!has_sibling("lock, ttl = 30s") && !has_sibling("limit(5 / 1m)"));
}

#[test]
fn a_limit_is_no_count() {
    let help = "write `limit(100 / 1m)` in place of `value` and `ttl`, or another module";
    warns("", "rate:api:{id}:string, value = u64, ttl = 1m", &[(Lint::MisusedModule, "u64", help)]);
    // A window that slides, and several windows.
    warns("", "rate:api:{id}:zset, value = u64, ttl = 1m", &[]);
    warns("", "rate:api:{id}:hash, field = String, value = u64, ttl = 1m", &[]);
    warns("", "rate:api:{id}:string, limit(100 / 1m)", &[]);
}

#[test]
fn every_cached_key_has_jitter() {
    let help = "add `jitter = 10%`";
    let key = |module: &str, options: &str| format!("{module}:name:{{id}}:string, value = u64, ttl = 1h, {options}");
    for (module, options) in
        [("cache", ""), ("cache", "cache(null_ttl = 5m)"), ("user", "cache(null_ttl = 5m, lease = 1s)")]
    {
        warns("", &key(module, options), &[(Lint::MissingJitter, "1h", help)]);
    }
    warns("", &key("user", ""), &[]);
    warns("", &key("user", "jitter = 5m, cache(null_ttl = 5m)"), &[]);
    warns("", &key("user", "cache(null_ttl = 5m), allow(missing_jitter, reason = \"x\")"), &[]);
    // Its ttl is that of the module, and no read renews it.
    let help = "write `1d`, or set `ttl = \"1h..1w\"` below `[module.session]` in redis-keys.toml";
    warns("", &key("session", "jitter = 5m, cache(null_ttl = 5m)"), &[(Lint::UnusualTtl, "1h", help)]);
}

#[test]
fn the_message_names_the_origin_of_the_window() {
    let messages = |policy: &str, module: &str| {
        let attribute = format!("{module}:name:{{id}}:string, value = String, ttl = 2w");
        checked(policy, &attribute).warnings.into_iter().map(|warning| warning.message).collect::<Vec<_>>()
    };
    let default = "ttl `2w` is outside the default range of `session` keys, 1d to 1w";
    assert_eq!(messages("", "session"), [default]);
    let of_the_file = "ttl `2w` is outside the range of `session` keys in redis-keys.toml, at most 2d";
    assert_eq!(messages("module.session.ttl = '..2d'", "session"), [of_the_file]);
    let dotted = "module.'user.admin'.ttl = '..2d'";
    let help = "write `2d`, or set `ttl = \"..2w\"` below `[module.\"user.admin\"]` in redis-keys.toml";
    let key = "user.admin:name:{id}:string, value = String, ttl = 2w";
    warns(dotted, key, &[(Lint::UnusualTtl, "2w", help)]);
}

#[test]
fn sessions_that_reads_renew_may_be_short() {
    let key = |options: &str| format!("session:name:{{id}}:string, value = String, {options}");
    let file = |ttl: &str| format!("set `ttl = \"{ttl}\"` below `[module.session]` in redis-keys.toml");
    for renew in ["read", "below(10m)"] {
        warns("", &key(&format!("ttl = 30m, renew = {renew}")), &[]);
        warns("", &key(&format!("ttl = 1w, renew = {renew}")), &[]);
    }
    let slide = format!("write `1d`, or `renew = read` to count from the last read, or {}", file("30m..1w"));
    warns("", &key("ttl = 30m"), &[(Lint::UnusualTtl, "30m", &slide)]);
    warns("", &key("ttl = 30m, renew = write"), &[(Lint::UnusualTtl, "30m", &slide)]);
    let longer = format!("write `5m`, or {}", file("1m..1w"));
    warns("", &key("ttl = 1m, renew = read"), &[(Lint::UnusualTtl, "1m", &longer)]);
    // A range in the file applies to all sessions.
    let project = format!("write `1h`, or {}", file("30m..2h"));
    warns("module.session.ttl = '1h..2h'", &key("ttl = 30m, renew = read"), &[(Lint::UnusualTtl, "30m", &project)]);
}

#[test]
fn never_is_unusual_where_there_is_a_window() {
    let attribute =
        "session:name:{id}:string, value = String, ttl = never, reason = \"a test\", rebuild = \"it is none\"";
    let help = "write `1w`, or set `ttl = \"1d..\"` below `[module.session]` in redis-keys.toml";
    warns("", attribute, &[(Lint::UnusualTtl, "never", help)]);
    // A window without ends is none.
    warns("module.session.ttl = '..2d'", attribute, &[(Lint::UnusualTtl, "never", "write `2d`")]);
    // `never` is longer than every shortest time.
    warns("module.session.ttl = '1d..'", attribute, &[]);
}

#[test]
fn default_windows_end_at_the_longest_ttl() {
    let key = |ttl: &str| format!("session:name:{{id}}:string, value = String, ttl = {ttl}");
    let longest = |ttl: &str| format!("limits.longest_ttl = '{ttl}'");
    warns(&longest("1h"), &key("1h"), &[]);
    warns(&longest("1h"), &key("1s"), &[]);
    warns(&longest("1d"), &key("1d"), &[]);
    let help = "write `1d`, or `renew = read` to count from the last read, or set `ttl = \"23h..1d\"` below \
                `[module.session]` in redis-keys.toml";
    warns(&longest("1d"), &key("23h"), &[(Lint::UnusualTtl, "23h", help)]);
}

#[test]
fn cached_keys_need_jitter() {
    let help = "add `jitter = 10%`";
    warns("", "cache:page:{id}:string, value = String, ttl = 1h", &[(Lint::MissingJitter, "1h", help)]);
    warns("", "cache:page:{id}:string, value = String, ttl = 1h, jitter = 1s", &[]);
    warns("", "caches:page:{id}:string, value = String, ttl = 1h", &[]);
}

#[test]
fn many_elements_and_large_values_are_reported() {
    let many = "write `1000` or less and split the collection over several keys";
    let collection = |kind: &str, options: &str| format!("user:names:{{id}}:{kind}, value = u64, ttl = 1h, {options}");
    warns("", &collection("set", "max_len = 1001"), &[(Lint::BigCollection, "1001", many)]);
    warns("", &collection("zset", "keep_top = 5000"), &[(Lint::BigCollection, "5000", many)]);
    warns("", &collection("list", "keep_last = 1000"), &[]);
    let stream = |options: &str| collection("stream", options).replace("u64", "Event");
    let log = "write `5000` or less and divide the log by time with a bucket, as in `{day}`";
    warns("", &stream("keep_last = ~5000"), &[]);
    warns("", &stream("keep_last = ~5001"), &[(Lint::BigCollection, "~5001", log)]);
    warns("", &stream("max_len = 5000"), &[]);
    warns("", &stream("keep_last = 1000000, allow(big_collection, reason = \"x\")"), &[]);
    let mut by_day = item("log:events:{page}:stream, value = Event, ttl = 1h, keep_last = ~5001");
    by_day.fields.iter_mut().for_each(|field| field.ty = "Day");
    let suggested = check_item(&by_day, &parsed("")).warnings.into_iter().map(|warning| warning.suggestion);
    assert_eq!(suggested.collect::<Vec<_>>(), ["write `5000` or less and divide the log by a shorter bucket"]);
    let string =
        |value: &str, size: &str| format!("user:name:{{id}}:string, ttl = 1h, value = {value}, max_bytes = {size}");
    warns("", &string("Json<P>", "11KB"), &[(Lint::Uncompressed, "Json<P>", "write `Zstd<Json<P>>`")]);
    warns("", &string("\"Postcard<P>\"", "1MB"), &[(Lint::Uncompressed, "Postcard<P>", "write `Zstd<Postcard<P>>`")]);
    let secret = (Lint::Uncompressed, "Secret<Json<P>>", "write `Secret<Zstd<Json<P>>>`");
    warns("", &string("Secret<Json<P>>", "11KB"), &[secret]);
    // Other code reads the bytes that are there.
    for legacy in ["legacy", "formerly"] {
        warns("", &format!("{}, {legacy} = \"Name/{{id}}\"", string("Json<P>", "11KB")), &[]);
    }
    for (value, size) in [
        ("Secret<Zstd<String>>", "1MB"),
        ("Secret<Own>", "1MB"),
        ("Json<P>", "10KB"),
        ("Lz4<Json<P>>", "1MB"),
        ("Vec<u8>", "1MB"),
        ("Bytes", "1MB"),
        ("Own", "1MB"),
    ] {
        warns("", &string(value, size), &[]);
    }
}

#[test]
fn a_renewed_collection_must_lose_its_elements() {
    let key = |kind: &str, options: &str| format!("user:names:{{id}}:{kind}, {options}, ttl = 1h");
    let help = |kind: &str, keep: &str| {
        format!("remove it, or divide the {kind} by time with a bucket, as in `{{month}}`{keep}")
    };
    for (kind, value) in [
        ("set", "value = u64"),
        ("geo", "value = u64"),
        ("hyperloglog", "value = u64"),
        ("bitmap", "max_bytes = 1KB"),
        ("hash", "field = u64, value = u64"),
    ] {
        for renew in ["write", "read", "below(10m)"] {
            let key = key(kind, &format!("{value}, renew = {renew}"));
            warns("", &key, &[(Lint::SlidingTtl, "renew", &help(kind, ""))]);
        }
        warns("", &key(kind, value), &[]);
        warns("", &key(kind, &format!("{value}, renew = write, allow(sliding_ttl, reason = \"x\")")), &[]);
    }
    for (kind, value, keep) in
        [("list", "u64", "keep_last"), ("stream", "Event", "keep_last"), ("zset", "u64", "keep_top")]
    {
        let options = format!("value = {value}, renew = read");
        let add = help(kind, &format!(", or add `{keep} = 1000`"));
        warns("", &key(kind, &options), &[(Lint::SlidingTtl, "renew", &add)]);
        // A full collection rejects elements, which is no bound in time.
        let full = key(kind, &format!("{options}, max_len = 10"));
        warns("", &full, &[(Lint::SlidingTtl, "renew", &add)]);
        let message = format!("a {kind} in use never expires, and fills up to its `max_len`: ");
        assert!(checked("", &full).warnings.iter().any(|warning| warning.message.starts_with(&message)), "{full}");
        warns("", &key(kind, &format!("{options}, {keep} = 10")), &[]);
    }
    // The lowest scores of a queue are due first.
    let queue = "queue:mail:{id}:zset, value = u64, renew = write, ttl = 1d";
    warns("", queue, &[(Lint::SlidingTtl, "renew", &help("zset", ""))]);
    // A string and a record do not grow with each write.
    warns("", &key("string", "value = u64, renew = write"), &[]);
    warns("", &key("hash", "value = Profile, renew = write"), &[]);
    let filter = "value = u64, renew = write, bloom(expected = 10, false_positives = 1%)";
    warns("", &key("bitmap", filter), &[]);
}

#[test]
fn a_bucket_ends_a_renewed_collection() {
    let attribute = "user:names:{day}:set, value = u64, renew = write, ttl = 1d";
    let lints = |ty| {
        let fields = vec![Field { name: "day".to_owned(), ty, phantom: false, attributes: vec![] }];
        let checked = check_item(&Item { fields, ..item(attribute) }, &Policy::default());
        assert_eq!(*checked.diagnostics, []);
        checked.warnings.into_iter().map(|warning| warning.lint).collect::<Vec<_>>()
    };
    for ty in ["redis_keys::parameter::bucket::Day", "&'a bucket::Year", "Hour", "chrono::NaiveDate", "time::Date"] {
        assert_eq!(lints(ty), [], "{ty}");
    }
    assert_eq!(lints("u64"), [Lint::SlidingTtl]);
}

#[test]
fn a_key_that_never_expires_can_be_restored() {
    let key = |options: &str| format!("user:name:{{id}}:string, value = u64, ttl = never, reason = \"x\", {options}");
    warns("", &key(""), &[(Lint::NoRebuild, "never", "add `rebuild = \"…\"`")]);
    warns("", &key("rebuild = \"from the database\""), &[]);
    warns("", &key("allow(no_rebuild, reason = \"it is the only copy\")"), &[]);
    let both = key("rebuild = \"from the database\", allow(no_rebuild, reason = \"x\")");
    warns("", &both, &[(Lint::UnneededAllow, "no_rebuild", "remove it")]);
}

#[test]
fn abbreviated_words_are_reported() {
    let policy =
        "abbreviations = { economic = 'ec', file.path = 'fp', string = 'str', user = 'u' }\nmodules = ['user']";
    let ec = (Lint::LongWord, "economic", "write `ec`");
    let fp = (Lint::LongWord, "file . path", "write `fp`");
    warns(policy, "user:economic:{id}:of.economic.file . path:string, value = u64, ttl = 1h", &[ec, ec, fp]);
    warns(policy, "user:economics:{id}:path.file:string, value = u64, ttl = 1h", &[]);
    warns(
        "abbreviations.user = 'u'",
        "user:name:string, value = u64, ttl = 1h",
        &[(Lint::LongWord, "user", "write `u`")],
    );
    // A module with a table keeps its name. Elsewhere in a key the same word is abbreviated.
    let named = "abbreviations.user = 'u'\nmodule.user.owner = 'web'";
    warns(named, "user:name:string, value = u64, ttl = 1h", &[]);
    let both = format!("{named}\nmodules = ['user', 'shop']");
    warns(&both, "shop:user:string, value = u64, ttl = 1h", &[(Lint::LongWord, "user", "write `u`")]);
}

#[test]
fn long_and_undocumented_keys_are_reported_if_enabled() {
    let policy = "lints = { long_key = 'warn', undocumented = 'deny' }";
    let undocumented = (Lint::Undocumented, "the item", "write a doc comment above the struct");
    let long = (Lint::LongKey, "user:names:{id}:set", "shorten its words");
    warns(policy, "user:names:{id}:set, value = u64, ttl = 1h", &[undocumented, long]);
    warns(
        policy,
        "u:name:{id}:set, value = u64, ttl = 1h",
        &[undocumented, (Lint::LongKey, "u:name:{id}:set", "shorten its words")],
    );
    warns(policy, "user:names:set, value = u64, ttl = 1h", &[undocumented]);
    let levels: Vec<_> =
        checked(policy, "user:n:set, value = u64, ttl = 1h").warnings.iter().map(|warning| warning.level).collect();
    assert_eq!(levels, [Level::Deny]);
}

#[test]
fn a_key_opts_out_with_a_reason() {
    let key = |allow: &str| format!("cache:page:{{id}}:string, value = String, ttl = 2d, {allow}");
    warns("", &key("allow(unusual_ttl, missing_jitter, reason = \"x\")"), &[]);
    warns("", &key("allow(unusual_ttl, reason = \"x\"), allow(missing_jitter, reason = \"y\")"), &[]);
    let unneeded = |what: &'static str| (Lint::UnneededAllow, what, "remove it");
    let three = key("allow(unusual_ttl, missing_jitter, long_word, reason = \"x\")");
    warns("", &three, &[unneeded("long_word")]);
    warns("", &three.replace("long_word", "long_word, unneeded_allow"), &[]);
    // The level makes no difference.
    warns("lints.unusual_ttl = 'allow'", &key("allow(unusual_ttl, missing_jitter, reason = \"x\")"), &[]);
    warns("", "user:page:{id}:string, value = String, ttl = 2d, allow(overlap, sibling_fields, reason = \"x\")", &[]);
}

#[test]
fn a_place_with_an_error_gets_no_warning() {
    let checked =
        checked("", "cache:page:{id}:string, value = String, ttl = 2days, allow(uncompressed, reason = \"x\")");
    assert_eq!((checked.diagnostics.len(), checked.warnings), (1, vec![]));
    let checked = super::tests::checked("modules = ['user']", "cache:page:{id}:string, value = String, ttl = 2d");
    let lints: Vec<_> = checked.warnings.iter().map(|warning| warning.lint).collect();
    assert_eq!((checked.diagnostics.len(), lints), (1, vec![Lint::UnusualTtl, Lint::MissingJitter]));
}

#[test]
fn allow_takes_lints_and_overlap() {
    let helps = |allow: &str| {
        let checked = checked("", &format!("user:name:{{id}}:string, value = u64, ttl = 1h, {allow}"));
        checked.diagnostics.iter().map(|diagnostic| diagnostic.suggestion.clone()).collect::<Vec<_>>()
    };
    assert_eq!(helps("allow(long_wrod, reason = \"x\")"), ["did you mean `long_word`?"]);
    assert_eq!(helps("allow(\"overlpa\", reason = \"x\")"), ["did you mean `overlap`?"]);
    assert_eq!(helps("allow(redis_keys::missing_jitter, reason = \"x\")"), ["write `missing_jitter`"]);
    let of_the_file = "remove it, and write `misspelt_module = \"allow\"` below `[lints]` in redis-keys.toml";
    assert_eq!(helps("allow(misspelt_module, reason = \"x\")"), [of_the_file]);
    assert!(helps("allow(dead_code, reason = \"x\")")[0].starts_with("the lints are `misused_module`, "));
    let twice = "remove one of the two, with its reason";
    assert_eq!(helps("allow(long_key, overlap, \"long_key\", reason = \"x\")"), ["remove it"]);
    assert_eq!(helps("allow(overlap, reason = \"x\"), allow(overlap, long_key, reason = \"y\")"), [twice]);
    assert_eq!(helps("allow(long_key, overlap, reason = \"x\"), allow(long_word, reason = \"y\")"), [""; 0]);
    for missing in ["allow(overlap, reason = \"\")", "allow(overlap, reason = x)", "allow(overlap, reason)"] {
        assert_eq!(helps(missing).len(), 1, "{missing}");
    }
}

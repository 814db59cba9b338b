//! Options, their values, and what fits together.

use super::*;

#[test]
fn unknown_options_are_guessed_or_listed() {
    options_report("ttl = 1h, jiter = 5m", "jiter", Rule::Declaration, "did you mean `jitter`?");
    options_report("ttl = 1h, max_byte = 5KB", "max_byte", Rule::Declaration, "did you mean `max_bytes`?");
    let checked = checked(&["id"], "user:name:{id}:string, value = u64, ttl = 1h, colour = red");
    assert!(checked.diagnostics[0].suggestion.contains("`max_member_bytes`"));
}

#[test]
fn options_of_other_libraries_are_translated() {
    for (written, instead) in [
        ("spread = 5m", "write `jitter = 5m`"),
        ("sliding = true", "write `renew = read`"),
        ("max_size = 64KB", "write `max_bytes = 64KB`"),
        ("team = \"web\"", "write `owner = \"web\"`"),
        ("type = string", "remove it, and end the template with `:string`"),
        ("shards = 10", "write `{id % 10}` in the template"),
        ("description = \"what it is\"", "write `/// what it is` above the struct"),
    ] {
        let name = written.split(' ').next().unwrap_or_default();
        options_report(&format!("ttl = 1h, {written}"), name, Rule::Declaration, instead);
    }
}

#[test]
fn other_names_of_value_and_ttl_are_one_error() {
    for (written, instead) in [("val = u64", "write `value = u64`"), ("ty = u64", "write `value = u64`")] {
        let attribute = format!("user:name:{{id}}:string, {written}, ttl = 1h");
        let name = written.split(' ').next().unwrap_or_default();
        reports(&["id"], &attribute, &[(name, Rule::Declaration, instead)]);
    }
    options_report("exp = 3600", "exp", Rule::Declaration, "write `ttl = 3600s`");
}

#[test]
fn other_names_of_a_stored_type_are_one_error() {
    for written in ["type = String", "type = Json<Profile>", "data_type = \"u64\""] {
        let (name, value) = written.split_once(" = ").unwrap_or_default();
        let instead = format!("write `value = {}`", value.trim_matches('"'));
        let attribute = format!("user:name:{{id}}:string, {written}, ttl = 1h");
        reports(&["id"], &attribute, &[(name, Rule::Declaration, &instead)]);
    }
    let attribute = "user:name:{id}:hash, key = String, value = String, ttl = 1h";
    reports(&["id"], attribute, &[("key", Rule::Declaration, "write `field = String`")]);
    let attribute = "user:name:{id}:set, key = String, value = String, ttl = 1h";
    reports(&["id"], attribute, &[("key", Rule::Declaration, "remove it")]);
    let attribute = "user:name:{id}:hash, key = user:name:{id}:hash, value = Profile, ttl = 1h";
    reports(&["id"], attribute, &[("key", Rule::Declaration, "remove it")]);
}

#[test]
fn an_option_stands_once() {
    options_report("ttl = 1h, ttl = 2h", "ttl", Rule::Declaration, "keep one of them");
    options_report("ttl = 1h, value = u64", "value", Rule::Declaration, "keep one of them");
}

#[test]
fn commas_stand_between_options() {
    reports(
        &["id"],
        "user:name:{id}:string ttl = 1h jitter = 5m, value = u64",
        &[("ttl", Rule::Declaration, "write `, ttl`"), ("jitter", Rule::Declaration, "write `, jitter`")],
    );
    reports(
        &["id"],
        "user:name:{id}:string, value = Json<Profile>ttl = 1h",
        &[("ttl", Rule::Declaration, "write `, ttl`")],
    );
    reports(
        &["id"],
        "user:name:{id}:string; value = u64; ttl = 1h;",
        &[
            (";", Rule::Declaration, "write `,`"),
            (";", Rule::Declaration, "write `,`"),
            (";", Rule::Declaration, "write `,`"),
        ],
    );
    options_report("ttl = 1h,, jitter = 5m", ",", Rule::Declaration, "remove it");
    reports(&["id"], "user:name:{id}:string, value = u64, ttl = 1h,", &[]);
    reports(&["id"], ", user:name:{id}:string, value = u64, ttl = 1h", &[(",", Rule::Declaration, "remove it")]);
}

#[test]
fn the_template_stands_first() {
    let attribute = "ttl = 1h, user:name:{id}:string, value = u64";
    let help = "write `user:name:{id}:string` first";
    reports(&["id"], attribute, &[("user:name:{id}:string", Rule::Declaration, help)]);
    let attribute = "key = \"user:name:{id}:string\", ttl = 1h, value = u64";
    reports(&["id"], attribute, &[("key", Rule::Declaration, "write `user:name:{id}:string`")]);
    let example = "start with a template, as in `user:profile:{user_id}:string, value = Json<Profile>, ttl = 1h`";
    reports(&["id"], "ttl = 1h, value = u64", &[("ttl", Rule::Declaration, example)]);
    reports(&["id"], "", &[("", Rule::Declaration, example)]);
    options_report("ttl = 1h, name = \"x\"", "name", Rule::Declaration, "remove it");
    let help = "declare another struct for another key";
    options_report("ttl = 1h, user:other:{id}:string", "user:other:{id}:string", Rule::Declaration, help);
}

#[test]
fn a_string_says_what_it_holds() {
    let help = "add `value = String`, or `value = Json<Profile>` for an object";
    reports(&["id"], "user:name:{id}:string, ttl = 1h", &[("string", Rule::StoredForm, help)]);
    reports(
        &["id"],
        "user:name:{id}:string, ttl = 1h, value =",
        &[("value", Rule::Declaration, "write `value = Json<Profile>`")],
    );
}

#[test]
fn our_stored_forms_are_recognised() {
    let form = |value: &str, underlined: &str, help: &str| {
        let attribute = format!("user:name:{{id}}:string, ttl = 1h, value = {value}");
        reports(&["id"], &attribute, &[(underlined, Rule::StoredForm, help)]);
    };
    form("json<Profile>", "json", "write `Json`");
    form("JSON<Profile>", "JSON", "write `Json`");
    form("Json", "Json", "write `Json<Profile>`");
    form("Json<>", "Json", "write `Json<Profile>`");
    form("json", "json", "write `Json<Profile>`");
    form("msgpack<Profile>", "msgpack", "write `MessagePack`");
    form("zstd<Json<Profile>>", "zstd", "write `Zstd`");
    form("Zstd<json<Profile>>", "json", "write `Json`");
    form("Zstd<Gzip<Json>>", "Json", "write `Json<Profile>`");
    form("Lz4", "Lz4", "write `Lz4<Json<Profile>>`");
    form("Json<u8, jitter = 5m", "Json", "write `Json<u8>`");
    form("Json(Card)", "Json", "write `Json<Card>`");
    form("str", "str", "write `String`");
    form("&'static str", "&'static str", "write `String`");
    form("&[u8]", "&[u8]", "write `Vec<u8>`");
    form("[u8]", "[u8]", "write `Vec<u8>`");
    form("[u64]", "[u64]", "write `Vec<u64>`");
    form("Json<&Profile>", "&Profile", "write `Profile`");
    form("Zstd<Json<&'a str>>", "&'a str", "write `String`");
    form("Json<Vec<&str>>", "&str", "write `String`");
    form("Json<Cow<'a, str>>", "Cow<'a, str>", "write `String`");
    form("Postcard<&str, 2>", "&str", "write `String`");
    form("Postcard<&str, VERSION>", "&str", "write `String`");
    form("Zstd<Postcard<Vec<&str>, 2,>>", "&str", "write `String`");
    form("Option<String>", "Option<String>", "write `String`: reading returns `None` for what is missing");
    for value in [
        "Json<Profile>",
        "Json<Cow<'static, str>>",
        "Json<Vec<u64>>",
        "MessagePack<Profile>",
        "Postcard<Profile>",
        "Postcard<Profile, 2>",
        "Postcard<BTreeMap<u8, (u8, u8)>>",
        "Zstd<Postcard<(u8, u8), 3>>",
        "Protobuf<Profile>",
        "Zstd<Json<Profile>>",
        "Gzip<String>",
        "Lz4<MessagePack<Profile>>",
        "Snappy<mine::Form>",
        "my::Json<Profile>",
        "::serde::Json",
        "Vec<u8>",
        "[u8; 4]",
        "Bson<P>",
        "u64",
        "my::Option<gz::Thing>",
    ] {
        reports(&["id"], &format!("user:name:{{id}}:string, ttl = 1h, value = {value}"), &[]);
    }
}

#[test]
fn what_is_found_by_its_bytes_is_not_compressed() {
    let form = |kind: &str, written: &str, underlined: &str, help: &str| {
        let attribute = format!("user:seen:{{id}}:{kind}, ttl = 1h, {written}");
        reports(&["id"], &attribute, &[(underlined, Rule::StoredForm, help)]);
    };
    for kind in ["set", "zset", "geo", "hyperloglog"] {
        form(kind, "value = Zstd<Json<Profile>>", "Zstd", "write `Json<Profile>`");
        form(kind, "value = Lz4<Gzip<String>>", "Lz4", "write `String`");
        for value in ["Json<Profile>", "my::Zstd<String>"] {
            reports(&["id"], &format!("user:seen:{{id}}:{kind}, ttl = 1h, value = {value}"), &[]);
        }
    }
    form("hash", "field = Snappy<mine::Name>, value = u64", "Snappy", "write `mine::Name`");
    form("hash", "field = Gzip<String>, value = Gzip<String>", "Gzip", "write `String`");
    for options in ["field = String, value = Gzip<String>", "field = Json<Name>, value = Zstd<Json<Profile>>"] {
        reports(&["id"], &format!("user:seen:{{id}}:hash, ttl = 1h, {options}"), &[]);
    }
    reports(&["id"], "user:seen:{id}:list, ttl = 1h, value = Zstd<Json<Profile>>", &[]);
}

#[test]
fn what_is_encrypted_is_compressed_before_and_never_found_by_its_bytes() {
    let form = |kind: &str, written: &str, underlined: &str, help: &str| {
        let attribute = format!("user:seen:{{id}}:{kind}, ttl = 1h, {written}");
        reports(&["id"], &attribute, &[(underlined, Rule::StoredForm, help)]);
    };
    form("string", "value = Zstd<Secret<Json<P>>>", "Secret", "write `Secret<Zstd<Json<P>>>`");
    form("string", "value = Gzip<Secret<String>>", "Secret", "write `Secret<Gzip<String>>`");
    form("string", "value = Gzip< Secret<Lz4<Own>> >", "Secret", "write `Secret<Gzip<Lz4<Own>>>`");
    form("string", "value = Secret", "Secret", "write `Secret<Json<Profile>>`");
    form("string", "value = secret<String>", "secret", "write `Secret`");
    form("list", "value = Zstd<Secret<String>>", "Secret", "write `Secret<Zstd<String>>`");
    form("zset", "value = Zstd<Secret<String>>, jobs", "Secret", "write `Secret<Zstd<String>>`");
    for kind in ["set", "zset", "geo", "hyperloglog"] {
        form(kind, "value = Secret<Zstd<Json<Profile>>>", "Secret", "write `Json<Profile>`");
    }
    form("hash", "field = Secret<String>, value = Secret<String>", "Secret", "write `String`");
    let record = "write the name of a struct with `#[derive(RedisHash)]`, or add `field = String` for open fields";
    form("hash", "value = Secret<Json<P>>", "Secret<Json<P>>", record);
    let checked = checked(&["id"], "user:seen:{id}:string, ttl = 1h, value = Secret<Secret<Zstd<String>>>");
    let [twice] = &checked.diagnostics[..] else { panic!("{:?}", checked.diagnostics) };
    assert_eq!(twice.message, "`Secret` inside of `Secret`: a value is encrypted once");
    assert_eq!(twice.suggestion, "write `Secret<Zstd<String>>`");
    for (kind, options) in [
        ("string", "value = Secret<Zstd<Json<P>>>"),
        ("string", "value = Secret<Own>"),
        ("string", "value = Secret<String>, jitter = 1m, cache(null_ttl = 1m)"),
        ("list", "value = Secret<String>"),
        ("hash", "field = String, value = Secret<String>"),
        ("zset", "value = Secret<Json<P>>, jobs"),
        ("string", "value = my::Secret<String>"),
    ] {
        reports(&["id"], &format!("user:seen:{{id}}:{kind}, ttl = 1h, {options}"), &[]);
    }
}

#[test]
fn a_filter_says_how_many_items_it_is_for() {
    let filter = |options: &str, expected: &[(&str, Rule, &str)]| {
        reports(&["id"], &format!("user:seen:{{id}}:bitmap, ttl = 1h, {options}"), expected);
    };
    let both = "bloom(expected = 100_000, false_positives = 1%)";
    let rule = Rule::BloomFilter;
    filter(&format!("value = u64, {both}"), &[]);
    filter(&format!("value = Json<P>, {both}, renew = write, jitter = 5m"), &[]);
    filter("value = u64, bloom(expected = 1, false_positives = 0.0001%)", &[]);
    filter("value = u64, bloom(expected = 1, false_positives = 50%)", &[]);
    for legacy in ["legacy", "formerly"] {
        let options = format!("value = u64, {both}, {legacy} = \"Seen:{{id}}\"");
        filter(&options, &[(legacy, Rule::Declaration, "remove it")]);
    }
    filter("value = u64, bloom", &[("bloom", rule, "write `bloom(expected = 100_000, false_positives = 1%)`")]);
    let share = "write `bloom(false_positives = 1%, expected = 5)`";
    filter("value = u64, bloom(expected = 5)", &[("bloom", rule, share)]);
    let count = "write `bloom(expected = 100_000, false_positives = 1%)`";
    filter("value = u64, bloom(false_positives = 1%)", &[("bloom", rule, count)]);
    filter("value = u64, expected = 100_000, false_positives = 1%", &[("expected", rule, count)]);
    filter("value = u64, false_positives = 1%", &[("false_positives", rule, count)]);
    filter(both, &[("bitmap", Rule::StoredForm, "add `value = u64`, or another type of item")]);
    let size = "remove it";
    filter(&format!("value = u64, {both}, max_bytes = 1KB"), &[("max_bytes", Rule::ValueSize, size)]);
    for (expected, help) in [
        ("0", "write a whole number, as in `1000`"),
        ("many", "write a whole number, as in `1000`"),
        ("10k", "write `10000`"),
    ] {
        let options = format!("value = u64, bloom(expected = {expected}, false_positives = 1%)");
        filter(&options, &[(expected, rule, help)]);
    }
    for (share, help) in [
        ("0.01", "write `1%`"),
        ("0%", "write `0.0001%` or more"),
        ("0.00001%", "write `0.0001%` or more"),
        ("51%", "write `50%` or less"),
        ("80", "write `50%` or less"),
        ("few", "write `1%`"),
        ("-1%", "write `1%`"),
    ] {
        filter(&format!("value = u64, bloom(expected = 5, false_positives = {share})"), &[(share, rule, help)]);
    }
    let large = "divide it into 2 shards, as in `{id % 2}`, each with `expected = 500000`";
    filter("value = u64, bloom(expected = 1_000_000, false_positives = 1%)", &[("1_000_000", rule, large)]);
    let huge = "value = u64, bloom(expected = 18446744073709551615, false_positives = 1%)";
    assert_eq!(checked(&["id"], &format!("user:seen:{{id}}:bitmap, ttl = 1h, {huge}")).diagnostics.len(), 1);
    filter(&format!("value = Zstd<String>, {both}"), &[("Zstd", Rule::StoredForm, "write `String`")]);
    filter(&format!("value = Secret<String>, {both}"), &[("Secret", Rule::StoredForm, "write `String`")]);
    // A user's own type.
    filter(&format!("value = Bloom, {both}"), &[]);
    let value =
        "write `value = u64, bloom(expected = 5, false_positives = 1%)`, or `self::Bloom` for a type of your own";
    for name in ["Bloom", "bloom"] {
        let options = format!("value = {name}<u64>, expected = 5, false_positives = 1%");
        filter(&options, &[(name, Rule::StoredForm, value)]);
    }
    let string = "user:seen:{id}:string, ttl = 1h, value = u64, bloom(expected = 5, false_positives = 1%)";
    let help = "end the template with `:bitmap`, or remove `bloom`";
    reports(&["id"], string, &[("bloom", rule, help)]);
    let limited = checked(&["id"], "user:seen:{id}:string, ttl = 1h, value = u64, expected = 5");
    assert_eq!(limited.diagnostics.len(), 1);
}

#[test]
fn codecs_are_part_of_the_value() {
    for (written, instead) in [
        ("codec = json, value = Profile", "write `value = Json<Profile>`"),
        ("format = \"json\", value = Profile", "write `value = Json<Profile>`"),
        ("codec = json, value = Json<Profile>", "remove it: `Json<Profile>` is a stored form"),
        ("serde", "write `value = Json<Profile>`"),
    ] {
        let name = written.split([' ', ',']).next().unwrap_or_default();
        reports(
            &["id"],
            &format!("user:name:{{id}}:string, ttl = 1h, {written}"),
            &[(name, Rule::Declaration, instead)],
        );
    }
}

#[test]
fn compression_is_part_of_the_value() {
    let reported = |written: &str| {
        let checked = checked(&["id"], &format!("user:name:{{id}}:string, ttl = 1h, {written}"));
        checked.diagnostics.iter().map(|diagnostic| diagnostic.suggestion.clone()).collect::<Vec<_>>()
    };
    assert_eq!(reported("compress = gzip, value = Json<P>"), ["write `value = Gzip<Json<P>>`"]);
    assert_eq!(reported("compression = true, value = P"), ["write `value = Zstd<Json<P>>`"]);
    assert_eq!(reported("compressed, value = String"), ["write `value = Zstd<String>`"]);
    assert_eq!(reported("codec = lz4, value = MessagePack<P>"), ["write `value = Lz4<MessagePack<P>>`"]);
}

#[test]
fn sizes_have_units_and_bounds() {
    options_report("ttl = 1h, max_bytes = 64kb", "64kb", Rule::ValueSize, "write `64KB`");
    options_report("ttl = 1h, max_bytes = 64 KiB", "64 KiB", Rule::ValueSize, "write `64KB`");
    let most = "write `1MB` or less";
    options_report("ttl = 1h, max_bytes = 4mb", "4mb", Rule::ValueSize, most);
    options_report("ttl = 1h, max_bytes = 99999999999999MB", "99999999999999MB", Rule::ValueSize, most);
    let help = "write `1MB` or less, or divide the value into several keys";
    options_report("ttl = 1h, max_bytes = 2MB", "2MB", Rule::ValueSize, help);
    let help = "write a whole number of `B`, `KB` or `MB`, as in `64KB`";
    options_report("ttl = 1h, max_bytes = 0", "0", Rule::ValueSize, help);
    options_report("ttl = 1h, max_bytes = big", "big", Rule::ValueSize, help);
    reports(&["id"], "user:name:{id}:string, value = u64, ttl = 1h, max_bytes = 1MB", &[]);
}

/// Asserts the place and the suggestion of what is reported for a collection's options.
#[track_caller]
fn collection_reports(kind: &str, options: &str, place: &str, suggestion: &str) {
    let attribute = format!("user:name:{{id}}:{kind}, ttl = 1h, {options}");
    let checked = checked(&["id"], &attribute);
    let reported = checked
        .diagnostics
        .iter()
        .map(|diagnostic| (underlined(&attribute, &diagnostic.place), diagnostic.suggestion.as_str()));
    assert_eq!(reported.collect::<Vec<_>>(), [(place, suggestion)], "{attribute}");
}

#[test]
fn options_fit_the_type() {
    options_report("ttl = 1h, max_len = 10", "max_len", Rule::CollectionSize, "write `max_bytes`, or remove it");
    options_report("ttl = 1h, keep_last = 10", "keep_last", Rule::CollectionSize, "remove it");
    options_report("ttl = 1h, field = String", "field", Rule::StoredForm, "remove it");
    collection_reports("list", "value = u64, max_bytes = 5KB", "max_bytes", "write `max_member_bytes`, or remove it");
    collection_reports("zset", "value = u64, keep_last = 5", "keep_last", "write `keep_top`, or remove it");
    collection_reports("list", "value = u64, keep_top = 5", "keep_top", "write `keep_last`, or remove it");
    let filter = "remove it, or add `bloom(expected = 100_000, false_positives = 1%)` for a Bloom filter";
    collection_reports("bitmap", "value = u64", "value", filter);
    collection_reports("set", "field = String, value = u64", "field", "remove it");
}

#[test]
fn collections_are_bounded() {
    collection_reports("list", "value = u64, max_len = 10, keep_last = 5", "max_len", "keep one of the two");
    let help = "write `5000` or less, or divide the collection into several keys: by shards, as in `{id % 8}`, or by time \
                with a bucket, as in `{month}`";
    collection_reports("list", "value = u64, max_len = 5001", "5001", help);
    collection_reports("zset", "value = u64, keep_top = 1_000_000", "1_000_000", help);
    collection_reports("list", "value = u64, keep_last = 5k", "5k", "write `5000`");
    let help = "write `100`; `~` is only for `keep_last` of a stream, as in `keep_last = ~100`";
    collection_reports("stream", "value = Event, max_len = ~100", "~100", help);
    collection_reports("list", "value = u64, keep_last = ~10", "~10", "write `10`");
    collection_reports("list", "value = u64, keep_last = many", "many", "write a whole number, as in `1000`");
    let help = "write `1MB` or less, or divide the value into several keys";
    collection_reports("set", "value = u64, max_member_bytes = 2MB", "2MB", help);
}

#[test]
fn the_value_of_a_collection_is_one_element() {
    for (kind, value, instead) in [
        ("list", "Vec<u64>", "u64"),
        ("list", "std::collections::VecDeque<Json<Job>>", "Json<Job>"),
        ("list", "[String; 3]", "String"),
        ("set", "HashSet<String>", "String"),
        ("set", "BTreeSet<u64>", "u64"),
        ("hyperloglog", "Vec<String>", "String"),
        ("stream", "Vec<Event>", "Event"),
        ("zset", "(u64, f64)", "u64"),
        ("zset", "(f64, String)", "String"),
        ("zset", "Vec<(u64, f64)>", "u64"),
        ("geo", "(f64, f64)", "String"),
        ("geo", "(u64, f64, f64)", "u64"),
    ] {
        collection_reports(kind, &format!("value = {value}"), value, &format!("write `{instead}`"));
    }
    for (kind, value) in [
        ("list", "Vec<u8>"),
        ("list", "Json<Vec<u64>>"),
        ("list", "mine::Vec<u64>"),
        ("list", "(u64, f64)"),
        ("zset", "(u64, u64)"),
        ("string", "Vec<u64>"),
        ("set", "Vec<"),
    ] {
        reports(&["id"], &format!("user:name:{{id}}:{kind}, value = {value}, ttl = 1h"), &[]);
    }
    collection_reports("zset", "value = u64, score = f64", "score", "remove it: scores are always `f64`");
}

#[test]
fn every_other_type_says_what_it_holds_too() {
    for (kind, help) in [
        ("hash", "add `value = Profile` for a record, or `field = String, value = u64` for open fields"),
        ("list", "add `value = String`, or `value = Json<Job>` for an object"),
        ("stream", "add `value = Event`, a record"),
        ("zset", "add `value = String`, or `value = u64`"),
    ] {
        let attribute = format!("user:name:{{id}}:{kind}, ttl = 1h");
        let checked = checked(&["id"], &attribute);
        assert!(checked.diagnostics.iter().any(|diagnostic| diagnostic.suggestion == help), "{kind}");
    }
}

#[test]
fn texts_stand_in_quotes() {
    options_report("ttl = 1h, owner = web", "web", Rule::Declaration, "write `owner = \"web\"`");
    options_report("ttl = 1h, reason =", "reason", Rule::Declaration, "write `reason = \"…\"`");
    for (option, second) in [
        ("reason = \"a\" \"b\"", "\"b\""),
        ("reason = \"c\", owner = \"a\" r#\"b\"#", "r#\"b\"#"),
        ("reason = \"c\", allow(long_word, reason = \"a\" \"b\")", "\"b\""),
    ] {
        let options = format!("ttl = never, rebuild = \"x\", {option}");
        options_report(&options, second, Rule::Declaration, "remove it");
    }
    reports(
        &["id"],
        "user:name:{id}:string, value = u64, ttl = 1h, owner = \"web, team\", reason = r#\"a \"b\"\"#",
        &[],
    );
}

#[test]
fn opting_out_of_a_lint_takes_its_name_and_a_reason() {
    let reported = |allow: &str| {
        let checked = checked(&["id"], &format!("user:name:{{id}}:string, value = u64, ttl = 1h, {allow}"));
        checked.diagnostics.iter().map(|diagnostic| diagnostic.suggestion.clone()).collect::<Vec<_>>()
    };
    for nothing in ["allow()", "allow", "allow =", "allow(,)", "allow = ()"] {
        assert_eq!(
            reported(nothing),
            ["name a lint, as in `allow(long_key, reason = \"…\")`, or remove it"],
            "{nothing}"
        );
    }
    assert_eq!(
        reported("allow(reason = \"x\")"),
        ["name a lint, as in `allow(long_key, reason = \"x\")`, or remove it"]
    );
    assert_eq!(reported("allow(long_word)"), ["write `allow(long_word, reason = \"…\")`"]);
    assert_eq!(reported("allow(long_word, reason = \"x\")"), [""; 0]);
    assert_eq!(reported("alow(long_word, reason = \"x: y\")"), ["did you mean `allow`?"]);
}

/// Asserts the one thing that is reported for an `allow`, and that no lint fires beside it.
#[track_caller]
fn allow_reports(allow: &str, underlined: &str, help: &str) {
    let attribute = format!("cache:name:{{id}}:string, value = String, ttl = 1h, {allow}");
    reports(&["id"], &attribute, &[(underlined, Rule::Declaration, help)]);
    assert_eq!(checked(&["id"], &attribute).warnings, [], "{allow}");
}

#[test]
fn the_reason_of_an_opt_out_has_a_name() {
    allow_reports("allow(missing_jitter, because = \"x\")", "because", "write `reason = \"x\"`");
    allow_reports("allow(missing_jitter, resaon = x)", "resaon", "write `reason = \"x\"`");
    allow_reports("allow(note = \"y\", missing_jitter, reason = \"x\")", "note", "remove it");
    allow_reports("allow(missing_jitter, reason = \"x\", reason = \"y\")", "reason", "keep one of them");
    let help = "write `reason = \"it is so\"`";
    allow_reports("allow(missing_jitter, \"it is so\")", "\"it is so\"", help);
    allow_reports("allow(missing_jitter, reason \"it is so\")", "reason \"it is so\"", help);
    allow_reports("allow(missing_jitter, reason: \"it is so\")", "reason: \"it is so\"", help);
    allow_reports("allow(missing_jitter reason = \"x\")", "reason", "write `, reason = \"x\"`");
    let help = "write `missing_jitter, reason = \"x\"`";
    allow_reports("allow(missing_jitter = \"x\")", "missing_jitter = \"x\"", help);
    allow_reports("allow(overlap = )", "overlap =", "write `overlap, reason = \"…\"`");
}

#[test]
fn lints_stand_in_brackets() {
    let help = "write `allow(missing_jitter, reason = \"…\")`";
    for written in [
        "allow = missing_jitter",
        "allow = \"missing_jitter\"",
        "allow = (missing_jitter)",
        "allow = [missing_jitter]",
        "allow: missing_jitter",
    ] {
        allow_reports(written, written, help);
    }
    allow_reports("allow[missing_jitter]", "allow[missing_jitter]", help);
    let help = "write `allow(missing_jitter, long_key, reason = \"x\")`";
    let written = "allow = (missing_jitter, long_key, reason = \"x\")";
    allow_reports(written, written, help);
    allow_reports("allow(missing_jitter, reason = \"x\") owner = \"web\"", "owner", "write `, owner`");
}

#[test]
fn nothing_is_doubted_while_it_is_not_known_what_may_be() {
    allow_reports("allow(missing_jiter, reason = \"x\")", "missing_jiter", "did you mean `missing_jitter`?");
    let nameless = "name a lint, as in `allow(long_key, reason = \"…\")`, or remove it";
    allow_reports("allow()", "allow", nameless);
    allow_reports("allow", "allow", nameless);
    allow_reports("allow(reason = \"x\")", "allow", &nameless.replace('…', "x"));
    allow_reports("alow(missing_jitter, reason = \"x\")", "alow", "did you mean `allow`?");
    allow_reports("allow(overlap, overlap, reason = \"x\")", "overlap", "remove it");
    allow_reports("allow(overlap, reason = \"\")", "\"\"", "write a few words");
}

#[test]
fn records_have_their_forms_at_their_fields() {
    let help = "write the name of a struct with `#[derive(RedisHash)]`, or add `field = String` for open fields";
    collection_reports("hash", "value = Json<P>", "Json<P>", help);
    collection_reports(
        "stream",
        "value = Json<P>",
        "Json<P>",
        "write the name of a struct with `#[derive(RedisHash)]`",
    );
}

#[test]
fn a_stream_can_keep_about_so_many() {
    collection_reports("list", "value = u64, keep_last = ~100", "~100", "write `100`");
    let stream = |keep: &str| format!("user:name:{{id}}:stream, value = Event, ttl = 1h, keep_last = {keep}");
    for keep in ["~5000", "1_000_000", "~1000000"] {
        reports(&["id"], &stream(keep), &[]);
    }
    let help = "write `1000000` or less, or divide the log by time with a bucket, as in `{day}`";
    reports(&["id"], &stream("~1000001"), &[("~1000001", Rule::CollectionSize, help)]);
    // Unlike `keep_last`, `max_len` removes nothing.
    let help = "write `5000` or less, or divide the collection into several keys: by shards, as in `{id % 8}`, or by time \
                with a bucket, as in `{month}`";
    collection_reports("stream", "value = Event, max_len = 5001", "5001", help);
}

#[test]
fn a_channel_stores_nothing() {
    let channel = |options: &str, expected: &[(&str, Rule, &str)]| {
        reports(&["shop"], &format!("order:events:{{shop}}:channel{options}"), expected);
    };
    channel(", value = Json<Event>", &[]);
    channel(", value = Secret<Zstd<Json<Event>>>, max_bytes = 64KB, owner = \"orders\", reason = \"the shop\"", &[]);
    channel("", &[("channel", Rule::StoredForm, "add `value = Json<Event>`, or `value = u64`")]);
    channel(", value = Vec<Event>", &[("Vec<Event>", Rule::StoredForm, "write `Event`")]);
    for (option, rule) in [
        ("ttl = 1h", Rule::Expiry),
        ("ttl = never", Rule::Expiry),
        ("jitter = 5m", Rule::Jitter),
        ("renew = write", Rule::Renewal),
        ("ttl_from_end_of = month", Rule::Expiry),
        ("rebuild = \"from the database\"", Rule::LongLived),
        ("legacy = \"Order:{shop}\"", Rule::Declaration),
        ("formerly = \"Order:{shop}\"", Rule::Declaration),
        ("max_len = 10", Rule::CollectionSize),
    ] {
        let name = option.split(' ').next().unwrap_or_default();
        let help = if name == "max_len" { "write `max_bytes`, or remove it" } else { "remove it" };
        channel(&format!(", value = u64, {option}"), &[(name, rule, help)]);
    }
    let role = "end the template with `:string`, or remove `cache`";
    channel(", value = u64, cache(null_ttl = 5m)", &[("cache", Rule::Expiry, role)]);
    let checked = checked(&["shop"], "order:events:{shop}:channel, value = u64, ttl = 1h");
    assert_eq!(checked.diagnostics[0].message, "a channel cannot have `ttl`: it stores nothing");
    let topic = "order:events:{shop}:topic, value = u64";
    reports(&["shop"], topic, &[("topic", Rule::TypeSuffix, "did you mean `channel`?")]);
}

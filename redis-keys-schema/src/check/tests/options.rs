//! Options, their values, and what fits together.

use super::*;

#[test]
fn unknown_options_are_guessed_or_listed() {
    options_tell("ttl = 1h, jiter = 5m", "jiter", Rule::Declaration, "write `jitter`");
    options_tell("ttl = 1h, max_byte = 5KB", "max_byte", Rule::Declaration, "write `max_bytes`");
    let checked = checked(&["id"], "user:name:{id}:string, value = u64, ttl = 1h, colour = red");
    assert!(checked.diagnostics[0].help.as_deref().is_some_and(|help| help.contains("`max_member_bytes`")));
}

#[test]
fn options_of_other_libraries_are_translated() {
    for (written, instead) in [
        ("spread = 5m", "write `jitter = 5m`"),
        ("sliding = true", "write `renew = read`"),
        ("max_size = 64KB", "write `max_bytes = 64KB`"),
        ("team = \"web\"", "write `owner = \"web\"`"),
        ("type = string", "remove it, and end the template with `:string`"),
        ("shards = 10", "write `{field % 10}` in the template"),
        ("description = \"what it is\"", "write `/// what it is` above the struct"),
    ] {
        let name = written.split(' ').next().unwrap_or_default();
        options_tell(&format!("ttl = 1h, {written}"), name, Rule::Declaration, instead);
    }
}

#[test]
fn an_option_stands_once() {
    options_tell("ttl = 1h, ttl = 2h", "ttl", Rule::Declaration, "keep one of them");
    options_tell("ttl = 1h, value = u64", "value", Rule::Declaration, "keep one of them");
}

#[test]
fn commas_stand_between_options() {
    tells(
        &["id"],
        "user:name:{id}:string ttl = 1h jitter = 5m, value = u64",
        &[("ttl", Rule::Declaration, "write `, ttl`"), ("jitter", Rule::Declaration, "write `, jitter`")],
    );
    tells(
        &["id"],
        "user:name:{id}:string, value = Json<Profile>ttl = 1h",
        &[("ttl", Rule::Declaration, "write `, ttl`")],
    );
    options_tell("ttl = 1h,, jitter = 5m", ",", Rule::Declaration, "remove it");
    tells(&["id"], "user:name:{id}:string, value = u64, ttl = 1h,", &[]);
    tells(&["id"], ", user:name:{id}:string, value = u64, ttl = 1h", &[(",", Rule::Declaration, "remove it")]);
}

#[test]
fn the_template_stands_first() {
    let attribute = "ttl = 1h, user:name:{id}:string, value = u64";
    let help = "write `user:name:{id}:string` first";
    tells(&["id"], attribute, &[("user:name:{id}:string", Rule::Declaration, help)]);
    let attribute = "key = \"user:name:{id}:string\", ttl = 1h, value = u64";
    tells(&["id"], attribute, &[("key", Rule::Declaration, "write `user:name:{id}:string`")]);
    let example = "write, say, `user:profile:{user_id}:string, value = Json<Profile>, ttl = 1h`";
    tells(&["id"], "ttl = 1h, value = u64", &[("ttl", Rule::Declaration, example)]);
    tells(&["id"], "", &[("", Rule::Declaration, example)]);
    options_tell("ttl = 1h, name = \"x\"", "name", Rule::Declaration, "remove it");
    let help = "declare another struct for another key";
    options_tell("ttl = 1h, user:other:{id}:string", "user:other:{id}:string", Rule::Declaration, help);
}

#[test]
fn a_string_says_what_it_holds() {
    let help = "add `value = String`, or `value = Json<Profile>` for an object";
    tells(&["id"], "user:name:{id}:string, ttl = 1h", &[("string", Rule::StoredForm, help)]);
    tells(
        &["id"],
        "user:name:{id}:string, ttl = 1h, value =",
        &[("value", Rule::Declaration, "write `value = Json<Profile>`")],
    );
}

#[test]
fn our_stored_forms_are_recognised() {
    let form = |value: &str, underlined: &str, help: &str| {
        let attribute = format!("user:name:{{id}}:string, ttl = 1h, value = {value}");
        tells(&["id"], &attribute, &[(underlined, Rule::StoredForm, help)]);
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
    for value in [
        "Json<Profile>",
        "MessagePack<Profile>",
        "Postcard<Profile>",
        "Protobuf<Profile>",
        "Zstd<Json<Profile>>",
        "Gzip<String>",
        "Lz4<MessagePack<Profile>>",
        "Snappy<mine::Form>",
        "my::Json<Profile>",
        "::serde::Json",
        "Vec<u8>",
        "Bson<P>",
        "u64",
        "Option<gz::Thing>",
    ] {
        tells(&["id"], &format!("user:name:{{id}}:string, ttl = 1h, value = {value}"), &[]);
    }
}

#[test]
fn what_is_found_by_its_bytes_is_not_compressed() {
    let form = |kind: &str, written: &str, underlined: &str, help: &str| {
        let attribute = format!("user:seen:{{id}}:{kind}, ttl = 1h, {written}");
        tells(&["id"], &attribute, &[(underlined, Rule::StoredForm, help)]);
    };
    for kind in ["set", "zset", "geo", "hyperloglog"] {
        form(kind, "value = Zstd<Json<Profile>>", "Zstd", "write `Json<Profile>`");
        form(kind, "value = Lz4<Gzip<String>>", "Lz4", "write `String`");
        for value in ["Json<Profile>", "my::Zstd<String>"] {
            tells(&["id"], &format!("user:seen:{{id}}:{kind}, ttl = 1h, value = {value}"), &[]);
        }
    }
    form("hash", "field = Snappy<mine::Name>, value = u64", "Snappy", "write `mine::Name`");
    form("hash", "field = Gzip<String>, value = Gzip<String>", "Gzip", "write `String`");
    for options in ["field = String, value = Gzip<String>", "field = Json<Name>, value = Zstd<Json<Profile>>"] {
        tells(&["id"], &format!("user:seen:{{id}}:hash, ttl = 1h, {options}"), &[]);
    }
    tells(&["id"], "user:seen:{id}:list, ttl = 1h, value = Zstd<Json<Profile>>", &[]);
}

#[test]
fn codecs_are_part_of_the_value() {
    for (written, instead) in [
        ("codec = json, value = Profile", "write `value = Json<Profile>`"),
        ("format = \"json\", value = Profile", "write `value = Json<Profile>`"),
        ("codec = json, value = Json<Profile>", "remove it: `Json<Profile>` says it"),
        ("serde", "write `value = Json<Profile>`"),
    ] {
        let name = written.split([' ', ',']).next().unwrap_or_default();
        tells(&["id"], &format!("user:name:{{id}}:string, ttl = 1h, {written}"), &[(name, Rule::Declaration, instead)]);
    }
}

#[test]
fn compression_is_part_of_the_value() {
    let told = |written: &str| {
        let checked = checked(&["id"], &format!("user:name:{{id}}:string, ttl = 1h, {written}"));
        checked.diagnostics.into_iter().filter_map(|told| told.help).collect::<Vec<_>>()
    };
    assert_eq!(told("compress = gzip, value = Json<P>"), ["write `value = Gzip<Json<P>>`"]);
    assert_eq!(told("compression = true, value = P"), ["write `value = Zstd<Json<P>>`"]);
    assert_eq!(told("compressed, value = String"), ["write `value = Zstd<String>`"]);
    assert_eq!(told("codec = lz4, value = MessagePack<P>"), ["write `value = Lz4<MessagePack<P>>`"]);
}

#[test]
fn sizes_have_units_and_bounds() {
    options_tell("ttl = 1h, max_bytes = 64kb", "64kb", Rule::ValueSize, "write `64KB`");
    options_tell("ttl = 1h, max_bytes = 64 KiB", "64 KiB", Rule::ValueSize, "write `64KB`");
    let most = "write `1MB` or less";
    options_tell("ttl = 1h, max_bytes = 4mb", "4mb", Rule::ValueSize, most);
    options_tell("ttl = 1h, max_bytes = 99999999999999MB", "99999999999999MB", Rule::ValueSize, most);
    let help = "write `1MB` or less, or split the value over several keys";
    options_tell("ttl = 1h, max_bytes = 2MB", "2MB", Rule::ValueSize, help);
    let help = "sizes are whole numbers of `B`, `KB` or `MB`, as in `64KB`";
    options_tell("ttl = 1h, max_bytes = 0", "0", Rule::ValueSize, help);
    options_tell("ttl = 1h, max_bytes = big", "big", Rule::ValueSize, help);
    tells(&["id"], "user:name:{id}:string, value = u64, ttl = 1h, max_bytes = 1MB", &[]);
}

/// What is told beside the word that the type is not there yet.
#[track_caller]
fn collection_tells(kind: &str, options: &str, underlined: &str, help: &str) {
    let attribute = format!("user:name:{{id}}:{kind}, ttl = 1h, {options}");
    let checked = checked(&["id"], &attribute);
    let told = checked.diagnostics.iter().filter(|told| told.rule != Rule::Available);
    let told: Vec<_> = told.map(|told| (super::underlined(&attribute, &told.place), told.help.as_deref())).collect();
    assert_eq!(told, [(underlined, Some(help))], "{attribute}");
}

#[test]
fn options_fit_the_type() {
    options_tell("ttl = 1h, max_len = 10", "max_len", Rule::CollectionSize, "write `max_bytes`, or remove it");
    options_tell("ttl = 1h, keep_last = 10", "keep_last", Rule::CollectionSize, "remove it");
    options_tell("ttl = 1h, field = String", "field", Rule::StoredForm, "remove it");
    collection_tells("list", "value = u64, max_bytes = 5KB", "max_bytes", "write `max_member_bytes`, or remove it");
    collection_tells("zset", "value = u64, keep_last = 5", "keep_last", "write `keep_top`, or remove it");
    collection_tells("list", "value = u64, keep_top = 5", "keep_top", "write `keep_last`, or remove it");
    collection_tells("bitmap", "value = u64", "value", "remove it");
    collection_tells("set", "field = String, value = u64", "field", "remove it");
}

#[test]
fn collections_are_bounded() {
    collection_tells("list", "value = u64, max_len = 10, keep_last = 5", "max_len", "keep one of the two");
    let help = "write `5000` or less, or split the collection over several keys";
    collection_tells("list", "value = u64, max_len = 5001", "5001", help);
    collection_tells("zset", "value = u64, keep_top = 1_000_000", "1_000_000", help);
    collection_tells("list", "value = u64, keep_last = 5k", "5k", "write `5000`");
    collection_tells("list", "value = u64, keep_last = many", "many", "write a whole number, as in `1000`");
    let help = "write `1MB` or less, or split the value over several keys";
    collection_tells("set", "value = u64, max_member_bytes = 2MB", "2MB", help);
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
        assert!(checked.diagnostics.iter().any(|told| told.help.as_deref() == Some(help)), "{kind}");
    }
}

#[test]
fn texts_stand_in_quotes() {
    options_tell("ttl = 1h, owner = web", "web", Rule::Declaration, "write `owner = \"web\"`");
    options_tell("ttl = 1h, reason =", "reason", Rule::Declaration, "write `reason = \"…\"`");
    tells(&["id"], "user:name:{id}:string, value = u64, ttl = 1h, owner = \"web, team\", reason = r#\"a \"b\"\"#", &[]);
}

#[test]
fn opting_out_of_a_lint_takes_its_name_and_a_reason() {
    let told = |allow: &str| {
        let checked = checked(&["id"], &format!("user:name:{{id}}:string, value = u64, ttl = 1h, {allow}"));
        checked.diagnostics.into_iter().filter_map(|told| told.help).collect::<Vec<_>>()
    };
    for nothing in ["allow()", "allow", "allow =", "allow(,)", "allow = ()"] {
        assert_eq!(told(nothing), ["write `allow(lint, reason = \"…\")`"], "{nothing}");
    }
    assert_eq!(told("allow(reason = \"x\")"), ["write `allow(lint, reason = \"x\")`"]);
    assert_eq!(told("allow(long_word)"), ["write `allow(long_word, reason = \"…\")`"]);
    assert_eq!(told("allow(long_word, reason = \"x\")"), [""; 0]);
    assert_eq!(told("alow(long_word, reason = \"x: y\")"), ["write `allow`"]);
}

/// Asserts the one thing that is told of an `allow`, and that no lint is told beside it.
#[track_caller]
fn allow_tells(allow: &str, underlined: &str, help: &str) {
    let attribute = format!("cache:name:{{id}}:string, value = String, ttl = 1h, {allow}");
    tells(&["id"], &attribute, &[(underlined, Rule::Declaration, help)]);
    assert_eq!(checked(&["id"], &attribute).warnings, [], "{allow}");
}

#[test]
fn the_reason_of_an_opt_out_has_a_name() {
    allow_tells("allow(missing_jitter, because = \"x\")", "because", "write `reason = \"x\"`");
    allow_tells("allow(missing_jitter, resaon = x)", "resaon", "write `reason = \"x\"`");
    allow_tells("allow(note = \"y\", missing_jitter, reason = \"x\")", "note", "remove it");
    allow_tells("allow(missing_jitter, reason = \"x\", reason = \"y\")", "reason", "keep one of them");
    let help = "write `reason = \"it is so\"`";
    allow_tells("allow(missing_jitter, \"it is so\")", "\"it is so\"", help);
    allow_tells("allow(missing_jitter, reason \"it is so\")", "reason \"it is so\"", help);
    allow_tells("allow(missing_jitter, reason: \"it is so\")", "reason: \"it is so\"", help);
    allow_tells("allow(missing_jitter reason = \"x\")", "reason", "write `, reason = \"x\"`");
    let help = "write `missing_jitter, reason = \"x\"`";
    allow_tells("allow(missing_jitter = \"x\")", "missing_jitter = \"x\"", help);
    allow_tells("allow(overlap = )", "overlap =", "write `overlap, reason = \"…\"`");
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
        allow_tells(written, written, help);
    }
    allow_tells("allow[missing_jitter]", "allow[missing_jitter]", help);
    let help = "write `allow(missing_jitter, long_key, reason = \"x\")`";
    let written = "allow = (missing_jitter, long_key, reason = \"x\")";
    allow_tells(written, written, help);
    allow_tells("allow(missing_jitter, reason = \"x\") owner", "owner", "write `, owner`");
}

#[test]
fn nothing_is_doubted_while_it_is_not_known_what_may_be() {
    allow_tells("allow(missing_jiter, reason = \"x\")", "missing_jiter", "did you mean `missing_jitter`?");
    allow_tells("allow()", "allow", "write `allow(lint, reason = \"…\")`");
    allow_tells("allow", "allow", "write `allow(lint, reason = \"…\")`");
    allow_tells("allow(reason = \"x\")", "allow", "write `allow(lint, reason = \"x\")`");
    allow_tells("alow(missing_jitter, reason = \"x\")", "alow", "write `allow`");
    allow_tells("allow(overlap, overlap, reason = \"x\")", "overlap", "remove it");
    allow_tells("allow(overlap, reason = \"\")", "\"\"", "say it in a few words");
}

#[test]
fn records_have_their_forms_at_their_fields() {
    let help = "write the name of a struct with `#[derive(RedisHash)]`, or add `field = String` for open fields";
    collection_tells("hash", "value = Json<P>", "Json<P>", help);
    collection_tells("stream", "value = Json<P>", "Json<P>", "write the name of a struct with `#[derive(RedisHash)]`");
}

#[test]
fn a_stream_can_keep_about_so_many() {
    collection_tells("list", "value = u64, keep_last = ~100", "~100", "write `100`");
    collection_tells(
        "stream",
        "value = Event, keep_last = ~9000",
        "~9000",
        "write `5000` or less, or split the collection over several keys",
    );
}

#[test]
fn what_is_not_there_yet_says_so() {
    let attribute = "user:name:{id}:string, value = u64, ttl = 1h, null_ttl = 5m";
    tells(&["id"], attribute, &[("null_ttl", Rule::Available, "remove it for now")]);
}

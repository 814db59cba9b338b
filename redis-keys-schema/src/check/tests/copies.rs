//! Hot keys and shards: numbers in the key that are no whole parameter.

use super::*;

#[test]
fn copies_have_a_place_and_no_field() {
    let attribute = "user:name:{id}:string, value = u64, ttl = 1h, copies = 8";
    reports(&["id"], attribute, &[("copies", Rule::Copies, "add `{copy}` to the template")]);
    reports(
        &["copy"],
        "user:name:{copy}:string, value = u64, ttl = 1h, copies = 8",
        &[("a field", Rule::Copies, "rename the field")],
    );
    reports(
        &["id"],
        "user:name:{id}:{copy}:string, value = u64, ttl = 1h, copies = 1",
        &[("1", Rule::Copies, "write `8`")],
    );
    reports(&["id"], "user:name:{id}:v.{#copy}:string, value = u64, ttl = 1h, copies = 8", &[]);
    reports(
        &["id"],
        "user:name:{id}:{copy % 8}:string, value = u64, ttl = 1h, copies = 8",
        &[("copy % 8", Rule::Copies, "write `{copy}`")],
    );
    reports(
        &["id"],
        "user:name:{copy}:{copy}:{id}:string, value = u64, ttl = 1h, copies = 8",
        &[("{copy}", Rule::Parameters, "keep one of the two")],
    );
    reports(
        &["id", "page"],
        "user:name:{copy}:{id}:string, value = u64, ttl = 1h, copies = 8",
        &[("a field", Rule::Parameters, "add `{page}` to the template, or remove the field")],
    );
    let help = "remove it, and divide a large key into shards or buckets, as in `{id % 8}`";
    reports(
        &["id"],
        "user:name:{id}:{copy}:list, value = u64, ttl = 1h, copies = 8",
        &[("copies", Rule::Copies, help)],
    );
    // Without the option it is a field as any other.
    reports(&["copy"], "user:name:{copy}:string, value = u64, ttl = 1h", &[]);
}

#[test]
fn copies_are_meant_by_their_number() {
    let reported = |fields: &[&str], template: &str, rule, help: &str| {
        reports(fields, &format!("{template}, value = u64, ttl = 1h"), &[("copy", rule, help)]);
    };
    let field = "add `copies = 8`, or a field `copy` to the struct";
    reported(&["id"], "user:name:{id}:{copy}:string", Rule::Copies, field);
    reported(&["id"], "user:name:{copy}:string", Rule::Copies, "add `copies = 8`, or write `{id}`");
    reported(&["copy_id"], "user:name:{copy}:string", Rule::Parameters, "did you mean `copy_id`?");
    // Only strings have copies.
    reported(&["id"], "user:name:{copy}:list", Rule::Parameters, "write `{id}`, or add a field `copy`");
    for (template, written) in [("user:name:{copies}:string", "copies"), ("user:name:{#cpoy}:string", "#cpoy")] {
        let help = "did you mean `copy`, the number of the copy?";
        let attribute = format!("{template}, value = u64, ttl = 1h, copies = 8");
        reports(&[], &attribute, &[(written, Rule::Copies, help)]);
    }
    let attribute = "user:{copy}:{copies}:string, value = u64, ttl = 1h, copies = 8";
    reports(&[], attribute, &[("copies", Rule::Parameters, "add a field `copies` to the struct")]);
}

#[test]
fn the_number_of_a_copy_counts() {
    let fits = |words: usize, copies| {
        let attribute = format!("user:{}:{{copy}}:string, value = u64, ttl = 1h, copies = {copies}", "a".repeat(words));
        checked(&[], &attribute).declaration.length_is_proved()
    };
    let free = 128 - "user:::string".len();
    assert!(fits(free - 1, 10) && !fits(free - 1, 11) && fits(free - 3, 1000) && !fits(free - 2, 1000));
}

#[test]
fn a_shard_is_less_than_its_number() {
    let reported = |ty, template: &str, expected: &[(&str, &str)]| {
        let expected: Vec<_> = expected.iter().map(|&(at, help)| (at, Rule::Parameters, help)).collect();
        item_reports(vec![field("id", ty)], &format!("{template}, value = u64, ttl = 1h"), &expected);
    };
    let write = "write `255` or less, or `{id}` for a key of each";
    reported("u8", "user:name:{id % 300}:string", &[("300", write)]);
    reported("u8", "user:name:{id%256}:string", &[("256", write)]);
    reported("u8", "user:name:{id % 255}:string", &[]);
    let write = "write `65535` or less, or `{#id}` for a key of each";
    reported("u16", "\"user:name:{# id % 65_536 }:string\"", &[("65_536", write)]);
    let remove = "write `127` or less, or remove `{id % 1000}` from the template";
    reported("i8", "user:{id % 1000}:{id}:string", &[("1000", remove)]);
    reported("i16", "user:name:{id % 32767}:string", &[]);
    let write = "write `2147483647` or less, or `{id}` for a key of each";
    reported("i32", "user:name:{id % 2147483648}:string", &[("2147483648", write)]);
    for ty in ["u32", "u64", "Id", "usize"] {
        reported(ty, "user:name:{id % 4294967295}:string", &[]);
    }
}

#[test]
fn copies_have_hash_tags_of_their_own() {
    let reported = |template: &str, expected: &[(&str, Rule, &str)]| {
        reports(&["id"], &format!("{template}, value = u64, ttl = 1h, copies = 2"), expected);
    };
    let tag = ", and `{#copy}` if the key needs a hash tag";
    reported("user:name:{#id}:{copy}:string", &[("{#id}", Rule::Copies, &format!("write `{{id}}`{tag}"))]);
    reported("user:name:{copy}:{# id}:string", &[("{# id}", Rule::Copies, &format!("write `{{id}}`{tag}"))]);
    reported("user:name:{#id % 8}:{copy}:string", &[("{#id % 8}", Rule::Copies, &format!("write `{{id % 8}}`{tag}"))]);
    // Of two the first counts.
    reported("user:name:{#id}:{#copy}:string", &[("{#id}", Rule::Copies, "write `{id}`")]);
    reported("user:name:{#copy}:{#id}:string", &[("{#id}", Rule::HashTag, "write `{id}`")]);
    reported("user:name:{#copy}:{id}:string", &[]);
    let attribute = "user:{#a}:{#b}:{copy}:string, value = u64, ttl = 1h, copies = 2";
    let whole = "write `user:{a}:{b}:{copy}:string`";
    reports(&["a", "b"], attribute, &[("{#a}", Rule::Copies, whole), ("{#b}", Rule::HashTag, "write `{b}`")]);
    // Without a placeholder both are reported; on a list only the option is.
    let place = ("copies", Rule::Copies, "add `{copy}` to the template");
    let whole = "write `user:name:{id}:{copy}:string`";
    reported("user:name:{#id}:string", &[("{#id}", Rule::Copies, whole), place]);
    let help = "remove it, and divide a large key into shards or buckets, as in `{id % 8}`";
    reported("user:name:{#id}:list", &[("copies", Rule::Copies, help)]);
}

#[test]
fn a_hot_key_has_2_to_1000_copies() {
    for number in ["0", "1", "1001", "99999999999999999999", "many", "-1", "1k"] {
        let attribute = format!("user:name:{{copy}}:string, value = u64, ttl = 1h, copies = {number}");
        reports(&[], &attribute, &[(number, Rule::Copies, "write `8`")]);
    }
    for number in ["2", "1_000"] {
        reports(&[], &format!("user:name:{{copy}}:string, value = u64, ttl = 1h, copies = {number}"), &[]);
    }
}

#[test]
fn a_read_renews_no_single_copy() {
    let reported = |options: &str, expected: &[ExpectedMessage<'_>]| {
        reports(&[], &format!("user:name:{{copy}}:string, value = u64, ttl = 1h, copies = 8, {options}"), expected);
    };
    let help = "write `renew = write`, or remove it";
    reported("renew = read", &[("renew", Rule::Copies, help)]);
    reported("renew = below(5m)", &[("renew", Rule::Copies, help)]);
    reported("renew = write", &[]);
}

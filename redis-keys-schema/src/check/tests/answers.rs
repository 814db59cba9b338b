//! Declarations of newcomers that need more than a guess: each message says what to write.

use super::*;

const NAME: &str = "user:name:{user_id}:string, value = String, ttl = 1h";

#[test]
fn the_legacy_text_is_in_quotes() {
    let instead = "write `formerly = \"User:{user_id}\"`, the text of the `format!` that writes the key";
    let attribute = format!("{NAME}, formerly = 'User:{{user_id}}'");
    reports(&["user_id"], &attribute, &[("'User:{user_id}'", Rule::Declaration, instead)]);
    let call = "format!(\"user{user_id}_name\")";
    let instead = "write `formerly = \"user{user_id}_name\"`, the text of the `format!` that writes the key";
    reports(&["user_id"], &format!("{NAME}, formerly = {call}"), &[(call, Rule::Declaration, instead)]);
    let instead = "write its text, as in `legacy = \"User:{user_id}:Profile\"`: a derive cannot evaluate an expression";
    reports(&["user_id"], &format!("{NAME}, legacy = OLD"), &[("OLD", Rule::Declaration, instead)]);
}

#[test]
fn a_rate_limit_has_no_legacy_text() {
    let attribute = "rate:calls:{user}:string, limit(10 / 1s), legacy = \"rl:{user}\"";
    reports(&["user"], attribute, &[("legacy", Rule::Declaration, "remove it")]);
}

#[test]
fn options_of_fields_and_stored_forms_name_their_place() {
    let instead = "move it to a field: `#[redis_key(slug)]` before its name";
    reports(&["user_id"], &format!("{NAME}, slug"), &[("slug", Rule::Declaration, instead)]);
    let attribute = "user:login:{user}:string, value = String, secret, ttl = 1d";
    reports(&["user"], attribute, &[("secret", Rule::Declaration, "write `value = Secret<String>`")]);
}

#[test]
fn values_without_names_get_them() {
    let expected =
        [("String", Rule::Declaration, "write `value = String`"), ("\"1h\"", Rule::Declaration, "write `ttl = 1h`")];
    reports(&["id"], "\"user:name:{id}:string\", String, \"1h\"", &expected);
}

#[test]
fn a_lock_is_a_string() {
    let expected = [("lock", Rule::TypeSuffix, "write `string` and `lock`")];
    reports(&["id"], "lock:order:{id}:lock, ttl = 30s", &expected);
}

#[test]
fn shards_are_remainders() {
    let instead = "write `{user_id % 1000}`: it divides the keys into 1000 shards";
    let attribute = "user:follows:{user_id / 1000}:set, value = u64, ttl = 30d";
    reports(&["user_id"], attribute, &[("user_id / 1000", Rule::Parameters, instead)]);
}

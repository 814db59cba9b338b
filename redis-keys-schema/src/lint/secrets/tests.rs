//! The secrets that the lint finds, and their places.

use crate::check::tests::underlined;
use crate::tests::applied::Editable as _;
use crate::{Attribute, Field, Item, Lint, Policy, Shape, check};

/// A struct with a field for each placeholder, of these types and attributes.
fn item<'t>(attribute: &'t str, fields: &[(&str, &'t str, &'t str)]) -> Item<'t> {
    let field = |(name, ty, flag): &(&str, &'t str, &'t str)| {
        let attributes = Some(Attribute::Arguments(flag)).filter(|_| !flag.is_empty());
        Field { name: (*name).to_owned(), ty, phantom: false, attributes: attributes.into_iter().collect() }
    };
    let attributes = vec![Attribute::Arguments(attribute)];
    let fields = fields.iter().map(field).collect();
    Item { name: "Case".to_owned(), shape: Shape::Struct, documented: true, attributes, fields }
}

/// Asserts the underlined text and the help. Suggestions that are applied avoid the warning.
#[track_caller]
fn found<'t>(attribute: &'t str, fields: &[(&str, &'t str, &'t str)]) -> Vec<(&'t str, String)> {
    let item = item(attribute, fields);
    let checked = check(&item, &Policy::default());
    assert_eq!(*checked.diagnostics, [], "{attribute}");
    let warnings = checked.warnings.into_iter().filter(|warning| warning.lint == Lint::PlainSecret);
    let warnings: Vec<_> = warnings.collect();
    for warning in warnings.iter().filter(|warning| !warning.edits.is_empty()) {
        let edited = check(&item.edited(&warning.edits), &Policy::default());
        let is_left = edited.warnings.iter().any(|left| left.message == warning.message);
        assert!(!is_left && edited.diagnostics.is_empty(), "{warning}\n{attribute}\n{edited:?}");
    }
    warnings.into_iter().map(|warning| (underlined(attribute, &warning.place), warning.suggestion)).collect()
}

/// Asserts what is underlined in a key with an integer as its parameter.
#[track_caller]
fn underlines(template: &str, value: &str, expected: Option<&str>) {
    let attribute = format!("{template}, {value}, ttl = 1h");
    let fields: &[_] = if template.contains("{id}") { &[("id", "u64", "")] } else { &[] };
    let found = found(&attribute, fields);
    assert_eq!(
        found.iter().map(|(place, _)| *place).collect::<Vec<_>>(),
        expected.into_iter().collect::<Vec<_>>(),
        "{attribute}"
    );
}

#[test]
fn values_that_other_code_reads_stay_as_they_are() {
    let help = "store it under a key of its own with `Secret<…>`: what is stored under this one is read as it is";
    for legacy in ["legacy", "formerly"] {
        let attribute =
            format!("user:password:{{id}}:string, value = String, ttl = 1h, {legacy} = \"Password/{{id}}\"");
        assert_eq!(found(&attribute, &[("id", "u64", "")]), [("password", help.to_owned())]);
    }
}

#[test]
fn words_of_the_template_say_that_the_value_is_a_secret() {
    for (name, word) in [
        ("password", "password"),
        ("passwd", "passwd"),
        ("secrets", "secrets"),
        ("reset.token", "token"),
        ("api.key", "api.key"),
        ("api.keys.old", "api.keys"),
        ("apikey", "apikey"),
        ("otp", "otp"),
        ("totp.code", "totp"),
        ("private.key", "private.key"),
        ("card.numbers", "card.numbers"),
        ("cardnumber", "cardnumber"),
    ] {
        underlines(&format!("user:{name}:{{id}}:string"), "value = String", Some(word));
        underlines(&format!("user:{{id}}:{name}:string"), "value = Json<P>", Some(word));
    }
    underlines("token:reset:{id}:string", "value = Own", Some("token"));
    underlines("user:reset.{id}.token:string", "value = String", Some("token"));
    // One warning is enough.
    underlines("token:password:{id}:string", "value = Token", Some("token"));
    for name in [
        "token.bucket",
        "tokens.count",
        "token.type",
        "password.hash",
        "secretary",
        "secretaries",
        "tokenizer",
        "key",
        "api",
        "api.id.key",
        "card",
        "session.id",
        "sid",
        "card.id",
    ] {
        underlines(&format!("user:{name}:{{id}}:string"), "value = String", None);
    }
}

#[test]
fn numbers_are_no_secrets_but_codes() {
    for value in ["bool", "u64", "f64", "i32", "SystemTime"] {
        underlines("user:token:{id}:string", &format!("value = {value}"), None);
    }
    for name in ["otp", "totp", "otp.code", "otps", "card.number", "login:otp:code"] {
        let word = name.split(':').find(|word| *word != "login").map(|word| word.trim_end_matches(".code"));
        underlines(&format!("user:{name}:{{id}}:string"), "value = u32", word);
    }
    for name in ["otp.attempts", "otp:attempts", "otp:tries", "totp:used:code"] {
        underlines(&format!("user:{name}:{{id}}:string"), "value = u32", None);
    }
    underlines("otp:attempts:{id}:string", "value = u64", None);
    underlines("counter:otp:{id}:string", "value = u64", None);
    underlines("user:otp:{id}:string", "value = u8", None);
    underlines("user:otp:{id}:string", "value = bool", None);
    underlines("user:otp:{id}:bitmap", "max_bytes = 1KB", None);
    underlines("user:token:{id}:hyperloglog", "value = String", None);
}

#[test]
fn the_name_of_a_stored_type_says_that_it_is_a_secret() {
    for (value, word) in [
        ("AccessToken", "Token"),
        ("Json<ApiKey>", "ApiKey"),
        ("Json<APIKeys>", "APIKeys"),
        ("Zstd<Json<Vec<OtpCode>>>", "Otp"),
        ("my::auth::Password", "Password"),
        ("SecretString", "Secret"),
    ] {
        underlines("user:data:{id}:string", &format!("value = {value}"), Some(word));
    }
    for value in ["TokenBucket", "Secretary", "token::Session", "Json<secret::Data>", "PasswordHash"] {
        underlines("user:data:{id}:string", &format!("value = {value}"), None);
    }
    underlines("user:data:{id}:hash", "field = ApiKey, value = u64", Some("ApiKey"));
    // The fields of a record have forms of their own.
    underlines("user:token:{id}:hash", "value = Token", None);
    underlines("user:token:{id}:stream", "value = Token", None);
}

#[test]
fn the_help_names_what_keeps_a_secret() {
    let helps = |template: &str, value: &str| {
        let attribute = format!("{template}, {value}, ttl = 30s");
        found(&attribute, &[("id", "u64", "")]).into_iter().map(|(_, help)| help).collect::<Vec<_>>()
    };
    assert_eq!(helps("user:token:{id}:string", "value = String"), ["write `Secret<String>`"]);
    assert_eq!(helps("user:token:{id}:string", "value = \"Zstd<Json<P>>\""), ["write `Secret<Zstd<Json<P>>>`"]);
    assert_eq!(helps("user:tokens:{id}:hash", "field = u64, value = String"), ["write `Secret<String>`"]);
    assert_eq!(
        helps("token:mails:{id}:zset", "value = Json<P>, jobs(lease = 5s, tries = 1)"),
        ["write `Secret<Json<P>>`"]
    );
    let digest = "store a digest of it, or each secret as the `value` of a key";
    for kind in ["set", "zset", "geo"] {
        assert_eq!(helps(&format!("user:tokens:{{id}}:{kind}"), "value = String"), [digest]);
    }
    assert_eq!(helps("user:data:{id}:hash", "field = Token, value = u64"), [digest]);
    for (kind, value) in [
        ("string", "value = Secret<Json<P>>"),
        ("string", "lock"),
        ("string", "value = String, allow(plain_secret, reason = \"of a test server\")"),
        ("zset", "value = Secret<Json<P>>, jobs(lease = 5s, tries = 1)"),
    ] {
        assert_eq!(helps(&format!("user:token:{{id}}:{kind}"), value), [""; 0], "{value}");
    }
    let attribute = "token:check:{id}:string, limit(5 / 1m)";
    assert_eq!(found(attribute, &[("id", "u64", "")]), []);
}

#[test]
fn secrets_as_parameters_are_digested() {
    let helps = |name: &str, ty, flag| {
        let attribute: &str = format!("user:by:{{{name}}}:string, value = u64, ttl = 1h").leak();
        found(attribute, &[(name, ty, flag)])
    };
    let add = "add `#[redis_key(digest)]` to the field";
    for (name, word) in [
        ("token", "token"),
        ("session_id", "session_id"),
        ("sid", "sid"),
        ("otp", "otp"),
        ("password", "password"),
        ("api_key", "api_key"),
        ("client_secret", "secret"),
        ("resetToken", "Token"),
    ] {
        assert_eq!(helps(name, "String", ""), [(word, add.to_owned())]);
    }
    for ty in ["&'a str", "Cow<'a, str>"] {
        assert_eq!(helps("token", ty, ""), [("token", add.to_owned())], "{ty}");
    }
    let in_place = |other| vec![("token", format!("use `#[redis_key(digest)]` in place of `{other}`"))];
    assert_eq!(helps("token", "[u8; 16]", "base32"), in_place("base32"));
    assert_eq!(helps("token", "String", "slug = 60"), in_place("slug"));
    let uuid = "make the field `[u8; 16]`, the bytes of the UUID, with `#[redis_key(digest)]`";
    assert_eq!(helps("session_id", "uuid::Uuid", ""), [("session_id", uuid.to_owned())]);
    for (name, ty, flag) in [
        ("token", "String", "digest"),
        ("token", "u64", ""),
        ("session_id", "u128", ""),
        ("token", "Token", ""),
        ("token_type", "String", ""),
        ("token_id", "String", ""),
        ("session", "String", ""),
        ("id", "Uuid", ""),
    ] {
        assert_eq!(helps(name, ty, flag), [], "{name} {ty}");
    }
}

#[test]
fn a_word_that_says_what_the_parameter_is_is_not_of_the_value() {
    let attribute = "session:by.token:{#token}:string, value = String, ttl = 1d";
    let [(word, _)] = found(attribute, &[("token", "String", "")]).try_into().unwrap_or_default();
    assert_eq!(word, "token");
    assert_eq!(found(attribute, &[("token", "String", "digest")]), []);
    let attribute = "session:password:{token}:string, value = String, ttl = 1d";
    let of_the_value = ("password", "write `Secret<String>`".to_owned());
    assert_eq!(found(attribute, &[("token", "String", "digest")]), [of_the_value]);
}

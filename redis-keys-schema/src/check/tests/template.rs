//! Names, separators, shape and type.

use super::*;

#[test]
fn right_templates_are_left_alone() {
    for template in [
        "user:basic.info:{id}:string",
        "u:2fa.codes:{id}:string",
        "user:v.{id}:string",
        "user : basic . info : { id } : string",
        "\"user:basic.info:{id}:string\"",
        "r#\"user:basic.info:{id}:string\"#",
        "cart:{#id}:total:string",
        "user:1e5:2024.05:{id}:string",
        "user:string:{id}:string",
    ] {
        reports(&["id"], &format!("{template}, value = u64, ttl = 1h"), &[]);
    }
}

#[test]
fn a_key_starts_with_a_letter() {
    template_reports("12345:{id}:string", "12345", Rule::FirstLetter, "write the module first, as in `user:12345`");
    template_reports("2fa.codes:{id}:string", "2fa", Rule::FirstLetter, "write the module first, as in `user:2fa`");
}

#[test]
fn a_key_starts_with_a_module() {
    template_reports("{id}:name:string", "{id}", Rule::Shape, "write the module first, as in `user:{id}`");
    template_reports("user.{id}:name:string", "{id}", Rule::Shape, "write `user:{id}`");
    template_reports("{id}", "{id}", Rule::Shape, "write `user:{id}:string`, for example");
    template_reports("{#id}:name:string", "{#id}", Rule::Shape, "write the module first, as in `user:{#id}`");
}

#[test]
fn names_in_any_case_are_rewritten() {
    for (name, rule, instead) in [
        ("user_info", Rule::Separators, "user.info"),
        ("user-info", Rule::Separators, "user.info"),
        ("USER_INFO", Rule::Separators, "user.info"),
        ("userInfo", Rule::LowerCase, "user.info"),
        ("UserInfo", Rule::LowerCase, "user.info"),
        ("HTTPSession", Rule::LowerCase, "http.session"),
        ("Info", Rule::LowerCase, "info"),
        ("_info", Rule::Separators, "info"),
        ("user/info", Rule::Alphabet, "user:info"),
        ("user|info", Rule::Alphabet, "user:info"),
        ("user@home", Rule::Alphabet, "user.home"),
        ("r#type", Rule::Declaration, "type"),
    ] {
        template_reports(&format!("user:{name}:{{id}}:string"), name, rule, &format!("write `{instead}`"));
    }
}

#[test]
fn keys_have_no_other_signs() {
    let help = "write a word of the letters `a` to `z` and the digits `0` to `9`";
    template_reports("user:café:{id}:string", "café", Rule::Alphabet, help);
    let either = "write a placeholder, as in `{field}`, or a word of the letters `a` to `z` and the digits `0` to `9`";
    template_reports("user:*:{id}:string", "*", Rule::Alphabet, either);
    template_reports("user:名:{id}:string", "名", Rule::Alphabet, help);
    template_reports("user:\"x\":{id}:string", "\"x\"", Rule::Alphabet, "write `x`");
    template_reports("user:it's:{id}:string", "it's", Rule::Alphabet, "write `it.s`");
    template_reports("user:a\\nb:{id}:string", "a\\nb", Rule::Alphabet, "write `a.nb`");
}

#[test]
fn the_words_of_a_template_can_be_separated_by_other_signs() {
    let reports = |fields: &[&str], template: &str, underlined: &str, rule: Rule, help: &str| {
        reports(fields, &format!("{template}, value = u64, ttl = 1h"), &[(underlined, rule, help)]);
    };
    reports(&["a", "b"], "user:name:{a}-{b}:string", "{a}-{b}", Rule::Separators, "write `{a}.{b}`");
    reports(&["a", "b"], "user:name:{a}/{b}:string", "{a}/{b}", Rule::Separators, "write `{a}:{b}`");
    reports(&["a", "b"], "user:name:{a}_to_{b}:string", "{a}_to_{b}", Rule::Separators, "write `{a}.to.{b}`");
    for (field, written, meant) in [
        ("token", "sess_{token}", "sess:{token}"),
        ("id", "cart-{id}", "cart:{id}"),
        ("name", "feature_flag.{name}", "feature.flag:{name}"),
        ("id", "user/basic.info/{id}", "user:basic.info:{id}"),
        ("id", "userProfile-{id}", "user.profile:{id}"),
        ("id", "user.%s", "user:{id}"),
        ("id", "{id}/name", "user:{id}:name"),
    ] {
        reports(&[field], written, written, Rule::Shape, &format!("write `{meant}:string`"));
    }
}

#[test]
fn placeholders_of_other_tools_are_translated() {
    for (written, instead) in [
        ("[id]", "{id}"),
        ("<id>", "{id}"),
        ("(id)", "{id}"),
        ("$id", "{id}"),
        ("${id}", "{id}"),
        ("#{id}", "{#id}"),
        ("%s", "{id}"),
        ("%d", "{id}"),
        ("%(id)s", "{id}"),
        ("%id%", "{id}"),
        ("@id", "{id}"),
        ("?", "{id}"),
        ("*", "{id}"),
    ] {
        let attribute = format!("user:name:{written}:string, value = u64, ttl = 1h");
        reports(&["id"], &attribute, &[(written, Rule::Parameters, &format!("write `{instead}`"))]);
    }
}

#[test]
fn one_sign_between_all_segments_is_one_error() {
    for written in [
        "user.name.{id}.string",
        "user/name/{id}/string",
        "user, name, {id}, string",
        "user,name,{id},string",
        "user|name|{id}|string",
        "\"user / name / {id} / string\"",
    ] {
        let underlined = written.trim_matches('"');
        template_reports(written, underlined, Rule::Shape, "write `user:name:{id}:string`");
    }
    template_reports("user.userName.{id}", "user.userName.{id}", Rule::Shape, "write `user:user.name:{id}:string`");
    reports(
        &["id"],
        "user.name.{id}, ttl = 1h, keep_last = 5",
        &[("user.name.{id}", Rule::Shape, "write `user:name:{id}:list`")],
    );
}

#[test]
fn what_is_no_template_is_one_error() {
    for (written, underlined, help) in [
        (
            "concat!(\"user:\", \"x:{id}:string\")",
            "concat!(\"user:\", \"x:{id}:string\")",
            "write the text of the template here",
        ),
        ("b\"user:me:{id}:string\"", "b\"user:me:{id}:string\"", "remove the `b`"),
        ("\"{\"", "{", "write `user:{id}:string`"),
        ("\"user:name:{\"", "{", "write `user:name:{id}:string`"),
    ] {
        template_reports(written, underlined, Rule::Declaration, help);
    }
}

#[test]
fn white_space_separates_no_words() {
    template_reports("user:basic info:{id}:string", "basic info", Rule::Separators, "write `basic.info`");
    template_reports("user:Basic info:{id}:string", "Basic info", Rule::Separators, "write `basic.info`");
}

#[test]
fn no_word_and_no_segment_is_empty() {
    template_reports("user::{id}:string", "::", Rule::EmptyWord, "write `user:{id}`");
    template_reports("user:::name:{id}:string", ":::", Rule::EmptyWord, "write `user:name`");
    template_reports("user: :name:{id}:string", ": :", Rule::EmptyWord, "write `user:name`");
    template_reports("user:a..b:{id}:string", "..", Rule::EmptyWord, "write `a.b`");
    template_reports("user:a:.b:{id}:string", ":.", Rule::EmptyWord, "write `a:b`");
    template_reports("user:a.:{id}:string", ".:", Rule::EmptyWord, "write `a:{id}`");
    template_reports(":user:name:{id}:string", ":", Rule::EmptyWord, "write `user`");
    template_reports(".user:name:{id}:string", ".", Rule::EmptyWord, "write `user`");
    template_reports("user:name:{id}:string:", ":", Rule::EmptyWord, "write `string`");
    template_reports("user:name:{id}:string.", ".", Rule::EmptyWord, "write `string`");
}

#[test]
fn separators_alone_are_no_key() {
    reports(&[], ":.:, value = u64, ttl = 1h", &[(":.:", Rule::EmptyWord, "write `user:profile:string`")]);
}

#[test]
fn a_placeholder_is_a_whole_word() {
    template_reports("user:v{id}:string", "v{id}", Rule::Separators, "write `v.{id}`");
    template_reports("user:{id}v:string", "{id}v", Rule::Separators, "write `{id}.v`");
    template_reports("user:myUser{id}:string", "myUser{id}", Rule::Separators, "write `my.user.{id}`");
    reports(
        &["a", "b"],
        "user:{a}{b}:string, value = u64, ttl = 1h",
        &[("{a}{b}", Rule::Separators, "write `{a}.{b}`")],
    );
}

#[test]
fn a_key_has_a_module_and_says_what_is_stored() {
    let attribute = |template: &str| format!("{template}, value = u64, ttl = 1h");
    let shape = |template: &str, underlined: &str, help: &str| {
        reports(&[], &attribute(template), &[(underlined, Rule::Shape, help)]);
    };
    shape("user", "user", "write `user:profile:string`, for example");
    shape("string", "string", "write `user:profile:string`, for example");
    shape("user:string", "user:string", "write what is stored, as in `user:profile:string`");
    reports(
        &[],
        &attribute("user:strng"),
        &[
            ("user:strng", Rule::Shape, "write `user:profile:string`"),
            ("strng", Rule::TypeSuffix, "did you mean `string`?"),
        ],
    );
}

#[test]
fn a_key_ends_with_its_type() {
    for (written, kind) in [
        ("strng", "string"),
        ("String", "string"),
        ("str", "string"),
        ("STRING", "string"),
        ("strings", "string"),
        ("sortedset", "zset"),
        ("sorted_set", "zset"),
        ("sorted.set", "zset"),
        ("SortedSet", "zset"),
        // A hash without `field` would need a record as its value.
        ("map", "hash"),
        ("HashMap", "hash"),
        ("hll", "hyperloglog"),
        ("lst", "list"),
        // A bitmap has no value.
        ("bitset", "bitmap"),
        ("geospatial", "geo"),
    ] {
        let help = format!("did you mean `{kind}`?");
        template_reports(&format!("user:name:{{id}}:{written}"), written, Rule::TypeSuffix, &help);
    }
}

#[test]
fn a_missing_type_is_guessed_from_the_options() {
    let types =
        "the types are `string`, `hash`, `list`, `set`, `zset`, `bitmap`, `hyperloglog`, `geo`, `stream` and `channel`";
    let guess = |options: &str, likely: &str| {
        let attribute = format!("user:profile:{{id}}, ttl = 1h, value = String{options}");
        reports(&["id"], &attribute, &[("{id}", Rule::TypeSuffix, &format!("write `{{id}}:{likely}`; {types}"))]);
    };
    guess("", "string");
    let help = format!("write `{{id}}:hash`; {types}");
    reports(&["id"], "user:name:{id}.hash, value = u64, ttl = 1h", &[("{id}.hash", Rule::TypeSuffix, &help)]);
    guess(", field = String", "hash");
    guess(", keep_last = 10", "list");
    guess(", keep_top = 10", "zset");
}

#[test]
fn a_missing_type_hides_no_other_mistake() {
    let types =
        "the types are `string`, `hash`, `list`, `set`, `zset`, `bitmap`, `hyperloglog`, `geo`, `stream` and `channel`";
    reports(
        &[],
        "user:basicInfo, value = u64, ttl = 1h",
        &[
            ("basicInfo", Rule::TypeSuffix, &format!("write `user:basic.info:string`; {types}")),
            ("basicInfo", Rule::LowerCase, "write `basic.info`"),
        ],
    );
}

#[test]
fn a_key_has_at_most_128_bytes_whatever_its_parameters_are() {
    for (literal, types, suggestion, is_proved) in [
        (128, &[][..], "", true),
        (108, &["u64"], "", true),
        (89, &["i64", "usize"], "", true),
        (126, &["String", "&'static str"], "", true),
        (126, &["Cow<'a,str>", "Arc<str>"], "", true),
        (100, &["&'a Substr"], "", false),
        (100, &["UserId"], "", false),
        (129, &[], "129 bytes", false),
        (109, &["u64"], "109 bytes, `a` up to 20", false),
        (85, &["i128", "bool"], "85 bytes, `a` up to 39, `b` up to 5", false),
        (128, &["UserId"], "128 bytes", false),
    ] {
        let placeholders = [":{a}", ":{b}"][..types.len()].concat();
        let word = "x".repeat(literal - "user:".len() - types.len() - ":string".len());
        let template = format!("user:{word}{placeholders}:string");
        let attribute = format!("{template}, value = u64, ttl = 1h");
        let fields = types.iter().zip(["a", "b"]).map(|(ty, name)| field(name, ty)).collect();
        let checked = check(&item(fields, &attribute));
        let suggestion = format!("shorten it: the literal text has {suggestion}");
        let expected = [(template.as_str(), Rule::KeyLength, suggestion.as_str())];
        let is_long = suggestion.ends_with(|c: char| !c.is_whitespace());
        assert_reported(&attribute, &checked, if is_long { &expected } else { &[] });
        assert_eq!(checked.declaration.length_is_proved(), is_proved, "{attribute}");
    }
}

#[test]
fn everything_is_reported_at_once_in_order() {
    reports(
        &["user_id"],
        "User:basicInfo:{user_idd}:strng, value = Profile, expire = 3600",
        &[
            ("User", Rule::LowerCase, "write `user:basic.info:{user_id}:string`"),
            ("basicInfo", Rule::LowerCase, "write `basic.info`"),
            ("user_idd", Rule::Parameters, "did you mean `user_id`?"),
            ("strng", Rule::TypeSuffix, "did you mean `string`?"),
            ("expire", Rule::Declaration, "write `ttl = 3600s`"),
        ],
    );
}

#[test]
fn quotes_change_no_message_and_no_place() {
    reports(
        &["id"],
        "\"user:userInfo:{id}:string\", value = \"json<Profile>\", ttl = \"3600\"",
        &[
            ("userInfo", Rule::LowerCase, "write `user.info`"),
            ("json", Rule::StoredForm, "write `Json`"),
            ("3600", Rule::Expiry, "write `3600s`"),
        ],
    );
}

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
        tells(&["id"], &format!("{template}, value = u64, ttl = 1h"), &[]);
    }
}

#[test]
fn a_key_starts_with_a_letter() {
    template_tells("12345:{id}:string", "12345", Rule::FirstLetter, "write the module first, as in `user:12345`");
    template_tells("2fa.codes:{id}:string", "2fa", Rule::FirstLetter, "write the module first, as in `user:2fa`");
}

#[test]
fn a_key_starts_with_a_module() {
    template_tells("{id}:name:string", "{id}", Rule::Shape, "write the module first, as in `user:{id}`");
    template_tells("user.{id}:name:string", "{id}", Rule::Shape, "write `user:{id}`");
    template_tells("{id}", "{id}", Rule::Shape, "write, say, `user:{id}:string`");
    template_tells("{#id}:name:string", "{#id}", Rule::Shape, "write the module first, as in `user:{#id}`");
}

#[test]
fn habits_of_other_languages_are_translated() {
    for (habit, rule, instead) in [
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
        template_tells(&format!("user:{habit}:{{id}}:string"), habit, rule, &format!("write `{instead}`"));
    }
}

#[test]
fn other_signs_can_not_stand_in_a_key() {
    let help = "a word has the letters `a` to `z` and the digits `0` to `9`";
    template_tells("user:café:{id}:string", "café", Rule::Alphabet, help);
    template_tells("user:*:{id}:string", "*", Rule::Alphabet, help);
    template_tells("user:名:{id}:string", "名", Rule::Alphabet, help);
    template_tells("user:\"x\":{id}:string", "\"x\"", Rule::Alphabet, "write `x`");
    template_tells("user:it's:{id}:string", "it's", Rule::Alphabet, "write `it.s`");
    template_tells("user:a\\nb:{id}:string", "a\\nb", Rule::Alphabet, "write `a.nb`");
}

#[test]
fn placeholders_of_other_tools_are_translated() {
    for written in ["[id]", "<id>", "$id"] {
        let attribute = format!("user:name:{written}:string, value = u64, ttl = 1h");
        tells(&["id"], &attribute, &[(written, Rule::Parameters, "write `{id}`")]);
    }
}

#[test]
fn white_space_can_not_stand_between_words() {
    template_tells("user:basic info:{id}:string", "basic info", Rule::Separators, "write `basic.info`");
    template_tells("user:Basic info:{id}:string", "Basic info", Rule::Separators, "write `basic.info`");
}

#[test]
fn no_word_and_no_segment_is_empty() {
    template_tells("user::{id}:string", "::", Rule::EmptyWord, "write `user:{id}`");
    template_tells("user:::name:{id}:string", ":::", Rule::EmptyWord, "write `user:name`");
    template_tells("user: :name:{id}:string", ": :", Rule::EmptyWord, "write `user:name`");
    template_tells("user:a..b:{id}:string", "..", Rule::EmptyWord, "write `a.b`");
    template_tells("user:a:.b:{id}:string", ":.", Rule::EmptyWord, "write `a:b`");
    template_tells(":user:name:{id}:string", ":", Rule::EmptyWord, "write `user`");
    template_tells(".user:name:{id}:string", ".", Rule::EmptyWord, "write `user`");
    template_tells("user:name:{id}:string:", ":", Rule::EmptyWord, "write `string`");
    template_tells("user:name:{id}:string.", ".", Rule::EmptyWord, "write `string`");
}

#[test]
fn separators_alone_are_no_key() {
    tells(&[], ":.:, value = u64, ttl = 1h", &[(":.:", Rule::EmptyWord, "write `user:profile:string`")]);
}

#[test]
fn a_placeholder_is_a_whole_word() {
    template_tells("user:v{id}:string", "v{id}", Rule::Separators, "write `v.{id}`");
    template_tells("user:{id}v:string", "{id}v", Rule::Separators, "write `{id}.v`");
    template_tells("user:myUser{id}:string", "myUser{id}", Rule::Separators, "write `my.user.{id}`");
    tells(&["a", "b"], "user:{a}{b}:string, value = u64, ttl = 1h", &[("{a}{b}", Rule::Separators, "write `{a}.{b}`")]);
}

#[test]
fn a_key_has_a_module_and_says_what_is_stored() {
    let attribute = |template: &str| format!("{template}, value = u64, ttl = 1h");
    let shape = |template: &str, underlined: &str, help: &str| {
        tells(&[], &attribute(template), &[(underlined, Rule::Shape, help)]);
    };
    shape("user", "user", "write, say, `user:profile:string`");
    shape("string", "string", "write, say, `user:profile:string`");
    shape("user:string", "user:string", "say what is stored, as in `user:profile:string`");
    tells(
        &[],
        &attribute("user:strng"),
        &[
            ("user:strng", Rule::Shape, "say what is stored, as in `user:profile:string`"),
            ("strng", Rule::TypeSuffix, "write `string`"),
        ],
    );
}

#[test]
fn a_key_ends_with_its_type() {
    for (written, kind) in
        [("strng", "string"), ("String", "string"), ("str", "string"), ("STRING", "string"), ("strings", "string")]
    {
        template_tells(&format!("user:name:{{id}}:{written}"), written, Rule::TypeSuffix, &format!("write `{kind}`"));
    }
    for (written, kind) in [
        ("sortedset", "zset"),
        ("sorted_set", "zset"),
        ("sorted.set", "zset"),
        ("SortedSet", "zset"),
        ("map", "hash"),
        ("HashMap", "hash"),
        ("hll", "hyperloglog"),
        ("lst", "list"),
        ("bitset", "bitmap"),
        ("geospatial", "geo"),
    ] {
        let checked = checked(&["id"], &format!("user:name:{{id}}:{written}, value = u64, ttl = 1h"));
        let help =
            checked.diagnostics.iter().find(|told| told.rule == Rule::TypeSuffix).and_then(|told| told.help.clone());
        assert_eq!(help, Some(format!("write `{kind}`")), "{written}");
    }
}

#[test]
fn a_missing_type_is_guessed_from_the_options() {
    let types = "the types are `string`, `hash`, `list`, `set`, `zset`, `bitmap`, `hyperloglog`, `geo` and `stream`";
    let guess = |options: &str, likely: &str| {
        let attribute = format!("user:profile:{{id}}, ttl = 1h, value = String{options}");
        tells(&["id"], &attribute, &[("{id}", Rule::TypeSuffix, &format!("write `{{id}}:{likely}`; {types}"))]);
    };
    guess("", "string");
    let help = format!("write `{{id}}:hash`; {types}");
    tells(&["id"], "user:name:{id}.hash, value = u64, ttl = 1h", &[("{id}.hash", Rule::TypeSuffix, &help)]);
    guess(", field = String", "hash");
    guess(", keep_last = 10", "list");
    guess(", keep_top = 10", "zset");
}

#[test]
fn a_missing_type_hides_no_other_fault() {
    let types = "the types are `string`, `hash`, `list`, `set`, `zset`, `bitmap`, `hyperloglog`, `geo` and `stream`";
    tells(
        &[],
        "user:basicInfo, value = u64, ttl = 1h",
        &[
            ("basicInfo", Rule::TypeSuffix, &format!("write `basic.info:string`; {types}")),
            ("basicInfo", Rule::LowerCase, "write `basic.info`"),
        ],
    );
}

#[test]
fn a_key_has_at_most_128_bytes_whatever_its_parameters_are() {
    let told = |literal: usize, types: &[&str]| {
        let names = ["a", "b"];
        let fields = types.iter().zip(names).map(|(ty, name)| Field {
            name: name.to_owned(),
            ty,
            phantom: false,
            attributes: vec![],
        });
        let fields: Vec<_> = fields.collect();
        let placeholders = [":{a}", ":{b}"][..types.len()].concat();
        let word = "x".repeat(literal - "user:".len() - types.len() - ":string".len());
        let template = format!("user:{word}{placeholders}:string");
        let attribute = format!("{template}, value = u64, ttl = 1h");
        let item =
            Item { shape: Shape::Struct, documented: true, attributes: vec![Attribute::Arguments(&attribute)], fields };
        let checked = check(&item);
        let told = checked.diagnostics.first().map(|told| {
            assert_eq!(underlined(&attribute, &told.place), template);
            format!("{} / {}", told.message, told.help.clone().unwrap_or_default())
        });
        (told, checked.declaration.fits())
    };
    assert_eq!(told(128, &[]), (None, true));
    assert_eq!(told(108, &["u64"]), (None, true));
    assert_eq!(told(89, &["i64", "usize"]), (None, true));
    assert_eq!(told(126, &["String", "&'static str"]), (None, true));
    assert_eq!(told(126, &["Cow<'a,str>", "Arc<str>"]), (None, true));
    assert_eq!(told(100, &["&'a Substr"]), (None, false));
    assert_eq!(told(100, &["UserId"]), (None, false));
    let message = "this key can be 129 bytes long, and a key has at most 128 / shorten it: the literal text has";
    assert_eq!(told(129, &[]), (Some(format!("{message} 129 bytes")), false));
    assert_eq!(told(109, &["u64"]), (Some(format!("{message} 109 bytes, `a` up to 20")), false));
    assert_eq!(told(85, &["i128", "bool"]), (Some(format!("{message} 85 bytes, `a` up to 39, `b` up to 5")), false));
    assert_eq!(told(128, &["UserId"]), (Some(format!("{message} 128 bytes")), false));
}

#[test]
fn all_faults_are_told_at_once_in_order() {
    tells(
        &["user_id"],
        "User:basicInfo:{user_idd}:strng, value = Profile, expire = 3600",
        &[
            ("User", Rule::LowerCase, "write `user`"),
            ("basicInfo", Rule::LowerCase, "write `basic.info`"),
            ("user_idd", Rule::Parameters, "write `{user_id}`"),
            ("strng", Rule::TypeSuffix, "write `string`"),
            ("expire", Rule::Declaration, "write `ttl = 3600s`"),
        ],
    );
}

#[test]
fn quotes_change_no_message_and_no_place() {
    tells(
        &["id"],
        "\"user:userInfo:{id}:string\", value = \"json<Profile>\", ttl = \"3600\"",
        &[
            ("userInfo", Rule::LowerCase, "write `user.info`"),
            ("json", Rule::StoredForm, "write `Json`"),
            ("3600", Rule::Expiry, "write `3600s`"),
        ],
    );
}

//! The options of fields.

use super::*;

#[test]
fn options_are_read() {
    let attribute = "rename = \"mail\", value = Json<Mail>, default, ttl = 1h30m,";
    let read = reads(("email", "Mail", attribute));
    assert_eq!((read.stored.as_str(), read.presence), ("mail", Presence::Default));
    assert_eq!(read.ttl, Some(Duration::from_secs(5400)));
    let form = read.value.map(|(index, form)| (index, attribute.get(form.range), form.ours.len()));
    assert_eq!(form, Some((0, Some("Json<Mail>"), 1)));
    let quoted = reads(("email", "Option<Mail>", "value = \"Json<Mail>\", ttl = \"10m\""));
    assert_eq!((quoted.presence, quoted.ttl), (Presence::Optional, Some(Duration::from_secs(600))));
    assert_eq!(reads(("email", "u8", "r#default")).presence, Presence::Default);
}

#[test]
fn attributes_add_up() {
    let mut item = item(&[ID, ("email", "String", "default")]);
    item.fields[1].attributes.push(Attribute::Arguments("rename = mail"));
    item_reports(&item, &[]);
    item.fields[1].attributes.push(Attribute::Arguments("rename = post"));
    item_reports(&item, &[("rename", Rule::Declaration, "keep one of them")]);
}

#[test]
fn an_option_stands_once() {
    reports(("a", "u8", "default, default"), &[("default", Rule::Declaration, "keep one of them")]);
    reports(("a", "u8", "rename = x, rename = y"), &[("rename", Rule::Declaration, "keep one of them")]);
}

#[test]
fn unknown_options_are_guessed_or_listed() {
    reports(("a", "u8", "defualt"), &[("defualt", Rule::Declaration, "did you mean `default`?")]);
    reports(("a", "u8", "renam = x"), &[("renam", Rule::Declaration, "did you mean `rename`?")]);
    reports(("a", "Option<u8>", "tll = 1h"), &[("tll", Rule::Declaration, "did you mean `ttl`?")]);
    let help = "the options are `rename`, `default`, `value`, `ttl` and `allow`";
    reports(("a", "u8", "colour = red"), &[("colour", Rule::Declaration, help)]);
    reports(("a", "u8", "!"), &[("!", Rule::Declaration, help)]);
}

#[test]
fn options_of_other_libraries_are_translated() {
    for (written, instead) in [
        ("name = \"mail\"", "write `rename = \"mail\"`"),
        ("alias = \"mail\"", "write `rename = \"mail\"` if it is stored under that name"),
        ("rename_all = \"camelCase\"", "write `rename = \"…\"` at the field"),
        ("expire = 600", "write `ttl = 600s`"),
        ("ex = \"10min\"", "write `ttl = 10m`"),
        ("json", "write `value = Json<Mail>`"),
        ("codec = msgpack", "write `value = MessagePack<Mail>`"),
        ("with = \"my::form\"", "implement `Stored` for a type of your own, and name that in `value`"),
        ("skip", "move the field out of the struct"),
        ("skip_serializing_if = \"Option::is_none\"", "remove it, and write `Option<Mail>` as the field's type"),
        ("flatten", "write its fields here, or add `value = Json<Mail>`"),
        ("nullable", "remove it, and write `Option<Mail>` as the field's type"),
    ] {
        let name = written.split(' ').next().unwrap_or_default();
        reports(("email", "Option<Mail>", written), &[(name, Rule::Declaration, instead)]);
    }
}

#[test]
fn commas_stand_between_options() {
    for (written, underlined) in [
        ("rename = \"x\"default", "default"),
        ("rename = \"x\" default", "default"),
        ("default rename = \"x\"", "rename"),
        ("default value = Json<P>", "value"),
        ("value = Json<P>default", "default"),
    ] {
        let help = format!("write `, {underlined}`");
        reports(("a", "P", written), &[(underlined, Rule::Declaration, &help)]);
    }
    reports(
        ("a", "P", "value = Json<P>ttl = 1h default"),
        &[("ttl", Rule::Declaration, "write `, ttl`"), ("default", Rule::Declaration, "write `, default`")],
    );
    reports(("a", "u8", "default,, rename = x"), &[(",", Rule::Declaration, "remove it")]);
    reports(("a", "u8", ", default"), &[(",", Rule::Declaration, "remove it")]);
    // A bracket that nothing closes hides no option after it.
    let reported = [
        ("Zstd", Rule::StoredForm, "write `Zstd<Json<Profile>>`"),
        ("defualt", Rule::Declaration, "did you mean `default`?"),
    ];
    reports(("a", "u8", "value = Zstd<, defualt"), &reported);
    // A word that looks like an option is a value here.
    assert_eq!(reads(("a", "u8", "rename = default")).stored, "default");
    assert_eq!(reads(("a", "u8", "rename = \"the-ttl\"")).stored, "the-ttl");
    assert_eq!(reads(("a", "u8", "value = my::default")).presence, Presence::Mandatory);
}

#[test]
fn an_option_has_its_form() {
    reports(("a", "u8", "rename"), &[("rename", Rule::Declaration, "write `rename = \"…\"`")]);
    reports(("a", "u8", "rename ="), &[("rename", Rule::Declaration, "write `rename = \"…\"`")]);
    reports(("a", "u8", "value = \"\""), &[("value", Rule::Declaration, "write `value = Json<Address>`")]);
    reports(("a", "u8", "rename(\"x\")"), &[("rename(\"x\")", Rule::Declaration, "write `rename = \"x\"`")]);
    reports(("a", "Option<u8>", "ttl: 10m"), &[("ttl: 10m", Rule::Declaration, "write `ttl = 10m`")]);
    reports(("a", "u8", "rename \"x\""), &[("rename \"x\"", Rule::Declaration, "write `rename = \"x\"`")]);
    for attribute in ["default = 5", "default = \"five\"", "default(5)"] {
        let checked = check_record(&item(&[ID, ("a", "u8", attribute)]), &Policy::default());
        assert_eq!(checked.diagnostics.len(), 1, "{attribute}");
        assert_eq!(checked.diagnostics[0].suggestion, "write `default`");
    }
    reports(("a", "u8", "default = 5"), &[("5", Rule::Declaration, "write `default`")]);
}

#[test]
fn an_attribute_says_something() {
    let help = "write `redis_hash(rename = \"…\")`, for example, or remove it";
    reports(("a", "u8", " "), &[("the attribute of a", Rule::Declaration, help)]);
    for attribute in [Attribute::Word, Attribute::Value("\"x\"")] {
        let mut item = item(&[ID]);
        item.fields[0].attributes.push(attribute);
        assert_eq!(check_record(&item, &Policy::default()).diagnostics.len(), 1);
    }
    let reported = [("the attribute of of", Rule::Declaration, "remove the attribute")];
    reports(("of", "PhantomData<T>", "default, rename = x"), &reported);
}

#[test]
fn default_says_something() {
    reports(("a", "Option<u8>", "default"), &[("default", Rule::Declaration, "remove it")]);
}

#[test]
fn what_expires_may_be_missing() {
    let help = "write `a: Option<u8>`, or add `default`";
    reports(("a", "u8", "ttl = 10m"), &[("ttl", Rule::Expiry, help)]);
    reports(
        ("a", "u8", "expire = 600"),
        &[("expire", Rule::Declaration, "write `ttl = 600s`"), ("expire", Rule::Expiry, help)],
    );
    reports(("a", "u8", "ttl = 10m, default"), &[]);
    reports(("a", "Option<u8>", "ttl = 600"), &[("600", Rule::Expiry, "write `600s`")]);
    reports(("a", "Option<u8>", "ttl = \"1 hour\""), &[("1 hour", Rule::Expiry, "write `1h`")]);
    reports(("a", "Option<u8>", "ttl = never"), &[("never", Rule::Expiry, "remove the `ttl`")]);
    reports(("a", "Option<u8>", "ttl = 4000d"), &[("4000d", Rule::Expiry, "remove the `ttl`")]);
    reports(("a", "Option<u8>", "ttl = 0s"), &[("0s", Rule::Expiry, "write `1h`")]);
}

#[test]
fn a_record_has_no_template() {
    for attribute in ["user:profile:{id}:hash, ttl = 1h", "\"user:profile:{id}:hash\", crate = x"] {
        let template = attribute.split(',').next().unwrap_or_default();
        let mut item = item(&[ID]);
        item.attributes.push(Attribute::Arguments(attribute));
        let help = "declare the key as another struct with `#[derive(RedisKey)]`, and this record as its `value`";
        item_reports(&item, &[(template, Rule::Declaration, help)]);
    }
}

#[test]
fn an_allow_names_the_lint_and_a_reason() {
    let allow = |arguments: &str, expected: &[(&str, Rule, &str)]| {
        reports(("token", "String", &format!("allow{arguments}")), expected);
    };
    allow("(plain_secret, reason = \"x\")", &[]);
    let only = "write `plain_secret`, the only one, or remove it";
    allow("(long_key, reason = \"x\")", &[("long_key", Rule::Declaration, only)]);
    let reason = "write `allow(plain_secret, reason = \"…\")`";
    allow("(plain_secret)", &[("allow", Rule::Declaration, reason)]);
    allow(" = plain_secret", &[("allow = plain_secret", Rule::Declaration, reason)]);
}

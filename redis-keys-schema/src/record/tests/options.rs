//! What the attributes of fields say.

use super::*;

#[test]
fn options_are_read() {
    let attribute = "rename = \"mail\", value = Json<Mail>, default, ttl = 1h30m,";
    let read = reads(("email", "Mail", attribute));
    assert_eq!((read.stored.as_str(), read.presence), ("mail", Presence::Default));
    assert_eq!(read.ttl, Some(Duration::from_secs(5400)));
    let form = read.value.map(|(number, form)| (number, attribute.get(form.range), form.ours.len()));
    assert_eq!(form, Some((0, Some("Json<Mail>"), 1)));
    let quoted = reads(("email", "Option<Mail>", "value = \"Json<Mail>\", ttl = \"10m\""));
    assert_eq!((quoted.presence, quoted.ttl), (Presence::Optional, Some(Duration::from_secs(600))));
    assert_eq!(reads(("email", "u8", "r#default")).presence, Presence::Default);
}

#[test]
fn attributes_add_up() {
    let mut item = item(&[ID, ("email", "String", "default")]);
    item.fields[1].attributes.push(Attribute::Arguments("rename = mail"));
    item_tells(&item, &[]);
    item.fields[1].attributes.push(Attribute::Arguments("rename = post"));
    item_tells(&item, &[("rename", Rule::Declaration, "keep one of them")]);
}

#[test]
fn an_option_stands_once() {
    tells(("a", "u8", "default, default"), &[("default", Rule::Declaration, "keep one of them")]);
    tells(("a", "u8", "rename = x, rename = y"), &[("rename", Rule::Declaration, "keep one of them")]);
}

#[test]
fn unknown_options_are_guessed_or_listed() {
    tells(("a", "u8", "defualt"), &[("defualt", Rule::Declaration, "write `default`")]);
    tells(("a", "u8", "renam = x"), &[("renam", Rule::Declaration, "write `rename`")]);
    tells(("a", "Option<u8>", "tll = 1h"), &[("tll", Rule::Declaration, "write `ttl`")]);
    let help = "the options are `rename`, `default`, `value` and `ttl`";
    tells(("a", "u8", "colour = red"), &[("colour", Rule::Declaration, help)]);
    tells(("a", "u8", "!"), &[("!", Rule::Declaration, help)]);
}

#[test]
fn options_of_other_libraries_are_translated() {
    for (written, instead) in [
        ("name = \"mail\"", "write `rename = \"mail\"`"),
        ("alias = \"mail\"", "write `rename = \"mail\"` if it is that one"),
        ("rename_all = \"camelCase\"", "write `rename = \"…\"` at the field"),
        ("expire = 600", "write `ttl = 600s`"),
        ("ex = \"10min\"", "write `ttl = 10m`"),
        ("json", "write `value = Json<Mail>`"),
        ("codec = msgpack", "write `value = MessagePack<Mail>`"),
        ("with = \"my::form\"", "write `value = …`, with a type of your own that implements `Stored`"),
        ("skip", "move the field out of the struct"),
        ("skip_serializing_if = \"Option::is_none\"", "remove it, and write `Option<Mail>`"),
        ("flatten", "write its fields here, or store it as one with `value = Json<Mail>`"),
        ("nullable", "write `email: Option<Mail>`"),
    ] {
        let name = written.split(' ').next().unwrap_or_default();
        tells(("email", "Option<Mail>", written), &[(name, Rule::Declaration, instead)]);
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
        tells(("a", "P", written), &[(underlined, Rule::Declaration, &help)]);
    }
    tells(
        ("a", "P", "value = Json<P>ttl = 1h default"),
        &[("ttl", Rule::Declaration, "write `, ttl`"), ("default", Rule::Declaration, "write `, default`")],
    );
    tells(("a", "u8", "default,, rename = x"), &[(",", Rule::Declaration, "remove it")]);
    tells(("a", "u8", ", default"), &[(",", Rule::Declaration, "remove it")]);
    // What looks like an option is a value here.
    assert_eq!(reads(("a", "u8", "rename = default")).stored, "default");
    assert_eq!(reads(("a", "u8", "rename = \"the-ttl\"")).stored, "the-ttl");
    assert_eq!(reads(("a", "u8", "value = my::default")).presence, Presence::Mandatory);
}

#[test]
fn an_option_has_its_form() {
    tells(("a", "u8", "rename"), &[("rename", Rule::Declaration, "write `rename = \"…\"`")]);
    tells(("a", "u8", "rename ="), &[("rename", Rule::Declaration, "write `rename = \"…\"`")]);
    tells(("a", "u8", "value = \"\""), &[("value", Rule::Declaration, "write `value = Json<Address>`")]);
    tells(("a", "u8", "rename(\"x\")"), &[("rename(\"x\")", Rule::Declaration, "write `rename = \"x\"`")]);
    tells(("a", "Option<u8>", "ttl: 10m"), &[("ttl: 10m", Rule::Declaration, "write `ttl = 10m`")]);
    tells(("a", "u8", "rename \"x\""), &[("rename \"x\"", Rule::Declaration, "write `rename = \"x\"`")]);
    for attribute in ["default = 5", "default = \"five\"", "default(5)"] {
        let checked = check_record(&item(&[ID, ("a", "u8", attribute)]));
        assert_eq!(checked.diagnostics.len(), 1, "{attribute}");
        assert_eq!(checked.diagnostics[0].help.as_deref(), Some("write `default`"));
    }
    tells(("a", "u8", "default = 5"), &[("5", Rule::Declaration, "write `default`")]);
}

#[test]
fn an_attribute_says_something() {
    let help = "write, say, `redis_hash(rename = \"…\")`, or remove it";
    tells(("a", "u8", " "), &[("the attribute of a", Rule::Declaration, help)]);
    for attribute in [Attribute::Word, Attribute::Value("\"x\"")] {
        let mut item = item(&[ID]);
        item.fields[0].attributes.push(attribute);
        assert_eq!(check_record(&item).diagnostics.len(), 1);
    }
    let told = [("the attribute of of", Rule::Declaration, "remove the attribute")];
    tells(("of", "PhantomData<T>", "default, rename = x"), &told);
}

#[test]
fn default_says_something() {
    tells(("a", "Option<u8>", "default"), &[("default", Rule::Declaration, "remove it")]);
}

#[test]
fn what_expires_may_be_missing() {
    let help = "write `a: Option<u8>`, or add `default`";
    tells(("a", "u8", "ttl = 10m"), &[("ttl", Rule::Expiry, help)]);
    tells(
        ("a", "u8", "expire = 600"),
        &[("expire", Rule::Declaration, "write `ttl = 600s`"), ("expire", Rule::Expiry, help)],
    );
    tells(("a", "u8", "ttl = 10m, default"), &[]);
    tells(("a", "Option<u8>", "ttl = 600"), &[("600", Rule::Expiry, "write `600s`")]);
    tells(("a", "Option<u8>", "ttl = \"1 hour\""), &[("1 hour", Rule::Expiry, "write `1h`")]);
    tells(("a", "Option<u8>", "ttl = never"), &[("never", Rule::Expiry, "remove the `ttl`")]);
    tells(("a", "Option<u8>", "ttl = 4000d"), &[("4000d", Rule::Expiry, "remove the `ttl`")]);
    tells(("a", "Option<u8>", "ttl = 0s"), &[("0s", Rule::Expiry, "write `1h`")]);
}

//! Values that are none, or too much, and what to write instead.

use super::tells;
use crate::Policy;

#[test]
fn values_are_told_with_one_that_is_right() {
    let limit = |limit: &str, help: &str| {
        let value = limit.split(" = ").nth(1).unwrap_or_default();
        tells(&format!("[limits]\n{limit}"), &[(2, limit.len() - value.len() + 1, value, help)]);
    };
    limit("max_bytes = \"99999999999999999999MB\"", "write `\"1MB\"` or less");
    limit("max_bytes = '99999999999999999999'", "write `\"1MB\"` or less");
    limit("max_bytes = '4mb'", "write `\"1MB\"` or less");
    limit("max_bytes = '1mb'", "write `\"1MB\"`");
    limit("max_member_bytes = '2MB'", "write `\"1MB\"` or less");
    limit("longest_ttl = '99999999999999999999d'", "write `\"3650d\"` or less");
    limit("longest_ttl = '11y'", "write `\"3650d\"` or less");
    limit("longest_ttl = '30days'", "write `\"30d\"`");
    let window = |window: &str, help: &str| {
        let written = format!("\"{window}\"");
        tells(&format!("[module.user]\nttl = {written}"), &[(2, 7, &written, help)]);
    };
    window("5m...1h", "write `\"5m..1h\"`");
    window("0s..1h", "write `\"..1h\"`");
    window("4000d..", "write `\"3650d..\"` or less");
}

#[test]
fn nothing_is_told_as_nothing() {
    let told = |text: &str| Policy::parse(text).1.first().map(|fault| fault.message.clone()).unwrap_or_default();
    tells("[abbreviations]\nbar = \"\"", &[(2, 7, "\"\"", "write, say, `bar = \"b\"`, or remove the line")]);
    tells("[abbreviations]\nb = ' '", &[(2, 5, "' '", "remove the line")]);
    tells("[abbreviations]\n\"\" = \"b\"", &[(2, 1, "\"\"", "write, say, `user`")]);
    tells("modules = ['']", &[(1, 12, "''", "write, say, `user`")]);
    assert_eq!(told("[abbreviations]\nfile.path = ''"), "nothing is written for `file.path`");
    assert_eq!(told("modules = ['']"), "words of a key stand here, and nothing is written");
}

#[test]
fn the_list_of_modules_has_one_name() {
    tells("module = [\"user\"]", &[(1, 1, "module", "write `modules = [\"user\"]`")]);
    tells("module = ['user', 'shop']", &[(1, 1, "module", "write `modules = [\"user\", \"shop\"]`")]);
    tells("module = 'shop'", &[(1, 1, "module", "write `modules = [\"shop\"]`")]);
    tells("module = []", &[(1, 1, "module", "write `modules = [\"user\"]`")]);
    tells("module = 7", &[(1, 10, "7", "write `[module.cache]`")]);
    tells("module.user = ['x']", &[(1, 15, "['x']", "write `[module.user]`")]);
}

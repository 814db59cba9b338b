//! What stands in two places of a file, or twice in one list.

use super::{right, tells};

#[test]
fn a_module_has_one_table_whatever_it_is_called() {
    let help = "put the two together";
    tells("[modules.user]\nowner = 'x'\n[module.user]\nowner = 'y'", &[(3, 9, "user", help)]);
    tells("[module.user]\nowner = 'x'\n[modules.user]\nttl = '..1h'", &[(3, 10, "user", help)]);
    // The later one, also where another table of its kind stands above.
    tells("[module.cache]\n[modules.user]\n[module.user]", &[(3, 9, "user", help)]);
    tells("modules.'a.b'.owner = 'x'\nmodule.'a.b'.ttl = '1d..'", &[(2, 8, "'a.b'", help)]);
    let policy = right("[modules.user]\nowner = 'x'\n[module.shop]\nowner = 'y'");
    let owner = |module: &str| policy.of_module(module).and_then(|module| module.owner.clone());
    assert_eq!([owner("user"), owner("shop")].map(Option::unwrap_or_default), ["x", "y"]);
    let (_, faults) = crate::Policy::parse("[module.cache]\n[modules.'a.b']\n[module.'a.b']");
    let told = faults.first().map(|fault| fault.message.as_str());
    assert_eq!(told, Some("the table `[modules.\"a.b\"]` is there already, and this is the same"));
}

#[test]
fn a_list_names_each_once() {
    tells("modules = ['user', 'user']", &[(1, 20, "'user'", "keep one of them")]);
    tells("[module.user]\ntypes = ['string', 'hash', 'string']", &[(2, 28, "'string'", "keep one of them")]);
}

#[test]
fn no_window_goes_beyond_the_longest_ttl() {
    let told = |window: &str, instead: &str| {
        let file = |table: &str| format!("[limits]\nlongest_ttl = '1d'\n[{table}.user]\nttl = '{window}'\n");
        let written = format!("'{window}'");
        let help = format!("write {instead}, or a longer `longest_ttl`");
        for table in ["module", "modules"] {
            tells(&file(table), &[(4, 7, &written, &help)]);
        }
    };
    told("2d..3d", "`\"..1d\"`");
    told("1h..3d", "`\"1h..1d\"`");
    told("..25h", "`\"..1d\"`");
    told("2d..", "`\"1d..\"` or less");
    for window in ["1h..1d", "..1d", "1d..", "1h.."] {
        right(&format!("[module.user]\nttl = '{window}'\n[limits]\nlongest_ttl = '1d'"));
    }
    right("[module.user]\nttl = '2d..3d'");
    // A window that is none is told once.
    tells("limits.longest_ttl = '1d'\nmodule.user.ttl = '3d..2d'", &[(2, 19, "'3d..2d'", "write `\"2d..3d\"`")]);
}

#[test]
fn a_module_of_the_list_keeps_its_name() {
    // The lint leaves it alone where it is the module, and speaks of it as any other word.
    right("modules = ['user']\n[abbreviations]\nuser = 'u'");
}

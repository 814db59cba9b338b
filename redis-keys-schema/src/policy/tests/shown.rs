//! How mistakes are shown, and how many.

use crate::Policy;
use crate::policy::MOST_FAULTS;

#[test]
fn a_fault_is_told_with_its_line() {
    let text = "[limits]\n\tmax_len = \"é…\" # so many";
    let (_, faults) = Policy::parse(text);
    assert_eq!(
        faults.first().map(|fault| fault.told("redis-keys.toml", text).to_string()).as_deref(),
        Some(
            "redis-keys.toml:2:12: `max_len` is a whole number, and this is a text\n    \tmax_len = \"é…\" # so many\n    \
             \t          ^^^^\nhelp: write `max_len = 5000` or less\nrule: policy"
        )
    );
}

#[test]
fn what_can_not_be_printed_is_shown_by_a_sign() {
    let shown = |text: &str| {
        let told = Policy::parse(text).1.first().map(|fault| fault.told("f", text).to_string()).unwrap_or_default();
        told.lines().skip(1).take(2).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(shown("[limits]\r\nmax_len = 0\r\n"), ["    max_len = 0", "              ^"]);
    assert_eq!(shown("a = 1\rb\u{1b}[31m\u{7f}\u{85}\u{200b}\n"), ["    a = 1␍b␛[31m␡\u{fffd}\u{fffd}", "         ^"]);
    // Of a long line only the part is shown that is at fault.
    let many = "\"user\", ".repeat(100);
    let shown = shown(&format!("modules = [{many}é, {many}]"));
    let lengths: Vec<_> = shown.iter().map(|line| line.chars().count()).collect();
    assert_eq!(lengths, [126, 66]);
    let at = shown.first().map(|line| line.chars().skip(65).take(1).collect::<String>());
    assert_eq!(at.as_deref(), Some("é"));
}

#[test]
fn of_a_file_that_is_something_else_not_all_is_told() {
    for line in ["x y z\n", "\"\n", "[x\n", "= \n", "a.b = 1\n", "], ", "a\r"] {
        let text = line.repeat(64 * 1024 / line.len());
        let (_, faults) = Policy::parse(&text);
        assert!((1..=MOST_FAULTS + 1).contains(&faults.len()), "{line}");
        let longest = faults.iter().map(|fault| fault.told("f", &text).to_string().len()).max();
        assert!(longest.is_some_and(|longest| longest < 2000), "{line}");
    }
}

#[test]
fn of_many_mistakes_the_first_are_told_and_the_others_counted() {
    let file = |mistakes: usize| {
        let names: Vec<_> = (100..100 + mistakes).map(|number| format!("\"Ab{number}\"")).collect();
        format!("modules = [{}]\n", names.join(","))
    };
    let told = |text: &str| {
        let (_, faults) = Policy::parse(text);
        let last = faults.last().map(|last| {
            let part = text.get(last.range.clone()).unwrap_or_default();
            (last.place(text), part.to_owned(), last.message.clone(), last.help.clone())
        });
        (faults.len(), last)
    };
    let rest = |column, part: &str, message: &str| {
        let help = "put right what is told, and see what is left";
        (21, Some(((1, column), part.to_owned(), message.to_owned(), help.to_owned())))
    };
    assert_eq!(told(&file(20)).0, 20);
    assert!(
        told(&file(20))
            .1
            .is_some_and(|(_, part, _, help)| (part, help) == ("\"Ab119\"".into(), "write `ab119`".into()))
    );
    assert_eq!(told(&file(21)), rest(172, "\"Ab120\"", "and 1 more mistake, from here on"));
    assert_eq!(told(&file(3000)), rest(172, "\"Ab120\"", "and 2980 more mistakes, from here on"));
    // However long its one line is.
    let text = file(3000);
    let all: usize = Policy::parse(&text).1.iter().map(|fault| fault.told("f", &text).to_string().len()).sum();
    assert!(all < 10_000, "{all} bytes are told");
    // Where not all were looked at, none can be counted.
    let (count, last) = told(&"x y z\n".repeat(1000));
    let message = last.map(|(place, _, message, _)| (place, message));
    assert_eq!((count, message), (21, Some(((21, 1), "and 80 more mistakes at least, from here on".to_owned()))));
}

//! The forms of keys and records.

use redis_keys_macros::KeySegment;

use crate::stored::Stored;

fn form<F: Stored>() -> String {
    let mut notes = Vec::new();
    let form = F::form(&mut notes);
    assert_eq!(form.to_string().parse(), Ok(form.clone()));
    assert_eq!(notes, [] as [String; 0]);
    form.to_string()
}

#[derive(KeySegment)]
#[redis_key(crate = crate)]
enum Plan {
    Free,
    Paid,
}

#[test]
fn values_as_text_and_as_bytes() {
    assert_eq!((form::<u8>(), form::<usize>(), form::<isize>()), ("u8".into(), "u64".into(), "i64".into()));
    assert_eq!((form::<f64>(), form::<bool>()), ("f64".into(), "bool".into()));
    assert_eq!((form::<String>(), form::<Vec<u8>>()), ("text".into(), "bytes".into()));
    assert_eq!(form::<std::net::IpAddr>(), "text of IpAddr");
    assert_eq!(form::<Plan>(), "text of \"Plan: free, paid\"");
}

#![allow(clippy::panic, clippy::unwrap_used, reason = "a test that cannot go on")]

use super::*;

const TEXT: &str = r#"record {
  name: text
  uuid: text of Uuid?
  visits: u64
  flag: bool
  raw: bytes
  own: own form "shop::Point"
  profile: Zstd<Secret<Postcard<2, only {
    id: u64
    "full name": text
    mail: text like "a@b.example" (or mail_address, or "e\u{27}mail")
    age: u8? (needed)
    old: u32 (optional, not written)
    new: i128 (not read, not always written)
    guess: f64 (perhaps needed)
    at: (i32, [char])
    by_name: map<text, unit>
    tree: [up<1>?]??
    state: enum by type in data or other {
      Free
      Old (not written)
      Paid: u8
      Both (u8, bytes)
      None ()
      Named {
        x: bool
      }
      Odd only partly {}
      only
      Last: unit (not written)
    }
    rules: checked<u8, not "0", not "the largest">
    anything: any<unknown>
    payment: one of {
      {
        card: u64
      }
      text?
      one of {}
    }
    inner: partly {
      y: f32
    }
  }>>>
  message: Protobuf<{
    1: u64
  }>
  pack: MessagePack<enum {}>
}"#;

#[test]
fn a_text_is_read_and_written_again() {
    let form: Form = TEXT.parse().unwrap();
    assert_eq!(form.to_string(), TEXT);
    for form in ["u8", "f64", "bool", "text", "Gzip<bytes>", "Lz4<text>", "Snappy<Json<unknown>>", "own form Point"] {
        assert_eq!(form.parse::<Form>().unwrap().to_string(), form);
    }
}

#[test]
fn a_message_shows_a_shape_on_one_line() {
    let Form::Serde(_, shape) = "Json<{\n a: text\n b: enum {\n A\n B: u8\n }?\n}>".parse().unwrap() else { panic!() };
    assert_eq!(shape.to_string(), "{ a: text, b: enum { A, B: u8 }? }");
}

#[test]
fn a_damaged_text_is_an_error() {
    for (index, _) in TEXT.char_indices().skip(1) {
        assert!(TEXT[..index].parse::<Form>().is_err(), "{}", &TEXT[..index]);
        // Another character can be another name. It is no panic.
        let changed = format!("{}\u{e9}{}", &TEXT[..index], &TEXT[index + 1..]);
        assert!(
            changed.parse::<Form>().is_err() || TEXT[index..].starts_with(char::is_alphanumeric) || TEXT.contains('"')
        );
    }
    assert_eq!("Json<{\n<<<<<<< HEAD\n}>".parse::<Form>().unwrap_err().to_string(), "a name is expected at byte 7");
    assert!(format!("Json<{}", "[".repeat(100_000)).parse::<Form>().is_err());
    assert!("Json<{ a: u8 b: u8 }>".parse::<Form>().is_err());
    assert!("Postcard<300, u8>".parse::<Form>().is_err());
}

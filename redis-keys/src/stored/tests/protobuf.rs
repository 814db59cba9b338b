//! `Protobuf<P>`.

use super::{Stored as _, bytes, told};
use crate::stored::Protobuf;

#[derive(Clone, PartialEq, prost::Message)]
struct Profile {
    #[prost(string, tag = "1")]
    name: String,
    #[prost(uint32, tag = "2")]
    age: u32,
    #[prost(message, optional, boxed, tag = "3")]
    parent: Option<Box<Profile>>,
}

fn ada() -> Profile {
    Profile { name: "Ada".to_owned(), age: 36, parent: None }
}

#[test]
fn fields_have_numbers() {
    let stored = bytes::<Protobuf<Profile>>(&ada()).unwrap();
    assert_eq!(stored, b"\x0a\x03Ada\x10\x24");
    assert_eq!(Protobuf::<Profile>::size_hint(&ada()), stored.len());
    assert_eq!(Protobuf::<Profile>::decode(stored).unwrap(), ada());
    assert_eq!(Protobuf::<Profile>::decode(Vec::new()).unwrap(), Profile::default());
    assert_eq!(Protobuf::<Profile>::decode(b"\x0a\x03Ada\x10\x24\x48\x01".to_vec()).unwrap(), ada());
}

#[test]
fn errors_never_say_what() {
    let wrong = "it is not this message in Protobuf";
    assert_eq!(told::<Protobuf<Profile>>(*b"secret"), wrong);
    assert_eq!(told::<Protobuf<Profile>>(*b"\x0a\x03Ad"), wrong);
    assert_eq!(told::<Protobuf<Profile>>(*b"\x0a\x03Ada\x10\x24\xff"), wrong);
    assert_eq!(told::<Protobuf<Profile>>(*b"\x0a\xff\xff\xff\xff\x0fA"), wrong);
}

#[test]
fn depth_is_bounded() {
    let nested = |depth| (0..depth).fold(ada(), |inner, _| Profile { parent: Some(Box::new(inner)), ..ada() });
    let stored = bytes::<Protobuf<Profile>>(&nested(90)).unwrap();
    assert_eq!(Protobuf::<Profile>::decode(stored).unwrap(), nested(90));
    let stored = bytes::<Protobuf<Profile>>(&nested(200)).unwrap();
    assert_eq!(told::<Protobuf<Profile>>(stored), "it is not this message in Protobuf");
}

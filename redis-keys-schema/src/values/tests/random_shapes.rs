//! Shapes as they come: nothing panics, and only the same form is no change.

use proptest::prelude::*;
use redis_keys_core::value_shape::{Codec, Content, Enum, Field, Form, Number, Read, Shape, Struct, Variant, Written};

use super::super::{compare, outcome, read};
use super::schema;

fn name() -> impl Strategy<Value = String> {
    prop::sample::select(vec!["a", "b", "c"]).prop_map(str::to_owned)
}

fn leaf() -> impl Strategy<Value = Shape> {
    prop::sample::select(vec![
        Shape::Unit,
        Shape::Bool,
        Shape::Char,
        Shape::Number(Number::U8),
        Shape::Number(Number::I64),
        Shape::Number(Number::F32),
        Shape::Text,
        Shape::TextLike("a".to_owned()),
        Shape::Bytes,
        Shape::Recursive(1),
        Shape::Unknown,
    ])
}

fn shape() -> impl Strategy<Value = Shape> {
    leaf().prop_recursive(4, 24, 3, |inner| {
        let boxed = |shape: Shape| Box::new(shape);
        prop_oneof![
            inner.clone().prop_map(move |shape| Shape::Option(boxed(shape))),
            inner.clone().prop_map(move |shape| Shape::List(boxed(shape))),
            inner.clone().prop_map(move |shape| Shape::Any(boxed(shape))),
            inner.clone().prop_map(move |shape| Shape::Checked(boxed(shape), vec!["0".to_owned()])),
            prop::collection::vec(inner.clone(), 0..3).prop_map(Shape::Tuple),
            prop::collection::vec(inner.clone(), 0..3).prop_map(Shape::OneOf),
            (inner.clone(), inner.clone()).prop_map(|pair| Shape::Map(Box::new(pair))),
            fields(inner.clone()).prop_map(Shape::Struct),
            variants(inner).prop_map(Shape::Enum),
        ]
    })
}

fn fields(inner: impl Strategy<Value = Shape>) -> impl Strategy<Value = Struct> {
    let read = prop::sample::select(vec![Read::Needed, Read::Optional, Read::Never, Read::Unknown]);
    let written = prop::sample::select(vec![Written::Always, Written::Sometimes, Written::Never]);
    let field = (name(), inner, read, written, prop::collection::vec(name(), 0..2));
    let field = field.prop_map(|(name, shape, read, written, aliases)| Field { name, shape, read, written, aliases });
    (prop::collection::vec(field, 0..3), any::<bool>(), any::<bool>())
        .prop_map(|(fields, rejects_others, is_partly_known)| Struct { fields, rejects_others, is_partly_known })
}

fn variants(inner: impl Strategy<Value = Shape> + Clone) -> impl Strategy<Value = Enum> {
    let content = prop_oneof![
        Just(Content::Unit),
        inner.clone().prop_map(Content::Newtype),
        prop::collection::vec(inner.clone(), 0..3).prop_map(Content::Tuple),
        fields(inner).prop_map(Content::Struct),
    ];
    let variant = (name(), content, any::<bool>());
    let variant = variant.prop_map(|(name, content, is_written)| Variant { name, content, is_written });
    let tags = (prop::option::of(name()), prop::option::of(name()));
    (prop::collection::vec(variant, 0..3), any::<bool>(), tags)
        .prop_map(|(variants, reads_others, (tag, content))| Enum { variants, reads_others, tag, content })
}

fn form() -> impl Strategy<Value = Form> {
    let codec = prop::sample::select(vec![Codec::Json, Codec::MessagePack, Codec::Postcard(1), Codec::Postcard(2)]);
    prop_oneof![
        (codec, shape()).prop_map(|(codec, shape)| Form::Serde(codec, shape)),
        shape().prop_map(Form::Protobuf),
        prop::sample::select(vec![Form::Bool, Form::Bytes, Form::Text(None), Form::Number(Number::U8)]),
    ]
}

proptest! {
    #[test]
    fn any_two_forms_can_be_compared(old in form(), older in form(), new in form()) {
        let schema = schema("user:name:{id}:string, value = String, ttl = 1h");
        let problem = compare(&schema, &[&old, &older], &new);
        prop_assert_eq!(problem.is_none(), old == new);
        if let Some(problem) = problem {
            prop_assert!(!problem.helps.is_empty() && !problem.title.is_empty());
            prop_assert!(compare(&schema, &[&old], &old).is_none());
        }
    }

    #[test]
    fn what_is_missing_for_one_reader_is_missing_for_a_stricter_one(written in shape(), reader in fields(leaf())) {
        let json = |shape| Form::Serde(Codec::Json, shape);
        let strict = Struct { rejects_others: true, ..reader.clone() };
        let worst = |reader| outcome(&read(&json(written.clone()), &json(Shape::Struct(reader))));
        let (lenient, strict) = (worst(Struct { rejects_others: false, ..reader }), worst(strict));
        prop_assert!(strict >= lenient, "{:?} {:?}", strict, lenient);
    }
}

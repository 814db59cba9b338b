//! Parameter types, without any name in scope.
#![no_implicit_prelude]
#![deny(warnings, missing_docs, deprecated)]

/// Names.
#[derive(::redis_keys::KeySegment)]
#[allow(non_camel_case_types)]
pub enum Section {
    /// Two words.
    BasicInfo,
    /// Another name.
    #[redis_key(rename = "orders.past")]
    PastOrders,
    /// The same without quotes, and with more.
    #[doc(alias = "now")]
    #[redis_key(rename = open)]
    Current,
    /// A keyword.
    r#type,
    /// No fields in braces.
    Empty {},
    /// None in brackets.
    None(),
    /// A deprecated variant.
    #[deprecated]
    Old,
}

/// One name.
#[derive(::redis_keys::KeySegment)]
#[redis_key(crate = ::redis_keys)]
pub enum Only {
    /// It.
    This = 7,
}

/// A number.
#[derive(::redis_keys::KeySegment)]
pub struct UserId(pub u64);

/// A newtype of a newtype, with a name.
#[derive(::redis_keys::KeySegment)]
pub struct Admin {
    /// Whose.
    pub r#fn: UserId,
}

/// Borrowed text.
#[derive(::redis_keys::KeySegment)]
pub struct Slug<'s>(pub &'s str);

/// Of anything.
#[derive(::redis_keys::KeySegment)]
pub struct Id<T, Of>(pub T, pub ::core::marker::PhantomData<Of>)
where
    T: ::core::marker::Copy;

/// Without a size.
#[derive(::redis_keys::KeySegment)]
pub struct Text(pub str);

/// Of anything, with a size or without.
#[derive(::redis_keys::KeySegment)]
pub struct Any<T: ?::core::marker::Sized>(pub T);

macro_rules! ids {
    ($($name:ident($type:ty);)*) => {$(
        /// By macro.
        #[derive(::redis_keys::KeySegment)]
        pub struct $name(pub $type);
    )*};
}

ids! {
    ShopId(u32);
    Sku(::std::string::String);
}

/// All of them.
#[derive(::redis_keys::RedisKey)]
#[redis_key(user:{section}:v.{only}:{id}:{admin}:{slug}:{of}:{shop}:{sku}:string, value = u64, ttl = 1h)]
pub struct All<'s> {
    /// Names.
    pub section: Section,
    /// One name.
    pub only: Only,
    /// A number.
    pub id: UserId,
    /// One inside another.
    pub admin: Admin,
    /// Text.
    pub slug: Slug<'s>,
    /// Of anything.
    pub of: Id<u8, All<'s>>,
    /// By macro.
    pub shop: ShopId,
    /// By macro.
    pub sku: Sku,
}

#[test]
fn parameter_types_print() {
    let key = |section| All {
        section,
        only: Only::This,
        id: UserId(42),
        admin: Admin { r#fn: UserId(1) },
        slug: Slug("a.b"),
        of: Id(7, ::core::marker::PhantomData),
        shop: ShopId(8),
        sku: Sku(<::std::string::String as ::core::convert::From<&str>>::from("x9")),
    };
    let told = |section| ::redis_keys::RedisKey::key(&key(section)).map(|key| ::std::string::ToString::to_string(&key));
    for (section, name) in [
        (Section::BasicInfo, "basic.info"),
        (Section::PastOrders, "orders.past"),
        (Section::Current, "open"),
        (Section::r#type, "type"),
        (Section::Empty {}, "empty"),
        (Section::None(), "none"),
    ] {
        let expected = ::std::format!("user:{name}:v.this:42:1:a.b:7:8:x9:string");
        ::std::assert_eq!(told(section).ok(), ::core::option::Option::Some(expected));
    }
}

#[test]
fn the_longest_is_known() {
    use ::redis_keys::KeySegment as Segment;
    ::std::assert_eq!(<Section as Segment>::LONGEST, ::core::option::Option::Some("orders.past".len()));
    ::std::assert_eq!(
        (<Section as Segment>::DOTTED, <Only as Segment>::DOTTED, <Admin as Segment>::DOTTED),
        (true, false, false)
    );
    ::std::assert_eq!(<Admin as Segment>::LONGEST, ::core::option::Option::Some(20));
    ::std::assert_eq!(<Id<u8, ()> as Segment>::LONGEST, ::core::option::Option::Some(3));
    ::std::assert_eq!(<Text as Segment>::LONGEST, ::core::option::Option::None);
}

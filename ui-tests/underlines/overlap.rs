//! Underlines of overlapping declarations: the template of the later one, and that of the earlier one in a note (`----`).
#![allow(dead_code)]

/// The same key in two modules.
mod modules_case {
    mod users {
        use redis_keys::prelude::*;

        #[derive(RedisKey)]
        #[redis_key(user:name:{id}:string, value = String, ttl = 1h)]
//                  ---------------------
        struct Name {
            id: u64,
        }
    }

    mod accounts {
        use redis_keys::prelude::*;

        #[derive(RedisKey)]
        #[redis_key(user:name:{account}:string, value = String, ttl = 1d, jitter = 1h)]
//                  ^^^^^^^^^^^^^^^^^^^^^^^^^^
// Differ: `accounts::Name` and `users::Name` overlap: they can produce the same key
        struct Name {
            account: u32,
        }
    }
}

/// Text that can be a literal of another key, in both orders.
mod text_case {
    use redis_keys::prelude::*;

    #[derive(RedisKey)]
    #[redis_key(user:{name}:string, value = String, ttl = 1h)]
//              ------------------
    struct ByName {
        name: String,
    }

    #[derive(RedisKey)]
    #[redis_key(user:me.myself:string, value = String, ttl = 1h)]
//              ^^^^^^^^^^^^^^^^^^^^^
// Differ: `Me` and `ByName` overlap: they can produce the same key
    struct Me;

    // Each has a literal where the other has a parameter.
    #[derive(RedisKey)]
    #[redis_key(shop:{country}:all:list, value = u64, ttl = 1h)]
//              -----------------------
    struct All<'c> {
        country: &'c str,
    }

    #[derive(RedisKey)]
    #[redis_key("shop:prices:{of}:list", value = u64, ttl = 1h)]
//              ^^^^^^^^^^^^^^^^^^^^^^^
// Differ: `Prices` and `All<'_>` overlap: they can produce the same key
    struct Prices {
        of: Box<str>,
    }
}

/// A parameter that is one word of several, in a function.
mod words_case {
    fn words() {
        use redis_keys::prelude::*;

        #[derive(RedisKey)]
        #[redis_key(app:v.{version}.notes:string, value = String, ttl = 1h)]
//                  ----------------------------
        struct Notes {
            version: u16,
        }

        #[derive(RedisKey)]
        #[redis_key(app:v.2.notes:string, value = String, ttl = 1h)]
//                  ^^^^^^^^^^^^^^^^^^^^
// Differ: `SecondNotes` and `Notes` overlap: they can produce the same key
        struct SecondNotes;
    }
}

/// User-defined types: one that renders numbers, and one that renders any text.
mod own_type_case {
    use redis_keys::{parameter::{SegmentWriter, ValueSet}, prelude::*, KeySegment};

    struct UserId(u64);

    impl KeySegment for UserId {
        const LONGEST: Option<usize> = u64::LONGEST;
        const VALUES: ValueSet = u64::VALUES;

        fn write(&self, out: &mut SegmentWriter<'_>) {
            self.0.write(out);
        }
    }

    struct Slug(String);

    impl KeySegment for Slug {
        const LONGEST: Option<usize> = None;

        fn write(&self, out: &mut SegmentWriter<'_>) {
            self.0.write(out);
        }
    }

    #[derive(RedisKey)]
    #[redis_key(ownx:{id}:string, value = String, ttl = 1h)]
//              ----------------
    struct ById {
        id: UserId,
    }

    #[derive(RedisKey)]
    #[redis_key(ownx:7:string, value = String, ttl = 1h)]
//              ^^^^^^^^^^^^^
// Differ: `Seventh` and `ById` overlap: they can produce the same key
    struct Seventh;

    #[derive(RedisKey)]
    #[redis_key(page:{slug}:string, value = String, ttl = 1h)]
//              ------------------
    struct BySlug {
        slug: Slug,
    }

    #[derive(RedisKey)]
    #[redis_key(page:home:string, value = String, ttl = 1h)]
//              ^^^^^^^^^^^^^^^^
// Differ: `Home` and `BySlug` overlap: they can produce the same key
    struct Home;
}

/// A type parameter can be any type.
mod generic_case {
    use redis_keys::prelude::*;

    #[derive(RedisKey)]
    #[redis_key(some:{id}:string, value = String, ttl = 1h)]
//              ----------------
    struct Any<T> {
        id: T,
    }

    #[derive(RedisKey)]
    #[redis_key(some:{yes}:string, value = String, ttl = 1h)]
//              ^^^^^^^^^^^^^^^^^
// Differ: `generic_case::Yes` and `generic_case::_::Any` overlap: they can produce the same key
    struct Yes {
        yes: bool,
    }
}

/// The same hash tag, with its braces.
mod hash_tag_case {
    use redis_keys::prelude::*;

    #[derive(RedisKey)]
    #[redis_key(cart:{#user}:items:list, value = u64, ttl = 1h)]
//              -----------------------
    struct Items {
        user: u64,
    }

    #[derive(RedisKey)]
    #[redis_key(cart:{#user}:{what}:list, value = u64, ttl = 1h)]
//              ^^^^^^^^^^^^^^^^^^^^^^^^
// Differ: `hash_tag_case::Any` and `Items` overlap: they can produce the same key
    struct Any {
        user: u64,
        what: String,
    }
}

/// Three keys that can be the same, and one that allows it.
mod three_case {
    use redis_keys::prelude::*;

    #[derive(RedisKey)]
    #[redis_key(trio:count:string, value = u64, ttl = 1h)]
//              -----------------
    struct One;

    #[derive(RedisKey)]
    #[redis_key("trio:count:string", value = "u64", ttl = "1h")]
//              ^^^^^^^^^^^^^^^^^^^
// Differ: `Two` and `One` overlap: they can produce the same key
    struct Two;

    #[derive(RedisKey)]
    #[redis_key(trio:{what}:string, value = u64, ttl = 1h)]
//              ^^^^^^^^^^^^^^^^^^
// Differ: `Three` and `One` overlap: they can produce the same key
// Differ: `Three` and `Two` overlap: they can produce the same key
    struct Three {
        what: String,
    }

    #[derive(RedisKey)]
    #[redis_key(trio:count:string, value = u64, ttl = 1h, allow(overlap, reason = "the old name of the first one"))]
    struct Old;
}

/// One common name of an enum, or one common number, is an overlap.
mod derived_case {
    use redis_keys::KeySegment;
    use redis_keys::parameter::bucket::Year;
    use redis_keys::prelude::*;

    #[derive(KeySegment)]
    enum Section {
        BasicInfo,
        Orders,
    }

    #[derive(KeySegment)]
    struct Id<T>(T);

    #[derive(KeySegment)]
    enum Other {
        Orders,
        Late,
    }

    #[derive(RedisKey)]
    #[redis_key(part:{section}:string, value = String, ttl = 1h)]
//              ---------------------
    struct Part {
        section: Section,
    }

    #[derive(RedisKey)]
    #[redis_key(part:basic.info:string, value = String, ttl = 1h)]
//              ^^^^^^^^^^^^^^^^^^^^^^
// Differ: `BasicInfo` and `Part` overlap: they can produce the same key
    struct BasicInfo;

    #[derive(RedisKey)]
    #[redis_key(part:basic.{word}:string, value = String, ttl = 1h)]
//              ^^^^^^^^^^^^^^^^^^^^^^^^
// Differ: `Basic` and `Part` overlap: they can produce the same key
// Differ: `Basic` and `BasicInfo` overlap: they can produce the same key
    struct Basic {
        word: String,
    }

    #[derive(RedisKey)]
    #[redis_key(part:{other}:string, value = String, ttl = 1h)]
//              ^^^^^^^^^^^^^^^^^^^
// Differ: `OtherPart` and `Part` overlap: they can produce the same key
    struct OtherPart {
        other: Other,
    }

    #[derive(RedisKey)]
    #[redis_key(yearly:{id}:list, value = u64, ttl = 1h)]
//              ----------------
    struct Yearly {
        id: Id<u16>,
    }

    #[derive(RedisKey)]
    #[redis_key(yearly:{year}:list, value = u64, ttl = 1h)]
//              ^^^^^^^^^^^^^^^^^^
// Differ: `InYear` and `Yearly` overlap: they can produce the same key
    struct InYear {
        year: Year,
    }

    #[derive(RedisKey)]
    #[redis_key(yearly:{id % 10}:list, value = u64, ttl = 1h)]
//              ^^^^^^^^^^^^^^^^^^^^^
// Differ: `derived_case::Shard` and `Yearly` overlap: they can produce the same key
    struct Shard {
        id: u64,
    }
}

/// Keys that a macro declares.
mod in_a_macro {
    use redis_keys::prelude::*;

    macro_rules! keys {
        ($($name:ident = $word:ident;)*) => {$(
            #[derive(RedisKey)]
            #[redis_key(make:$word:{id}:string, value = u64, ttl = 1h)]
//                      ^^^^^^^^^^^^^^^^^^^^^^
// Differ: `SameName` and `in_a_macro::Name` overlap: they can produce the same key
            struct $name {
                id: u64,
            }
        )*};
    }

    keys! {
        Name = name;
        Mail = mail;
        SameName = name;
    }
}

fn main() {}

//! What is underlined where two declarations can make the same key: the templates of both, and nothing else.
#![allow(dead_code)]

/// The same key in two modules.
mod modules_case {
    mod users {
        use redis_keys::prelude::*;

        #[derive(RedisKey)]
        #[redis_key(user:name:{id}:string, value = String, ttl = 1h)]
//                  ^^^^^^^^^^^^^^^^^^^^^
// IsDeclaredBy: two_declarations_make_the_same_key
        struct Name {
            id: u64,
        }
    }

    mod accounts {
        use redis_keys::prelude::*;

        #[derive(RedisKey)]
        #[redis_key(user:name:{account}:string, value = String, ttl = 1d, jitter = 1h)]
//                  ^^^^^^^^^^^^^^^^^^^^^^^^^^
// IsDeclaredBy: two_declarations_make_the_same_key
        struct Name {
            account: u32,
        }
    }
}

/// Text that can be another key's word, in the same and in the other direction.
mod text_case {
    use redis_keys::prelude::*;

    #[derive(RedisKey)]
    #[redis_key(user:{name}:string, value = String, ttl = 1h)]
//              ^^^^^^^^^^^^^^^^^^
// IsDeclaredBy: two_declarations_make_the_same_key
    struct ByName {
        name: String,
    }

    #[derive(RedisKey)]
    #[redis_key(user:me.myself:string, value = String, ttl = 1h)]
//              ^^^^^^^^^^^^^^^^^^^^^
// IsDeclaredBy: two_declarations_make_the_same_key
    struct Me;

    // Each has a word where the other has a parameter.
    #[derive(RedisKey)]
    #[redis_key(shop:{country}:all:list, value = u64, ttl = 1h)]
//              ^^^^^^^^^^^^^^^^^^^^^^^
// IsDeclaredBy: two_declarations_make_the_same_key
    struct All<'c> {
        country: &'c str,
    }

    #[derive(RedisKey)]
    #[redis_key("shop:prices:{of}:list", value = u64, ttl = 1h)]
//              ^^^^^^^^^^^^^^^^^^^^^^^
// IsDeclaredBy: two_declarations_make_the_same_key
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
//                  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^
// IsDeclaredBy: two_declarations_make_the_same_key
        struct Notes {
            version: u16,
        }

        #[derive(RedisKey)]
        #[redis_key(app:v.2.notes:string, value = String, ttl = 1h)]
//                  ^^^^^^^^^^^^^^^^^^^^
// IsDeclaredBy: two_declarations_make_the_same_key
        struct SecondNotes;
    }
}

/// Types of one's own: one that prints numbers, and one that prints anything.
mod own_type_case {
    use redis_keys::{KeySegment, Prints, SegmentWriter, prelude::*};

    struct UserId(u64);

    impl KeySegment for UserId {
        const LONGEST: Option<usize> = u64::LONGEST;
        const PRINTS: Prints = u64::PRINTS;

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
//              ^^^^^^^^^^^^^^^^
// IsDeclaredBy: two_declarations_make_the_same_key
    struct ById {
        id: UserId,
    }

    #[derive(RedisKey)]
    #[redis_key(ownx:7:string, value = String, ttl = 1h)]
//              ^^^^^^^^^^^^^
// IsDeclaredBy: two_declarations_make_the_same_key
    struct Seventh;

    #[derive(RedisKey)]
    #[redis_key(page:{slug}:string, value = String, ttl = 1h)]
//              ^^^^^^^^^^^^^^^^^^
// IsDeclaredBy: two_declarations_make_the_same_key
    struct BySlug {
        slug: Slug,
    }

    #[derive(RedisKey)]
    #[redis_key(page:home:string, value = String, ttl = 1h)]
//              ^^^^^^^^^^^^^^^^
// IsDeclaredBy: two_declarations_make_the_same_key
    struct Home;
}

/// A type parameter can be any type.
mod generic_case {
    use redis_keys::prelude::*;

    #[derive(RedisKey)]
    #[redis_key(some:{id}:string, value = String, ttl = 1h)]
//              ^^^^^^^^^^^^^^^^
// IsDeclaredBy: two_declarations_make_the_same_key
    struct Any<T> {
        id: T,
    }

    #[derive(RedisKey)]
    #[redis_key(some:{yes}:string, value = String, ttl = 1h)]
//              ^^^^^^^^^^^^^^^^^
// IsDeclaredBy: two_declarations_make_the_same_key
    struct Yes {
        yes: bool,
    }
}

/// The same hash tag, with its braces.
mod hash_tag_case {
    use redis_keys::prelude::*;

    #[derive(RedisKey)]
    #[redis_key(cart:{#user}:items:list, value = u64, ttl = 1h)]
//              ^^^^^^^^^^^^^^^^^^^^^^^
// IsDeclaredBy: two_declarations_make_the_same_key
    struct Items {
        user: u64,
    }

    #[derive(RedisKey)]
    #[redis_key(cart:{#user}:{what}:list, value = u64, ttl = 1h)]
//              ^^^^^^^^^^^^^^^^^^^^^^^^
// IsDeclaredBy: two_declarations_make_the_same_key
    struct Any {
        user: u64,
        what: String,
    }
}

/// Three keys that can be the same, and one that says that it may be.
mod three_case {
    use redis_keys::prelude::*;

    #[derive(RedisKey)]
    #[redis_key(trio:count:string, value = u64, ttl = 1h)]
//              ^^^^^^^^^^^^^^^^^
// IsDeclaredBy: two_declarations_make_the_same_key
    struct One;

    #[derive(RedisKey)]
    #[redis_key("trio:count:string", value = "u64", ttl = "1h")]
//              ^^^^^^^^^^^^^^^^^^^
// IsDeclaredBy: two_declarations_make_the_same_key
    struct Two;

    #[derive(RedisKey)]
    #[redis_key(trio:{what}:string, value = u64, ttl = 1h)]
//              ^^^^^^^^^^^^^^^^^^
// IsDeclaredBy: two_declarations_make_the_same_key
    struct Three {
        what: String,
    }

    #[derive(RedisKey)]
    #[redis_key(trio:count:string, value = u64, ttl = 1h, allow(overlap, reason = "the old name of the first one"))]
    struct Old;
}

/// Keys that a macro declares.
mod in_a_macro {
    use redis_keys::prelude::*;

    macro_rules! keys {
        ($($name:ident = $word:ident;)*) => {$(
            #[derive(RedisKey)]
            #[redis_key(make:$word:{id}:string, value = u64, ttl = 1h)]
//                      ^^^^^^^^^^^^^^^^^^^^^^
// IsDeclaredBy: two_declarations_make_the_same_key
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

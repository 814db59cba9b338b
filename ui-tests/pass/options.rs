//! Every option, in every form.

use redis_keys::prelude::*;

/// All that a key can say.
#[derive(RedisKey)]
#[redis_key(
    options:basic.info:{user_id}:string,
    value = Json<String>,
    ttl = 1h30m,
    jitter = 10%,
    renew = below(10m),
    max_bytes = 8KB,
    reason = "it is read by each page",
    owner = "web",
    crate = redis_keys,
)]
pub struct Everything {
    /// Whose.
    pub user_id: u64,
}

macro_rules! with {
    ($($name:ident { $($option:tt)* })*) => {$(
        /// With one more option.
        #[derive(RedisKey)]
        #[redis_key(options:name:all:string, value = u64, allow(overlap, reason = "each is a case of its own"), $($option)*)]
        pub struct $name;
    )*};
}

with! {
    Millis { ttl = 500ms }
    AllUnits { ttl = 1w2d3h4m5s6ms }
    Never { reason = "a fixed table", rebuild = "from the table", ttl = never }
    NoJitter { jitter = 1h, ttl = 1h }
    AllJitter { jitter = 100%, ttl = 1h }
    OnWrite { renew = write, ttl = 1h }
    OnRead { renew = read, ttl = 1h }
    AtMost { max_bytes = 1MB, ttl = 1h }
    AtLeast { max_bytes = 1B, ttl = 1h }
    Underscores { max_bytes = 1_000, ttl = 1h }
    RawText { owner = r#"the "web" team, and others"#, ttl = 1h }
}

#[test]
fn the_schema_says_it_all() {
    let schema = Everything::SCHEMA;
    assert_eq!((schema.name, schema.template), ("Everything", "options:basic.info:{user_id}:string"));
    let parameters = schema.parameters.iter().map(|parameter| (parameter.name, parameter.type_name));
    assert_eq!(parameters.collect::<Vec<_>>(), [("user_id", "u64")]);
    assert_eq!((schema.value, schema.max_bytes), (Some("Json<String>"), Some(8192)));
    assert_eq!(schema.expiry.ttl().map(|ttl| ttl.as_secs()), Some(5400));
    assert_eq!(schema.expiry.jitter().as_secs(), 540);
    assert!(matches!(schema.renew, Some(redis_keys::schema::Renew::Below(left)) if left.as_secs() == 600));
    assert_eq!((schema.reason, schema.owner), (Some("it is read by each page"), Some("web")));
    assert_eq!(schema.docs, Some("All that a key can say."));
    assert_eq!(Never::SCHEMA.expiry.ttl(), None);
    assert_eq!(AllUnits::SCHEMA.expiry.ttl().map(|ttl| ttl.as_millis()), Some(788_645_006));
    assert_eq!(RawText::SCHEMA.owner, Some(r#"the "web" team, and others"#));
    assert_eq!(Underscores::SCHEMA.max_bytes, Some(1000));
}

#[test]
fn the_schema_says_where_it_stands() {
    assert!(Everything::SCHEMA.file.replace('\\', "/").ends_with("pass/options.rs"), "{}", Everything::SCHEMA.file);
    assert_eq!(Everything::SCHEMA.line, 18);
}

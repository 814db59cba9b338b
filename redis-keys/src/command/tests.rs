//! Running commands, on a connection that is none.

use std::io;

use redis::{RedisError, Value};

use crate::{
    Command, Error, ErrorKind, RedisKey as _, Sent, StringKey as _, atomic, batch, batch_iter,
    testing::{
        keys::{Level, Name, Session, Token, Views},
        mock::{Mock, block_on, bulk, run, server_error},
        text,
    },
};

const NAME: Name<'_> = Name { user: "ada" };

#[test]
fn one_command_is_sent_by_itself() {
    let (found, sent) = run(|| NAME.get(), [bulk("Ada")]);
    assert_eq!(found.unwrap().as_deref(), Some("Ada"));
    assert_eq!(sent, ["GET user:name:ada:string"]);
}

#[test]
fn what_is_refused_is_not_sent() {
    let (found, sent) = run(|| Name { user: "Ada" }.get(), []);
    assert_eq!(found.unwrap_err().sent(), Sent::No);
    assert!(sent.is_empty());
}

#[test]
fn what_is_ready_is_not_sent() {
    let (found, sent) = run(|| Views::get_many::<Vec<Views>>(Vec::new()), []);
    assert_eq!((found.unwrap(), sent), (Vec::new(), Vec::new()));
}

#[test]
fn a_script_that_the_server_does_not_know_is_sent_whole() {
    let level = Level { id: 1 };
    for unknown in [server_error("NOSCRIPT No matching script."), server_error("NOSCRIPT").unwrap().extract_error()] {
        let (found, sent) = run(|| level.incr(), [unknown, Ok(Value::Int(7))]);
        assert_eq!(found.unwrap(), 7);
        let [evalsha, eval] = sent.as_slice() else { panic!("{sent:?}") };
        let args = " 1 game:level:1:string 1 -1 0 255 3600000";
        assert_eq!(*evalsha, format!("EVALSHA {}{args}", crate::lua::COUNT.sha1));
        assert_eq!(*eval, format!("EVAL {}{args}", crate::lua::COUNT.text));
    }
}

#[test]
fn an_error_of_the_second_attempt_counts() {
    let replies = [server_error("NOSCRIPT x"), server_error("OOM command not allowed when used memory > 'maxmemory'.")];
    let (found, _) = run(|| Level { id: 1 }.incr(), replies);
    assert_eq!(
        found.unwrap_err().to_string(),
        "command on `Level` (game:level:1:string) failed: the server replied OOM: the memory limit is reached"
    );
}

#[test]
fn only_a_script_is_sent_twice() {
    let (found, sent) = run(|| NAME.get(), [server_error("NOSCRIPT x")]);
    assert_eq!((found.unwrap_err().kind(), sent.len()), (ErrorKind::Server, 1));
}

#[test]
fn a_wrong_type_is_asked_for() {
    let wrong = || server_error("WRONGTYPE Operation against a key holding the wrong kind of value");
    let (found, sent) = run(|| NAME.get(), [wrong(), Ok(Value::SimpleString("list".to_owned()))]);
    let error = found.unwrap_err();
    assert_eq!(sent, ["GET user:name:ada:string", "TYPE user:name:ada:string"]);
    assert_eq!(
        (error.kind(), error.sent(), error.key()),
        (ErrorKind::WrongType, Sent::Yes, Some("user:name:ada:string"))
    );
    assert_eq!(
        error.to_string(),
        "key of `Name` (user:name:ada:string) holds a list, but a string is declared [type-suffix]"
    );
    // Also where the server does not answer that, or the key is gone by then, or the type is none of Redis's own.
    let simple = |text: &str| Ok(Value::SimpleString(text.to_owned()));
    for answer in [server_error("NOPERM no"), simple("none"), simple("secret")] {
        assert_eq!(
            run(|| NAME.get(), [wrong(), answer]).0.unwrap_err().to_string(),
            "key of `Name` (user:name:ada:string) holds another type than the declared string [type-suffix]"
        );
    }
}

#[test]
fn a_lost_connection_leaves_it_open_what_was_done() {
    let lost = || Err(RedisError::from(io::Error::from(io::ErrorKind::BrokenPipe)));
    let (found, _) = run(|| NAME.set("Ada").into(), [lost()]);
    let error = found.unwrap_err();
    assert_eq!((error.kind(), error.sent()), (ErrorKind::Connection, Sent::Maybe));
    assert_eq!(
        error.to_string(),
        "command on `Name` (user:name:ada:string) failed: connection error: broken pipe; it may have been executed"
    );
    let source = std::error::Error::source(&error).unwrap();
    assert!(source.to_string().contains("broken pipe"), "{source}");
}

#[test]
fn without_a_connection_nothing_is_sent() {
    let refused = || Err(RedisError::from(io::Error::from(io::ErrorKind::ConnectionRefused)));
    let password = || Err((redis::ErrorKind::AuthenticationFailed, "Password authentication failed").into());
    let commands = || [1, 2].map(|id| Token { id }.get());
    for reply in [refused(), password()] {
        let con = || Mock::new([reply.clone()]);
        let error = NAME.get().query(&mut con()).unwrap_err();
        assert_eq!((error.kind(), error.sent()), (ErrorKind::Connection, Sent::No));
        for error in batch(commands()).query_each(&mut con()).map(Result::unwrap_err) {
            assert_eq!((error.kind(), error.sent()), (ErrorKind::Connection, Sent::No));
        }
        // A connection of which it is not known that it tries once can have sent the command before: one to a cluster has.
        let mut cluster = con();
        cluster.pipelines = false;
        assert_eq!(NAME.get().query(&mut cluster).unwrap_err().sent(), Sent::Maybe);
        assert_eq!(block_on(NAME.get().query_async(&mut con())).unwrap_err().sent(), Sent::Maybe);
        let [first, _] = block_on(batch(commands()).query_each_async(&mut con()));
        assert_eq!(first.unwrap_err().sent(), Sent::Maybe);
    }
}

#[test]
fn many_commands_go_fifty_at_a_time() {
    let (found, sent) =
        run(|| Token::get_many((0..120).map(|id| Token { id })), (0..120).map(|id| bulk(&id.to_string())));
    let expected: Vec<_> = (0..120).map(|id| Some(id.to_string())).collect();
    assert_eq!(found.unwrap(), expected);
    assert_eq!(sent[119], "| GETEX user:token:119:string PX 3600000");
    let first: Vec<_> = (0..120).filter(|index| sent[*index].starts_with('>')).collect();
    assert_eq!(first, [0, 50, 100]);
}

#[test]
fn where_there_are_no_pipelines_they_go_one_by_one() {
    let mut con = Mock::new([bulk("x"), Ok(Value::Int(3_000_000))]);
    con.pipelines = false;
    assert_eq!(Session { id: 1 }.get().query(&mut con).unwrap().as_deref(), Some("x"));
    assert_eq!(con.sent, ["GET user:session:1:string", "PTTL user:session:1:string"]);
}

#[test]
fn an_error_of_one_that_goes_alone_names_its_own_key() {
    let tokens = || Token::get_many([1, 2, 3].map(|id| Token { id }));
    let mut con = Mock::new([bulk("x"), server_error("LOADING x").unwrap().extract_error(), bulk("x")]);
    con.pipelines = false;
    let error = tokens().query(&mut con).unwrap_err();
    assert_eq!((error.key(), error.sent()), (Some("user:token:2:string"), Sent::Yes));
    assert_eq!(con.sent.len(), 3, "as in a pipeline, the others are sent too");
    let refused = Err(RedisError::from(io::Error::from(io::ErrorKind::ConnectionRefused)));
    let mut con = Mock::new([bulk("x"), refused]);
    con.pipelines = false;
    let error = tokens().query(&mut con).unwrap_err();
    assert_eq!((error.key(), error.sent()), (Some("user:token:2:string"), Sent::Maybe));
    assert_eq!(con.sent.len(), 2);
}

#[test]
fn what_a_cluster_takes_in_no_pipeline_goes_one_by_one() {
    let refused = (redis::ErrorKind::Server(redis::ServerErrorKind::CrossSlot), "Received crossed slots in pipeline");
    // The client refuses it before it sends anything.
    let mut con = Mock::new([Err(refused.into()), bulk("a"), bulk("b")]);
    let found = block_on(Token::get_many([1, 2].map(|id| Token { id })).query_async(&mut con)).unwrap();
    assert_eq!(found, ["a", "b"].map(|text| Some(text.to_owned())));
    assert_eq!(con.sent[1..], ["GETEX user:token:1:string PX 3600000", "GETEX user:token:2:string PX 3600000"]);
    // Or the server does, for commands of several keys.
    let (wrong, views) = (server_error("CROSSSLOT x"), |count| Ok(Value::Array(vec![Value::Nil; count])));
    let mut con = Mock::new([wrong.clone(), wrong, views(100), views(50)]);
    let found = block_on(Views::get_many((0..150).map(|page| Views { page })).query_async(&mut con)).unwrap();
    assert_eq!(found.len(), 150);
}

#[test]
fn a_value_is_given_although_its_expiry_is_not_renewed() {
    let soon = || [bulk("x"), Ok(Value::Int(1))];
    let replies = soon().into_iter().chain([server_error("READONLY x")]);
    assert_eq!(run(|| Session { id: 1 }.get(), replies).0.unwrap().as_deref(), Some("x"));
    let lost = Err(RedisError::from(io::Error::from(io::ErrorKind::BrokenPipe)));
    let replies = soon().into_iter().chain([lost]);
    assert_eq!(run(|| Session { id: 1 }.get(), replies).0.unwrap().as_deref(), Some("x"));
}

#[test]
fn an_error_in_a_pipeline_names_its_own_key() {
    let replies = (0..60).map(|id| if id == 55 { server_error("LOADING Redis is loading") } else { bulk("x") });
    let mut con = Mock::new(replies.clone());
    let error = Token::get_many((0..60).map(|id| Token { id })).query(&mut con).unwrap_err();
    assert_eq!(error.key(), Some("user:token:55:string"));
    let mut con = Mock::new(replies);
    let error = block_on(Token::get_many((0..60).map(|id| Token { id })).query_async(&mut con)).unwrap_err();
    assert_eq!(error.key(), Some("user:token:55:string"));
}

#[test]
fn what_went_before_was_sent() {
    let refused = || Err(RedisError::from(io::Error::from(io::ErrorKind::ConnectionRefused)));
    let replies = (0..51).map(|id| if id == 50 { refused() } else { bulk("x") });
    let mut con = Mock::new(replies);
    let error = Token::get_many((0..60).map(|id| Token { id })).query(&mut con).unwrap_err();
    assert_eq!((error.kind(), error.sent()), (ErrorKind::Connection, Sent::Maybe));
}

#[test]
fn a_reply_that_is_missing_is_an_error() {
    let mut con = Mock::new([bulk("x")]);
    con.loses_replies = true;
    let error = Token::get_many([1, 2].map(|id| Token { id })).query(&mut con).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::UnexpectedReply);
}

#[test]
fn an_answer_to_something_else_is_an_error() {
    for reply in [Value::Array(Vec::new()), Value::Double(1.5), Value::Map(Vec::new())] {
        assert_eq!(run(|| NAME.get(), [Ok(reply.clone())]).0.unwrap_err().kind(), ErrorKind::UnexpectedReply);
        assert_eq!(run(|| NAME.exists(), [Ok(reply.clone())]).0.unwrap_err().kind(), ErrorKind::UnexpectedReply);
        assert_eq!(run(|| NAME.set("x").into(), [Ok(reply)]).0.unwrap_err().kind(), ErrorKind::UnexpectedReply);
    }
}

#[test]
fn futures_can_go_to_other_threads() {
    fn sendable<T: Send>(value: T) -> T {
        value
    }
    let mut con = Mock::new([bulk("x"), bulk("x"), Ok(Value::Int(-1)), Ok(Value::Int(1))]);
    let con: &mut (dyn redis::aio::ConnectionLike + Send) = &mut con;
    block_on(sendable(NAME.get().query_async(con))).unwrap();
    block_on(sendable(Session { id: 1 }.get().query_async(con))).unwrap();
}

#[test]
fn a_command_shows_its_key_and_no_value() {
    let command = Command::from(NAME.set("secret"));
    assert_eq!(format!("{command:?}"), r#"Command { schema: "Name", keys: ["user:name:ada:string"], .. }"#);
    assert_eq!(format!("{:?}", NAME.set("secret")), r#"Set { key: Ok("user:name:ada:string"), .. }"#);
    assert_eq!(format!("{:?}", NAME.set_nx("secret")), r#"Set { key: Ok("user:name:ada:string"), .. }"#);
    assert_eq!(
        format!("{:?}", NAME.append("secret")),
        r#"Command { schema: "Name", keys: ["user:name:ada:string"], .. }"#
    );
    assert!(!format!("{:?}", Name { user: "SECRET" }.set("secret")).to_lowercase().contains("secret"));
}

#[test]
fn what_every_key_can_do() {
    assert_eq!(text(NAME.exists()).unwrap(), ["EXISTS user:name:ada:string"]);
    assert_eq!(text(NAME.ttl()).unwrap(), ["PTTL user:name:ada:string"]);
    assert_eq!(text(NAME.expire()).unwrap(), ["PEXPIRE user:name:ada:string 3600000"]);
    assert_eq!(text(NAME.unlink()).unwrap(), ["UNLINK user:name:ada:string"]);
    assert_eq!(text(crate::testing::keys::Total { id: 1 }.expire()).unwrap(), ["PERSIST shop:total:1:string"]);
    let left = |ms| run(|| NAME.ttl(), [Ok(Value::Int(ms))]).0.unwrap();
    assert_eq!(left(-2), crate::TimeLeft::Missing);
    assert_eq!(left(-1), crate::TimeLeft::Never);
    assert_eq!(left(1500), crate::TimeLeft::Left(std::time::Duration::from_millis(1500)));
    assert_eq!([-2, -1, 1500].map(|ms| left(ms).left()), [None, None, Some(std::time::Duration::from_millis(1500))]);
}

#[test]
fn a_batch_gives_what_it_took() {
    let batch = || batch((NAME.get(), [Views { page: 1 }.incr(), Views { page: 2 }.incr()], vec![NAME.strlen()]));
    let replies = || [bulk("Ada"), Ok(Value::Int(1)), Ok(Value::Int(2)), Ok(Value::Int(3))];
    let mut con = Mock::new(replies());
    let found = batch().query(&mut con).unwrap();
    assert_eq!(found, (Some("Ada".to_owned()), [1, 2], vec![3]));
    assert_eq!(con.sent[0], "> GET user:name:ada:string");
    assert!(con.sent[1].starts_with("| EVAL local "), "the first use of a script brings its text");
    assert!(con.sent[2].starts_with("| EVALSHA "), "the second does not");
    let mut con = Mock::new(replies());
    assert_eq!(block_on(batch().query_async(&mut con)).unwrap(), found);
}

#[test]
fn each_piece_brings_its_scripts() {
    let mut con = Mock::new((1..=120).map(|count| Ok(Value::Int(count))));
    let counts = batch_iter((0..120).map(|page| Views { page }.incr())).query(&mut con).unwrap();
    assert_eq!(counts, (1..=120).collect::<Vec<u64>>());
    let whole: Vec<_> = (0..120).filter(|index| con.sent[*index].contains(" EVAL ")).collect();
    assert_eq!(whole, [0, 50, 100]);
}

#[test]
fn commands_of_several_declarations_share_their_scripts() {
    let mut con = Mock::new([Ok(Value::Int(1)), Ok(Value::Int(2))]);
    batch((Views { page: 1 }.incr(), Level { id: 1 }.incr())).query(&mut con).unwrap();
    assert!(con.sent[0].starts_with("> EVAL ") && con.sent[1].starts_with("| EVALSHA "), "{:?}", con.sent);
}

#[test]
fn a_refused_command_holds_back_the_whole_batch() {
    let (good, bad) = (|| NAME.get(), || Name { user: "ADA" }.get());
    let error = batch([good(), bad()]).query(&mut Mock::new([])).unwrap_err();
    assert_eq!((error.kind(), error.sent()), (ErrorKind::Parameter, Sent::No));
    let mut con = Mock::new([bulk("x")]);
    let [first, second] = batch([good(), bad()]).query_each(&mut con);
    assert_eq!((first.unwrap().as_deref(), second.unwrap_err().kind()), (Some("x"), ErrorKind::Parameter));
    assert_eq!(con.sent, ["GET user:name:ada:string"]);
}

#[test]
fn each_error_stands_with_its_own_command() {
    let simple = |text: &str| Ok(Value::SimpleString(text.to_owned()));
    let wrong = || server_error("WRONGTYPE x");
    let replies = || [wrong(), bulk("x"), wrong(), server_error("OOM x"), simple("list"), simple("hash")];
    let commands = || (0..4).map(|page| Views { page }.get());
    let mut con = Mock::new(replies());
    let each = batch_iter(commands()).query_each(&mut con);
    let kinds: Vec<_> = each.iter().map(|result| result.as_ref().map_err(Error::kind).err()).collect();
    let expected = [ErrorKind::WrongType, ErrorKind::Decode, ErrorKind::WrongType, ErrorKind::Server];
    assert_eq!(kinds, expected.map(Some));
    assert!(each[2].as_ref().unwrap_err().to_string().contains("holds a hash"));
    assert_eq!(each[3].as_ref().unwrap_err().key(), Some("page:views:3:string"));
    assert_eq!(con.sent[4..], ["> TYPE page:views:0:string", "| TYPE page:views:2:string"]);
    let mut con = Mock::new(replies());
    let error = block_on(batch_iter(commands()).query_async(&mut con)).unwrap_err();
    assert!(error.to_string().contains("holds a list"), "{error}");
}

#[test]
fn nothing_follows_a_connection_that_failed() {
    let lost = || Err(RedisError::from(io::Error::from(io::ErrorKind::BrokenPipe)));
    let mut con = Mock::new((0..51).map(|id| if id == 50 { lost() } else { bulk("1") }));
    con.pipelines = false;
    let each = batch_iter((0..60).map(|page| Views { page }.get())).query_each(&mut con);
    let sent: Vec<_> = each.iter().map(|result| result.as_ref().err().map(Error::sent)).collect();
    assert!(sent[..50].iter().all(Option::is_none));
    assert_eq!(sent[50], Some(Sent::Maybe));
    assert!(sent[51..].iter().all(|sent| *sent == Some(Sent::No)));
}

#[test]
fn expiries_are_renewed_in_one_further_round() {
    let replies = [bulk("a"), Ok(Value::Int(1)), bulk("b"), Ok(Value::Int(1)), Ok(Value::Int(1)), Ok(Value::Int(1))];
    let mut con = Mock::new(replies);
    let found = batch([1, 2].map(|id| Session { id }.get())).query(&mut con).unwrap();
    assert_eq!(found, ["a", "b"].map(|text| Some(text.to_owned())));
    let expiries = ["> PEXPIRE user:session:1:string 3600000", "| PEXPIRE user:session:2:string 3600000"];
    assert_eq!(con.sent[4..], expiries);
}

#[test]
fn an_error_of_one_leaves_the_others_their_renewals() {
    let replies = || [server_error("OOM x"), Ok(Value::Int(-2)), bulk("b"), Ok(Value::Int(1)), Ok(Value::Int(1))];
    let renewal = "PEXPIRE user:session:2:string 3600000";
    let [first, second] = [1, 2].map(|id| move || Session { id }.get());
    let mut con = Mock::new(replies());
    assert_eq!(batch((first(), second())).query(&mut con).unwrap_err().kind(), ErrorKind::Server);
    assert_eq!(con.sent[4..], [renewal]);
    let mut con = Mock::new(replies());
    assert_eq!(batch([first(), second()]).query(&mut con).unwrap_err().kind(), ErrorKind::Server);
    assert_eq!(con.sent[4..], [renewal]);
    let mut con = Mock::new(replies());
    block_on(batch(vec![first(), second()]).query_async(&mut con)).unwrap_err();
    assert_eq!(con.sent[4..], [renewal]);
    let mut con = Mock::new(replies());
    block_on(batch_iter([first(), second()]).query_async(&mut con)).unwrap_err();
    assert_eq!(con.sent[4..], [renewal]);
}

#[test]
fn each_node_learns_a_script_where_a_cluster_takes_no_pipeline() {
    let refused = (redis::ErrorKind::Server(redis::ServerErrorKind::CrossSlot), "Received crossed slots in pipeline");
    let one = || Ok(Value::Int(1));
    let mut con = Mock::new([Err(refused.into()), one(), server_error("NOSCRIPT x"), one(), one()]);
    let found = block_on(batch([1, 2, 3].map(|page| Views { page }.incr())).query_async(&mut con)).unwrap();
    assert_eq!(found, [1, 1, 1]);
    let sent: Vec<_> = con.sent[1..].iter().map(|line| line.split(' ').next().unwrap()).collect();
    assert_eq!(sent, ["EVAL", "EVALSHA", "EVAL", "EVALSHA"]);
}

#[test]
fn an_empty_batch_sends_nothing() {
    assert!(batch_iter((0..0).map(|page| Views { page }.incr())).query(&mut Mock::new([])).unwrap().is_empty());
    assert!(block_on(batch(Vec::<Command<u8>>::new()).query_async(&mut Mock::new([]))).unwrap().is_empty());
    assert!(atomic(Vec::<Command<u8>>::new()).query(&mut Mock::new([])).unwrap().is_empty());
}

#[test]
fn an_atomic_group_is_a_transaction() {
    let replies = |last| [Ok(Value::Okay), bulk("QUEUED"), bulk("QUEUED"), last];
    let group = || atomic((NAME.get(), NAME.append("!")));
    let done = || Ok(Value::Array(vec![Value::BulkString(b"Ada".to_vec()), Value::Int(4)]));
    let mut con = Mock::new(replies(done()));
    assert_eq!(group().query(&mut con).unwrap(), (Some("Ada".to_owned()), 4));
    assert_eq!((con.sent[0].as_str(), con.sent[3].as_str()), ("> MULTI", "| EXEC"));
    assert!(con.sent[2].starts_with("| EVAL local "), "{}", con.sent[2]);
    let mut con = Mock::new(replies(done()));
    assert_eq!(block_on(group().query_async(&mut con)).unwrap().1, 4);
    // What the server does not take keeps all from being run, and is the error.
    let refused = [Ok(Value::Okay), bulk("QUEUED"), server_error("OOM x"), server_error("EXECABORT x")];
    let error = group().query(&mut Mock::new(refused)).unwrap_err();
    assert!(error.to_string().contains("the memory limit is reached"), "{error}");
}

#[test]
fn an_atomic_group_renews_expiries_afterwards() {
    let read = Ok(Value::Array(vec![Value::BulkString(b"x".to_vec()), Value::Int(1)]));
    let replies = || [Ok(Value::Okay), bulk("QUEUED"), bulk("QUEUED"), read.clone(), Ok(Value::Int(1))];
    let mut con = Mock::new(replies());
    assert_eq!(atomic([Session { id: 1 }.get()]).query(&mut con).unwrap(), [Some("x".to_owned())]);
    assert_eq!(con.sent[4..], ["PEXPIRE user:session:1:string 3600000"]);
    let mut con = Mock::new(replies());
    assert_eq!(block_on(atomic([Session { id: 1 }.get()]).query_async(&mut con)).unwrap(), [Some("x".to_owned())]);
    assert_eq!(con.sent[4..], ["PEXPIRE user:session:1:string 3600000"]);
}

#[test]
fn an_atomic_group_has_one_hash_tag() {
    let error = atomic((NAME.get(), Views { page: 1 }.get())).query(&mut Mock::new([])).unwrap_err();
    assert_eq!((error.kind(), error.sent(), error.key()), (ErrorKind::HashTag, Sent::No, Some("page:views:1:string")));
}

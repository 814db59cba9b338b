//! Running commands on a mock connection.

use std::io;

use redis::{RedisError, Value};

use crate::testing::text;
use crate::tests::keys::{Level, Name, Session, Token, Views};
use crate::tests::mock::{Mock, block_on, bulk, run, server_error};
use crate::{Command, Error, ErrorKind, RedisKey as _, SendStatus, StringKey as _, atomic, batch, batch_iter};

const NAME: Name<'_> = Name { user: "ada" };

#[test]
fn one_command_is_sent_by_itself() {
    let (found, sent) = run(|| NAME.get(), [bulk("Ada")]);
    assert_eq!(found.unwrap().as_deref(), Some("Ada"));
    assert_eq!(sent, ["GET user:name:ada:string"]);
}

#[test]
fn a_rejected_command_is_not_sent() {
    let (found, sent) = run(|| Name { user: "Ada" }.get(), []);
    assert_eq!(found.unwrap_err().sent(), SendStatus::No);
    assert!(sent.is_empty());
}

#[test]
fn a_ready_command_is_not_sent() {
    let (found, sent) = run(|| Views::get_many::<Vec<Views>>(Vec::new()), []);
    assert_eq!((found.unwrap(), sent), (Vec::new(), Vec::new()));
}

#[test]
fn an_unknown_script_is_sent_with_its_text() {
    let level = Level { id: 1 };
    for unknown in [server_error("NOSCRIPT No matching script."), server_error("NOSCRIPT").unwrap().extract_error()] {
        let (found, sent) = run(|| level.incr(), [unknown, Ok(Value::Int(7))]);
        assert_eq!(found.unwrap(), 7);
        let [evalsha, eval] = sent.as_slice() else { panic!("{sent:?}") };
        let args = " 1 game:level:1:string 1 -1 0 255 3600000";
        assert_eq!(*evalsha, format!("EVALSHA {}{args}", crate::lua::COUNT.file));
        assert_eq!(*eval, format!("EVAL {}{args}", crate::lua::COUNT.file));
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
fn a_wrong_type_is_looked_up() {
    let wrong = || server_error("WRONGTYPE Operation against a key holding the wrong kind of value");
    let (found, sent) = run(|| NAME.get(), [wrong(), Ok(Value::SimpleString("list".to_owned()))]);
    let error = found.unwrap_err();
    assert_eq!(sent, ["GET user:name:ada:string", "TYPE user:name:ada:string"]);
    assert_eq!(
        (error.kind(), error.sent(), error.key()),
        (ErrorKind::WrongType, SendStatus::Yes, Some("user:name:ada:string"))
    );
    assert_eq!(
        error.to_string(),
        "key of `Name` (user:name:ada:string) holds a list, but a string is declared [type-suffix]"
    );
    // The lookup fails, or the key is gone by then, or the type is that of a module.
    let simple = |text: &str| Ok(Value::SimpleString(text.to_owned()));
    for reply in [server_error("NOPERM no"), simple("none"), simple("secret")] {
        assert_eq!(
            run(|| NAME.get(), [wrong(), reply]).0.unwrap_err().to_string(),
            "key of `Name` (user:name:ada:string) holds another type than the declared string [type-suffix]"
        );
    }
}

#[test]
fn after_a_lost_connection_the_command_may_have_been_sent() {
    let lost = || Err(RedisError::from(io::Error::from(io::ErrorKind::BrokenPipe)));
    let (found, _) = run(|| NAME.set("Ada").into(), [lost()]);
    let error = found.unwrap_err();
    assert_eq!((error.kind(), error.sent()), (ErrorKind::Connection, SendStatus::Maybe));
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
        assert_eq!((error.kind(), error.sent()), (ErrorKind::Connection, SendStatus::No));
        for error in batch(commands()).query_each(&mut con()).map(Result::unwrap_err) {
            assert_eq!((error.kind(), error.sent()), (ErrorKind::Connection, SendStatus::No));
        }
        // A connection that may retry can have sent the command before.
        let mut cluster = con();
        cluster.pipelines = false;
        assert_eq!(NAME.get().query(&mut cluster).unwrap_err().sent(), SendStatus::Maybe);
        assert_eq!(block_on(NAME.get().query_async(&mut con())).unwrap_err().sent(), SendStatus::Maybe);
        let [first, _] = block_on(batch(commands()).query_each_async(&mut con()));
        assert_eq!(first.unwrap_err().sent(), SendStatus::Maybe);
    }
}

#[test]
fn chunks_have_fifty_commands() {
    let (found, sent) =
        run(|| Token::get_many((0..120).map(|id| Token { id })), (0..120).map(|id| bulk(&id.to_string())));
    let expected: Vec<_> = (0..120).map(|id| Some(id.to_string())).collect();
    assert_eq!(found.unwrap(), expected);
    assert_eq!(sent[119], "| GETEX user:token:119:string PX 3600000");
    let first: Vec<_> = (0..120).filter(|index| sent[*index].starts_with('>')).collect();
    assert_eq!(first, [0, 50, 100]);
}

#[test]
fn without_pipelines_commands_are_sent_individually() {
    let mut con = Mock::new([bulk("x"), Ok(Value::Int(3_000_000))]);
    con.pipelines = false;
    assert_eq!(Session { id: 1 }.get().query(&mut con).unwrap().as_deref(), Some("x"));
    assert_eq!(con.sent, ["GET user:session:1:string", "PTTL user:session:1:string"]);
}

#[test]
fn an_individual_command_names_its_own_key_in_errors() {
    let tokens = || Token::get_many([1, 2, 3].map(|id| Token { id }));
    let mut con = Mock::new([bulk("x"), server_error("LOADING x").unwrap().extract_error(), bulk("x")]);
    con.pipelines = false;
    let error = tokens().query(&mut con).unwrap_err();
    assert_eq!((error.key(), error.sent()), (Some("user:token:2:string"), SendStatus::Yes));
    assert_eq!(con.sent.len(), 3, "as in a pipeline, the others are sent too");
    let refused = Err(RedisError::from(io::Error::from(io::ErrorKind::ConnectionRefused)));
    let mut con = Mock::new([bulk("x"), refused]);
    con.pipelines = false;
    let error = tokens().query(&mut con).unwrap_err();
    assert_eq!((error.key(), error.sent()), (Some("user:token:2:string"), SendStatus::Maybe));
    assert_eq!(con.sent.len(), 2);
}

#[test]
fn a_pipeline_across_slots_is_sent_individually() {
    let refused = (redis::ErrorKind::Server(redis::ServerErrorKind::CrossSlot), "Received crossed slots in pipeline");
    // The client rejects it before it sends anything.
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
fn a_failed_renewal_does_not_lose_the_value() {
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
fn commands_before_a_failure_may_have_been_sent() {
    let refused = || Err(RedisError::from(io::Error::from(io::ErrorKind::ConnectionRefused)));
    let replies = (0..51).map(|id| if id == 50 { refused() } else { bulk("x") });
    let mut con = Mock::new(replies);
    let error = Token::get_many((0..60).map(|id| Token { id })).query(&mut con).unwrap_err();
    assert_eq!((error.kind(), error.sent()), (ErrorKind::Connection, SendStatus::Maybe));
}

#[test]
fn a_reply_that_is_missing_is_an_error() {
    let mut con = Mock::new([bulk("x")]);
    con.loses_replies = true;
    let error = Token::get_many([1, 2].map(|id| Token { id })).query(&mut con).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::UnexpectedReply);
}

#[test]
fn an_unexpected_reply_is_an_error() {
    for reply in [Value::Array(Vec::new()), Value::Double(1.5), Value::Map(Vec::new())] {
        assert_eq!(run(|| NAME.get(), [Ok(reply.clone())]).0.unwrap_err().kind(), ErrorKind::UnexpectedReply);
        assert_eq!(run(|| NAME.exists(), [Ok(reply.clone())]).0.unwrap_err().kind(), ErrorKind::UnexpectedReply);
        assert_eq!(run(|| NAME.set("x").into(), [Ok(reply)]).0.unwrap_err().kind(), ErrorKind::UnexpectedReply);
    }
}

#[test]
fn futures_are_send() {
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
    assert_eq!(text(crate::tests::keys::Total { id: 1 }.expire()).unwrap(), ["PERSIST shop:total:1:string"]);
    let left = |ms| run(|| NAME.ttl(), [Ok(Value::Int(ms))]).0.unwrap();
    assert_eq!(left(-2), crate::command::TimeLeft::Missing);
    assert_eq!(left(-1), crate::command::TimeLeft::Never);
    assert_eq!(left(1500), crate::command::TimeLeft::Left(std::time::Duration::from_millis(1500)));
    assert_eq!([-2, -1, 1500].map(|ms| left(ms).left()), [None, None, Some(std::time::Duration::from_millis(1500))]);
}

#[test]
fn results_have_the_shape_of_the_batch() {
    let batch = || batch((NAME.get(), [Views { page: 1 }.incr(), Views { page: 2 }.incr()], vec![NAME.strlen()]));
    let replies = || [bulk("Ada"), Ok(Value::Int(1)), Ok(Value::Int(2)), Ok(Value::Int(3))];
    let mut con = Mock::new(replies());
    let found = batch().query(&mut con).unwrap();
    assert_eq!(found, (Some("Ada".to_owned()), [1, 2], vec![3]));
    assert_eq!(con.sent[0], "> GET user:name:ada:string");
    assert!(con.sent[1].starts_with("| EVAL count.lua "), "the first use of a script carries its text");
    assert!(con.sent[2].starts_with("| EVALSHA "), "the second does not");
    let mut con = Mock::new(replies());
    assert_eq!(block_on(batch().query_async(&mut con)).unwrap(), found);
}

#[test]
fn batches_can_be_parts_of_batches() {
    let replies = || [Ok(Value::BulkString(b"Ada".to_vec())), Ok(Value::Int(1)), Ok(Value::Int(2)), Ok(Value::Int(3))];
    let views = || batch_iter((1..=2).map(|page| Views { page }.incr()));
    let whole = || batch((NAME.get(), views(), batch([Views { page: 3 }.incr()])));
    let mut con = Mock::new(replies());
    assert_eq!(whole().query(&mut con).unwrap(), (Some("Ada".to_owned()), vec![1, 2], [3]));
    assert!(con.sent[1..].iter().all(|sent| sent.starts_with("| ")), "they are sent together: {:?}", con.sent);
    let (name, views, three) = whole().query_each(&mut Mock::new(replies()));
    let [one, two] = <[_; 2]>::try_from(views).unwrap();
    assert_eq!((name.unwrap().as_deref(), one.unwrap(), two.unwrap()), (Some("Ada"), 1, 2));
    assert_eq!(three.map(Result::unwrap), [3]);
}

#[test]
fn each_chunk_carries_its_scripts() {
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
fn a_rejected_command_rejects_the_whole_batch() {
    let (good, bad) = (|| NAME.get(), || Name { user: "ADA" }.get());
    let error = batch([good(), bad()]).query(&mut Mock::new([])).unwrap_err();
    assert_eq!((error.kind(), error.sent()), (ErrorKind::Parameter, SendStatus::No));
    let mut con = Mock::new([bulk("x")]);
    let [first, second] = batch([good(), bad()]).query_each(&mut con);
    assert_eq!((first.unwrap().as_deref(), second.unwrap_err().kind()), (Some("x"), ErrorKind::Parameter));
    assert_eq!(con.sent, ["GET user:name:ada:string"]);
}

#[test]
fn each_error_belongs_to_its_own_command() {
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
fn nothing_is_sent_after_a_failed_connection() {
    let lost = || Err(RedisError::from(io::Error::from(io::ErrorKind::BrokenPipe)));
    let mut con = Mock::new((0..51).map(|id| if id == 50 { lost() } else { bulk("1") }));
    con.pipelines = false;
    let each = batch_iter((0..60).map(|page| Views { page }.get())).query_each(&mut con);
    let sent: Vec<_> = each.iter().map(|result| result.as_ref().err().map(Error::sent)).collect();
    assert!(sent[..50].iter().all(Option::is_none));
    assert_eq!(sent[50], Some(SendStatus::Maybe));
    assert!(sent[51..].iter().all(|sent| *sent == Some(SendStatus::No)));
}

#[test]
fn expiries_are_renewed_in_one_further_submission() {
    let replies = [bulk("a"), Ok(Value::Int(1)), bulk("b"), Ok(Value::Int(1)), Ok(Value::Int(1)), Ok(Value::Int(1))];
    let mut con = Mock::new(replies);
    let found = batch([1, 2].map(|id| Session { id }.get())).query(&mut con).unwrap();
    assert_eq!(found, ["a", "b"].map(|text| Some(text.to_owned())));
    let expiries = ["> PEXPIRE user:session:1:string 3600000", "| PEXPIRE user:session:2:string 3600000"];
    assert_eq!(con.sent[4..], expiries);
}

#[test]
fn an_error_does_not_prevent_other_renewals() {
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
fn each_node_gets_an_unknown_script() {
    let refused = (redis::ErrorKind::Server(redis::ServerErrorKind::CrossSlot), "Received crossed slots in pipeline");
    let one = || Ok(Value::Int(1));
    let mut con = Mock::new([Err(refused.into()), one(), server_error("NOSCRIPT x"), one(), one()]);
    let found = block_on(batch([1, 2, 3].map(|page| Views { page }.incr())).query_async(&mut con)).unwrap();
    assert_eq!(found, [1, 1, 1]);
    let sent: Vec<_> = con.sent[1..].iter().map(|line| line.split(' ').next().unwrap()).collect();
    assert_eq!(sent, ["EVAL", "EVALSHA", "EVAL", "EVALSHA"]);
}

/// The names of the commands.
fn names(sent: &[String]) -> Vec<&str> {
    sent.iter().map(|line| line.split(' ').find(|word| !["|", ">"].contains(word)).unwrap()).collect()
}

fn unknown() -> redis::RedisResult<Value> {
    server_error("NOSCRIPT No matching script.")
}

#[test]
fn a_refused_command_does_not_take_others_with_it() {
    // The text of the script comes with the first command, which the server rejects.
    let replies = || [server_error("NOPERM x"), unknown(), unknown(), Ok(Value::Int(7)), Ok(Value::Int(8))];
    let incrs = || [1, 2, 3].map(|page| Views { page }.incr());
    let (mut con, mut other) = (Mock::new(replies()), Mock::new(replies()));
    for found in [batch(incrs()).query_each(&mut con), block_on(batch(incrs()).query_each_async(&mut other))] {
        let [refused, second, third] = found;
        assert_eq!((refused.unwrap_err().sent(), second.unwrap(), third.unwrap()), (SendStatus::Yes, 7, 8));
    }
    for con in [con, other] {
        assert_eq!(names(&con.sent), ["EVAL", "EVALSHA", "EVALSHA", "EVAL", "EVAL"]);
        assert!(con.sent[3].contains(" page:views:2:string") && con.sent[4].contains(" page:views:3:string"));
    }
}

#[test]
fn what_is_sent_again_keeps_the_order_of_its_key() {
    let one = || Ok(Value::Int(1));
    // The second command would come behind the third one, which ran. What is behind that one comes behind it again.
    let replies = [one(), unknown(), bulk("1"), unknown(), unknown(), unknown(), one(), one(), one()];
    let mut con = Mock::new(replies);
    let key = Views { page: 1 };
    let commands = (key.incr(), key.incr(), key.get(), Views { page: 2 }.incr(), key.incr(), Views { page: 2 }.incr());
    let found = batch(commands).query_each(&mut con);
    let error = found.1.unwrap_err();
    assert_eq!(
        (error.kind(), error.sent(), error.key()),
        (ErrorKind::Server, SendStatus::No, Some("page:views:1:string"))
    );
    assert!(found.0.is_ok() && found.2.is_ok() && found.3.is_ok() && found.4.is_ok() && found.5.is_ok());
    let pages: Vec<_> = con.sent[6..].iter().map(|line| line.split(':').nth(2).unwrap()).collect();
    assert_eq!(pages, ["2", "1", "2"]);
}

#[test]
fn what_is_not_sent_again_was_not_sent() {
    let lost = || Err(RedisError::from(io::Error::from(io::ErrorKind::BrokenPipe)));
    let replies = || (0..50).map(|id| if id == 0 { Ok(Value::Int(1)) } else { unknown() });
    let replies = || replies().chain([Ok(Value::Int(1)), lost()]);
    let incrs = || batch_iter((0..60).map(|page| Views { page }.incr()));
    let (mut con, mut other) = (Mock::new(replies()), Mock::new(replies()));
    for found in [incrs().query_each(&mut con), block_on(incrs().query_each_async(&mut other))] {
        let sent: Vec<_> = found.iter().map(|result| result.as_ref().err().map(Error::sent)).collect();
        assert_eq!(sent[..3], [None, None, Some(SendStatus::Maybe)]);
        assert!(sent[3..].iter().all(|sent| *sent == Some(SendStatus::No)), "{sent:?}");
    }
    assert_eq!((con.sent.len(), other.sent.len()), (52, 52));
}

#[test]
fn a_script_that_stays_unknown_is_sent_twice() {
    let (found, sent) = run(|| Level { id: 1 }.incr(), [unknown(), unknown()]);
    assert_eq!((found.unwrap_err().sent(), sent.len()), (SendStatus::No, 2));
    let mut con = Mock::new([unknown(), unknown(), unknown()]);
    let each = batch([1, 2].map(|page| Views { page }.incr())).query_each(&mut con);
    assert!(each.iter().all(|result| result.as_ref().is_err_and(|error| error.sent() == SendStatus::No)));
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
    assert!(con.sent[2].starts_with("| EVAL append.lua "), "{}", con.sent[2]);
    let mut con = Mock::new(replies(done()));
    assert_eq!(block_on(group().query_async(&mut con)).unwrap().1, 4);
    // A command that the server rejects aborts the transaction, and is its error.
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

#[derive(redis_keys_macros::RedisKey)]
#[redis_key(cart:{#id}:sum:string, value = u64, ttl = 1h, crate = crate)]
struct CartSum {
    id: u64,
}

#[derive(redis_keys_macros::RedisKey)]
#[redis_key(cart:sum:string, value = u64, ttl = 1h, crate = crate)]
struct Total;

#[test]
fn an_atomic_group_has_one_hash_tag() {
    let error = atomic((NAME.get(), Views { page: 1 }.get())).query(&mut Mock::new([])).unwrap_err();
    assert_eq!(
        (error.kind(), error.sent(), error.key()),
        (ErrorKind::HashTag, SendStatus::No, Some("page:views:1:string"))
    );
    let message = |error: Error| error.to_string();
    assert_eq!(
        message(error),
        "key of `Views` (page:views:1:string) has no hash tag, but all keys of an atomic group need \
         the same one: write `page:views:{#page}:string`, and the same tag in the other keys [hash-tag]"
    );
    let tagged = atomic((CartSum { id: 1 }.get(), CartSum { id: 2 }.get())).query(&mut Mock::new([])).unwrap_err();
    assert_eq!(
        message(tagged),
        "key of `CartSum` (cart:{2}:sum:string) has another hash tag than the keys before it in the \
         atomic group: all of them need `{#id}` with the same value [hash-tag]"
    );
    let constant = atomic((CartSum { id: 1 }.get(), Total.get())).query(&mut Mock::new([])).unwrap_err();
    assert_eq!(
        message(constant),
        "key of `Total` (cart:sum:string) has no hash tag, but all keys of an atomic group need the same \
         one: write a field that the keys share into each of them, as in `cart:{#id}:items:list` [hash-tag]"
    );
}

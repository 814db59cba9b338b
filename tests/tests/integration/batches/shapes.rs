//! The commands of a batch and its results.

use redis_keys::prelude::*;
use redis_keys::{ErrorKind, SendStatus};
use redis_keys_tests::{everywhere, on_every_connection};

use super::keys::{Below, Count, Log};

#[test]
fn results_have_the_shape_of_the_commands() {
    everywhere(|con| {
        con.ok(Log { id: 1 }.set("a"));
        let counts = |ids: [u32; 2]| ids.map(|id| Count { id }.incr());
        let found =
            con.batch((Log { id: 1 }.append("b"), counts([1, 2]), vec![Log { id: 1 }.get(), Log { id: 2 }.get()]));
        assert_eq!(found.expect("the batch succeeds"), (2, [1, 1], vec![Some("ab".to_owned()), None]));
        let written =
            con.batch((Log { id: 3 }.set("c").returning_old(), Log { id: 3 }.set_nx("d"), Log { id: 3 }.get()));
        assert_eq!(written.expect("the batch succeeds"), (None, false, Some("c".to_owned())));
        con.assert_left("batch:log:3:string", 3_600_000);
    });
}

#[test]
fn a_thousand_commands_on_a_few_keys_keep_their_order() {
    everywhere(|con| {
        let appends: Vec<_> = (0..1_000_u32).map(|step| Log { id: step % 7 }.append(&format!("{step} "))).collect();
        con.batch(appends).expect("the batch succeeds");
        for id in 0..7 {
            let expected = (id..1_000).step_by(7).fold(String::new(), |all, step| all + &format!("{step} "));
            assert_eq!(con.ok(Log { id }.get()), Some(expected));
        }
    });
}

#[test]
fn get_many_and_writes_of_the_same_keys_keep_their_order() {
    everywhere(|con| {
        let logs = || (0..150).map(|id| Log { id });
        let sets = |text: &str| logs().map(|log| Command::from(log.set(text))).collect::<Vec<_>>();
        let (_, first, _, second) = con
            .batch((sets("a"), Log::get_many(logs()), sets("b"), Log::get_many(logs())))
            .expect("the batch succeeds");
        assert!(first.iter().all(|text| text.as_deref() == Some("a")));
        assert!(second.iter().all(|text| text.as_deref() == Some("b")));
    });
}

#[test]
fn each_command_has_its_own_error() {
    everywhere(|con| {
        let _: u64 = con.raw(&["RPUSH", "batch:count:1:string", "x"]);
        let _: bool = con.raw(&["EXPIRE", "batch:count:1:string", "60"]);
        con.ok(Log { id: 2 }.set("no number"));
        let commands = || (0..3).map(|id| Count { id }.incr()).collect::<Vec<_>>();
        let each = con.batch_each(commands());
        assert!(each[0].is_ok() && each[2].is_ok());
        let error = each[1].as_ref().expect_err("the key is a list");
        assert_eq!((error.kind(), error.sent()), (ErrorKind::WrongType, SendStatus::Yes));
        assert!(error.to_string().contains("holds a list"), "{error}");
        // The commands after the failed one were executed as well.
        assert_eq!(con.batch(commands()).expect_err("the key is a list").key(), Some("batch:count:1:string"));
        assert_eq!(con.ok(Count::get_many([0, 2].map(|id| Count { id }))), [Some(2), Some(2)]);
    });
}

#[test]
fn a_rejected_command_prevents_sending_the_batch() {
    everywhere(|con| {
        let too_large = "x".repeat(1_100_000);
        let logs = [Log { id: 1 }, Log { id: 2 }];
        let sets = || (logs[0].set("a"), logs[1].set(&too_large));
        let error = con.batch(sets()).expect_err("the value is too large");
        assert_eq!((error.kind(), error.sent()), (ErrorKind::ValueSize, SendStatus::No));
        assert_eq!(con.raw::<u64>(&["DBSIZE"]), 0);
        let (first, second) = con.batch_each(sets());
        assert!(first.is_ok() && second.is_err());
        assert_eq!(con.ok(Log::get_many(&logs)), [Some("a".to_owned()), None]);
    });
}

#[test]
fn unknown_scripts_are_sent_again() {
    everywhere(|con| {
        for round in 1..=3 {
            let _: String = con.raw(&["SCRIPT", "FLUSH"]);
            let counts =
                con.batch((0..120).map(|id| Count { id }.incr()).collect::<Vec<_>>()).expect("the batch succeeds");
            assert_eq!(counts, [round; 120]);
        }
    });
}

#[test]
fn reads_in_a_batch_renew_below_the_threshold() {
    everywhere(|con| {
        let keys = || (0..60).map(|id| Below { id });
        con.batch(keys().map(|key| Command::from(key.set("x"))).collect::<Vec<_>>()).expect("the batch succeeds");
        let _: bool = con.raw(&["EXPIRE", "batch:below:55:string", "60"]);
        let _: bool = con.raw(&["EXPIRE", "batch:below:5:string", "1200"]);
        con.batch(keys().map(|key| key.get()).collect::<Vec<_>>()).expect("the batch succeeds");
        con.assert_left("batch:below:55:string", 3_600_000);
        con.assert_left("batch:below:5:string", 1_200_000);
        // Also after a failed command, and in an atomic group.
        let _: bool = con.raw(&["EXPIRE", "batch:below:55:string", "60"]);
        let _: u64 = con.raw(&["UNLINK", "batch:below:5:string"]);
        let _: u64 = con.raw(&["RPUSH", "batch:below:5:string", "x"]);
        let _: bool = con.raw(&["EXPIRE", "batch:below:5:string", "1200"]);
        con.batch((Below { id: 5 }.get(), Below { id: 55 }.get())).expect_err("the key is a list");
        con.assert_left("batch:below:55:string", 3_600_000);
        if con.has_pipelines() {
            let _: bool = con.raw(&["EXPIRE", "batch:below:55:string", "60"]);
            con.atomic([Below { id: 55 }.get()]).expect("the batch succeeds");
            con.assert_left("batch:below:55:string", 3_600_000);
        }
    });
}

#[test]
fn a_batch_sends_each_command_once() {
    on_every_connection(|con| {
        let _: String = con.raw(&["CONFIG", "RESETSTAT"]);
        con.batch((0..120).map(|id| Count { id }.get()).collect::<Vec<_>>()).expect("the batch succeeds");
        assert!(con.info("commandstats").contains("cmdstat_get:calls=120,"));
    });
}

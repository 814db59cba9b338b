//! The parts of redis-rs that could change with its next versions, or that have no stable interface.
//!
//! The crate is built with redis-rs 1.8 and 2.0 from the same sources: `REDIS_RS.md` lists each work-around, the versions
//! that need it, and how to notice that it is not needed any more.

#[cfg(feature = "aio")]
use std::any::type_name;

use redis::{Arg, Cmd, Pipeline};

/// A command whose words can be read: a [`Cmd`], or a command of a pipeline.
pub(crate) trait Words<'c>: Copy {
    /// The words, the name first. A cursor, which redis-rs keeps apart, is an empty word.
    fn words(self) -> impl Iterator<Item = &'c [u8]>;
}

impl<'c> Words<'c> for &'c Cmd {
    #[inline]
    fn words(self) -> impl Iterator<Item = &'c [u8]> {
        self.args_iter().map(word)
    }
}

/// A command that was sent, by itself or in a pipeline.
///
/// Version 1.8 gives a [`Cmd`] for a command of a pipeline, and 2.0 a view of its bytes.
#[derive(Clone, Copy)]
pub(crate) enum SentCommand<'c> {
    Alone(&'c Cmd),
    InPipeline(&'c Pipeline, usize),
}

impl<'c> Words<'c> for SentCommand<'c> {
    #[allow(clippy::redundant_closure_for_method_calls, reason = "2.0 has another type with this method")]
    fn words(self) -> impl Iterator<Item = &'c [u8]> {
        match self {
            Self::Alone(cmd) => EitherArgs::Alone(cmd.args_iter()),
            Self::InPipeline(pipeline, index) => {
                EitherArgs::InPipeline(pipeline.cmd_iter().nth(index).map(|cmd| cmd.args_iter()))
            }
        }
    }
}

/// The arguments of a sent command. A type of its own is shorter in debug information than nested iterators.
enum EitherArgs<A, P> {
    Alone(A),
    InPipeline(Option<P>),
}

impl<'c, A: Iterator<Item = Arg<&'c [u8]>>, P: Iterator<Item = Arg<&'c [u8]>>> Iterator for EitherArgs<A, P> {
    type Item = &'c [u8];

    fn next(&mut self) -> Option<&'c [u8]> {
        match self {
            Self::Alone(args) => args.next(),
            Self::InPipeline(args) => args.as_mut()?.next(),
        }
        .map(word)
    }
}

impl SentCommand<'_> {
    /// A copy that can be sent again.
    pub(crate) fn to_cmd(self) -> Option<Cmd> {
        match self {
            Self::Alone(cmd) => Some(cmd.clone()),
            Self::InPipeline(pipeline, index) => commands(pipeline).nth(index),
        }
    }
}

#[allow(clippy::needless_pass_by_value, reason = "a function for iterators of arguments")]
fn word(arg: Arg<&[u8]>) -> &[u8] {
    match arg {
        Arg::Simple(word) => word,
        _ => &[],
    }
}

/// The commands of a pipeline, without copies.
pub(crate) fn sent_commands(pipeline: &Pipeline) -> impl Iterator<Item = SentCommand<'_>> {
    (0..pipeline.len()).map(|index| SentCommand::InPipeline(pipeline, index))
}

/// Copies of the commands of a pipeline.
#[allow(clippy::redundant_closure_for_method_calls, reason = "2.0 has another type with this method")]
pub(crate) fn commands(pipeline: &Pipeline) -> impl Iterator<Item = Cmd> {
    pipeline.cmd_iter().map(|cmd| cmd.to_cmd())
}

/// The method that views of commands have in version 2.0.
#[allow(dead_code, reason = "2.0 has the method")]
trait ToCmd {
    fn to_cmd(&self) -> Cmd;
}

impl ToCmd for Cmd {
    fn to_cmd(&self) -> Cmd {
        self.clone()
    }
}

/// The error of a receiver of pushes that is gone. Version 1.8 has no function that builds it, and in 2.0 it is no unit
/// struct any more.
#[cfg(feature = "aio")]
pub(crate) fn no_receiver(push: redis::PushInfo) -> Result<(), redis::aio::SendError> {
    let (sender, _) = tokio::sync::mpsc::unbounded_channel();
    redis::aio::AsyncPushSender::send(&sender, push)
}

/// Whether a connection leads to a cluster, by the name of its type. Programs and crates such as deadpool can enable
/// such connections of redis-rs without the feature of this crate.
#[cfg(feature = "aio")]
pub(crate) fn is_cluster<C: ?Sized>() -> bool {
    let name = type_name::<C>();
    name.starts_with("redis::cluster") || name.starts_with("deadpool_redis::cluster::")
}

/// Whether it is redis-rs's connection manager, which only programs that use it enable.
#[cfg(feature = "aio")]
pub(crate) fn is_connection_manager<C: ?Sized>() -> bool {
    type_name::<C>() == "redis::aio::connection_manager::ConnectionManager"
}

#[cfg(all(test, feature = "cluster"))]
mod tests {
    use redis::aio::{ConnectionManager, MultiplexedConnection};
    use redis::cluster_async::ClusterConnection;

    use super::*;

    #[test]
    fn connections_are_known_by_name() {
        assert!(is_cluster::<ClusterConnection>());
        assert!(!is_cluster::<MultiplexedConnection>() && !is_cluster::<ConnectionManager>());
        assert!(is_connection_manager::<ConnectionManager>() && !is_connection_manager::<MultiplexedConnection>());
    }

    #[cfg(not(redis_rs_2))]
    #[test]
    fn guards_of_deadpool_are_known_by_name() {
        assert!(is_cluster::<deadpool_redis::cluster::Connection>() && !is_cluster::<deadpool_redis::Connection>());
    }

    #[test]
    fn commands_of_a_pipeline_are_read_and_copied() {
        let mut pipeline = Pipeline::new();
        pipeline.cmd("SET").arg("a").arg(1).cmd("GET").arg("a");
        let words = |cmd: SentCommand<'_>| cmd.words().map(<[u8]>::to_vec).collect::<Vec<_>>();
        let found: Vec<_> = sent_commands(&pipeline).map(words).collect();
        assert_eq!(found, [vec![b"SET".to_vec(), b"a".to_vec(), b"1".to_vec()], vec![b"GET".to_vec(), b"a".to_vec()]]);
        let copies: Vec<_> = commands(&pipeline).collect();
        assert_eq!(copies.iter().map(|cmd| words(SentCommand::Alone(cmd))).collect::<Vec<_>>(), found);
        assert!(SentCommand::InPipeline(&pipeline, 2).to_cmd().is_none());
    }

    // Version 2.0 has no function that builds a push.
    #[cfg(not(redis_rs_2))]
    #[test]
    fn a_receiver_that_is_gone_is_an_error() {
        assert!(no_receiver(redis::PushInfo { kind: redis::PushKind::Message, data: Vec::new() }).is_err());
    }
}

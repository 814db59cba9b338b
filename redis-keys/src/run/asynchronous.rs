//! Commands on asynchronous connections.

use std::any::{Any, type_name};

use redis::aio::ConnectionLike;
#[cfg(feature = "cluster")]
use redis::cluster_async::ClusterConnection;
use redis::{Cmd, RedisError, RedisResult, Value};

use super::batch::{BatchRun, Next, read_first, read_first_of};
use super::exchange::{Exchange, Outgoing};
use super::shared::ByRef;
use super::split::{Parts, split};
use super::{AsyncConnection, Connection, SharedConnection};
#[cfg(feature = "cluster")]
use super::{cluster, redis_rs_cluster};
use crate::command::request::{Cmds, Request};
use crate::command::responses::{Response, flatten, is_unconnected};
use crate::command::submission::Mode;
use crate::command::table::sharded;
use crate::command::{Atomic, Batch, Many, Pending, State};
use crate::observe::command::{BatchCall, Call, rejected, within};
use crate::redis_rs::{is_cluster, is_connection_manager};
use crate::{Command, Error};

// Rare futures are boxed, which keeps the usual ones small.

impl<T> Command<T> {
    /// Runs the command on a shared asynchronous connection, such as [`Connection`].
    ///
    /// The future is `Send` if the result is.
    ///
    /// ```no_run
    /// use redis_keys::{Connection, prelude::*};
    ///
    /// #[derive(RedisKey)]
    /// #[redis_key(user:name:{user_id}:string, value = String, ttl = 1h)]
    /// struct Name { user_id: u64 }
    ///
    /// async fn greeting(con: &Connection) -> Result<String, redis_keys::Error> {
    ///     let name = Name { user_id: 42 }.get().run(con).await?;
    ///     Ok(format!("Hello, {}!", name.as_deref().unwrap_or("stranger")))
    /// }
    /// ```
    ///
    /// If your connection cannot be cloned, such as the guard of a pool, use [`query_async`](Self::query_async)
    /// instead.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`query`](Self::query).
    #[cfg_attr(docsrs, doc(cfg(feature = "aio")))]
    #[inline]
    pub async fn run<C>(self, con: &C) -> Result<T, Error>
    where
        C: SharedConnection,
    {
        if let Some(mut con) = ByRef::<Connection>::recognize(con) {
            return self.query_async(&mut con).await;
        }
        #[cfg(feature = "cluster")]
        if let Some(mut con) = ByRef::<cluster::Connection>::recognize(con) {
            return self.query_async(&mut con).await;
        }
        self.query_async(&mut con.clone()).await
    }

    /// Runs the command on any asynchronous connection, for example the guard of a pool, which cannot be cloned.
    ///
    /// Use [`run`](Self::run) on connections that can be cloned. The future is `Send` if the connection and the result
    /// are.
    ///
    /// ```no_run
    /// use redis_keys::{prelude::*, redis::aio::MultiplexedConnection};
    ///
    /// #[derive(RedisKey)]
    /// #[redis_key(user:name:{user_id}:string, value = String, ttl = 1h)]
    /// struct Name { user_id: u64 }
    ///
    /// async fn greeting(con: &mut MultiplexedConnection) -> Result<String, redis_keys::Error> {
    ///     let name = Name { user_id: 42 }.get().query_async(con).await?;
    ///     Ok(format!("Hello, {}!", name.as_deref().unwrap_or("stranger")))
    /// }
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the errors of [`query`](Self::query).
    #[cfg_attr(docsrs, doc(cfg(feature = "aio")))]
    #[inline]
    pub async fn query_async<C>(self, con: &mut C) -> Result<T, Error>
    where
        C: AsyncConnection + ?Sized,
    {
        match self.state {
            State::Ready(value) => Ok(value),
            State::Refused(error) => {
                rejected(&error);
                Err(error)
            }
            State::Request(Request { schema, script, cmds: Cmds::One(cmd), reading }) => {
                let mut call = Call::start_if_reported(reading.accessor, schema);
                let reply = within(call.as_ref(), send(con, &cmd)).await;
                let first = match &mut call {
                    None => read_first(schema, script, cmd, reading, reply),
                    Some(call) => read_first_of(call, schema, script, cmd, reading, reply),
                };
                match first {
                    Ok(result) => result,
                    Err(rest) => Box::pin(finish(con, *rest, call)).await,
                }
            }
            State::Request(request) => Box::pin(run_several(con, request)).await,
        }
    }
}

// The contents of these futures are named by parameters, not as `B::Plan`: for the compiler, a future with closures of
// borrowed arguments in such a name is not `Send`.

impl<B, P, O, E> Many<B>
where
    B: Batch<Plan = P, Output = O, Each = E>,
{
    /// Runs the commands on an asynchronous connection, as [`query`](Self::query) does on a synchronous one.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`Command::query`].
    #[cfg_attr(docsrs, doc(cfg(feature = "aio")))]
    pub async fn query_async<C>(self, con: &mut C) -> Result<O, Error>
    where
        C: AsyncConnection + Any,
    {
        let mut transport = Transport::of(con);
        let run = BatchRun::start(self.commands, transport.mode(), |refusal| Some(Err(refusal.clone())), B::output);
        let call = run.call();
        let result = call.span.within(drive(&mut transport, run)).await;
        call.end(result.as_ref().err());
        result
    }

    /// Runs the commands on an asynchronous connection, as [`query_each`](Self::query_each) does on a synchronous one.
    #[cfg_attr(docsrs, doc(cfg(feature = "aio")))]
    pub async fn query_each_async<C>(self, con: &mut C) -> E
    where
        C: AsyncConnection + Any,
    {
        let mut transport = Transport::of(con);
        let run = BatchRun::start(self.commands, transport.mode(), |_| None, B::each);
        let call = run.call();
        let results = call.span.within(drive(&mut transport, run)).await;
        call.end(None);
        results
    }

    /// Runs the commands on a shared asynchronous connection, as [`Command::run`] does.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`Command::query`].
    #[cfg_attr(docsrs, doc(cfg(feature = "aio")))]
    pub async fn run<C: SharedConnection>(self, con: &C) -> Result<O, Error> {
        self.query_async(&mut con.clone()).await
    }

    /// Runs the commands on a shared asynchronous connection, as [`query_each`](Self::query_each) does.
    #[cfg_attr(docsrs, doc(cfg(feature = "aio")))]
    pub async fn run_each<C: SharedConnection>(self, con: &C) -> E {
        self.query_each_async(&mut con.clone()).await
    }
}

impl<B, P, O> Atomic<B>
where
    B: Batch<Plan = P, Output = O>,
{
    /// Runs the commands on a shared asynchronous connection, as [`Command::run`] does.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`query`](Self::query).
    #[cfg_attr(docsrs, doc(cfg(feature = "aio")))]
    pub async fn run<C: SharedConnection>(self, con: &C) -> Result<O, Error> {
        self.query_async(&mut con.clone()).await
    }

    /// Runs the commands on an asynchronous connection.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`query`](Self::query).
    #[cfg_attr(docsrs, doc(cfg(feature = "aio")))]
    pub async fn query_async<C>(self, con: &mut C) -> Result<O, Error>
    where
        C: AsyncConnection + ?Sized,
    {
        let mut transaction = self.into_transaction()?;
        let call = BatchCall::start("MULTI", transaction.calls());
        let replies = match transaction.pipeline() {
            Some(pipeline) => call.span.within(con.req_packed_commands(&pipeline, 0, pipeline.len())).await,
            None => Ok(Vec::new()),
        };
        let (result, follow_ups) = transaction.read(replies, proves_unsent::<C>, B::output);
        call.end(result.as_ref().err());
        match BatchRun::<(), _>::follow_up(result, Mode::Pipelined, follow_ups) {
            Next::Done(result) => result,
            next @ Next::Exchange(_) => Box::pin(drive(&mut Transport::Connection(con, Mode::Pipelined), next)).await,
        }
    }
}

/// Runs the rest of a single redis command.
async fn finish<C, T>(con: &mut C, rest: Next<Pending<T>, Result<T, Error>>, call: Option<Call>) -> Result<T, Error>
where
    C: ConnectionLike + ?Sized,
{
    let mut transport = Transport::Connection(con, Mode::Individual);
    let result = within(call.as_ref(), drive(&mut transport, rest)).await;
    if let Some(call) = call {
        call.end(&result);
    }
    result
}

/// Runs a command that is several redis commands.
async fn run_several<C, T>(con: &mut C, request: Request<T>) -> Result<T, Error>
where
    C: ConnectionLike + ?Sized,
{
    let mut call = Call::start(request.reading.accessor, request.schema);
    call.metrics.hand_over();
    let command = Command { state: State::Request(request) };
    let run = BatchRun::start(command, Mode::Pipelined, |refusal| Some(Err(refusal.clone())), Command::output);
    let result = call.span.within(drive(&mut Transport::Connection(con, Mode::Pipelined), run)).await;
    call.end(&result);
    result
}

/// Runs a batch to its end.
async fn drive<C: ConnectionLike + ?Sized, P, R>(transport: &mut Transport<'_, C>, mut next: Next<P, R>) -> R {
    loop {
        next = match next {
            Next::Done(result) => return result,
            Next::Exchange(mut run) => {
                let responses = transport.exchange(&mut run).await;
                run.resume(responses)
            }
        };
    }
}

async fn drive_exchange<C: ConnectionLike + ?Sized>(con: &mut C, mut exchange: Exchange<'_>) -> Vec<Response> {
    loop {
        match exchange.next() {
            Some(Outgoing::Command(cmd)) => {
                let reply = send(con, &cmd).await;
                exchange.resume(reply);
            }
            Some(Outgoing::Pipeline(pipeline)) => {
                let replies = con.req_packed_commands(pipeline, 0, pipeline.len()).await;
                exchange.resume_pipeline(replies);
            }
            None => return exchange.finish(),
        }
    }
}

/// Sends a command. A connection to a cluster gets it in parts if its keys are in several slots; parts behind a failed
/// part are not sent.
#[inline]
async fn send<C: ConnectionLike + ?Sized>(con: &mut C, cmd: &Cmd) -> RedisResult<Value> {
    match if is_cluster::<C>() { split(cmd) } else { None } {
        None => {
            let sharded = if is_cluster::<C>() || is_own_cluster::<C>() { sharded(cmd) } else { None };
            con.req_packed_command(sharded.as_ref().unwrap_or(cmd)).await
        }
        Some((parts, cmds)) => Box::pin(send_parts(con, parts, cmds)).await,
    }
}

async fn send_parts<C: ConnectionLike + ?Sized>(con: &mut C, parts: Parts, cmds: Vec<Cmd>) -> RedisResult<Value> {
    let mut responses = Vec::with_capacity(cmds.len());
    for cmd in &cmds {
        responses.push(Ok(flatten(con.req_packed_command(cmd).await)?));
    }
    parts.join(&mut responses.into_iter()).map_err(|no_reply| no_reply.error)
}

/// The way in which submissions reach the server.
enum Transport<'c, C: ?Sized> {
    /// Over one connection, in this mode.
    Connection(&'c mut C, Mode),
    /// To a cluster, several commands at the same time.
    #[cfg(feature = "cluster")]
    RedisRsCluster(ClusterConnection),
    /// To the nodes of a cluster in pipelines.
    #[cfg(feature = "cluster")]
    Cluster(cluster::Connection),
}

impl<'c, C: ConnectionLike + Any> Transport<'c, C> {
    fn of(con: &'c mut C) -> Self {
        #[cfg(feature = "cluster")]
        if let Some(cluster) = redis_rs_cluster::recognize(con) {
            return Self::RedisRsCluster(cluster);
        }
        #[cfg(feature = "cluster")]
        if let Some(own) = cluster::Connection::recognize(con) {
            return Self::Cluster(own);
        }
        // While a slot moves, a cluster connection runs parts of a pipeline twice.
        let mode = if is_cluster::<C>() { Mode::Individual } else { Mode::Pipelined };
        Self::Connection(con, mode)
    }
}

impl<C: ConnectionLike + ?Sized> Transport<'_, C> {
    fn mode(&self) -> Mode {
        match self {
            Self::Connection(_, mode) => *mode,
            #[cfg(feature = "cluster")]
            Self::RedisRsCluster(_) | Self::Cluster(_) => Mode::Individual,
        }
    }

    async fn exchange<P, R>(&mut self, run: &mut BatchRun<P, R>) -> Vec<Response> {
        match self {
            Self::Connection(con, _) => drive_exchange(*con, run.exchange(proves_unsent::<C>)).await,
            #[cfg(feature = "cluster")]
            Self::RedisRsCluster(con) => redis_rs_cluster::exchange(con, run.submission()).await,
            #[cfg(feature = "cluster")]
            Self::Cluster(con) => con.exchange(run.submission()).await,
        }
    }
}

/// Whether it is this crate's connection to a cluster.
#[cfg_attr(not(feature = "cluster"), allow(clippy::extra_unused_type_parameters, reason = "there are no clusters"))]
fn is_own_cluster<C: ?Sized>() -> bool {
    #[cfg(feature = "cluster")]
    return [type_name::<cluster::Connection>(), type_name::<ByRef<'_, cluster::Connection>>()]
        .contains(&type_name::<C>());
    #[cfg(not(feature = "cluster"))]
    false
}

/// Whether an error proves that the command was not sent.
///
/// This crate's connections and the connection manager connect while commands wait, and do not repeat a command. They
/// are recognized by their names: a borrowed connection has no `TypeId`.
fn proves_unsent<C: ?Sized>(error: &RedisError) -> bool {
    let connecting = [
        type_name::<Connection>(),
        type_name::<ByRef<'_, Connection>>(),
        #[cfg(feature = "cluster")]
        type_name::<cluster::Connection>(),
        #[cfg(feature = "cluster")]
        type_name::<ByRef<'_, cluster::Connection>>(),
    ];
    (connecting.contains(&type_name::<C>()) || is_connection_manager::<C>()) && is_unconnected(error)
}

#[cfg(all(test, feature = "cluster"))]
mod tests {
    use super::{BatchRun, Mode, Transport, drive};
    use crate::command::Batch;
    use crate::tests::keys::Views;
    use crate::tests::mock::{Mock, block_on, server_error};
    use crate::{Command, StringKey as _};

    #[test]
    fn to_a_cluster_that_is_known_by_name_nothing_goes_in_pipelines() {
        let one = || Ok(redis::Value::Int(1));
        let mut con = Mock::new([one(), server_error("NOSCRIPT x"), one()]);
        let incrs = [1, 2].map(|page| Views { page }.incr());
        let mut transport = Transport::Connection(&mut con, Mode::Individual);
        let run = BatchRun::start(incrs, transport.mode(), |_| None, <[Command<u64>; 2] as Batch>::each);
        let found = block_on(drive(&mut transport, run));
        assert!(found.iter().all(|count| *count.as_ref().unwrap() == 1));
        let sent: Vec<_> = con.sent.iter().map(|line| line.split(' ').next().unwrap()).collect();
        assert_eq!(sent, ["EVALSHA", "EVALSHA", "EVAL"]);
    }
}

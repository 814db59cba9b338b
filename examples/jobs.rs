//! A queue of mails and its worker: mails that are sent, one that fails twice, one that cannot be sent, and one that is
//! sent later.
//!
//! ```sh
//! cargo run --example jobs
//! ```
//!
//! It starts a private server, and ends when all mails are sent, or with Ctrl-C. `REDIS_URL=redis://127.0.0.1/` uses
//! another server.

use std::env;
use std::error::Error;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use redis_keys::jobs::{Job, Outcome, Worker};
use redis_keys::prelude::*;
use redis_keys::testing::Server;
use serde::{Deserialize, Serialize};
use tokio::signal;
use tokio::time::sleep;

#[derive(Serialize, Deserialize)]
struct Mail {
    to: String,
}

/// The mails of a tenant that are to be sent. A program that is killed while it sends one delays it by 10 seconds.
#[derive(RedisKey)]
#[redis_key(queue:example.mail:{tenant}:zset, value = Json<Mail>, ttl = 1h, jobs(lease = 10s, tries = 5))]
struct Mails {
    tenant: u32,
}

/// A mail server that is unavailable for one address at first.
#[derive(Clone)]
struct MailServer {
    started: Instant,
    sent: Arc<Mutex<Vec<String>>>,
}

impl MailServer {
    async fn send(&self, job: Job<Mail>) -> Result<Outcome, &'static str> {
        sleep(Duration::from_millis(50)).await;
        let (id, tries, to) = (job.id(), job.tries(), job.value.to);
        let seconds = self.started.elapsed().as_secs_f64();
        println!("{seconds:.1} s: job {id}, try {tries}: to {to}");
        if !to.contains('@') {
            // Trying again does not help.
            return Ok(Outcome::Bury);
        }
        if to == "bob@example.org" && tries < 3 {
            return Err("the mail server is busy");
        }
        // A program that is killed now sends the mail again: it should note the id with what it has done.
        self.sent.lock().unwrap_or_else(PoisonError::into_inner).push(to);
        Ok(Outcome::Done)
    }

    fn number_of_sent(&self) -> usize {
        self.sent.lock().unwrap_or_else(PoisonError::into_inner).len()
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    if let Ok(url) = env::var("REDIS_URL") {
        return run(&url).await;
    }
    let server = Server::start()?;
    run(&server.url()).await
}

/// Sends mails until all are sent.
pub(crate) async fn run(url: &str) -> Result<(), Box<dyn Error>> {
    let con = redis_keys::connect(url)?;
    let queue = Mails { tenant: 7 };
    queue.unlink().run(&con).await?;

    // Any program can push mails. A pusher also wakes the worker of its own program.
    let worker = Worker::new(con.clone(), queue)
        .with_concurrency(4)
        .with_backoff(Duration::from_millis(300), Duration::from_secs(5))
        .with_grace(Duration::from_secs(5));
    let pusher = worker.pusher();
    for to in ["ada@example.org", "bob@example.org", "nobody"] {
        pusher.push(&Mail { to: to.to_owned() }).await?;
    }
    pusher.push_after(&Mail { to: "eve@example.org".to_owned() }, Duration::from_secs(1)).await?;

    let mails = MailServer { started: Instant::now(), sent: Arc::default() };
    let shutdown = {
        let mails = mails.clone();
        async move {
            let all_are_sent = async {
                while mails.number_of_sent() < 3 {
                    sleep(Duration::from_millis(10)).await;
                }
            };
            tokio::select! {
                () = all_are_sent => println!("\nall mails are sent: shutting down"),
                _ = signal::ctrl_c() => println!("\nCtrl-C: shutting down"),
            }
        }
    };
    let handler = {
        let mails = mails.clone();
        move |job: Job<Mail>| {
            let mails = mails.clone();
            async move { mails.send(job).await }
        }
    };
    worker.run(handler).until(shutdown).await?;

    println!("\n{:#?}", worker.stats());
    let queue = Mails { tenant: 7 };
    let counts = queue.counts().run(&con).await?;
    println!("left: {} due, {} later, {} dead", counts.due, counts.later, counts.dead);
    for job in queue.dead(0..10).run(&con).await? {
        println!("dead: {} to {}", job.id(), job.value?.to);
    }
    Ok(())
}

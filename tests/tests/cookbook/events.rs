use crate::recorder::Recorder;

recipe!("events");

#[tokio::test]
async fn each_event_is_billed_and_acknowledged() {
    let (mut recorder, con) = Recorder::start().await;
    let client = recorder.client.clone();
    let mut waiting = BlockingConnection::new(client);
    publish(&con, 1, &Payment { order: 42, cents: 1999 }).await.unwrap();
    work(&con, &mut waiting, 1, "worker-1").await.unwrap();
    recorder.assert_sent_as_on("events").await;
}

#[tokio::test]
async fn nothing_stays_pending() {
    let (recorder, mut con) = Recorder::start().await;
    let mut waiting = BlockingConnection::new(recorder.client.clone());
    let payments = Payments { shop: 1 };
    let billing = payments.group("billing");
    publish(&con, 1, &Payment { order: 42, cents: 1999 }).await.unwrap();
    // Not a payment: the worker reports it and goes on.
    redis::cmd("XADD").arg(&["shop:paid:1:stream", "*", "order", "x"]).exec_async(&mut con).await.unwrap();
    work(&con, &mut waiting, 1, "worker-1").await.unwrap();
    assert_eq!(billing.pending_summary().run(&con).await.unwrap().count, 0);
}

/// A worker that failed has left an event, which another one takes over.
#[tokio::test]
async fn what_a_worker_leaves_is_taken_over() {
    let (recorder, mut con) = Recorder::start().await;
    let mut waiting = BlockingConnection::new(recorder.client.clone());
    let payments = Payments { shop: 1 };
    let billing = payments.group("billing");
    billing.create(GroupStart::Start).run(&con).await.unwrap();
    let id = publish(&con, 1, &Payment { order: 42, cents: 1999 }).await.unwrap();
    billing.read("worker-1", 10).run(&con).await.unwrap();
    // As if it had been delivered two minutes ago.
    let claim = ["shop:paid:1:stream", "billing", "worker-1", "0", &id.to_string(), "IDLE", "120000"];
    redis::cmd("XCLAIM").arg(&claim).exec_async(&mut con).await.unwrap();
    publish(&con, 1, &Payment { order: 43, cents: 1 }).await.unwrap();
    work(&con, &mut waiting, 1, "worker-2").await.unwrap();
    assert_eq!(billing.pending_summary().run(&con).await.unwrap().count, 0);
}

use crate::recorder::Recorder;

recipe!("nearby");

#[tokio::test]
async fn the_nearest_taxis_are_found_until_they_leave() {
    let (mut recorder, con) = Recorder::start().await;
    let here = GeoPoint { longitude: 13.5, latitude: 38.25 };
    assert!(report(&con, 1, 7, here).await.unwrap());
    let found = nearest(&con, 1, here).await.unwrap();
    assert!(matches!(found[..], [(7, distance)] if distance < 0.001), "{found:?}");
    assert!(leave(&con, 1, 7).await.unwrap());
    recorder.assert_sent_as_on("nearby").await;

    let north = |km: f64| GeoPoint { latitude: here.latitude + km / 111.0, ..here };
    for (taxi, position) in [(1, north(1.5)), (2, north(0.5)), (3, north(2.5))] {
        report(&con, 1, taxi, position).await.unwrap();
    }
    let found = nearest(&con, 1, here).await.unwrap();
    assert_eq!(found.into_iter().map(|(taxi, _)| taxi).collect::<Vec<_>>(), [2, 1]);
}

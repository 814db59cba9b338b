//! The search for what a declaration does not match.

use redis_keys::testing;

use crate::recorder::Recorder;

recipe!("migration", 2);

#[tokio::test]
async fn missing_expiries_are_started() -> Result<(), Box<dyn std::error::Error>> {
    let (_recorder, mut con) = Recorder::start().await;
    let _: () = con.set("user:status:42:string", "busy").await?;
    let _: () = con.set("user:status:Ada:string", "busy").await?;
    check(&con).await?;
    assert_eq!(testing::without_expiry_async(&con, "").await?, ["user:status:Ada:string"]);
    Ok(())
}

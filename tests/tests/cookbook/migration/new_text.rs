//! A key that gets a new text.

use crate::recorder::Recorder;

recipe!("migration", 3);

#[tokio::test]
async fn the_old_key_is_read_until_there_is_a_new_one() -> Result<(), Box<dyn std::error::Error>> {
    let (_recorder, mut con) = Recorder::start().await;
    assert_eq!(email(&mut con, 42).await?, None);
    let _: () = con.set_ex("userEmail:42", "ada@example.org", 3600).await?;
    assert_eq!(email(&mut con, 42).await?.as_deref(), Some("ada@example.org"));
    set_email(&mut con, 42, "eve@example.org").await?;
    assert_eq!(email(&mut con, 42).await?.as_deref(), Some("eve@example.org"));
    assert_eq!(con.get::<_, String>("userEmail:42").await?, "eve@example.org");
    Ok(())
}

recipe!("testing");

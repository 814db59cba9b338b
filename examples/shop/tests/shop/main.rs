//! The shop as its customers use it: over HTTP, with a server that is killed and started again.

#![allow(clippy::expect_used, clippy::panic, reason = "these are tests")]

mod browser;
mod chromium;
mod pages;
mod processes;

use browser::{Browser, Page};
use chromium::Chromium;
use processes::Shop;

/// Pages that a small screen could be too narrow for.
const WIDE_PAGES: [(&str, &str); 5] = [
    ("/stores", "Stores nearby"),
    ("/counter", "Behind the counter"),
    ("/redis", "What Redis sees"),
    ("/orders", "Your orders"),
    ("/search?words=wwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwww", "Search"),
];

/// Looks for tea, puts it into the cart and signs in, as a customer does.
fn fill_cart(shop: &Shop) -> Browser {
    let mut browser = shop.browser();
    let found = browser.get("/search?words=smoked");
    assert!(found.has("href=\"/products/4\"") && found.has("Smoked tea"), "{found:?}");
    let product = browser.get("/products/4");
    assert!(product.status == 200 && product.has("Only 3 left") && product.has("€ 12.90"), "{product:?}");
    let cart = browser.post("/cart", &[("product_id", "4"), ("number", "2")]);
    assert!(cart.status == 200 && cart.has("€ 25.80") && cart.has("Sign in"), "{cart:?}");
    browser.sign_in();
    browser
}

/// Places an order of what is in the cart, and returns the page that follows.
fn order(browser: &mut Browser) -> Page {
    let cart = browser.get("/cart");
    send_form_of(&cart, browser)
}

/// Sends the form of a cart that was opened earlier.
fn send_form_of(cart: &Page, browser: &mut Browser) -> Page {
    let value = |name| cart.between(&format!("name=\"{name}\" value=\""), "\"");
    browser.post("/orders", &[("form", &value("form")), ("cents", &value("cents")), ("items", &value("items"))])
}

/// Adds an order to the database alone, as if the shop had ended before it pushed the job and emptied the cart.
fn add_order_without_job(shop: &Shop, form: &str) -> rusqlite::Connection {
    let db = rusqlite::Connection::open(shop.database()).expect("the database opens");
    db.execute("INSERT INTO orders (form, account_id) VALUES (?, 1)", [form]).expect("an order");
    let items = "INSERT INTO item VALUES (?1, 4, 2, 1290), (?1, 6, 60, 4800)";
    db.execute(items, [db.last_insert_rowid()]).expect("its items");
    db
}

#[test]
fn an_order_is_confirmed_also_if_redis_is_killed_before_and_after() {
    let mut shop = Shop::open();
    let mut browser = fill_cart(&shop);

    shop.kill_redis();
    for page in ["/", "/products/4", "/search?words=cup", "/products/5"] {
        let page = browser.get(page);
        assert!(page.status == 200 && page.has("do not work right now"), "{page:?}");
    }
    for page in ["/cart", "/sign-in", "/orders", "/account", "/stores"] {
        let page = browser.get(page);
        assert!(page.status == 503 && page.has("your cart and your orders are kept"), "{page:?}");
    }
    assert_eq!(browser.post("/cart", &[("product_id", "5"), ("number", "1")]).status, 503);

    shop.start_redis();
    browser.wait_for("/cart", |cart| cart.status == 200);
    let cart = browser.get("/cart");
    assert!(cart.has("Smoked tea") && cart.has("€ 25.80") && cart.has("Place the order"), "{cart:?}");
    let orders = order(&mut browser);
    assert!(orders.has("2 × Smoked tea") && orders.has("€ 25.80"), "{orders:?}");
    browser.wait_for("/orders", |orders| orders.has("data-state=\"confirmed\""));
    assert!(browser.get("/cart").has("Your cart is empty"));
    assert!(browser.get("/products/4").has("Only 1 left"));
    browser.wait_for("/", |first| first.has("Hillside Tea <span class=\"quiet\">€ 25.80"));

    shop.kill_redis();
    shop.start_redis();
    browser.wait_for("/orders", |orders| orders.status == 200);
    assert!(browser.get("/orders").has("data-state=\"confirmed\""), "the session and the order are there");
}

#[test]
fn an_order_is_placed_in_chromium_on_a_desktop_and_on_a_phone() {
    let mut shop = Shop::open();
    let Some(mut tab) = Chromium::start(shop.folder()) else { return };
    // One after the other, with less of the product that both take.
    for ((width, height), left) in [((1280, 900), "Only 2 left"), ((360, 740), "Only 1 left")] {
        tab.set_size(width, height);
        tab.open(&shop.url("/"));
        tab.wait_for_page("Everything for tea");
        tab.fill("words", "smoked");
        tab.click("Search");
        tab.wait_for_page("Search");
        tab.click("Smoked tea");
        tab.wait_for_page("Smoked tea");
        tab.fill("number", "1");
        tab.click("Add to cart");
        tab.wait_for_page("Your cart");
        tab.wait_for_text("€ 12.90");
        tab.click("Sign in");
        tab.wait_for_page("Sign in");
        tab.fill("email", "ada@example.org");
        tab.fill("password", "analytical engine");
        tab.click_submit("Sign in");
        tab.wait_for_page("Your cart");

        shop.kill_redis();
        tab.open(&shop.url("/products/4"));
        tab.wait_for_page("Smoked tea");
        tab.wait_for_text("do not work right now");
        tab.open(&shop.url("/cart"));
        tab.wait_for_text("your cart and your orders are kept");
        shop.start_redis();
        shop.browser().wait_for("/cart", |cart| cart.status == 200);

        tab.open(&shop.url("/cart"));
        tab.wait_for_page("Your cart");
        tab.click("Place the order");
        tab.wait_for_page("Your orders");
        tab.wait_for_first("state", "confirmed");
        add_order_without_job(&shop, &format!("on {width} pixels"));
        tab.open(&shop.url("/orders"));
        tab.wait_for_first("state", "placed");
        tab.mark_page();
        tab.wait_for_first("state", "confirmed");
        assert!(tab.is_marked(), "the script of the page has shown the change");

        tab.open(&shop.url("/products/4"));
        tab.wait_for_text(left);
        for (path, heading) in WIDE_PAGES {
            tab.open(&shop.url(path));
            tab.wait_for_page(heading);
        }
        tab.open(&shop.url("/orders"));
        tab.wait_for_page("Your orders");
        let mut other = shop.browser();
        other.sign_in();
        other.post("/cart", &[("product_id", "1"), ("number", if width > 500 { "5" } else { "6" })]);
        order(&mut other);
        tab.wait_for_text(if width > 500 { "5 × Green tea" } else { "6 × Green tea" });
        tab.click("Account");
        tab.wait_for_page("Your account");
        tab.click("Sign out");
        tab.wait_for_page("Everything for tea");
        tab.go_back();
        tab.wait_for_page("Sign in");
    }
    assert!(tab.errors().is_empty(), "{:?}", tab.errors());
}

#[test]
fn each_order_is_confirmed_once_also_after_retries_and_without_a_job() {
    let shop = Shop::open();
    let mut browser = shop.browser();
    browser.sign_in();
    // The payment of the third one fails at first.
    for _ in 0..3 {
        browser.post("/cart", &[("product_id", "1"), ("number", "1")]);
        let cart = browser.get("/cart");
        assert!(send_form_of(&cart, &mut browser).has("Your orders"));
        assert!(send_form_of(&cart, &mut browser).has("Your orders"), "the form is sent twice");
        // Then from another tab, when there is another cart.
        browser.post("/cart", &[("product_id", "1"), ("number", "1")]);
        let page = send_form_of(&cart, &mut browser);
        assert!(page.has("Your cart") && page.has("Green tea"), "{page:?}");
        browser.post("/cart/remove/1", &[]);
    }
    let db = add_order_without_job(&shop, "lost");

    browser.wait_for("/orders", |orders| orders.count("data-state=\"confirmed\"") == 4);
    assert!(browser.get("/orders").has("60 × Teapot"));
    let stock: u64 =
        db.query_row("SELECT stock FROM product WHERE id = 1", [], |row| row.get(0)).expect("it has a stock");
    assert_eq!(stock, 37, "each form has taken from the stock once");
}

#[test]
fn a_cart_that_stays_after_its_order_is_not_ordered_again() {
    let shop = Shop::open();
    let mut browser = fill_cart(&shop);
    let cart = browser.get("/cart");
    add_order_without_job(&shop, &cart.between("name=\"form\" value=\"", "\""));
    browser.post("/cart", &[("product_id", "7"), ("number", "1")]);
    let orders = order(&mut browser);
    assert_eq!(orders.count("data-state"), 1, "{orders:?}");
    let cart = browser.get("/cart");
    assert!(!cart.has("Smoked tea") && cart.has("Tea bowl"), "what was added later is still to be ordered: {cart:?}");
    assert_eq!(order(&mut browser).count("data-state"), 2);
}

#[test]
fn no_order_costs_more_than_its_cart_has_shown() {
    let shop = Shop::open();
    let mut browser = fill_cart(&shop);
    let cart = browser.get("/cart");
    let db = rusqlite::Connection::open(shop.database()).expect("the database opens");
    db.execute("UPDATE product SET cents = 9900 WHERE id = 4", []).expect("the cache does not know this");
    let page = send_form_of(&cart, &mut browser);
    assert!(page.status == 409 && page.has("Prices have changed"), "{page:?}");
    assert!(browser.get("/cart").has("€ 198.00"));
    assert!(order(&mut browser).has("€ 198.00"));
}

#[test]
fn a_cart_that_has_changed_is_not_ordered_as_it_was() {
    let shop = Shop::open();
    let mut browser = fill_cart(&shop);
    let cart = browser.get("/cart");
    browser.post("/cart/change/4", &[("number", "1")]);
    let page = send_form_of(&cart, &mut browser);
    assert!(page.status == 409 && page.has("Your cart has changed") && !page.has("Prices"), "{page:?}");
    assert!(order(&mut browser).has("1 × Smoked tea"));
}

#[test]
fn accounts_have_orders_of_their_own() {
    let shop = Shop::open();
    order(&mut fill_cart(&shop));
    let mut browser = shop.browser();
    browser.sign_in_as("grace@");
    assert!(browser.get("/orders").has("not ordered anything"));
}

#[test]
fn more_than_the_stock_is_not_sold() {
    let shop = Shop::open();
    let mut browser = fill_cart(&shop);
    browser.post("/cart", &[("product_id", "4"), ("number", "2")]);
    let page = order(&mut browser);
    assert!(page.status == 409 && page.has("There are only 3 of “Smoked tea” left"), "{page:?}");
    assert!(browser.get("/orders").has("not ordered anything"));
    assert!(browser.get("/cart").has("Smoked tea"), "the cart stays");
}

#[test]
fn a_page_of_orders_receives_changes() {
    let shop = Shop::open();
    let mut browser = fill_cart(&shop);
    let mut events = browser.open("/orders/live");
    events.wait_for("200 OK");
    let orders = order(&mut browser);
    assert!(orders.has("data-state=\"placed\""), "it is seen placed before it is confirmed: {orders:?}");
    events.wait_for("data: 1 placed");
    assert!(!events.has("confirmed"));
    events.wait_for("data: 1 confirmed");
}

/// Whether `cargo redis-keys` finds a file of the shop up to date.
fn is_current(command: &[&str], file: &str) -> bool {
    let folder = env!("CARGO_MANIFEST_DIR");
    let (manifest, file) = (format!("{folder}/Cargo.toml"), format!("{folder}/{file}"));
    let options = ["--manifest-path", &manifest, "--package", "redis-keys-shop"];
    let words = ["cargo", "redis-keys"].iter().chain(command).copied().chain([&*file]).chain(options);
    let words = words.map(Into::into);
    cargo_redis_keys::run(words) == std::process::ExitCode::SUCCESS
}

#[test]
fn the_catalogue_is_current() {
    let update = "`cargo redis-keys catalog --package redis-keys-shop --out examples/shop/KEYS.md` updates it";
    assert!(is_current(&["catalog", "--check"], "KEYS.md"), "{update}");
}

#[test]
fn the_keys_in_typescript_are_current() {
    let generate = ["generate", "typescript", "--module", "cache", "--check", "--out"];
    let update = "`cargo redis-keys generate typescript --package redis-keys-shop --module cache --out \
                  examples/shop/typescript/keys.ts` updates them";
    assert!(is_current(&generate, "typescript/keys.ts"), "{update}");
}

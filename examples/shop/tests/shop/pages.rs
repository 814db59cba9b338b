//! Tests of single pages.

use crate::processes::{SECRET, Shop};
use crate::send_form_of;

const PAGES: [&str; 11] = [
    "/",
    "/search?words=tea",
    "/products/1",
    "/products/99",
    "/cart",
    "/sign-in",
    "/account",
    "/orders",
    "/counter",
    "/stores",
    "/redis",
];

#[test]
fn a_new_price_is_shown_at_once() {
    let shop = Shop::open();
    let mut browser = shop.browser();
    assert!(browser.get("/products/1").has("€ 8.90"));
    assert!(browser.post("/counter/price", &[("product_id", "1"), ("cents", "1")]).has("Email address"), "signed out");
    browser.sign_in();
    assert!(browser.post("/counter/price", &[("product_id", "1"), ("cents", "950")]).has("€ 9.50"));
    assert!(browser.get("/").has("€ 9.50") && browser.get("/search?words=green").has("€ 9.50"));
}

#[test]
fn features_are_switched_without_a_restart() {
    let shop = Shop::open();
    let mut browser = shop.browser();
    browser.sign_in();
    browser.wait_for("/products/1", |product| product.has("Views today"));
    browser.post("/counter/feature", &[("feature", "1"), ("is_on", "false")]);
    assert!(!browser.get("/products/1").has("Views today"));
    browser.post("/counter/feature", &[("feature", "1"), ("is_on", "true")]);
    assert!(browser.get("/products/1").has("Views today"));
}

#[test]
fn a_key_of_an_earlier_release_is_moved() {
    let shop = Shop::open();
    let mut browser = shop.browser();
    browser.sign_in();
    browser.wait_for("/account", |account| account.has("Newsletter:ada@example.org"));
    let account = browser.post("/account/newsletter", &[]);
    assert!(account.has("weekly") && account.has("newsletter:choice:"), "{account:?}");
    assert!(!account.has("Newsletter:ada"), "{account:?}");
}

#[test]
fn attempts_to_sign_in_and_searches_are_limited() {
    let shop = Shop::open();
    let mut browser = shop.browser();
    for _ in 0..5 {
        let page = browser.post("/sign-in", &[("email", "eve@example.org"), ("password", "guess")]);
        assert_eq!(page.status, 403);
    }
    let page = browser.post("/sign-in", &[("email", "Eve@example.org"), ("password", "guess")]);
    assert!(page.status == 429 && page.has("Too many attempts"), "{page:?}");
    browser.wait_for("/search?words=tea", |page| page.status == 429 && page.has("Too many searches"));
}

#[test]
fn forms_of_other_sites_change_nothing() {
    let shop = Shop::open();
    let mut browser = shop.browser();
    browser.sign_in();
    for site in [
        "Sec-Fetch-Site: cross-site",
        "Sec-Fetch-Site: same-site",
        "Sec-Fetch-Site: none",
        "Origin: null",
        "Origin: http://other",
    ] {
        browser.site = site;
        for path in ["/sign-out", "/sign-in", "/nothing"] {
            let page = browser.post(path, &[("email", "eve@example.org"), ("password", "guess")]);
            assert!(page.status == 403 && !page.head.contains("set-cookie"), "{page:?}");
        }
    }
    assert!(browser.get("/account").has("Signed in as ada@example.org"), "links of other sites work");
    browser.site = "Origin: http://shop";
    assert_eq!(browser.post("/sign-out", &[]).status, 200, "a browser that reports the origin only");
}

#[test]
fn requests_that_no_page_sends_get_a_page() {
    let shop = Shop::open();
    let mut browser = shop.browser();
    browser.sign_in();
    let mut statuses = Vec::new();
    let large = u64::MAX.to_string();
    for path in ["/nothing", "/products/tea", "/products/99", &format!("/products/{large}"), "/stores?store="] {
        statuses.push(browser.get(path));
    }
    for fields in [&[("product_id", "1")][..], &[("product_id", &large), ("number", "1")], &[("number", "-1")]] {
        statuses.push(browser.post("/cart", fields));
    }
    statuses.push(browser.post("/counter/price", &[("product_id", &large), ("cents", "1")]));
    statuses.push(browser.post("/products/1", &[]));
    for page in statuses {
        assert!((400..500).contains(&page.status) && page.has("role=\"alert\""), "{page:?}");
    }
}

#[test]
fn pages_about_failures_show_who_is_signed_in() {
    let mut shop = Shop::open();
    let mut browser = shop.browser();
    browser.post("/cart", &[("product_id", "4"), ("number", "2")]);
    assert!(browser.get("/nothing").has("href=\"/sign-in\""));
    browser.sign_in();
    let pages = [browser.get("/nothing"), browser.get("/products/99"), browser.post("/cart", &[("product_id", "1")])];
    for page in pages {
        let is_whole = page.has("href=\"/account\"") && page.has("<span class=\"badge\">1</span>");
        assert!(is_whole && page.has("role=\"alert\"") && !page.has("/sign-in"), "{page:?}");
    }
    shop.kill_redis();
    let page = browser.get("/orders");
    assert!(page.status == 503 && page.has("href=\"/account\"") && !page.has("/sign-in"), "{page:?}");
}

#[test]
fn pages_of_an_account_are_not_stored() {
    let shop = Shop::open();
    let mut browser = shop.browser();
    assert!(!browser.get("/").head.contains("no-store"));
    browser.sign_in();
    for path in ["/account", "/orders", "/cart", "/counter", "/"] {
        let page = browser.get(path);
        assert!(page.head.contains("cache-control: no-store"), "{path}: {page:?}");
    }
}

#[test]
fn a_search_keeps_its_words() {
    let shop = Shop::open();
    let page = shop.browser().get("/search?words=%22green%22+tea");
    assert!(page.has("value=\"&quot;green&quot; tea\""), "{page:?}");
}

#[test]
fn quantities_are_changed_in_the_cart() {
    let shop = Shop::open();
    let mut browser = shop.browser();
    browser.post("/cart", &[("product_id", "4"), ("number", "2")]);
    let cart = browser.post("/cart/change/4", &[("number", "3")]);
    assert!(cart.has("name=\"number\" value=\"3\"") && cart.has("€ 38.70"), "{cart:?}");
    assert!(browser.post("/cart/change/4", &[("number", "0")]).has("€ 12.90"));
    assert!(!browser.post("/cart/change/1", &[("number", "1")]).has("Green tea"), "it is not in the cart");
}

#[test]
fn stores_are_sorted_by_distance() {
    let shop = Shop::open();
    let mut browser = shop.browser();
    browser.wait_for("/stores?store=1", |stores| stores.has("Leipzig</td><td class=\"number\">149 km"));
    let stores = browser.get("/stores?store=1");
    let place = |city: &str| stores.body.find(&format!("<td>{city}</td>"));
    assert!(place("Berlin") < place("Leipzig") && place("Leipzig") < place("Vienna"), "{stores:?}");
}

#[test]
fn the_page_about_redis_shows_declarations_accessors_scripts_and_keys() {
    let mut shop = Shop::open();
    let mut browser = shop.browser();
    browser.wait_for("/", |first| first.has("best sellers"));
    browser.get("/search?words=tea");
    browser.post("/cart", &[("product_id", "4"), ("number", "2")]);
    browser.sign_in();
    let cart = browser.get("/cart");
    send_form_of(&cart, &mut browser);
    browser.get("/products/4");
    let page = browser.get("/redis");
    let views = page.between("<strong>Views</strong>", "</tr>");
    for text in [
        "ttl 7d from the end of the day",
        "<code>.incr</code>",
        "<code>EVALSHA count.lua</code>",
        "INCRBY within a range.",
        " days left",
    ] {
        assert!(views.contains(text), "{views} has no `{text}`");
    }
    assert!(page.has("<strong>StockLock</strong>") && page.has("EVAL unlock.lua"), "{page:?}");
    assert!(page.has("unknown to the server: sent again as text") && !page.has("failed: NOSCRIPT"), "{page:?}");
    let form = page.between("<strong>CartForm</strong>", "</tr>");
    assert!(form.contains(".unlink") && form.contains("not there"), "{form}");
    assert!(page.has("What every page sends: 5 commands in 1 round trip"), "{page:?}");
    assert!(!page.has("not declared") && !page.has(" unknown</code>"), "{page:?}");
    assert!(shop.browser().get("/redis").has("not opened another page yet"), "each visitor sees their own requests");

    shop.kill_redis();
    browser.get("/products/4");
    let page = browser.get("/redis");
    assert!(page.has("failed: no answer") && page.has("Redis cannot be reached"), "{page:?}");
}

#[test]
fn the_labels_of_metrics_are_templates() {
    let shop = Shop::open();
    let mut browser = shop.browser();
    browser.get("/products/1");
    let metrics = browser.get("/metrics");
    assert!(metrics.has("template=\"cache:product:{product_id}:string\""), "{metrics:?}");
    assert!(!metrics.has("cache:product:1:"), "no key is a label");
    assert!(metrics.has("redis_keys_command_seconds_bucket{"), "the dashboard has percentiles");
}

#[test]
fn pages_contain_no_secrets_and_nothing_inline() {
    let shop = Shop::open();
    let mut browser = shop.browser();
    browser.post("/cart", &[("product_id", "1"), ("number", "1")]);
    browser.sign_in();
    for path in PAGES {
        let page = browser.get(path);
        for secret in browser.cookies() {
            assert!(!page.has(secret), "{path} contains a cookie");
        }
        for text in [SECRET, "$argon2", "style=\"", "onclick", "<script>"] {
            assert!(!page.has(text), "{path} contains `{text}`");
        }
        assert!(page.head.contains("default-src 'self'"), "{path} allows other sources");
    }
}

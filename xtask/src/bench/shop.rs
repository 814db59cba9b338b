//! The page of a product in the shop of `examples/shop`: with the cache, without it, and with Redis stopped.

use std::fs;
use std::io::{self, BufRead as _, BufReader, Read as _, Write as _};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use super::Setup;
use super::table::Table;
use crate::run::{Failure, Outcome, cargo, run, target};

/// The browsers that ask at the same time, each for one page after the other.
const BROWSERS: usize = 16;

pub(super) fn measure(setup: Setup<'_>) -> Outcome<Vec<Table>> {
    run(cargo().args(["build", "--release", "--package", "redis-keys-shop"]))?;
    let time = Duration::from_secs(setup.count(10, 1).into());
    let mut shop = Shop::open(setup, false)?;
    let mut rows = vec![row("with the cache", shop.load(time)?)];
    shop.stop_redis()?;
    // Until the breaker is open.
    shop.load(Duration::from_secs(1))?;
    rows.push(row("with the cache, while Redis is stopped", shop.load(time)?));
    drop(shop);
    rows.insert(1, row("without the cache", Shop::open(setup, true)?.load(time)?));
    Ok(vec![Table {
        title: "The page of a product in the shop",
        method: format!(
            "{BROWSERS} connections, each with one request after the other for {} s, from one process on the same \
             machine. Every page also reads the session, the cart and the features, and counts a view: two round \
             trips to Redis beside that of the cache. The database is SQLite in the process of the shop, with nine \
             products in memory, so the cache saves no query over a network here.",
            time.as_secs()
        ),
        columns: &["", "pages/s", "median", "99th percentile"],
        rows,
    }])
}

fn row(title: &str, (mut times, took): (Vec<Duration>, Duration)) -> Vec<String> {
    times.sort_unstable();
    let at = |percent: usize| times.get(times.len().saturating_sub(1) * percent / 100).copied().unwrap_or_default();
    let shown = |time: Duration| format!("{:.2} ms", time.as_secs_f64() * 1000.0);
    let count = u32::try_from(times.len()).unwrap_or(u32::MAX);
    vec![title.to_owned(), format!("{:.0}", f64::from(count) / took.as_secs_f64()), shown(at(50)), shown(at(99))]
}

/// A shop with a server of its own, in a folder of its own.
struct Shop {
    folder: PathBuf,
    redis: Child,
    process: Child,
    address: SocketAddr,
}

impl Shop {
    fn open(setup: Setup<'_>, is_uncached: bool) -> Outcome<Self> {
        let folder = std::env::temp_dir().join(format!("redis-keys-shop-{}", std::process::id()));
        fs::create_dir_all(&folder)?;
        let port = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr()?.port();
        let mut server = Command::new(setup.server);
        server.args(["--bind", "127.0.0.1", "--port", &port.to_string(), "--save", "", "--appendonly", "yes", "--dir"]);
        let redis = server.arg(&folder).stdout(Stdio::null()).spawn()?;
        let mut shop = Command::new(target().join("release/redis-keys-shop"));
        shop.env("REDIS_URL", format!("redis://127.0.0.1:{port}/")).env("SHOP_PORT", "0");
        shop.env("SHOP_DATABASE", folder.join("shop.db")).env_remove("SHOP_WITHOUT_CACHE");
        if is_uncached {
            shop.env("SHOP_WITHOUT_CACHE", "1");
        }
        let mut process = shop.stdout(Stdio::piped()).stderr(Stdio::null()).spawn()?;
        let mut line = String::new();
        BufReader::new(process.stdout.take().ok_or_else(|| Failure::new("no output"))?).read_line(&mut line)?;
        let address = line.trim().rsplit_once("//").and_then(|(_, rest)| rest.trim_end_matches('/').parse().ok());
        let address = address.ok_or_else(|| Failure::new("the shop does not open"))?;
        Ok(Self { folder, redis, process, address })
    }

    fn stop_redis(&mut self) -> io::Result<()> {
        self.redis.kill()?;
        self.redis.wait().map(drop)
    }

    /// Opens the page for this time, and returns how long each took and how long all did.
    fn load(&self, time: Duration) -> Outcome<(Vec<Duration>, Duration)> {
        let (address, started) = (self.address, Instant::now());
        let browsers: Vec<_> =
            (0..BROWSERS).map(|number| thread::spawn(move || browse(address, number, started + time))).collect();
        let mut times = Vec::new();
        for browser in browsers {
            times.extend(browser.join().map_err(|_| Failure::new("a browser panicked"))??);
        }
        Ok((times, started.elapsed()))
    }
}

impl Drop for Shop {
    fn drop(&mut self) {
        for process in [&mut self.process, &mut self.redis] {
            let _ = process.kill();
            let _ = process.wait();
        }
        let _ = fs::remove_dir_all(&self.folder);
    }
}

fn browse(address: SocketAddr, number: usize, end: Instant) -> io::Result<Vec<Duration>> {
    let mut stream = BufReader::new(TcpStream::connect(address)?);
    stream.get_ref().set_nodelay(true)?;
    let request = format!("GET /products/1 HTTP/1.1\r\nHost: shop\r\nCookie: visitor={number:032x}\r\n\r\n");
    let (mut times, mut line, mut body) = (Vec::new(), String::new(), Vec::new());
    while Instant::now() < end {
        let started = Instant::now();
        stream.get_mut().write_all(request.as_bytes())?;
        let mut length = 0;
        let mut is_first = true;
        while line != "\r\n" {
            line.clear();
            stream.read_line(&mut line)?;
            if is_first && !line.contains(" 200 ") {
                return Err(io::Error::other(format!("the shop answers {line}")));
            }
            is_first = false;
            if let Some(number) = line.strip_prefix("content-length: ") {
                length = number.trim().parse().map_err(io::Error::other)?;
            }
        }
        line.clear();
        body.resize(length, 0);
        stream.read_exact(&mut body)?;
        times.push(started.elapsed());
    }
    Ok(times)
}

//! The database of the shop: `SQLite` in a file. What is lost with Redis is in here too, or can be lost.

use std::fmt;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use redis_keys::prelude::GeoPoint;
use rusqlite::{Connection, OptionalExtension as _, Row, params};
use serde::{Deserialize, Serialize};

/// A clone uses the same connection.
#[derive(Clone)]
pub(crate) struct Database {
    connection: Arc<Mutex<Connection>>,
}

/// A failure of the database.
#[derive(Debug)]
pub(crate) enum Error {
    Sqlite(rusqlite::Error),
    /// The program ends.
    Stopped,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Sqlite(error) => write!(f, "database: {error}"),
            Self::Stopped => f.write_str("database: the program ends"),
        }
    }
}

impl std::error::Error for Error {}

impl From<rusqlite::Error> for Error {
    fn from(error: rusqlite::Error) -> Self {
        Self::Sqlite(error)
    }
}

/// A product, as its page shows it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Product {
    pub(crate) id: u64,
    pub(crate) name: String,
    pub(crate) description: String,
    pub(crate) cents: u64,
    pub(crate) stock: u32,
    pub(crate) seller: String,
}

#[derive(Debug)]
pub(crate) struct Store {
    pub(crate) id: u64,
    pub(crate) name: String,
    pub(crate) city: String,
    pub(crate) longitude: f64,
    pub(crate) latitude: f64,
}

impl Store {
    pub(crate) fn place(&self) -> GeoPoint {
        GeoPoint { longitude: self.longitude, latitude: self.latitude }
    }
}

#[derive(Debug)]
pub(crate) struct Account {
    pub(crate) id: u64,
    pub(crate) email: String,
    pub(crate) password: String,
}

#[derive(Debug)]
pub(crate) struct Order {
    pub(crate) id: u64,
    pub(crate) state: String,
    pub(crate) placed_at: String,
    pub(crate) cents: u64,
    /// Such as `2 × Green tea, 1 × Teapot`.
    pub(crate) items: String,
}

/// A quantity that the holder of a lock takes from the stock of its product.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reserved {
    pub(crate) product_id: u64,
    pub(crate) number: u32,
    pub(crate) fence: u64,
}

/// The outcome of an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Placed {
    /// With this number. The same form has placed it before, if it was sent twice.
    Order(u64),
    /// There are fewer of this product.
    TooFew { product_id: u64 },
    /// Another holder of a lock came later: this one has lost it.
    LockLost,
}

/// A confirmed order: its account, and what its sellers have sold in this month.
#[derive(Debug)]
pub(crate) struct Confirmed {
    pub(crate) account_id: u64,
    pub(crate) sales: Vec<(u64, u64)>,
}

const PRODUCT: &str = "SELECT product.id, product.name, description, cents, stock, seller.name
    FROM product JOIN seller ON seller.id = seller_id";

/// The sum of the orders of this month that are confirmed, for each seller.
const SALES: &str = "SELECT seller_id, sum(number * item.cents) FROM item
    JOIN product ON product.id = product_id JOIN orders ON orders.id = order_id
    WHERE state = 'confirmed' AND strftime('%Y%m', placed_at, 'unixepoch') = strftime('%Y%m', 'now')";

impl Database {
    /// Opens the file, and returns whether it is new.
    pub(crate) fn open(path: &Path) -> Result<(Self, bool), Error> {
        let connection = Connection::open(path)?;
        connection.execute_batch("PRAGMA journal_mode = WAL; PRAGMA foreign_keys = ON;")?;
        connection.busy_timeout(std::time::Duration::from_secs(5))?;
        let tables: u64 = connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
        if tables == 0 {
            connection.execute_batch(&format!("BEGIN; {} COMMIT;", include_str!("schema.sql")))?;
        }
        Ok((Self { connection: Arc::new(Mutex::new(connection)) }, tables == 0))
    }

    /// Runs statements on a thread that may block.
    async fn run<T: Send + 'static>(
        &self,
        statements: impl FnOnce(&mut Connection) -> Result<T, rusqlite::Error> + Send + 'static,
    ) -> Result<T, Error> {
        let connection = Arc::clone(&self.connection);
        let run = move || statements(&mut connection.lock().unwrap_or_else(PoisonError::into_inner));
        Ok(tokio::task::spawn_blocking(run).await.map_err(|_| Error::Stopped)??)
    }

    pub(crate) async fn product(&self, product_id: u64) -> Result<Option<Product>, Error> {
        self.run(move |con| {
            con.prepare_cached(&format!("{PRODUCT} WHERE product.id = ?"))?.query_row([product_id], product).optional()
        })
        .await
    }

    /// The numbers of the products with these words in their name or description; of all without words.
    pub(crate) async fn search(&self, words: String) -> Result<Vec<u64>, Error> {
        self.run(move |con| {
            let mut search = con.prepare_cached(
                "SELECT id FROM product WHERE instr(lower(name || ' ' || description), ?) > 0 ORDER BY id LIMIT 100",
            )?;
            search.query_map([words], |row| row.get(0))?.collect()
        })
        .await
    }

    pub(crate) async fn set_price(&self, product_id: u64, cents: u64) -> Result<bool, Error> {
        self.run(move |con| {
            Ok(con.execute("UPDATE product SET cents = ? WHERE id = ?", params![cents, product_id])? > 0)
        })
        .await
    }

    pub(crate) async fn sellers(&self) -> Result<Vec<(u64, String)>, Error> {
        self.run(|con| {
            con.prepare_cached("SELECT id, name FROM seller")?
                .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?
                .collect()
        })
        .await
    }

    pub(crate) async fn stores(&self) -> Result<Vec<Store>, Error> {
        self.run(|con| {
            con.prepare_cached("SELECT id, name, city, longitude, latitude FROM store ORDER BY city")?
                .query_map([], store)?
                .collect()
        })
        .await
    }

    pub(crate) async fn account(&self, email: String) -> Result<Option<Account>, Error> {
        self.run(move |con| {
            con.prepare_cached("SELECT id, email, password FROM account WHERE email = ?")?
                .query_row([email], |row| Ok(Account { id: row.get(0)?, email: row.get(1)?, password: row.get(2)? }))
                .optional()
        })
        .await
    }

    pub(crate) async fn add_account(&self, email: &'static str, password: String) -> Result<(), Error> {
        self.run(move |con| {
            con.execute("INSERT INTO account (email, password) VALUES (?, ?)", [email, &password]).map(drop)
        })
        .await
    }

    /// Takes the products from the stock and adds the order, or does neither.
    pub(crate) async fn place(&self, account_id: u64, form: String, reserved: Vec<Reserved>) -> Result<Placed, Error> {
        self.run(move |con| {
            let step = con.transaction()?;
            let earlier =
                step.query_row("SELECT id FROM orders WHERE form = ?", [&form], |row| row.get(0)).optional()?;
            if let Some(order_id) = earlier {
                return Ok(Placed::Order(order_id));
            }
            step.execute("INSERT INTO orders (form, account_id) VALUES (?, ?)", params![form, account_id])?;
            let order_id = step.last_insert_rowid().unsigned_abs();
            for reserved in reserved {
                // Without a commit, nothing of this stays.
                if let Some(refused) = take(&step, order_id, reserved)? {
                    return Ok(refused);
                }
            }
            step.commit()?;
            Ok(Placed::Order(order_id))
        })
        .await
    }

    pub(crate) async fn orders(&self, account_id: u64) -> Result<Vec<Order>, Error> {
        self.run(move |con| {
            let mut orders = con.prepare_cached(
                "SELECT orders.id, state, strftime('%Y-%m-%d %H:%M', placed_at, 'unixepoch'), sum(number * item.cents),
                     group_concat(number || ' × ' || name, ', ')
                 FROM orders JOIN item ON order_id = orders.id JOIN product ON product.id = product_id
                 WHERE account_id = ? GROUP BY orders.id ORDER BY orders.id DESC LIMIT 50",
            )?;
            orders.query_map([account_id], order)?.collect()
        })
        .await
    }

    /// Confirms an order, or finds it confirmed already; `None` if there is no such order.
    pub(crate) async fn confirm(&self, order_id: u64) -> Result<Option<Confirmed>, Error> {
        self.run(move |con| {
            con.execute("UPDATE orders SET state = 'confirmed' WHERE id = ?", [order_id])?;
            let account = con.query_row("SELECT account_id FROM orders WHERE id = ?", [order_id], |row| row.get(0));
            let Some(account_id) = account.optional()? else {
                return Ok(None);
            };
            let sellers = "SELECT seller_id FROM item JOIN product ON product.id = product_id WHERE order_id = ?";
            let sales = format!("{SALES} AND seller_id IN ({sellers}) GROUP BY seller_id");
            let sales = con.prepare_cached(&sales)?.query_map([order_id], sum)?.collect::<Result<_, _>>()?;
            Ok(Some(Confirmed { account_id, sales }))
        })
        .await
    }

    pub(crate) async fn sales(&self) -> Result<Vec<(u64, u64)>, Error> {
        self.run(|con| con.prepare(&format!("{SALES} GROUP BY seller_id"))?.query_map([], sum)?.collect()).await
    }

    /// The orders that wait for longer than their job should take. They are returned again a minute later.
    pub(crate) async fn overdue_orders(&self) -> Result<Vec<u64>, Error> {
        self.run(|con| {
            let mut overdue = con.prepare_cached(
                "UPDATE orders SET push_at = unixepoch() + 60 WHERE state = 'placed' AND push_at <= unixepoch() RETURNING id",
            )?;
            overdue.query_map([], |row| row.get(0))?.collect()
        })
        .await
    }

    /// Notes whether the job of an order is in the queue.
    pub(crate) async fn set_pushed(&self, order_id: u64, is_pushed: bool) -> Result<(), Error> {
        let seconds = if is_pushed { 60 } else { 1 };
        self.run(move |con| {
            let update = "UPDATE orders SET push_at = unixepoch() + ? WHERE id = ?";
            con.execute(update, params![seconds, order_id]).map(drop)
        })
        .await
    }
}

/// Takes a product from the stock for an order, and returns the reason if that is not possible.
fn take(step: &Connection, order_id: u64, reserved: Reserved) -> Result<Option<Placed>, rusqlite::Error> {
    let Reserved { product_id, number, fence } = reserved;
    let row = "SELECT stock, fence, cents FROM product WHERE id = ?";
    let (stock, last_fence, cents): (u32, u64, u64) =
        step.query_row(row, [product_id], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
    if last_fence > fence {
        return Ok(Some(Placed::LockLost));
    }
    if stock < number {
        return Ok(Some(Placed::TooFew { product_id }));
    }
    step.execute("UPDATE product SET stock = stock - ?, fence = ? WHERE id = ?", params![number, fence, product_id])?;
    step.execute("INSERT INTO item VALUES (?, ?, ?, ?)", params![order_id, product_id, number, cents])?;
    Ok(None)
}

fn product(row: &Row<'_>) -> rusqlite::Result<Product> {
    Ok(Product {
        id: row.get(0)?,
        name: row.get(1)?,
        description: row.get(2)?,
        cents: row.get(3)?,
        stock: row.get(4)?,
        seller: row.get(5)?,
    })
}

fn store(row: &Row<'_>) -> rusqlite::Result<Store> {
    let (id, name, city) = (row.get(0)?, row.get(1)?, row.get(2)?);
    Ok(Store { id, name, city, longitude: row.get(3)?, latitude: row.get(4)? })
}

fn order(row: &Row<'_>) -> rusqlite::Result<Order> {
    let (id, state, placed_at) = (row.get(0)?, row.get(1)?, row.get(2)?);
    Ok(Order { id, state, placed_at, cents: row.get(3)?, items: row.get(4)? })
}

fn sum(row: &Row<'_>) -> rusqlite::Result<(u64, u64)> {
    Ok((row.get(0)?, row.get(1)?))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{Database, Error, Placed, Reserved};

    #[tokio::test]
    async fn a_holder_that_has_lost_its_lock_takes_nothing() -> Result<(), Error> {
        let (db, _) = Database::open(Path::new(":memory:"))?;
        db.add_account("ada@example.org", String::new()).await?;
        let place = async |form: &str, fence| {
            let reserved = [1, 2].map(|product_id| Reserved { product_id, number: 1, fence });
            db.place(1, form.to_owned(), reserved.into()).await
        };
        assert_eq!(place("first", 7).await?, Placed::Order(1));
        assert_eq!(place("late", 6).await?, Placed::LockLost);
        assert_eq!(place("second", 8).await?, Placed::Order(2));
        assert_eq!(place("first", 6).await?, Placed::Order(1), "it is placed already");
        assert_eq!(db.product(1).await?.map(|product| product.stock), Some(38));
        Ok(())
    }
}

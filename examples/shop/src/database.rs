//! The database of the shop: `SQLite` in a file. It has all that must not be lost with Redis.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, UNIX_EPOCH};

use redis_keys::parameter::bucket::Month;
use redis_keys::prelude::GeoPoint;
use rusqlite::{Connection, OptionalExtension as _, Params, Result, Row, params};
use serde::{Deserialize, Serialize};
use tokio::task::block_in_place;

/// The connection. Other tasks go on while its methods wait for the disk.
pub(crate) struct Database(Mutex<Connection>);

/// A product, as its page shows it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Product {
    pub(crate) id: u64,
    pub(crate) name: String,
    pub(crate) description: String,
    pub(crate) cents: u64,
    pub(crate) stock: u32,
    /// The name of a picture in `pictures.svg`.
    pub(crate) picture: String,
    pub(crate) seller: String,
}

pub(crate) struct Store {
    pub(crate) id: u64,
    pub(crate) name: String,
    pub(crate) city: String,
    pub(crate) place: GeoPoint,
}

pub(crate) struct Order {
    pub(crate) id: u64,
    pub(crate) state: String,
    pub(crate) placed_on: String,
    pub(crate) cents: u64,
    /// Such as `2 × Green tea, 1 × Teapot`.
    pub(crate) items: String,
}

/// A quantity that the holder of a lock takes from the stock of its product.
pub(crate) struct Reservation {
    pub(crate) product_id: u64,
    pub(crate) number: u32,
    pub(crate) fence: u64,
}

/// The outcome of an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OrderOutcome {
    /// With this number. The same form has placed it before, if it was sent twice.
    Order(u64),
    /// The products do not cost what the cart has shown.
    PriceChanged,
    /// There are fewer of this product.
    TooFew { product_id: u64 },
    /// Another holder of a lock came later: this one has lost it.
    LockLost,
}

impl Database {
    /// Opens the file, and fills a new one.
    pub(crate) fn open(path: &str) -> Result<Self> {
        let connection = Connection::open(path)?;
        connection.execute_batch("PRAGMA journal_mode = WAL; PRAGMA foreign_keys = ON; PRAGMA busy_timeout = 5000;")?;
        let is_new = connection.query_row("SELECT count(*) = 0 FROM sqlite_schema", [], |row| row.get(0))?;
        if is_new {
            connection.execute_batch(&format!("BEGIN; {} COMMIT;", include_str!("schema.sql")))?;
        }
        Ok(Self(Mutex::new(connection)))
    }

    /// Whether Redis has not got the first data of the shop yet.
    pub(crate) fn is_new(&self) -> Result<bool> {
        self.run(|con| con.query_row("SELECT user_version = 0 FROM pragma_user_version", [], |row| row.get(0)))
    }

    pub(crate) fn set_used(&self) -> Result<()> {
        self.run(|con| con.execute_batch("PRAGMA user_version = 1"))
    }

    fn run<T>(&self, statements: impl FnOnce(&mut Connection) -> Result<T>) -> Result<T> {
        block_in_place(|| statements(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner)))
    }

    fn rows<T>(&self, query: &str, parameters: impl Params, read: impl FnMut(&Row<'_>) -> Result<T>) -> Result<Vec<T>> {
        self.run(|con| con.prepare_cached(query)?.query_map(parameters, read)?.collect())
    }

    pub(crate) fn product(&self, product_id: u64) -> Result<Option<Product>> {
        // Larger numbers cannot be in the database.
        let Ok(product_id) = i64::try_from(product_id) else { return Ok(None) };
        let query = "SELECT product.id, product.name, description, cents, stock, picture, seller.name
            FROM product JOIN seller ON seller.id = seller_id WHERE product.id = ?";
        let found = self.rows(query, [product_id], |row| {
            let (id, name, description) = (row.get(0)?, row.get(1)?, row.get(2)?);
            let (cents, stock, picture, seller) = (row.get(3)?, row.get(4)?, row.get(5)?, row.get(6)?);
            Ok(Product { id, name, description, cents, stock, picture, seller })
        });
        Ok(found?.pop())
    }

    /// The numbers of the products with these words in their name or description; of all without words.
    pub(crate) fn search(&self, words: &str) -> Result<Vec<u64>> {
        let query = "SELECT id FROM product WHERE instr(lower(name || ' ' || description), ?) ORDER BY id LIMIT 100";
        self.rows(query, [words], |row| row.get(0))
    }

    pub(crate) fn set_price(&self, product_id: u64, cents: u64) -> Result<bool> {
        let Ok(product_id) = i64::try_from(product_id) else { return Ok(false) };
        let update = "UPDATE product SET cents = ? WHERE id = ?";
        Ok(self.run(|con| con.execute(update, params![cents, product_id]))? > 0)
    }

    pub(crate) fn sellers(&self) -> Result<Vec<(u64, String)>> {
        self.rows("SELECT id, name FROM seller", [], |row| row.try_into())
    }

    pub(crate) fn stores(&self) -> Result<Vec<Store>> {
        self.rows("SELECT id, name, city, longitude, latitude FROM store ORDER BY city", [], |row| {
            let place = GeoPoint { longitude: row.get(3)?, latitude: row.get(4)? };
            Ok(Store { id: row.get(0)?, name: row.get(1)?, city: row.get(2)?, place })
        })
    }

    /// The number of an account, and what is stored of its password.
    pub(crate) fn account(&self, email: &str) -> Result<Option<(u64, String)>> {
        Ok(self.rows("SELECT id, password FROM account WHERE email = ?", [email], |row| row.try_into())?.pop())
    }

    /// Takes the products from the stock and adds the order, or does neither.
    pub(crate) fn place(
        &self,
        account_id: u64,
        form: &str,
        cents: u64,
        reserved: &[Reservation],
    ) -> Result<OrderOutcome> {
        self.run(|con| {
            let step = con.transaction()?;
            let earlier = step.query_row("SELECT id FROM orders WHERE form = ?", [form], |row| row.get(0));
            if let Some(order_id) = earlier.optional()? {
                return Ok(OrderOutcome::Order(order_id));
            }
            step.execute("INSERT INTO orders (form, account_id) VALUES (?, ?)", params![form, account_id])?;
            let order_id = step.last_insert_rowid().unsigned_abs();
            for &Reservation { product_id, number, fence } in reserved {
                let product = "SELECT stock, fence FROM product WHERE id = ?";
                let (stock, last_fence): (u32, u64) = step.query_row(product, [product_id], |row| row.try_into())?;
                // Without a commit, nothing of this stays.
                if last_fence > fence {
                    return Ok(OrderOutcome::LockLost);
                }
                if stock < number {
                    return Ok(OrderOutcome::TooFew { product_id });
                }
                let take = "UPDATE product SET stock = stock - ?, fence = ? WHERE id = ?";
                step.execute(take, params![number, fence, product_id])?;
                let add = "INSERT INTO item SELECT ?, id, ?, cents FROM product WHERE id = ?";
                step.execute(add, params![order_id, number, product_id])?;
            }
            let sum = "SELECT sum(number * cents) FROM item WHERE order_id = ?";
            if step.query_row(sum, [order_id], |row| row.get::<_, u64>(0))? != cents {
                return Ok(OrderOutcome::PriceChanged);
            }
            step.commit()?;
            Ok(OrderOutcome::Order(order_id))
        })
    }

    /// The products of an order.
    pub(crate) fn ordered(&self, order_id: u64) -> Result<Vec<u64>> {
        self.rows("SELECT product_id FROM item WHERE order_id = ?", [order_id], |row| row.get(0))
    }

    pub(crate) fn orders(&self, account_id: u64) -> Result<Vec<Order>> {
        let query = "SELECT orders.id, state, date(placed_at, 'unixepoch'),
                sum(number * item.cents), group_concat(number || ' × ' || name, ', ')
            FROM orders JOIN item ON order_id = orders.id JOIN product ON product.id = product_id
            WHERE account_id = ? GROUP BY orders.id ORDER BY orders.id DESC LIMIT 50";
        self.rows(query, [account_id], |row| {
            let (id, state, placed_on) = (row.get(0)?, row.get(1)?, row.get(2)?);
            Ok(Order { id, state, placed_on, cents: row.get(3)?, items: row.get(4)? })
        })
    }

    /// Confirms an order, or finds it confirmed already, and returns its account and its month; `None` if there is no
    /// such order.
    pub(crate) fn confirm(&self, order_id: u64) -> Result<Option<(u64, Month)>> {
        let update = "UPDATE orders SET state = 'confirmed' WHERE id = ? RETURNING account_id, placed_at";
        let read = |row: &Row<'_>| {
            let placed_at = UNIX_EPOCH + Duration::from_secs(row.get(1)?);
            Ok((row.get(0)?, Month::at(placed_at)))
        };
        Ok(self.rows(update, [order_id], read)?.pop())
    }

    /// The sum in cents of the orders of a month that are confirmed, for each seller.
    pub(crate) fn sales(&self, month: Month) -> Result<Vec<(u64, f64)>> {
        let query = "SELECT seller_id, sum(number * item.cents) FROM item
            JOIN product ON product.id = product_id JOIN orders ON orders.id = order_id
            WHERE state = 'confirmed' AND strftime('%Y%m', placed_at, 'unixepoch') = ?
            GROUP BY seller_id";
        self.rows(query, [format!("{:04}{:02}", month.year(), month.month())], |row| row.try_into())
    }

    /// The orders that wait for longer than their job should take.
    pub(crate) fn overdue_orders(&self) -> Result<Vec<u64>> {
        let query = "SELECT id FROM orders WHERE state = 'placed' AND push_at <= unixepoch() LIMIT 100";
        self.rows(query, [], |row| row.get(0))
    }

    /// Notes that the job of an order is in the queue. The order is overdue if it still waits a minute later.
    pub(crate) fn set_pushed(&self, order_id: u64) -> Result<()> {
        let update = "UPDATE orders SET push_at = unixepoch() + 60 WHERE id = ?";
        self.run(|con| con.execute(update, [order_id])).map(drop)
    }
}

#[cfg(test)]
mod tests {
    use super::{Database, OrderOutcome, Reservation, Result};

    #[test]
    fn a_holder_that_has_lost_its_lock_takes_nothing() -> Result<()> {
        let db = Database::open(":memory:")?;
        let with_fence = |fence| [1, 2].map(|product_id| Reservation { product_id, number: 1, fence });
        assert_eq!(db.place(1, "first", 2040, &with_fence(7))?, OrderOutcome::Order(1));
        assert_eq!(db.place(1, "late", 2040, &with_fence(6))?, OrderOutcome::LockLost);
        assert_eq!(db.place(1, "second", 2040, &with_fence(8))?, OrderOutcome::Order(2));
        assert_eq!(db.place(1, "first", 2040, &with_fence(6))?, OrderOutcome::Order(1), "it is placed already");
        assert_eq!(db.place(1, "third", 2039, &with_fence(9))?, OrderOutcome::PriceChanged);
        assert_eq!(db.product(1)?.map(|product| product.stock), Some(38));
        Ok(())
    }
}

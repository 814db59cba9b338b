-- The tables of the shop, and what it sells.

CREATE TABLE seller (id INTEGER PRIMARY KEY, name TEXT NOT NULL) STRICT;

CREATE TABLE product (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    description TEXT NOT NULL,
    cents INTEGER NOT NULL CHECK (cents > 0),
    stock INTEGER NOT NULL CHECK (stock >= 0),
    picture TEXT NOT NULL,
    -- The largest fence of the lock that has changed the stock.
    fence INTEGER NOT NULL DEFAULT 0,
    seller_id INTEGER NOT NULL REFERENCES seller (id)
) STRICT;

CREATE TABLE store (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    city TEXT NOT NULL,
    longitude REAL NOT NULL,
    latitude REAL NOT NULL
) STRICT;

-- The password is a PHC string of Argon2id.
CREATE TABLE account (id INTEGER PRIMARY KEY, email TEXT NOT NULL UNIQUE, password TEXT NOT NULL) STRICT;

-- The accounts of this example, whose passwords are on the page: no other shop would show them.
INSERT INTO account (email, password) VALUES
    ('ada@example.org', '$argon2id$v=19$m=19456,t=2,p=1$X+fG7zisNItOK94DmMUJsA$riwoWGA1Ol40W57JQ9nFNJ8mLC/v7r8TrdtlRYIEJxw'),
    ('grace@example.org', '$argon2id$v=19$m=19456,t=2,p=1$1nSInk1d5/7HqHoEfBKwVw$lxi9LsQZ/E7Tc22Zy2dyHdHoBtzGVUcnBrjHHigPlUY');

CREATE TABLE orders (
    id INTEGER PRIMARY KEY,
    -- The form of the cart: if it is sent twice, it places one order.
    form TEXT NOT NULL UNIQUE,
    account_id INTEGER NOT NULL REFERENCES account (id),
    state TEXT NOT NULL DEFAULT 'placed' CHECK (state IN ('placed', 'confirmed')),
    placed_at INTEGER NOT NULL DEFAULT (unixepoch()),
    -- When the job of an order that is still not confirmed is pushed again.
    push_at INTEGER NOT NULL DEFAULT (unixepoch() + 2)
) STRICT;

CREATE INDEX waiting_order ON orders (push_at) WHERE state = 'placed';

CREATE TABLE item (
    order_id INTEGER NOT NULL REFERENCES orders (id),
    product_id INTEGER NOT NULL REFERENCES product (id),
    number INTEGER NOT NULL CHECK (number > 0),
    cents INTEGER NOT NULL,
    PRIMARY KEY (order_id, product_id)
) STRICT;

INSERT INTO seller (id, name) VALUES (1, 'Hillside Tea'), (2, 'Northwind Pottery'), (3, 'Mill Lane Bakery');

INSERT INTO product (id, name, description, cents, stock, picture, seller_id) VALUES
    (1, 'Green tea', 'Steamed leaves of the first harvest, light and grassy. 100 g.', 890, 40, 'tin', 1),
    (2, 'Black tea', 'A strong leaf for the morning, good with milk. 250 g.', 1150, 60, 'tin', 1),
    (3, 'Mountain herbs', 'Mint, thyme and lemon balm, without caffeine. 80 g.', 650, 25, 'tin', 1),
    (4, 'Smoked tea', 'Dried over pine wood. One leaf is enough for a pot. 100 g.', 1290, 3, 'tin', 1),
    (5, 'Stoneware cup', 'Thrown by hand and glazed in grey. Holds 250 ml.', 1900, 18, 'cup', 2),
    (6, 'Teapot', 'A pot for four cups, with a strainer that comes out.', 4800, 9, 'pot', 2),
    (7, 'Tea bowl', 'Wide and low, for powdered tea.', 2600, 12, 'bowl', 2),
    (8, 'Oat biscuits', 'Baked on Fridays, with a little salt. 12 pieces.', 540, 80, 'biscuit', 3),
    (9, 'Gingerbread', 'Keeps for weeks, if nobody finds it. 400 g.', 980, 30, 'biscuit', 3);

INSERT INTO store (id, name, city, longitude, latitude) VALUES
    (1, 'Kettle at the canal', 'Berlin', 13.4050, 52.5200),
    (2, 'Kettle at the harbour', 'Hamburg', 9.9937, 53.5511),
    (3, 'Kettle at the market', 'Leipzig', 12.3731, 51.3397),
    (4, 'Kettle at the bridge', 'Prague', 14.4378, 50.0755),
    (5, 'Kettle in the arcade', 'Vienna', 16.3738, 48.2082),
    (6, 'Kettle on the quay', 'Copenhagen', 12.5683, 55.6761),
    (7, 'Kettle by the station', 'Amsterdam', 4.9041, 52.3676);

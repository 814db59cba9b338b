// Shows a product that the shop has cached, and invalidates it: `node product.ts 7 [--invalidate]`.
// `npm install` adds ioredis. The address is REDIS_URL, or redis://127.0.0.1:6379.

import { Redis } from "ioredis";
import { productCard } from "./keys.ts";

/** What the shop stores, as `Product` of `src/database.rs`. */
interface Product {
  id: number;
  name: string;
  cents: number;
  stock: number;
}

/** The first byte of what is no value: a marker that the product does not exist, or that it is being loaded. */
const MARKER = 0xc1;

async function cached(redis: Redis, id: bigint): Promise<Product | undefined> {
  // Bytes: text would change those of markers.
  const bytes = await redis.getBuffer(productCard.key({ productId: id }));
  if (bytes === null || bytes[0] === MARKER) {
    return undefined;
  }
  return JSON.parse(bytes.toString("utf8")) as Product;
}

/** After a change of the database. A load that has begun before does not store its result. */
async function invalidate(redis: Redis, id: bigint): Promise<void> {
  await redis.del(productCard.key({ productId: id }));
}

const redis = new Redis(process.env["REDIS_URL"] ?? "redis://127.0.0.1:6379");
const [id = "1", option] = process.argv.slice(2);
console.log((await cached(redis, BigInt(id))) ?? "not cached");
if (option === "--invalidate") {
  await invalidate(redis, BigInt(id));
  console.log("invalidated");
}
await redis.quit();

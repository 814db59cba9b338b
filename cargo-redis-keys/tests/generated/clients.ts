// Sends the scripts with ioredis, beside programs in Rust: `node clients.ts URL`, with node 22.18 or later.
import { createRequire } from "node:module";
import { batches, requests, type ScriptCall } from "./keys.ts";

// Unlike `import`, `require` also looks into the folders of NODE_PATH.
const { Redis } = createRequire(import.meta.url)("ioredis") as typeof import("ioredis");
const redis = new Redis(process.argv[2]!);

async function send({ sha1, script, keys, args }: ScriptCall): Promise<unknown> {
  try {
    return await redis.evalsha(sha1, keys.length, ...keys, ...args);
  } catch (error) {
    if (!String(error).includes("NOSCRIPT")) throw error;
    return await redis.eval(script, keys.length, ...keys, ...args);
  }
}

const take = async (n: number) => requests.readTake(await send(requests.take({ id: 42 }, n)));
const push = async (shop: number, payloads: (string | Uint8Array)[], delayMs = 0) => {
  const queue = { shop, id: "67e55044-10b1-426f-9247-bb680e5fe0c8" };
  return batches.readPush(await send(batches.push(queue, payloads, delayMs)));
};

const taken = [await take(1), await take(9), await take(1)].map(({ allowed, remaining }) => [allowed, remaining]);
const replies = [await push(7, ["first", new TextEncoder().encode("é")]), await push(7, ["later"], 200)];
const full = Array.from({ length: 500 }, () => "x");
const isFull = [await push(8, full), await push(8, full), await push(8, ["x"])].map((reply) => reply.isFull);
console.log(JSON.stringify({ taken, ids: replies.flatMap((reply) => reply.ids), isFull }));
redis.disconnect();

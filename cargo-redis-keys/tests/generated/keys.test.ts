// Compares the generated keys with the vectors: `node keys.test.ts`, with node 22.18 or later. Another file of vectors
// can follow.
import { readFileSync } from "node:fs";
import * as generated from "./keys.ts";

type Kind = { kind: string; bits?: number };
type Value = any;
const read = (file: URL | string) => JSON.parse(readFileSync(file, "utf8"));
const fileOf = (name: string) => new URL(name, import.meta.url);
const vectors = read(process.argv[2] ?? fileOf("vectors.json"));
const PARTS: Record<string, string[]> = { week: ["year", "week"] };
const ALL_PARTS = ["year", "month", "day", "hour"];
const partsOf = (kind: string) => PARTS[kind] ?? ALL_PARTS.slice(0, ALL_PARTS.indexOf(kind === "date" ? "day" : kind) + 1);
const camel = (name: string) => name.replace(/^(\d)/, "field$1").replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());

function taken({ kind, bits }: Kind, value: Value): Value {
  if (kind === "integer") return bits! <= 32 && Number.isSafeInteger(Number(value)) ? Number(value) : BigInt(value);
  if (kind === "bytes") return Uint8Array.from(Buffer.from(value, "hex"));
  if (!Array.isArray(value)) return value;
  return Object.fromEntries(partsOf(kind).map((part, index) => [part, value[index]]));
}

function given({ kind }: Kind, value: Value): Value {
  if (kind === "integer") return String(value);
  if (kind === "bytes") return Buffer.from(value).toString("hex");
  return typeof value === "object" ? partsOf(kind).map((part) => value[part]) : value;
}

function outcome(run: () => Value): Value {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof generated.KeyError)) throw error;
    const { reason, parameter } = error;
    return reason === "not_a_key" || reason === "elapsed" ? null : { refused: reason, parameter: parameter ?? null };
  }
}

const params = (fields: Value[], values: Value[]) =>
  Object.fromEntries(fields.map((field, index) => [camel(field.name), taken(field.argument, values[index])]));

function declared(name: string): Value {
  const variable = name[0]!.toLowerCase() + name.slice(1);
  return (generated as Value)[variable] ?? (generated as Value)[`${variable}_`];
}

let [count, wrong] = [0, 0];
// A refusal is the same in any order of its fields.
const ordered = (_: string, value: Value) => value?.refused === undefined ? value : [value.refused, value.parameter];
function check(name: string, vector: Value, actual: Value, expected: Value) {
  count += 1;
  if (JSON.stringify(actual, ordered) === JSON.stringify(expected, ordered)) return;
  wrong += 1;
  if (wrong < 10) console.error(name, JSON.stringify(vector).slice(0, 300), JSON.stringify(actual)?.slice(0, 300));
}

for (const { name, arguments: fields, build, parse, expiry, jitter_ms } of vectors.keys) {
  const key = declared(name);
  for (const [values, expected] of build) check(name, values, outcome(() => key.key(params(fields, values))), expected);
  for (const [text, expected] of parse) {
    const values = (parsed: Value) => fields.map((field: Value) => given(field.argument, parsed[camel(field.name)]));
    check(name, text, outcome(() => values(key.parse(text))), expected);
  }
  for (const [values, now, expected] of expiry) {
    const drawn = outcome(() => key.expiry(params(fields, values), now));
    const isIn = drawn !== null && expected !== null && drawn >= expected && drawn <= expected + jitter_ms;
    check(name, [values, now], isIn ? expected : drawn, expected);
  }
}

const sent = ({ sha1, keys, args }: generated.ScriptCall) => ({ args: args.map(String), keys, sha1 });

/** A push without its random part, and without the numbers of its jobs. */
function sentPush({ ttlMs, jitterMs = 0 }: Value, call: generated.ScriptCall): Value {
  const { args: [expiry, ...args], ...others } = sent(call);
  const [unique, first] = [args.pop()!, args.pop()!];
  const isIn = Number(expiry) >= ttlMs && Number(expiry) <= ttlMs + jitterMs;
  const isNumbered = /^[0-9]{1,15}$/.test(first) && /^[0-9a-f]{6}$/.test(unique);
  return { args: [isIn && isNumbered ? String(ttlMs) : "wrong", ...args], ...others };
}

for (const { name, push = [], take = [], read_push = [], read_take = [] } of read(fileOf("calls.json"))) {
  const key = declared(name);
  const { arguments: fields } = vectors.keys.find((key: Value) => key.name === name);
  const given = (values: Value[]) => (fields.length === 0 ? [] : [params(fields, values)]);
  for (const [values, [text, times, jobs, delay], expected] of push) {
    const forms = [text.repeat(times), new TextEncoder().encode(text.repeat(times))];
    const payloads = Array.from({ length: jobs }, (_, index) => forms[index % 2]);
    const call = () => sentPush(key, key.push(...given(values), payloads, delay));
    check(name, [values, text, times, jobs, delay], outcome(call), expected);
  }
  for (const [values, n, expected] of take) {
    check(name, [values, n], outcome(() => sent(key.take(...given(values), n))), expected);
  }
  for (const [reader, replies] of [["readPush", read_push], ["readTake", read_take]]) {
    for (const [reply, expected] of replies) {
      check(name, reply, outcome(() => Object.values(key[reader](reply))), expected);
    }
  }
}
// Pushed jobs have increasing numbers.
const [number, next] = [1, 2].map(() => Number(generated.reports.push(["a", "b"]).args.at(-2)));
check("numbers", [], next! - number! >= 2, true);
// A namespace comes before the first key.
const late = outcome(() => generated.setNamespace("shop"));
check("namespace", [], late, { refused: "namespace", parameter: null });

// Only compiled: a missing, a misspelt and a wrongly typed parameter.
export const wrongCalls = () => [
  // @ts-expect-error
  generated.card.key({}),
  // @ts-expect-error
  generated.card.key({ userid: 1n }),
  // @ts-expect-error
  generated.card.key({ userId: "1" }),
  // @ts-expect-error
  generated.mails.push({ queue: "a" }, "one payload"),
  // @ts-expect-error
  generated.renamedMails.push,
  // @ts-expect-error
  generated.requests.take({ id: 1n }),
];

console.log(`${count} vectors, ${wrong} differences`);
process.exit(wrong === 0 ? 0 : 1);

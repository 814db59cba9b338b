// Compares the generated keys with the vectors: `node keys.test.ts`, with node 22.18 or later.
import { readFileSync } from "node:fs";
import * as generated from "./keys.ts";

type Kind = { kind: string; bits?: number };
type Value = any;
const vectors = JSON.parse(readFileSync(new URL("vectors.json", import.meta.url), "utf8"));
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

let [count, wrong] = [0, 0];
function check(name: string, vector: Value, actual: Value, expected: Value) {
  count += 1;
  if (JSON.stringify(actual) === JSON.stringify(expected)) return;
  wrong += 1;
  if (wrong < 10) console.error(name, JSON.stringify(vector).slice(0, 300), JSON.stringify(actual)?.slice(0, 300));
}

for (const { name, arguments: fields, build, parse, expiry, jitter_ms } of vectors.keys) {
  const variable = name[0].toLowerCase() + name.slice(1);
  const key = (generated as Value)[variable] ?? (generated as Value)[`${variable}_`];
  const params = (values: Value[]) =>
    Object.fromEntries(fields.map((field: Value, index: number) => [camel(field.name), taken(field.argument, values[index])]));
  for (const [values, expected] of build) check(name, values, outcome(() => key.key(params(values))), expected);
  for (const [text, expected] of parse) {
    const values = (parsed: Value) => fields.map((field: Value) => given(field.argument, parsed[camel(field.name)]));
    check(name, text, outcome(() => values(key.parse(text))), expected);
  }
  for (const [values, now, expected] of expiry) {
    const drawn = outcome(() => key.expiry(params(values), now));
    const isIn = drawn !== null && expected !== null && drawn >= expected && drawn <= expected + jitter_ms;
    check(name, [values, now], isIn ? expected : drawn, expected);
  }
}
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
];

console.log(`${count} vectors, ${wrong} differences`);
process.exit(wrong === 0 ? 0 : 1);

/** Why a value cannot be in a key or in a script's arguments, or a text is not a key. */
export type Reason =
  | "type" | "range" | "empty" | "byte" | "stray_dot" | "dot_in_word" | "slug" | "slug_bytes" | "name" | "calendar"
  | "address" | "unicode" | "ends" | "colon" | "too_long" | "reads_as_template" | "elapsed" | "not_a_key" | "namespace"
  | "reply";

/** A value that cannot be in a key, or a text that is not a key. Its message never contains the value. */
export class KeyError extends Error {
  override readonly name = "KeyError";
  readonly reason: Reason;
  /** The name of the parameter in Rust, if one is to blame. */
  readonly parameter: string | undefined;
  constructor(reason: Reason, parameter: string | undefined, detail: string) {
    super(parameter === undefined ? detail : `parameter \`${parameter}\` ${detail}`);
    this.reason = reason;
    this.parameter = parameter;
  }
}

/** The text of a key, behind the namespace if the process has one. */
export type Key<Text extends string> = Text | `${string}:${Text}`;

/** A year in UTC, from 0 to 9999. */
export interface Year { readonly year: number }

/** A month in UTC, from 1 to 12. */
export interface Month { readonly year: number; readonly month: number }

/** A week of ISO 8601 in UTC, with the year that has most of its days. */
export interface Week { readonly year: number; readonly week: number }

/** A day in UTC, from 1. */
export interface Day { readonly year: number; readonly month: number; readonly day: number }

/** An hour in UTC, from 0 to 23. */
export interface Hour { readonly year: number; readonly month: number; readonly day: number; readonly hour: number }

/** Returns the hour of a time, which is also its day, month and year. */
export function hourOf(time: Date): Hour {
  const [year, month, day] = [time.getUTCFullYear(), time.getUTCMonth() + 1, time.getUTCDate()];
  return { year, month, day, hour: time.getUTCHours() };
}

/** Returns the week of a time. */
export function weekOf(time: Date): Week {
  const days = Math.floor(time.getTime() / 86_400_000);
  // 1970 began on a Thursday. The Thursday of a week decides its year.
  const thursday = days - ((((days + 3) % 7) + 7) % 7) + 3;
  const year = new Date(thursday * 86_400_000).getUTCFullYear();
  return { year, week: Math.floor((thursday - _days(year, 1, 1)) / 7) + 1 };
}

/** The namespace with its separator and the prefix of legacy texts, each fixed by the first key that needs it. */
const _before: { namespace?: string; legacyPrefix?: string } = {};

/** Sets the namespace of all keys of this process. Call it once, before the first key. */
export function setNamespace(namespace: string): void {
  if (_before.namespace !== undefined) {
    throw new KeyError("namespace", undefined, "the namespace is set already, or a key was built without it");
  }
  if (namespace.length > 64 || !_matches(namespace, /[a-z][a-z0-9]*(\.[a-z0-9]+)*/)) {
    throw new KeyError("namespace", undefined, "a namespace is words such as `shop.staging`, of 64 bytes at most");
  }
  _before.namespace = `${namespace}:`;
}

/** Sets the prefix of all legacy texts of this process. Call it once, before the first key. */
export function setLegacyPrefix(prefix: string): void {
  if (_before.legacyPrefix !== undefined) {
    throw new KeyError("namespace", undefined, "the legacy prefix is set already, or a key was built without it");
  }
  if (_length(prefix) > 64 || /\p{Cc}/u.test(prefix)) {
    throw new KeyError("namespace", undefined, "a legacy prefix has 64 bytes at most, and no control characters");
  }
  _before.legacyPrefix = prefix;
}

function _matches(text: string, pattern: RegExp): boolean {
  return pattern.exec(text)?.[0] === text;
}

/** The number of bytes in UTF-8. */
function _length(text: string): number {
  return new TextEncoder().encode(text).length;
}

/** The text of a key by its template. */
function _built<K extends string>(parts: readonly string[], longest: number): K {
  const key = (_before.namespace ??= "") + parts.join("");
  if (key.length > longest) throw new KeyError("too_long", undefined, `the key has more than ${longest} bytes`);
  return key as K;
}

/** The text of a key by its legacy text. */
function _builtLegacy<K extends string>(parts: readonly string[]): K {
  const key = (_before.legacyPrefix ??= "") + parts.join("");
  const namespace = (_before.namespace ??= "");
  const isPrefixed = namespace !== "" || _before.legacyPrefix !== "";
  if (isPrefixed && key.startsWith(namespace) && _readsAsTemplate(key.slice(namespace.length))) {
    throw new KeyError("reads_as_template", undefined, "the key reads as the key of a template");
  }
  if (_length(key) > 4096) throw new KeyError("too_long", undefined, "the key has more than 4096 bytes");
  return key as K;
}

/** Whether a legacy text behind its prefix can be the key of another declaration. */
function _readsAsTemplate(key: string): boolean {
  const types = "string|hash|list|set|zset|bitmap|hyperloglog|geo|stream";
  return key.length <= 128 && _matches(key, new RegExp(`[a-z][a-z0-9.{}]*(:[a-z0-9.{}]+)+:(${types})`));
}

/** A whole number. Only safe integers of type `number` are certain to be the number that was meant. */
function _integer(name: string, value: bigint | number, from: bigint, to: bigint, nonZero = false): bigint {
  if (typeof value !== "bigint" && !Number.isSafeInteger(value)) {
    throw new KeyError("type", name, "is neither a bigint nor a safe integer");
  }
  const number = BigInt(value);
  if (number < from || number > to || (nonZero && number === 0n)) {
    throw new KeyError("range", name, `is outside of ${from} to ${to}${nonZero ? ", or 0" : ""}`);
  }
  return number;
}

function _shard(number: bigint, shards: bigint): string {
  return String(number % shards);
}

function _bool(name: string, value: boolean): string {
  if (typeof value !== "boolean") throw new KeyError("type", name, "is not a boolean");
  return String(value);
}

function _names<Name extends string>(name: string, value: Name, names: readonly Name[]): string {
  if (!names.includes(value)) throw new KeyError("name", name, "is none of the names");
  return value;
}

function _string(name: string, value: string): string {
  if (typeof value !== "string") throw new KeyError("type", name, "is not a string");
  return value;
}

/** Text that is a whole segment: words of `a` to `z` and `0` to `9`, and single `.` between them. */
function _segment(name: string, value: string): string {
  if (_string(name, value) === "") throw new KeyError("empty", name, "is empty");
  const wrong = /[^a-z0-9.]|(^|\.)\./.exec(value);
  if (wrong !== null && !wrong[0]?.endsWith(".")) {
    throw new KeyError("byte", name, "contains another byte than `a` to `z` and `0` to `9`");
  }
  if (wrong !== null || value.endsWith(".")) {
    throw new KeyError("stray_dot", name, "contains a `.` that is not between words");
  }
  return value;
}

/** Text that is one of several words of a segment. */
function _word(name: string, value: string): string {
  if (/[^a-z0-9]/.exec(_string(name, value))?.[0] === ".") {
    throw new KeyError("dot_in_word", name, "contains a `.` beside other words");
  }
  return _segment(name, value);
}

function _slug(name: string, value: string, longest = Infinity): string {
  if (_length(_string(name, value)) > longest) throw new KeyError("slug_bytes", name, `has more than ${longest} bytes`);
  if (value === "") throw new KeyError("empty", name, "is empty");
  if (!_matches(value, /[a-z0-9]+(-[a-z0-9]+)*/)) throw new KeyError("slug", name, "is not a slug");
  return value.replaceAll("-", ".");
}

/** Text with whole characters: half a surrogate pair would become another character. */
function _text(name: string, value: string): string {
  if (/\p{Surrogate}/u.test(_string(name, value))) {
    throw new KeyError("unicode", name, "contains half a surrogate pair");
  }
  return value;
}

function _utf8(name: string, value: string): Uint8Array {
  return new TextEncoder().encode(_text(name, value));
}

function _bytes(name: string, value: Uint8Array, length?: number): Uint8Array {
  if (!(value instanceof Uint8Array)) throw new KeyError("type", name, "is not a Uint8Array");
  if (length !== undefined && value.length !== length) {
    throw new KeyError("range", name, `does not have ${length} bytes`);
  }
  return value;
}

/** The first 128 bits of the SHA-256. */
function _digest(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex").slice(0, 32);
}

const _BASE32 = "abcdefghijklmnopqrstuvwxyz234567";

function _base32(name: string, bytes: Uint8Array): string {
  if (bytes.length === 0) throw new KeyError("empty", name, "is empty");
  let [letters, rest, bits] = ["", 0, 0];
  for (const byte of bytes) {
    [rest, bits] = [((rest << 8) | byte) & 0xfff, bits + 8];
    for (; bits >= 5; bits -= 5) letters += _BASE32.charAt((rest >> (bits - 5)) & 31);
  }
  return bits > 0 ? letters + _BASE32.charAt((rest << (5 - bits)) & 31) : letters;
}

function _fromBase32(letters: string): Uint8Array {
  const bytes: number[] = [];
  let [rest, bits] = [0, 0];
  for (const letter of letters) {
    [rest, bits] = [((rest << 5) | _BASE32.indexOf(letter)) & 0xfff, bits + 5];
    if (bits >= 8) bytes.push((rest >> (bits -= 8)) & 0xff);
  }
  return Uint8Array.from(bytes);
}

function _fromUtf8(bytes: Uint8Array): string {
  return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
}

/** The digits of a UUID. */
function _uuid(name: string, value: string): string {
  if (!_matches(_string(name, value), /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/i)) {
    throw new KeyError("type", name, "is not a UUID");
  }
  return value.replaceAll("-", "").toLowerCase();
}

/** The usual text of a UUID in digits. */
function _hyphenated(digits: string): string {
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

/** The digits of an IPv4 address. */
function _ipv4(name: string, value: string): string {
  if (!isIPv4(_string(name, value))) throw new KeyError("address", name, "is not an IPv4 address");
  return value.split(".").map((byte) => Number(byte).toString(16).padStart(2, "0")).join("");
}

/** The digits of an IPv6 address. */
function _ipv6(name: string, value: string, kind = "IPv6"): string {
  if (!isIPv6(_string(name, value)) || value.includes("%")) {
    throw new KeyError("address", name, `is not an ${kind} address without a zone`);
  }
  // The last groups can be an IPv4 address.
  const dotted = /[0-9.]+$/.exec(value)?.[0] ?? "";
  const hex = dotted.includes(".") ? _ipv4(name, dotted).replace(/^..../, "$&:") : dotted;
  const [left = "", right] = (value.slice(0, value.length - dotted.length) + hex).split("::");
  const groups = (half: string): string[] => half.split(":").filter(Boolean);
  const digits = (half: string): string => groups(half).map((group) => group.padStart(4, "0")).join("");
  return right === undefined ? digits(left) : digits(left) + digits(right).padStart(32 - digits(left).length, "0");
}

/** The digits of an address. */
function _ip(name: string, value: string): string {
  return isIPv4(_string(name, value)) ? _ipv4(name, value) : _ipv6(name, value, "IP");
}

/** The usual text of an address in digits, as Rust writes it. */
function _address(digits: string): string {
  const dotted = (hex: string): string => hex.replace(/../g, (byte) => `.${parseInt(byte, 16)}`).slice(1);
  if (digits.length === 8) return dotted(digits);
  if (digits.startsWith("00000000000000000000ffff")) return `::ffff:${dotted(digits.slice(24))}`;
  const groups = digits.replace(/..../g, (group) => `:${parseInt(group, 16).toString(16)}`).slice(1);
  // The first of the longest runs of zeros, of two groups at least.
  const runs = groups.match(/\b0(:0)+\b/g) ?? [];
  const longest = runs.reduce((longest, run) => (run.length > longest.length ? run : longest), "");
  if (longest === "") return groups;
  const at = groups.search(new RegExp(`\\b${longest}\\b`));
  return `${groups.slice(0, at).replace(/:$/, "")}::${groups.slice(at + longest.length).replace(/^:/, "")}`;
}

/** The days from 1970 to a date. */
function _days(year: number, month: number, day: number): number {
  // `Date.UTC` takes the years up to 99 for those after 1900. The calendar repeats after 400 years.
  return Date.UTC(year + 400, month - 1, day) / 86_400_000 - 146_097;
}

function _calendar(name: string, exists: boolean, ...numbers: readonly [number, number][]): string {
  if (!exists || !numbers.every(([number]) => Number.isInteger(number))) {
    throw new KeyError("calendar", name, "is not in the calendar");
  }
  return numbers.map(([number, digits]) => String(number).padStart(digits, "0")).join("");
}

function _year(name: string, { year }: Year): string {
  return _calendar(name, year >= 0 && year <= 9999, [year, 4]);
}

function _month(name: string, { year, month }: Month): string {
  return _year(name, { year }) + _calendar(name, month >= 1 && month <= 12, [month, 2]);
}

function _week(name: string, { year, week }: Week): string {
  const digits = _year(name, { year });
  const isLast = week === 53 && _weekOf(_days(year, 12, 28)).week === 53;
  return `${digits}w${_calendar(name, (week >= 1 && week <= 52) || isLast, [week, 2])}`;
}

function _day(name: string, { year, month, day }: Day): string {
  const digits = _month(name, { year, month });
  const days = _days(year, month + 1, 1) - _days(year, month, 1);
  return digits + _calendar(name, day >= 1 && day <= days, [day, 2]);
}

function _hour(name: string, { year, month, day, hour }: Hour): string {
  return _day(name, { year, month, day }) + _calendar(name, hour >= 0 && hour <= 23, [hour, 2]);
}

function _weekOf(days: number): Week {
  return weekOf(new Date(days * 86_400_000));
}

/** A date with hyphens. */
function _dashed(digits: string): string {
  return digits.replace(/^(....)(..)/, "$1-$2-");
}

/** A value of a legacy text, which must not contain the text that ends it. */
function _part(name: string, value: string, ends = "", noColon = false): string {
  if (noColon && value.includes(":")) throw new KeyError("colon", name, "contains `:`");
  // The end also counts where it begins in the value.
  if (ends !== "" && (value + ends).indexOf(ends) < value.length) {
    throw new KeyError("ends", name, "contains the text that ends it");
  }
  return value;
}

/** A number with zeros behind its sign. */
function _padded(digits: string, width: number): string {
  return digits.startsWith("-") ? `-${digits.slice(1).padStart(width - 1, "0")}` : digits.padStart(width, "0");
}

/** The hexadecimal digits of a number, in two's complement if it is negative. */
function _hex(number: bigint, bits: number): string {
  return BigInt.asUintN(bits, number).toString(16);
}

function _toYear(digits: string): Year {
  return { year: Number(digits.slice(0, 4)) };
}

function _toMonth(digits: string): Month {
  return { ..._toYear(digits), month: Number(digits.slice(4, 6)) };
}

function _toWeek(digits: string): Week {
  return { ..._toYear(digits), week: Number(digits.slice(5, 7)) };
}

function _toDay(digits: string): Day {
  return { ..._toMonth(digits), day: Number(digits.slice(6, 8)) };
}

function _toHour(digits: string): Hour {
  return { ..._toDay(digits), hour: Number(digits.slice(8, 10)) };
}

/**
 * The parameters of a key: its text is divided, read and built again, which has to give the same text. The part at
 * `open` may contain the literals. Parts before it end at their first occurrence, parts behind it begin at the last.
 */
function _parsed<P>(
  key: string,
  before: "namespace" | "legacyPrefix",
  literals: readonly string[],
  open: number,
  read: (texts: readonly string[]) => P,
  build: (params: P) => string,
): P {
  const prefix = (_before[before] ??= "");
  const texts = key.startsWith(prefix) ? _divided(key.slice(prefix.length), literals, open) : undefined;
  try {
    const params = texts && read(texts);
    if (params !== undefined && build(params) === key) return params;
  } catch {
    // A part that cannot be read.
  }
  throw new KeyError("not_a_key", undefined, "the text is not a key of this declaration");
}

function _divided(key: string, literals: readonly string[], open: number): string[] | undefined {
  const [first = "", last = ""] = [literals[0], literals[literals.length - 1]];
  if (literals.length === 1) return key === first ? [] : undefined;
  if (!key.startsWith(first) || !key.endsWith(last) || key.length < first.length + last.length) return undefined;
  let rest = key.slice(first.length, key.length - last.length);
  const [left, right]: [string[], string[]] = [[], []];
  for (const literal of literals.slice(1, open + 1)) {
    const at = rest.indexOf(literal);
    if (at < 0) return undefined;
    left.push(rest.slice(0, at));
    rest = rest.slice(at + literal.length);
  }
  for (const literal of literals.slice(open + 1, -1).reverse()) {
    const at = rest.lastIndexOf(literal);
    if (at < 0) return undefined;
    right.unshift(rest.slice(at + literal.length));
    rest = rest.slice(0, at);
  }
  return [...left, rest, ...right];
}

/** The milliseconds of a write: a time, and a random part of the jitter. */
function _drawn(ms: number, jitterMs: number): number {
  return ms + randomInt(jitterMs + 1);
}

/** The same, counted from the end of a bucket in days or hours since 1970. */
function _drawnFrom(end: number, unitMs: number, nowMs: number, ttlMs: number, jitterMs: number): number {
  const left = end * unitMs + ttlMs - Math.floor(nowMs);
  if (!(left > 0 && left <= 315_360_000_000)) {
    throw new KeyError("elapsed", undefined, "the key would expire in the past, or in more than ten years");
  }
  return _drawn(left, jitterMs);
}

function _endOfYear({ year }: Year): number {
  return _days(year + 1, 1, 1);
}

function _endOfMonth({ year, month }: Month): number {
  return _days(year, month + 1, 1);
}

/** The last week ends with year 9999, as in Rust. */
function _endOfWeek({ year, week }: Week): number {
  const fourth = _days(year, 1, 4);
  return Math.min(fourth - ((((fourth + 3) % 7) + 7) % 7) + 7 * week, _days(10_000, 1, 1));
}

function _endOfDay({ year, month, day }: Day): number {
  return _days(year, month, day + 1);
}

function _endOfHour({ year, month, day, hour }: Hour): number {
  return _days(year, month, day) * 24 + hour + 1;
}

/** A script with its arguments: send `EVALSHA` with `sha1`, and `EVAL` with `script` if the reply is `NOSCRIPT`. */
export interface ScriptCall {
  readonly sha1: string;
  readonly script: string;
  readonly keys: readonly string[];
  readonly args: readonly (string | Buffer)[];
}

/** The reply to a push of jobs. */
export interface PushReply {
  /** The ids of the jobs. */
  readonly ids: readonly string[];
  /** Whether the queue would have had too many jobs. Then none was added. */
  readonly isFull: boolean;
}

/** The reply to a take from a rate limit. */
export interface TakeReply {
  readonly allowed: boolean;
  /** The number that is still allowed at once now. */
  readonly remaining: number;
  /** The milliseconds until the same number is allowed, 0 if it was. */
  readonly retryAfterMs: number;
  /** The milliseconds until a whole burst is allowed. */
  readonly resetAfterMs: number;
}

/** The number of the next job. Jobs that a transaction pushes at the same time are taken in this order. */
const _numbers = { next: 0 };

function _push(
  key: string,
  payloads: readonly (string | Uint8Array)[],
  delayMs: number,
  expiryMs: number,
  maxLen: number,
  maxBytes: number,
  maxDelayMs: number,
): ScriptCall {
  if (payloads.length === 0) throw new KeyError("empty", "payloads", "is empty");
  if (payloads.length > 500) throw new KeyError("range", "payloads", "has more than 500 elements");
  const jobs = payloads.map((payload) => _payload(payload, maxBytes));
  const delay = _integer("delay", delayMs, 0n, BigInt(maxDelayMs));
  const first = _numbers.next;
  // As in Rust, the number of the last job has 48 bits.
  _numbers.next = (first + jobs.length) % (2 ** 48 - 500);
  const unique = randomInt(0x1000000).toString(16).padStart(6, "0");
  const args = [String(expiryMs), String(maxLen), ...jobs, String(delay), String(first), unique];
  return { ..._jobPush, keys: [key], args };
}

function _payload(payload: string | Uint8Array, maxBytes: number): string | Buffer {
  const isText = typeof payload === "string";
  if ((isText ? _utf8("payloads", payload) : _bytes("payloads", payload)).length > maxBytes) {
    throw new KeyError("too_long", "payloads", `has an element of more than ${maxBytes} bytes`);
  }
  // Some clients send another array than a Buffer as text.
  return isText ? payload : Buffer.from(payload);
}

function _readPush(reply: unknown): PushReply {
  const text = String(reply);
  if (/^-[0-9]+$/.test(text)) return { ids: [], isFull: true };
  if (!/^([0-9a-f]{32})+$/.test(text)) throw new KeyError("reply", undefined, "the reply is not that of `push`");
  return { ids: text.match(/.{32}/g) ?? [], isFull: false };
}

/** A take of `n`, where one takes `step` microseconds until it is allowed again. */
function _take(key: string, n: number, step: number, burst: number): ScriptCall {
  const cost = Number(_integer("n", n, 0n, BigInt(burst))) * step;
  return { ..._limit, keys: [key], args: [String(cost), String(burst * step)] };
}

function _readTake(reply: unknown, step: number, burst: number): TakeReply {
  const [wait, untilFull, ...others] = Array.isArray(reply) ? reply.map(String) : [];
  if (!/^-?[0-9]+$/.test(wait ?? "") || !/^[0-9]+$/.test(untilFull ?? "") || others.length > 0) {
    throw new KeyError("reply", undefined, "the reply is not that of `take`");
  }
  const [retryAfter, resetAfter] = [Math.max(0, Number(wait)), Number(untilFull)];
  return {
    allowed: retryAfter === 0,
    remaining: Math.max(0, burst - Math.ceil(resetAfter / step)),
    retryAfterMs: Math.ceil(retryAfter / 1_000),
    resetAfterMs: Math.ceil(resetAfter / 1_000),
  };
}

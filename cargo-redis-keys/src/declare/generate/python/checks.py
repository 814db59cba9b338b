Reason = Literal[
    "type", "range", "empty", "byte", "stray_dot", "dot_in_word", "slug", "slug_bytes", "name", "calendar", "address",
    "unicode", "ends", "colon", "too_long", "reads_as_template", "elapsed", "not_a_key", "namespace", "reply",
]


class InvalidKey(ValueError):
    """A value that cannot be in a key, or a text that is not a key. Its message never contains the value."""

    def __init__(self, reason: Reason, parameter: str | None, detail: str) -> None:
        super().__init__(detail if parameter is None else f"parameter `{parameter}` {detail}")
        self.reason: Reason = reason
        self.parameter = parameter


@dataclass(frozen=True)
class Year:
    """A year in UTC, from 0 to 9999."""

    year: int


@dataclass(frozen=True)
class Month:
    """A month in UTC, from 1 to 12."""

    year: int
    month: int


@dataclass(frozen=True)
class Week:
    """A week of ISO 8601 in UTC, with the year that has most of its days."""

    year: int
    week: int


@dataclass(frozen=True)
class Day:
    """A day in UTC, from 1."""

    year: int
    month: int
    day: int


@dataclass(frozen=True)
class Hour:
    """An hour in UTC, from 0 to 23."""

    year: int
    month: int
    day: int
    hour: int


def hour_of(time: datetime) -> Hour:
    """Returns the hour of a time with a time zone, which is also its day, month and year."""
    if time.tzinfo is None:
        raise InvalidKey("type", None, "the time has no time zone")
    time = time.astimezone(timezone.utc)
    return Hour(time.year, time.month, time.day, time.hour)


def week_of(time: datetime) -> Week:
    """Returns the week of a time with a time zone."""
    if time.tzinfo is None:
        raise InvalidKey("type", None, "the time has no time zone")
    year, week, _ = time.astimezone(timezone.utc).isocalendar()
    return Week(year, week)


# The namespace with its separator and the prefix of legacy texts, each fixed by the first key that needs it.
_before: dict[str, str] = {}


def set_namespace(namespace: str) -> None:
    """Sets the namespace of all keys of this process. Call it once, before the first key."""
    if "namespace" in _before:
        raise InvalidKey("namespace", None, "the namespace is set already, or a key was built without it")
    if len(namespace) > 64 or not re.fullmatch(r"[a-z][a-z0-9]*(\.[a-z0-9]+)*", namespace):
        raise InvalidKey("namespace", None, "a namespace is words such as `shop.staging`, of 64 bytes at most")
    _before["namespace"] = f"{namespace}:"


def set_legacy_prefix(prefix: str) -> None:
    """Sets the prefix of all legacy texts of this process. Call it once, before the first key."""
    if "legacy_prefix" in _before:
        raise InvalidKey("namespace", None, "the legacy prefix is set already, or a key was built without it")
    if len(prefix.encode()) > 64 or any(ord(sign) < 32 or 127 <= ord(sign) < 160 for sign in prefix):
        raise InvalidKey("namespace", None, "a legacy prefix has 64 bytes at most, and no control characters")
    _before["legacy_prefix"] = prefix


def _built(parts: Sequence[str], longest: int) -> str:
    """The text of a key by its template."""
    key = _before.setdefault("namespace", "") + "".join(parts)
    if len(key) > longest:
        raise InvalidKey("too_long", None, f"the key has more than {longest} bytes")
    return key


def _built_legacy(parts: Sequence[str]) -> str:
    """The text of a key by its legacy text."""
    prefix, namespace = _before.setdefault("legacy_prefix", ""), _before.setdefault("namespace", "")
    key = prefix + "".join(parts)
    if (prefix or namespace) and key.startswith(namespace) and _reads_as_template(key[len(namespace) :]):
        raise InvalidKey("reads_as_template", None, "the key reads as the key of a template")
    if len(key.encode()) > 4096:
        raise InvalidKey("too_long", None, "the key has more than 4096 bytes")
    return key


def _reads_as_template(key: str) -> bool:
    """Whether a legacy text behind its prefix can be the key of another declaration."""
    types = "string|hash|list|set|zset|bitmap|hyperloglog|geo|stream"
    return len(key) <= 128 and re.fullmatch(rf"[a-z][a-z0-9.{{}}]*(:[a-z0-9.{{}}]+)+:({types})", key) is not None


def _integer(name: str, value: int, lowest: int, highest: int, non_zero: bool = False) -> int:
    """A whole number. `True` and `False` are none."""
    if type(value) is not int:
        raise InvalidKey("type", name, "is not an int")
    if not lowest <= value <= highest or (non_zero and value == 0):
        raise InvalidKey("range", name, f"is outside of {lowest} to {highest}" + (", or 0" if non_zero else ""))
    return value


def _bool(name: str, value: bool) -> str:
    if type(value) is not bool:
        raise InvalidKey("type", name, "is not a bool")
    return "true" if value else "false"


def _names(name: str, value: str, names: Sequence[str]) -> str:
    if value not in names:
        raise InvalidKey("name", name, "is none of the names")
    return value


def _string(name: str, value: str) -> str:
    if not isinstance(value, str):
        raise InvalidKey("type", name, "is not a str")
    return value


def _segment(name: str, value: str) -> str:
    """Text that is a whole segment: words of `a` to `z` and `0` to `9`, and single `.` between them."""
    if _string(name, value) == "":
        raise InvalidKey("empty", name, "is empty")
    wrong = re.search(r"[^a-z0-9.]|(?:\A|(?<=\.))\.", value)
    if wrong and wrong[0] != ".":
        raise InvalidKey("byte", name, "contains another byte than `a` to `z` and `0` to `9`")
    if wrong or value.endswith("."):
        raise InvalidKey("stray_dot", name, "contains a `.` that is not between words")
    return value


def _word(name: str, value: str) -> str:
    """Text that is one of several words of a segment."""
    wrong = re.search(r"[^a-z0-9]", _string(name, value))
    if wrong and wrong[0] == ".":
        raise InvalidKey("dot_in_word", name, "contains a `.` beside other words")
    return _segment(name, value)


def _slug(name: str, value: str, longest: int | None = None) -> str:
    if longest is not None and len(_string(name, value).encode(errors="surrogatepass")) > longest:
        raise InvalidKey("slug_bytes", name, f"has more than {longest} bytes")
    if _string(name, value) == "":
        raise InvalidKey("empty", name, "is empty")
    if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", value):
        raise InvalidKey("slug", name, "is not a slug")
    return value.replace("-", ".")


def _utf8(name: str, value: str) -> bytes:
    """The bytes of text with whole characters: a surrogate has none."""
    try:
        return _string(name, value).encode()
    except UnicodeEncodeError:
        raise InvalidKey("unicode", name, "contains half a surrogate pair") from None


def _text(name: str, value: str) -> str:
    _utf8(name, value)
    return value


def _bytes(name: str, value: bytes, length: int | None = None) -> bytes:
    if not isinstance(value, bytes):
        raise InvalidKey("type", name, "is not bytes")
    if length is not None and len(value) != length:
        raise InvalidKey("range", name, f"does not have {length} bytes")
    return value


def _digest(value: bytes) -> str:
    """The first 128 bits of the SHA-256."""
    return hashlib.sha256(value).hexdigest()[:32]


def _base32(name: str, value: bytes) -> str:
    if not value:
        raise InvalidKey("empty", name, "is empty")
    return base64.b32encode(value).decode().rstrip("=").lower()


def _from_base32(letters: str) -> bytes:
    return base64.b32decode(letters.upper() + "=" * (-len(letters) % 8))


def _uuid(name: str, value: UUID) -> UUID:
    if not isinstance(value, UUID):
        raise InvalidKey("type", name, "is not a UUID")
    return value


def _ipv4(name: str, value: IPv4Address) -> IPv4Address:
    if not isinstance(value, IPv4Address):
        raise InvalidKey("address", name, "is not an IPv4 address")
    return value


def _ipv6(name: str, value: IPv6Address, kind: str = "IPv6") -> IPv6Address:
    if not isinstance(value, IPv6Address) or value.scope_id is not None:
        raise InvalidKey("address", name, f"is not an {kind} address without a zone")
    return value


def _ip(name: str, value: IPv4Address | IPv6Address) -> IPv4Address | IPv6Address:
    return value if isinstance(value, IPv4Address) else _ipv6(name, value, "IP")


def _address(address: IPv4Address | IPv6Address) -> str:
    """The usual text of an address. Versions of Python write an IPv4 address in IPv6 differently."""
    mapped = address.ipv4_mapped if isinstance(address, IPv6Address) else None
    return str(address) if mapped is None else f"::ffff:{mapped}"


def _to_ip(digits: str) -> IPv4Address | IPv6Address:
    return IPv4Address(bytes.fromhex(digits)) if len(digits) == 8 else IPv6Address(bytes.fromhex(digits))


def _days(year: int, month: int, day: int) -> int:
    """The days from 1970 to a date. `date` has no year 0, but the calendar repeats after 400 years."""
    year, month = year + (month - 1) // 12, (month - 1) % 12 + 1
    return date(year % 400 + 2000, month, 1).toordinal() + (year // 400 - 5) * 146_097 + day - 1 - 719_163


def _first_monday(year: int) -> int:
    """The day on which the first week begins, which has the fourth day of January. 1970 began on a Thursday."""
    fourth = _days(year, 1, 4)
    return fourth - (fourth + 3) % 7


def _calendar(name: str, digits: int, value: int, lowest: int, highest: int) -> str:
    if type(value) is not int or not lowest <= value <= highest:
        raise InvalidKey("calendar", name, "is not in the calendar")
    return str(value).zfill(digits)


def _year(name: str, value: Year | Month | Week | Day | Hour) -> str:
    if not isinstance(value, (Year, Month, Week, Day, Hour)):
        raise InvalidKey("type", name, "is not a year, month, week, day or hour")
    return _calendar(name, 4, value.year, 0, 9999)


def _month(name: str, value: Month | Day | Hour) -> str:
    return _year(name, value) + _calendar(name, 2, value.month, 1, 12)


def _week(name: str, value: Week) -> str:
    digits = _year(name, value)
    weeks = (_first_monday(value.year + 1) - _first_monday(value.year)) // 7
    return f"{digits}w{_calendar(name, 2, value.week, 1, weeks)}"


def _day(name: str, value: Day | Hour) -> str:
    digits = _month(name, value)
    days = _days(value.year, value.month + 1, 1) - _days(value.year, value.month, 1)
    return digits + _calendar(name, 2, value.day, 1, days)


def _hour(name: str, value: Hour) -> str:
    return _day(name, value) + _calendar(name, 2, value.hour, 0, 23)


def _dashed(digits: str) -> str:
    """A date with hyphens."""
    return f"{digits[:4]}-{digits[4:6]}-{digits[6:]}"


def _part(name: str, value: str, ends: str = "", no_colon: bool = False) -> str:
    """A value of a legacy text, which must not contain the text that ends it."""
    if no_colon and ":" in value:
        raise InvalidKey("colon", name, "contains `:`")
    # The end also counts where it begins in the value.
    if ends and (value + ends).index(ends) < len(value):
        raise InvalidKey("ends", name, "contains the text that ends it")
    return value


def _hex(number: int, bits: int) -> str:
    """The hexadecimal digits of a number, in two's complement if it is negative."""
    return format(number % 2**bits, "x")


def _to_year(digits: str) -> Year:
    return Year(int(digits[:4]))


def _to_month(digits: str) -> Month:
    return Month(int(digits[:4]), int(digits[4:6]))


def _to_week(digits: str) -> Week:
    return Week(int(digits[:4]), int(digits[5:7]))


def _to_day(digits: str) -> Day:
    return Day(int(digits[:4]), int(digits[4:6]), int(digits[6:8]))


def _to_hour(digits: str) -> Hour:
    return Hour(int(digits[:4]), int(digits[4:6]), int(digits[6:8]), int(digits[8:10]))


def _parsed(
    key: str | bytes, before: str, literals: Sequence[str], open: int, read: Callable[[list[str]], _T],
    build: Callable[[_T], str],
) -> _T:
    """The parameters of a key: its text is divided, read and built again, which has to give the same text.

    The part at `open` may contain the literals. Parts before it end at their first occurrence, parts behind it begin
    at the last.
    """
    try:
        text = key.decode() if isinstance(key, bytes) else key
        prefix = _before.setdefault(before, "")
        texts = _divided(text[len(prefix) :], literals, open) if text.startswith(prefix) else None
        if texts is not None:
            params = read(texts)
            if build(params) == text:
                return params
    except ValueError:
        # A part that cannot be read.
        pass
    raise InvalidKey("not_a_key", None, "the text is not a key of this declaration")


def _divided(key: str, literals: Sequence[str], open: int) -> list[str] | None:
    first, last = literals[0], literals[-1]
    if len(literals) == 1:
        return [] if key == first else None
    if not key.startswith(first) or not key.endswith(last) or len(key) < len(first) + len(last):
        return None
    rest = key[len(first) : len(key) - len(last)]
    left: list[str] = []
    right: list[str] = []
    for literal in literals[1 : open + 1]:
        part, found, rest = rest.partition(literal)
        if not found:
            return None
        left.append(part)
    for literal in reversed(literals[open + 1 : -1]):
        rest, found, part = rest.rpartition(literal)
        if not found:
            return None
        right.insert(0, part)
    return [*left, rest, *right]


_T = TypeVar("_T")


def _drawn(ms: int, jitter_ms: int) -> int:
    """The milliseconds of a write: a time, and a random part of the jitter."""
    return ms + random.randint(0, jitter_ms)


def _drawn_from(end: int, unit_ms: int, now_ms: int | None, ttl_ms: int, jitter_ms: int) -> int:
    """The same, counted from the end of a bucket in days or hours since 1970."""
    left = end * unit_ms + ttl_ms - (time.time_ns() // 1_000_000 if now_ms is None else now_ms)
    if not 0 < left <= 315_360_000_000:
        raise InvalidKey("elapsed", None, "the key would expire in the past, or in more than ten years")
    return _drawn(left, jitter_ms)


def _end_of_year(bucket: Year) -> int:
    return _days(bucket.year + 1, 1, 1)


def _end_of_month(bucket: Month) -> int:
    return _days(bucket.year, bucket.month + 1, 1)


def _end_of_week(bucket: Week) -> int:
    """The last week ends with year 9999, as in Rust."""
    return min(_first_monday(bucket.year) + 7 * bucket.week, _days(10_000, 1, 1))


def _end_of_day(bucket: Day) -> int:
    return _days(bucket.year, bucket.month, bucket.day + 1)


def _end_of_hour(bucket: Hour) -> int:
    return _days(bucket.year, bucket.month, bucket.day) * 24 + bucket.hour + 1


@dataclass(frozen=True)
class ScriptCall:
    """A script with its arguments.

    Send `EVALSHA` with `sha1`, and `EVAL` with `script` if the server replies `NOSCRIPT`.
    """

    sha1: str
    script: str
    keys: tuple[str, ...]
    args: tuple[str | bytes, ...]


@dataclass(frozen=True)
class PushReply:
    """The reply to a push of jobs: their ids, or whether the queue would have had too many. Then none was added."""

    ids: tuple[str, ...]
    is_full: bool


@dataclass(frozen=True)
class TakeReply:
    """The reply to a take from a rate limit.

    `remaining` is the number that is still allowed at once now. `retry_after_ms` is the time until the same number is
    allowed, 0 if it was, and `reset_after_ms` the time until a whole burst is allowed.
    """

    allowed: bool
    remaining: int
    retry_after_ms: int
    reset_after_ms: int


# The number of each push. Jobs that a transaction pushes at the same time are taken in this order.
_pushes = itertools.count()


def _push(
    key: str,
    payloads: Sequence[str | bytes],
    delay_ms: int,
    expiry_ms: int,
    max_len: int,
    max_bytes: int,
    max_delay_ms: int,
) -> ScriptCall:
    if isinstance(payloads, (str, bytes)):
        raise InvalidKey("type", "payloads", "is a single payload")
    if not payloads:
        raise InvalidKey("empty", "payloads", "is empty")
    if len(payloads) > 500:
        raise InvalidKey("range", "payloads", "has more than 500 elements")
    jobs = [_payload(payload, max_bytes) for payload in payloads]
    delay = _integer("delay", delay_ms, 0, max_delay_ms)
    # As in Rust, the number of the last job has 48 bits.
    first = next(_pushes) * 500 % (2**48 - 500)
    after = (str(delay), str(first), secrets.token_hex(3))
    return ScriptCall(*_JOB_PUSH, (key,), (str(expiry_ms), str(max_len), *jobs, *after))


def _payload(payload: str | bytes, max_bytes: int) -> bytes:
    encoded = _utf8("payloads", payload) if isinstance(payload, str) else _bytes("payloads", payload)
    if len(encoded) > max_bytes:
        raise InvalidKey("too_long", "payloads", f"has an element of more than {max_bytes} bytes")
    return encoded


def _read_push(reply: object) -> PushReply:
    text = reply.decode("ascii", "replace") if isinstance(reply, bytes) else str(reply)
    if re.fullmatch("-[0-9]+", text):
        return PushReply((), True)
    if not re.fullmatch("([0-9a-f]{32})+", text):
        raise InvalidKey("reply", None, "the reply is not that of `push`")
    return PushReply(tuple(re.findall(".{32}", text)), False)


def _take(key: str, n: int, step: int, burst: int) -> ScriptCall:
    """A take of `n`, where one takes `step` microseconds until it is allowed again."""
    cost = _integer("n", n, 0, burst) * step
    return ScriptCall(*_LIMIT, (key,), (str(cost), str(burst * step)))


def _read_take(reply: object, step: int, burst: int) -> TakeReply:
    is_read = isinstance(reply, (list, tuple)) and len(reply) == 2 and all(type(number) is int for number in reply)
    wait, until_full = cast("tuple[int, int]", reply) if is_read else (0, -1)
    if until_full < 0:
        raise InvalidKey("reply", None, "the reply is not that of `take`")
    # Negative numbers are rounded up.
    remaining = max(0, burst + -until_full // step)
    return TakeReply(wait <= 0, remaining, max(0, -(-wait // 1_000)), -(-until_full // 1_000))

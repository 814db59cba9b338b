"""Compares the generated keys with the vectors: `python3 test_keys.py`. Another file of vectors can follow."""

import ipaddress
import json
import re
import sys
import uuid
from pathlib import Path
from typing import Any

import keys

CALENDAR = {"year": keys.Year, "month": keys.Month, "week": keys.Week, "day": keys.Day, "date": keys.Day, "hour": keys.Hour}
ADDRESS = {"uuid": uuid.UUID, "ip": ipaddress.ip_address, "ipv4": ipaddress.IPv4Address, "ipv6": ipaddress.IPv6Address}


def taken(kind: str, value: Any) -> Any:
    if kind in CALENDAR:
        return CALENDAR[kind](*value)
    convert: Any = {**ADDRESS, "integer": int, "bytes": bytes.fromhex}.get(kind, lambda value: value)
    return convert(value)


def given(kind: str, value: Any) -> Any:
    if kind in CALENDAR:
        return list(vars(value).values())
    if kind in ("ip", "ipv6"):
        mapped = getattr(value, "ipv4_mapped", None)
        return str(value) if mapped is None else f"::ffff:{mapped}"
    return value.hex() if kind == "bytes" else str(value) if kind in ("uuid", "ipv4", "integer") else value


def outcome(run: Any) -> Any:
    try:
        return run()
    except keys.InvalidKey as error:
        is_none = error.reason in ("not_a_key", "elapsed")
        return None if is_none else {"refused": error.reason, "parameter": error.parameter}


def check(name: str, vector: Any, actual: Any, expected: Any) -> bool:
    if actual != expected or type(actual) is not type(expected):
        print(name, str(vector)[:300], str(actual)[:300], file=sys.stderr)
        return False
    return True


def read(file: Path) -> Any:
    return json.loads(file.read_text(encoding="utf-8"))


FOLDER = Path(__file__).parent
KINDS: dict[str, list[str]] = {}
results = []


def declared(name: str) -> Any:
    return getattr(keys, name[0].upper() + name[1:])


def build(name: str, values: Any) -> Any:
    names = declared(name).__dataclass_fields__
    return declared(name)(**{field: taken(kind, value) for field, kind, value in zip(names, KINDS[name], values)})


for key in read(Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER / "vectors.json")["keys"]:
    names = list(declared(key["name"]).__dataclass_fields__)
    kinds = KINDS[key["name"]] = [argument["argument"]["kind"] for argument in key["arguments"]]

    def built(values: Any) -> Any:
        return build(key["name"], values)

    def parsed(text: str) -> Any:
        parsed = declared(key["name"]).parse(text)
        return [given(kind, getattr(parsed, name)) for name, kind in zip(names, kinds)]

    for values, expected in key["build"]:
        results.append(check(key["name"], values, outcome(lambda: built(values).key()), expected))
    for text, expected in key["parse"]:
        results.append(check(key["name"], text, outcome(lambda: parsed(text)), expected))
    for values, now_ms, expected in key["expiry"]:
        drawn = outcome(lambda: built(values).expiry(now_ms))
        is_in = None not in (drawn, expected) and expected <= drawn <= expected + key["jitter_ms"]
        results.append(check(key["name"], [values, now_ms], expected if is_in else drawn, expected))


def sent(call: keys.ScriptCall) -> Any:
    args = [arg if isinstance(arg, str) else arg.decode() for arg in call.args]
    return {"args": args, "keys": list(call.keys), "sha1": call.sha1}


def sent_push(key: Any, call: keys.ScriptCall) -> Any:
    """A push without its random part, and without the numbers of its jobs."""
    expiry, *args, first, unique = sent(call)["args"]
    is_in = key.TTL_MS <= int(expiry) <= key.TTL_MS + getattr(key, "JITTER_MS", 0)
    is_numbered = re.fullmatch("[0-9]{1,15} [0-9a-f]{6}", f"{first} {unique}")
    return {**sent(call), "args": [str(key.TTL_MS) if is_in and is_numbered else "wrong", *args]}


def read_reply(reply: Any) -> Any:
    return [list(part) if isinstance(part, tuple) else part for part in vars(reply).values()]


for calls in read(FOLDER / "calls.json"):
    name, key = calls["name"], declared(calls["name"])
    for values, (text, times, jobs, delay), expected in calls.get("push", []):
        payloads = [text * times if index % 2 == 0 else (text * times).encode() for index in range(jobs)]

        def pushed() -> Any:
            return sent_push(key, build(name, values).push(payloads, delay))

        results.append(check(name, [values, text, times, jobs, delay], outcome(pushed), expected))
    for values, n, expected in calls.get("take", []):
        results.append(check(name, [values, n], outcome(lambda: sent(build(name, values).take(n))), expected))
    for reader in ("read_push", "read_take"):
        for reply, expected in calls.get(reader, []):
            actual = outcome(lambda: read_reply(getattr(key, reader)(reply)))
            results.append(check(name, reply, actual, expected))
# Pushed jobs have increasing numbers.
number, following = [int(keys.Reports().push(["a", "b"]).args[-2]) for _ in range(2)]
results.append(check("numbers", [], following - number >= 2, True))
# A namespace comes before the first key.
late = outcome(lambda: keys.set_namespace("shop"))
results.append(check("namespace", [], late, {"refused": "namespace", "parameter": None}))


def wrong_calls() -> None:
    """Only type-checked: a missing, a misspelt and a wrongly typed parameter."""
    keys.Card()  # type: ignore[call-arg]
    keys.Card(userid=1)  # type: ignore[call-arg]
    keys.Card(user_id="1")  # type: ignore[arg-type]
    keys.Mails(queue="a").push(1)  # type: ignore[arg-type]
    keys.RenamedMails(queue="a").push  # type: ignore[attr-defined]
    keys.Requests(id=1).take()  # type: ignore[call-arg]


print(f"{len(results)} vectors, {results.count(False)} differences")
sys.exit(0 if all(results) else 1)

"""Compares the generated keys with the vectors: `python3 test_keys.py`."""

import ipaddress
import json
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


results = []
for key in json.loads((Path(__file__).parent / "vectors.json").read_text(encoding="utf-8"))["keys"]:
    declared = getattr(keys, key["name"][0].upper() + key["name"][1:])
    names = list(declared.__dataclass_fields__)
    kinds = [argument["argument"]["kind"] for argument in key["arguments"]]

    def built(values: Any) -> Any:
        return declared(**{name: taken(kind, value) for name, kind, value in zip(names, kinds, values)})

    def parsed(text: str) -> Any:
        parsed = declared.parse(text)
        return [given(kind, getattr(parsed, name)) for name, kind in zip(names, kinds)]

    for values, expected in key["build"]:
        results.append(check(key["name"], values, outcome(lambda: built(values).key()), expected))
    for text, expected in key["parse"]:
        results.append(check(key["name"], text, outcome(lambda: parsed(text)), expected))
    for values, now_ms, expected in key["expiry"]:
        drawn = outcome(lambda: built(values).expiry(now_ms))
        is_in = None not in (drawn, expected) and expected <= drawn <= expected + key["jitter_ms"]
        results.append(check(key["name"], [values, now_ms], expected if is_in else drawn, expected))
# A namespace comes before the first key.
late = outcome(lambda: keys.set_namespace("shop"))
results.append(check("namespace", [], late, {"refused": "namespace", "parameter": None}))


def wrong_calls() -> None:
    """Only type-checked: a missing, a misspelt and a wrongly typed parameter."""
    keys.Card()  # type: ignore[call-arg]
    keys.Card(userid=1)  # type: ignore[call-arg]
    keys.Card(user_id="1")  # type: ignore[arg-type]


print(f"{len(results)} vectors, {results.count(False)} differences")
sys.exit(0 if all(results) else 1)

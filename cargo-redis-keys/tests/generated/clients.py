"""Sends the scripts with redis-py, beside programs in Rust: `python3 clients.py URL`."""

import json
import sys
from collections.abc import Sequence
from uuid import UUID

import redis

from keys import Batches, PushReply, Requests, ScriptCall, TakeReply

client = redis.Redis.from_url(sys.argv[1])


def send(call: ScriptCall) -> object:
    try:
        return client.evalsha(call.sha1, len(call.keys), *call.keys, *call.args)
    except redis.exceptions.NoScriptError:
        return client.eval(call.script, len(call.keys), *call.keys, *call.args)


def take(n: int) -> TakeReply:
    return Requests.read_take(send(Requests(id=42).take(n)))


def push(shop: int, payloads: Sequence[str | bytes], delay_ms: int = 0) -> PushReply:
    queue = Batches(shop=shop, id=UUID("67e55044-10b1-426f-9247-bb680e5fe0c8"))
    return Batches.read_push(send(queue.push(payloads, delay_ms)))


taken = [[reply.allowed, reply.remaining] for reply in [take(1), take(9), take(1)]]
replies = [push(7, ["first", "é".encode()]), push(7, ["later"], 200)]
is_full = [push(8, ["x"] * count).is_full for count in (500, 500, 1)]
print(json.dumps({"taken": taken, "ids": [one for reply in replies for one in reply.ids], "isFull": is_full}))

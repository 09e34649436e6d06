"""Gives events an idempotency key, so that a repeat cannot record them twice (contract 6.4)."""

from __future__ import annotations

import json
import re
import uuid
from collections.abc import Callable
from typing import Any, NamedTuple


class Keyed(NamedTuple):
    """A body to send with every attempt, and whether a repeat has no further effect."""

    body: str
    has_key: bool


# Operations that take an idempotency key.
_KEYED = re.compile(r"/v1/(events|events/check|events/batch|conversations/[^/]+/messages)\Z")


def with_idempotency_key(
    path: str, header: str | None, body: str, new_key: Callable[[], str] = lambda: str(uuid.uuid4())
) -> Keyed:
    """Adds a key to each recorded event that has none. Other operations keep their body.

    `path` can have a prefix of a proxy. `header` is the value of `Idempotency-Key`, which batches ignore.
    """
    found = _KEYED.search(path)
    value = _parse_object(body) if found else None
    if found is None or value is None:
        return Keyed(body, False)
    if found[1] == "events/batch":
        return _key_batch(value, body, new_key)
    if header is not None or "idempotencyKey" in value:
        return Keyed(body, True)
    if found[1] != "events":
        return Keyed(body, False)
    return Keyed(_serialize({**value, "idempotencyKey": new_key()}), True)


def _key_batch(value: dict[str, Any], body: str, new_key: Callable[[], str]) -> Keyed:
    events = value.get("events")
    if not isinstance(events, list) or not all(isinstance(event, dict) for event in events):
        return Keyed(body, False)
    if all("idempotencyKey" in event for event in events):
        return Keyed(body, True)
    keyed = [event if "idempotencyKey" in event else {**event, "idempotencyKey": new_key()} for event in events]
    return Keyed(_serialize({**value, "events": keyed}), True)


def _serialize(value: dict[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _parse_object(body: str) -> dict[str, Any] | None:
    try:
        value = json.loads(body)
    except ValueError:
        # The service answers what is wrong with the body.
        return None
    return value if isinstance(value, dict) else None

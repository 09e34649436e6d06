"""Verifies webhooks and returns typed events (contract 13)."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import re
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .webhook_events import EVENT_CLASSES, WebhookEvent

_MESSAGES = {
    "header_missing": "The request has no signature header.",
    "id_missing": "The header webhook-id is missing.",
    "timestamp_missing": "The signature has no time.",
    "timestamp_repeated": "The signature has several times.",
    "timestamp_malformed": "The time of the signature must be whole unix seconds.",
    "timestamp_too_old": "The signature is too old.",
    "timestamp_in_future": "The signature is from the future. Check the clock of this machine.",
    "digest_missing": "The signature header has no v1.",
    "digest_malformed": "No v1 of the signature header is a digest.",
    "digest_mismatch": "The signature does not match. Check the secret, and pass the raw body.",
    "secret_malformed": "The secret must be whsec_ and 32 bytes in base64.",
    "body_malformed": "The body is not an event.",
}


class WebhookVerificationError(Exception):
    """Raised if a webhook must be rejected. Answer it with 401."""

    def __init__(self, code: str) -> None:
        super().__init__(f"{_MESSAGES[code]} ({code})")
        self.code = code


@dataclass(frozen=True)
class UnknownEvent:
    """An event with a type or a value of a later version. `body` is the whole event."""

    type_: str
    data: Any
    body: dict[str, Any]


def unwrap(
    headers: Mapping[str, str],
    body: str | bytes,
    secret: str | Sequence[str],
    *,
    now: float | None = None,
    tolerance_seconds: float = 300,
) -> WebhookEvent | UnknownEvent:
    """Verifies a webhook and returns its event. Raises WebhookVerificationError.

    `body` is the raw body, before anything parses it. `secret` is the secret of the endpoint, or several during a
    rotation.
    """
    verify(headers, body, secret, now=now, tolerance_seconds=tolerance_seconds)
    try:
        event = json.loads(body if isinstance(body, str) else body.decode())
    except ValueError:
        event = None
    if not isinstance(event, dict) or not isinstance(event.get("type"), str):
        raise WebhookVerificationError("body_malformed")
    return to_event(event)


def to_event(body: dict[str, Any]) -> WebhookEvent | UnknownEvent:
    """Returns the typed event of a parsed body."""
    event_class = EVENT_CLASSES.get(body["type"])
    if event_class is not None:
        try:
            return event_class.from_dict(body)
        except (ValueError, TypeError, KeyError):
            # A later version of the service can send values that the generated class does not know.
            pass
    return UnknownEvent(body["type"], body.get("data"), body)


def verify(
    headers: Mapping[str, str],
    body: str | bytes,
    secret: str | Sequence[str],
    *,
    now: float | None = None,
    tolerance_seconds: float = 300,
) -> None:
    """Verifies the headers of Standard Webhooks, or `X-Service-Signature` if the request has none of them.

    `now` is in unix seconds. Raises WebhookVerificationError.
    """
    lower = {name.lower(): value.strip() for name, value in headers.items()}
    signature = _read_standard(lower) if any(name in lower for name in _STANDARD) else _read_service(lower)
    raw = body.encode() if isinstance(body, str) else body
    secrets = [secret] if isinstance(secret, str) else secret
    expected = [signature.digest_of(one, raw).encode() for one in secrets]
    if not any(hmac.compare_digest(digest.encode(), one) for digest in signature.digests for one in expected):
        raise WebhookVerificationError("digest_mismatch")
    at = int(time.time()) if now is None else now
    if at - signature.time > tolerance_seconds:
        raise WebhookVerificationError("timestamp_too_old")
    if signature.time - at > tolerance_seconds:
        raise WebhookVerificationError("timestamp_in_future")


@dataclass(frozen=True)
class _Signature:
    time: int
    digests: list[str]
    digest_of: Callable[[str, bytes], str]


_STANDARD = ("webhook-id", "webhook-timestamp", "webhook-signature")


def _read_standard(headers: Mapping[str, str]) -> _Signature:
    id_, at, header = (headers.get(name) for name in _STANDARD)
    if header is None:
        raise WebhookVerificationError("header_missing")
    if not id_:
        raise WebhookVerificationError("id_missing")
    if at is None:
        raise WebhookVerificationError("timestamp_missing")
    digests = [one.removeprefix("v1,") for one in header.split(" ") if one.startswith("v1,")]

    def digest_of(secret: str, body: bytes) -> str:
        mac = hmac.new(_decode_secret(secret), f"{id_}.{at}.".encode() + body, hashlib.sha256)
        return base64.b64encode(mac.digest()).decode()

    return _Signature(_read_time(at), _read_digests(digests, r"[A-Za-z0-9+/]{43}="), digest_of)


def _read_service(headers: Mapping[str, str]) -> _Signature:
    """Ignores fields other than `t` and `v1`."""
    header = headers.get("x-service-signature")
    if header is None:
        raise WebhookVerificationError("header_missing")
    fields = [field.partition("=") for field in header.split(",")]
    times = [value for name, _, value in fields if name == "t"]
    if not times:
        raise WebhookVerificationError("timestamp_missing")
    if len(times) > 1:
        raise WebhookVerificationError("timestamp_repeated")
    at = times[0]

    def digest_of(secret: str, body: bytes) -> str:
        # The key is the text of the secret.
        return hmac.new(secret.encode(), f"{at}.".encode() + body, hashlib.sha256).hexdigest()

    seconds = _read_time(at)
    return _Signature(seconds, _read_digests([value for name, _, value in fields if name == "v1"], r"[0-9a-f]{64}"), digest_of)


def _read_time(text: str) -> int:
    if not re.fullmatch(r"[0-9]{1,11}", text):
        raise WebhookVerificationError("timestamp_malformed")
    return int(text)


def _read_digests(digests: list[str], form: str) -> list[str]:
    if not digests:
        raise WebhookVerificationError("digest_missing")
    if not any(re.fullmatch(form, digest) for digest in digests):
        raise WebhookVerificationError("digest_malformed")
    return digests


def _decode_secret(secret: str) -> bytes:
    """Also decodes base64url without padding, the form of earlier secrets."""
    found = re.fullmatch(r"(?:whsec_)?([A-Za-z0-9+/_-]{43})=?", secret)
    if found is None:
        raise WebhookVerificationError("secret_malformed")
    return base64.b64decode(found[1].replace("-", "+").replace("_", "/") + "=")

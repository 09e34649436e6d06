"""Pulls outbound events without a webhook endpoint (contract 10.3)."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import anyio

from .api_client.client import AuthenticatedClient
from .webhook_events import WebhookEvent
from .webhooks import UnknownEvent, to_event

_PATH = "/v1/outbound-events/pull"
# Time between requests if the service answers without a wait, because it is stopping.
_IDLE_SECONDS = 0.5


@dataclass(frozen=True)
class PulledPage:
    """Events, oldest first, which can be none. `cursor` is `after` of the next request."""

    data: list[WebhookEvent | UnknownEvent]
    cursor: str
    has_more: bool


def pull(
    client: AuthenticatedClient,
    *,
    after: str | None = None,
    types: Sequence[str] | None = None,
    wait_seconds: int = 25,
) -> Iterator[PulledPage]:
    """Yields pages of events without end. Process `data`, and store `cursor`.

    `after` is a stored cursor or `beginning`. Without it, the stream starts now. `wait_seconds` is at most 30. Raises
    ApiError, with status 422 and `details["after"]` if events after the cursor were removed.
    """
    while True:
        asked_at = time.monotonic()
        wait = _wait(after, wait_seconds)
        response = client.get_httpx_client().get(_PATH, params=_parameters(after, types, wait))
        page = _read_page(response.json())
        yield page
        after = page.cursor
        if _is_idle(page, wait, asked_at):
            time.sleep(_IDLE_SECONDS)


async def pull_async(
    client: AuthenticatedClient,
    *,
    after: str | None = None,
    types: Sequence[str] | None = None,
    wait_seconds: int = 25,
) -> AsyncIterator[PulledPage]:
    """Yields the same pages as `pull`."""
    while True:
        asked_at = time.monotonic()
        wait = _wait(after, wait_seconds)
        response = await client.get_async_httpx_client().get(_PATH, params=_parameters(after, types, wait))
        page = _read_page(response.json())
        yield page
        after = page.cursor
        if _is_idle(page, wait, asked_at):
            await anyio.sleep(_IDLE_SECONDS)


def _wait(after: str | None, wait_seconds: int) -> int:
    # The first request sets the position, and must not wait before a cursor exists.
    return 0 if after is None else wait_seconds


def _parameters(after: str | None, types: Sequence[str] | None, wait: int) -> dict[str, str | int]:
    return {
        "wait": wait,
        **({} if after is None else {"after": after}),
        **({} if types is None else {"types": ",".join(types)}),
    }


def _read_page(body: dict[str, Any]) -> PulledPage:
    return PulledPage([to_event(item) for item in body["data"]], body["cursor"], body["hasMore"])


def _is_idle(page: PulledPage, wait: int, asked_at: float) -> bool:
    return not page.data and not page.has_more and wait > 0 and time.monotonic() - asked_at < _IDLE_SECONDS

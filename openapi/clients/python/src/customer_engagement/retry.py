"""Repeats requests after temporary failures (contract 5.3)."""

from __future__ import annotations

import email.utils
import random
import re
import time
from typing import Literal

import anyio
import httpx

from .errors import ApiError
from .idempotency import with_idempotency_key

# Methods whose repetition has the same effect.
_REPEATABLE = ("GET", "HEAD", "PUT", "DELETE")
_RETRIED_STATUSES = (429, 500, 502, 503, 504)
_FIRST_DELAY_MS = 500
_MAX_DELAY_MS = 30_000
# A longer `Retry-After` is not awaited: the caller gets the error.
_MAX_RETRY_AFTER_MS = 60_000
_HTTP_DATE = re.compile(r"[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT", re.ASCII)

# Failures without a complete response.
_NETWORK_ERRORS = (httpx.NetworkError, httpx.TimeoutException, httpx.RemoteProtocolError, httpx.ProxyError)


def retry_delay(
    *,
    method: str,
    has_key: bool,
    attempt: int,
    outcome: int | Literal["network"],
    retry_after: str | None,
    random: float,
    now: float,
    max_retries: int = 5,
) -> int | None:
    """Returns the milliseconds before the next attempt, or None if there is none.

    The delay is random, at most 0.5 seconds and then twice as long each time, up to 30 seconds. `Retry-After` applies
    if it is longer. `attempt` is the number of earlier attempts, `random` is from 0 to 1, `now` is in milliseconds
    since 1970. A POST is repeated only with an idempotency key.
    """
    if attempt >= max_retries:
        return None
    if method not in _REPEATABLE and not (method == "POST" and has_key):
        return None
    if outcome != "network" and outcome not in _RETRIED_STATUSES:
        return None
    after_ms = _read_retry_after(retry_after, now)
    if after_ms > _MAX_RETRY_AFTER_MS:
        return None
    backoff_ms = int(random * min(_MAX_DELAY_MS, _FIRST_DELAY_MS * 2**attempt))
    return max(backoff_ms, after_ms)


def _read_retry_after(value: str | None, now: float) -> int:
    """Returns milliseconds from a number of seconds or an HTTP date. Returns 0 if it is missing or unreadable."""
    if value is None:
        return 0
    if re.fullmatch(r"[0-9]{1,9}", value):
        return int(value) * 1000
    if not _HTTP_DATE.fullmatch(value):
        return 0
    try:
        until = email.utils.parsedate_to_datetime(value).timestamp()
    except ValueError:
        return 0
    return max(0, int(until * 1000 - now))


class RetryTransport(httpx.BaseTransport, httpx.AsyncBaseTransport):
    """Sends requests until they have a final outcome. Every attempt has the same idempotency key.

    Raises ApiError for the response if it is an error, or the last error of httpx if there is no response. The
    transports of the attempts default to those of httpx.
    """

    def __init__(
        self,
        max_retries: int = 5,
        transport: httpx.BaseTransport | None = None,
        async_transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        self._max_retries = max_retries
        self._sync = transport
        self._async = async_transport

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        if self._sync is None:
            self._sync = httpx.HTTPTransport()
        request.read()
        prepared, has_key = _prepare(request)
        for attempt in range(self._max_retries + 1):
            result: httpx.Response | Exception
            try:
                result = self._sync.handle_request(prepared)
                if not _is_stream(result):
                    result.read()
            except _NETWORK_ERRORS as error:
                result = error
            delay = self._delay(prepared, has_key, attempt, result)
            if delay is None:
                break
            time.sleep(delay / 1000)
        return _final(result)

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        if self._async is None:
            self._async = httpx.AsyncHTTPTransport()
        await request.aread()
        prepared, has_key = _prepare(request)
        for attempt in range(self._max_retries + 1):
            result: httpx.Response | Exception
            try:
                result = await self._async.handle_async_request(prepared)
                if not _is_stream(result):
                    await result.aread()
            except _NETWORK_ERRORS as error:
                result = error
            delay = self._delay(prepared, has_key, attempt, result)
            if delay is None:
                break
            await anyio.sleep(delay / 1000)
        return _final(result)

    def close(self) -> None:
        if self._sync is not None:
            self._sync.close()

    async def aclose(self) -> None:
        if self._async is not None:
            await self._async.aclose()

    def _delay(
        self, request: httpx.Request, has_key: bool, attempt: int, result: httpx.Response | Exception
    ) -> int | None:
        response = result if isinstance(result, httpx.Response) else None
        return retry_delay(
            method=request.method,
            has_key=has_key,
            attempt=attempt,
            outcome="network" if response is None else response.status_code,
            retry_after=None if response is None else response.headers.get("Retry-After"),
            random=random.random(),
            now=time.time() * 1000,
            max_retries=self._max_retries,
        )


def _prepare(request: httpx.Request) -> tuple[httpx.Request, bool]:
    if request.method != "POST":
        return request, False
    given = request.content.decode()
    body, has_key = with_idempotency_key(request.url.path, request.headers.get("Idempotency-Key"), given)
    if body == given:
        return request, has_key
    headers = [(name, value) for name, value in request.headers.raw if name.lower() != b"content-length"]
    return httpx.Request("POST", request.url, headers=headers, content=body, extensions=request.extensions), has_key


def _is_stream(response: httpx.Response) -> bool:
    return str(response.headers.get("Content-Type")).startswith("text/event-stream")


def _final(result: httpx.Response | Exception) -> httpx.Response:
    if isinstance(result, Exception):
        raise result
    if result.status_code >= 400:
        raise ApiError.of(result.status_code, result.content)
    return result

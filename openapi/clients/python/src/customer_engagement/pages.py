"""Reads lists item by item (contract 1.3)."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from typing import Any, Protocol, TypeVar

from .api_client.models import Error
from .api_client.types import Unset
from .client import or_raise

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)


class _Items(Protocol[T_co]):
    def __iter__(self) -> Iterator[T_co]: ...


class Page(Protocol[T_co]):
    """A page of a list."""

    @property
    def data(self) -> _Items[T_co]: ...
    @property
    def next_cursor(self) -> str | None | Unset: ...


def iterate(list_page: Callable[..., Page[T] | Error | None], *args: Any, **kwargs: Any) -> Iterator[T]:
    """Yields every item of a list: `iterate(list_customers.sync, client=client)`. Raises ApiError.

    Requests the next page when it is needed.
    """
    while True:
        page = or_raise(list_page(*args, **kwargs))
        yield from page.data
        if not page.next_cursor:
            return
        kwargs["cursor"] = page.next_cursor


async def iterate_async(
    list_page: Callable[..., Awaitable[Page[T] | Error | None]], *args: Any, **kwargs: Any
) -> AsyncIterator[T]:
    """Yields every item of a list: `iterate_async(list_customers.asyncio, client=client)`. Raises ApiError."""
    while True:
        page = or_raise(await list_page(*args, **kwargs))
        for item in page.data:
            yield item
        if not page.next_cursor:
            return
        kwargs["cursor"] = page.next_cursor

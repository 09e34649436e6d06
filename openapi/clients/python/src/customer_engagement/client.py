"""Creates a client for the generated operations, whose requests are repeated after temporary failures."""

from __future__ import annotations

from typing import TypeVar

import httpx

from .api_client.client import AuthenticatedClient
from .api_client.models import Error
from .retry import RetryTransport

T = TypeVar("T")


def create_client(
    base_url: str,
    *,
    api_key: str | None = None,
    token: str | None = None,
    workspace_id: str | None = None,
    max_retries: int = 5,
    timeout_seconds: float = 60,
    transport: httpx.BaseTransport | None = None,
    async_transport: httpx.AsyncBaseTransport | None = None,
) -> AuthenticatedClient:
    """Returns a client. Every operation with it raises ApiError for an error response.

    `api_key` is for events and customers, `token` (an access token or a session) for all other operations. Raises
    TypeError unless there is exactly one of them. `workspace_id` is for a person with several workspaces.
    `timeout_seconds` limits the connection and each read of an attempt. The transports replace those of httpx.
    """
    if (api_key is None) == (token is None):
        raise TypeError("Pass either api_key or token.")
    return AuthenticatedClient(
        base_url=base_url,
        token=api_key or token or "",
        prefix="Bearer" if api_key is None else "",
        auth_header_name="Authorization" if api_key is None else "X-API-Key",
        headers={} if workspace_id is None else {"X-Workspace-Id": workspace_id},
        timeout=httpx.Timeout(timeout_seconds),
        httpx_args={"transport": RetryTransport(max_retries, transport, async_transport)},
    )


def or_raise(result: T | Error | None) -> T:
    """Returns the result of an operation with the type of its success.

    The clients of `create_client` raise ApiError before. Raises TypeError for the result of another client.
    """
    if result is None or isinstance(result, Error):
        raise TypeError("The client must be one of create_client, which raises ApiError.")
    return result

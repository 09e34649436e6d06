"""Checked by mypy against the installed package."""

from collections.abc import Mapping

from customer_engagement import UnknownEvent, create_client, iterate, iterate_async, or_raise, pull, webhooks
from customer_engagement.api_client.api.customers import list_customers, read_timeline
from customer_engagement.api_client.models import MessageStatusEvent, PingEvent

client = create_client("http://127.0.0.1:3000", token="cest_1")


def describe(headers: Mapping[str, str], body: bytes) -> str:
    event = webhooks.unwrap(headers, body, ["whsec_1", "whsec_2"])
    if isinstance(event, MessageStatusEvent):
        return event.data.status
    if isinstance(event, UnknownEvent):
        return event.type_
    if isinstance(event, PingEvent):
        event.data.status  # type: ignore[attr-defined]
    return str(event.id)


def read_all() -> list[str]:
    names = [str(customer.name) for customer in iterate(list_customers.sync, client=client)]
    for customer in iterate(list_customers.sync, client=client):
        customer.nothing  # type: ignore[attr-defined]
    names += [page.cursor for page in pull(client)]
    total: int = len(or_raise(list_customers.sync(client=client)).data)
    return [*names, str(total)]


async def read_all_async() -> list[str]:
    return [str(customer.id) async for customer in iterate_async(list_customers.asyncio, client=client)]

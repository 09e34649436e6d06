"""Checks the installed package with the shared vectors: `python conformance.py <vectors> <signatures>`."""

import asyncio
import json
import sys

import httpx
from customer_engagement import (
    ApiError,
    UnknownEvent,
    WebhookVerificationError,
    create_client,
    iterate,
    iterate_async,
    retry_delay,
    webhooks,
    with_idempotency_key,
)
from customer_engagement.api_client.api.customers import list_customers
from customer_engagement.api_client.models import CustomerPage

vectors, signatures = (json.load(open(path, encoding="utf-8")) for path in sys.argv[1:3])
failures = []
count = 0


def check(group, name, actual, expected):
    global count
    count += 1
    if actual != expected:
        failures.append(f"{group}, {name}: {actual} instead of {expected}")


def code_of(action):
    try:
        action()
        return None
    except WebhookVerificationError as error:
        return error.code


for vector in vectors["retry"]:
    delay = retry_delay(
        method=vector["method"],
        has_key=vector["hasKey"],
        attempt=vector["attempt"],
        outcome=vector["outcome"],
        retry_after=vector["retryAfter"],
        random=vector["random"],
        now=vector["now"],
    )
    check("retry", vector["name"], delay, vector["delayMs"])

for vector in vectors["idempotency"]:
    keys = iter(f"key-{number}" for number in range(1, 100))
    keyed = with_idempotency_key(vector["path"], vector["header"], json.dumps(vector["body"]), lambda: next(keys))
    check(
        "idempotency", vector["name"], (json.loads(keyed.body), keyed.has_key), (vector["sent"], vector["hasKey"])
    )


def respond_with(status, body):
    if body is None or isinstance(body, str):
        return httpx.Response(status, text=body or "")
    return httpx.Response(status, json=body)


def client_of(handle, max_retries=0):
    transport = httpx.MockTransport(handle)
    return create_client(
        "http://service.example",
        api_key="ces_1",
        max_retries=max_retries,
        transport=transport,
        async_transport=transport,
    )


# The items of the vectors have only an ID, which the generated class does not accept.
parse = CustomerPage.from_dict
for vector in vectors["pages"]:
    asked = []

    def answer(request, asked=asked, pages=vector["pages"]):
        asked.append(request.url.params.get("cursor"))
        return respond_with(200, pages[len(asked) - 1])

    CustomerPage.from_dict = lambda page: CustomerPage(data=page["data"], next_cursor=page["nextCursor"])
    ids = [item["id"] for item in iterate(list_customers.sync, client=client_of(answer))]
    check("pages", vector["name"], (ids, asked), (vector["items"], vector["cursors"]))

    async def read_all(client):
        return [item["id"] async for item in iterate_async(list_customers.asyncio, client=client)]

    asked.clear()
    ids = asyncio.run(read_all(client_of(answer)))
    CustomerPage.from_dict = parse
    check("pages, asynchronous", vector["name"], (ids, asked), (vector["items"], vector["cursors"]))

# A repeat in each of the two forms. The delay is random, at most half a second.
for call in (list_customers.sync, lambda **options: asyncio.run(list_customers.asyncio(**options))):
    statuses = [503, 200]
    page = call(client=client_of(lambda _: respond_with(statuses.pop(0), {"data": [], "nextCursor": None}), 1))
    check("repeat", call.__name__, (page.data, statuses), ([], []))

for vector in vectors["errors"]:
    try:
        actual = list_customers.sync(client=client_of(lambda _: respond_with(vector["status"], vector["body"])))
    except ApiError as error:
        actual = (error.status, error.code, error.message, error.request_id, error.details)
    check("errors", vector["name"], actual, tuple(vector[key] for key in ("status", "code", "message", "requestId", "details")))

for vector in vectors["unwrap"]:
    for raw in (vector["body"], vector["body"].encode()):
        event = None

        def unwrap():
            global event
            event = webhooks.unwrap(vector["headers"], raw, vector["secrets"], now=vector["now"])

        failed = code_of(unwrap)
        check("unwrap", vector["name"], (event and event.type_, failed), (vector["type"], vector["code"]))
        if event:
            body = event.body if isinstance(event, UnknownEvent) else event.to_dict()
            check("unwrap", vector["name"], isinstance(event, UnknownEvent), vector["type"] == "parcel.lost")
            check("unwrap", vector["name"], body["data"].keys(), json.loads(raw)["data"].keys())

for vector in signatures["vectors"]:
    headers = {} if vector["header"] is None else {"X-Service-Signature": vector["header"]}
    failed = code_of(lambda: webhooks.verify(headers, vector["body"], vector["secret"], now=vector["now"]))
    check("X-Service-Signature", vector["name"], failed, vector["reason"])
for vector in signatures["standard"]:
    failed = code_of(lambda: webhooks.verify(vector["headers"], vector["body"], vector["secret"], now=vector["now"]))
    check("Standard Webhooks", vector["name"], failed, vector["reason"])

print("\n".join(failures) or f"{count} checks passed")
sys.exit(1 if failures else 0)

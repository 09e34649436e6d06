"""Drives the client of Python that openapi-generator made; says the same line as the drivers beside it.

python drive_openapi_generator.py BASE-URL API-KEY SESSION-TOKEN WEBHOOK-ID FOLDER-OF-BODIES
"""

import sys
from pathlib import Path
from uuid import UUID

from openapi_client import ApiClient, Configuration, CreateCustomer, RecordEvent, WebhookEvent
from openapi_client.api import CustomersApi, EventsApi, WebhooksApi

base_url, key, token, webhook, bodies = sys.argv[1:]

shop = ApiClient(Configuration(host=base_url, api_key={"apiKey": key}))
owner = ApiClient(Configuration(host=base_url, access_token=token))

customer = CustomersApi(shop).create_customer(CreateCustomer(external_id="python", name="Ana"))
recorded = EventsApi(shop).record_event(
    RecordEvent(type="order.created", customer_id=customer.id, data={"total": 12.5}, idempotency_key="python-1")
)
first = WebhooksApi(owner).list_deliveries(UUID(webhook), limit=1)
second = WebhooksApi(owner).list_deliveries(UUID(webhook), limit=1, cursor=first.next_cursor)
timeline = CustomersApi(shop).read_timeline(customer.id)
kinds = [type(item.actual_instance).__name__ for item in timeline.data]
types = [
    type(WebhookEvent.from_json(path.read_text()).actual_instance).__name__ for path in sorted(Path(bodies).iterdir())
]

print(
    f"customer {customer.name}, recorded {str(recorded.recorded).lower()},",
    f"deliveries {len(first.data)} and {len(second.data)}",
    f"{'apart' if first.data[0].id != second.data[0].id else 'the same'},",
    f"timeline {' '.join(kinds)}, bodies {' '.join(types)}",
)

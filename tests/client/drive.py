"""Creates a customer, records an event and lists deliveries by the client that openapi-python-client generated.

python drive.py FOLDER-OF-THE-PACKAGE BASE-URL API-KEY SESSION-TOKEN WEBHOOK-ID
"""

import sys
from uuid import UUID

folder, base_url, key, token, webhook = sys.argv[1:]
sys.path.insert(0, folder)

from engagement import AuthenticatedClient  # noqa: E402
from engagement.api.customers import create_customer  # noqa: E402
from engagement.api.events import record_event  # noqa: E402
from engagement.api.webhooks import list_deliveries  # noqa: E402
from engagement.models import CreateCustomer, RecordEvent  # noqa: E402

shop = AuthenticatedClient(base_url, key, prefix="", auth_header_name="X-API-Key")
owner = AuthenticatedClient(base_url, token)

customer = create_customer.sync(client=shop, body=CreateCustomer(phone="+4915112345678", name="Ana"))
recorded = record_event.sync(
    client=shop, body=RecordEvent(type_="order.created", customer_id=customer.id, idempotency_key="python-1")
)
deliveries = list_deliveries.sync(UUID(webhook), client=owner)
print(recorded.recorded, recorded.event.customer_id == customer.id, isinstance(deliveries.data, list))

"""Runs the main job with the installed package, as `drive.mjs` does."""

import json
import sys
from uuid import UUID

from customer_engagement import ApiError, WebhookVerificationError, create_client, iterate, or_raise, pull, webhooks
from customer_engagement.api_client.api.api_keys import issue_api_key
from customer_engagement.api_client.api.channels import connect_channel
from customer_engagement.api_client.api.customers import create_customer, list_customers
from customer_engagement.api_client.api.events import record_event
from customer_engagement.api_client.api.webhooks import create_webhook
from customer_engagement.api_client.api.workflows import (
    create_workflow,
    list_workflows,
    publish_workflow,
    change_workflow,
)
from customer_engagement.api_client.models import (
    ConnectSandbox,
    IssueApiKey,
    CreateCustomer,
    CreateWebhook,
    CreateWorkflow,
    MessageStatusEvent,
    RecordEvent,
    RecordEventData,
    ChangeWorkflow,
    WorkflowDefinition,
)

base_url, token, receiver_url, stand_in_url = sys.argv[1:]
owner = create_client(base_url, token=token)

before = next(pull(owner)).cursor
key = or_raise(issue_api_key.sync(client=owner, body=IssueApiKey(name="package"))).key
endpoint = CreateWebhook(url=receiver_url, events=["message.status"])
secret = or_raise(create_webhook.sync(client=owner, body=endpoint)).secret
connect_channel.sync(client=owner, body=ConnectSandbox(kind="sandbox", name="Sandbox"))
definition = WorkflowDefinition.from_dict(
    {
        "trigger": {"eventType": "order.created"},
        "start": "thanks",
        "steps": {"thanks": {"type": "send_message", "text": "Thank you, {{customer.name|you}}!", "next": None}},
    }
)
workflow = or_raise(create_workflow.sync(client=owner, body=CreateWorkflow(name="Thanks", definition=definition)))
publish_workflow.sync(workflow.id, client=owner)
change_workflow.sync(workflow.id, client=owner, body=ChangeWorkflow(enabled=True))

shop = create_client(base_url, api_key=key)
data = RecordEventData.from_dict({"total": 12.5})
order = RecordEvent(type_="order.created", phone="+4915112345678", data=data, idempotency_key="package-1")
first, second = (or_raise(record_event.sync(client=shop, body=order)) for _ in range(2))
for phone in ("+4915112345679", "+4915112345670"):
    create_customer.sync(client=shop, body=CreateCustomer(phone=phone))
phones = [customer.phone for customer in iterate(list_customers.sync, client=shop, limit=1)]


def code_of(action):
    try:
        return action()
    except ApiError as error:
        return f"{error.status} {error.code}"
    except WebhookVerificationError as error:
        return error.code


refused = code_of(lambda: list_workflows.sync(client=shop))

print(secret, flush=True)
delivery = json.loads(sys.stdin.readline())
event = webhooks.unwrap(delivery["headers"], delivery["body"], secret)
changed = code_of(lambda: webhooks.unwrap(delivery["headers"], delivery["body"] + " ", secret))
assert isinstance(event, MessageStatusEvent)

for page in pull(owner, after=before, types=["message.status"], wait_seconds=10):
    if pulled := [one for one in page.data if one.id == event.id]:
        break

# Statuses of calls to a server that fails as the test says.
stand_in = create_client(stand_in_url, api_key="ces_stand-in").get_httpx_client()


def status_of(method, path, body=None):
    try:
        return stand_in.request(method, path, json=body).status_code
    except ApiError as error:
        return error.status


order_body = {"type": "order.created", "phone": "+4915112345678"}
statuses = [
    status_of("POST", "/v1/events", order_body),
    status_of("POST", "/v1/customers", {"phone": "+4915112345678"}),
    status_of("GET", "/v1/customers"),
    status_of("POST", "/v1/events", {**order_body, "idempotencyKey": "package-1"}),
    status_of("GET", "/v1/customers"),
]

print(
    json.dumps(
        {
            "recorded": [first.recorded, second.recorded, first.event.id == second.event.id, first.matched_workflows],
            "phones": phones,
            "refused": refused,
            "event": [event.type_, event.data.status, event.data.event_id == first.event.id],
            "changed": changed,
            "pulled": pulled[0].id == event.id and isinstance(event.id, UUID),
            "statuses": statuses,
        }
    )
)

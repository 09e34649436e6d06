import os
from collections import OrderedDict

from fastapi import FastAPI, HTTPException, Request, Response
from standardwebhooks.webhooks import Webhook, WebhookVerificationError

webhook = Webhook(os.environ["WEBHOOK_SECRET"])
app = FastAPI()

# An event can arrive more than once. With several processes, use a table with a unique column instead.
seen: OrderedDict[str, None] = OrderedDict()


def remember(event_id: str) -> None:
    seen[event_id] = None
    if len(seen) > 10_000:
        seen.popitem(last=False)


@app.post("/hooks", status_code=204)
async def receive(request: Request) -> Response:
    # The signature covers the raw body, so declare no model for it.
    body = await request.body()
    try:
        event = webhook.verify(body, dict(request.headers))
    except WebhookVerificationError as error:
        raise HTTPException(401, str(error)) from error
    if event["id"] not in seen:
        # Store the event before you answer 2xx. Every other answer makes the service send it again.
        print(event["type"], event["id"], flush=True)
        remember(event["id"])
    return Response(status_code=204)

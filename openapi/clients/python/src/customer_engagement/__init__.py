"""Client of the Customer Engagement Service."""

from . import webhooks
from .client import create_client, or_raise
from .errors import ApiError
from .idempotency import Keyed, with_idempotency_key
from .pages import iterate, iterate_async
from .pull import PulledPage, pull, pull_async
from .retry import RetryTransport, retry_delay
from .webhook_events import WebhookEvent
from .webhooks import UnknownEvent, WebhookVerificationError

__all__ = [
    "ApiError",
    "Keyed",
    "PulledPage",
    "RetryTransport",
    "UnknownEvent",
    "WebhookEvent",
    "WebhookVerificationError",
    "create_client",
    "iterate",
    "iterate_async",
    "or_raise",
    "pull",
    "pull_async",
    "retry_delay",
    "webhooks",
    "with_idempotency_key",
]

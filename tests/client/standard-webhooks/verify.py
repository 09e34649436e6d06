"""Verifies deliveries with the library of Standard Webhooks. Prints one verdict per line of the file."""

import base64
import sys

from standardwebhooks.webhooks import Webhook


def is_genuine(line: str) -> bool:
    secret, message_id, timestamp, signature, body = line.split("\t")
    headers = {"webhook-id": message_id, "webhook-timestamp": timestamp, "webhook-signature": signature}
    try:
        Webhook(secret).verify(base64.b64decode(body), headers)
        return True
    except Exception:
        return False


for line in open(sys.argv[1]).read().splitlines():
    print("true" if is_genuine(line) else "false")

import hashlib
import hmac
import re
import time

TOLERANCE_SECONDS = 300


def verify_webhook(secret: str, header: str | None, body: bytes, now: float | None = None) -> bool:
    """Return whether a webhook was sent by the service.

    Answer 401 if not, and 200 as soon as you have stored it. An event can arrive more than once: store the id in its
    body and ignore events that you have handled.

    secret  the endpoint's secret, the whole string from whsec_ on
    header  the value of X-Service-Signature
    body    the raw body, before anything parses it: request.get_data() in Flask, request.body in Django,
            await request.body() in FastAPI
    now     unix seconds
    """
    fields = [field.partition("=") for field in (header or "").split(",")]
    times = [value for name, _, value in fields if name == "t"]
    digests = [value for name, _, value in fields if name == "v1"]

    if len(times) != 1 or not re.fullmatch("[0-9]{1,11}", times[0]):
        return False
    if abs((int(time.time()) if now is None else now) - int(times[0])) > TOLERANCE_SECONDS:
        return False

    expected = hmac.new(secret.encode(), times[0].encode() + b"." + body, hashlib.sha256).hexdigest().encode()
    # After a rotation of the secret there are two signatures: one with the new secret, one with the old.
    return any(hmac.compare_digest(digest.encode(), expected) for digest in digests)

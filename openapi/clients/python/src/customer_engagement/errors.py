"""Errors of the service as exceptions."""

from __future__ import annotations

import json


class ApiError(Exception):
    """An error response. `code` is for programs, `message` for people.

    `code` is one of contract 5.2, or None if the response is not of the service, for example of a proxy.
    `request_id` is for reports, or None. `details` has the reason for each wrong field.
    """

    def __init__(
        self, status: int, code: str | None, message: str, request_id: str | None, details: dict[str, str]
    ) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.message = message
        self.request_id = request_id
        self.details = details

    @classmethod
    def of(cls, status: int, body: bytes) -> ApiError:
        """Reads the body of an error response."""
        try:
            value = json.loads(body)
            error = value["error"]
            code, message = error["code"], error["message"]
        except (ValueError, TypeError, KeyError):
            return cls(status, None, f"The response has status {status}.", None, {})
        return cls(status, code, message, value.get("request_id"), error.get("details") or {})

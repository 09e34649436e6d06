/** Introduction of the published document: rules that all operations share. */
export const introduction = `The service receives business events, runs workflows on them and sends signed webhooks.

## Authentication
- A **system** sends an API key in the header \`X-API-Key\`. The key acts for one workspace. It can call \`/v1/events\`, \`/v1/customers\` and the paths under them.
- A **person** signs in at \`POST /v1/auth/sign-in\` and sends the token as \`Authorization: Bearer <token>\`. A browser can send the token as the cookie \`session\` (over https \`__Host-session\`) instead. A write with the cookie must come from a page of the service.
- A **script** sends an access token of a person or a service account as \`Authorization: Bearer cest_…\`. The token acts in one workspace with the role of its holder. With the access \`read\` it can only call \`GET\` operations. Create one at \`POST /v1/auth/tokens\`.
- If a call has several credentials, only the API key is checked. Without a key, \`Authorization\` takes precedence over the cookie.
- \`X-Workspace-Id\` selects one of the person's workspaces. It defaults to the workspace that the person joined first. A workspace that the caller is not in returns 404, also with an API key.

## Permissions
An \`agent\` can read the data that the team works with, answer conversations and mark sales. An \`owner\` can do everything. Only owners and API keys can erase a customer.

Each operation names its callers, the feature that the plan must include, and the allowance that it uses. A missing feature returns 403 \`feature_not_available\`. A used-up allowance returns 409 \`plan_limit_reached\`. Records of another workspace return 404.

## Errors
Every error has the same body, \`{"error": {"code", "message", "details"}, "request_id"}\`. \`code\` is for programs, and \`message\` is for people. \`details\` maps the path of each wrong field to the reason. The path \`body\` stands for the whole body.

| status | code | action |
|---|---|---|
| 400 | \`invalid_request\`, \`malformed_request\` | correct the request; \`details\` names the fields |
| 401 | \`unauthorized\` | correct the credential, or sign in again |
| 403 | \`forbidden\`, \`feature_not_available\` | ask a person with permission, or choose another plan |
| 404 | \`not_found\` | check the path and the ID |
| 405 | \`method_not_allowed\` | use a method that \`Allow\` lists |
| 409 | \`conflict\`, \`plan_limit_reached\` | check whether it is already done, or free some of the allowance |
| 415 | \`unsupported_media_type\` | send \`Content-Type: application/json\` and no \`Content-Encoding\` |
| 422 | \`unprocessable\` | change the state of the record first |
| 429 | \`rate_limited\` | wait for \`Retry-After\` seconds, then retry |
| 500 | \`internal_error\` | retry with backoff; if it persists, contact support with \`request_id\` |
| 503 | \`internal_error\` | wait for \`Retry-After\` seconds, then retry |

Retry after 429, after any 5xx, and if there was no response. Wait longer before each retry. Do not retry other errors unchanged. Every response has the header \`X-Request-Id\`.

## Rate limits
The default limit for an API key is 200 calls per second with bursts of 400. For a person it is 20 calls per second with bursts of 100. The operator can change these limits.

Responses to counted calls have these headers. \`RateLimit-Limit\` is the size of the burst, and \`RateLimit-Remaining\` is the number of calls left in it. \`RateLimit-Reset\` is the number of seconds until the full burst is available again. \`RateLimit-Policy\` and \`RateLimit\` have the same as structured fields. A batch of events counts as one call per event.

## Idempotency
\`POST /v1/events\` and messages to a customer accept an idempotency key. Send it as the field \`idempotencyKey\` or as the header \`Idempotency-Key\`. If you send both, they must be equal.

A key identifies the occurrence, not the attempt. A repeated call with the same key does nothing and returns 200 with the result of the first call. Event keys belong to the workspace and to the kind of caller: all of its API keys, or all of its people. Message keys belong to the conversation. Keys never expire.

## Pagination
Lists return \`{"data": [...], "nextCursor": "..." | null}\`, newest first. \`limit\` is 1 to 100 and defaults to 50. Send \`nextCursor\` back as \`cursor\` until it is null. A cursor is only valid for its list. A page can be short and still have a next page.

## Request bodies and values
Bodies are JSON in UTF-8. The limits are 1 MiB (8 KiB for operations without a credential), 64 levels and 100 fields at the top level.

Requests are strict. An unknown field or query parameter returns 400, and the error suggests a similar name. A name that occurs twice in an object also returns 400. \`data\` of events and \`attributes\` of customers accept any fields.

Whole numbers in \`data\` and \`attributes\` keep every digit. Many languages round numbers beyond 2^53. Parse them without rounding, or send strings.

IDs are UUIDs of version 7. Times are ISO 8601 in UTC with milliseconds. An operation that creates a record returns 201 with its \`Location\`.

## Versions
The API version is \`/v1\`. Responses and deliveries can get new fields, and enumerations can get new values. Ignore fields and values that you do not know. \`info.version\` is the version of the build. Operations and fields that are deprecated keep working within \`/v1\`.`

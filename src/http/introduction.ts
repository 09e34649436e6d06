/** Introduction of the published document: rules that all operations share. */
export const introduction = `Business events come in, workflows act on them, signed webhooks go out.

## Who is calling
- A **system** sends an API key in the header \`X-API-Key\`. It acts for one workspace and reaches \`/v1/events\`, \`/v1/customers\` and what is under them.
- A **person** signs in at \`POST /v1/auth/sign-in\` and sends the token as \`Authorization: Bearer <token>\`. A browser may send it as the cookie \`session\` (behind https \`__Host-session\`) instead; a write must then come from a page of the service.
- Where several are sent, the key is judged alone; without one, \`Authorization\` counts before the cookie.
- \`X-Workspace-Id\` says which of a person's workspaces is meant; without it, the one joined first. A workspace the caller is not in is 404, also beside a key.

## Who may do what
An \`agent\` reads what the team works with, answers conversations and marks sales; an \`owner\` may do all. Erasing a customer is for owners, and for keys. Each operation says whom it is for, which feature the plan must include (else 403 \`feature_not_available\`), and from which allowance it takes (409 \`plan_limit_reached\` when that is full). Records of another workspace do not exist for you: 404.

## Errors
Every failure has the same body, \`{"error": {"code", "message", "details"}, "request_id"}\`. Programs go by \`code\`; \`message\` is for a person; \`details\` maps the path of a field to what is wrong with it, \`body\` for the whole.

| status | code | do |
|---|---|---|
| 400 | \`invalid_request\`, \`malformed_request\` | mend the request; \`details\` says where |
| 401 | \`unauthorized\` | mend the credential, or sign in again |
| 403 | \`forbidden\`, \`feature_not_available\` | ask somebody who may; take another plan |
| 404 | \`not_found\` | no such path or record |
| 405 | \`method_not_allowed\` | use a method that \`Allow\` lists |
| 409 | \`conflict\`, \`plan_limit_reached\` | look, it may be done already; make room |
| 415 | \`unsupported_media_type\` | send \`Content-Type: application/json\` and no \`Content-Encoding\` |
| 422 | \`unprocessable\` | change the state of things first |
| 429 | \`rate_limited\` | wait for \`Retry-After\` seconds, and repeat |
| 500 | \`internal_error\` | repeat with backoff; quote \`request_id\` if it stays |
| 503 | \`internal_error\` | wait for \`Retry-After\` seconds, and repeat |

Repeat after 429, after any 5xx and when no answer came, waiting longer each time; repeat nothing else as it was. Every answer carries \`X-Request-Id\`.

## Rate limits
An API key may make 200 calls a second and 400 at once, a person 20 and 100, unless the operator says otherwise. Answers to counted calls carry \`RateLimit-Limit\` (how many at once), \`RateLimit-Remaining\` (how many are left) and \`RateLimit-Reset\` (in how many seconds all are there again). A batch of events counts as many calls as it has events.

## Idempotency
\`POST /v1/events\` and writing to a customer take an idempotency key, as the field \`idempotencyKey\` or as the header \`Idempotency-Key\`; both given must be alike. A key names the occurrence and not the attempt. What comes again with it does nothing: the answer is 200 with what the first call made. Keys of events belong to the workspace and to the kind of caller (all its API keys, or its people), those of messages to the conversation. They hold for ever.

## Lists
\`{"data": [...], "nextCursor": "..." | null}\`, newest first. \`limit\` is 1 to 100, 50 without it; send \`nextCursor\` back as \`cursor\` until it is null. A cursor belongs to its list. A page may be short and still have a next one.

## Bodies and values
JSON in UTF-8, at most 1 MiB (8 KiB where no credential is needed), 64 levels deep, 100 fields at the top. Requests are strict: a field or a query parameter that is not known is 400 and asks whether you meant another, and so is a name that an object has twice. Inside \`data\` of events and \`attributes\` of customers anything goes, and whole numbers keep every digit, also those beyond 2^53 that many languages round: parse them as such, or send texts. Ids are UUIDs of version 7, times ISO 8601 in UTC with milliseconds. A path that makes a record answers 201 with its \`Location\`.

## Versions
The interface is \`/v1\`. Answers and deliveries may hold more fields than you know, and lists of values may grow: ignore what you do not need. \`info.version\` is that of the build; what is marked as deprecated goes on working within \`/v1\`.`

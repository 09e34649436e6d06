/**
 * Builds the published OpenAPI document from the operations alone. `@elysiajs/swagger` collects the routes. This file
 * adds what the plugin does not support: OpenAPI 3.1, webhooks and component schemas.
 */
import { swagger } from '@elysiajs/swagger'
import type { TSchema } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import manifest from '../../../package.json' with { type: 'json' }
import type { ErrorCode } from '../../core/errors.ts'
import { type OutboundEventType, outboundEvents } from '../../webhooks/outbound-events/index.ts'
import { statusOf } from '../errors.ts'
import { type Access, accessOf, isGuarded, locationBaseOf, type Operation } from '../operation.ts'
import { acceptsIfMatch, errorsOf, recordNoun, requirementsOf } from '../requirements.ts'
import { introduction } from './introduction.ts'
import { Components } from './published-schema.ts'

type Json = Record<string, unknown>

/** Returns the OpenAPI 3.1 document. The same text is checked in as openapi/openapi.json. */
export const publishedDocument = async (operations: Operation[]): Promise<Json> => {
  const components = new Components({ Error: errorSchema })
  const collector = new Elysia().use(swagger({ path: '/docs', specPath: '/document', documentation: { info } }))
  for (const operation of operations) {
    const detail = operationObject(operation, components)
    collector.route(operation.method, operation.path, () => new Response(), { parse: 'json', detail })
  }
  const response = await collector.handle(new Request('http://localhost/document'))
  const { paths } = (await response.json()) as Json
  return {
    openapi: '3.1.0',
    info,
    servers: [{ url: '/', description: 'The server that this document was loaded from.' }],
    tags: [...new Set([...operations.map(({ tag }) => tag), webhookTag])].map(name => ({
      name,
      description: tagDescriptions[name],
    })),
    paths,
    webhooks: webhooks(components),
    components: {
      securitySchemes,
      schemas: components.schemas,
      responses: failureResponses,
      headers: { RequestId: requestIdHeader, Location: locationHeader, ETag: etagHeader, ...rateLimitHeaders },
    },
  }
}

const info = {
  title: 'Customer Engagement Service',
  version: manifest.version,
  description: introduction,
  license: { name: 'MIT', identifier: 'MIT' },
}

/** Tag of the events that the service sends to endpoints. */
const webhookTag = 'Outbound events'

const tagDescriptions: Record<string, string> = {
  Events: 'Business events that your systems send to the service.',
  Activity: 'Results of events, activity counts and rejected events.',
  Stream: 'Live changes of the workspace.',
  Customers: 'The people that events refer to and messages are sent to.',
  Workflows: 'Steps that run when an event arrives: wait, branch, send a message.',
  Channels: 'Connections to messaging providers.',
  Callbacks: 'Callbacks for messages and statuses from messaging providers. Do not call them yourself.',
  Templates: 'Message texts with named placeholders for values.',
  Sales: 'Sales that conversations led to.',
  Conversations: 'Messages with a customer over a channel, and the team member assigned to them.',
  Messages: 'Inbound and outbound messages with their statuses.',
  'Opt-out words': 'Words with which customers opt out of all messages.',
  Campaigns: 'One template, sent to many customers.',
  'Outbound events': 'Events that the service sends to your endpoints.',
  Webhooks:
    'Your endpoints with their deliveries and attempts. See [Receiving webhooks](/docs/receivers) for sample code.',
  'API keys': 'Credentials for your systems.',
  Sessions: 'Sign-in and sign-out.',
  Account: 'Your own account: sessions, access tokens, password, second factor and profile.',
  'Saved views': 'Filters of lists that you keep under a name.',
  Team: 'Members of the workspace and invitations.',
  Workspace: 'The name, the time zone and other settings of the workspace.',
  Plan: 'Features and allowances of the plan, and their usage.',
  Audit: 'Actions in the workspace: who changed which record, when and from where.',
}

const securitySchemes = {
  apiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'X-API-Key',
    description: 'Can call `/v1/events`, `/v1/customers` and the paths under them.',
  },
  bearer: {
    type: 'http',
    scheme: 'bearer',
    description:
      'The session token of a signed-in person, from `POST /v1/auth/sign-in`. Or an access token, from `POST /v1/auth/tokens`.',
  },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: 'session',
    description:
      'The session token as a cookie. Over https the cookie is named `__Host-session`. Writes must come from the same origin.',
  },
}

const security: Record<Access, Json[]> = {
  anyone: [],
  session: [{ bearer: [] }, { session: [] }],
  'key or member': [{ apiKey: [] }, { bearer: [] }, { session: [] }],
  'key or owner': [{ apiKey: [] }, { bearer: [] }, { session: [] }],
  member: [{ bearer: [] }, { session: [] }],
  owner: [{ bearer: [] }, { session: [] }],
}

const requestIdHeader = {
  description: 'The ID of the request. Send it to support with a question about the request.',
  schema: { type: 'string', format: 'uuid' },
}
const etagHeader = {
  description:
    'The version of the record: its `updatedAt` in quotation marks. A compressed response has `-gzip` before the last quotation mark. `If-Match` accepts both.',
  schema: { type: 'string', examples: ['"2026-03-01T09:30:00.000Z"'] },
}
const ifMatchParameter = {
  name: 'If-Match',
  in: 'header',
  required: false,
  description:
    'The `ETag` of the version that you want to change. If the record has another version, the response is 409 `conflict`. `details.version` then contains the current ETag.',
  schema: { type: 'string', examples: ['"2026-03-01T09:30:00.000Z"'] },
}
const requestId = { 'X-Request-Id': { $ref: '#/components/headers/RequestId' } }

const locationHeader = {
  description: 'The path of the created record.',
  schema: { type: 'string', examples: ['/v1/customers/01981b7e-3c00-7a51-9a64-1f0f5c3d7e02'] },
}

const nonNegativeInteger = { type: 'integer', minimum: 0 }
const rateLimitHeaders = {
  RateLimitLimit: { description: 'Maximum number of calls in a burst.', schema: nonNegativeInteger },
  RateLimitRemaining: { description: 'Number of calls left in the burst.', schema: nonNegativeInteger },
  RateLimitReset: { description: 'Seconds until the full burst is available again.', schema: nonNegativeInteger },
  RateLimitPolicy: {
    description: 'The limit as a structured field: `q` is the burst, and `w` the seconds in which it becomes full.',
    schema: { type: 'string', examples: ['"key";q=400;w=2'] },
  },
  RateLimit: {
    description:
      'The state of the limit as a structured field: `r` is the number of calls left, and `t` the seconds until all are available.',
    schema: { type: 'string', examples: ['"key";r=399;t=1'] },
  },
}
/** Headers of counted calls. They are absent if the operator has disabled the rate limit. */
const rateLimit = Object.fromEntries(
  ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset', 'RateLimit-Policy', 'RateLimit'].map(name => [
    name,
    { $ref: `#/components/headers/${name.replace('-', '')}` },
  ]),
)

const operationObject = (operation: Operation, components: Components): Json => {
  const { id, tag, summary, description, body, mayBeEmpty, example, examples, query } = operation
  const parameters = [...pathParameters(operation.path), ...queryParameters(query, components)]
  if (isGuarded(operation)) parameters.push(workspaceParameter)
  if (operation.acceptsKeyHeader) parameters.push(keyParameter)
  if (operation.acceptsLastEventId) parameters.push(lastEventIdParameter)
  if (acceptsIfMatch(operation)) parameters.push(ifMatchParameter)
  return {
    operationId: id,
    tags: [tag],
    summary,
    description: [...(description ? [description] : []), requirementsOf(operation)].join('\n\n'),
    security: security[accessOf(operation)],
    ...(parameters.length > 0 && { parameters }),
    ...(body && {
      requestBody: {
        required: !mayBeEmpty,
        content: {
          'application/json': { schema: components.convert(body), ...(examples ? { examples } : { example }) },
        },
      },
    }),
    ...(rawBodyOf(operation) && { requestBody: rawBodyOf(operation) }),
    responses: { ...successes(operation, components), ...failures(operation) },
    ...(operation.callbackUrlField && { callbacks: callbacks(operation.callbackUrlField, components) }),
  }
}

/** Describes the body of a provider callback. Its format is defined by the provider. */
const rawBodyOf = (operation: Operation): Json | null => {
  if (isGuarded(operation) || !operation.raw || operation.method === 'GET') return null
  const { mediaType } = operation.raw
  const schema = {
    ...(mediaType !== 'application/json' && { type: 'object' }),
    description: 'The callback in the format of the provider.',
  }
  return { required: true, content: { [mediaType]: { schema } } }
}

const workspaceParameter: Json = {
  name: 'X-Workspace-Id',
  in: 'header',
  required: false,
  // Without a format: a generator for Python cannot send a UUID in a header.
  schema: { type: 'string' },
  description:
    'The workspace of the call, for persons with several workspaces. Defaults to the workspace that the person joined first. An API key has one workspace.',
}

const keyParameter: Json = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  schema: { type: 'string', minLength: 1, maxLength: 255 },
  description: 'Alternative to the field `idempotencyKey` of the body. If both are given, they must be equal.',
}

const lastEventIdParameter: Json = {
  name: 'Last-Event-ID',
  in: 'header',
  required: false,
  schema: { type: 'string' },
  description: 'The last received `id:`. The stream first sends the changes since that id.',
}

const pathParameters = (path: string): Json[] =>
  [...path.matchAll(/([\w-]+)\/:(\w+)/g)].map(([, segment, name]) => ({
    name,
    in: 'path',
    required: true,
    schema:
      name === 'version' ? { type: 'integer', minimum: 1, maximum: 999_999_999 } : { type: 'string', format: 'uuid' },
    description:
      name === 'version' ? 'The version number, starting at 1.' : `The ID of the ${recordNoun(segment!, name!)}.`,
  }))

const queryParameters = (query: TSchema | undefined, components: Components): Json[] =>
  Object.entries((query?.properties ?? {}) as Record<string, TSchema>).map(([name, schema]) => {
    const { description, ...rest } = components.convert(schema) as { description?: string }
    return { name, in: 'query', required: false, ...(description && { description }), schema: rest }
  })

const successes = (operation: Operation, components: Components): Json =>
  Object.fromEntries(
    Object.entries(operation.answers).map(
      ([status, { description, schema, example, mediaType = 'application/json' }]) => [
        status,
        {
          description,
          headers: headersOf(operation, status),
          ...(schema && { content: { [mediaType]: { schema: components.convert(schema), example } } }),
        },
      ],
    ),
  )

const headersOf = (operation: Operation, status: string): Json => ({
  ...requestId,
  ...(accessOf(operation) !== 'anyone' && rateLimit),
  ...(status === '201' &&
    locationBaseOf(operation) !== null && { Location: { $ref: '#/components/headers/Location' } }),
  ...(operation.versioned && status !== '204' && { ETag: { $ref: '#/components/headers/ETag' } }),
  ...Object.fromEntries(
    Object.entries(operation.answers[Number(status)]?.headers ?? {}).map(([name, description]) => [
      name,
      { description, schema: { type: 'string' } },
    ]),
  ),
})

/** Returns the error responses of an operation: shared components with a description for this operation. */
const failures = (operation: Operation): Json =>
  Object.fromEntries(
    [...errorsOf(operation)]
      .sort(([one], [other]) => one - other)
      .map(([status, description]) => [status, { $ref: `#/components/responses/Error${status}`, description }]),
  )

const retryAfter = { 'Retry-After': { description: 'Seconds to wait before you retry.', schema: { type: 'integer' } } }

const errorResponses: Record<
  number,
  { description: string; code: ErrorCode; message: string; details?: Json; headers?: Json }
> = {
  400: {
    description:
      '`invalid_request`: a field is not valid. `details` names the field and the reason. `malformed_request`: the body is not valid JSON. Do not retry unchanged.',
    code: 'invalid_request',
    message: 'phone: Must be an E.164 number: + and 7 to 15 digits, the first not 0, for example +4915112345678.',
    details: { phone: 'Must be an E.164 number: + and 7 to 15 digits, the first not 0, for example +4915112345678.' },
  },
  401: {
    description: '`unauthorized`: the credential is missing or not valid. Do not retry.',
    code: 'unauthorized',
    message: 'This API key is not valid: it is malformed, unknown or revoked. Check the X-API-Key header.',
  },
  403: {
    description:
      '`forbidden`: the caller does not have permission. `feature_not_available`: the plan does not include the feature.',
    code: 'forbidden',
    message: 'Only an owner of the workspace can do this.',
  },
  404: {
    description: '`not_found`: the record does not exist in the workspace.',
    code: 'not_found',
    message: 'No such workflow in this workspace.',
  },
  409: {
    description:
      '`conflict`: something unique already exists, or the record changed in the meantime. `plan_limit_reached`: an allowance is used up. The message names it.',
    code: 'conflict',
    message: 'The draft was changed during publishing. Read it again, then publish it.',
  },
  415: {
    description: '`unsupported_media_type`: the `Content-Type` of the body is not JSON.',
    code: 'unsupported_media_type',
    message: 'Send the body as JSON, with the header Content-Type: application/json.',
  },
  422: {
    description: '`unprocessable`: the request is well-formed, but not possible in the current state.',
    code: 'unprocessable',
    message: 'The delivery is delivered. Only a failed or waiting delivery can be retried.',
  },
  429: {
    description: '`rate_limited`: too many calls. Retry after `Retry-After` seconds.',
    code: 'rate_limited',
    message:
      'An API key can make 200 calls per second, with bursts of 400. A batch of events counts as one call per event. Retry after the number of seconds in the Retry-After header.',
    headers: { ...retryAfter, ...rateLimit },
  },
  500: {
    description:
      '`internal_error`: an error of the service. Retry with backoff. If it persists, contact support with `request_id`.',
    code: 'internal_error',
    message: 'An internal error occurred. Retry with backoff. If it persists, contact support with the request_id.',
  },
  503: {
    description:
      '`internal_error`: the service is temporarily unavailable. `details.reason` is `overloaded` or `database_unavailable`. Retry after `Retry-After` seconds. If a list took too long, use filters or a smaller limit.',
    code: 'internal_error',
    message: 'The database is unavailable. Retry after the number of seconds in the Retry-After header.',
    details: { reason: 'database_unavailable' },
    headers: retryAfter,
  },
}

const errorSchema = {
  type: 'object',
  description: 'The body of every error response.',
  required: ['error', 'request_id'],
  properties: {
    error: {
      type: 'object',
      description: 'The error.',
      required: ['code', 'message'],
      properties: {
        code: { type: 'string', enum: Object.keys(statusOf), description: 'The error code for programs.' },
        message: { type: 'string', description: 'The error message for people.' },
        details: {
          type: 'object',
          additionalProperties: { type: 'string' },
          description:
            'Maps the path of each wrong field to the reason. `body` stands for the whole body. `reason` of a 503 is `overloaded` or `database_unavailable`.',
        },
      },
    },
    request_id: { type: 'string', description: 'ID of the request, as in the header `X-Request-Id`.' },
  },
}

const failureResponses = Object.fromEntries(
  Object.entries(errorResponses).map(([status, { description, code, message, details, headers }]) => [
    `Error${status}`,
    {
      description,
      headers: { ...requestId, ...headers },
      content: {
        'application/json': {
          schema: { $ref: '#/components/schemas/Error' },
          example: {
            error: { code, message, ...(details && { details }) },
            request_id: '01981b7e-3c00-7a51-9a64-1f0f5c3d7e99',
          },
        },
      },
    },
  ]),
)

const webhooks = (components: Components): Json =>
  Object.fromEntries(
    Object.entries(outboundEvents).map(([type, { summary, example }]) => [
      type,
      {
        post: {
          operationId: `on_${type.replace('.', '_')}`,
          // A webhook with the tag of operations would make generators overwrite one class with another.
          tags: [webhookTag],
          summary,
          description:
            'Respond with any 2xx status within 10 seconds. Otherwise the service retries after 1, 5 and 30 minutes, then after 2, 6, 12 and 24 hours. Delivery is at least once, and the order is not guaranteed. Store each `id` to ignore duplicates. Compare `createdAt` if the order matters.',
          security: [],
          parameters: deliveryHeaders({ type: 'string', const: type }),
          requestBody: {
            required: true,
            content: {
              'application/json': { schema: componentOf(type, components), example: eventExample(type, example) },
            },
          },
          responses: receipts,
        },
      },
    ]),
  )

const notReceived = { description: 'Not received. The service retries the delivery. Redirects are not followed.' }

const receipts = {
  '2XX': { description: 'Received. The delivery is not sent again.' },
  '4XX': notReceived,
  default: notReceived,
}

/** Describes the callbacks to the URL in the given body field: any of the outbound events. */
const callbacks = (field: string, components: Components): Json => ({
  outboundEvent: {
    [`{$request.body#/${field}}`]: {
      post: {
        operationId: 'on_outbound_event',
        tags: [webhookTag],
        summary: 'An event happened in the workspace.',
        description:
          'Any outbound event. `type` names the event type. The webhooks of this document describe each type.',
        security: [],
        parameters: deliveryHeaders({ type: 'string', enum: Object.keys(outboundEvents) }),
        requestBody: {
          required: true,
          content: {
            'application/json': {
              schema: anyEvent(components),
              example: eventExample('ping', outboundEvents.ping.example),
            },
          },
        },
        responses: receipts,
      },
    },
  },
})

const deliveryHeaders = (type: Json): Json[] => [
  {
    name: 'X-Service-Event',
    in: 'header',
    required: true,
    schema: type,
    description: 'The event type.',
  },
  {
    name: 'X-Service-Event-Id',
    in: 'header',
    required: true,
    schema: { type: 'string', format: 'uuid' },
    description: 'ID of the event, as in `id` of the body.',
  },
  {
    name: 'X-Service-Delivery',
    in: 'header',
    required: true,
    schema: { type: 'string', format: 'uuid' },
    description: 'The ID of the delivery. All attempts of a delivery have the same ID.',
  },
  {
    name: 'X-Service-Attempt',
    in: 'header',
    required: true,
    schema: { type: 'string', pattern: '^[1-9][0-9]*/[1-9][0-9]*$', examples: ['2/8'] },
    description:
      'The number of the attempt and the maximum, for example `2/8`. Manual retries after the last attempt continue the count: `9/9`.',
  },
  {
    name: 'X-Service-Retry',
    in: 'header',
    required: false,
    schema: { type: 'string', const: 'manual' },
    description: '`manual` if a person requested this attempt. Otherwise absent.',
  },
  {
    name: 'X-Service-Signature',
    in: 'header',
    required: true,
    schema: { type: 'string' },
    description:
      '`t=<unix seconds>,v1=<hex>`: HMAC-SHA256 of `<t>.<raw body>` with the secret of the endpoint. Compare in constant time. Reject the request if no `v1` matches or if `t` is more than 300 seconds off. After a rotation there are two `v1` values.',
  },
  {
    name: 'webhook-id',
    in: 'header',
    required: true,
    schema: { type: 'string', format: 'uuid' },
    description: 'ID of the event, for libraries of Standard Webhooks. Equals `X-Service-Event-Id`.',
  },
  {
    name: 'webhook-timestamp',
    in: 'header',
    required: true,
    schema: { type: 'string', pattern: '^[0-9]+$', examples: ['1772357402'] },
    description: 'Time of the attempt in unix seconds. Equals `t` of `X-Service-Signature`.',
  },
  {
    name: 'webhook-signature',
    in: 'header',
    required: true,
    schema: { type: 'string' },
    description:
      '`v1,<base64>`: HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<raw body>`, keyed with the decoded secret. After a rotation there are two, separated by a space.',
  },
  {
    name: 'traceparent',
    in: 'header',
    required: false,
    schema: { type: 'string', pattern: '^00-[0-9a-f]{32}-[0-9a-f]{16}-0[01]$' },
    description: 'Trace context (W3C) of the attempt. Absent if the delivery belongs to no trace.',
  },
]

/** Returns the union of all events. Receivers first pass every event to one function and need a type for it. */
const anyEvent = (components: Components): Json => {
  const types = Object.keys(outboundEvents) as OutboundEventType[]
  const members = types.map(type => componentOf(type, components))
  components.schemas.WebhookEvent = {
    description:
      'An event that the service sends to an endpoint. `type` names the event type. Later versions can add types.',
    oneOf: members,
    discriminator: {
      propertyName: 'type',
      mapping: Object.fromEntries(types.map((type, index) => [type, members[index]!.$ref])),
    },
  }
  return { $ref: '#/components/schemas/WebhookEvent' }
}

/**
 * Returns the component of an event type. For example, `customer.opted_out` becomes CustomerOptedOutEvent with
 * CustomerOptedOutData.
 */
const componentOf = (type: string, components: Components): Json => {
  const name = type
    .replace('.', '_')
    .split('_')
    .map(word => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join('')
  const { data, summary } = outboundEvents[type as OutboundEventType]
  components.schemas[`${name}Event`] ??= {
    ...eventSchema(
      type,
      components.convert({ ...data, $id: `${name}Data`, description: `The data of a \`${type}\` event.` }),
    ),
    description: summary,
  }
  return { $ref: `#/components/schemas/${name}Event` }
}

const eventSchema = (type: string, data: unknown): Json => ({
  type: 'object',
  required: ['id', 'type', 'createdAt', 'workspaceId', 'data'],
  properties: {
    id: {
      type: 'string',
      format: 'uuid',
      description: 'The ID of the event. Ignore IDs that you have already processed.',
    },
    type: { type: 'string', const: type, description: 'The event type, as in `X-Service-Event`.' },
    createdAt: {
      type: 'string',
      format: 'date-time',
      description: 'The time of the event. Compare it if the order matters.',
    },
    workspaceId: { type: 'string', format: 'uuid', description: 'The workspace of the event.' },
    data,
  },
})

const eventExample = (type: string, data: Json): Json => ({
  id: '01981b7e-3c00-7a51-9a64-1f0f5c3d7e08',
  type,
  createdAt: '2026-03-01T09:30:02.050Z',
  workspaceId: '01981b7e-3c00-7a51-9a64-1f0f5c3d7b02',
  data,
})

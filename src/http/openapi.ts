/**
 * Builds the published OpenAPI document from the operations alone. `@elysiajs/swagger` collects the routes. This file
 * adds what the plugin does not support: OpenAPI 3.1, webhooks and component schemas.
 */
import { swagger } from '@elysiajs/swagger'
import type { TSchema } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import manifest from '../../package.json' with { type: 'json' }
import type { ErrorCode } from '../domain/errors.ts'
import { type OutboundEventType, outboundEvents } from '../domain/outbound-events/index.ts'
import { changesVersion, demandsOf, recordNamed, refusalsOf } from './demands.ts'
import { statusOf } from './errors.ts'
import { introduction } from './introduction.ts'
import { type Access, accessOf, createdAt, isGuarded, type Operation } from './operation.ts'
import { Components } from './published-schema.ts'

type Json = Record<string, unknown>

/** Returns the OpenAPI 3.1 document. The same text is checked in as openapi/openapi.json. */
export const publishedDocument = async (operations: Operation[]): Promise<Json> => {
  const components = new Components({ Error: errorSchema })
  const collector = new Elysia().use(swagger({ path: '/docs', specPath: '/document', documentation: { info } }))
  for (const operation of operations) {
    const detail = describe(operation, components)
    collector.route(operation.method, operation.path, () => new Response(), { parse: 'json', detail })
  }
  const response = await collector.handle(new Request('http://localhost/document'))
  const { paths } = (await response.json()) as Json
  return {
    openapi: '3.1.0',
    info,
    servers: [{ url: '/', description: 'The address this document was read from.' }],
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
  Events: 'What happened in your systems, told to the service.',
  Activity: 'What became of the events, and what was refused.',
  Stream: 'What happens in the workspace, as it happens.',
  Customers: 'The people events are about and messages go to.',
  Workflows: 'What is done when an event arrives: wait, decide, write to the customer.',
  Channels: 'Connections to messaging providers.',
  Callbacks: 'Where messaging providers tell of messages and of what became of them. Not for you to call.',
  Templates: 'Texts with named places that values are put into.',
  Sales: 'What conversations led to.',
  Conversations: 'What is said with a customer over a channel, and who of the team looks after it.',
  Messages: 'What was written to customers and by them, and what became of it.',
  'Opt-out words': 'The words by which customers end all messages.',
  Campaigns: 'One template, sent to many customers.',
  'Outbound events': 'What is sent to your endpoints.',
  Webhooks:
    'Your endpoints, what is delivered to them, and every attempt. [Receiving webhooks](/docs/receivers) has code to start from.',
  'API keys': 'Credentials for machines.',
  Sessions: 'Signing in and out.',
  Account: 'Your own account: where it is signed in, its password and second factor, and what it says of you.',
  Team: 'Who works in the workspace, and who is invited.',
  Workspace: 'What it is called, and which time it keeps.',
  Plan: 'What the workspace may use, and how much of it.',
  Audit: 'Who did what to which record, when, and from where.',
}

const securitySchemes = {
  apiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'X-API-Key',
    description: 'Reaches /v1/events and /v1/customers and what is under them.',
  },
  bearer: {
    type: 'http',
    scheme: 'bearer',
    description: 'The token of a signed-in person, from POST /v1/auth/sign-in.',
  },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: 'session',
    description:
      'The same token as a cookie, which is called `__Host-session` behind https; writes must come from the same origin.',
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
  description: 'Identifies the request; quote it to support.',
  schema: { type: 'string', format: 'uuid' },
}
const etagHeader = {
  description: 'The version of the record: its `updatedAt` (of an endpoint `updated`) in quotation marks.',
  schema: { type: 'string', examples: ['"2026-03-01T09:30:00.000Z"'] },
}
const ifMatchParameter = {
  name: 'If-Match',
  in: 'header',
  required: false,
  description:
    'The `ETag` of the version that is to be changed. Where the record has another one by now, it is 409 `conflict`, and `details.version` holds its ETag.',
  schema: { type: 'string', examples: ['"2026-03-01T09:30:00.000Z"'] },
}
const requestId = { 'X-Request-Id': { $ref: '#/components/headers/RequestId' } }

const locationHeader = {
  description: 'The path of what was made.',
  schema: { type: 'string', examples: ['/v1/customers/01981b7e-3c00-7a51-9a64-1f0f5c3d7e02'] },
}

const whole = { type: 'integer', minimum: 0 }
const rateLimitHeaders = {
  RateLimitLimit: { description: 'How many calls the caller may make at once.', schema: whole },
  RateLimitRemaining: { description: 'How many of them are left.', schema: whole },
  RateLimitReset: { description: 'In how many seconds all of them are there again.', schema: whole },
}
/** Headers of counted calls. They are absent if the operator has disabled the rate limit. */
const rateLimit = Object.fromEntries(
  ['Limit', 'Remaining', 'Reset'].map(name => [`RateLimit-${name}`, { $ref: `#/components/headers/RateLimit${name}` }]),
)

const describe = (operation: Operation, components: Components): Json => {
  const { id, tag, summary, description, body, mayBeEmpty, example, examples, query } = operation
  const parameters = [...pathParameters(operation.path), ...queryParameters(query, components)]
  if (isGuarded(operation)) parameters.push(workspaceParameter)
  if (operation.takesKeyHeader) parameters.push(keyParameter)
  if (operation.takesLastEventId) parameters.push(lastEventIdParameter)
  if (changesVersion(operation)) parameters.push(ifMatchParameter)
  return {
    operationId: id,
    tags: [tag],
    summary,
    description: [...(description ? [description] : []), demandsOf(operation)].join('\n\n'),
    security: security[accessOf(operation)],
    ...(parameters.length > 0 && { parameters }),
    ...(body && {
      requestBody: {
        required: !mayBeEmpty,
        content: { 'application/json': { schema: components.use(body), ...(examples ? { examples } : { example }) } },
      },
    }),
    ...(rawBodyOf(operation) && { requestBody: rawBodyOf(operation) }),
    responses: { ...successes(operation, components), ...failures(operation) },
    ...(operation.sendsTo && { callbacks: callbacks(operation.sendsTo, components) }),
  }
}

/** Describes the body of a provider callback. Its format is defined by the provider. */
const rawBodyOf = (operation: Operation): Json | null => {
  if (isGuarded(operation) || !operation.raw || operation.method === 'GET') return null
  const { mediaType } = operation.raw
  const schema = {
    ...(mediaType !== 'application/json' && { type: 'object' }),
    description: 'What the provider sends, as it describes it itself.',
  }
  return { required: true, content: { [mediaType]: { schema } } }
}

const workspaceParameter: Json = {
  name: 'X-Workspace-Id',
  in: 'header',
  required: false,
  schema: { type: 'string', format: 'uuid' },
  description:
    'Of several workspaces the signed-in person is in, the one meant; without it, the one joined first. An API key has one workspace.',
}

const keyParameter: Json = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  schema: { type: 'string', minLength: 1, maxLength: 255 },
  description: 'The same as the field `idempotencyKey` of the body. Where both are given they must be alike.',
}

const lastEventIdParameter: Json = {
  name: 'Last-Event-ID',
  in: 'header',
  required: false,
  schema: { type: 'string' },
  description: 'The last `id:` that was heard: what happened since is told first.',
}

const pathParameters = (path: string): Json[] =>
  [...path.matchAll(/([\w-]+)\/:(\w+)/g)].map(([, segment, name]) => ({
    name,
    in: 'path',
    required: true,
    schema:
      name === 'version' ? { type: 'integer', minimum: 1, maximum: 999_999_999 } : { type: 'string', format: 'uuid' },
    description:
      name === 'version'
        ? 'The number of the version, counted from 1.'
        : `The id of the ${recordNamed(segment!, name!)}.`,
  }))

const queryParameters = (query: TSchema | undefined, components: Components): Json[] =>
  Object.entries((query?.properties ?? {}) as Record<string, TSchema>).map(([name, schema]) => {
    const { description, ...rest } = components.use(schema) as { description?: string }
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
          ...(schema && { content: { [mediaType]: { schema: components.use(schema), example } } }),
        },
      ],
    ),
  )

const headersOf = (operation: Operation, status: string): Json => ({
  ...requestId,
  ...(accessOf(operation) !== 'anyone' && rateLimit),
  ...(status === '201' && createdAt(operation) !== null && { Location: { $ref: '#/components/headers/Location' } }),
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
    [...refusalsOf(operation)]
      .sort(([one], [other]) => one - other)
      .map(([status, description]) => [status, { $ref: `#/components/responses/Error${status}`, description }]),
  )

const retryAfter = { 'Retry-After': { description: 'Whole seconds to wait.', schema: { type: 'integer' } } }

const meanings: Record<
  number,
  { description: string; code: ErrorCode; message: string; details?: Json; headers?: Json }
> = {
  400: {
    description:
      '`invalid_request`: a field failed validation, `details` says which and why. `malformed_request`: the body is no JSON. Do not retry unchanged.',
    code: 'invalid_request',
    message: 'phone: Must be an E.164 number: + and 7 to 15 digits, the first not 0, for example +4915112345678.',
    details: { phone: 'Must be an E.164 number: + and 7 to 15 digits, the first not 0, for example +4915112345678.' },
  },
  401: {
    description: '`unauthorized`: no credential, or one that is not valid. Do not retry.',
    code: 'unauthorized',
    message: 'This API key is not valid: it is malformed, unknown or revoked. Check the X-API-Key header.',
  },
  403: {
    description: '`forbidden`: known, and the answer is no. `feature_not_available`: the plan does not include it.',
    code: 'forbidden',
    message: 'Only an owner of the workspace may do this.',
  },
  404: {
    description: '`not_found`: no such record in the workspace.',
    code: 'not_found',
    message: 'No such workflow in this workspace.',
  },
  409: {
    description:
      '`conflict`: something unique already exists, or changed meanwhile. `plan_limit_reached`: an allowance is full, the message names it.',
    code: 'conflict',
    message: 'The draft changed while it was being published. Read it again and publish what you see.',
  },
  415: {
    description: '`unsupported_media_type`: the body is not declared as JSON.',
    code: 'unsupported_media_type',
    message: 'Send the body as JSON, with the header Content-Type: application/json.',
  },
  422: {
    description: '`unprocessable`: well-formed, but impossible in the current state.',
    code: 'unprocessable',
    message: 'Only a failed delivery can be retried; this one is delivered.',
  },
  429: {
    description: '`rate_limited`: wait for `Retry-After`.',
    code: 'rate_limited',
    message:
      'An API key may make 200 calls a second, 400 at once. Wait as many seconds as the header Retry-After says.',
    headers: { ...retryAfter, ...rateLimit },
  },
  500: {
    description: '`internal_error`: a fault of ours. Retry with backoff; quote request_id to support.',
    code: 'internal_error',
    message: 'Something went wrong on our side. Try again with backoff, and quote request_id to support.',
  },
  503: {
    description:
      '`internal_error`: not now. `details.reason` is `overloaded` or `database_unavailable`. Retry after `Retry-After`; a list that took too long is read faster with filters or a smaller limit.',
    code: 'internal_error',
    message:
      'The service cannot reach its database at the moment. Wait as many seconds as the header Retry-After says.',
    details: { reason: 'database_unavailable' },
    headers: retryAfter,
  },
}

const errorSchema = {
  type: 'object',
  description: 'The body of every failure.',
  required: ['error', 'request_id'],
  properties: {
    error: {
      type: 'object',
      description: 'Why it was refused, or failed.',
      required: ['code', 'message'],
      properties: {
        code: { type: 'string', enum: Object.keys(statusOf), description: 'What programs go by.' },
        message: { type: 'string', description: 'For a person.' },
        details: {
          type: 'object',
          additionalProperties: { type: 'string' },
          description:
            'The path of each offending field and the reason; `body` for the whole. `reason` of a 503 is `overloaded` or `database_unavailable`.',
        },
      },
    },
    request_id: { type: 'string', description: 'The same as the header X-Request-Id.' },
  },
}

const failureResponses = Object.fromEntries(
  Object.entries(meanings).map(([status, { description, code, message, details, headers }]) => [
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
            'Answer with any 2xx within 10 seconds. Otherwise it is sent again after 1 and 5 minutes, half an hour, 2, 6, 12 and 24 hours. Delivery is at least once and in no certain order: remember `id`, and compare `createdAt` where order matters.',
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

const notReceived = { description: 'Not received; it is sent again by the schedule. Redirects are not followed.' }

const receipts = {
  '2XX': { description: 'Received. Nothing is sent again.' },
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
        summary: 'Something happened in the workspace.',
        description: 'Any of the outbound events, told apart by `type`. Each is described among the webhooks.',
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
    description: 'The same as `id` of the body.',
  },
  {
    name: 'X-Service-Delivery',
    in: 'header',
    required: true,
    schema: { type: 'string', format: 'uuid' },
    description: 'This delivery; the same at each of its attempts.',
  },
  {
    name: 'X-Service-Attempt',
    in: 'header',
    required: true,
    schema: { type: 'string', pattern: '^[1-9][0-9]*/[1-9][0-9]*$', examples: ['2/8'] },
    description: 'Which attempt of how many: `2/8`; those that a person asks for after the last one count on, `9/9`.',
  },
  {
    name: 'X-Service-Retry',
    in: 'header',
    required: false,
    schema: { type: 'string', const: 'manual' },
    description: 'Only where a person asked for this attempt.',
  },
  {
    name: 'X-Service-Signature',
    in: 'header',
    required: true,
    schema: { type: 'string' },
    description:
      '`t=<unix seconds>,v1=<hex>`: HMAC-SHA256 with the endpoint’s secret over `<t>.<raw body>`. Reject when no `v1` matches in constant time, or when `t` is more than 300 seconds off. After a rotation there are two `v1`.',
  },
]

/** Returns the union of all events. Receivers first pass every event to one function and need a type for it. */
const anyEvent = (components: Components): Json => {
  const types = Object.keys(outboundEvents) as OutboundEventType[]
  const members = types.map(type => componentOf(type, components))
  components.schemas.WebhookEvent = {
    description: 'What an endpoint is sent, told apart by `type`. Later versions know more types.',
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
    ...eventSchema(type, components.use({ ...data, $id: `${name}Data`, description: `What \`${type}\` tells.` })),
    description: summary,
  }
  return { $ref: `#/components/schemas/${name}Event` }
}

const eventSchema = (type: string, data: unknown): Json => ({
  type: 'object',
  required: ['id', 'type', 'createdAt', 'workspaceId', 'data'],
  properties: {
    id: { type: 'string', format: 'uuid', description: 'The event. Ignore ids already handled.' },
    type: { type: 'string', const: type, description: 'What happened, as in `X-Service-Event`.' },
    createdAt: {
      type: 'string',
      format: 'date-time',
      description: 'When it happened; compare it where order matters.',
    },
    workspaceId: { type: 'string', format: 'uuid', description: 'The workspace in which it happened.' },
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

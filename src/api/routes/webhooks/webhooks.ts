import { Page, PageQuery } from '../../../core/schema.ts'
import type { LimitedPool } from '../../../platform/postgres/limited-pool.ts'
import {
  Delivery,
  DeliveryDetail,
  DeliveryList,
  DeliveryQuery,
  listDeliveries,
  readDelivery,
  readWebhookHealth,
  retryDelivery,
  testWebhook,
  WebhookHealth,
} from '../../../webhooks/deliveries/index.ts'
import {
  ChangeWebhook,
  CreateWebhook,
  changeWebhook,
  createWebhook,
  deleteWebhook,
  holdWebhook,
  listWebhooks,
  readWebhook,
  releaseWebhook,
  rotateWebhookSecret,
  Webhook,
  type WebhookSettings,
  WebhookWithSecret,
} from '../../../webhooks/endpoints/index.ts'
import {
  cancelRecovery,
  Recovery,
  RecoveryPreview,
  readRecovery,
  StartRecovery,
  startRecovery,
} from '../../../webhooks/recoveries/index.ts'
import { Verification, VerifyWebhook, verifyWebhook } from '../../../webhooks/signatures/index.ts'
import { type Operation, operation } from '../../operation.ts'
import { readRunnerFor } from '../read-runner.ts'

const tag = 'Webhooks'

const noKeyMessage = '`headers` are given, and the operator has not set `SECRETS_KEY`, which encrypts them.'

export const webhookRoutes = ({
  webhookSettings,
  reads,
  changes,
}: {
  webhookSettings: WebhookSettings
  reads: LimitedPool
  changes: LimitedPool
}): Operation[] => [
  operation({
    method: 'POST',
    path: '/v1/webhooks',
    id: 'createWebhook',
    versioned: true,
    verb: createWebhook,
    tag,
    summary: 'Create a webhook endpoint',
    description:
      'Creates a webhook endpoint. A workspace can have at most 10 endpoints. Only this response contains the secret.',
    body: CreateWebhook,
    example: {
      url: 'https://hooks.example.com/engagement',
      name: 'Orders',
      description: 'order system',
      events: ['message.status', 'customer.opted_out'],
      metadata: { team: 'checkout' },
      headers: { Authorization: 'Bearer 3f1b' },
      ratePerSecond: 50,
      maxConcurrency: 20,
    },
    callbackUrlField: 'url',
    answers: {
      201: {
        description: 'The endpoint with its secret.',
        schema: WebhookWithSecret,
        example: { ...webhook(), secret },
      },
    },
    errors: {
      unprocessable: `the workspace already has 10 endpoints. Remove one first. Or ${noKeyMessage}`,
    },
    args: ({ body }) => [webhookSettings, body],
  }),
  operation({
    method: 'POST',
    path: '/v1/webhooks/verify',
    id: 'verifyWebhook',
    verb: verifyWebhook,
    runsWithoutConnection: true,
    computation: 'checks',
    tag,
    summary: 'Verify a webhook signature',
    description:
      'Explains why a signature is not valid. Send the request that your receiver got and the secret that it uses. The service checks `X-Service-Signature` and the headers of Standard Webhooks, whichever are present. The response names the wrong part of each: the header, the clock, the secret, or a changed body. The service does not store the data of this call. See [/docs/receivers](/docs/receivers) for sample receivers.',
    body: VerifyWebhook,
    example: {
      secret,
      headers: { 'X-Service-Signature': `t=1772357402,v1=${exampleDigest}` },
      body: '{"type": "ping"}',
      at: '2026-03-01T09:30:03Z',
    },
    answers: {
      200: {
        description: 'The result. `valid` is true if a receiver should accept the request.',
        schema: Verification,
        example: {
          ...exampleCheck,
          checks: [exampleCheck],
        },
      },
    },
    args: ({ body, request }) => [readRunnerFor(request, reads), webhookSettings, body],
  }),
  operation({
    method: 'GET',
    path: '/v1/webhooks',
    id: 'listWebhooks',
    verb: listWebhooks,
    tag,
    summary: 'List webhook endpoints',
    query: PageQuery,
    answers: {
      200: {
        description: 'A page of endpoints.',
        schema: Page(Webhook),
        example: { data: [webhook()], nextCursor: null },
      },
    },
    args: ({ query }) => [query],
  }),
  operation({
    method: 'GET',
    path: '/v1/webhooks/:id',
    id: 'readWebhook',
    versioned: true,
    verb: readWebhook,
    tag,
    summary: 'Read a webhook endpoint',
    answers: { 200: { description: 'The endpoint.', schema: Webhook, example: webhook() } },
    args: ({ params }) => [params.id!],
  }),
  operation({
    method: 'PATCH',
    path: '/v1/webhooks/:id',
    id: 'changeWebhook',
    versioned: true,
    verb: changeWebhook,
    tag,
    summary: 'Change a webhook endpoint',
    description:
      'Changes the fields that are given. A disabled endpoint keeps its pending deliveries, but new events are not queued for it. When you enable it again, it gets the pending deliveries. To pause an endpoint without losing events, put it on hold.',
    body: ChangeWebhook,
    example: { enabled: false },
    answers: {
      200: {
        description: 'The endpoint after the change.',
        schema: Webhook,
        example: { ...webhook(), enabled: false },
      },
    },
    errors: { unprocessable: noKeyMessage },
    args: ({ params, body }) => [webhookSettings, params.id!, body],
  }),
  operation({
    method: 'DELETE',
    path: '/v1/webhooks/:id',
    id: 'deleteWebhook',
    versioned: true,
    verb: deleteWebhook,
    tag,
    summary: 'Remove a webhook endpoint',
    description: 'Removes the endpoint and drops its pending deliveries.',
    answers: { 204: { description: 'The endpoint is removed.' } },
    args: ({ params }) => [params.id!],
  }),
  operation({
    method: 'GET',
    path: '/v1/webhooks/:id/health',
    id: 'readWebhookHealth',
    verb: readWebhookHealth,
    tag,
    summary: 'Read the health of a webhook endpoint',
    description:
      'Returns the recent attempts of the endpoint, its pending deliveries, its state and the start of that state. The data can be one second old.',
    answers: { 200: { description: 'The health of the endpoint.', schema: WebhookHealth, example: health() } },
    args: ({ params }) => [params.id!],
  }),
  operation({
    method: 'POST',
    path: '/v1/webhooks/:id/hold',
    id: 'holdWebhook',
    versioned: true,
    verb: holdWebhook,
    tag,
    summary: 'Put a webhook endpoint on hold',
    description:
      'Pauses delivery to the endpoint. New deliveries are still queued and stay pending until you release the endpoint. No delivery is dropped. In-flight attempts run to completion.',
    answers: {
      200: {
        description: 'The endpoint after the change.',
        schema: Webhook,
        example: { ...webhook(), heldAt: '2026-03-02T09:00:00.000Z', heldBy: 'owner' },
      },
    },
    args: ({ params }) => [params.id!],
  }),
  operation({
    method: 'POST',
    path: '/v1/webhooks/:id/release',
    id: 'releaseWebhook',
    versioned: true,
    verb: releaseWebhook,
    tag,
    summary: 'Release a webhook endpoint',
    description:
      'Resumes delivery to an endpoint on hold, whether an owner or the service put it on hold. Pending deliveries are sent oldest first, within the rate limit of the endpoint.',
    answers: { 200: { description: 'The endpoint after the change.', schema: Webhook, example: webhook() } },
    args: ({ params }) => [params.id!],
  }),
  operation({
    method: 'POST',
    path: '/v1/webhooks/:id/recoveries',
    id: 'startRecovery',
    verb: startRecovery,
    runsWithoutConnection: true,
    computation: 'trials',
    tag,
    summary: 'Start a recovery',
    description:
      'Attempts failed and retrying deliveries of a time range again, at most 100,000, oldest first. With `of`, it also sends the events that the endpoint has missed. New deliveries have priority. An endpoint can have one recovery at a time. With `preview`, no recovery is started.',
    body: StartRecovery,
    example: { since: '2026-03-01T00:00:00Z' },
    answers: {
      200: {
        description: 'With `preview`: the number of deliveries and the estimated duration.',
        schema: RecoveryPreview,
        example: { deliveries: 1200, byType: [{ type: 'message.status', deliveries: 1200 }], estimatedSeconds: 24 },
      },
      202: { description: 'The started recovery.', schema: Recovery, example: recovery() },
    },
    errors: {
      conflict: 'a recovery of this endpoint is already running. Wait until it ends, or cancel it.',
      unprocessable:
        'the time range has more than 100,000 such deliveries, or too many events to search. Choose a shorter time range.',
    },
    args: ({ params, body, request }) => [
      readRunnerFor(request, reads),
      readRunnerFor(request, changes),
      params.id!,
      body,
    ],
    answer: result => ({ status: 'deliveries' in result ? 200 : 202, body: result }),
  }),
  operation({
    method: 'GET',
    path: '/v1/webhooks/:id/recoveries/:recoveryId',
    id: 'readRecovery',
    verb: readRecovery,
    tag,
    summary: 'Read a recovery',
    answers: {
      200: { description: 'The recovery with its progress.', schema: Recovery, example: { ...recovery(), done: 800 } },
    },
    args: ({ params }) => [params.id!, params.recoveryId!],
  }),
  operation({
    method: 'DELETE',
    path: '/v1/webhooks/:id/recoveries/:recoveryId',
    id: 'cancelRecovery',
    verb: cancelRecovery,
    tag,
    summary: 'Cancel a recovery',
    description:
      'Cancels the recovery. Failed deliveries without a new attempt stay failed. Retrying deliveries keep their remaining attempts. Cancelling a recovery that has ended has no effect.',
    answers: { 204: { description: 'The recovery is cancelled or had already ended.' } },
    args: ({ params }) => [params.id!, params.recoveryId!],
  }),
  operation({
    method: 'POST',
    path: '/v1/webhooks/:id/secret',
    id: 'rotateWebhookSecret',
    versioned: true,
    verb: rotateWebhookSecret,
    tag,
    summary: 'Rotate the secret of a webhook endpoint',
    description:
      'Creates a new secret. For 24 hours, deliveries carry two signatures: `t=…,v1=<new>,v1=<old>`. A receiver must accept either signature.',
    answers: {
      200: {
        description: 'The endpoint with its new secret.',
        schema: WebhookWithSecret,
        example: { ...webhook(), secret },
      },
    },
    args: ({ params }) => [webhookSettings, params.id!],
  }),
  operation({
    method: 'POST',
    path: '/v1/webhooks/:id/test',
    id: 'testWebhook',
    verb: testWebhook,
    tag,
    summary: 'Send a test ping',
    description:
      'Sends a `ping` event to this endpoint only, even if it is not subscribed to it. The delivery stays pending while the endpoint is disabled or on hold.',
    answers: {
      202: {
        description: 'The delivery of the ping. Read it again to see the result.',
        schema: Delivery,
        example: { ...delivery(), eventType: 'ping' },
      },
    },
    args: ({ params }) => [params.id!],
  }),
  operation({
    method: 'GET',
    path: '/v1/webhooks/:id/deliveries',
    id: 'listDeliveries',
    verb: listDeliveries,
    tag,
    summary: 'List deliveries',
    description:
      'Returns deliveries, newest first. Without query parameters, returns the newest 50 and a `nextCursor` for older deliveries.',
    query: DeliveryQuery,
    answers: {
      200: {
        description: 'A page of deliveries, newest first.',
        schema: DeliveryList,
        example: { data: [exampleDelivered()], nextCursor: null },
      },
    },
    args: ({ params, query }) => [params.id!, query],
  }),
  operation({
    method: 'GET',
    path: '/v1/webhooks/:id/deliveries/:deliveryId',
    id: 'readDelivery',
    verb: readDelivery,
    tag,
    summary: 'Read a delivery',
    description: 'Returns the delivery with the sent request and every attempt.',
    answers: { 200: { description: 'The delivery.', schema: DeliveryDetail, example: detail() } },
    args: ({ params }) => [params.id!, params.deliveryId!],
  }),
  operation({
    method: 'POST',
    path: '/v1/webhooks/:id/deliveries/:deliveryId/retry',
    id: 'retryDelivery',
    verb: retryDelivery,
    tag,
    summary: 'Retry a delivery',
    description:
      'Makes one new attempt of a failed delivery, or the next attempt of a retrying delivery early. The rest of its schedule follows. The attempt is made immediately. If the endpoint is disabled or on hold, the attempt is made when it is enabled or released.',
    answers: {
      202: {
        description: 'The delivery, with the attempt due now.',
        schema: Delivery,
        example: { ...delivery(), status: 'retrying', attempts: 8 },
      },
    },
    errors: {
      unprocessable: 'the delivery is pending or delivered, or a retry is already due.',
    },
    args: ({ params }) => [params.id!, params.deliveryId!],
  }),
]

const exampleCheck = {
  scheme: 'service',
  valid: false,
  problems: [
    {
      code: 'digest_mismatch',
      message: 'No v1 is the digest of this body with this secret. The secret is wrong, or the body was changed.',
    },
  ],
  timestamp: 1772357402,
  secondsOff: 1,
  matched: null,
  expected: '12f4240df991ed3928833a0a82ec047d4e03bcf8cbcbcbec669ea86ea6ae5aee',
} as const
const exampleDigest = '5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd'
const secret = 'whsec_ZXhhbXBsZSBzZWNyZXQgb2YgMzIgYnl0ZXMgaGVyZSE='

function webhook(): Webhook {
  return {
    id: '01981b7e-3c00-7a51-9a64-1f0f5c3d7e05',
    name: 'Orders',
    url: 'https://hooks.example.com/engagement',
    description: 'order system',
    events: ['message.status', 'customer.opted_out'],
    enabled: true,
    metadata: { team: 'checkout' },
    headers: ['Authorization'],
    ratePerSecond: 50,
    maxConcurrency: 20,
    filter: null,
    heldAt: null,
    heldBy: null,
    createdAt: '2026-03-01T09:00:00.000Z',
    updatedAt: '2026-03-01T09:00:00.000Z',
    created: '2026-03-01T09:00:00.000Z',
    updated: '2026-03-01T09:00:00.000Z',
  }
}

function health(): WebhookHealth {
  return {
    state: 'failing',
    since: '2026-03-01T09:40:00.000Z',
    lastSuccessAt: '2026-03-01T09:30:02.060Z',
    lastFailure: { at: '2026-03-01T09:41:00.100Z', statusCode: 503, error: 'answered with a status other than 2xx' },
    waiting: 1,
    waitingSince: '2026-03-01T09:40:59.800Z',
    nextAttemptAt: '2026-03-01T09:46:00.100Z',
    last50: [
      {
        deliveryId: '01981b7e-3c00-7a51-9a64-1f0f5c3d7e07',
        eventType: 'message.status',
        at: '2026-03-01T09:41:00.100Z',
        status: 'retrying',
        statusCode: 503,
        error: 'answered with a status other than 2xx',
        durationMs: 48,
      },
    ],
    p50Ms: 48,
    p95Ms: 48,
  }
}

function recovery(): Recovery {
  return {
    id: '01981b7e-3c00-7a51-9a64-1f0f5c3d7e0a',
    webhookId: '01981b7e-3c00-7a51-9a64-1f0f5c3d7e05',
    since: '2026-03-01T00:00:00.000Z',
    until: '2026-03-02T09:00:00.000Z',
    of: 'failed',
    events: null,
    status: 'running',
    total: 1200,
    done: 0,
    createdAt: '2026-03-02T09:00:00.000Z',
    finishedAt: null,
  }
}

function delivery(): Delivery {
  return {
    id: '01981b7e-3c00-7a51-9a64-1f0f5c3d7e07',
    eventId: '01981b7e-3c00-7a51-9a64-1f0f5c3d7e08',
    eventType: 'message.status',
    status: 'pending',
    attempts: 0,
    statusCode: null,
    error: null,
    durationMs: null,
    createdAt: '2026-03-01T09:30:02.050Z',
    lastAttemptAt: null,
    nextAttemptAt: '2026-03-01T09:30:02.050Z',
  }
}

function exampleDelivered(): Delivery {
  return {
    ...delivery(),
    status: 'delivered',
    attempts: 1,
    statusCode: 200,
    durationMs: 31,
    lastAttemptAt: '2026-03-01T09:30:02.060Z',
    nextAttemptAt: null,
  }
}

function detail(): DeliveryDetail {
  return {
    ...exampleDelivered(),
    request: {
      headers: {
        'Content-Type': 'application/json',
        'X-Service-Event': 'message.status',
        'X-Service-Event-Id': '01981b7e-3c00-7a51-9a64-1f0f5c3d7e08',
        'X-Service-Delivery': '01981b7e-3c00-7a51-9a64-1f0f5c3d7e07',
        'X-Service-Attempt': '1/8',
        'X-Service-Signature': 't=1772357402,v1=5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd',
        'webhook-id': '01981b7e-3c00-7a51-9a64-1f0f5c3d7e08',
        'webhook-timestamp': '1772357402',
        'webhook-signature': 'v1,iN4x6hHiK0Qn0kYB2x0Q0m0yJb6xXyLrVYpZ8o4mF5k=',
      },
      body: '{"id":"01981b7e-3c00-7a51-9a64-1f0f5c3d7e08","type":"message.status", …}',
    },
    attemptLog: [{ at: '2026-03-01T09:30:02.060Z', statusCode: 200, error: null, durationMs: 31, responseBody: 'ok' }],
  }
}

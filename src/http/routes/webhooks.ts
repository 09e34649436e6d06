import type { Lender } from '../../db/lend.ts'
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
} from '../../domain/deliveries/index.ts'
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
} from '../../domain/endpoints/index.ts'
import {
  cancelRecovery,
  Recovery,
  RecoveryPreview,
  readRecovery,
  StartRecovery,
  startRecovery,
} from '../../domain/recoveries/index.ts'
import { Page, PageQuery } from '../../domain/schema.ts'
import { Verification, VerifyWebhook, verifyWebhook } from '../../domain/signatures/index.ts'
import { type Operation, operation } from '../operation.ts'
import { readingFor } from './reading.ts'

const tag = 'Webhooks'

const noKeyForHeaders = 'there are `headers`, and the operator has set no `SECRETS_KEY`, under which they are kept.'

export const webhookRoutes = ({
  webhookSettings,
  reads,
}: {
  webhookSettings: WebhookSettings
  reads: Lender
}): Operation[] => [
  operation({
    method: 'POST',
    path: '/v1/webhooks',
    id: 'createWebhook',
    versioned: true,
    verb: createWebhook,
    tag,
    summary: 'Create a webhook endpoint',
    description: 'At most 10 per workspace. The secret is in this answer and in no other.',
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
    sendsTo: 'url',
    answers: {
      201: {
        description: 'The endpoint with its secret.',
        schema: WebhookWithSecret,
        example: { ...webhook(), secret },
      },
    },
    errors: {
      unprocessable: `the workspace has 10 endpoints already, and one is to be removed first; or ${noKeyForHeaders}`,
    },
    given: ({ body }) => [webhookSettings, body],
  }),
  operation({
    method: 'POST',
    path: '/v1/webhooks/verify',
    id: 'verifyWebhook',
    verb: verifyWebhook,
    needsNoConnection: true,
    computes: 'checks',
    tag,
    summary: 'Find out why a signature does not hold',
    description:
      'For whoever writes a receiver: give it what your receiver got and the secret it uses, and it says which part is wrong: the header, the clock, the secret, or a body that is no longer the one that was sent. Nothing given is kept. Examples of receivers are under [/docs/receivers](/docs/receivers).',
    body: VerifyWebhook,
    example: {
      secret,
      headers: { 'X-Service-Signature': `t=1772357402,v1=${mismatching}` },
      body: '{"type": "ping"}',
      at: '2026-03-01T09:30:03Z',
    },
    answers: {
      200: {
        description: 'The verdict; `valid` says whether a receiver should accept it.',
        schema: Verification,
        example: {
          valid: false,
          problems: [
            {
              code: 'digest_mismatch',
              message:
                'No v1 is the digest of this body with this secret: the secret is another one, or the body was changed.',
            },
          ],
          timestamp: 1772357402,
          secondsOff: 1,
          matched: null,
          expected: '12f4240df991ed3928833a0a82ec047d4e03bcf8cbcbcbec669ea86ea6ae5aee',
        },
      },
    },
    given: ({ body, request }) => [readingFor(request, reads), webhookSettings, body],
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
    given: ({ query }) => [query],
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
    given: ({ params }) => [params.id!],
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
      'Changes what is given. Switched off, it keeps its pending deliveries and new events are not queued for it; switched on again, it gets what was kept. To pause and lose nothing, hold it.',
    body: ChangeWebhook,
    example: { enabled: false },
    answers: {
      200: { description: 'The endpoint as it is now.', schema: Webhook, example: { ...webhook(), enabled: false } },
    },
    errors: { unprocessable: noKeyForHeaders },
    given: ({ params, body }) => [webhookSettings, params.id!, body],
  }),
  operation({
    method: 'DELETE',
    path: '/v1/webhooks/:id',
    id: 'deleteWebhook',
    versioned: true,
    verb: deleteWebhook,
    tag,
    summary: 'Remove a webhook endpoint',
    description: 'What was still to be delivered to it is dropped.',
    answers: { 204: { description: 'The endpoint is gone.' } },
    given: ({ params }) => [params.id!],
  }),
  operation({
    method: 'GET',
    path: '/v1/webhooks/:id/health',
    id: 'readWebhookHealth',
    verb: readWebhookHealth,
    tag,
    summary: 'Read how an endpoint does',
    description: 'What it did of late, what waits for it, and since when it has been so. May be a second behind.',
    answers: { 200: { description: 'How it does.', schema: WebhookHealth, example: health() } },
    given: ({ params }) => [params.id!],
  }),
  operation({
    method: 'POST',
    path: '/v1/webhooks/:id/hold',
    id: 'holdWebhook',
    verb: holdWebhook,
    tag,
    summary: 'Hold a webhook endpoint',
    description:
      'Deliveries go on being made for it and wait until it is released; none is dropped, and attempts under way end.',
    answers: {
      200: {
        description: 'The endpoint as it is now.',
        schema: Webhook,
        example: { ...webhook(), heldAt: '2026-03-02T09:00:00.000Z', heldBy: 'owner' },
      },
    },
    given: ({ params }) => [params.id!],
  }),
  operation({
    method: 'POST',
    path: '/v1/webhooks/:id/release',
    id: 'releaseWebhook',
    verb: releaseWebhook,
    tag,
    summary: 'Release a webhook endpoint',
    description: 'What waits goes out oldest first, within its rate, whoever held it.',
    answers: { 200: { description: 'The endpoint as it is now.', schema: Webhook, example: webhook() } },
    given: ({ params }) => [params.id!],
  }),
  operation({
    method: 'POST',
    path: '/v1/webhooks/:id/recoveries',
    id: 'startRecovery',
    verb: startRecovery,
    tag,
    summary: 'Attempt failed and waiting deliveries',
    description:
      'Attempts each delivery of a time that has failed or waits for another attempt, at most 100,000, oldest first. New deliveries go first. An endpoint has one recovery at a time. With `preview` nothing is started.',
    body: StartRecovery,
    example: { since: '2026-03-01T00:00:00Z' },
    answers: {
      200: {
        description: 'With `preview`: how many there are.',
        schema: RecoveryPreview,
        example: { deliveries: 1200 },
      },
      202: { description: 'The recovery, which has begun.', schema: Recovery, example: recovery() },
    },
    errors: {
      conflict: 'a recovery of this endpoint is running. Wait for its end, or cancel it.',
      unprocessable: 'more than 100,000 deliveries of that time have failed or wait. Choose a shorter time.',
    },
    given: ({ params, body }) => [params.id!, body],
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
      200: { description: 'How far it is.', schema: Recovery, example: { ...recovery(), done: 800 } },
    },
    given: ({ params }) => [params.id!, params.recoveryId!],
  }),
  operation({
    method: 'DELETE',
    path: '/v1/webhooks/:id/recoveries/:recoveryId',
    id: 'cancelRecovery',
    verb: cancelRecovery,
    tag,
    summary: 'Cancel a recovery',
    description:
      'Failed deliveries that were not attempted stay failed, and waiting ones keep their remaining attempts. A recovery that has ended stays as it is.',
    answers: { 204: { description: 'It makes nothing more due.' } },
    given: ({ params }) => [params.id!, params.recoveryId!],
  }),
  operation({
    method: 'POST',
    path: '/v1/webhooks/:id/secret',
    id: 'rotateWebhookSecret',
    verb: rotateWebhookSecret,
    tag,
    summary: 'Rotate the secret',
    description: 'For 24 hours deliveries carry two signatures, `t=…,v1=<new>,v1=<old>`; a receiver accepts either.',
    answers: {
      200: {
        description: 'The endpoint with its new secret.',
        schema: WebhookWithSecret,
        example: { ...webhook(), secret },
      },
    },
    given: ({ params }) => [webhookSettings, params.id!],
  }),
  operation({
    method: 'POST',
    path: '/v1/webhooks/:id/test',
    id: 'testWebhook',
    verb: testWebhook,
    tag,
    summary: 'Send a ping',
    description:
      'To this endpoint alone, whatever it subscribed to. It waits while the endpoint is switched off or held.',
    answers: {
      202: {
        description: 'The delivery of the ping; read it again to see how it went.',
        schema: Delivery,
        example: { ...delivery(), eventType: 'ping' },
      },
    },
    given: ({ params }) => [params.id!],
  }),
  operation({
    method: 'GET',
    path: '/v1/webhooks/:id/deliveries',
    id: 'listDeliveries',
    verb: listDeliveries,
    tag,
    summary: 'List deliveries',
    description: 'Newest first. Without a query the newest 50, and a `nextCursor` to those before them.',
    query: DeliveryQuery,
    answers: {
      200: {
        description: 'Deliveries, newest first.',
        schema: DeliveryList,
        example: { data: [delivered()], nextCursor: null },
      },
    },
    given: ({ params, query }) => [params.id!, query],
  }),
  operation({
    method: 'GET',
    path: '/v1/webhooks/:id/deliveries/:deliveryId',
    id: 'readDelivery',
    verb: readDelivery,
    tag,
    summary: 'Read a delivery',
    description: 'With the request that was sent and every attempt.',
    answers: { 200: { description: 'The delivery.', schema: DeliveryDetail, example: detail() } },
    given: ({ params }) => [params.id!, params.deliveryId!],
  }),
  operation({
    method: 'POST',
    path: '/v1/webhooks/:id/deliveries/:deliveryId/retry',
    id: 'retryDelivery',
    verb: retryDelivery,
    tag,
    summary: 'Retry a delivery now',
    description:
      'Makes one new attempt of a failed delivery, or the next attempt of a waiting one early; the rest of its schedule follows. The attempt is made immediately or, if the endpoint is switched off or held, when it is switched on or released.',
    answers: {
      202: {
        description: 'The delivery, with the attempt due now.',
        schema: Delivery,
        example: { ...delivery(), status: 'retrying', attempts: 8 },
      },
    },
    errors: {
      unprocessable: 'the delivery is pending or delivered, or a retry of it is due already.',
    },
    given: ({ params }) => [params.id!, params.deliveryId!],
  }),
]

const mismatching = '5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd'
const secret = 'whsec_ZXhhbXBsZSBzZWNyZXQgb2YgMzIgYnl0ZXMgaGVyZSE'

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

function delivered(): Delivery {
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
    ...delivered(),
    request: {
      headers: {
        'Content-Type': 'application/json',
        'X-Service-Event': 'message.status',
        'X-Service-Event-Id': '01981b7e-3c00-7a51-9a64-1f0f5c3d7e08',
        'X-Service-Delivery': '01981b7e-3c00-7a51-9a64-1f0f5c3d7e07',
        'X-Service-Attempt': '1/8',
        'X-Service-Signature': 't=1772357402,v1=5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd',
      },
      body: '{"id":"01981b7e-3c00-7a51-9a64-1f0f5c3d7e08","type":"message.status", …}',
    },
    attemptLog: [{ at: '2026-03-01T09:30:02.060Z', statusCode: 200, error: null, durationMs: 31, responseBody: 'ok' }],
  }
}

import { Page } from '../../../core/schema.ts'
import {
  BatchAnswer,
  CheckedEvent,
  type CheckResult,
  checkEvent,
  Event,
  EventQuery,
  EventToCheck,
  EventWithOutcomes,
  type EventWriter,
  listEvents,
  mismatchWarning,
  RecordEvent,
  RecordEvents,
  RecordedEvent,
  type RecordedInBatch,
  readEvent,
  recordEvent,
  recordEvents,
} from '../../../events/index.ts'
import { Failed } from '../../../platform/micro-batch.ts'
import type { LimitedPool } from '../../../platform/postgres/limited-pool.ts'
import { statusOf } from '../../errors.ts'
import { type Operation, operation, type Warn } from '../../operation.ts'
import { readRunnerFor } from '../read-runner.ts'

export const eventRoutes = ({ events, reads }: { events: EventWriter; reads: LimitedPool }): Operation[] => [
  operation({
    method: 'POST',
    path: '/v1/events',
    id: 'recordEvent',
    verb: recordEvent,
    runsWithoutConnection: true,
    tag: 'Events',
    summary: 'Record an event',
    description:
      'Records the event and starts the workflows whose trigger equals `type` for the customer. Requires `phone`, `customerId` or `externalId`. The service looks up the customer by `customerId`, then `externalId`, then `phone`. Only a `phone` alone enrols a new customer. With an `idempotencyKey`, a retried call records nothing. Without one, a retried call records a second event.',
    body: RecordEvent,
    acceptsKeyHeader: true,
    example,
    answers: {
      201: {
        description: 'The event and the runs that it started are stored on disk.',
        schema: RecordedEvent,
        example: recordedExample,
      },
      200: {
        description:
          'The idempotency key was used before. Nothing is recorded, and the response contains the first event.',
        headers: mismatchHeader,
        schema: RecordedEvent,
        example: { ...recordedExample, recorded: false },
      },
    },
    recordsRejections: true,
    allowance: 'monthlyEvents',
    args: ({ body, request, traceparent }) => [
      events,
      readRunnerFor(request, reads),
      body,
      { userAgent: userAgentOf(request), traceparent },
    ],
    answer: (recorded, _reportError, warn) => ({
      status: statusOfRecorded(recorded),
      body: recorded,
      headers: headersOf(warnOnMismatch(recorded, warn)),
    }),
  }),
  operation({
    method: 'POST',
    path: '/v1/events/batch',
    id: 'recordEvents',
    verb: recordEvents,
    runsWithoutConnection: true,
    tag: 'Events',
    summary: 'Record up to 500 events',
    description:
      'Records 1 to 500 events in their order, each independently. Each position of `data` contains the response that POST /v1/events would return, with its `status`. A rejected event does not stop the other events.\n\nThe whole batch is rejected only if the body itself is not valid. This happens if the body is not JSON, or has an unknown field or a character that cannot be stored. It also happens if `events` is not a list of 1 to 500.\n\nA batch counts as one call per event for the rate limit. One batch is accepted at any size. If it exceeds the limit, later calls get 429 with `Retry-After`.\n\nThe body can have at most 1 MiB. When the response reaches 4 MiB, it omits `data` of events that were recorded before (`dataLeftOut`). It also omits `outcomes` (`outcomesLeftOut`).',
    body: RecordEvents,
    example: { events: [example, { type: 'order.created', externalId: 'nobody' }] },
    answers: {
      200: {
        description: 'The result of each event, in the order of the request.',
        headers: mismatchHeader,
        schema: BatchAnswer,
        example: {
          data: [
            { status: 201, ...recordedExample },
            { status: 400, error: errorExample },
          ],
        },
      },
    },
    recordsRejections: true,
    allowance: 'monthlyEvents',
    calls: ({ body }) => body.events.length,
    args: ({ body, request, traceparent }) => [
      events,
      readRunnerFor(request, reads),
      body,
      { userAgent: userAgentOf(request), traceparent },
    ],
    answer: (results, reportError, warn, body) => {
      let hasMismatch = false
      const data = results.map((result, n) => {
        if (result instanceof Failed) return reportError(result.error, body.events[n])
        if (warnOnMismatch(result, warn)) hasMismatch = true
        return { status: statusOfRecorded(result), ...result }
      })
      return { status: 200, body: { data }, headers: headersOf(hasMismatch) }
    },
  }),
  operation({
    method: 'POST',
    path: '/v1/events/check',
    id: 'checkEvent',
    verb: checkEvent,
    runsWithoutConnection: true,
    tag: 'Events',
    summary: 'Check an event without recording it',
    description:
      'Checks an event and returns the response that POST /v1/events would give now, and the effects of the event. Nothing is recorded, counted or started. The response contains the errors of the event. The call is rejected only if the body is not a JSON object or contains a character that cannot be stored.',
    body: EventToCheck,
    acceptsKeyHeader: true,
    example,
    answers: {
      200: {
        description:
          'The result of the check. In `outcomes`, `started` means that the workflow would start. No run exists.',
        schema: CheckedEvent,
        example: checkedExample,
      },
    },
    args: ({ body, request }) => [events, body, userAgentOf(request)],
    answer: checked => ({ status: 200, body: { status: statusOfCheck(checked), ...checked } }),
  }),
  operation({
    method: 'GET',
    path: '/v1/events',
    id: 'listEvents',
    verb: listEvents,
    tag: 'Events',
    summary: 'List events',
    description: 'Returns events of the workspace, newest first. You can filter by type or by customer.',
    query: EventQuery,
    answers: {
      200: {
        description: 'A page of events.',
        schema: Page(Event),
        example: { data: [recordedExample.event], nextCursor: null },
      },
    },
    args: ({ query }) => [query],
  }),
  operation({
    method: 'GET',
    path: '/v1/events/:id',
    id: 'readEvent',
    verb: readEvent,
    tag: 'Events',
    summary: 'Read an event',
    description:
      'Returns the event with the outcome of each workflow that named its type at the time of recording. Also returns the messages of its runs.',
    answers: {
      200: {
        description: 'The event.',
        schema: EventWithOutcomes,
        example: {
          ...recordedExample.event,
          matchedWorkflows: 1,
          outcomes: recordedExample.outcomes,
          didYouMean: null,
          messages: [
            {
              id: '01981b7e-3c00-7a51-9a64-1f0f5c3d7e06',
              runId: recordedExample.outcomes[0]!.runId,
              providerMessageId: 'sandbox-01981b7e-3c00-7a51-9a64-1f0f5c3d7e06',
              status: 'delivered',
            },
          ],
          idempotencyMismatch: null,
        },
      },
    },
    args: ({ params }) => [params.id!],
  }),
]

const userAgentOf = (request: Request): string | null => request.headers.get('user-agent')

const statusOfRecorded = ({ recorded }: Pick<RecordedEvent, 'recorded'>): 201 | 200 => (recorded ? 201 : 200)

/** Warns of a repeat that differs from the first event. Returns whether it does. */
const warnOnMismatch = ({ mismatch, event }: Pick<RecordedInBatch, 'mismatch' | 'event'>, warn: Warn): boolean => {
  if (!mismatch) return false
  const { id, type } = event
  warn({ error: mismatchWarning(mismatch, type), mismatch: { eventId: id, fields: mismatch } })
  return true
}

const headersOf = (hasMismatch: boolean): Record<string, string> =>
  hasMismatch ? { 'Idempotency-Mismatch': 'true' } : {}

const statusOfCheck = ({ error, replay }: CheckResult): number =>
  error ? statusOf[error.code] : statusOfRecorded({ recorded: replay === null })

const mismatchHeader = {
  'Idempotency-Mismatch':
    '`true` if a repeated event differs from the first event with the same key. `mismatch` names the differences.',
}

const example = {
  type: 'order.created',
  phone: '+4915112345678',
  name: 'Ana Beispiel',
  data: { orderId: 'A-1042', total: 129.9, currency: 'EUR' },
  idempotencyKey: 'order-A-1042-created',
}

const outcomeExample = {
  workflowId: '01981b7e-3c00-7a51-9a64-1f0f5c3d7b01',
  name: 'Thank you',
  verdict: 'started' as const,
  runId: '01981b7e-3c00-7a51-9a64-1f0f5c3d7c02',
  explanation: '“Thank you” (version 3) started.',
}

const recordedExample: RecordedEvent = {
  recorded: true,
  matchedWorkflows: 1,
  outcomes: [outcomeExample],
  didYouMean: null,
  event: {
    id: '01981b7e-3c00-7a51-9a64-1f0f5c3d7c01',
    type: 'order.created',
    source: 'api',
    sender: 'custom',
    customerId: '01981b7e-3c00-7a51-9a64-1f0f5c3d7e02',
    data: { orderId: 'A-1042', total: 129.9, currency: 'EUR' },
    idempotencyKey: 'order-A-1042-created',
    occurredAt: null,
    createdAt: '2026-03-01T09:30:00.000Z',
  },
}

const unknownExternalId =
  'No customer has this external ID, and an external ID never enrols one. Add it to a customer with PATCH /v1/customers/{id}, create the customer first, or send only the phone.'

const errorExample = {
  code: 'invalid_request',
  message: `externalId: ${unknownExternalId}`,
  details: { externalId: unknownExternalId },
}

const checkedExample: CheckedEvent = {
  valid: true,
  status: 201,
  error: null,
  customer: 'would_enrol',
  customerId: null,
  replay: null,
  matchedWorkflows: 1,
  outcomes: [{ ...outcomeExample, runId: null, explanation: '“Thank you” (version 3) would start.' }],
  didYouMean: null,
}

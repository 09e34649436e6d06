import { Failed } from '../../db/batch.ts'
import type { Lender } from '../../db/lend.ts'
import {
  BatchAnswer,
  CheckedEvent,
  checkEvent,
  Event,
  EventQuery,
  EventToCheck,
  EventWithOutcomes,
  type EventWriter,
  type Judgement,
  listEvents,
  mismatchWarning,
  RecordEvent,
  RecordEvents,
  RecordedEvent,
  type RecordedInBatch,
  readEvent,
  recordEvent,
  recordEvents,
} from '../../domain/events/index.ts'
import { Page } from '../../domain/schema.ts'
import { statusOf } from '../errors.ts'
import { type Operation, operation, type Warn } from '../operation.ts'
import { readingFor } from './reading.ts'

export const eventRoutes = ({ events, reads }: { events: EventWriter; reads: Lender }): Operation[] => [
  operation({
    method: 'POST',
    path: '/v1/events',
    id: 'recordEvent',
    verb: recordEvent,
    needsNoConnection: true,
    tag: 'Events',
    summary: 'Record a business event',
    description:
      'Workflows whose trigger equals `type` start for the customer. One of `phone`, `customerId` and `externalId` is needed; `customerId` identifies first, then `externalId`, then `phone`, and only a `phone` alone enrols a new customer. With an `idempotencyKey` a retried call records nothing twice; without one it does.',
    body: RecordEvent,
    takesKeyHeader: true,
    example,
    answers: {
      201: {
        description: 'The event is recorded: it is on disk, and so are the runs it started.',
        schema: RecordedEvent,
        example: recordedExample,
      },
      200: {
        description: 'The idempotency key had been seen: nothing is recorded, and this is the first event.',
        headers: mismatchHeader,
        schema: RecordedEvent,
        example: { ...recordedExample, recorded: false },
      },
    },
    keepsRefusals: true,
    allowance: 'monthlyEvents',
    given: ({ body, request }) => [events, readingFor(request, reads), body, userAgentOf(request)],
    answer: (recorded, _tell, warn) => ({
      status: statusOfRecorded(recorded),
      body: recorded,
      headers: headersOf(warnOf(recorded, warn)),
    }),
  }),
  operation({
    method: 'POST',
    path: '/v1/events/batch',
    id: 'recordEvents',
    verb: recordEvents,
    needsNoConnection: true,
    tag: 'Events',
    summary: 'Record up to 500 events',
    description:
      'In their order, each judged alone: `data` holds at each position what POST /v1/events would have answered, with its `status`. A refused event does not hold up the others. The whole is refused only when the body itself is: no JSON, an unknown field, a character that cannot be stored, or `events` that is no list of 1 to 500. Counts as many calls for the rate limit as it has events: one batch is admitted whatever its size, and what it took beyond the allowance is waited for by the calls after it (429 with `Retry-After`). The body may be 1 MiB. Once the answer has 4 MiB, `data` of events that had been recorded before is left out (`dataLeftOut`), and so are `outcomes` (`outcomesLeftOut`).',
    body: RecordEvents,
    example: { events: [example, { type: 'order.created', externalId: 'nobody' }] },
    answers: {
      200: {
        description: 'What became of each event.',
        headers: mismatchHeader,
        schema: BatchAnswer,
        example: {
          data: [
            { status: 201, ...recordedExample },
            { status: 400, error: refusalExample },
          ],
        },
      },
    },
    keepsRefusals: true,
    allowance: 'monthlyEvents',
    calls: ({ body }) => body.events.length,
    given: ({ body, request }) => [events, readingFor(request, reads), body, userAgentOf(request)],
    answer: (results, tell, warn) => {
      let mismatches = false
      const data = results.map(result => {
        if (result instanceof Failed) return tell(result.error)
        if (warnOf(result, warn)) mismatches = true
        return { status: statusOfRecorded(result), ...result }
      })
      return { status: 200, body: { data }, headers: headersOf(mismatches) }
    },
  }),
  operation({
    method: 'POST',
    path: '/v1/events/check',
    id: 'checkEvent',
    verb: checkEvent,
    needsNoConnection: true,
    tag: 'Events',
    summary: 'Judge an event without recording it',
    description:
      'Says what POST /v1/events would answer to this body at this moment, and what the event would do. Nothing is recorded, counted or started. What is wrong with the event is told in the answer; only a body that is no JSON object, or that holds a character that cannot be stored, is refused.',
    body: EventToCheck,
    takesKeyHeader: true,
    example,
    answers: {
      200: {
        description: 'The judgement. In `outcomes`, `started` means that the workflow would start; there is no run.',
        schema: CheckedEvent,
        example: checkedExample,
      },
    },
    given: ({ body, request }) => [events, body, userAgentOf(request)],
    answer: judgement => ({ status: 200, body: { status: statusOfJudgement(judgement), ...judgement } }),
  }),
  operation({
    method: 'GET',
    path: '/v1/events',
    id: 'listEvents',
    verb: listEvents,
    tag: 'Events',
    summary: 'List events',
    description: 'Newest first, of the whole workspace, of one type or about one customer.',
    query: EventQuery,
    answers: {
      200: {
        description: 'A page of events.',
        schema: Page(Event),
        example: { data: [recordedExample.event], nextCursor: null },
      },
    },
    given: ({ query }) => [query],
  }),
  operation({
    method: 'GET',
    path: '/v1/events/:id',
    id: 'readEvent',
    verb: readEvent,
    tag: 'Events',
    summary: 'Read an event',
    description:
      'With what became of each workflow that named its type when it was recorded, and the messages that it led to.',
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
    given: ({ params }) => [params.id!],
  }),
]

const userAgentOf = (request: Request): string | null => request.headers.get('user-agent')

const statusOfRecorded = ({ recorded }: Pick<RecordedEvent, 'recorded'>): 201 | 200 => (recorded ? 201 : 200)

/** Warns of a repeat that differs from the first event. Returns whether it does. */
const warnOf = ({ mismatch, event }: Pick<RecordedInBatch, 'mismatch' | 'event'>, warn: Warn): boolean => {
  if (!mismatch) return false
  const { id, type } = event
  warn({ error: mismatchWarning(mismatch, type), mismatch: { eventId: id, fields: mismatch } })
  return true
}

const headersOf = (mismatches: boolean): Record<string, string> =>
  mismatches ? { 'Idempotency-Mismatch': 'true' } : {}

const statusOfJudgement = ({ error, replay }: Judgement): number =>
  error ? statusOf[error.code] : statusOfRecorded({ recorded: replay === null })

const mismatchHeader = {
  'Idempotency-Mismatch': '`true` where a repeat differs from the first event of its key: `mismatch` says in what.',
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
  explanation: '"Thank you" (version 3) started.',
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
  'No customer has this external id, and an external id never enrols one. Where the customer is known by phone, PATCH /v1/customers/{id} gives them this id; else create them first, or send the phone alone.'

const refusalExample = {
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
  outcomes: [{ ...outcomeExample, runId: null, explanation: '"Thank you" (version 3) would start.' }],
  didYouMean: null,
}

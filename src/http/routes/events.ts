import { Failed } from '../../db/batch.ts'
import { type DomainError, invalidRequest } from '../../domain/errors.ts'
import {
  answer,
  BatchAnswer,
  CheckedEvent,
  didYouMeanOf,
  Event,
  EventQuery,
  EventToCheck,
  EventWithOutcomes,
  type EventWriter,
  type IncomingEvent,
  incoming,
  type Judged,
  listEvents,
  outcomesOf,
  RecordEvent,
  RecordEvents,
  RecordedEvent,
  type RecordResult,
  readEvent,
  type Sending,
  senderOf,
} from '../../domain/events/index.ts'
import type { Refusal, RefusalLog } from '../../domain/refusals/index.ts'
import { Page } from '../../domain/schema.ts'
import { validator } from '../../domain/validate.ts'
import type { Log } from '../../platform/log.ts'
import type { Identity } from '../auth.ts'
import { refusalOf, statusOf } from '../errors.ts'
import { type Operation, operation } from '../operation.ts'

interface EventRouteDeps {
  events: EventWriter
  refusals: RefusalLog
  log: Log
}

export const eventRoutes = ({ events, refusals, log }: EventRouteDeps): Operation[] => [
  operation({
    method: 'POST',
    path: '/v1/events',
    id: 'recordEvent',
    tag: 'Events',
    summary: 'Record a business event',
    description:
      'Workflows whose trigger equals `type` start for the customer. One of `phone`, `customerId` and `externalId` is needed; `customerId` identifies first, then `externalId`, then `phone`, and only a `phone` alone enrols a new customer. With an `idempotencyKey` a retried call records nothing twice; without one it does.',
    access: 'key or member',
    body: RecordEvent,
    example,
    answers: {
      201: {
        description: 'The event is recorded: it is on disk, and so are the runs it started.',
        schema: RecordedEvent,
        example: recordedExample,
      },
      200: {
        description: 'The idempotency key had been seen: nothing is recorded, and this is the first event.',
        schema: RecordedEvent,
        example: { ...recordedExample, recorded: false },
      },
    },
    keepsRefusals: true,
    errors: ['feature_not_available', 'plan_limit_reached', 'rate_limited'],
    handle: async (_, { request, body, identity }) => {
      const recorded = await events.add(incoming(sendingOf(request, identity), body))
      return { status: statusOfRecorded(recorded.recorded), body: answer(recorded) }
    },
  }),
  operation({
    method: 'POST',
    path: '/v1/events/batch',
    id: 'recordEvents',
    tag: 'Events',
    summary: 'Record up to 500 events',
    description:
      'In their order, each judged alone: `data` holds at each position what POST /v1/events would have answered, with its `status`. A refused event does not hold up the others. The whole is refused only when the body itself is: no JSON, an unknown field, a character that cannot be stored, or `events` that is no list of 1 to 500. Counts as one call for the rate limit; the body may be 1 MiB.',
    access: 'key or member',
    body: RecordEvents,
    example: { events: [example, { type: 'order.created', externalId: 'nobody' }] },
    answers: {
      200: {
        description: 'What became of each event.',
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
    errors: ['feature_not_available', 'rate_limited'],
    handle: async (_, { request, body, identity, requestId }) => {
      const sending = sendingOf(request, identity)
      const judged = body.events.map(element => acceptable(sending, element))
      const outcomes = await events.addAll(judged.filter((event): event is IncomingEvent => !(event instanceof Failed)))
      const inOrder = outcomes.values()
      const answers = judged.map(event => elementOf(event instanceof Failed ? event : inOrder.next().value!, log))
      for (const { status, refusal } of answers)
        if (refusal) refusals.keep(kept(sending, { path: '/v1/events/batch', status, error: refusal, requestId }))
      return { status: 200, body: { data: answers.map(({ element }) => element) } }
    },
  }),
  operation({
    method: 'POST',
    path: '/v1/events/check',
    id: 'checkEvent',
    tag: 'Events',
    summary: 'Judge an event without recording it',
    description:
      'Says what POST /v1/events would answer to this body at this moment, and what the event would do. Nothing is recorded, counted or started. What is wrong with the event is told in the answer; only a body that is no JSON object, or that holds a character that cannot be stored, is refused.',
    access: 'key or member',
    body: EventToCheck,
    example,
    answers: {
      200: {
        description: 'The judgement. In `outcomes`, `started` means that the workflow would start; there is no run.',
        schema: CheckedEvent,
        example: checkedExample,
      },
    },
    errors: ['feature_not_available', 'rate_limited'],
    handle: async (_, { request, body, identity }) => {
      const event = acceptable(sendingOf(request, identity), body)
      return { status: 200, body: event instanceof Failed ? refused(event) : checked(event, await events.judge(event)) }
    },
  }),
  operation({
    method: 'GET',
    path: '/v1/events',
    id: 'listEvents',
    tag: 'Events',
    summary: 'List events',
    description: 'Newest first, of the whole workspace, of one type or about one customer.',
    access: 'key or member',
    query: EventQuery,
    answers: {
      200: {
        description: 'A page of events.',
        schema: Page(Event),
        example: { data: [recordedExample.event], nextCursor: null },
      },
    },
    handle: async (ctx, { query }) => ({ status: 200, body: await listEvents(ctx, query) }),
  }),
  operation({
    method: 'GET',
    path: '/v1/events/:id',
    id: 'readEvent',
    tag: 'Events',
    summary: 'Read an event',
    description: 'With what became of each workflow that named its type when it was recorded.',
    access: 'key or member',
    answers: {
      200: {
        description: 'The event.',
        schema: EventWithOutcomes,
        example: {
          ...recordedExample.event,
          matchedWorkflows: 1,
          outcomes: recordedExample.outcomes,
          didYouMean: null,
        },
      },
    },
    handle: async (ctx, { params }) => ({ status: 200, body: await readEvent(ctx, params.id!) }),
  }),
]

/** Every operation here needs a credential, so that there is an identity. */
const sendingOf = (request: Request, identity: Identity | null): Sending => {
  const { caller, allowances } = identity!
  return { caller, allowances, userAgent: request.headers.get('user-agent') }
}

const statusOfRecorded = (recorded: boolean): 201 | 200 => (recorded ? 201 : 200)

const validate = validator(RecordEvent)

/** A value as an event that may be handed to the writer, or the refusal. */
const acceptable = (sending: Sending, value: unknown): IncomingEvent | Failed => {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return new Failed(invalidRequest({ body: 'Must be a JSON object: { … }.' }))
  try {
    return incoming(sending, validate(value))
  } catch (error) {
    return new Failed(error)
  }
}

/** What a single call would have answered; `refusal` where that is no fault of ours. */
const elementOf = (outcome: RecordResult, log: Log) => {
  if (!(outcome instanceof Failed)) {
    const status = statusOfRecorded(outcome.recorded)
    return { status, refusal: null, element: { status, ...answer(outcome) } }
  }
  const refusal = refusalOf(outcome.error)
  const isFault = refusal !== outcome.error
  if (isFault) log.error({ error: outcome.error }, 'an event of a batch failed')
  const status = statusOf[refusal.code]
  return { status, refusal: isFault ? null : refusal, element: { status, error: errorOf(refusal) } }
}

/** As an entry of Not accepted. */
const kept = (
  { caller, userAgent }: Sending,
  told: Pick<Refusal, 'path' | 'status' | 'error' | 'requestId'>,
): Refusal => ({
  ...told,
  workspaceId: caller.workspaceId,
  sender: senderOf(userAgent),
  method: 'POST',
  at: new Date(),
})

const errorOf = ({ code, message, details }: DomainError) => ({ code, message, ...(details && { details }) })

const checked = (event: IncomingEvent, judged: Judged): CheckedEvent => {
  if (judged.kind === 'refuse') return refused(new Failed(judged.error))
  const isReplay = judged.kind === 'replay'
  const { matchedWorkflows, verdicts, customerId } = isReplay ? judged.event : judged
  const told = { type: isReplay ? judged.event.type : event.type, verdicts }
  const isNew = judged.kind === 'record' && judged.enrol
  return {
    valid: true,
    status: statusOfRecorded(!isReplay),
    error: null,
    customer: isNew ? 'would_enrol' : 'known',
    customerId: isNew ? null : customerId,
    replay: isReplay ? judged.event.id : null,
    matchedWorkflows,
    outcomes: outcomesOf(told),
    didYouMean: didYouMeanOf(told),
  }
}

/** A fault is not a judgement: it is answered as one. */
const refused = ({ error }: Failed): CheckedEvent => {
  const refusal = refusalOf(error)
  if (refusal !== error) throw error
  return {
    valid: false,
    status: statusOf[refusal.code],
    error: errorOf(refusal),
    customer: 'not_identified',
    customerId: null,
    replay: null,
    matchedWorkflows: 0,
    outcomes: [],
    didYouMean: null,
  }
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
    createdAt: '2026-03-01T09:30:00.000Z',
  },
}

const unknownExternalId =
  'No customer has this external id, and an external id never enrols one. Create the customer first, or send the phone alone.'

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

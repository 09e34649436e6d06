/** Event kinds of live feeds and their fields: enough for a client to know what to fetch again. */
import { type Static, type TObject, type TProperties, Type } from '@sinclair/typebox'
import { described, Id, Nullable, Time } from '../schema.ts'

const status = (what: string) => Type.String({ description: what })
const count = (what: string) => Type.Integer({ description: what })
const isTold = Type.Optional(
  Type.Literal(true, {
    description: 'More of its kind came in one moment than is told: what came before this one was left out.',
  }),
)

const told = (id: string, summary: string, fields: TProperties): TObject => {
  const properties: TProperties = {
    id: described(Id, id),
    at: described(Time, 'When it happened, or was changed last.'),
    ...fields,
    gap: isTold,
  }
  return Type.Object(properties, { description: summary })
}

/** Schemas by the value of `event:`. */
export const streamKinds = {
  event: told('The event.', 'An event was recorded.', {
    type: Type.String({ description: 'Its type.' }),
    source: Type.String({ description: '`api` or `dashboard`.' }),
    customerId: described(Id, 'Whom it is about.'),
    matchedWorkflows: count('How many workflows it started.'),
    reason: Nullable(Type.String({ description: 'Why nothing ran; null where something did.' })),
  }),
  not_accepted: told(
    'The problem under Not accepted.',
    'Something was not accepted, for the first time or once more.',
    {
      status: count('The HTTP status of the refusal.'),
      code: Type.String({ description: 'Its code.' }),
      path: Type.String({ description: 'What was called.' }),
      count: count('How often so far.'),
    },
  ),
  message: told('The message.', 'A message was written, or something became of it.', {
    status: status('Its status by now.'),
    direction: Type.String({ description: '`inbound` or `outbound`.' }),
    channelId: described(Id, 'Over which channel.'),
    conversationId: described(Id, 'In which conversation.'),
    customerId: described(Id, 'With whom.'),
    runId: Nullable(described(Id, 'The run that wrote it; null where none did.')),
  }),
  conversation: told('The conversation.', 'A conversation went on, was read, or was changed by somebody of the team.', {
    status: status('`open` or `closed`.'),
    channelId: described(Id, 'Over which channel.'),
    customerId: described(Id, 'With whom.'),
    assigneeId: Nullable(described(Id, 'Who of the team looks after it; null where nobody does.')),
    unread: count('Messages that nobody of the team has read.'),
    waitingSince: Nullable(described(Time, 'Since when its customer waits for an answer; null where they do not.')),
  }),
  run: told('The run.', 'A run began, went on or ended.', {
    status: status('`active`, `waiting`, `done`, `failed` or `stopped`.'),
    workflowId: described(Id, 'Of which workflow.'),
    customerId: described(Id, 'For whom.'),
    eventId: described(Id, 'The event that started it.'),
    stepId: Nullable(Type.String({ description: 'The step at which it stands.' })),
    endReason: Nullable(Type.String({ description: 'Why it ended; null while it has not.' })),
  }),
  outbound_event: told('The outbound event.', 'Something was told to the endpoints.', {
    type: Type.String({ description: 'Its type.' }),
  }),
  delivery: told('The delivery.', 'A delivery was made, or attempted.', {
    status: status('Its status by now.'),
    webhookId: described(Id, 'To which endpoint.'),
    eventId: described(Id, 'Of which outbound event.'),
    attempts: count('Attempts so far.'),
    statusCode: Nullable(count('What the last of them was answered with.')),
  }),
  campaign: told('The campaign.', 'A campaign was made, changed, or went on.', {
    status: status('Its status by now.'),
    recipients: count('For how many it is.'),
    queued: count('Messages that are queued.'),
    sent: count('Messages that were sent.'),
    skipped: count('Recipients who are not written to.'),
    unknown: count('Messages of which nobody can know.'),
  }),
  attention: told(
    'The record that needs somebody; of an allowance or an event type the workspace.',
    'Something needs somebody, does not any more, or is said in other words by now.',
    {
      kind: Type.String({ description: 'What: one of the kinds of `GET /v1/attention`.' }),
      subject: Type.Object(
        {
          type: Type.String({
            description:
              '`webhook`, `allowance`, `channel`, `not_accepted`, `conversation`, `workflow` or `event_type`.',
          }),
          id: Type.String({ description: 'Of the record, or the name of the allowance or event type.' }),
        },
        { description: 'Where to look, as `GET /v1/attention` says it.' },
      ),
      over: Type.Boolean({ description: 'It is over.' }),
    },
  ),
} as const

export type StreamKind = keyof typeof streamKinds
export const streamKindNames = Object.keys(streamKinds) as StreamKind[]

/** Fields of a row in addition to its id and time. */
export type StreamData = Record<string, unknown>

export const StreamedText = Type.String({
  $id: 'Stream',
  description:
    'Server-Sent Events (`text/event-stream`). What each `event:` holds in its `data:` is listed with the operation.',
})
export type StreamedText = Static<typeof StreamedText>

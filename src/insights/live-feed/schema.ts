/** Event kinds of live feeds and their fields: enough for a client to know what to fetch again. */
import { type Static, type TObject, type TProperties, Type } from '@sinclair/typebox'
import { Id, Nullable, Time, withDescription } from '../../core/schema.ts'

const status = (text: string) => Type.String({ description: text })
const count = (text: string) => Type.Integer({ description: text })
const gapField = Type.Optional(
  Type.Literal(true, {
    description: 'true: earlier changes of this kind at the same moment were omitted because there were too many.',
  }),
)

const feedEvent = (id: string, summary: string, fields: TProperties): TObject => {
  const properties: TProperties = {
    id: withDescription(Id, id),
    at: withDescription(Time, 'Time of creation or of the last change.'),
    ...fields,
    gap: gapField,
  }
  return Type.Object(properties, { description: summary })
}

/** Schemas by the value of `event:`. */
export const feedKinds = {
  event: feedEvent('ID of the event.', 'An event was recorded.', {
    type: Type.String({ description: 'Type of the event.' }),
    source: Type.String({ description: '`api` or `dashboard`.' }),
    customerId: withDescription(Id, 'ID of the customer.'),
    matchedWorkflows: count('Number of workflows that were ready to run for its type.'),
    reason: Nullable(Type.String({ description: 'Why no workflow ran, or null if one did.' })),
  }),
  not_accepted: feedEvent(
    'ID of the entry under "Rejected events".',
    'A request was rejected, for the first time or again.',
    {
      status: count('HTTP status of the response.'),
      code: Type.String({ description: 'Error code.' }),
      path: Type.String({ description: 'Path of the request.' }),
      count: count('Number of rejected requests so far.'),
    },
  ),
  message: feedEvent('ID of the message.', 'A message was created or its status changed.', {
    status: status('Current status.'),
    direction: Type.String({ description: '`inbound` or `outbound`.' }),
    channelId: withDescription(Id, 'ID of the channel.'),
    conversationId: withDescription(Id, 'ID of the conversation.'),
    customerId: withDescription(Id, 'ID of the customer.'),
    runId: Nullable(withDescription(Id, 'ID of the run that created the message, or null if no run did.')),
  }),
  conversation: feedEvent(
    'ID of the conversation.',
    'A conversation received a message, was read, or was changed by a team member.',
    {
      status: status('`open` or `closed`.'),
      channelId: withDescription(Id, 'ID of the channel.'),
      customerId: withDescription(Id, 'ID of the customer.'),
      assigneeId: Nullable(withDescription(Id, 'User ID of the assigned member, or null if nobody is assigned.')),
      unread: count('Number of messages that no team member has read.'),
      waitingSince: Nullable(
        withDescription(
          Time,
          'Start of the wait of the customer for an answer, or null if the customer is not waiting.',
        ),
      ),
    },
  ),
  run: feedEvent('ID of the run.', 'A run started, advanced or ended.', {
    status: status('`active`, `waiting`, `done`, `failed` or `stopped`.'),
    workflowId: withDescription(Id, 'ID of the workflow.'),
    customerId: withDescription(Id, 'ID of the customer.'),
    eventId: withDescription(Id, 'ID of the event that started the run.'),
    stepId: Nullable(Type.String({ description: 'ID of the current step.' })),
    endReason: Nullable(Type.String({ description: 'End reason, or null before the end.' })),
  }),
  outbound_event: feedEvent('ID of the outbound event.', 'An outbound event was emitted.', {
    type: Type.String({ description: 'Type of the event.' }),
  }),
  delivery: feedEvent('ID of the delivery.', 'A delivery was created or attempted.', {
    status: status('Current status.'),
    webhookId: withDescription(Id, 'ID of the endpoint.'),
    eventId: withDescription(Id, 'ID of the outbound event.'),
    attempts: count('Number of attempts so far.'),
    statusCode: Nullable(count('HTTP status of the last attempt.')),
  }),
  campaign: feedEvent('ID of the campaign.', 'A campaign was created, changed or made progress.', {
    status: status('Current status.'),
    recipients: count('Number of recipients.'),
    queued: count('Number of queued messages.'),
    sent: count('Number of sent messages.'),
    skipped: count('Number of skipped recipients.'),
    unknown: count('Number of messages whose outcome is not known.'),
  }),
  attention: feedEvent(
    'ID of the affected record, or of the workspace for an allowance or an event type.',
    'An alert was raised, resolved or changed.',
    {
      kind: Type.String({ description: 'Kind of the alert, as in `GET /v1/attention`.' }),
      subject: Type.Object(
        {
          type: Type.String({
            description:
              'Type of the record: `workspace`, `webhook`, `allowance`, `channel`, `not_accepted`, `conversation`, `workflow` or `event_type`.',
          }),
          id: Type.String({ description: 'ID of the record, or the name of the allowance or event type.' }),
        },
        { description: 'Affected record, as in `GET /v1/attention`.' },
      ),
      over: Type.Boolean({ description: 'Whether the alert is resolved.' }),
    },
  ),
} as const

export type FeedKind = keyof typeof feedKinds

/** Fields of a row in addition to its id and time. */
export type FeedData = Record<string, unknown>

export const StreamedText = Type.String({
  $id: 'Stream',
  description: 'Server-Sent Events (`text/event-stream`). The operation lists the fields of `data:` for each `event:`.',
})
export type StreamedText = Static<typeof StreamedText>

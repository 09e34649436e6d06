/** Event types that an endpoint can subscribe to (contract 10.1). */
import { type Static, type TSchema, Type } from '@sinclair/typebox'
import {
  errorMessage,
  Id,
  Nullable,
  Phone,
  publishedKeywords,
  rangeQuery,
  Time,
  withDescription,
} from '../../core/schema.ts'

export const subscribableTypes = [
  'message.received',
  'message.status',
  'sale.created',
  'customer.opted_out',
  'campaign.completed',
  'endpoint.failing',
  'endpoint.recovered',
  'endpoint.held',
  'delivery.failed',
  'channel.failing',
  'channel.recovered',
  'run.failed',
  'allowance.reached',
] as const
export type SubscribableType = (typeof subscribableTypes)[number]
export type OutboundEventType = SubscribableType | 'ping'

/**
 * Types of events about an endpoint, which `data.webhookId` names. They are never sent to that endpoint (contract
 * 10.4).
 */
export const typesAboutEndpoint = [
  'endpoint.failing',
  'endpoint.recovered',
  'endpoint.held',
  'delivery.failed',
] as const satisfies SubscribableType[]

const literals = <T extends string>(...values: T[]) => Type.Union(values.map(value => Type.Literal(value)))

/** A field of an event's data, with its schema. Personal fields are declared only here. */
type Field = NonPersonal<TSchema> | Personal<TSchema>

interface NonPersonal<Shape extends TSchema> {
  shape: Shape
  personal: false
}

interface Personal<Shape extends TSchema> {
  shape: Shape
  personal: true
  /** Value of the field after the person was erased. */
  erased: Static<Shape>
}

/** Declares a field without personal data. */
const nonPersonal = <Shape extends TSchema>(shape: Shape): NonPersonal<Shape> => ({ shape, personal: false })

/** Declares a personal field. The schema must allow the erased value. */
const personal = <Shape extends TSchema>(shape: Shape, erased: Static<Shape>): Personal<Shape> => ({
  shape,
  personal: true,
  erased,
})

interface EventDefinition<Fields extends Record<string, Field>> {
  summary: string
  fields: Fields
  example: { [Name in keyof Fields]: Static<Fields[Name]['shape']> }
}

/** Declares an event. Each field is wrapped in `nonPersonal` or `personal`. */
const event = <Fields extends Record<string, Field>>(definition: EventDefinition<Fields>) => ({
  ...definition,
  data: Type.Object(
    Object.fromEntries(Object.entries(definition.fields).map(([name, { shape }]) => [name, shape])) as {
      [Name in keyof Fields]: Fields[Name]['shape']
    },
  ),
})

const ids = {
  conversation: '01981b7e-3c00-7a51-9a64-1f0f5c3d7e01',
  customer: '01981b7e-3c00-7a51-9a64-1f0f5c3d7e02',
  sale: '01981b7e-3c00-7a51-9a64-1f0f5c3d7e03',
  campaign: '01981b7e-3c00-7a51-9a64-1f0f5c3d7e04',
  webhook: '01981b7e-3c00-7a51-9a64-1f0f5c3d7e05',
  message: '01981b7e-3c00-7a51-9a64-1f0f5c3d7e06',
  run: '01981b7e-3c00-7a51-9a64-1f0f5c3d7c02',
  workflow: '01981b7e-3c00-7a51-9a64-1f0f5c3d7c03',
  event: '01981b7e-3c00-7a51-9a64-1f0f5c3d7c01',
  channel: '01981b7e-3c00-7a51-9a64-1f0f5c3d7e0a',
  delivery: '01981b7e-3c00-7a51-9a64-1f0f5c3d7e07',
  outboundEvent: '01981b7e-3c00-7a51-9a64-1f0f5c3d7e08',
}

/** Fields that identify an endpoint without its secrets. The path of a URL can be one. */
const endpointFields = {
  webhookId: nonPersonal(withDescription(Id, 'ID of the endpoint.')),
  name: nonPersonal(withDescription(Nullable(Type.String()), 'Name of the endpoint. Null without a name.')),
  host: nonPersonal(Type.String({ description: 'Host name of its URL, with the port if the URL has one.' })),
}

const endpointExample = { webhookId: ids.webhook, name: 'Orders', host: 'shop.example.com' }

/** Fields that identify a channel without its credentials. */
const channelFields = {
  channelId: nonPersonal(withDescription(Id, 'ID of the channel.')),
  kind: nonPersonal(Type.String({ description: 'Kind of the channel.' })),
  name: nonPersonal(Type.String({ description: 'Name of the channel.' })),
}

const channelExample = { channelId: ids.channel, kind: 'whatsapp_cloud', name: 'Support' }

/** Fields that describe a failed attempt. */
const failureFields = {
  statusCode: nonPersonal(
    withDescription(Nullable(Type.Integer()), 'Status code of the last attempt. Null without a response.'),
  ),
  error: nonPersonal(Type.String({ description: 'Why the last attempt failed, in the words of the delivery.' })),
}

const failureExample = { statusCode: 503, error: 'answered with a status other than 2xx' }

/** Content of each event's `data`. The emitting code, the published document and the tests read it from here. */
export const outboundEvents = {
  'message.received': event({
    summary: 'A customer sent a message.',
    fields: {
      conversationId: nonPersonal(withDescription(Id, 'ID of the conversation of the message.')),
      customerId: nonPersonal(withDescription(Id, 'ID of the customer who sent the message.')),
      from: personal(
        Nullable({
          ...Phone,
          description:
            'Phone number in E.164 format. Null if the address is not a phone number, and after the customer is erased.',
        }),
        null,
      ),
      type: nonPersonal(
        withDescription(
          literals('text', 'image', 'audio', 'video', 'document', 'location', 'other'),
          'Type of the message.',
        ),
      ),
      text: personal(
        withDescription(
          Nullable(Type.String()),
          'Text or caption. Null for a type without text, and after the customer is erased.',
        ),
        null,
      ),
      sentAt: nonPersonal(withDescription(Time, 'Time when the message was sent, given by the provider.')),
      messageId: nonPersonal(withDescription(Id, 'ID of the message.')),
      runId: nonPersonal(
        withDescription(
          Nullable(Id),
          'ID of the run that is waiting for this reply, the newest if there are several. Null if there is none.',
        ),
      ),
    },
    example: {
      conversationId: ids.conversation,
      customerId: ids.customer,
      from: '+4915112345678',
      type: 'text',
      text: 'Where is my order?',
      sentAt: '2026-03-01T09:30:00.000Z',
      messageId: ids.message,
      runId: null,
    },
  }),
  'message.status': event({
    summary: 'A message of the workspace was delivered, read or failed.',
    fields: {
      conversationId: nonPersonal(withDescription(Id, 'ID of the conversation of the message.')),
      providerMessageId: personal(
        Type.String({
          description:
            'ID of the message at the provider. If the message failed before a provider accepted it: our ID of the message. Empty after the customer is erased.',
        }),
        '',
      ),
      status: nonPersonal(withDescription(literals('delivered', 'read', 'failed'), 'New status of the message.')),
      detail: personal(Nullable(Type.String({ description: 'Why the message failed, in words.' })), null),
      messageId: nonPersonal(withDescription(Id, 'ID of the message.')),
      customerId: nonPersonal(withDescription(Id, 'ID of the customer who receives the message.')),
      eventId: nonPersonal(
        withDescription(
          Nullable(Id),
          'ID of the inbound event whose run sent the message. Null if no run sent it, or if the run is no longer stored.',
        ),
      ),
    },
    example: {
      conversationId: ids.conversation,
      providerMessageId: 'sandbox-01981b7e-3c00-7a51-9a64-1f0f5c3d7e06',
      status: 'delivered',
      detail: null,
      messageId: ids.message,
      customerId: ids.customer,
      eventId: ids.event,
    },
  }),
  'sale.created': event({
    summary: 'A conversation was marked as a sale.',
    fields: {
      saleId: nonPersonal(withDescription(Id, 'ID of the sale.')),
      conversationId: nonPersonal(withDescription(Id, 'ID of the conversation that led to the sale.')),
      customerId: nonPersonal(withDescription(Id, 'ID of the customer.')),
      amount: nonPersonal(Type.Number({ description: 'Exact decimal number with up to 3 decimal places.' })),
      currency: nonPersonal(Type.String({ pattern: '^[A-Z]{3}$', description: 'Currency code (ISO 4217).' })),
      note: personal(
        withDescription(
          Nullable(Type.String()),
          'Note of the sale. Null if there is none, and after the customer is erased.',
        ),
        null,
      ),
      messageId: nonPersonal(
        withDescription(
          Nullable(Id),
          'ID of the last message that the run sent before the sale. Null if there is none.',
        ),
      ),
      runId: nonPersonal(
        withDescription(Nullable(Id), 'ID of the run that marked the sale. Null if a person marked it.'),
      ),
    },
    example: {
      saleId: ids.sale,
      conversationId: ids.conversation,
      customerId: ids.customer,
      amount: 129.9,
      currency: 'EUR',
      note: 'Two pairs',
      messageId: ids.message,
      runId: ids.run,
    },
  }),
  'customer.opted_out': event({
    summary: 'A customer opted out, or was opted out.',
    fields: {
      channel: nonPersonal(
        Nullable(Type.String({ description: 'Kind of the channel. Null if the workspace has no channel.' })),
      ),
      handle: personal(
        Nullable(
          Type.String({
            description:
              'Phone number in E.164 format, or the address at the provider for a customer without a phone. Null if there is neither, and after the customer is erased.',
          }),
        ),
        null,
      ),
      scope: nonPersonal(withDescription(Type.Literal('all'), 'Scope of the opt-out: all messages.')),
      reason: personal(
        Type.String({
          description: 'Word that the customer wrote, or the given reason. `erased` after the customer is erased.',
        }),
        'erased',
      ),
    },
    example: { channel: 'sandbox', handle: '+4915112345678', scope: 'all', reason: 'STOP' },
  }),
  'campaign.completed': event({
    summary: 'A campaign finished.',
    fields: {
      campaignId: nonPersonal(withDescription(Id, 'ID of the campaign.')),
      name: nonPersonal(withDescription(Type.String(), 'Name of the campaign.')),
      sent: nonPersonal(
        withDescription(Type.Integer({ minimum: 0 }), 'Number of messages that the provider accepted.'),
      ),
      skipped: nonPersonal(withDescription(Type.Integer({ minimum: 0 }), 'Number of recipients that were skipped.')),
      unknown: nonPersonal(
        Type.Integer({
          minimum: 0,
          description: 'Number of messages whose outcome is not known: sending began, and no result was received.',
        }),
      ),
    },
    example: { campaignId: ids.campaign, name: 'Spring sale', sent: 480, skipped: 12, unknown: 0 },
  }),
  'endpoint.failing': event({
    summary: 'Deliveries to an endpoint began to fail.',
    fields: {
      ...endpointFields,
      failingSince: nonPersonal(withDescription(Time, 'Start of the first failed attempt.')),
      ...failureFields,
    },
    example: { ...endpointExample, failingSince: '2026-03-01T09:30:00.000Z', ...failureExample },
  }),
  'endpoint.recovered': event({
    summary: 'An endpoint that was reported as failing is healthy.',
    fields: {
      ...endpointFields,
      failingSince: nonPersonal(withDescription(Time, 'Start of the first failed attempt.')),
      recoveredAt: nonPersonal(
        withDescription(Time, 'Start of the first successful attempt, or time of the change of the URL.'),
      ),
    },
    example: {
      ...endpointExample,
      failingSince: '2026-03-01T09:30:00.000Z',
      recoveredAt: '2026-03-01T09:42:00.000Z',
    },
  }),
  'endpoint.held': event({
    summary: 'An endpoint was put on hold. Its deliveries wait.',
    fields: {
      ...endpointFields,
      heldBy: nonPersonal(
        withDescription(
          literals('owner', 'service'),
          'Holder: an owner, or the service after days of failed attempts.',
        ),
      ),
      heldAt: nonPersonal(withDescription(Time, 'Time of the hold.')),
      failingSince: nonPersonal(
        withDescription(Nullable(Time), 'Start of the failures. Null if the endpoint is not failing.'),
      ),
    },
    example: {
      ...endpointExample,
      heldBy: 'service',
      heldAt: '2026-03-06T09:30:02.000Z',
      failingSince: '2026-03-01T09:30:00.000Z',
    },
  }),
  'delivery.failed': event({
    summary: 'The last attempt of a delivery failed.',
    fields: {
      deliveryId: nonPersonal(withDescription(Id, 'ID of the delivery.')),
      ...endpointFields,
      eventId: nonPersonal(withDescription(Id, 'ID of the outbound event that was not delivered.')),
      eventType: nonPersonal(Type.String({ description: 'Type of that event.' })),
      attempts: nonPersonal(Type.Integer({ minimum: 1, description: 'Number of attempts.' })),
      ...failureFields,
    },
    example: {
      deliveryId: ids.delivery,
      ...endpointExample,
      eventId: ids.outboundEvent,
      eventType: 'message.status',
      attempts: 8,
      ...failureExample,
    },
  }),
  'channel.failing': event({
    summary: 'The provider began to reject the requests of a channel. Its messages stay queued.',
    fields: {
      ...channelFields,
      detail: nonPersonal(Type.String({ description: 'Reason given by the provider, in words.' })),
      failingSince: nonPersonal(withDescription(Time, 'Time of the first rejected request.')),
    },
    example: {
      ...channelExample,
      detail: 'The access token has expired (code 190).',
      failingSince: '2026-03-01T09:30:00.000Z',
    },
  }),
  'channel.recovered': event({
    summary: 'A failing channel sends messages again.',
    fields: {
      ...channelFields,
      failingSince: nonPersonal(withDescription(Time, 'Time of the first rejected request.')),
      recoveredAt: nonPersonal(withDescription(Time, 'Time of the first accepted request, or of the new credentials.')),
    },
    example: {
      ...channelExample,
      failingSince: '2026-03-01T09:30:00.000Z',
      recoveredAt: '2026-03-01T10:05:00.000Z',
    },
  }),
  'run.failed': event({
    summary: 'A run of a workflow failed.',
    fields: {
      runId: nonPersonal(withDescription(Id, 'ID of the run.')),
      workflowId: nonPersonal(withDescription(Id, 'ID of the workflow.')),
      workflowName: nonPersonal(Type.String({ description: 'Name of the workflow.' })),
      customerId: nonPersonal(withDescription(Id, 'ID of the customer.')),
      eventId: nonPersonal(withDescription(Id, 'ID of the inbound event that started the run.')),
      stepId: nonPersonal(
        withDescription(Nullable(Type.String()), 'Step at which the run failed. Null before its first step.'),
      ),
      reason: nonPersonal(
        withDescription(
          literals('too_many_steps', 'step_missing', 'internal_error'),
          'Why it failed, as in `endReason` of the run.',
        ),
      ),
    },
    example: {
      runId: ids.run,
      workflowId: ids.workflow,
      workflowName: 'Abandoned cart',
      customerId: ids.customer,
      eventId: ids.event,
      stepId: 'remind',
      reason: 'too_many_steps',
    },
  }),
  'allowance.reached': event({
    summary: 'A monthly allowance of the plan is nearly or completely used.',
    fields: {
      allowance: nonPersonal(withDescription(Type.Literal('monthlyEvents'), 'The allowance: events of the month.')),
      percent: nonPersonal(Type.Integer({ minimum: 1, maximum: 100, description: 'Reached threshold: 90 or 100.' })),
      limit: nonPersonal(Type.Integer({ minimum: 0, description: 'Limit of the plan.' })),
      used: nonPersonal(Type.Integer({ minimum: 0, description: 'Number of events recorded in the month.' })),
      resetsAt: nonPersonal(withDescription(Time, 'Start of the next month, when the number is reset to 0.')),
    },
    example: {
      allowance: 'monthlyEvents',
      percent: 90,
      limit: 50_000,
      used: 45_012,
      resetsAt: '2026-04-01T00:00:00.000Z',
    },
  }),
  ping: event({
    summary: 'A test event, sent by the test operation to one endpoint regardless of its subscribed events.',
    fields: { webhookId: nonPersonal(withDescription(Id, 'ID of the tested endpoint.')) },
    example: { webhookId: ids.webhook },
  }),
} satisfies Record<OutboundEventType, { fields: Record<string, Field> }>

type Fields<Type extends OutboundEventType> = (typeof outboundEvents)[Type]['fields']

/** Names of the fields of an event's data. */
export type DataField<Type extends OutboundEventType> = keyof Fields<Type> & string

/** Names of the personal fields of an event's data. */
export type PersonalField<Type extends OutboundEventType> = {
  [Name in keyof Fields<Type>]: Fields<Type>[Name] extends { personal: true } ? Name : never
}[keyof Fields<Type>]

/** Returns the personal fields of an event's data with their erased values. */
export const erasedFieldsOf = (type: OutboundEventType): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries<Field>(outboundEvents[type].fields).flatMap(([name, field]) =>
      field.personal ? [[name, field.erased]] : [],
    ),
  )

export const outboundEventTypes = Object.keys(outboundEvents) as OutboundEventType[]

const eventStatuses = ['failed', 'retrying', 'waiting', 'delivered', 'none'] as const

export const OutboundEventQuery = Type.Object({
  ...rangeQuery().properties,
  type: Type.Optional(
    Type.Union(
      outboundEventTypes.map(type => Type.Literal(type)),
      { description: 'Only events of this type.', ...errorMessage(`Must be one of ${outboundEventTypes.join(', ')}.`) },
    ),
  ),
  webhookId: Type.Optional(
    Type.String({
      format: 'uuid',
      description: 'Only events that were sent to this endpoint at their fan-out.',
      ...errorMessage('Must be a UUID.'),
    }),
  ),
  status: Type.Optional(
    Type.Union(
      eventStatuses.map(status => Type.Literal(status)),
      {
        description:
          'Only events with this status. A page ends when 20,000 events were read, so it can be short or empty. `nextCursor` continues the list.',
        ...errorMessage(`Must be one of ${eventStatuses.join(', ')}.`),
      },
    ),
  ),
})
export type OutboundEventQuery = Static<typeof OutboundEventQuery>
export type OutboundEventStatus = (typeof eventStatuses)[number]

const deliveryStatuses = ['pending', 'retrying', 'delivered', 'failed', 'dropped'] as const
const deliveryStatusText = 'Current status of the delivery. `dropped`: the endpoint was deleted before the delivery.'

export const OutboundEvent = Type.Object(
  {
    id: withDescription(Id, 'ID of the event, as in `X-Service-Event-Id`.'),
    type: withDescription(literals(...outboundEventTypes), 'Type of the event.'),
    createdAt: withDescription(Time, 'Time of the event.'),
    fannedOutAt: Nullable(
      Type.String({
        format: 'date-time',
        description: 'Time when the receiving endpoints were determined. Null for a moment before that.',
      }),
    ),
    data: Type.Record(Type.String(), Type.Unknown(), { description: 'Data of the event, as sent.' }),
    sentTo: Type.Integer({ description: 'Number of endpoints that the event was sent to.' }),
    webhookIds: Type.Array(Id, {
      description:
        'IDs of these endpoints, also of those that were deleted since. Events that were sent again later are not included.',
    }),
    deliveries: Type.Array(
      Type.Object({
        webhookId: withDescription(Id, 'ID of the endpoint.'),
        status: withDescription(literals(...deliveryStatuses), deliveryStatusText),
      }),
      {
        description:
          'Newest delivery to each endpoint, also to those that the event was sent to again. Deliveries that are no longer stored are left out. Empty before the fan-out. `status` of the event comes from them.',
      },
    ),
    passedOver: Type.Integer({ description: 'Number of endpoints that existed then and did not receive the event.' }),
    status: withDescription(
      literals(...eventStatuses),
      'The first of these that applies to a delivery of the event: `failed`, `retrying`, `waiting` (`pending`), `delivered`. `none` means that no delivery is stored, or that all were dropped. `waiting` before the fan-out. If the event was sent to an endpoint again, only the newest delivery to it counts. Reads the 100 newest deliveries that were sent again.',
    ),
  },
  { $id: 'OutboundEvent' },
)
export type OutboundEvent = Static<typeof OutboundEvent>

const Destination = Type.Object(
  {
    webhookId: withDescription(Id, 'ID of the endpoint.'),
    url: Type.String({
      description: 'Current URL of the endpoint. Callers who are not owners see it without the path.',
    }),
    deliveryId: Nullable(
      Type.String({
        format: 'uuid',
        description:
          'ID of the delivery, the newest if the event was sent again. Null if the event was not sent to this endpoint.',
      }),
    ),
    status: Type.Union([...deliveryStatuses.map(status => Type.Literal(status)), Type.Null()], {
      description: `${deliveryStatusText} Null also if the delivery is no longer stored.`,
    }),
    reason: Type.Union(
      [
        ...(
          [
            'not_subscribed',
            'disabled',
            'filter',
            'about_itself',
            'deleted',
            'created_later',
            'other_endpoint',
          ] as const
        ).map(reason => Type.Literal(reason)),
        Type.Null(),
      ],
      {
        description:
          'Why the event was not sent to the endpoint, at the time of fan-out. Null if it was sent. `filter`: the filter of the endpoint did not match. `about_itself`: the event is about this endpoint. `other_endpoint`: a ping to another endpoint.',
      },
    ),
  },
  { $id: 'Destination' },
)
export type Destination = Static<typeof Destination>

export const OutboundEventDetail = Type.Object(
  {
    ...OutboundEvent.properties,
    destinations: Type.Array(Destination, {
      description:
        'Endpoints that received the event come first, deleted ones last. If there are more than 50, the list is incomplete.',
    }),
  },
  { $id: 'OutboundEventDetail' },
)
export type OutboundEventDetail = Static<typeof OutboundEventDetail>

/** Query of `GET /v1/outbound-events/pull`. */
export const PullQuery = Type.Object({
  after: Type.Optional(
    Type.String({
      description:
        '`cursor` of the previous response, or `beginning` for the oldest stored event. Without it, the stream starts now.',
    }),
  ),
  types: Type.Optional(
    Type.String({
      description: 'Only events of these types, separated by commas.',
      ...publishedKeywords({
        pattern: `^(${typePattern()})(,(${typePattern()})){0,${outboundEventTypes.length - 1}}$`,
      }),
    }),
  ),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 100,
      default: 100,
      description: 'Maximum number of events per response.',
      ...errorMessage('Must be a whole number from 1 to 100.'),
    }),
  ),
  wait: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 30,
      default: 0,
      description: 'Maximum number of seconds to wait for an event if there is none.',
      ...errorMessage('Must be a whole number from 0 to 30.'),
    }),
  ),
})
export type PullQuery = Static<typeof PullQuery>

function typePattern(): string {
  return outboundEventTypes.map(type => type.replaceAll('.', '\\.')).join('|')
}

export const PulledEvents = Type.Object(
  {
    data: Type.Array(Type.Ref('WebhookEvent'), {
      description: 'Events, oldest first. Each has the exact text of the body that endpoints receive.',
    }),
    cursor: Type.String({ description: 'Value of `after` for the next request.' }),
    hasMore: Type.Boolean({
      description: 'Whether more events follow immediately. `data` can then be empty, if few events have the types.',
    }),
  },
  { $id: 'PulledEvents' },
)

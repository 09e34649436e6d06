/** Event types that an endpoint can subscribe to (contract 10.1). */
import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { described, Id, message, Nullable, PageQuery, Phone, Time } from '../schema.ts'

export const subscribableTypes = [
  'message.received',
  'message.status',
  'sale.created',
  'customer.opted_out',
  'campaign.completed',
] as const
export type SubscribableType = (typeof subscribableTypes)[number]
export type OutboundEventType = SubscribableType | 'ping'

const literals = <T extends string>(...values: T[]) => Type.Union(values.map(value => Type.Literal(value)))

/** A field of an event's data, with its schema. Personal fields are declared only here. */
type Field = Kept<TSchema> | Personal<TSchema>

interface Kept<Shape extends TSchema> {
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
const kept = <Shape extends TSchema>(shape: Shape): Kept<Shape> => ({ shape, personal: false })

/** Declares a personal field. The schema must allow the erased value. */
const personal = <Shape extends TSchema>(shape: Shape, erased: Static<Shape>): Personal<Shape> => ({
  shape,
  personal: true,
  erased,
})

interface Described<Fields extends Record<string, Field>> {
  summary: string
  fields: Fields
  example: { [Name in keyof Fields]: Static<Fields[Name]['shape']> }
}

/** Declares an event. Each field is wrapped in `kept` or `personal`. */
const event = <Fields extends Record<string, Field>>(described: Described<Fields>) => ({
  ...described,
  data: Type.Object(
    Object.fromEntries(Object.entries(described.fields).map(([name, { shape }]) => [name, shape])) as {
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
  event: '01981b7e-3c00-7a51-9a64-1f0f5c3d7c01',
}

/** Content of each event's `data`. The emitting code, the published document and the tests read it from here. */
export const outboundEvents = {
  'message.received': event({
    summary: 'A customer sent a message.',
    fields: {
      conversationId: kept(described(Id, 'The conversation the message stands in.')),
      customerId: kept(described(Id, 'Who wrote it.')),
      from: personal(
        Nullable({
          ...Phone,
          description: 'E.164; null where the address is no phone number, and once the customer was erased.',
        }),
        null,
      ),
      type: kept(
        described(literals('text', 'image', 'audio', 'video', 'document', 'location', 'other'), 'What was sent.'),
      ),
      text: personal(
        described(
          Nullable(Type.String()),
          'What was written, or a caption; null for a type without one, and once the customer was erased.',
        ),
        null,
      ),
      sentAt: kept(described(Time, "When it was sent, by the provider's clock.")),
      messageId: kept(described(Id, 'The message.')),
      runId: kept(
        described(
          Nullable(Id),
          'The run that waits for this reply, the newest where several do; null where none does.',
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
    summary: 'A message the workspace sent was delivered, read or failed.',
    fields: {
      conversationId: kept(described(Id, 'The conversation the message stands in.')),
      providerMessageId: personal(
        Type.String({
          description:
            'What the provider calls the message. Of one that failed before any provider took it, and that has no such id, our own id of it. Empty once the customer was erased.',
        }),
        '',
      ),
      status: kept(described(literals('delivered', 'read', 'failed'), 'What became of it.')),
      detail: personal(Nullable(Type.String({ description: 'Why it failed, in words.' })), null),
      messageId: kept(described(Id, 'The message.')),
      customerId: kept(described(Id, 'Whom it was sent to.')),
      eventId: kept(
        described(
          Nullable(Id),
          'The inbound event whose run sent it; null where no run did, and where the run is no longer kept.',
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
      saleId: kept(described(Id, 'The sale.')),
      conversationId: kept(described(Id, 'The conversation that led to it.')),
      customerId: kept(described(Id, 'Who bought.')),
      amount: kept(Type.Number({ description: 'Decimal, exact, up to 3 places.' })),
      currency: kept(Type.String({ pattern: '^[A-Z]{3}$', description: 'ISO 4217.' })),
      note: personal(
        described(
          Nullable(Type.String()),
          'What was noted with it; null where nothing was, and once the customer was erased.',
        ),
        null,
      ),
      messageId: kept(
        described(Nullable(Id), 'The last message that the run had sent by then; null where there is none.'),
      ),
      runId: kept(described(Nullable(Id), 'The run that marked it; null where a person did.')),
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
    summary: 'A customer said STOP, or was opted out.',
    fields: {
      channel: kept(Nullable(Type.String({ description: 'The kind of channel; null where the workspace has none.' }))),
      handle: personal(
        Nullable(
          Type.String({
            description:
              'E.164, or the address that the provider knows a customer without a phone by; null where there is neither, and once they were erased.',
          }),
        ),
        null,
      ),
      scope: kept(described(Type.Literal('all'), 'What they want no more: any message.')),
      reason: personal(
        Type.String({
          description: 'The word the customer wrote, or the reason given; `erased` once the customer was.',
        }),
        'erased',
      ),
    },
    example: { channel: 'sandbox', handle: '+4915112345678', scope: 'all', reason: 'STOP' },
  }),
  'campaign.completed': event({
    summary: 'A campaign finished.',
    fields: {
      campaignId: kept(described(Id, 'The campaign.')),
      name: kept(described(Type.String(), 'What it is called.')),
      sent: kept(described(Type.Integer({ minimum: 0 }), 'To how many the provider took the message.')),
      skipped: kept(described(Type.Integer({ minimum: 0 }), 'How many were passed over.')),
      unknown: kept(
        Type.Integer({ minimum: 0, description: 'The send was begun and its outcome never became known.' }),
      ),
    },
    example: { campaignId: ids.campaign, name: 'Spring sale', sent: 480, skipped: 12, unknown: 0 },
  }),
  ping: event({
    summary: 'Sent by the test operation to one endpoint, whatever it subscribed to.',
    fields: { webhookId: kept(described(Id, 'The endpoint that is tried out.')) },
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

export const OutboundEventQuery = Type.Object({
  ...PageQuery.properties,
  type: Type.Optional(
    Type.Union(
      outboundEventTypes.map(type => Type.Literal(type)),
      { description: 'Only events of this type.', ...message(`Must be one of ${outboundEventTypes.join(', ')}.`) },
    ),
  ),
})
export type OutboundEventQuery = Static<typeof OutboundEventQuery>

export const OutboundEvent = Type.Object(
  {
    id: described(Id, 'The event, as in `X-Service-Event-Id`.'),
    type: described(literals(...outboundEventTypes), 'What it tells of.'),
    createdAt: described(Time, 'When it happened.'),
    fannedOutAt: Nullable(
      Type.String({
        format: 'date-time',
        description: 'When it was decided which endpoints it goes to; null for the moment before.',
      }),
    ),
    data: Type.Record(Type.String(), Type.Unknown(), { description: 'As it is sent.' }),
    sentTo: Type.Integer({ description: 'Endpoints it went to.' }),
    passedOver: Type.Integer({ description: 'Endpoints that lived then and did not get it.' }),
  },
  { $id: 'OutboundEvent' },
)
export type OutboundEvent = Static<typeof OutboundEvent>

const Destination = Type.Object(
  {
    webhookId: described(Id, 'The endpoint.'),
    url: Type.String({ description: 'As it is today; people who are no owners see it without its path.' }),
    deliveryId: Nullable(
      Type.String({ format: 'uuid', description: 'The newest, where it was sent again; null where it did not go.' }),
    ),
    status: Type.Union(
      [
        ...(['pending', 'retrying', 'delivered', 'failed', 'dropped'] as const).map(status => Type.Literal(status)),
        Type.Null(),
      ],
      {
        description:
          'Of the delivery, now; `dropped`: the endpoint was deleted before it had it. Null also of one that is no longer kept.',
      },
    ),
    reason: Type.Union(
      [
        ...(['not_subscribed', 'disabled', 'filter', 'deleted', 'created_later', 'other_endpoint'] as const).map(
          reason => Type.Literal(reason),
        ),
        Type.Null(),
      ],
      {
        description:
          'Why it did not go there, as it was when it was fanned out; null where it did. `filter`: its filter did not let it through. `other_endpoint`: a ping, sent to another one.',
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
      description: 'Those it went to first; deleted ones last, and not all of them where there are more than fifty.',
    }),
  },
  { $id: 'OutboundEventDetail' },
)
export type OutboundEventDetail = Static<typeof OutboundEventDetail>

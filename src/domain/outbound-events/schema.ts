/** The six things a workspace tells its endpoints (contract 10.1). */
import { type Static, type TObject, Type } from '@sinclair/typebox'
import { Id, message, Nullable, PageQuery, Phone, Time } from '../schema.ts'

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

interface Described {
  summary: string
  data: TObject
  example: Record<string, unknown>
}

const ids = {
  conversation: '01981b7e-3c00-7a51-9a64-1f0f5c3d7e01',
  customer: '01981b7e-3c00-7a51-9a64-1f0f5c3d7e02',
  sale: '01981b7e-3c00-7a51-9a64-1f0f5c3d7e03',
  campaign: '01981b7e-3c00-7a51-9a64-1f0f5c3d7e04',
  webhook: '01981b7e-3c00-7a51-9a64-1f0f5c3d7e05',
}

/** What each event's `data` holds. Who tells, the published document and the tests read it from here. */
export const outboundEvents = {
  'message.received': {
    summary: 'A customer sent a message.',
    data: Type.Object({
      conversationId: Id,
      customerId: Id,
      from: Phone,
      type: literals('text', 'image', 'audio', 'video', 'document', 'location', 'other'),
      text: Nullable(Type.String()),
      sentAt: Time,
    }),
    example: {
      conversationId: ids.conversation,
      customerId: ids.customer,
      from: '+4915112345678',
      type: 'text',
      text: 'Where is my order?',
      sentAt: '2026-03-01T09:30:00.000Z',
    },
  },
  'message.status': {
    summary: 'A message the workspace sent was delivered, read or failed.',
    data: Type.Object({
      conversationId: Id,
      providerMessageId: Type.String(),
      status: literals('delivered', 'read', 'failed'),
      detail: Nullable(Type.String({ description: 'Why it failed, in words.' })),
    }),
    example: {
      conversationId: ids.conversation,
      providerMessageId: 'sandbox-01981b7e-3c00-7a51-9a64-1f0f5c3d7e06',
      status: 'delivered',
      detail: null,
    },
  },
  'sale.created': {
    summary: 'A conversation was marked as a sale.',
    data: Type.Object({
      saleId: Id,
      conversationId: Id,
      customerId: Id,
      amount: Type.Number({ description: 'Decimal, exact, up to 3 places.' }),
      currency: Type.String({ pattern: '^[A-Z]{3}$', description: 'ISO 4217.' }),
      note: Nullable(Type.String()),
    }),
    example: {
      saleId: ids.sale,
      conversationId: ids.conversation,
      customerId: ids.customer,
      amount: 129.9,
      currency: 'EUR',
      note: 'Two pairs',
    },
  },
  'customer.opted_out': {
    summary: 'A customer said STOP, or was opted out.',
    data: Type.Object({
      channel: Nullable(Type.String({ description: 'The kind of channel; null where the workspace has none.' })),
      handle: Nullable(Type.String({ description: 'E.164; null for a customer without a phone.' })),
      scope: Type.Literal('all'),
      reason: Type.String({ description: 'The word the customer wrote, or the reason given.' }),
    }),
    example: { channel: 'sandbox', handle: '+4915112345678', scope: 'all', reason: 'STOP' },
  },
  'campaign.completed': {
    summary: 'A campaign finished.',
    data: Type.Object({
      campaignId: Id,
      name: Type.String(),
      sent: Type.Integer({ minimum: 0 }),
      skipped: Type.Integer({ minimum: 0 }),
      unknown: Type.Integer({ minimum: 0, description: 'The send was begun and its outcome never became known.' }),
    }),
    example: { campaignId: ids.campaign, name: 'Spring sale', sent: 480, skipped: 12, unknown: 0 },
  },
  ping: {
    summary: 'Sent by the test operation to one endpoint, whatever it subscribed to.',
    data: Type.Object({ webhookId: Id }),
    example: { webhookId: ids.webhook },
  },
} satisfies Record<OutboundEventType, Described>

/** The names of the fields of an event's data. */
export type DataField<Type extends OutboundEventType> = keyof (typeof outboundEvents)[Type]['data']['properties']

const outboundEventTypes = Object.keys(outboundEvents) as OutboundEventType[]

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
    id: Id,
    type: literals(...outboundEventTypes),
    createdAt: Time,
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
    webhookId: Id,
    url: Type.String({ description: 'As it is today; people who are no owners see it without its path.' }),
    deliveryId: Nullable(Type.String({ format: 'uuid', description: 'Null where it did not go.' })),
    status: Type.Union(
      [
        ...(['pending', 'retrying', 'delivered', 'failed', 'dropped'] as const).map(status => Type.Literal(status)),
        Type.Null(),
      ],
      { description: 'Of the delivery, now; `dropped`: the endpoint was deleted before it had it.' },
    ),
    reason: Type.Union(
      [
        ...(['not_subscribed', 'disabled', 'deleted', 'created_later', 'other_endpoint'] as const).map(reason =>
          Type.Literal(reason),
        ),
        Type.Null(),
      ],
      {
        description:
          'Why it did not go there, as it was when it was fanned out; null where it did. `other_endpoint`: a ping, sent to another one.',
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

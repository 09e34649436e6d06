/** Types of outbound events. A type that the published document adds does not compile until it is listed here. */
import type { Schemas } from './client.ts'

type TypeFlags<Type extends string> = Readonly<Record<Type, true>>
const listTypes = <Type extends string>(types: TypeFlags<Type>) => Object.keys(types) as Type[]

export type SubscribableType = Schemas['CreateWebhook']['events'][number]

const subscribableFlags: TypeFlags<SubscribableType> = {
  'message.received': true,
  'message.status': true,
  'sale.created': true,
  'customer.opted_out': true,
  'campaign.completed': true,
  'endpoint.failing': true,
  'endpoint.recovered': true,
  'endpoint.held': true,
  'delivery.failed': true,
  'channel.failing': true,
  'channel.recovered': true,
  'run.failed': true,
  'allowance.reached': true,
}

/** Event types that an endpoint can subscribe to. */
export const subscribableTypes = listTypes<SubscribableType>(subscribableFlags)

export type OutboundType = Schemas['OutboundEvent']['type']

/** All types. A `ping` tests an endpoint. */
export const outboundTypes = listTypes<OutboundType>({ ...subscribableFlags, ping: true })

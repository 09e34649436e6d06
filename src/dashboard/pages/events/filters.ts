/** Filters and order of the events list, as stored in the address. */
import type { paths } from '../../api/generated.ts'
import { parseSort, type Sorted } from '../../ui/list/sort.ts'
import {
  type Preset,
  parseTimeRange,
  type TimeRange,
  toTimeQuery,
  withDefaultRange,
} from '../../ui/time-range/time-range.ts'
import { isId } from '../customers/filters.ts'

export const reasons = ['no_listener', 'switched_off', 'never_published', 'not_run_for_customer'] as const

type EventQuery = NonNullable<paths['/v1/activity/events']['get']['parameters']['query']>
type Sender = NonNullable<EventQuery['sender']>

/** Names of custom code and of the known store plugins. */
const senderNames: Readonly<Record<Sender, string>> = {
  custom: 'Custom',
  bigcommerce: 'BigCommerce',
  ecwid: 'Ecwid',
  jtl: 'JTL',
  magento: 'Magento',
  opencart: 'OpenCart',
  oxid: 'OXID',
  prestashop: 'PrestaShop',
  shopify: 'Shopify',
  shopware: 'Shopware',
  squarespace: 'Squarespace',
  vtex: 'VTEX',
  wix: 'Wix',
  woocommerce: 'WooCommerce',
}

export const senders = Object.keys(senderNames) as Sender[]

/** Returns the name of a sender. A rejected request can also have a kind of channel, which is its own name. */
export const senderName = (sender: string): string =>
  Object.hasOwn(senderNames, sender) ? senderNames[sender as Sender] : sender

/** Choice of a filter. */
export const senderOption = <One extends string>(value: One) => ({ value, label: senderName(value) })

/** Time range while the address has none. */
export const defaultRange: Preset = '30d'

export interface EventFilters extends TimeRange, Sorted {
  type?: string
  started?: boolean
  reason?: (typeof reasons)[number]
  sender?: Sender
  customerId?: string
}

/** Reads the filters from the address and ignores invalid values. */
export const parseEventFilters = (search: Record<string, unknown>): EventFilters => {
  const reason = reasons.find(one => one === search.reason)
  // The address holds text, not booleans.
  const started = [true, false].find(one => String(one) === String(search.started))
  const sender = senders.find(one => one === search.sender)
  return {
    ...(typeof search.type === 'string' && search.type && { type: search.type }),
    ...(started !== undefined && { started }),
    ...(reason && { reason }),
    ...(sender && { sender }),
    ...(isId(search.customerId) && { customerId: search.customerId }),
    ...parseTimeRange(search),
    ...parseSort(search),
  }
}

/** Returns the query parameters of the API. */
export const toEventQuery = ({ range, since, until, ...filters }: EventFilters) => ({
  ...filters,
  ...toTimeQuery(withDefaultRange({ range, since, until }, defaultRange)),
})

/** Choices of the outcome filter. Only one can be active. */
export const outcomes = ['started', 'nothing', ...reasons] as const
export type Outcome = (typeof outcomes)[number]

export const selectedOutcome = ({ started, reason }: EventFilters): Outcome | undefined =>
  reason ?? (started === undefined ? undefined : started ? 'started' : 'nothing')

/** Search parameters that replace the previous outcome filter. */
export const outcomeFilter = (outcome: Outcome | undefined) => ({
  started: outcome === 'started' ? true : outcome === 'nothing' ? false : undefined,
  reason: reasons.find(one => one === outcome),
})

/** Colors of the outcomes, in the chart and in the rows. */
export const outcomeTones = {
  started: 'done',
  not_run_for_customer: 'off',
  no_listener: 'care',
  off: 'off',
  switched_off: 'off',
  never_published: 'off',
} as const

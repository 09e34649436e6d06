/** What the form of an endpoint holds, and how it becomes what the interface takes. */
import type { Schemas } from '../../api/client.ts'
import { conditionOf, type TypedCondition } from '../../ui/condition/ConditionField.tsx'
import type { Subscribable } from './filters.ts'

export type Pair = [name: string, value: string]

export interface EndpointValues {
  url: string
  name: string
  description: string
  events: Subscribable[]
  ratePerSecond: number | ''
  maxConcurrency: number | ''
  metadata: Pair[]
  /** Which of the events. */
  only: TypedCondition
}

/** `headers` stands apart: their values are secrets, and are neither shown nor kept as a draft. Null leaves them alone. */
export type Headers = Pair[] | null

export const valuesOf = (webhook: Schemas['Webhook'] | null): EndpointValues => ({
  url: webhook?.url ?? '',
  name: webhook?.name ?? '',
  description: webhook?.description ?? '',
  events: (webhook?.events ?? []) as Subscribable[],
  ratePerSecond: webhook?.ratePerSecond ?? '',
  maxConcurrency: webhook?.maxConcurrency ?? '',
  metadata: Object.entries(webhook?.metadata ?? {}),
  only: { condition: webhook?.filter ?? null, json: null },
})

/** All of it, as a new endpoint wants it. */
export const bodyOf = (values: EndpointValues, headers: Headers): Schemas['CreateWebhook'] => ({
  url: values.url.trim(),
  events: values.events,
  name: values.name.trim() || null,
  description: values.description.trim() || null,
  ratePerSecond: values.ratePerSecond === '' ? null : values.ratePerSecond,
  maxConcurrency: values.maxConcurrency === '' ? null : values.maxConcurrency,
  metadata: Object.fromEntries(values.metadata.filter(([name]) => name !== '')),
  filter: conditionOf(values.only),
  ...(headers && { headers: Object.fromEntries(headers.filter(([name]) => name !== '')) }),
})

/** Only what is no longer as it was: what somebody else changed meanwhile stays theirs. */
export const changesOf = (
  before: EndpointValues,
  after: EndpointValues,
  headers: Headers,
): Partial<Schemas['CreateWebhook']> => {
  const was: Record<string, unknown> = { ...bodyOf(before, null) }
  const changed = Object.entries(bodyOf(after, headers)).filter(
    ([field, value]) => JSON.stringify(value) !== JSON.stringify(was[field]),
  )
  return Object.fromEntries(changed)
}

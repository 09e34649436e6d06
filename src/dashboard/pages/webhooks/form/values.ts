/** Form values of an endpoint and their conversion to a request body. */
import type { Schemas } from '../../../api/client.ts'
import type { SubscribableType } from '../../../api/event-types.ts'
import { type TypedCondition, toCondition } from '../../../ui/condition/ConditionField.tsx'

export type Pair = [name: string, value: string]

// An interface has no index signature, which the form hook requires.
export type EndpointValues = {
  url: string
  name: string
  description: string
  events: SubscribableType[]
  ratePerSecond: number | ''
  maxConcurrency: number | ''
  metadata: Pair[]
  /** Filter condition on the events. */
  only: TypedCondition
  /** Creates the endpoint disabled. Not used for an existing endpoint. */
  disabled: boolean
}

/** Header values are secrets. They are never shown and never kept in the draft. null leaves them unchanged. */
export type Headers = Pair[] | null

export const toFormValues = (webhook: Schemas['Webhook'] | null): EndpointValues => ({
  url: webhook?.url ?? '',
  name: webhook?.name ?? '',
  description: webhook?.description ?? '',
  events: (webhook?.events ?? []) as SubscribableType[],
  ratePerSecond: webhook?.ratePerSecond ?? '',
  maxConcurrency: webhook?.maxConcurrency ?? '',
  metadata: Object.entries(webhook?.metadata ?? {}),
  only: { condition: webhook?.filter ?? null, json: null },
  disabled: false,
})

/** Returns the full request body of a new endpoint. */
export const toRequestBody = (values: EndpointValues, headers: Headers): Schemas['CreateWebhook'] => ({
  url: values.url.trim(),
  events: values.events,
  name: values.name.trim() || null,
  description: values.description.trim() || null,
  ratePerSecond: values.ratePerSecond === '' ? null : values.ratePerSecond,
  maxConcurrency: values.maxConcurrency === '' ? null : values.maxConcurrency,
  metadata: Object.fromEntries(values.metadata.filter(([name]) => name !== '')),
  filter: toCondition(values.only),
  ...(headers && { headers: Object.fromEntries(headers.filter(([name]) => name !== '')) }),
})

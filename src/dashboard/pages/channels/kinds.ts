/** Form values of a channel: the credentials of its kind and the simulated delivery of a sandbox. */
import type { ChannelKind } from '../../api/channel-kinds.ts'
import type { Schemas } from '../../api/client.ts'

export type Delivery = NonNullable<Schemas['Channel']['sandbox']>['delivery']
export const deliveries = ['delivered', 'read', 'failed', 'manual', 'rejected'] as const satisfies Delivery[]

export type CredentialField = ChannelKind['credentials'][number]
export type Credentials = Readonly<Record<string, string>>

/** Reads the kind to connect from the address. */
export const parseConnectSearch = (search: Record<string, unknown>): { kind?: string } =>
  typeof search.kind === 'string' ? { kind: search.kind } : {}

/** Returns the field of each set of alternatives that the form shows first. `number` is the current number. */
export const findInitialAlternative = (fields: CredentialField[], number: string | null): string | undefined => {
  const alternatives = fields.filter(field => field.alternatives.length > 0)
  const current = alternatives.find(
    ({ pattern }) => number !== null && pattern !== null && RegExp(pattern).test(number),
  )
  return (current ?? alternatives[0])?.name
}

/** Returns the fields to fill in: without the alternatives of the chosen field. */
export const listShownFields = (fields: CredentialField[], chosen: string | undefined): CredentialField[] =>
  fields.filter(({ alternatives }) => chosen === undefined || !alternatives.includes(chosen))

/** Returns the values of the shown fields, trimmed, because copied values often carry spaces. Omits empty ones. */
export const toCredentials = (fields: CredentialField[], values: Credentials): Record<string, string> =>
  Object.fromEntries(
    fields.map(({ name }) => [name, (values[name] ?? '').trim()] as const).filter(([, value]) => value !== ''),
  )

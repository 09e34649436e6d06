/** Kinds of channels and the credentials that each needs. */
import type { Schemas } from '../../api/client.ts'

export type Kind = Schemas['Channel']['kind']

type FieldNames<Credentials> = Credentials extends unknown ? keyof Credentials & string : never
type CredentialNames<Body> = Body extends { credentials: infer Credentials } ? FieldNames<Credentials> : never
/** Credentials of a kind in the published document. */
type KindFields<One extends Kind> = CredentialNames<Extract<Schemas['ConnectChannel'], { kind: One }>>
export type CredentialField = KindFields<Kind>

/**
 * Credentials of every kind, in the order in which the provider shows them. A kind or a field that the document adds
 * does not compile until it is listed here. A `secret` must not be shown in plain text.
 */
const fieldsByKind: { readonly [One in Kind]: Readonly<Record<KindFields<One>, 'plain' | 'secret'>> } = {
  sandbox: {},
  whatsapp_cloud: { phoneNumberId: 'plain', accessToken: 'secret', appSecret: 'secret', verifyToken: 'plain' },
  twilio_sms: { accountSid: 'plain', authToken: 'secret', from: 'plain', messagingServiceSid: 'plain' },
}

export const kinds = Object.keys(fieldsByKind) as Kind[]

/** Reads the kind to connect from the address and ignores an invalid one. */
export const parseConnectSearch = (search: Record<string, unknown>): { kind?: Kind } => {
  const kind = kinds.find(one => one === search.kind)
  return kind ? { kind } : {}
}

export type Delivery = NonNullable<Schemas['Channel']['sandbox']>['delivery']
export const deliveries = ['delivered', 'read', 'failed', 'manual'] as const satisfies Delivery[]

/** Twilio sends from one of these. */
export const senders = ['from', 'messagingServiceSid'] as const satisfies KindFields<'twilio_sms'>[]
export type Sender = (typeof senders)[number]

export const isSecret = (kind: Kind, field: CredentialField): boolean =>
  new Map<string, string>(Object.entries(fieldsByKind[kind])).get(field) === 'secret'

/** Returns the fields to fill in. Contains only the chosen sender. */
export const listCredentialFields = (kind: Kind, sender: Sender): CredentialField[] =>
  (Object.keys(fieldsByKind[kind]) as CredentialField[]).filter(
    field => field === sender || !senders.some(one => one === field),
  )

export type Credentials = Partial<Record<CredentialField, string>>

/** Returns only the fields of the kind, trimmed, because copied values often carry spaces. */
export const toCredentials = (kind: Kind, sender: Sender, values: Credentials): Record<string, string> =>
  Object.fromEntries(listCredentialFields(kind, sender).map(field => [field, (values[field] ?? '').trim()]))

/** Kinds of channels and the credentials that each needs. */
import type { Schemas } from '../../api/client.ts'
import type { Tone } from '../../ui/Status.tsx'

export type Kind = Schemas['Channel']['kind']
export const kinds = ['sandbox', 'whatsapp_cloud', 'twilio_sms'] as const satisfies Kind[]

/** Reads the kind to connect from the address and ignores an invalid one. */
export const connecting = (search: Record<string, unknown>): { kind?: Kind } => {
  const kind = kinds.find(one => one === search.kind)
  return kind ? { kind } : {}
}

export type Delivery = NonNullable<Schemas['Channel']['sandbox']>['delivery']
export const deliveries = ['delivered', 'read', 'failed', 'manual'] as const satisfies Delivery[]

export const toneOf: Record<Schemas['Channel']['status'], Tone> = {
  connected: 'done',
  failing: 'failed',
  disconnected: 'off',
}

const fieldsOf = {
  sandbox: [],
  whatsapp_cloud: ['phoneNumberId', 'accessToken', 'appSecret', 'verifyToken'],
  twilio_sms: ['accountSid', 'authToken'],
} as const

export const senders = ['from', 'messagingServiceSid'] as const
export type Sender = (typeof senders)[number]
export type CredentialField = (typeof fieldsOf)['whatsapp_cloud' | 'twilio_sms'][number] | Sender

/** Credentials that must not be shown in plain text. */
export const secretFields: ReadonlySet<CredentialField> = new Set(['accessToken', 'appSecret', 'authToken'])

/** Returns the fields to fill in, in the order in which the provider shows them. */
export const credentialFields = (kind: Kind, sender: Sender): CredentialField[] => [
  ...fieldsOf[kind],
  ...(kind === 'twilio_sms' ? [sender] : []),
]

export type Credentials = Partial<Record<CredentialField, string>>

/** Returns only the fields of the kind, trimmed, because copied values often carry spaces. */
export const credentialsOf = (kind: Kind, sender: Sender, typed: Credentials): Record<string, string> =>
  Object.fromEntries(credentialFields(kind, sender).map(field => [field, (typed[field] ?? '').trim()]))

import { type Static, Type } from '@sinclair/typebox'
import { Id, Nullable, withDescription } from '../../core/schema.ts'

/** Alert emails to the owners of a workspace that a person can turn off. Emails about security are always sent. */
export const alertEmails = ['endpoint_failing', 'endpoint_paused', 'channel_failing', 'monthly_events'] as const

export const AlertEmail = Type.Union(
  alertEmails.map(name => Type.Literal(name)),
  {
    $id: 'AlertEmail',
    description:
      '`endpoint_failing`: all deliveries to an endpoint failed for five minutes. `endpoint_paused`: the service paused an endpoint that failed for five days. `channel_failing`: the provider of a channel rejects requests. `monthly_events`: the events of the month are nearly or completely used.',
  },
)
export type AlertEmail = (typeof alertEmails)[number]

export const User = Type.Object(
  {
    id: withDescription(Id, 'ID of the person.'),
    email: Type.String({ description: 'E-mail address of the account.' }),
    name: Type.String({ description: 'Name of the person.' }),
    locale: Nullable(
      Type.String({
        description: 'Preferred language as a language tag, for example `de-AT`. Null if not set.',
      }),
    ),
    timezone: Nullable(Type.String({ description: 'IANA time zone of the person. Null if not set.' })),
    mutedEmails: Type.Array(AlertEmail, { description: 'Alert emails that the person does not receive.' }),
  },
  { $id: 'User', description: 'A person who can sign in.' },
)
export type User = Static<typeof User>

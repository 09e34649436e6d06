import { type Static, Type } from '@sinclair/typebox'
import { Condition } from '../conditions/index.ts'
import type { JsonText } from '../json-text.ts'
import { ByName, described, Id, message, Nullable, PageQuery, Time } from '../schema.ts'

/** Maximum number of customers listed in an audience. */
export const maxNamed = 10_000

const statuses = ['draft', 'scheduled', 'running', 'paused', 'completed', 'cancelled'] as const
export type CampaignStatus = (typeof statuses)[number]

const outcomes = ['pending', 'queued', 'sent', 'skipped', 'unknown'] as const
export type Outcome = (typeof outcomes)[number]

const literals = <T extends string>(values: readonly T[]) => values.map(value => Type.Literal(value))

const Audience = Type.Union(
  [
    Type.Object(
      { all: Type.Literal(true, { description: 'Every customer of the workspace.' }) },
      { additionalProperties: false, $id: 'EverybodyAudience' },
    ),
    Type.Object({ where: Condition }, { additionalProperties: false, $id: 'ConditionAudience' }),
    Type.Object(
      {
        customerIds: Type.Array(Type.String({ format: 'uuid', ...message('Must be the id of a customer, a UUID.') }), {
          minItems: 1,
          maxItems: maxNamed,
          description: 'The customers, by their ids.',
          ...message('Must be a list of 1 to 10,000 ids of customers.'),
        }),
      },
      { additionalProperties: false, $id: 'NamedAudience' },
    ),
  ],
  {
    $id: 'Audience',
    description:
      'Everybody (`all`), those of whom a condition on `customer.…` holds (`where`), or the customers named (`customerIds`).',
    ...message('Must be {all: true}, {where: condition} or {customerIds: [...]}, and one of them alone.'),
  },
)
export type Audience = { all: true } | { where: Condition } | { customerIds: string[] }

const Variables = ByName(Type.String({ maxLength: 1000, ...message('Must be a text of at most 1,000 characters.') }), {
  maxProperties: 100,
  description:
    'A value for each variable of the template. It may hold `{{customer.name}}`, `{{customer.attributes.city|your town}}` and the like.',
  ...message('Must be an object with a text for each variable of the template.'),
})

const Name = Type.String({
  minLength: 1,
  maxLength: 200,
  pattern: '\\S',
  ...message('Must be a text of 1 to 200 characters.'),
})

const content = {
  name: described(Name, 'What it is called.'),
  channelId: described(Id, 'The channel it goes over.'),
  templateId: described(Id, 'The template that is sent.'),
  variables: Variables,
  audience: Audience,
}

export const CreateCampaign = Type.Object(
  { ...content, variables: Type.Optional(Variables) },
  { additionalProperties: false, $id: 'CreateCampaign' },
)
export type CreateCampaign = Omit<Static<typeof CreateCampaign>, 'audience'> & { audience: Audience }

export const ChangeCampaign = Type.Partial(Type.Object(content), {
  additionalProperties: false,
  minProperties: 1,
  $id: 'ChangeCampaign',
  ...message('Must be an object with at least one of name, channelId, templateId, variables and audience.'),
})
export type ChangeCampaign = Partial<CreateCampaign>

export const StartCampaign = Type.Object(
  {
    at: Type.Optional(
      Type.String({
        format: 'date-time',
        description: 'When it is to start; at once where it is left out, or has passed.',
      }),
    ),
  },
  { additionalProperties: false, $id: 'StartCampaign' },
)
export type StartCampaign = Static<typeof StartCampaign>

const Counts = Type.Record(Type.String(), Type.Integer({ minimum: 1 }))

const reasons =
  '`opted_out`, `no_opt_in` (a marketing template needs one), `no_address` (none on the channel, or the customer was erased), `plan` (the plan no longer includes campaigns), `channel_disconnected`, `refused` (by the provider), `cancelled`, `template_missing`'

const Progress = Type.Object(
  {
    audience: Type.Integer({
      description: 'Its recipients. It grows for a moment after the start, while they are being written down.',
    }),
    sent: Type.Integer({ description: 'The provider took the message.' }),
    skipped: described(Type.Integer(), 'Those who were passed over; `skippedBy` says why.'),
    unknown: Type.Integer({ description: 'The send was begun and its outcome never became known.' }),
    skippedBy: Type.Unsafe<Record<string, number>>({
      ...Counts,
      description: `How many of the skipped, by reason: ${reasons}.`,
    }),
  },
  { $id: 'CampaignProgress', description: 'How far it is. At the end sent, skipped and unknown make up the audience.' },
)

export const Campaign = Type.Object(
  {
    id: described(Id, 'The campaign.'),
    name: described(Type.String(), 'What it is called.'),
    channelId: described(Id, 'The channel it goes over.'),
    templateId: described(Id, 'The template that is sent.'),
    variables: described(
      Type.Record(Type.String(), Type.String()),
      'A value for each variable of the template, by its name.',
    ),
    audience: Audience,
    status: described(
      Type.Union(literals(statuses)),
      'Where it stands. One that is `completed` or `cancelled` stays so.',
    ),
    progress: Progress,
    scheduledAt: described(Nullable(Time), 'When it is to start by itself; null where it was not scheduled.'),
    startedAt: described(Nullable(Time), 'When it started; null while it has not.'),
    finishedAt: described(Nullable(Time), 'When it was completed or cancelled; null until then.'),
    createdAt: described(Time, 'When it was made.'),
    updatedAt: described(Time, 'When it was last changed.'),
  },
  { $id: 'Campaign' },
)
export type Campaign = Omit<Static<typeof Campaign>, 'audience' | 'variables'> & {
  variables: Record<string, string> | JsonText
  audience: Audience | JsonText
}

export const CampaignPreview = Type.Object(
  {
    audience: Type.Integer({ description: 'How many it would go to or skip.' }),
    skipped: Type.Unsafe<Record<string, number>>({ ...Counts, description: 'How many would be skipped, by reason.' }),
    samples: Type.Array(
      Type.Object({
        customerId: described(Id, 'Who would read it.'),
        text: described(Type.String(), 'The template, filled in.'),
      }),
      {
        maxItems: 3,
        description: 'What the first three of those that would get it would read.',
      },
    ),
    partial: Type.Optional(
      Type.Literal(true, {
        description:
          'Only there where the audience may hold more customers than a preview looks at: the numbers are of the first 200,000.',
      }),
    ),
  },
  { $id: 'CampaignPreview' },
)
export type CampaignPreview = Static<typeof CampaignPreview>

export const RecipientQuery = Type.Object({
  ...PageQuery.properties,
  outcome: Type.Optional(
    Type.Union(literals(outcomes), {
      description: 'Only recipients with this outcome.',
      ...message(`Must be one of ${outcomes.join(', ')}.`),
    }),
  ),
})
export type RecipientQuery = Static<typeof RecipientQuery>

export const Recipient = Type.Object(
  {
    customerId: described(Id, 'To whom.'),
    outcome: Type.Union(literals(outcomes), {
      description: '`pending`: not begun. `queued`: the message is with the channel. The others are final.',
    }),
    reason: Nullable(
      Type.String({
        pattern: '^[a-z][a-z_]{0,39}$',
        description: `Why it was skipped: ${reasons}, or the code with which the channel skipped it.`,
      }),
    ),
    messageId: described(Nullable(Id), 'The message that was written to them; null where none was.'),
    at: described(Time, 'When the outcome became known, or, of one not begun, when they became a recipient.'),
  },
  { $id: 'CampaignRecipient' },
)
export type Recipient = Static<typeof Recipient>

import { type Static, Type } from '@sinclair/typebox'
import { Condition } from '../../core/conditions/index.ts'
import {
  errorMessage,
  Id,
  Nullable,
  PageQuery,
  periodFilters,
  rangeQuery,
  StringMap,
  Time,
  textFilter,
  withDescription,
} from '../../core/schema.ts'
import { messageStatuses } from '../../core/statuses.ts'
import type { JsonText } from '../../platform/json-text.ts'
import { results, Within } from './results-schema.ts'

/** Maximum number of customers listed in an audience. */
export const maxNamed = 10_000

const statuses = ['draft', 'scheduled', 'running', 'paused', 'completed', 'cancelled'] as const
export type CampaignStatus = (typeof statuses)[number]

/** Query of the list of campaigns. */
export const CampaignQuery = Type.Object({
  ...rangeQuery().properties,
  q: textFilter(
    'Only campaigns whose name contains all words of this text, in any order. Case and accents are ignored.',
  ),
  status: Type.Optional(
    Type.Union(
      statuses.map(status => Type.Literal(status)),
      { description: 'Only campaigns with this status.', ...errorMessage(`Must be one of ${statuses.join(', ')}.`) },
    ),
  ),
})
export type CampaignQuery = Static<typeof CampaignQuery>

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
        customerIds: Type.Array(
          Type.String({ format: 'uuid', ...errorMessage('Must be the id of a customer, a UUID.') }),
          {
            minItems: 1,
            maxItems: maxNamed,
            description: 'IDs of the customers.',
            ...errorMessage('Must be a list of 1 to 10,000 ids of customers.'),
          },
        ),
      },
      { additionalProperties: false, $id: 'NamedAudience' },
    ),
  ],
  {
    $id: 'Audience',
    description:
      'Recipients: all customers (`all`), customers that match a condition on `customer.…` (`where`), or the listed customers (`customerIds`).',
    ...errorMessage('Must be exactly one of {all: true}, {where: condition} and {customerIds: [...]}.'),
  },
)
export type Audience = { all: true } | { where: Condition } | { customerIds: string[] }

const Variables = StringMap(
  Type.String({ maxLength: 1000, ...errorMessage('Must be a text of at most 1,000 characters.') }),
  {
    maxProperties: 100,
    description:
      'A value for each variable of the template. Values can contain placeholders such as `{{customer.name}}` and `{{customer.attributes.city|your town}}`.',
    ...errorMessage('Must be an object with a text for each variable of the template.'),
  },
)

const Name = Type.String({
  minLength: 1,
  maxLength: 200,
  pattern: '\\S',
  ...errorMessage('Must be a text of 1 to 200 characters.'),
})

const content = {
  name: withDescription(Name, 'Name of the campaign.'),
  channelId: withDescription(Id, 'ID of the channel that sends the campaign.'),
  templateId: withDescription(Id, 'ID of the template that is sent.'),
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
  ...errorMessage('Must be an object with at least one of name, channelId, templateId, variables and audience.'),
})
export type ChangeCampaign = Partial<CreateCampaign>

export const PreviewAudience = Type.Object(
  {
    channelId: content.channelId,
    templateId: content.templateId,
    variables: Type.Optional(Variables),
    audience: Audience,
  },
  { additionalProperties: false, $id: 'PreviewAudience' },
)
export type PreviewAudience = Omit<CreateCampaign, 'name'>

export const TestCampaign = Type.Object(
  {
    customerId: Type.String({
      format: 'uuid',
      description: 'ID of the customer who gets the message.',
      ...errorMessage('Must be the id of a customer, a UUID.'),
    }),
  },
  { additionalProperties: false, $id: 'TestCampaign' },
)
export type TestCampaign = Static<typeof TestCampaign>

export const StartCampaign = Type.Object(
  {
    at: Type.Optional(
      Type.String({
        format: 'date-time',
        description: 'Start time. Defaults to now. A time in the past starts the campaign immediately.',
      }),
    ),
  },
  { additionalProperties: false, $id: 'StartCampaign' },
)
export type StartCampaign = Static<typeof StartCampaign>

const Counts = Type.Record(Type.String(), Type.Integer({ minimum: 1 }))

const reasons =
  '`opted_out`, `no_opt_in` (a marketing template requires an opt-in), `no_address` (no address on the channel, or the customer was erased), `plan` (the plan no longer includes campaigns), `channel_disconnected`, `refused` (by the provider), `cancelled`, `template_missing`, `skipped_after_restore` (due for too long when the operator released a restored database)'

const Progress = Type.Object(
  {
    audience: Type.Integer({
      description: 'Number of recipients. It grows for a moment after the start, until all recipients are stored.',
    }),
    sent: Type.Integer({ description: 'Number of messages that the provider accepted.' }),
    skipped: withDescription(
      Type.Integer(),
      'Number of recipients that were skipped. `skippedBy` contains the reasons.',
    ),
    unknown: Type.Integer({
      description: 'Number of messages whose outcome is not known: sending began, and no result was received.',
    }),
    skippedBy: Type.Unsafe<Record<string, number>>({
      ...Counts,
      description: `Number of skipped recipients by reason: ${reasons}.`,
    }),
  },
  {
    $id: 'CampaignProgress',
    description: 'Progress of the campaign. At the end, `sent`, `skipped` and `unknown` add up to `audience`.',
  },
)

export const Campaign = Type.Object(
  {
    id: withDescription(Id, 'ID of the campaign.'),
    name: withDescription(Type.String(), 'Name of the campaign.'),
    channelId: withDescription(Id, 'ID of the channel that sends the campaign.'),
    templateId: withDescription(Id, 'ID of the template that is sent.'),
    variables: withDescription(
      Type.Record(Type.String(), Type.String()),
      'Value for each variable of the template, by name.',
    ),
    audience: Audience,
    status: withDescription(
      Type.Union(literals(statuses)),
      'Status of the campaign. `completed` and `cancelled` are final.',
    ),
    progress: Progress,
    scheduledAt: withDescription(Nullable(Time), 'Scheduled start time. Null if the campaign was not scheduled.'),
    startedAt: withDescription(Nullable(Time), 'Start time. Null before the start.'),
    finishedAt: withDescription(Nullable(Time), 'Time of completion or cancellation. Null before that.'),
    createdAt: withDescription(Time, 'Time of creation.'),
    updatedAt: withDescription(Time, 'Time of the last change.'),
  },
  { $id: 'Campaign' },
)
export type Campaign = Omit<Static<typeof Campaign>, 'audience' | 'variables'> & {
  variables: Record<string, string> | JsonText
  audience: Audience | JsonText
}

export const CampaignPreview = Type.Object(
  {
    audience: Type.Integer({ description: 'Number of recipients, including those who would be skipped.' }),
    skipped: Type.Unsafe<Record<string, number>>({
      ...Counts,
      description: 'Number of recipients who would be skipped, by reason.',
    }),
    withoutOptIn: Type.Integer({
      description:
        'Number of recipients who would get a message although they have not opted in. Always 0 for a marketing template.',
    }),
    samples: Type.Array(
      Type.Object({
        customerId: withDescription(Id, 'ID of the recipient.'),
        text: withDescription(Type.String(), 'Text of the template with its values.'),
      }),
      {
        maxItems: 3,
        description: 'Texts that the first three recipients would receive.',
      },
    ),
    partial: Type.Optional(
      Type.Literal(true, {
        description:
          'Only present if the workspace has more customers than a preview reads: 200,000, or 10,000 for a campaign that is not saved. The numbers then cover these.',
      }),
    ),
  },
  { $id: 'CampaignPreview' },
)
export type CampaignPreview = Static<typeof CampaignPreview>

/** Values of the filter `outcome`. */
const filters = [...outcomes, ...results] as const

export const RecipientQuery = Type.Object({
  ...PageQuery.properties,
  outcome: Type.Optional(
    Type.Union(literals(filters), {
      description: `Only recipients with this outcome, or who were sent a message with this result: ${results.join(', ')}.`,
      ...errorMessage(`Must be one of ${filters.join(', ')}.`),
    }),
  ),
  customerId: Type.Optional(
    Type.String({ format: 'uuid', description: 'Only this recipient.', ...errorMessage('Must be a UUID.') }),
  ),
  ...periodFilters('Only recipients with `at`'),
  within: Within,
})
export type RecipientQuery = Static<typeof RecipientQuery>

export const Recipient = Type.Object(
  {
    customerId: withDescription(Id, 'ID of the recipient.'),
    outcome: Type.Union(literals(outcomes), {
      description:
        '`pending`: not started. `queued`: the message is queued on the channel. All other outcomes are final.',
    }),
    reason: Nullable(
      Type.String({
        pattern: '^[a-z][a-z_]{0,39}$',
        description: `Why the recipient was skipped: ${reasons}, or the error code of the channel.`,
      }),
    ),
    messageId: withDescription(Nullable(Id), 'ID of the message to the recipient. Null if no message was created.'),
    messageStatus: Nullable(
      Type.Union(literals(messageStatuses), {
        description: 'Current status of the message. Null if no message was created, or if it was removed.',
      }),
    ),
    at: withDescription(Time, 'Time when the outcome became known. For `pending`: time when the recipient was added.'),
  },
  { $id: 'CampaignRecipient' },
)
export type Recipient = Static<typeof Recipient>

/** Schemas of the results of a campaign. */
import { type Static, Type } from '@sinclair/typebox'
import { durationPattern } from '../../core/duration.ts'
import { errorMessage, JsonNumber, Nullable, publishedKeywords, withDescription } from '../../core/schema.ts'

/** Results of a message that was sent, as values of a filter. */
export const results = ['delivered', 'read', 'failed', 'replied', 'opted_out', 'sale'] as const
export type Result = (typeof results)[number]

export const withinMessage = 'Must be a duration such as P7D, PT12H or 7d: more than 0, and at most 90 days.'

/** Query parameter with the time after a message in which effects count. The verb checks it. */
export const Within = Type.Optional(
  Type.String({
    maxLength: 40,
    default: 'P7D',
    ...publishedKeywords({ pattern: durationPattern }),
    description:
      'Time after the message in which a reply, an opt-out or a sale counts. ISO 8601 (`P7D`, `PT12H`) or short format (`7d`, `12h`), at most 90 days.',
    ...errorMessage(withinMessage),
  }),
)

export const ResultsQuery = Type.Object({ within: Within })
export type ResultsQuery = Static<typeof ResultsQuery>

const Count = (description: string) => Type.Integer({ minimum: 0, description })

export const CampaignResults = Type.Object(
  {
    sent: Count('Number of messages that the provider accepted. The other counts are parts of it.'),
    delivered: Count('Number of messages that were delivered, including those that were read.'),
    read: withDescription(
      Nullable(Type.Integer({ minimum: 0 })),
      'Number of messages that were read. Null if the channel cannot report it.',
    ),
    failed: Type.Array(
      Type.Object({
        reason: Type.String({
          description:
            'Reason of the provider. `unknown`: no reason was reported, or it was erased. `other`: the rest.',
        }),
        count: Count('Number of messages.'),
      }),
      {
        maxItems: 21,
        description:
          'Messages that failed after the provider had accepted them, by reason, most frequent first. At most 20 reasons; `other` has the rest.',
      },
    ),
    replied: Count('Number of customers who wrote in the conversation in this time. An opt-out is not a reply.'),
    optedOut: Count('Number of customers who opted out in this time, in any way.'),
    sales: Type.Object(
      {
        count: Count('Number of sales.'),
        customers: Count('Number of customers with a sale.'),
        amounts: Type.Array(
          Type.Object({
            currency: Type.String({ pattern: '^[A-Z]{3}$', description: 'ISO 4217 code.' }),
            amount: withDescription(JsonNumber, 'Sum of the sales. Parse it as a decimal.'),
          }),
          { description: 'Sums by currency, in alphabetical order.' },
        ),
      },
      { description: 'Sales of the recipients in this time. Voided sales do not count.' },
    ),
  },
  {
    $id: 'CampaignResults',
    description: 'Results of the messages of a campaign. `progress` of the campaign has the skipped customers.',
  },
)

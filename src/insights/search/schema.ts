import { type Static, Type } from '@sinclair/typebox'
import { errorMessage, Id, withDescription } from '../../core/schema.ts'

const types = [
  'event',
  'customer',
  'run',
  'message',
  'delivery',
  'outbound_event',
  'not_accepted',
  'webhook',
  'workflow',
  'conversation',
  'channel',
  'campaign',
  'template',
  'sale',
  'member',
] as const

export const SearchResult = Type.Object(
  {
    type: Type.Union(
      types.map(type => Type.Literal(type)),
      { description: 'Type of the record. `not_accepted`: a problem because of which events were rejected.' },
    ),
    id: withDescription(Id, 'ID of the record.'),
    title: Type.String({
      description: 'Title of the record: its name, the type of an event, or the beginning of a message.',
    }),
    detail: Type.String({ description: 'Type and status of the record, for people.' }),
  },
  { $id: 'SearchResult', description: 'A record that matches the search.' },
)
export type SearchResult = Static<typeof SearchResult>

/** The query of GET /v1/search. */
export const SearchQuery = Type.Object({
  q: Type.Optional(
    Type.String({
      maxLength: 200,
      pattern: '^[^\\u0000]*$',
      description:
        'Search text. IDs, addresses on a channel, and the `request_id` of a rejected request must be complete. Parts of words in any order are enough of a name of a customer, workflow, endpoint, template, campaign, channel or member, of a phone number, an external ID or the URL of an endpoint, and the start of the email address of a member. Case and accents are ignored. A phone number can contain spaces and punctuation, and at least three digits are needed for its end. Without search text, the result is empty.',
      ...errorMessage('Must be a text of at most 200 characters.'),
    }),
  ),
})
export type SearchQuery = Static<typeof SearchQuery>

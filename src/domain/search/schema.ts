import { type Static, Type } from '@sinclair/typebox'
import { described, Id, message } from '../schema.ts'

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
] as const

export const SearchResult = Type.Object(
  {
    type: Type.Union(
      types.map(type => Type.Literal(type)),
      { description: 'What kind of record it is; `not_accepted`: a problem because of which events were refused.' },
    ),
    id: described(Id, 'Of the record.'),
    title: Type.String({ description: 'What people know it by: a name, the type of an event, how a message begins.' }),
    detail: Type.String({ description: 'What kind of record it is and how it stands, for a person.' }),
  },
  { $id: 'SearchResult', description: 'A record that was found.' },
)
export type SearchResult = Static<typeof SearchResult>

/** The query of GET /v1/search. */
export const SearchQuery = Type.Object({
  q: Type.Optional(
    Type.String({
      maxLength: 200,
      pattern: '^[^\\u0000]*$',
      description:
        'An id of any record, the `request_id` of a refusal, a phone number however it is spaced, an external id or an address on a channel, each as a whole; or the beginning of the name of a customer, a workflow or an endpoint, however it is cased. Nothing is found without it.',
      ...message('Must be a text of at most 200 characters.'),
    }),
  ),
})
export type SearchQuery = Static<typeof SearchQuery>

import { type Static, Type } from '@sinclair/typebox'
import { errorMessage, Id, Time, withDescription } from '../../core/schema.ts'

const List = Type.String({
  minLength: 1,
  maxLength: 40,
  pattern: '^[a-z][a-z0-9_-]*$',
  ...errorMessage('Must be 1 to 40 lower-case letters, digits, "_" and "-", and start with a letter.'),
})

export const SaveView = Type.Object(
  {
    list: withDescription(List, 'Name of the list, chosen by the caller.'),
    name: Type.String({
      minLength: 1,
      maxLength: 60,
      pattern: '\\S',
      description:
        'Name of the view. It must be unique among your views of the list: a view with this name is replaced.',
      ...errorMessage('Must be a text of 1 to 60 characters.'),
    }),
    search: Type.String({
      maxLength: 2000,
      description: 'Filters of the view, for example a query string. The service does not interpret it.',
      ...errorMessage('Must be a text of at most 2,000 characters.'),
    }),
  },
  { additionalProperties: false, $id: 'SaveView' },
)
export type SaveView = Static<typeof SaveView>

export const SavedViewQuery = Type.Object(
  { list: Type.Optional(withDescription(List, 'Only views of this list.')) },
  { additionalProperties: false },
)
export type SavedViewQuery = Static<typeof SavedViewQuery>

export const SavedView = Type.Object(
  {
    id: withDescription(Id, 'ID of the view.'),
    list: withDescription(Type.String(), 'Name of the list.'),
    name: withDescription(Type.String(), 'Name of the view.'),
    search: withDescription(Type.String(), 'Filters of the view, as they were saved.'),
    createdAt: withDescription(Time, 'Time when the view was first saved.'),
  },
  { $id: 'SavedView' },
)
export type SavedView = Static<typeof SavedView>

export const SavedViews = Type.Object({
  data: Type.Array(SavedView, { description: 'At most 100 views, ordered by name.' }),
})
export type SavedViews = Static<typeof SavedViews>

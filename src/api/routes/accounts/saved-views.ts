import {
  deleteView,
  listViews,
  SavedView,
  SavedViewQuery,
  SavedViews,
  SaveView,
  saveView,
} from '../../../accounts/saved-views/index.ts'
import { type Operation, operation } from '../../operation.ts'

const tag = 'Saved views'

export const savedViewRoutes = (): Operation[] => [
  operation({
    method: 'GET',
    path: '/v1/saved-views',
    id: 'listSavedViews',
    verb: listViews,
    tag,
    summary: 'List your saved views',
    description: 'Returns your own saved views in the workspace, ordered by name. Other members do not see them.',
    query: SavedViewQuery,
    answers: { 200: { description: 'Your saved views.', schema: SavedViews, example: { data: [example()] } } },
    args: ({ query }) => [query],
  }),
  operation({
    method: 'POST',
    path: '/v1/saved-views',
    id: 'saveView',
    verb: saveView,
    tag,
    summary: 'Save a view',
    description:
      'Saves filters of a list under a name. A view of the list with the same name is replaced and keeps its ID. You can have 20 views of a list, and 100 in a workspace (422).',
    body: SaveView,
    example: { list: 'events', name: 'Orders without a workflow', search: 'type=order.created&started=false' },
    answers: {
      200: { description: 'The replaced view.', schema: SavedView, example: example() },
      201: { description: 'The new view.', schema: SavedView, example: example() },
    },
    errors: {
      unprocessable: 'you have 20 views of the list, or 100 in the workspace. Delete a view that is not used.',
    },
    args: ({ body }) => [body],
    answer: ({ view, isNew }) => ({ status: isNew ? 201 : 200, body: view }),
  }),
  operation({
    method: 'DELETE',
    path: '/v1/saved-views/:id',
    id: 'deleteSavedView',
    verb: deleteView,
    tag,
    summary: 'Delete a saved view',
    description: 'Deletes one of your own saved views.',
    answers: { 204: { description: 'The view is deleted.' } },
    args: ({ params }) => [params.id!],
  }),
]

function example(): SavedView {
  return {
    id: '01981b7e-3c00-7a51-9a64-1f0f5c3d7b31',
    list: 'events',
    name: 'Orders without a workflow',
    search: 'type=order.created&started=false',
    createdAt: '2026-03-01T09:30:00.000Z',
  }
}

import { inTransaction } from '../../core/context.ts'
import { DomainError, notFound } from '../../core/errors.ts'
import { isId } from '../../core/ids.ts'
import { verb } from '../../core/verb.ts'
import { findMembership, lockMembership } from '../members/index.ts'
import type { SavedView, SavedViewQuery, SavedViews, SaveView } from './schema.ts'
import { countOtherViews, deleteViewOf, selectViews, upsertView, type ViewRow } from './sql.ts'

/** Maximum number of views of one member (contract 2.12). */
const maxViews = { ofList: 20, all: 100 }

/** Lists the caller's own views in the workspace. */
export const listViews = verb(
  { by: 'member' },
  async ({ sql, caller }, { list }: SavedViewQuery): Promise<SavedViews> => {
    const { workspaceId, id: userId } = caller
    const memberId = requireMember(await findMembership(sql, workspaceId, userId))
    const rows = await selectViews(sql, { workspaceId, memberId, list: list ?? null })
    return { data: rows.map(shape) }
  },
)

/** Saves a view of the caller, or replaces the one with this name. The lock keeps concurrent calls within the limits. */
export const saveView = verb(
  { by: 'member' },
  (ctx, input: SaveView): Promise<{ view: SavedView; isNew: boolean }> =>
    inTransaction(ctx, async ({ sql, caller: { workspaceId, id: userId } }) => {
      const memberId = requireMember(await lockMembership(sql, workspaceId, userId))
      const view = { ...input, workspaceId, memberId }
      const { ofList, all } = await countOtherViews(sql, view)
      if (ofList >= maxViews.ofList) throw tooMany(`A member has at most ${maxViews.ofList} saved views of a list.`)
      if (all >= maxViews.all) throw tooMany(`A member has at most ${maxViews.all} saved views in a workspace.`)
      const { isNew, ...row } = await upsertView(sql, view)
      return { view: shape(row), isNew }
    }),
)

const tooMany = (limit: string): DomainError =>
  new DomainError('unprocessable', `${limit} Delete a view that is not used.`)

/** Deletes a view of the caller. */
export const deleteView = verb({ by: 'member' }, async ({ sql, caller }, id: string): Promise<void> => {
  const { workspaceId, id: userId } = caller
  const memberId = requireMember(await findMembership(sql, workspaceId, userId))
  if (!isId(id) || !(await deleteViewOf(sql, { workspaceId, memberId, id }))) throw notFound('saved view')
})

/** Fails if the member was removed after the session was checked. */
const requireMember = (memberId: string | null): string => {
  if (memberId === null) throw notFound('workspace')
  return memberId
}

const shape = ({ id, list, name, search, createdAt }: ViewRow): SavedView => ({
  id,
  list,
  name,
  search,
  createdAt: createdAt.toISOString(),
})

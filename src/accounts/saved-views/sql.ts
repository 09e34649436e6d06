import type { Sql } from '../../platform/postgres/client.ts'

export interface ViewRow {
  id: string
  list: string
  name: string
  search: string
  createdAt: Date
}

const columns = (sql: Sql) => sql`id, list, name, search, created_at as "createdAt"`

interface MemberRef {
  workspaceId: string
  memberId: string
}

/** Returns the views of a member, ordered by name. Null as `list` returns those of all lists. */
export const selectViews = (sql: Sql, p: MemberRef & { list: string | null }) => sql<ViewRow[]>`
  select ${columns(sql)} from saved_views
  where workspace_id = ${p.workspaceId} and member_id = ${p.memberId}
    ${p.list === null ? sql`` : sql`and list = ${p.list}`}
  order by lower(name collate pg_c_utf8), id`

/** Counts the other views of a member. A view with the same list and name is not counted, because it is replaced. */
export const countOtherViews = async (tx: Sql, p: MemberRef & { list: string; name: string }) => {
  const [row] = await tx<{ ofList: number; all: number }[]>`
    select count(*) filter (where list = ${p.list})::integer as "ofList", count(*)::integer as all from saved_views
    where workspace_id = ${p.workspaceId} and member_id = ${p.memberId} and (list, name) <> (${p.list}, ${p.name})`
  return row!
}

/** Inserts a view, or replaces the search of the one with the same list and name. */
export const upsertView = async (tx: Sql, p: MemberRef & { list: string; name: string; search: string }) => {
  const [row] = await tx<(ViewRow & { isNew: boolean })[]>`
    insert into saved_views as v (workspace_id, member_id, list, name, search)
    values (${p.workspaceId}, ${p.memberId}, ${p.list}, ${p.name}, ${p.search})
    on conflict (workspace_id, member_id, list, name) do update set search = excluded.search
    returning v.id, v.list, v.name, v.search, v.created_at as "createdAt", old.id is null as "isNew"`
  return row!
}

/** Deletes a view of the member. Returns false if the member has no such view. */
export const deleteViewOf = async (sql: Sql, p: MemberRef & { id: string }): Promise<boolean> => {
  const { count } = await sql`
    delete from saved_views where workspace_id = ${p.workspaceId} and id = ${p.id} and member_id = ${p.memberId}`
  return count === 1
}

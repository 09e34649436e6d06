/** SQL fragments that set customer attributes in the statement that writes the run. */
import type { Fragment, Sql } from '../platform/postgres/client.ts'
import { splitAttributes, validateAttributes } from './record.ts'
import { attributeLimits } from './schema.ts'

/** Attributes to set on a customer; null removes one. */
export interface AttributesToSet {
  workspaceId: string
  customerId: string
  runId: string
  set: Record<string, unknown>
}

/** Returns the merged attributes, or null if they exceed the limits of a customer. */
export const mergeAttributes = (
  attributes: Record<string, unknown>,
  set: Record<string, unknown>,
): Record<string, unknown> | null => {
  const { set: added, removed } = splitAttributes(set)
  const merged = Object.fromEntries(
    Object.entries({ ...attributes, ...added }).filter(([name]) => !removed.includes(name)),
  )
  try {
    validateAttributes(merged)
    return merged
  } catch {
    return null
  }
}

/**
 * CTE that merges attributes into customers, one row per customer. Customers whose attributes have since grown beyond
 * the limits stay unchanged, and so do erased ones. `condition` is a condition on the rows `s` (workspace_id, run_id). Does
 * not wait for locked customers; fails immediately with 55P03.
 */
export const updateMergedAttributes = (sql: Sql, rows: readonly AttributesToSet[], condition: Fragment) => sql`
  merged as (update customers c set attributes = s.attributes, updated_at = now()
  from (
    select held.workspace_id, held.id, (held.attributes || s.added) - s.removed as attributes
    from json_to_recordset(${JSON.stringify(rows.map(toRow))}::text::json)
      as s(workspace_id uuid, id uuid, run_id uuid, added jsonb, removed text[])
    cross join lateral (
      select * from customers held where held.workspace_id = s.workspace_id and held.id = s.id and probe_index(held.id)
        and held.erased_at is null
      for no key update nowait
    ) held
    where ${condition}
  ) s
  where c.workspace_id = s.workspace_id and c.id = s.id and probe_index(c.id)
    and (select count(*) from jsonb_object_keys(s.attributes)) <= ${attributeLimits.fields}
    and octet_length(s.attributes::text) <= ${2 * attributeLimits.bytes})`

const toRow = ({ workspaceId, customerId, runId, set }: AttributesToSet) => {
  const { set: added, removed } = splitAttributes(set)
  return { workspace_id: workspaceId, id: customerId, run_id: runId, added, removed }
}

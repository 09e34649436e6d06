/** Erases personal data of a customer in rejected requests. */
import type { Sql } from '../../platform/postgres/client.ts'

/** Minimum word length. Shorter words match too many rejected requests of other people. */
const minLength = 3

/**
 * Deletes the workspace's rejected requests that name a field or an event type with one of these words, by which a
 * customer was known. Rejected requests contain field names and the type of the event, but no other values. A workspace has few of them,
 * regardless of its age.
 */
export const eraseRejectedRequests = async (sql: Sql, workspaceId: string, words: readonly string[]): Promise<void> => {
  const wanted = words.flatMap(spellingsOf).filter(({ length }) => length >= minLength)
  if (wanted.length === 0) return
  await sql`
    delete from rejected_requests r
    where r.workspace_id = ${workspaceId} and exists (
      select from unnest(${wanted}::text[]) as word
      where exists (select from jsonb_object_keys(r.details) field where strpos(lower(field), word) > 0)
        or r.details is null and strpos(lower(r.message), word) > 0
        or strpos(lower(r.sample ->> 'type'), word) > 0
        or exists (select from jsonb_path_query(r.sample, '$.** ? (@.type() == "object").keyvalue().key') field
          where strpos(lower(field #>> '{}'), word) > 0))`
}

/** Matches a phone number also without its plus. */
const spellingsOf = (word: string): string[] => {
  const lower = word.toLowerCase()
  return lower.startsWith('+') ? [lower.slice(1)] : [lower]
}

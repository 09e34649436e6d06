/** Erasing what Not accepted repeats of a customer. */
import type { Sql } from '../../db/client.ts'

/** Shorter words are in too much that tells of nobody. */
const minLength = 3

/**
 * Of what was sent a refusal repeats the names of fields, and no value. Removes the workspace's problems that name a field by one of these words, by which a customer was known: no id leads to
 * them. There are few, however long the workspace has been there.
 */
export const eraseRefusalsWith = async (sql: Sql, workspaceId: string, words: readonly string[]): Promise<void> => {
  const wanted = words.flatMap(spellingsOf).filter(({ length }) => length >= minLength)
  if (wanted.length === 0) return
  await sql`
    delete from refusals r
    where r.workspace_id = ${workspaceId} and exists (
      select from unnest(${wanted}::text[]) as word
      where exists (select from jsonb_object_keys(r.details) field where strpos(lower(field), word) > 0)
        or r.details is null and strpos(lower(r.message), word) > 0)`
}

/** A number is also written without its plus. */
const spellingsOf = (word: string): string[] => {
  const small = word.toLowerCase()
  return small.startsWith('+') ? [small.slice(1)] : [small]
}

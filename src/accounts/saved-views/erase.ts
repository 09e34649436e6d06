/** Erases personal data of a customer in saved views. */
import { directoryOf } from '../../platform/postgres/cells.ts'
import type { Sql } from '../../platform/postgres/client.ts'

/** Minimum word length. Shorter words match too many views about other people. */
const minLength = 3

/**
 * Deletes the workspace's views whose name or search contains one of these words, by which a customer was known. A view
 * only names a customer in the text that a member typed.
 */
export const eraseSavedViews = async (sql: Sql, workspaceId: string, words: readonly string[]): Promise<void> => {
  const wanted = [...new Set(words.filter(({ length }) => length >= minLength).flatMap(spellingsOf))]
  if (wanted.length === 0) return
  await directoryOf(sql)`
    delete from saved_views v
    where v.workspace_id = ${workspaceId} and exists (
      select from unnest(${wanted}::text[]) as word
      where strpos(lower(v.name collate pg_c_utf8), word) > 0 or strpos(lower(v.search collate pg_c_utf8), word) > 0)`
}

/** Returns a word as it can be in a text or a query string, in lower case. Matches a phone number without its plus. */
const spellingsOf = (word: string): string[] => {
  const plain = word.startsWith('+') ? word.slice(1) : word
  return [plain, plain.toLowerCase()].flatMap(text =>
    [text, encodeURIComponent(text), String(new URLSearchParams({ q: text })).slice(2)].map(spelling =>
      spelling.toLowerCase(),
    ),
  )
}

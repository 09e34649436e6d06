import type { Sql } from '../../platform/postgres/client.ts'

export const findWords = async (sql: Sql, workspaceId: string): Promise<string[]> => {
  const [row] = await sql<{ words: string[] }[]>`
    select to_json(words) as words from opt_out_words where workspace_id = ${workspaceId}`
  return row?.words ?? []
}

/** Returns whether the new words differ from the old ones. */
export const replaceWords = async (sql: Sql, p: { workspaceId: string; words: string[]; normalised: string[] }) => {
  const [row] = await sql<{ differs: boolean }[]>`
    insert into opt_out_words (workspace_id, words, normalised)
    values (${p.workspaceId}, ${p.words}::text[], ${p.normalised}::text[])
    on conflict (workspace_id) do update set words = excluded.words, normalised = excluded.normalised, updated_at = now()
    returning coalesce(old.words, '{}') <> new.words as differs`
  return row!.differs
}

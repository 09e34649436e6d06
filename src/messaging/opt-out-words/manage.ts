import { withAudit } from '../../accounts/audit/index.ts'
import { type Details, invalidRequest } from '../../core/errors.ts'
import { normalizeWord } from '../../core/opt-out-words.ts'
import { verb } from '../../core/verb.ts'
import type { OptOutWords } from './schema.ts'
import { findWords, replaceWords } from './sql.ts'

/** Returns the workspace's own opt-out words, without the published words that apply everywhere. */
export const readOptOutWords = verb(
  { by: 'member' },
  async ({ sql, caller }): Promise<OptOutWords> => ({ words: await findWords(sql, caller.workspaceId) }),
)

/** Replaces the workspace's opt-out words. New messages are compared with them immediately. */
export const replaceOptOutWords = verb({ by: 'owner' }, async (ctx, input: OptOutWords): Promise<OptOutWords> => {
  const words = input.words.map(word => word.trim())
  const compared = words.map(word => normalizeWord(word) ?? '')
  const faults = faultsOf(words, compared)
  if (Object.keys(faults).length > 0) throw invalidRequest(faults)
  const { workspaceId } = ctx.caller
  await withAudit(
    ctx,
    ({ sql }) => replaceWords(sql, { workspaceId, words, normalised: compared }),
    differs =>
      differs
        ? { action: 'replaceOptOutWords', target: { type: 'workspace', id: workspaceId }, detail: { words } }
        : null,
  )
  return { words }
})

const faultsOf = (words: string[], compared: string[]): Details =>
  Object.fromEntries(
    compared.flatMap((word, index) => {
      const first = compared.indexOf(word)
      if (normalizeWord(words[index]!) === null)
        return [[`words.${index}`, 'Is too long after normalization (NFKC). Use simpler characters.']]
      if (word === '') return [[`words.${index}`, 'Must contain a letter or a digit.']]
      return first < index
        ? [[`words.${index}`, `Is the same word as words.${first} after normalization. Remove one.`]]
        : []
    }),
  )

import { audited } from '../audited.ts'
import { type Details, invalidRequest } from '../errors.ts'
import { verb } from '../verb.ts'
import type { OptOutWords } from './schema.ts'
import { findWords, replaceWords } from './sql.ts'
import { comparedAs } from './words.ts'

/** Returns the workspace's own opt-out words, without the published words that apply everywhere. */
export const readOptOutWords = verb(
  { by: 'member' },
  async ({ sql, caller }): Promise<OptOutWords> => ({ words: await findWords(sql, caller.workspaceId) }),
)

/** Replaces the workspace's opt-out words. New messages are compared with them immediately. */
export const replaceOptOutWords = verb({ by: 'owner' }, async (ctx, input: OptOutWords): Promise<OptOutWords> => {
  const words = input.words.map(word => word.trim())
  const compared = words.map(word => comparedAs(word) ?? '')
  const faults = faultsOf(words, compared)
  if (Object.keys(faults).length > 0) throw invalidRequest(faults)
  const { workspaceId } = ctx.caller
  await audited(
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
    compared.flatMap((word, place) => {
      const first = compared.indexOf(word)
      if (comparedAs(words[place]!) === null)
        return [[`words.${place}`, 'Is too long as messages are compared (NFKC); use simpler characters.']]
      if (word === '') return [[`words.${place}`, 'Must hold a letter or a digit: of a message nothing else counts.']]
      return first < place ? [[`words.${place}`, `Is the same as words.${first}, as messages are compared.`]] : []
    }),
  )

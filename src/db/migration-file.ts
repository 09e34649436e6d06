/**
 * What a migration's file says of itself, in comments that stand alone on their lines:
 *
 *   -- least compatible: 019            builds whose last migration is older than 019 cannot work with it
 *   -- online                           not one transaction, but steps of one statement each, which traffic hardly notices
 *   -- step                             what follows is a step
 *   -- step: again until nothing changes  the same, over and over until it changes no row: a back-fill, page by page
 */

/** A statement of an online migration, sent by itself. It may be run again: an interrupted migration begins anew. */
export interface Step {
  sql: string
  /** Run until it changes no row. */
  again: boolean
  /** Builds or drops an index while the table is in use: it waits long for others, but nobody for it. */
  concurrent: boolean
  /** The index that it builds in that way; null where it does something else. */
  index: string | null
}

/** How a migration is applied, and which builds can live with it. */
export interface MigrationPlan {
  /** The beginning of a migration's name, its number as a rule; null = every build can. */
  leastCompatible: string | null
  /** null = one transaction. */
  steps: Step[] | null
}

/** Throws an Error that says what is wrong with the file. */
export const planOf = (text: string): MigrationPlan => {
  const lines = text.split('\n').map(line => line.trim())
  const odd = lines.find(line => looksLikeOne.test(line) && !isOne.test(line))
  if (odd !== undefined) throw new Error(`"${odd}" is nothing that a migration can say of itself.`)
  const leastCompatible = lines.map(line => compatible.exec(line)?.[1]).find(found => found !== undefined) ?? null
  return { leastCompatible, steps: lines.includes('-- online') ? stepsOf(text) : null }
}

const compatible = /^-- least compatible: (\w+)$/
const stepMark = /^[ \t]*-- step(: again until nothing changes)?[ \t]*$/m
const isOne = new RegExp(`${compatible.source}|^-- online$|${stepMark.source}`)
/** A misspelt one would be taken for a comment. */
const looksLikeOne = /^--\s*(least.?compatible|online|step)\b\W*(\S+\W*){0,4}$/i

const stepsOf = (text: string): Step[] => {
  const [before, ...parts] = text.split(stepMark)
  if (withoutComments(before!) !== '') throw new Error('An online migration begins with a step.')
  const steps: Step[] = []
  // The mark is split off with what it says, so that each second part is a statement.
  for (let n = 0; n < parts.length; n += 2) {
    const sql = parts[n + 1]!
    const statement = withoutComments(sql)
    const concurrent = /\bconcurrently\b/i.test(statement)
    steps.push({ sql, again: parts[n] !== undefined, concurrent, index: concurrent ? indexOf(statement) : null })
  }
  return steps
}

const withoutComments = (text: string): string => text.replace(/--.*$/gm, '').trim()

/** Throws where it could not be run a second time. */
const indexOf = (statement: string): string | null => {
  if (/^drop\s+index\s+concurrently\s+if\s+exists\s+\w+\s*;?$/i.test(statement)) return null
  const index = /^create\s+(?:unique\s+)?index\s+concurrently\s+if\s+not\s+exists\s+(\w+)\s+on\s/i.exec(statement)?.[1]
  if (index !== undefined) return index
  throw new Error(
    'A step builds an index by "create index concurrently if not exists NAME on …", and drops one by "drop index concurrently if exists NAME".',
  )
}

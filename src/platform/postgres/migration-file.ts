/**
 * Parses the directives of a migration file. A directive is a comment on its own line:
 *
 *   -- least compatible: 012              builds whose last migration is older than 012 cannot use the database
 *   -- online                             runs in steps of one statement each, with little effect on traffic
 *   -- step                               starts a step
 *   -- step: again until nothing changes  starts a step that repeats until it changes no row, such as an update in pages
 */

/**
 * Statement of an online migration, sent separately. It must be safe to run again, because an interrupted migration
 * starts from the beginning.
 */
export interface Step {
  sql: string
  /** Repeat until it changes no row. */
  repeat: boolean
  /**
   * Builds or drops an index while the table is in use. It can wait long for other sessions, but no session waits for
   * it.
   */
  concurrent: boolean
  /** Name of the index that it builds concurrently, or null. */
  index: string | null
}

/** Steps of a migration and its compatibility with older builds. */
export interface MigrationPlan {
  /** Start of a migration name, usually its number. Null if every build is compatible. */
  leastCompatible: string | null
  /** Steps, or null for one transaction. */
  steps: Step[] | null
}

/** Parses a migration file. Throws an Error that says what is wrong with it. */
export const parseMigration = (text: string): MigrationPlan => {
  const lines = text.split('\n').map(line => line.trim())
  const invalid = lines.find(line => looksLikeDirective.test(line) && !isDirective.test(line))
  if (invalid !== undefined) throw new Error(`"${invalid}" is not a valid migration header.`)
  const leastCompatible = lines.map(line => compatible.exec(line)?.[1]).find(found => found !== undefined) ?? null
  return { leastCompatible, steps: lines.includes('-- online') ? parseSteps(text) : null }
}

const compatible = /^-- least compatible: (\w+)$/
const stepDirective = /^[ \t]*-- step(: again until nothing changes)?[ \t]*$/m
const isDirective = new RegExp(`${compatible.source}|^-- online$|${stepDirective.source}`)
/** Finds misspelt directives, which would otherwise be treated as comments. */
const looksLikeDirective = /^--\s*(least.?compatible|online|step)\b\W*(\S+\W*){0,4}$/i

const parseSteps = (text: string): Step[] => {
  const [before, ...parts] = text.split(stepDirective)
  if (withoutComments(before!) !== '') throw new Error('An online migration must begin with a step.')
  const steps: Step[] = []
  // The split also returns the group of the mark, so that every second part is a statement.
  for (let n = 0; n < parts.length; n += 2) {
    const sql = parts[n + 1]!
    const statement = withoutComments(sql)
    const concurrent = /\bconcurrently\b/i.test(statement)
    steps.push({
      sql,
      repeat: parts[n] !== undefined,
      concurrent,
      index: concurrent ? parseIndexName(statement) : null,
    })
  }
  return steps
}

const withoutComments = (text: string): string => text.replace(/--.*$/gm, '').trim()

/** Returns the name of the index. Throws if the statement cannot be run twice. */
const parseIndexName = (statement: string): string | null => {
  if (/^drop\s+index\s+concurrently\s+if\s+exists\s+\w+\s*;?$/i.test(statement)) return null
  const index = /^create\s+(?:unique\s+)?index\s+concurrently\s+if\s+not\s+exists\s+(\w+)\s+on\s/i.exec(statement)?.[1]
  if (index !== undefined) return index
  throw new Error(
    'A step must be "create index concurrently if not exists NAME on …" or "drop index concurrently if exists NAME".',
  )
}

/** Splits a text into its statements, without comments. Knows quoted texts and names, and the bodies of functions (`$$`). */
export const splitStatements = (text: string): string[] => {
  const statements = ['']
  for (const [part] of text.matchAll(parts))
    if (part === ';') statements.push('')
    else if (!part.startsWith('--')) statements[statements.length - 1] += part
  return statements.map(statement => statement.trim()).filter(statement => statement !== '')
}

const parts = /\$(\w*)\$[\s\S]*?\$\1\$|'[^']*'|"[^"]*"|--.*|;|[^;'"$-]+|[\s\S]/g

/**
 * Records the real execution of each statement. A pool reports the plan of every statement, with the rows and the pages
 * that each node read.
 */
import { connect, type Database } from '../../src/platform/postgres/client.ts'
import type { Statement } from './statements.ts'

/** A node of a plan, as `explain (analyze, buffers, format json)` returns it. */
export interface PlanNode {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Index Cond'?: string
  Filter?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  'Rows Removed by Join Filter'?: number
  'Rows Removed by Index Recheck'?: number
  'Shared Hit Blocks'?: number
  'Shared Read Blocks'?: number
  Plans?: PlanNode[]
}

export interface Executed {
  text: string
  plan: PlanNode
}

export interface Watched {
  sql: Database
  /** Returns the statements executed since the last call. */
  executed(): Executed[]
  end(): Promise<void>
}

/**
 * `generic`: the plans that prepared statements get after several executions. `custom`: plans for the given values.
 */
export type PlanKind = 'generic' | 'custom'

export const watched = (url: string, kind: PlanKind): Watched => {
  let told: Executed[] = []
  const settings = new URL(url)
  for (const [name, value] of Object.entries({
    session_preload_libraries: 'auto_explain',
    'auto_explain.log_min_duration': '0',
    'auto_explain.log_analyze': 'on',
    'auto_explain.log_buffers': 'on',
    'auto_explain.log_timing': 'off',
    'auto_explain.log_format': 'json',
    'auto_explain.log_level': 'notice',
    plan_cache_mode: `force_${kind}_plan`,
  }))
    settings.searchParams.set(name, value)
  const sql = connect({
    url: settings.href,
    max: 1,
    applicationName: 'plans',
    onnotice: ({ message }) => {
      const plan = message?.match(/^duration: .*? plan:\s*(\{.*)$/s)?.[1]
      if (plan === undefined) return
      const { 'Query Text': text, Plan } = JSON.parse(plan) as { 'Query Text': string; Plan: PlanNode }
      told.push({ text, plan: Plan })
    },
  })
  return {
    sql,
    executed: () => {
      const all = told
      told = []
      return all
    },
    end: () => sql.end({ timeout: 1 }),
  }
}

/** Returns the number of pages that the whole plan read. */
export const pagesOf = (plan: PlanNode): number => (plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0)

/** Returns every node of the plan with the number of rows it processed. */
export const nodesOf = (plan: PlanNode): { node: PlanNode; rows: number }[] => [
  { node: plan, rows: rowsOf(plan) },
  ...(plan.Plans ?? []).flatMap(nodesOf),
]

const rowsOf = (node: PlanNode): number =>
  Math.round(
    node['Actual Loops'] *
      (node['Actual Rows'] +
        (node['Rows Removed by Filter'] ?? 0) +
        (node['Rows Removed by Join Filter'] ?? 0) +
        (node['Rows Removed by Index Recheck'] ?? 0)),
  )

/** Returns one readable line that identifies the node. */
export const nameOfNode = (node: PlanNode): string =>
  [
    node['Node Type'],
    node['Index Name'] ?? node['Relation Name'],
    node['Index Cond'],
    node.Filter && `where ${node.Filter}`,
  ]
    .filter(part => part !== undefined)
    .join(' ')

/** Returns the statement that a text belongs to: the one with the longest common prefix. */
export const statementOf = (text: string, statements: readonly Statement[]): Statement | null => {
  const told = plain(text)
  let best: { statement: Statement; shared: number } | null = null
  for (const statement of statements)
    for (const { sql } of statement.variants) {
      const shared = sharedBeginning(told, plain(sql))
      if (shared > (best?.shared ?? 20)) best = { statement, shared }
    }
  return best?.statement ?? null
}

/** Removes parameter numbers and normalises white space. */
const plain = (text: string): string =>
  text
    .replace(/\$\d+/g, '$')
    .replace(/["\s]+/g, ' ')
    .trim()

const sharedBeginning = (one: string, other: string): number => {
  let length = 0
  while (length < one.length && one[length] === other[length]) length++
  return length
}

/**
 * Records the real execution of each statement. A pool reports the plan of every statement, with the rows and the pages
 * that each node read.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import ts from 'typescript'
import { connect, type Database } from '../../src/platform/postgres/client.ts'
import { keyOf, kindOf } from './catalogue.ts'

/** A node of a plan, as `explain (analyze, buffers, format json)` returns it. */
export interface PlanNode {
  'Node Type': string
  'Relation Name'?: string
  Alias?: string
  'Index Name'?: string
  'Index Cond'?: string
  'Recheck Cond'?: string
  Filter?: string
  'Join Type'?: string
  'Hash Cond'?: string
  'Merge Cond'?: string
  'Join Filter'?: string
  'Total Cost'?: number
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  'Rows Removed by Join Filter'?: number
  'Rows Removed by Index Recheck'?: number
  'Shared Hit Blocks'?: number
  'Shared Read Blocks'?: number
  'Temp Written Blocks'?: number
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

export const watched = (url: string, kind: PlanKind, max = 1): Watched => {
  let noticed: Executed[] = []
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
    max,
    applicationName: 'plans',
    onnotice: ({ message }) => {
      const plan = message?.match(/^duration: .*? plan:\s*(\{.*)$/s)?.[1]
      if (plan === undefined) return
      const { 'Query Text': text, Plan } = JSON.parse(plan) as { 'Query Text': string; Plan: PlanNode }
      noticed.push({ text, plan: Plan })
    },
  })
  return {
    sql,
    executed: () => {
      const all = noticed
      noticed = []
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

/** Returns the tables of a plan. Tables of Graphile Worker begin with an underscore. */
export const tablesOf = (plan: PlanNode): string[] => nodesOf(plan).flatMap(({ node }) => node['Relation Name'] ?? [])

/**
 * Returns which workspaces a plan reads. `one`: a value limits every tenant table to one workspace. `rows`: other rows
 * limit every tenant table to their workspaces. `several`: two different values. `across`: a table has no limit.
 * `none`: the plan reads no tenant table.
 */
export const reachOf = (plan: PlanNode): 'none' | 'one' | 'rows' | 'several' | 'across' => {
  const scans = nodesOf(plan).filter(
    ({ node }) => node['Node Type'].endsWith(' Scan') && kindOf(node['Relation Name'] ?? 'plans') === 'tenant',
  )
  const aliases = scans.map(({ node }) => node.Alias)
  const limits = scans.map(({ node }) => {
    const key = keyOf(node['Relation Name']!)
    const own = [node['Index Cond'], node['Recheck Cond'], node.Filter].flatMap(condition => limitsIn(condition, key))
    const joined = joinsOf(plan, node).flatMap(condition => limitsIn(condition, `${node.Alias}.${key}`))
    // Two tables that are joined limit each other only if one of them is limited.
    return [...own, ...joined.filter(limit => !aliases.includes(limit.split('.')[0]!))]
  })
  if (limits.length === 0) return 'none'
  if (limits.some(limit => limit.length === 0)) return 'across'
  // A generic plan has a parameter for each use of the same value.
  const values = new Set(limits.flat().filter(limit => /^'[^']*'::uuid$/.test(limit)))
  if (values.size > 1) return 'several'
  return values.size === 1 || limits.flat().some(limit => /^\$\d+$/.test(limit)) ? 'one' : 'rows'
}

/** Returns the conditions of the joins that every row of the scan passes: not those of an outer join that keeps it. */
const joinsOf = (plan: PlanNode, scan: PlanNode): (string | undefined)[] =>
  nodesOf(plan).flatMap(({ node }) => {
    const { 'Join Type': type = 'None', Plans: [left, right] = [] } = node
    const sides = { Inner: [left, right], Semi: [left, right], Left: [right], Right: [left] }[type] ?? []
    const isWithin = sides.some(side => side && nodesOf(side).some(one => one.node === scan))
    return isWithin ? [node['Hash Cond'], node['Merge Cond'], node['Join Filter']] : []
  })

/** Returns what a condition compares the key with in every row that passes. */
const limitsIn = (condition = '', key: string): string[] => {
  let depth = 0
  const bare = condition.replace(/^\((.*)\)$/s, '$1')
  // Marks the operators outside of inner parentheses.
  const outer = bare.replaceAll(/[()]| (?:AND|OR) /g, part => {
    depth += { '(': 1, ')': -1 }[part] ?? 0
    return depth === 0 && part.length > 1 ? part.replaceAll(' ', '\n') : part
  })
  const alternatives = outer.split('\nOR\n')
  if (alternatives.length > 1) {
    const found = alternatives.map(part => limitsIn(part, key))
    return found.every(limits => limits.length > 0) ? found.flat() : []
  }
  const clauses = outer.split('\nAND\n')
  if (clauses.length > 1) return clauses.flatMap(part => limitsIn(part, key))
  const [left, right, ...others] = bare.split(' = ')
  if (right === undefined || others.length > 0) return []
  return left === key ? [right] : right === key ? [left!] : []
}

/** A tagged template of src. */
export interface Template {
  /** The top-level function, constant or method (`LeaseHolder.take`) that contains it. */
  name: string
  path: string
  /** The texts between the values and fragments. */
  parts: string[]
  hasFragments: boolean
}

export const readTemplates = (): Template[] => {
  const src = resolve(import.meta.dir, '../../src')
  return readdirSync(src, { recursive: true, encoding: 'utf8' })
    .filter(path => path.endsWith('.ts'))
    .flatMap(path => templatesIn(path, readFileSync(join(src, path), 'utf8')))
}

const templatesIn = (path: string, text: string): Template[] => {
  const found: Template[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isTaggedTemplateExpression(node)) {
      const { template } = node
      const parts = ts.isNoSubstitutionTemplateLiteral(template)
        ? [template.text]
        : [template.head.text, ...template.templateSpans.map(({ literal }) => literal.text)]
      const values = ts.isTemplateExpression(template) ? template.templateSpans.map(({ expression }) => expression) : []
      const hasFragments = values.some(value => /\b(sql|tx)\b/.test(value.getText()))
      found.push({ name: nameOf(node), path, parts, hasFragments })
    }
    ts.forEachChild(node, visit)
  }
  visit(ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true))
  return found
}

const nameOf = (node: ts.Node): string => {
  if (!node.parent) return ''
  const own =
    ts.isClassElement(node) || ts.isClassDeclaration(node) || ts.isFunctionDeclaration(node)
      ? node.name
      : ts.isVariableDeclaration(node) && ts.isSourceFile(node.parent.parent.parent)
        ? node.name
        : undefined
  return [nameOf(node.parent), own?.getText()].filter(Boolean).join('.')
}

/** Returns whether the text contains the texts of the template, in this order. */
export const comesFrom = (text: string, { parts }: Template): boolean => {
  let from = 0
  return parts.every(part => {
    const at = text.indexOf(part, from)
    from = at + part.length
    return at >= 0
  })
}

/** Returns whether the template is a statement, and not a part of one such as `name as (…)`. */
export const isStatement = ({ parts }: Template): boolean =>
  /^\s*(select|insert|update|delete|with|lock)\b/.test(parts[0]!)

/** Functions that put any statement into another one. */
const wrappers = ['withinPageBytes']

/** Returns the statement that a text comes from: the longest with the same beginning, or the wrapped one. */
export const templateOf = (text: string, templates: readonly Template[]): Template | undefined => {
  const isSource = (template: Template) => isStatement(template) && comesFrom(text, template)
  // Comparing the beginnings first saves most of the search, which is repeated for thousands of executions.
  const sameBeginning = templates.filter(template => text.startsWith(template.parts[0]!))
  const whole = longest(sameBeginning.filter(isSource)) ?? longest(templates.filter(isSource))
  return whole && wrappers.includes(whole.name)
    ? longest(templates.filter(one => one !== whole && isSource(one)))
    : whole
}

const longest = (templates: Template[]): Template | undefined =>
  templates.reduce<Template | undefined>(
    (best, one) => (best && lengthOf(best) >= lengthOf(one) ? best : one),
    undefined,
  )

const lengthOf = ({ parts }: Template): number => parts.join('').length

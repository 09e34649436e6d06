/** `verify`: checks that the records of one workspace or all workspaces are complete and match their counters. */
import { findOpen } from '../../accounts/workspaces/index.ts'
import { type Config, hasCells } from '../../config.ts'
import { isId } from '../../core/ids.ts'
import { checkNames, type Verification, verifyWorkspace, zeroes } from '../../insights/verify/index.ts'
import type { Database } from '../../platform/postgres/client.ts'
import { formatTable } from './table.ts'
import { type Command, parseArguments, UsageError } from './usage.ts'
import { labelOf, withMigratedDatabase } from './with-database.ts'

export const verifyUsages = ['verify [--workspace ID] [--json], for example verify --json > report.json'] as const

/** Maximum number of differences in a report. */
const maxListed = 200

/** Result of all verified workspaces. */
export interface VerifyReport extends Verification {
  balanced: boolean
  workspaces: number
}

/** Exits with 0 if everything matches, 1 if something differs or a cell was skipped, and 2 if the check cannot run. */
export const verify: Command = args => {
  const { values } = parseArguments(
    { args, options: { workspace: { type: 'string' }, json: { type: 'boolean' } } },
    verifyUsages,
  )
  const id = values.workspace ?? null
  if (id !== null && !isId(id)) throw new UsageError(`--workspace must be an ID, not "${id}".`, verifyUsages)
  return (config: Config) =>
    withMigratedDatabase(config, async cells => {
      const reports =
        id === null
          ? await cells.each(async ({ sql, label }) => ({ label, report: await verifyAll(sql) }))
          : [
              {
                label: labelOf({ cells: [], citus: false }, ''),
                report: await verifyAll(await cells.ofWorkspace(id), id),
              },
            ]
      const objects = reports.map(({ label, report }) => ({ ...label.field, ...report }))
      const json = id === null && hasCells(config) ? objects : objects[0]
      const text = reports.map(({ label, report }) => label.heading + format(report)).join('')
      process.stdout.write(values.json ? `${JSON.stringify(json, null, 2)}\n` : text)
      return reports.every(({ report }) => report.balanced) ? cells.status : 1
    })
}

/**
 * Verifies one open workspace after the other. `only` is the id of a single one. Throws WorkspaceError if it is unknown
 * or closed.
 */
export const verifyAll = async (sql: Database, only: string | null = null): Promise<VerifyReport> => {
  let total: Omit<VerifyReport, 'balanced'> = { ...nothing, workspaces: 0 }
  for (const id of await findOpen(sql, only)) total = add(total, await verifyWorkspace(sql, id))
  return { balanced: Object.values(total.differing).every(count => count === 0), ...total }
}

const nothing: Verification = { checked: zeroes(), differing: zeroes(), differences: [], notCompared: [] }

const add = (
  { workspaces, ...sum }: Omit<VerifyReport, 'balanced'>,
  one: Verification,
): Omit<VerifyReport, 'balanced'> => ({
  workspaces: workspaces + 1,
  checked: addEach(sum.checked, one.checked),
  differing: addEach(sum.differing, one.differing),
  differences: [...sum.differences, ...one.differences].slice(0, maxListed),
  notCompared: [...new Set([...sum.notCompared, ...one.notCompared])],
})

const addEach = (one: Verification['checked'], other: Verification['checked']): Verification['checked'] =>
  Object.fromEntries(checkNames.map(name => [name, one[name] + other[name]])) as Verification['checked']

const format = ({ balanced, workspaces, checked, differing, differences, notCompared }: VerifyReport): string => {
  const rows = checkNames.map(name => [name, String(checked[name]), String(differing[name])])
  const total = Object.values(differing).reduce((sum, count) => sum + count, 0)
  return [
    formatTable([['RECORDS', 'CHECKED', 'DIFFERENCES'], ...rows]),
    ...differences.map(
      ({ check, id, workspaceId, problem }) => `${check} ${id} (workspace ${workspaceId}): ${problem}\n`,
    ),
    ...(total > differences.length ? [`${total - differences.length} more differences are not listed.\n`] : []),
    ...(notCompared.length > 0
      ? [`Not compared, because data retention has removed what they count: ${notCompared.join(', ')}.\n`]
      : []),
    balanced
      ? `Everything matches in ${workspaces} ${workspaces === 1 ? 'workspace' : 'workspaces'}.\n`
      : `${total} ${total === 1 ? 'record differs' : 'records differ'}.\n`,
  ].join('')
}

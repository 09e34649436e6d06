/** `pause` and `resume`: stop and continue deliveries, messages, runs or campaigns. */
import { isId } from '../../core/ids.ts'
import type { Database } from '../../platform/postgres/client.ts'
import { isPausable, type PausableKind, pausableKinds } from '../../queue/pauses/index.ts'
import { changePause } from '../pauses.ts'
import { type Command, parseArguments, UsageError } from './usage.ts'
import { type CellLabel, withMigration } from './with-database.ts'

const usageOf = (name: 'pause' | 'resume') =>
  `${name} ${pausableKinds.join('|')} [--workspace ID] [--json], for example ${name} deliveries`

export const pauseUsages = [usageOf('pause')] as const
export const resumeUsages = [usageOf('resume')] as const

const commandOf =
  (name: 'pause' | 'resume', usages: readonly string[]): Command =>
  args => {
    const { values, positionals } = parseArguments(
      { args, allowPositionals: true, options: { workspace: { type: 'string' }, json: { type: 'boolean' } } },
      usages,
    )
    const kind = positionals.join(' ')
    if (!isPausable(kind))
      throw new UsageError(kind === '' ? 'The work is missing.' : `There is no work "${kind}".`, usages)
    const workspaceId = values.workspace ?? null
    if (workspaceId !== null && !isId(workspaceId))
      throw new UsageError(`--workspace must be an ID, not "${workspaceId}".`, usages)
    return config =>
      withMigration(config, async cells => {
        const change = async (sql: Database, { heading, field }: Pick<CellLabel, 'heading' | 'field'>) => {
          const changed = await changePause(sql, { kind, workspaceId, paused: name === 'pause' })
          const result = { kind, workspaceId, paused: name === 'pause', changed }
          process.stdout.write(
            values.json ? `${JSON.stringify({ ...field, ...result })}\n` : `${heading}${describe(result)}\n`,
          )
        }
        if (workspaceId === null) await cells.each(({ sql, label }) => change(sql, label))
        else await change(await cells.ofWorkspace(workspaceId), { heading: '', field: {} })
        return cells.status
      })
  }

export const pause = commandOf('pause', pauseUsages)
export const resume = commandOf('resume', resumeUsages)

const describe = (p: { kind: PausableKind; workspaceId: string | null; paused: boolean; changed: boolean }): string => {
  const where = p.workspaceId === null ? 'all workspaces' : `the workspace ${p.workspaceId}`
  if (!p.changed) return `The ${p.kind} of ${where} ${p.paused ? 'are paused already' : 'have no such pause'}.`
  return p.paused
    ? `The ${p.kind} of ${where} are paused. Work that has started ends. Continue with "resume ${p.kind}".`
    : `The ${p.kind} of ${where} are resumed.`
}

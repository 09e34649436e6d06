/**
 * Executes new runs before their events are written. A run that ends immediately is then written once, in its final
 * state, together with its event.
 *
 * Other runs are written as due and claimed later.
 */
import { LRUCache } from 'lru-cache'
import { readPlans } from '../../accounts/workspace-access/index.ts'
import type { YieldIfDue } from '../../platform/event-loop.ts'
import type { Sql } from '../../platform/postgres/client.ts'
import type { Definition } from '../schema.ts'
import { effectLength } from './effects.ts'
import type { Facts, RunFacts } from './facts.ts'
import { readExecutionData, type Version } from './immediate-execution-sql.ts'
import { type Advance, advance, initialState } from './interpreter.ts'
import { buildFacts } from './run-facts.ts'
import type { RunStart } from './start.ts'

/** Run that an event starts and that has not been written. */
export interface StartingRun extends RunStart {
  event: Facts['event']
  data: Facts['data']
  /** Customer that the event enrols, or null if the customer must be read. */
  enrolled: RunFacts['customer'] | null
}

/** Maximum number of runs executed and versions read per batch. The recording of the batch waits for them. */
const maxExecutions = 500
const maxVersionsRead = 20
/** Maximum total time of the executions of a batch in milliseconds. The last one may exceed it. */
const maxMs = 10
/** Maximum number of steps of one execution. */
const maxSteps = 20
/** Maximum number of characters in the effects of a batch. The statement writes them in addition to the events. */
const maxEffectCharacters = 200_000
/** Maximum number of characters of cached definitions. They use several times as much memory. */
const maxCachedCharacters = 4_000_000

/** Pause in milliseconds after a lock conflict. */
const pauseMs = 5000

/** Executes new runs and caches the definitions. A published version never changes. */
export class ImmediateExecutor {
  /** Cache of definitions by version. Null if a definition is too large. */
  readonly #definitions = new LRUCache<string, { definition: Definition | null }>({
    maxSize: maxCachedCharacters,
    sizeCalculation: ({ definition }) => (definition === null ? 100 : JSON.stringify(definition).length),
  })

  #pausedUntil = 0

  /** Pauses executions after their writes failed on a lock, so that the next events do not wait for the lock too. */
  pause(): void {
    this.#pausedUntil = performance.now() + pauseMs
  }

  /**
   * Returns the results of the first executions by run ID.
   *
   * Omits runs that wait, take long or fail, and those beyond the limits of a batch. They are left to the worker that
   * claims runs.
   */
  async execute(sql: Sql, startingRuns: readonly StartingRun[], pause: YieldIfDue): Promise<Map<string, Advance>> {
    const executions = new Map<string, Advance>()
    const runs = startingRuns.slice(0, maxExecutions)
    if (runs.length === 0 || performance.now() < this.#pausedUntil) return executions
    const { customers, workspaces, definitions } = await readExecutionData(sql, {
      customers: uniqueBy(
        runs.filter(({ enrolled }) => enrolled === null),
        ({ customerId }) => customerId,
      ),
      workspaceIds: [...new Set(runs.map(({ workspaceId }) => workspaceId))],
      definitions: this.#uncachedVersions(runs),
    })
    for (const version of definitions) this.#definitions.set(keyOf(version), version)
    const plans = await readPlans(
      sql,
      [...workspaces.values()].map(({ planId }) => planId),
    )
    let [characters, tookMs] = [0, 0]
    for (const run of runs) {
      if (characters >= maxEffectCharacters || tookMs >= maxMs) break
      const startedAt = performance.now()
      const definition = this.#definitions.get(keyOf(run))?.definition
      const customer = run.enrolled ? { ...run.enrolled, wrote: [], handles: [] } : customers.get(run.customerId)
      const workspace = workspaces.get(run.workspaceId)
      if (!definition || !customer || !workspace) continue
      const facts = buildFacts(run, customer, workspace, {}, plans.get(workspace.planId))
      const execution = runToEnd(() => advance(definition, initialState, facts, [], placeholderTime, placeholderTime))
      if (execution) executions.set(run.id, execution)
      for (const effect of execution?.effects ?? []) characters += effectLength(effect)
      tookMs += performance.now() - startedAt
      const yielding = pause()
      if (yielding) await yielding
    }
    return executions
  }

  #uncachedVersions(runs: readonly StartingRun[]): Version[] {
    const uncached = runs.filter(run => !this.#definitions.has(keyOf(run)))
    return uniqueBy(uncached, keyOf).slice(0, maxVersionsRead)
  }
}

const uniqueBy = <Item>(items: readonly Item[], keyOf: (item: Item) => string): Item[] => [
  ...new Map(items.map(item => [keyOf(item), item])).values(),
]

const keyOf = ({ workspaceId, workflowId, version }: Version): string => `${workspaceId} ${workflowId} ${version}`

/** Placeholder time. The result of an execution that waits is discarded, and no other execution reads the time. */
const placeholderTime = new Date(0)

/** Other effects would lock existing rows for as long as it takes to write the events. */
const hasOnlyMessages = ({ effects }: Advance): boolean => effects.every(({ kind }) => kind === 'queue_message')

/** Returns the result if the run completes within a few steps, otherwise null. */
const runToEnd = (start: () => Generator<void, Advance>): Advance | null => {
  try {
    const steps = start()
    for (let count = 0; count <= maxSteps; count++) {
      const step = steps.next()
      if (step.done) return step.value.endReason === 'completed' && hasOnlyMessages(step.value) ? step.value : null
    }
  } catch {
    // The execution fails again when the run is claimed, and is reported there.
  }
  return null
}

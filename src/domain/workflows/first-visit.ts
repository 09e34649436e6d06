/**
 * Executes new runs before their events are written. A run that ends immediately is then written once, in its final
 * state, together with its event.
 *
 * Other runs are written as due and claimed later.
 */
import { LRUCache } from 'lru-cache'
import type { Sql } from '../../db/client.ts'
import type { Rest } from '../turns.ts'
import { lengthOf } from './effects.ts'
import type { Facts, RunFacts } from './facts.ts'
import { readForVisits, type Version } from './first-visit-sql.ts'
import { type Advance, advance, beforeTheFirst } from './interpreter.ts'
import { factsOf, readPlans } from './run-facts.ts'
import type { Definition } from './schema.ts'
import type { RunStart } from './start.ts'

/** Run that an event starts and that has not been written. */
export interface StartingRun extends RunStart {
  event: Facts['event']
  data: Facts['data']
  /** Customer that the event enrols, or null if the customer must be read. */
  enrolled: RunFacts['customer'] | null
}

/** Maximum number of runs executed and versions read per batch. The recording of the batch waits for them. */
const maxVisits = 500
const maxRead = 20
/** Maximum total time of the executions of a batch in milliseconds. The last one may exceed it. */
const maxMs = 10
/** Maximum number of steps of one execution. */
const maxSteps = 20
/** Maximum number of characters in the effects of a batch. The statement writes them in addition to the events. */
const maxWritten = 200_000
/** Maximum number of characters of cached definitions. They use several times as much memory. */
const maxKept = 4_000_000

/** Pause in milliseconds after a lock conflict. */
const restMs = 5000

/** Executes new runs and caches the definitions. A published version never changes. */
export class FirstVisits {
  /** Cache of definitions by version. Null if a definition is too large. */
  readonly #definitions = new LRUCache<string, { definition: Definition | null }>({
    maxSize: maxKept,
    sizeCalculation: ({ definition }) => (definition === null ? 100 : JSON.stringify(definition).length),
  })

  #restsUntil = 0

  /** Pauses executions after their writes failed on a lock, so that the next events do not wait for the lock too. */
  rest(): void {
    this.#restsUntil = performance.now() + restMs
  }

  /**
   * Returns the results of the first executions by run ID.
   *
   * Omits runs that wait, take long or fail, and those beyond the limits of a batch. They are left to the worker that
   * claims runs.
   */
  async make(sql: Sql, all: readonly StartingRun[], rest: Rest): Promise<Map<string, Advance>> {
    const visits = new Map<string, Advance>()
    const runs = all.slice(0, maxVisits)
    if (runs.length === 0 || performance.now() < this.#restsUntil) return visits
    const { customers, workspaces, definitions } = await readForVisits(sql, {
      customers: eachOnce(
        runs.filter(({ enrolled }) => enrolled === null),
        ({ customerId }) => customerId,
      ),
      workspaceIds: [...new Set(runs.map(({ workspaceId }) => workspaceId))],
      definitions: this.#missing(runs),
    })
    for (const read of definitions) this.#definitions.set(nameOf(read), read)
    const plans = await readPlans(sql, [...new Set([...workspaces.values()].map(({ planId }) => planId))])
    let [written, tookMs] = [0, 0]
    for (const run of runs) {
      if (written >= maxWritten || tookMs >= maxMs) break
      const begun = performance.now()
      const definition = this.#definitions.get(nameOf(run))?.definition
      const customer = run.enrolled ? { ...run.enrolled, wrote: [], handles: [] } : customers.get(run.customerId)
      const workspace = workspaces.get(run.workspaceId)
      if (!definition || !customer || !workspace) continue
      const facts = factsOf(run, customer, workspace, {}, plans.get(workspace.planId)!)
      const visit = ended(() => advance(definition, beforeTheFirst, facts, [], anyTime, anyTime))
      if (visit) visits.set(run.id, visit)
      for (const effect of visit?.effects ?? []) written += lengthOf(effect)
      tookMs += performance.now() - begun
      const resting = rest()
      if (resting) await resting
    }
    return visits
  }

  #missing(runs: readonly StartingRun[]): Version[] {
    const missing = runs.filter(run => !this.#definitions.has(nameOf(run)))
    return eachOnce(missing, nameOf).slice(0, maxRead)
  }
}

const eachOnce = <Item>(items: readonly Item[], nameOf: (item: Item) => string): Item[] => [
  ...new Map(items.map(item => [nameOf(item), item])).values(),
]

const nameOf = ({ workspaceId, workflowId, version }: Version): string => `${workspaceId} ${workflowId} ${version}`

/** Placeholder time. The result of an execution that waits is discarded, and no other execution reads the time. */
const anyTime = new Date(0)

/** Other effects would lock existing rows for as long as it takes to write the events. */
const isOfMessages = ({ effects }: Advance): boolean => effects.every(({ kind }) => kind === 'queue_message')

/** Returns the result if the run completes within a few steps, otherwise null. */
const ended = (begin: () => Generator<void, Advance>): Advance | null => {
  try {
    const steps = begin()
    for (let taken = 0; taken <= maxSteps; taken++) {
      const step = steps.next()
      if (step.done) return step.value.endReason === 'completed' && isOfMessages(step.value) ? step.value : null
    }
  } catch {
    // The execution fails again when the run is claimed, and is reported there.
  }
  return null
}

/**
 * The first visit to a run, made before its event is written: a run that comes to its end in one go is then written once,
 * as it ended, together with its event. Whatever this does not take on is written as due, and claimed like any other.
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

/** A run that an event starts, of which nothing is written yet. */
export interface StartingRun extends RunStart {
  event: Facts['event']
  data: Facts['data']
  /** The customer, where the event enrols them; null where they are to be read. */
  enrolled: RunFacts['customer'] | null
}

/** Runs of one round that are visited, and versions that are read for them: what is recorded beside them waits for it. */
const maxVisits = 500
const maxRead = 20
/** Milliseconds that the visits of one round take in all; the last of them may go beyond it. */
const maxMs = 10
/** Steps of one visit. */
const maxSteps = 20
/** Characters that the effects of a round come to: what its statement writes besides the events. */
const maxWritten = 200_000
/** Characters of the definitions that are kept; in memory they take a few times as much. */
const maxKept = 4_000_000

/** Milliseconds without visits after what they do was found to be held. */
const restMs = 5000

/** Makes first visits, and keeps the definitions that it has read: a published version never changes. */
export class FirstVisits {
  /** Null where a definition is too large. */
  readonly #definitions = new LRUCache<string, { definition: Definition | null }>({
    maxSize: maxKept,
    sizeCalculation: ({ definition }) => (definition === null ? 100 : JSON.stringify(definition).length),
  })

  #restsUntil = 0

  /** What runs write could not be written for a lock: the next events do not wait for that as well. */
  rest(): void {
    this.#restsUntil = performance.now() + restMs
  }

  /**
   * What the first visits to these runs do, by the run's id. Absent are those that wait, that take long, or that fail, and
   * what is too much for one round: they are left to whoever claims runs.
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

/** Of a visit that waits nothing is kept, and no other asks what time it is. */
const anyTime = new Date(0)

/** What else a visit does would lock rows of others for as long as events take to be written. */
const isOfMessages = ({ effects }: Advance): boolean => effects.every(({ kind }) => kind === 'queue_message')

/** The visit, if it comes to the end of the run in a few steps. */
const ended = (begin: () => Generator<void, Advance>): Advance | null => {
  try {
    const steps = begin()
    for (let taken = 0; taken <= maxSteps; taken++) {
      const step = steps.next()
      if (step.done) return step.value.endReason === 'completed' && isOfMessages(step.value) ? step.value : null
    }
  } catch {
    // It fails again when the run is claimed, and is told of there.
  }
  return null
}

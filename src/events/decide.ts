/**
 * Decides what to do with each event of a batch, from data that was read before. Pure functions. Contains all rules of
 * idempotency, identity and matching.
 */
import { Budget, evaluateCondition, maxCost, maxTotalCost } from '../core/conditions/index.ts'
import { DomainError, invalidRequest } from '../core/errors.ts'
import { newId } from '../core/ids.ts'
import type { YieldIfDue } from '../platform/event-loop.ts'
import {
  type BlockingRun,
  blockingEntryKeys,
  type EntryBlock,
  entryKeyOf,
  entryRuleOf,
  type ListeningWorkflow,
} from '../workflows/index.ts'
import { decidingComparisons } from './filter-explanation.ts'
import { mismatchOf } from './mismatch.ts'
import type { FilterRejection, Reason, Verdict } from './outcomes.ts'
import type { Mismatch } from './schema.ts'
import { customSender } from './sender.ts'
import type { EventWrite, ExistingEvent, IncomingEvent, KnownCustomer } from './sql.ts'
import type { DidYouMean } from './trigger-types.ts'

export interface Snapshot {
  replays: ExistingEvent[]
  customers: KnownCustomer[]
  listening: ListeningWorkflow[]
  /** Event types that runs may wait for. Missing if there are none. */
  awaited?: { workspaceId: string; type: string }[]
  /** Runs that may block a second run of their customer. Missing if there are none. */
  blocking?: BlockingRun[]
  /** Returns the most similar type that a workflow listens to, for a type without listeners. */
  nearest: (workspaceId: string, type: string) => DidYouMean | null
}

export type Decision =
  /** `mismatch`: differences between this repeat and the first event, except in the data and the opt-in. */
  | { kind: 'replay'; event: ExistingEvent; mismatch: Mismatch[] }
  | { kind: 'refuse'; error: DomainError }
  | { kind: 'write'; write: EventWrite }
  /** An earlier event of this batch decides its key or its customer. Decide again after that event. */
  | { kind: 'again' }
  /** A run that may be about to end blocks a new run. Decide again once that is known. */
  | { kind: 'later' }

/**
 * Maximum number of verdicts per workspace and round, unless a single event has more. A type with a thousand workflows
 * must not delay the events of others.
 */
const maxVerdicts = 1000

/** Returns whether to defer an event for a run that may be about to end. */
export type ShouldWait = (position: number) => boolean

const neverWait: ShouldWait = () => false

/** Returns one decision per event, in the same order. */
export const decide = (events: IncomingEvent[], snapshot: Snapshot, shouldWait = neverWait): Decision[] => {
  const index = new Index(snapshot)
  return events.map((event, position) => decideOne(event, index, shouldWait(position)))
}

/** Runs `decide` and yields to the event loop between events, because the filters of a batch can take long. */
export const decideWithYields = async (
  events: IncomingEvent[],
  snapshot: Snapshot,
  yieldIfDue: YieldIfDue,
  shouldWait: ShouldWait,
): Promise<Decision[]> => {
  const index = new Index(snapshot)
  const decisions: Decision[] = []
  for (const [position, event] of events.entries()) {
    decisions.push(decideOne(event, index, shouldWait(position)))
    const yielding = yieldIfDue()
    if (yielding) await yielding
  }
  return decisions
}

const decideOne = (event: IncomingEvent, index: Index, shouldWait: boolean): Decision => {
  const replay = index.replayOf(event)
  if (replay) {
    const identity = identify(event, index)
    const customerId = identity instanceof DomainError ? null : identity.customerId
    return { kind: 'replay', event: replay, mismatch: mismatchOf(replay, event, customerId) }
  }

  if (index.deferOverLimit(event.workspaceId)) return { kind: 'again' }
  const identity = identify(event, index)
  if (index.deferIfConflicting(event, identity)) return { kind: 'again' }
  if (identity instanceof DomainError) return { kind: 'refuse', error: identity }

  const verdicts = evaluateWorkflows(event, index.listeningTo(event), identity.customerId, index)
  if (shouldWait) {
    const blocking = index.deferIfRunMayEnd(event, identity, verdicts)
    if (blocking !== null) return { kind: blocking }
  }
  if (index.deferIfEntryTaken(event, identity, verdicts)) return { kind: 'again' }
  index.claim(event, identity)
  const write: EventWrite = {
    consentId: event.optInEvidence === null ? null : newId(),
    id: newId(),
    event,
    ...identity,
    matchedWorkflows: verdicts.filter(({ verdict }) => isReady[verdict]).length,
    reason: reasonOf(verdicts),
    verdicts,
    deferredBefore: index.deferredBefore(event.workspaceId),
    awaited: index.isAwaited(event),
  }
  index.count(event.workspaceId, verdicts.length)
  return { kind: 'write', write }
}

/**
 * Returns a verdict for each workflow that listens to the event's type. If there is none, returns the suggestion of a
 * similar type.
 */
const evaluateWorkflows = (
  event: IncomingEvent,
  listening: ListeningWorkflow[],
  customerId: string,
  index: Index,
): Verdict[] => {
  const { type, data } = event
  const emptyVerdict = { workflowId: null, name: null, runId: null, version: null, detail: null }
  if (listening.length > 0) {
    const filters = {
      facts: { data, event: { type } },
      evaluationBudget: newSharedBudget(),
      explanationBudget: new Budget(maxCost),
    }
    return listening.map(workflow => {
      const verdict = { ...emptyVerdict, ...evaluateWorkflow(workflow, filters) }
      return verdict.verdict === 'started'
        ? applyEntryRule(verdict, workflow, customerId, filters.facts, index)
        : verdict
    })
  }
  const suggestion = index.otherSpelling(event) ?? index.nearest(event.workspaceId, type)
  return suggestion ? [{ ...emptyVerdict, verdict: 'no_listener', detail: suggestion }] : []
}

/** Facts and budgets of an event's filters: one budget for evaluating them, one for explaining their result. */
interface Filters {
  facts: unknown
  evaluationBudget: Budget
  explanationBudget: Budget
}

const newSharedBudget = () => new Budget(maxTotalCost)

const evaluateWorkflow = (
  { workflowId, name, enabled, version, where, switchedAt, switchedBy }: ListeningWorkflow,
  filters: Filters,
): Partial<Verdict> & Pick<Verdict, 'verdict'> => {
  if (!enabled) {
    const detail = switchedAt ? { since: switchedAt.toISOString(), by: switchedBy ?? null } : null
    return { workflowId, name, verdict: 'switched_off', detail }
  }
  if (version === null) return { workflowId, name, verdict: 'never_published' }
  const rejection = where && explainRejection(where, filters)
  if (rejection) return { workflowId, name, verdict: 'not_run_for_customer', detail: rejection }
  return { workflowId, name, verdict: 'started', runId: newId(), version }
}

/** Returns the verdict of a workflow that would start, or its refusal if the entry rule does not allow another run. */
const applyEntryRule = (
  verdict: Verdict,
  { workspaceId, workflowId, entry }: ListeningWorkflow,
  customerId: string,
  facts: unknown,
  index: Index,
): Verdict => {
  const rule = entryRuleOf(entry)
  if (rule === null) return verdict
  const keys = blockingEntryKeys(entry, customerId, facts)
  const blockingRun = keys
    .map(entryKey => index.blocking({ workspaceId, workflowId, entryKey }))
    .find(run => run !== undefined && (rule === 'once' || !run.ended))
  if (!blockingRun) return { ...verdict, entryKey: entryKeyOf(entry, customerId, facts) }
  const detail: EntryBlock = { rule, runId: blockingRun.runId, since: blockingRun.since.toISOString() }
  return { ...verdict, verdict: 'not_run_for_customer', runId: null, version: null, detail }
}

/** Returns why the filter rejects the event, or null if it accepts it. */
const explainRejection = (
  where: NonNullable<ListeningWorkflow['where']>,
  { facts, evaluationBudget, explanationBudget }: Filters,
): FilterRejection | null => {
  const budget = new Budget(maxCost, evaluationBudget)
  if (evaluateCondition(where, facts, budget)) return null
  if (budget.isExceeded) return { comparisons: [], tooMuch: true }
  return { comparisons: decidingComparisons(where, facts, new Budget(maxCost, explanationBudget)) }
}

/**
 * True if the workflow was enabled and published, so that it counts as listening, even if it did not run for this
 * customer.
 */
const isReady: Record<Verdict['verdict'], boolean> = {
  started: true,
  not_run_for_customer: true,
  never_published: false,
  switched_off: false,
  no_listener: false,
}

/** The customer of an event, and whether to create the customer or add identifiers. */
export type Identity = Pick<EventWrite, 'customerId' | 'enrol' | 'fill'>

/**
 * Returns the customer of a single event from the customers that its identifiers match. Returns an error if that is not
 * possible.
 */
export const identifySingle = (event: IncomingEvent, customers: KnownCustomer[]): Identity | DomainError =>
  identify(event, new Index({ replays: [], customers, listening: [], nearest: () => null }))

/**
 * Identifies the customer by `customerId`, then `externalId`, then `phone`. The phone also matches the address from
 * which a customer without a number wrote. Only an event with nothing but a phone enrols a customer (contract 6.2).
 */
const identify = (event: IncomingEvent, index: Index): Identity | DomainError => {
  const { customerId, externalId, phone } = event
  if (customerId === null && externalId === null && phone === null) return missingIdentifier(event)
  if (customerId !== null) {
    const customer = index.byId(event.workspaceId, customerId)
    return customer
      ? reconcile(event, customer, index)
      : invalidRequest({ customerId: 'No such customer in this workspace.' })
  }
  if (externalId !== null) {
    const customer = index.byExternalId(event.workspaceId, externalId)
    if (customer) return reconcile(event, customer, index)
    return invalidRequest({
      externalId:
        'No customer has this external ID, and an external ID never enrols one. Add it to a customer with PATCH /v1/customers/{id}, create the customer first, or send only the phone.',
    })
  }
  const customer = index.byPhone(event.workspaceId, phone as string)
  if (customer) return { customerId: customer.id, enrol: false, fill: null }
  const writer = index.bySenderPhone(event.workspaceId, phone as string)
  return writer
    ? { customerId: writer.id, enrol: false, fill: { externalId: null, phone } }
    : { customerId: newId(), enrol: true, fill: null }
}

const missingIdentifier = ({ sender, type }: IncomingEvent): DomainError =>
  sender !== customSender && type.startsWith('order.')
    ? invalidRequest({
        phone: 'The order has no phone number. Request one at checkout, so that the customer can be found or enrolled.',
      })
    : invalidRequest({ phone: 'Send one of phone, customerId and externalId to identify the customer.' })

/** Checks that the other identifiers match the customer, and adds those that the customer does not have yet. */
const reconcile = (event: IncomingEvent, customer: KnownCustomer, index: Index): Identity | DomainError => {
  const { workspaceId, externalId, phone } = event
  const contradicts = (field: string) =>
    invalidRequest({ [field]: `Does not match: the identified customer has another ${field}.` })
  const taken = (field: string) => invalidRequest({ [field]: `Belongs to another customer than the identified one.` })

  const fillExternalId = externalId !== null && customer.externalId === null
  const fillPhone = phone !== null && customer.phone === null
  if (externalId !== null && !fillExternalId && externalId !== customer.externalId) return contradicts('externalId')
  if (phone !== null && !fillPhone && phone !== customer.phone) return contradicts('phone')
  if (fillExternalId && index.byExternalId(workspaceId, externalId)) return taken('externalId')
  if (fillPhone && index.byPhone(workspaceId, phone)) return taken('phone')

  const fill =
    fillExternalId || fillPhone
      ? { externalId: fillExternalId ? externalId : null, phone: fillPhone ? phone : null }
      : null
  return { customerId: customer.id, enrol: false, fill }
}

/** Returns the reason that came closest to a run (contract 6.5). Null if a run started. */
const reasonOf = (verdicts: Verdict[]): Reason | null => {
  const is = (wanted: Verdict['verdict']) => verdicts.some(({ verdict }) => verdict === wanted)
  if (is('started')) return null
  return (['not_run_for_customer', 'never_published', 'switched_off'] as const).find(is) ?? 'no_listener'
}

/** Indexes the snapshot by key, and tracks what earlier events of this batch claim. */
class Index {
  readonly #replays = new Map<string, ExistingEvent>()
  readonly #customers = new Map<string, KnownCustomer>()
  readonly #listening = new Map<string, ListeningWorkflow[]>()
  readonly #awaited: Set<string>
  readonly #blocking: Map<string, BlockingRun>
  readonly #otherSpellings = new Map<string, ListeningWorkflow[]>()
  /**
   * Keys, phones, external ids and entry keys that events of this batch claim. The value is the customer, or null for a
   * key.
   */
  readonly #claimed = new Map<string, string | null>()
  readonly #deferredBefore = new Map<string, number>()
  readonly #verdicts = new Map<string, number>()
  /**
   * Customers of deferred events and of events that add identifiers. Later events of these customers must not overtake
   * them.
   */
  readonly #deferredCustomers = new Set<string>()
  /** Customers of events that are written. */
  readonly #writtenCustomers = new Set<string>()
  /** Customers in `#written` whose runs may be waiting for the event. */
  readonly #awaitingCustomers = new Set<string>()
  /** Ids of runs that may be about to end. */
  readonly #possiblyEnding: Set<string>
  readonly nearest: Snapshot['nearest']

  constructor({ replays, customers, listening, awaited = [], blocking = [], nearest }: Snapshot) {
    this.nearest = nearest
    this.#awaited = new Set(awaited.map(({ workspaceId, type }) => `${workspaceId} ${type}`))
    this.#blocking = new Map(blocking.map(run => [entryNameOf(run), run]))
    this.#possiblyEnding = new Set(blocking.filter(run => run.unevaluated).map(({ runId }) => runId))
    for (const event of replays) this.#replays.set(keyOf(event), event)
    for (const customer of customers) {
      this.#customers.set(`${customer.workspaceId} id ${customer.id}`, customer)
      if (customer.externalId !== null)
        this.#customers.set(`${customer.workspaceId} external ${customer.externalId}`, customer)
      if (customer.phone !== null) this.#customers.set(`${customer.workspaceId} phone ${customer.phone}`, customer)
      else if (customer.inboundPhone)
        this.#customers.set(`${customer.workspaceId} from ${customer.inboundPhone}`, customer)
    }
    for (const workflow of listening) {
      const { workspaceId, type, triggerType } = workflow
      const target = type === triggerType ? this.#listening : this.#otherSpellings
      const list = target.get(`${workspaceId} ${type}`)
      if (list) list.push(workflow)
      else target.set(`${workspaceId} ${type}`, [workflow])
    }
  }

  replayOf(event: IncomingEvent): ExistingEvent | undefined {
    return event.idempotencyKey === null ? undefined : this.#replays.get(keyOf(event))
  }

  byId(workspaceId: string, id: string): KnownCustomer | undefined {
    return this.#customers.get(`${workspaceId} id ${id.toLowerCase()}`)
  }

  byExternalId(workspaceId: string, externalId: string): KnownCustomer | undefined {
    return this.#customers.get(`${workspaceId} external ${externalId}`)
  }

  byPhone(workspaceId: string, phone: string): KnownCustomer | undefined {
    return this.#customers.get(`${workspaceId} phone ${phone}`)
  }

  bySenderPhone(workspaceId: string, phone: string): KnownCustomer | undefined {
    return this.#customers.get(`${workspaceId} from ${phone}`)
  }

  listeningTo({ workspaceId, type }: IncomingEvent): ListeningWorkflow[] {
    return this.#listening.get(`${workspaceId} ${type}`) ?? []
  }

  isAwaited({ workspaceId, type }: IncomingEvent): boolean {
    return this.#awaited.has(`${workspaceId} ${type}`)
  }

  blocking(entry: Pick<BlockingRun, 'workspaceId' | 'workflowId' | 'entryKey'>): BlockingRun | undefined {
    return this.#blocking.get(entryNameOf(entry))
  }

  /**
   * Returns the type with the same letters in another spelling that most workflows listen to. Null if there is none.
   */
  otherSpelling({ workspaceId, type }: IncomingEvent): DidYouMean | null {
    const candidates = this.#otherSpellings.get(`${workspaceId} ${type}`) ?? []
    let best: DidYouMean | null = null
    for (const [triggerType, { length }] of Map.groupBy(candidates, workflow => workflow.triggerType))
      if (length > (best?.workflows ?? 0)) best = { type: triggerType, workflows: length }
    return best
  }

  count(workspaceId: string, verdicts: number): void {
    this.#verdicts.set(workspaceId, (this.#verdicts.get(workspaceId) ?? 0) + verdicts)
  }

  /**
   * Returns whether the workspace reached the maximum number of verdicts, and then counts the event as deferred. All
   * its later events are deferred too, so that none overtakes another.
   */
  deferOverLimit(workspaceId: string): boolean {
    if ((this.#verdicts.get(workspaceId) ?? 0) < maxVerdicts) return false
    this.#deferredBefore.set(workspaceId, this.deferredBefore(workspaceId) + 1)
    return true
  }

  /** Returns the number of deferred events of the workspace. */
  deferredBefore(workspaceId: string): number {
    return this.#deferredBefore.get(workspaceId) ?? 0
  }

  /**
   * Returns whether to defer the event, because an earlier event of the batch decides its key, its customer, its phone
   * or its external id. An event that would be rejected is deferred too. Later events then wait for everything that
   * this event names.
   *
   * An event that adds identifiers is written separately, so it waits for earlier events of the same customer. Opt-ins
   * of one customer are written together.
   */
  deferIfConflicting(event: IncomingEvent, identity: Identity | DomainError): boolean {
    const names = claimKeysOf(event)
    const customerId = identity instanceof DomainError ? null : identity.customerId
    const mustWait =
      names.some(name => this.#claimed.has(name)) ||
      (customerId !== null && this.#deferredCustomers.has(customerId)) ||
      (customerId !== null && addsIdentifiers(identity) && this.#writtenCustomers.has(customerId))
    if (!mustWait) return false
    this.#defer(event, customerId)
    return true
  }

  /**
   * Returns whether an earlier event of the batch starts a run that blocks this one, and then defers the event.
   * Otherwise claims the entries of this event, so that later events wait for it.
   */
  deferIfEntryTaken(event: IncomingEvent, { customerId }: Identity, verdicts: Verdict[]): boolean {
    const entries = verdicts.flatMap(({ workflowId, entryKey }) =>
      entryKey && workflowId ? [entryNameOf({ workspaceId: event.workspaceId, workflowId, entryKey })] : [],
    )
    if (entries.some(entry => this.#claimed.has(entry))) {
      this.#defer(event, customerId)
      return true
    }
    for (const entry of entries) this.#claimed.set(entry, customerId)
    return false
  }

  /**
   * Returns whether a blocking run may be about to end because of earlier events. `later`: the run must be advanced
   * first. `again`: this batch records the earlier event. Null if no run blocks, or none can end.
   */
  deferIfRunMayEnd(event: IncomingEvent, { customerId }: Identity, verdicts: Verdict[]): 'later' | 'again' | null {
    const runs = verdicts.flatMap(({ detail }) =>
      detail && 'rule' in detail && detail.rule === 'not_while_active' ? [detail.runId] : [],
    )
    const reason = runs.some(runId => this.#possiblyEnding.has(runId))
      ? 'later'
      : runs.length > 0 && this.#awaitingCustomers.has(customerId)
        ? 'again'
        : null
    if (reason !== null) this.#defer(event, customerId)
    return reason
  }

  #defer(event: IncomingEvent, customerId: string | null): void {
    const names = claimKeysOf(event)
    for (const owner of [customerId, ...names.map(name => this.#claimed.get(name))])
      if (owner) this.#deferredCustomers.add(owner)
    for (const name of names) if (!this.#claimed.has(name)) this.#claimed.set(name, customerId)
    this.#deferredBefore.set(event.workspaceId, this.deferredBefore(event.workspaceId) + 1)
  }

  /** Claims what writing the event decides. */
  claim(event: IncomingEvent, identity: Identity): void {
    const { customerId, enrol, fill } = identity
    if (event.idempotencyKey !== null) this.#claimed.set(keyNameOf(event), null)
    if (enrol || fill?.phone) this.#claimed.set(phoneNameOf(event), customerId)
    if (fill?.externalId) this.#claimed.set(externalNameOf(event), customerId)
    this.#writtenCustomers.add(customerId)
    if (this.isAwaited(event)) this.#awaitingCustomers.add(customerId)
    if (fill) this.#deferredCustomers.add(customerId)
  }
}

const addsIdentifiers = (identity: Identity | DomainError): boolean =>
  !(identity instanceof DomainError) && identity.fill !== null

/** Names in the event that another event can claim. */
const claimKeysOf = (event: IncomingEvent): string[] => {
  const names: string[] = []
  if (event.idempotencyKey !== null) names.push(keyNameOf(event))
  if (event.phone !== null) names.push(phoneNameOf(event))
  if (event.externalId !== null) names.push(externalNameOf(event))
  return names
}

const entryNameOf = ({
  workspaceId,
  workflowId,
  entryKey,
}: Pick<BlockingRun, 'workspaceId' | 'workflowId' | 'entryKey'>) => `entry ${workspaceId} ${workflowId} ${entryKey}`
const keyNameOf = (event: IncomingEvent) => `key ${keyOf(event)}`
const phoneNameOf = ({ workspaceId, phone }: IncomingEvent) => `phone ${workspaceId} ${phone}`
const externalNameOf = ({ workspaceId, externalId }: IncomingEvent) => `external ${workspaceId} ${externalId}`

const keyOf = ({
  workspaceId,
  source,
  idempotencyKey,
}: Pick<IncomingEvent, 'workspaceId' | 'source' | 'idempotencyKey'>): string =>
  `${workspaceId} ${source} ${idempotencyKey}`

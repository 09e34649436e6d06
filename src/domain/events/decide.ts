/**
 * What becomes of each waiting event, judged from what was read of the database. Pure: the rules of idempotency,
 * identity and matching are all here, and nothing else is.
 */
import { Budget, holds, maxLookedAt, maxLookedAtTogether } from '../conditions/index.ts'
import { DomainError, invalidRequest } from '../errors.ts'
import { newId } from '../ids.ts'
import type { Rest } from '../turns.ts'
import {
  entryKeyOf,
  entryKeysInTheWay,
  type InTheWay,
  type ListeningWorkflow,
  type RunInTheWay,
  ruleOf,
} from '../workflows/index.ts'
import { decidingComparisons } from './filter.ts'
import { mismatchOf } from './mismatch.ts'
import type { DidYouMean } from './nearest.ts'
import type { Filtered, Reason, Verdict } from './outcomes.ts'
import type { Mismatch } from './schema.ts'
import { customSender } from './sender.ts'
import type { EventWrite, IncomingEvent, KnownCustomer, SeenEvent } from './sql.ts'

export interface Snapshot {
  replays: SeenEvent[]
  customers: KnownCustomer[]
  listening: ListeningWorkflow[]
  /** The types that runs may be waiting for; left out where there are none. */
  awaited?: { workspaceId: string; type: string }[]
  /** Runs that may keep their customers from being let in once more; left out where there are none. */
  inTheWay?: RunInTheWay[]
  /** Where nothing listens for a type: the nearest one that something does listen to. */
  nearest: (workspaceId: string, type: string) => DidYouMean | null
}

export type Decision =
  /** `mismatch`: in what this repeat differs from the event, apart from its data. */
  | { kind: 'replay'; event: SeenEvent; mismatch: Mismatch[] }
  | { kind: 'refuse'; error: DomainError }
  | { kind: 'write'; write: EventWrite }
  /** Another event of this batch settles its key or its customer first; judge it again after that one. */
  | { kind: 'again' }
  /** A run is in its way that is perhaps about to end; judge it again once that is known. */
  | { kind: 'later' }

/**
 * Verdicts on events of one workspace that a round writes, or those of a single event: a type that a thousand workflows
 * name must not keep the events of others waiting.
 */
const maxVerdicts = 1000

/** Whether an event is put off for a run that is perhaps about to end. */
export type IsPatient = (place: number) => boolean

const nobodyIs: IsPatient = () => false

/** One decision for each event, in their order. */
export const decide = (events: IncomingEvent[], snapshot: Snapshot, isPatient = nobodyIs): Decision[] => {
  const index = new Index(snapshot)
  return events.map((event, place) => decideOne(event, index, isPatient(place)))
}

/** The same, resting between events where `rest` asks for it: the filters on a batch can be much to look at. */
export const decideInTurns = async (
  events: IncomingEvent[],
  snapshot: Snapshot,
  rest: Rest,
  isPatient: IsPatient,
): Promise<Decision[]> => {
  const index = new Index(snapshot)
  const decisions: Decision[] = []
  for (const [place, event] of events.entries()) {
    decisions.push(decideOne(event, index, isPatient(place)))
    const resting = rest()
    if (resting) await resting
  }
  return decisions
}

const decideOne = (event: IncomingEvent, index: Index, isPatient: boolean): Decision => {
  const replay = index.replayOf(event)
  if (replay) {
    const identity = identify(event, index)
    const customerId = identity instanceof DomainError ? null : identity.customerId
    return { kind: 'replay', event: replay, mismatch: mismatchOf(replay, event, customerId) }
  }

  if (index.hasWrittenEnough(event.workspaceId)) return { kind: 'again' }
  const identity = identify(event, index)
  if (index.standsBack(event, identity)) return { kind: 'again' }
  if (identity instanceof DomainError) return { kind: 'refuse', error: identity }

  const verdicts = judge(event, index.listeningTo(event), identity.customerId, index)
  if (isPatient) {
    const inTheWay = index.perhapsEnding(event, identity, verdicts)
    if (inTheWay !== null) return { kind: inTheWay }
  }
  if (index.entersWith(event, identity, verdicts)) return { kind: 'again' }
  index.claim(event, identity)
  const write: EventWrite = {
    consentId: event.optInEvidence === null ? null : newId(),
    id: newId(),
    event,
    ...identity,
    matchedWorkflows: verdicts.filter(({ verdict }) => isReady[verdict]).length,
    reason: reasonOf(verdicts),
    verdicts,
    standingBack: index.standingBack(event.workspaceId),
    awaited: index.isAwaited(event),
  }
  index.count(event.workspaceId, verdicts.length)
  return { kind: 'write', write }
}

/** What the event does with each workflow that names its type; where there is none, the type that was perhaps meant. */
const judge = (event: IncomingEvent, listening: ListeningWorkflow[], customerId: string, index: Index): Verdict[] => {
  const { type, data } = event
  const nothing = { workflowId: null, name: null, runId: null, version: null, detail: null }
  if (listening.length > 0) {
    const filters = { facts: { data, event: { type } }, looking: together(), explaining: new Budget(maxLookedAt) }
    return listening.map(workflow => {
      const verdict = { ...nothing, ...judgeOne(workflow, filters) }
      return verdict.verdict === 'started' ? letIn(verdict, workflow, customerId, filters.facts, index) : verdict
    })
  }
  const meant = index.spelledAlike(event) ?? index.nearest(event.workspaceId, type)
  return meant ? [{ ...nothing, verdict: 'no_listener', detail: meant }] : []
}

/** What the filters of one event look at, and what all of them together may: to find out, and to say why not. */
interface Filters {
  facts: unknown
  looking: Budget
  explaining: Budget
}

const together = () => new Budget(maxLookedAtTogether)

const judgeOne = (
  { workflowId, name, enabled, version, where, switchedAt, switchedBy }: ListeningWorkflow,
  filters: Filters,
): Partial<Verdict> & Pick<Verdict, 'verdict'> => {
  if (!enabled) {
    const detail = switchedAt ? { since: switchedAt.toISOString(), by: switchedBy ?? null } : null
    return { workflowId, name, verdict: 'switched_off', detail }
  }
  if (version === null) return { workflowId, name, verdict: 'never_published' }
  const filtered = where && filteredBy(where, filters)
  if (filtered) return { workflowId, name, verdict: 'not_run_for_customer', detail: filtered }
  return { workflowId, name, verdict: 'started', runId: newId(), version }
}

/** A run that is to start, unless the customer has been let in and may not be once more. */
const letIn = (
  verdict: Verdict,
  { workspaceId, workflowId, entry }: ListeningWorkflow,
  customerId: string,
  facts: unknown,
  index: Index,
): Verdict => {
  const rule = ruleOf(entry)
  if (rule === null) return verdict
  const keys = entryKeysInTheWay(entry, customerId, facts)
  const other = keys
    .map(entryKey => index.inTheWay({ workspaceId, workflowId, entryKey }))
    .find(run => run !== undefined && (rule === 'once' || !run.ended))
  if (!other) return { ...verdict, entryKey: entryKeyOf(entry, customerId, facts) }
  const detail: InTheWay = { rule, runId: other.runId, since: other.since.toISOString() }
  return { ...verdict, verdict: 'not_run_for_customer', runId: null, version: null, detail }
}

/** Why the filter lets the event pass by; null where it holds. */
const filteredBy = (
  where: NonNullable<ListeningWorkflow['where']>,
  { facts, looking, explaining }: Filters,
): Filtered | null => {
  const budget = new Budget(maxLookedAt, looking)
  if (holds(where, facts, budget)) return null
  if (budget.exceeded) return { comparisons: [], tooMuch: true }
  return { comparisons: decidingComparisons(where, facts, new Budget(maxLookedAt, explaining)) }
}

/** Switched on and published: waiting on the type, whether or not it ran for this customer. */
const isReady: Record<Verdict['verdict'], boolean> = {
  started: true,
  not_run_for_customer: true,
  never_published: false,
  switched_off: false,
  no_listener: false,
}

/** Whom an event is about. */
export type Identity = Pick<EventWrite, 'customerId' | 'enrol' | 'fill'>

/** Whom an event by itself would be about, of those whom its identifiers point to; a refusal where that cannot be. */
export const identifyAlone = (event: IncomingEvent, customers: KnownCustomer[]): Identity | DomainError =>
  identify(event, new Index({ replays: [], customers, listening: [], nearest: () => null }))

/**
 * `customerId` identifies first, then `externalId`, then `phone`, also as the address that a customer without a number wrote
 * from; only a phone alone enrols (contract 6.2).
 */
const identify = (event: IncomingEvent, index: Index): Identity | DomainError => {
  const { customerId, externalId, phone } = event
  if (customerId === null && externalId === null && phone === null) return missingIdentifier(event)
  if (customerId !== null) {
    const customer = index.byId(event.workspaceId, customerId)
    return customer
      ? reconcile(event, customer, index)
      : invalidRequest({ customerId: 'There is no customer with this id in the workspace.' })
  }
  if (externalId !== null) {
    const customer = index.byExternalId(event.workspaceId, externalId)
    if (customer) return reconcile(event, customer, index)
    return invalidRequest({
      externalId:
        'No customer has this external id, and an external id never enrols one. Where the customer is known by phone, PATCH /v1/customers/{id} gives them this id; else create them first, or send the phone alone.',
    })
  }
  const customer = index.byPhone(event.workspaceId, phone as string)
  if (customer) return { customerId: customer.id, enrol: false, fill: null }
  const writer = index.whoWroteFrom(event.workspaceId, phone as string)
  return writer
    ? { customerId: writer.id, enrol: false, fill: { externalId: null, phone } }
    : { customerId: newId(), enrol: true, fill: null }
}

const missingIdentifier = ({ sender, type }: IncomingEvent): DomainError =>
  sender !== customSender && type.startsWith('order.')
    ? invalidRequest({
        phone: 'The order has no phone number. Ask for one at checkout, so that the customer can be found or enrolled.',
      })
    : invalidRequest({ phone: 'Send one of phone, customerId and externalId, so that the customer is known.' })

/** The other identifiers must agree with the customer found, and are filled in where it has none. */
const reconcile = (event: IncomingEvent, customer: KnownCustomer, index: Index): Identity | DomainError => {
  const { workspaceId, externalId, phone } = event
  const contradicts = (field: string) =>
    invalidRequest({ [field]: `Contradicts the customer found: that customer has another ${field}.` })
  const taken = (field: string) => invalidRequest({ [field]: `Belongs to another customer than the one found.` })

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

/** The reason that comes nearest to running (contract 6.5); null when something ran. */
const reasonOf = (verdicts: Verdict[]): Reason | null => {
  const is = (wanted: Verdict['verdict']) => verdicts.some(({ verdict }) => verdict === wanted)
  if (is('started')) return null
  return (['not_run_for_customer', 'never_published', 'switched_off'] as const).find(is) ?? 'no_listener'
}

/** Looks things up by the texts that name them, and keeps track of what events of this batch have laid hands on. */
class Index {
  readonly #replays = new Map<string, SeenEvent>()
  readonly #customers = new Map<string, KnownCustomer>()
  readonly #listening = new Map<string, ListeningWorkflow[]>()
  readonly #awaited: Set<string>
  readonly #inTheWay: Map<string, RunInTheWay>
  readonly #spelledAlike = new Map<string, ListeningWorkflow[]>()
  /** Keys, phones, external ids and customers that events of this batch settle, with the customer each is about. */
  readonly #claimed = new Map<string, string | null>()
  readonly #standingBack = new Map<string, number>()
  readonly #verdicts = new Map<string, number>()
  /** Customers whom an event that stands back or fills them in is about: those after it must not overtake it. */
  readonly #held = new Set<string>()
  /** Customers whom an event that is written is about. */
  readonly #written = new Set<string>()
  /** Those among them whom a run may be waiting for. */
  readonly #awaitedOf = new Set<string>()
  /** Runs that may be about to end, by their ids. */
  readonly #unjudged: Set<string>
  readonly nearest: Snapshot['nearest']

  constructor({ replays, customers, listening, awaited = [], inTheWay = [], nearest }: Snapshot) {
    this.nearest = nearest
    this.#awaited = new Set(awaited.map(({ workspaceId, type }) => `${workspaceId} ${type}`))
    this.#inTheWay = new Map(inTheWay.map(run => [entryNameOf(run), run]))
    this.#unjudged = new Set(inTheWay.filter(run => run.unjudged).map(({ runId }) => runId))
    for (const event of replays) this.#replays.set(keyOf(event), event)
    for (const customer of customers) {
      this.#customers.set(`${customer.workspaceId} id ${customer.id}`, customer)
      if (customer.externalId !== null)
        this.#customers.set(`${customer.workspaceId} external ${customer.externalId}`, customer)
      if (customer.phone !== null) this.#customers.set(`${customer.workspaceId} phone ${customer.phone}`, customer)
      else if (customer.wroteFrom) this.#customers.set(`${customer.workspaceId} from ${customer.wroteFrom}`, customer)
    }
    for (const workflow of listening) {
      const { workspaceId, type, triggerType } = workflow
      const places = type === triggerType ? this.#listening : this.#spelledAlike
      const there = places.get(`${workspaceId} ${type}`)
      if (there) there.push(workflow)
      else places.set(`${workspaceId} ${type}`, [workflow])
    }
  }

  replayOf(event: IncomingEvent): SeenEvent | undefined {
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

  whoWroteFrom(workspaceId: string, phone: string): KnownCustomer | undefined {
    return this.#customers.get(`${workspaceId} from ${phone}`)
  }

  listeningTo({ workspaceId, type }: IncomingEvent): ListeningWorkflow[] {
    return this.#listening.get(`${workspaceId} ${type}`) ?? []
  }

  isAwaited({ workspaceId, type }: IncomingEvent): boolean {
    return this.#awaited.has(`${workspaceId} ${type}`)
  }

  inTheWay(asked: Pick<RunInTheWay, 'workspaceId' | 'workflowId' | 'entryKey'>): RunInTheWay | undefined {
    return this.#inTheWay.get(entryNameOf(asked))
  }

  /** The type in another spelling that most workflows name, where some do. */
  spelledAlike({ workspaceId, type }: IncomingEvent): DidYouMean | null {
    const alike = this.#spelledAlike.get(`${workspaceId} ${type}`) ?? []
    let most: DidYouMean | null = null
    for (const [triggerType, { length }] of Map.groupBy(alike, workflow => workflow.triggerType))
      if (length > (most?.workflows ?? 0)) most = { type: triggerType, workflows: length }
    return most
  }

  count(workspaceId: string, verdicts: number): void {
    this.#verdicts.set(workspaceId, (this.#verdicts.get(workspaceId) ?? 0) + verdicts)
  }

  /** From then on all of its events stand back, so that none overtakes another. */
  hasWrittenEnough(workspaceId: string): boolean {
    if ((this.#verdicts.get(workspaceId) ?? 0) < maxVerdicts) return false
    this.#standingBack.set(workspaceId, this.standingBack(workspaceId) + 1)
    return true
  }

  /** How many events of the workspace have been told to stand back so far. */
  standingBack(workspaceId: string): number {
    return this.#standingBack.get(workspaceId) ?? 0
  }

  /**
   * Whether an earlier event of the batch settles what this one depends on: its key, its customer, or whose its phone or
   * its external id is. Even a refusal waits for that. Those after it then wait for all that it names and is about. An
   * event that fills a customer in is written apart from the others, so it waits for those in front of it that are about
   * the same one; opt-ins of one customer go together.
   */
  standsBack(event: IncomingEvent, identity: Identity | DomainError): boolean {
    const names = namesOf(event)
    const customerId = identity instanceof DomainError ? null : identity.customerId
    const waits =
      names.some(name => this.#claimed.has(name)) ||
      (customerId !== null && this.#held.has(customerId)) ||
      (customerId !== null && fillsIn(identity) && this.#written.has(customerId))
    if (!waits) return false
    this.#standBack(event, customerId)
    return true
  }

  /**
   * Whether an earlier event of the batch lets the customer into a workflow that they may not be let into twice. Then this
   * one waits to see what becomes of that; else it is what later ones wait for.
   */
  entersWith(event: IncomingEvent, { customerId }: Identity, verdicts: Verdict[]): boolean {
    const entries = verdicts.flatMap(({ workflowId, entryKey }) =>
      entryKey && workflowId ? [entryNameOf({ workspaceId: event.workspaceId, workflowId, entryKey })] : [],
    )
    if (entries.some(entry => this.#claimed.has(entry))) {
      this.#standBack(event, customerId)
      return true
    }
    for (const entry of entries) this.#claimed.set(entry, customerId)
    return false
  }

  /**
   * Whether a run that is in the way of the event may be about to end, by what was recorded before it: `later` where a
   * visit is to judge that first, `again` where it is recorded by this batch. Null where no run is, or none may be.
   */
  perhapsEnding(event: IncomingEvent, { customerId }: Identity, verdicts: Verdict[]): 'later' | 'again' | null {
    const runs = verdicts.flatMap(({ detail }) =>
      detail && 'rule' in detail && detail.rule === 'not_while_active' ? [detail.runId] : [],
    )
    const how = runs.some(runId => this.#unjudged.has(runId))
      ? 'later'
      : runs.length > 0 && this.#awaitedOf.has(customerId)
        ? 'again'
        : null
    if (how !== null) this.#standBack(event, customerId)
    return how
  }

  #standBack(event: IncomingEvent, customerId: string | null): void {
    const names = namesOf(event)
    for (const owner of [customerId, ...names.map(name => this.#claimed.get(name))]) if (owner) this.#held.add(owner)
    for (const name of names) if (!this.#claimed.has(name)) this.#claimed.set(name, customerId)
    this.#standingBack.set(event.workspaceId, this.standingBack(event.workspaceId) + 1)
  }

  /** Lays hands on what is settled by writing the event. */
  claim(event: IncomingEvent, identity: Identity): void {
    const { customerId, enrol, fill } = identity
    if (event.idempotencyKey !== null) this.#claimed.set(keyNameOf(event), null)
    if (enrol || fill?.phone) this.#claimed.set(phoneNameOf(event), customerId)
    if (fill?.externalId) this.#claimed.set(externalNameOf(event), customerId)
    this.#written.add(customerId)
    if (this.isAwaited(event)) this.#awaitedOf.add(customerId)
    if (fill) this.#held.add(customerId)
  }
}

const fillsIn = (identity: Identity | DomainError): boolean =>
  !(identity instanceof DomainError) && identity.fill !== null

/** What the event names that another may settle. */
const namesOf = (event: IncomingEvent): string[] => {
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
}: Pick<RunInTheWay, 'workspaceId' | 'workflowId' | 'entryKey'>) => `entry ${workspaceId} ${workflowId} ${entryKey}`
const keyNameOf = (event: IncomingEvent) => `key ${keyOf(event)}`
const phoneNameOf = ({ workspaceId, phone }: IncomingEvent) => `phone ${workspaceId} ${phone}`
const externalNameOf = ({ workspaceId, externalId }: IncomingEvent) => `external ${workspaceId} ${externalId}`

const keyOf = ({
  workspaceId,
  source,
  idempotencyKey,
}: Pick<IncomingEvent, 'workspaceId' | 'source' | 'idempotencyKey'>): string =>
  `${workspaceId} ${source} ${idempotencyKey}`

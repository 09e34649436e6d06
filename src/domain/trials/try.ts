/** Simulates a workflow with one event, step by step to the end. Nothing is written or sent. */

import type { Sql } from '../../db/client.ts'
import { clock } from '../../platform/clock.ts'
import type { Ctx, Reading } from '../context.ts'
import { type Details, DomainError, invalidRequest, notFound } from '../errors.ts'
import { identifyOnly, incoming, type RecordEvent } from '../events/index.ts'
import { isId } from '../ids.ts'
import { optsOut } from '../opt-out-words/index.ts'
import { verb } from '../verb.ts'
import { type Arrival, completeDefinition, durationMs, type RunFacts } from '../workflows/index.ts'
import { carryThrough, type Trial, type Visit } from './carry.ts'
import type { TriedWorkflow, TryWorkflow } from './schema.ts'
import {
  type CustomerOfRun,
  findCustomerOfRun,
  findStoredEvent,
  findTried,
  type StoredEvent,
  type Tried,
} from './sql.ts'
import { readSurroundings } from './surroundings.ts'
import { timeFor } from './time.ts'
import { verdictOf } from './verdict.ts'

/** Simulates the workflow for an event. The simulated run starts now, and waits take no real time. */
export const tryWorkflow = verb(
  { by: 'member' },
  async ({ caller }, reading: Reading, id: string, asked: TryWorkflow, signal: AbortSignal): Promise<TriedWorkflow> => {
    const given = await reading(caller.workspaceId, sql => read(sql, caller, id, asked))
    const verdict = verdictOf(given.tried, given.facts)
    const told = new Told()
    if (verdict.verdict !== 'started') return { verdict, ...told, endReason: null }
    const start = new Date(clock.now())
    const arrivals = arrivalsOf(asked, start).map(arrival => ({
      ...arrival,
      optsOut: doesOptOut(arrival, given.words),
    }))
    const trial = { definition: given.tried.definition, facts: given.facts, arrivals, start }
    return { verdict, endReason: await carried(trial, told, signal), ...told }
  },
)

const doesOptOut = (arrival: Arrival, words: readonly string[] | null): boolean =>
  arrival.kind === 'reply' && optsOut(arrival.text, words)

const carried = (trial: Trial, told: Told, signal: AbortSignal): Promise<string> => {
  const { turns, hasTime } = timeFor(signal)
  return carryThrough(trial, visit => told.see(visit), turns.rest, hasTime)
}

const read = async (sql: Sql, caller: Ctx['caller'], id: string, asked: TryWorkflow) => {
  const tried = await readTried(sql, caller.workspaceId, id, asked.version)
  const event = await eventOf(sql, caller.workspaceId, asked)
  const customer = await customerOf(sql, caller, asked, event)
  const { channelsOf, optOutWords, ...surroundings } = await readSurroundings(
    sql,
    caller,
    tried.definition,
    customer.id,
  )
  const facts: RunFacts & { type: string } = {
    ...surroundings,
    type: event.type,
    data: event.data,
    event: { id: event.id, type: event.type },
    customer,
    channels: channelsOf(customer),
  }
  return { tried, facts, words: optOutWords }
}

/** Reads the requested version, by default the draft. */
export const readTried = async (
  sql: Sql,
  workspaceId: string,
  id: string,
  version: TryWorkflow['version'] = 'draft',
): Promise<Tried> => {
  const found = isId(id) ? await findTried(sql, workspaceId, id, version === 'draft' ? null : version) : null
  if (!found) throw notFound('workflow')
  const { definition, ...tried } = found
  if (definition === null) throw invalidRequest({ version: 'The workflow has no such published version.' })
  // A draft can be incomplete or written by another release.
  return { ...tried, definition: version === 'draft' ? completeDefinition(definition) : definition }
}

type EventToTry = Pick<StoredEvent, 'id' | 'type' | 'data'> & { customerId: string | null; made: RecordEvent | null }

/** Id of a simulated event or customer. No record has this id. */
const nobody = '00000000-0000-7000-8000-000000000000'

const eventOf = async (sql: Sql, workspaceId: string, { eventId, event }: TryWorkflow): Promise<EventToTry> => {
  if ((eventId === undefined) === (event === undefined))
    throw invalidRequest({ [event ? 'event' : 'eventId']: 'Give one of eventId and event.' })
  if (event) {
    const { type, data = {}, customerId = null } = event
    return { id: nobody, type, data, customerId, made: event }
  }
  const stored = await findStoredEvent(sql, workspaceId, eventId!)
  if (!stored) throw invalidRequest({ eventId: 'There is no event with this id in the workspace.' })
  return { ...stored, made: null }
}

const customerOf = async (
  sql: Sql,
  caller: Ctx['caller'],
  { customerId: asked }: TryWorkflow,
  { customerId, made }: EventToTry,
): Promise<CustomerOfRun> => {
  if (asked === undefined && made) return customerOfMade(sql, caller, made)
  const customer = await findCustomerOfRun(sql, caller.workspaceId, asked ?? customerId!)
  if (!customer) throw noSuchCustomer(asked !== undefined ? 'customerId' : 'eventId')
  return customer
}

/**
 * Returns the customer that the event would be about if it were recorded, with its changes applied. Without an
 * identity, returns a simulated customer.
 */
const customerOfMade = async (sql: Sql, caller: Ctx['caller'], made: RecordEvent): Promise<CustomerOfRun> => {
  const { phone, externalId, customerId, optIn } = made
  if (phone === undefined && externalId === undefined && customerId === undefined) return madeUp(made)
  const identity = await identifyOnly(sql, incoming(caller, made, null)).catch(error => {
    throw error instanceof DomainError && error.details ? invalidRequest(inEvent(error.details)) : error
  })
  if (identity.enrol) return madeUp(made)
  const customer = await findCustomerOfRun(sql, caller.workspaceId, identity.customerId)
  if (!customer) throw noSuchCustomer('event.customerId')
  return {
    ...customer,
    phone: identity.fill?.phone ?? customer.phone,
    externalId: identity.fill?.externalId ?? customer.externalId,
    optedIn: customer.optedIn || optIn !== undefined,
  }
}

const inEvent = (details: Details): Details =>
  Object.fromEntries(Object.entries(details).map(([field, reason]) => [`event.${field}`, reason]))

const noSuchCustomer = (field: string): DomainError =>
  invalidRequest({ [field]: 'There is no such customer in the workspace; they may have been erased.' })

/** A phone number that is reserved for examples. */
const phoneOfNobody = '+12025550100'

/**
 * Simulates the customer that the event would create. Without a phone number it gets a reserved one, so that messages
 * are shown.
 */
const madeUp = ({ phone, name, externalId, optIn }: RecordEvent): CustomerOfRun => ({
  id: nobody,
  name: name ?? null,
  phone: phone ?? phoneOfNobody,
  externalId: externalId ?? null,
  attributes: {},
  optedIn: optIn !== undefined,
  optedOut: false,
  hasConversation: false,
})

/** Sorts answers by time; answers with the same time keep their order. */
const arrivalsOf = ({ answers = [] }: TryWorkflow, start: Date): Arrival[] =>
  answers
    .map((answer, index) => {
      const ms = durationMs(answer.after)
      if (ms === null) throw invalidRequest({ [`answers.${index}.after`]: afterWanted })
      return { answer, at: new Date(start.getTime() + ms) }
    })
    .sort((one, other) => one.at.getTime() - other.at.getTime())
    .map(({ answer, at }, index) => {
      const arrived = { id: String(index).padStart(4, '0'), at: at.toISOString() }
      return 'reply' in answer
        ? { ...arrived, kind: 'reply', text: answer.reply }
        : { ...arrived, kind: 'event', type: answer.event.type, data: answer.event.data ?? {} }
    })

const afterWanted = 'Must be a duration of at most 90 days, such as PT1H, P2D, 30s, 5m or 2d.'

/** Maximum number of messages, and of sales, in the response. */
const maxTold = 200

/** Collects the steps, messages and sales of a trial for the response. */
class Told {
  readonly steps: TriedWorkflow['steps'] = []
  readonly messages: TriedWorkflow['messages'] = []
  readonly sales: TriedWorkflow['sales'] = []

  see({ at, trace, effects }: Visit): void {
    const time = at.toISOString()
    const stepIds = new Map(trace.map(({ position, stepId }) => [position, stepId]))
    for (const { stepId, outcome, detail } of trace) this.steps.push({ stepId, outcome, detail, at: time })
    for (const effect of effects) {
      const stepId = stepIds.get(effect.position)!
      if (effect.kind === 'queue_message' && this.messages.length < maxTold) {
        const { channelId, handle, text, template, skipped } = effect
        this.messages.push({ stepId, channelId, handle, text, templateId: template?.id ?? null, skipped, at: time })
      } else if (effect.kind === 'mark_sale' && this.sales.length < maxTold) {
        const { amount, currency, note } = effect
        this.sales.push({ stepId, amount, currency, note, at: time })
      }
    }
  }
}

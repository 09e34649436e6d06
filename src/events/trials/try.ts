/** Simulates a workflow with one event, step by step to the end. Nothing is written or sent. */

import type { Ctx, ReadRunner } from '../../core/context.ts'
import { type Details, DomainError, invalidRequest, notFound } from '../../core/errors.ts'
import { isId } from '../../core/ids.ts'
import { isOptOut } from '../../core/opt-out-words.ts'
import { verb } from '../../core/verb.ts'
import { clock } from '../../platform/clock.ts'
import type { Sql } from '../../platform/postgres/client.ts'
import { type Arrival, completeDefinition, durationMs, type RunFacts, skipReasons } from '../../workflows/index.ts'
import { identifyOnly, type RecordEvent, toIncomingEvent } from '../index.ts'
import { readEnvironment } from './environment.ts'
import { startScheduler } from './scheduler.ts'
import type { TriedWorkflow, TryWorkflow } from './schema.ts'
import { type SimulatedExecution, simulateRun, type Trial } from './simulate-run.ts'
import {
  findRunCustomer,
  findStoredEvent,
  findTrialWorkflow,
  type RunCustomer,
  type StoredEvent,
  type TrialWorkflow,
} from './sql.ts'
import { verdictOf } from './verdict.ts'

/** Simulates the workflow for an event. The simulated run starts now, and waits take no real time. */
export const tryWorkflow = verb(
  { by: 'member' },
  async (
    { caller },
    reading: ReadRunner,
    id: string,
    requested: TryWorkflow,
    signal: AbortSignal,
  ): Promise<TriedWorkflow> => {
    const inputs = await reading(caller.workspaceId, sql => readInputs(sql, caller, id, requested))
    const verdict = verdictOf(inputs.workflow, inputs.facts)
    const report = new TrialReport()
    if (verdict.verdict !== 'started') return { verdict, ...report, endReason: null }
    const start = new Date(clock.now())
    const arrivals = arrivalsOf(requested, start).map(arrival => ({
      ...arrival,
      optsOut: doesOptOut(arrival, inputs.words),
    }))
    const trial = { definition: inputs.workflow.definition, facts: inputs.facts, arrivals, start }
    return { verdict, endReason: await simulate(trial, report, signal), ...report }
  },
)

const doesOptOut = (arrival: Arrival, words: readonly string[] | null): boolean =>
  arrival.kind === 'reply' && isOptOut(arrival.text, words)

const simulate = (trial: Trial, report: TrialReport, signal: AbortSignal): Promise<string> => {
  const { scheduler, hasTime } = startScheduler(signal)
  return simulateRun(trial, execution => report.add(execution), scheduler.yieldIfDue, hasTime)
}

const readInputs = async (sql: Sql, caller: Ctx['caller'], id: string, requested: TryWorkflow) => {
  const workflow = await readTrialWorkflow(sql, caller.workspaceId, id, requested.version)
  const event = await findSourceEvent(sql, caller.workspaceId, requested)
  const customer = await findTrialCustomer(sql, caller, requested, event)
  const { channelsOf, optOutWords, ...surroundings } = await readEnvironment(
    sql,
    caller,
    workflow.definition,
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
  return { workflow, facts, words: optOutWords }
}

/** Reads the requested version, by default the draft. */
export const readTrialWorkflow = async (
  sql: Sql,
  workspaceId: string,
  id: string,
  version: TryWorkflow['version'] = 'draft',
): Promise<TrialWorkflow> => {
  const row = isId(id) ? await findTrialWorkflow(sql, workspaceId, id, version === 'draft' ? null : version) : null
  if (!row) throw notFound('workflow')
  const { definition, ...tried } = row
  if (definition === null)
    throw invalidRequest({
      version: 'The workflow has no such published version. GET /v1/workflows/{id}/versions lists all versions.',
    })
  // A draft can be incomplete or written by another release.
  return { ...tried, definition: version === 'draft' ? completeDefinition(definition) : definition }
}

type SourceEvent = Pick<StoredEvent, 'id' | 'type' | 'data'> & {
  customerId: string | null
  inlineEvent: RecordEvent | null
}

/** Id of a simulated event or customer. No record has this id. */
const simulatedId = '00000000-0000-7000-8000-000000000000'

const findSourceEvent = async (
  sql: Sql,
  workspaceId: string,
  { eventId, event }: TryWorkflow,
): Promise<SourceEvent> => {
  if ((eventId === undefined) === (event === undefined))
    throw invalidRequest({ [event ? 'event' : 'eventId']: 'Send either eventId or event.' })
  if (event) {
    const { type, data = {}, customerId = null } = event
    return { id: simulatedId, type, data, customerId, inlineEvent: event }
  }
  const stored = await findStoredEvent(sql, workspaceId, eventId!)
  if (!stored) throw invalidRequest({ eventId: 'No such event in this workspace.' })
  return { ...stored, inlineEvent: null }
}

const findTrialCustomer = async (
  sql: Sql,
  caller: Ctx['caller'],
  { customerId: requested }: TryWorkflow,
  { customerId, inlineEvent }: SourceEvent,
): Promise<RunCustomer> => {
  if (requested === undefined && inlineEvent) return resolveInlineCustomer(sql, caller, inlineEvent)
  const customer = await findRunCustomer(sql, caller.workspaceId, requested ?? customerId!)
  if (!customer) throw customerNotFound(requested !== undefined ? 'customerId' : 'eventId')
  return customer
}

/**
 * Returns the customer that the event would be about if it were recorded, with its changes applied. Without an
 * identity, returns a simulated customer.
 */
const resolveInlineCustomer = async (
  sql: Sql,
  caller: Ctx['caller'],
  inlineEvent: RecordEvent,
): Promise<RunCustomer> => {
  const { phone, externalId, customerId, optIn } = inlineEvent
  if (phone === undefined && externalId === undefined && customerId === undefined) return simulatedCustomer(inlineEvent)
  const identity = await identifyOnly(
    sql,
    toIncomingEvent(caller, inlineEvent, { userAgent: null, traceparent: null }),
  ).catch(error => {
    throw error instanceof DomainError && error.details ? invalidRequest(prefixDetails(error.details)) : error
  })
  if (identity.enrol) return simulatedCustomer(inlineEvent)
  const customer = await findRunCustomer(sql, caller.workspaceId, identity.customerId)
  if (!customer) throw customerNotFound('event.customerId')
  return {
    ...customer,
    phone: identity.fill?.phone ?? customer.phone,
    externalId: identity.fill?.externalId ?? customer.externalId,
    optedIn: customer.optedIn || optIn !== undefined,
  }
}

const prefixDetails = (details: Details): Details =>
  Object.fromEntries(Object.entries(details).map(([field, reason]) => [`event.${field}`, reason]))

const customerNotFound = (field: string): DomainError =>
  invalidRequest({ [field]: 'No such customer in this workspace. The customer may have been erased.' })

/** A phone number that is reserved for examples. */
const reservedPhone = '+12025550100'

/**
 * Simulates the customer that the event would create. Without a phone number it gets a reserved one, so that messages
 * are shown.
 */
const simulatedCustomer = ({ phone, name, externalId, optIn }: RecordEvent): RunCustomer => ({
  id: simulatedId,
  name: name ?? null,
  phone: phone ?? reservedPhone,
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
      if (ms === null) throw invalidRequest({ [`answers.${index}.after`]: afterMessage })
      return { answer, at: new Date(start.getTime() + ms) }
    })
    .sort((one, other) => one.at.getTime() - other.at.getTime())
    .map(({ answer, at }, index) => {
      const arrival = { id: String(index).padStart(4, '0'), at: at.toISOString() }
      return 'reply' in answer
        ? { ...arrival, kind: 'reply', text: answer.reply }
        : { ...arrival, kind: 'event', type: answer.event.type, data: answer.event.data ?? {} }
    })

const afterMessage = 'Must be a duration of at most 90 days, such as PT1H, P2D, 30s, 5m or 2d.'

/** Maximum number of messages, and of sales, in the response. */
const maxReported = 200

/** Collects the steps, messages and sales of a trial for the response. */
class TrialReport {
  readonly steps: TriedWorkflow['steps'] = []
  readonly messages: TriedWorkflow['messages'] = []
  readonly sales: TriedWorkflow['sales'] = []

  add({ at, trace, effects }: SimulatedExecution): void {
    const time = at.toISOString()
    const stepIds = new Map(trace.map(({ position, stepId }) => [position, stepId]))
    for (const { stepId, outcome, detail } of trace) this.steps.push({ stepId, outcome, detail, at: time })
    for (const effect of effects) {
      const stepId = stepIds.get(effect.position)!
      if (effect.kind === 'queue_message' && this.messages.length < maxReported) {
        const { channelId, handle, text, template, skipped } = effect
        const reason = skipped && skipReasons[skipped]
        const templateId = template?.id ?? null
        this.messages.push({ stepId, channelId, handle, text, templateId, skipped: reason, at: time })
      } else if (effect.kind === 'mark_sale' && this.sales.length < maxReported) {
        const { amount, currency, note } = effect
        this.sales.push({ stepId, amount, currency, note, at: time })
      }
    }
  }
}

/**
 * One execution of a campaign actor: it works until nothing is left to do or its time is used up. All progress is
 * stored in rows, so that a later or concurrent execution continues from there.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { hasFeature } from '../../accounts/entitlements/index.ts'
import { recordChanges } from '../../core/changes/index.ts'
import { Budget, evaluateCondition } from '../../core/conditions/index.ts'
import { createYield } from '../../platform/event-loop.ts'
import { isRowError } from '../../platform/postgres/bisect.ts'
import { type Database, isMoving, sqlState, withRetry } from '../../platform/postgres/client.ts'
import { smallestId } from '../../platform/postgres/ids.ts'
import { providers } from '../channels/index.ts'
import { findTemplates } from '../templates/index.ts'
import { readsAttributes } from './audience.ts'
import { readEverybody, readNamed, readPending } from './people.ts'
import { composeMessage, type Person, personFacts, type SendContext, skipReason } from './recipient.ts'
import {
  addRecipients,
  beginRecipients,
  type CampaignState,
  collectOutcomes,
  completeCampaign,
  findCampaignState,
  findNamed,
  type PreparedRecipient,
  setNextExecution,
  skipPending,
  startScheduled,
  withdrawQueued,
} from './run-sql.ts'
import type { SendWindow } from './send-window.ts'

/** Number of customers checked per page while the audience is computed. */
const fillPage = 1000
/** Number of recipients processed per page. */
const beginPage = 500
/** Number of message results collected per page. */
const collectPage = 4000
/** Seconds of a rate-limited channel's throughput that can be queued. */
const maxQueuedSeconds = 2
const minQueued = 20

/** Maximum duration of an execution in milliseconds, so that other campaigns of this process run as well. */
const maxExecutionMs = 1000
/** Milliseconds between polls of the channel's progress. Doubles while there is none. */
const pollMs = { first: 10, max: 200 }
/** Maximum backpressure delay before a step in milliseconds. Guarantees progress under permanent load. */
const maxDelayMs = 500
const busyDelayFactor = 4
/** Milliseconds without progress after which an execution ends. */
const maxIdleMs = 400

export interface CampaignDeps {
  sql: Database
  /** Called when messages were queued on the channel. */
  wakeChannel: (workspaceId: string, channelId: string) => void
  /** Returns the current backpressure delay in milliseconds. */
  delayMs: () => number
  /** Returns whether this process is serving many callers. */
  isBusy: () => boolean
  /** Called with the number of recipients that were sent, skipped or unknown. */
  onSettled?: (count: number) => void
  stopping: AbortSignal
}

/** The campaign to run. `idleMs` is the previous delay without progress, from which the next one is computed. */
export interface CampaignExecution {
  workspaceId: string
  id: string
  idleMs: number
  /** Throughput of the channel, measured by earlier executions. */
  sendWindow: SendWindow
}

/**
 * Runs a campaign. Returns the milliseconds to wait if the next execution makes no progress either, or 0 if there was
 * progress.
 */
export const runCampaign = async (
  deps: CampaignDeps,
  { workspaceId, id, idleMs, sendWindow }: CampaignExecution,
): Promise<number> => {
  const end = performance.now() + maxExecutionMs
  const context = new SendContextLoader(deps.sql)
  let [pollDelayMs, waitedMs, hasProgress, page, tookMs] = [pollMs.first, 0, false, beginPage, 0]
  while (performance.now() < end && !deps.stopping.aborted) {
    await backOff(deps, tookMs)
    const startedAt = performance.now()
    const campaign = await withRetry(() => findCampaignState(deps.sql, workspaceId, id))
    if (!campaign?.due) return 0
    const step = await runStep(deps, campaign, { context, page, sendWindow })
    tookMs = performance.now() - startedAt
    page = step === 'smaller' ? Math.max(1, page >> 2) : beginPage
    if (step === 'end') return 0
    if (step !== 'wait') {
      hasProgress = true
      ;[pollDelayMs, waitedMs] = [pollMs.first, 0]
      continue
    }
    if (waitedMs >= maxIdleMs) {
      const delayMs = hasProgress ? idleDelayMs.min : Math.min(2 * Math.max(idleMs, idleDelayMs.min), idleDelayMs.max)
      await setNextExecution(deps.sql, campaign, delayMs)
      return hasProgress ? 0 : delayMs
    }
    await sleep(pollDelayMs)
    waitedMs += pollDelayMs
    pollDelayMs = Math.min(2 * pollDelayMs, pollMs.max)
  }
  return 0
}

/**
 * Waits before a step for the backpressure delay. While callers are waiting, the delay is at least `busyDelayFactor` times
 * the duration of the last step.
 */
const backOff = async ({ delayMs, isBusy }: CampaignDeps, tookMs: number): Promise<void> => {
  const ms = Math.min(Math.max(delayMs(), isBusy() ? busyDelayFactor * tookMs : 0), maxDelayMs)
  if (ms >= 1) await sleep(ms)
}

/** Milliseconds to wait for a channel without progress. Doubles each time. */
const idleDelayMs = { min: 200, max: 2000 }

/**
 * `done`: progress was made. `wait`: the channel must progress first. `smaller`: the next page must be smaller. `end`:
 * no work left.
 */
type Step = 'done' | 'wait' | 'smaller' | 'end'

/** State shared by the steps of an execution. */
interface Shared {
  context: SendContextLoader
  /** Maximum number of recipients in the next page. */
  page: number
  sendWindow: SendWindow
}

const runStep = async (deps: CampaignDeps, campaign: CampaignState, shared: Shared): Promise<Step> => {
  const { sql } = deps
  switch (campaign.status) {
    case 'scheduled':
      await startScheduled(sql, campaign)
      return 'done'
    case 'running':
      if (!campaign.filled) return fillAudience(sql, campaign)
      return continueSending(deps, campaign, shared)
    case 'paused':
      if (!campaign.filled) return fillAudience(sql, campaign)
      if (campaign.queued > 0) return collect(deps, campaign)
      return suspend(sql, campaign)
    case 'cancelled':
      return finishCancelled(deps, campaign)
    default:
      return suspend(sql, campaign)
  }
}

const suspend = async (sql: Database, campaign: CampaignState): Promise<Step> => {
  await setNextExecution(sql, campaign, null)
  return 'end'
}

/** Adds a page of the audience. The condition is evaluated outside of a transaction, and yields to other work. */
const fillAudience = async (sql: Database, campaign: CampaignState): Promise<Step> => {
  const { workspaceId, channelId, id, where, startedAt, isNamed } = campaign
  const page = {
    workspaceId,
    channelId,
    after: campaign.audienceCursor ?? smallestId,
    limit: fillPage,
    attributes: readsAttributes({ where }),
  }
  const { people, isEnd } = isNamed
    ? await readNamed(sql, { ...page, ids: await findNamed(sql, workspaceId, id) })
    : await readEverybody(sql, { ...page, at: startedAt })
  const ids = (where === null ? people : await filterByCondition(people, where)).map(one => one.id)
  await withRetry(() => addRecipients(sql, campaign, { ids, to: people.at(-1)?.id ?? page.after, isEnd }))
  return 'done'
}

/** Returns the people that match the condition. */
export const filterByCondition = async (
  people: Person[],
  where: NonNullable<CampaignState['where']>,
): Promise<Person[]> => {
  const suspend = createYield()
  const found: Person[] = []
  for (const person of people) {
    if (evaluateCondition(where, personFacts(person), new Budget())) found.push(person)
    await suspend()
  }
  return found
}

/**
 * Collects results of sent messages, queues more if the window allows, and completes the campaign when none are left.
 */
const continueSending = async (
  deps: CampaignDeps,
  campaign: CampaignState,
  { context, page, sendWindow }: Shared,
): Promise<Step> => {
  const { sql } = deps
  const { recipients, queued, ended } = campaign
  if (ended === recipients && queued === 0) {
    await withRetry(() => completeCampaign(sql, campaign))
    recordChanges(sql, 'campaign', [campaign])
    return 'done'
  }
  if (queued === 0) sendWindow.onEmpty()
  const left = recipients - queued - ended
  const maxQueued = queueLimit(campaign, sendWindow)
  const available = maxQueued - queued
  const wanted = Math.min(page, left)
  if (left > 0 && available >= Math.min(wanted, maxQueued >> 1))
    return begin(deps, campaign, context, Math.min(wanted, available))
  return collect(deps, campaign, sendWindow)
}

/**
 * Returns how many messages the campaign can have queued on its channel. The limit keeps the delay of other messages
 * short.
 */
const queueLimit = ({ channel }: CampaignState, sendWindow: SendWindow): number => {
  const rateLimit = channel ? providers[channel.kind]?.capabilities.rateLimit : null
  return rateLimit
    ? Math.min(sendWindow.size, Math.max(minQueued, Math.ceil(rateLimit.perSecond * maxQueuedSeconds)))
    : sendWindow.size
}

const collect = async (
  { sql, onSettled }: CampaignDeps,
  campaign: CampaignState,
  sendWindow?: SendWindow,
): Promise<Step> => {
  const collected = await withRetry(() => collectOutcomes(sql, campaign, collectPage))
  onSettled?.(collected ?? 0)
  sendWindow?.onProcessed(collected ?? 0)
  return collected === 0 ? 'wait' : 'done'
}

/** Processes the next page of recipients, evaluated at the current time. */
const begin = async (
  deps: CampaignDeps,
  campaign: CampaignState,
  context: SendContextLoader,
  limit: number,
): Promise<Step> => {
  const { sql } = deps
  const { workspaceId, channelId, id, variables } = campaign
  const { people } = await readPending(sql, {
    workspaceId,
    channelId,
    campaignId: id,
    after: campaign.queueCursor ?? smallestId,
    limit,
    attributes: readsAttributes({ variables }),
  })
  // Another actor has already processed them.
  if (people.length === 0) return 'wait'
  const prepared = await prepareRecipients(people, campaign, await context.load(campaign))
  try {
    if (await withRetry(() => beginRecipients(sql, campaign, prepared)))
      deps.onSettled?.(prepared.filter(({ reason }) => reason !== null).length)
  } catch (error) {
    return afterFailure(deps, campaign, prepared, error)
  }
  if (prepared.some(({ message }) => message !== null)) deps.wakeChannel(workspaceId, channelId)
  return 'done'
}

const prepareRecipients = async (
  people: Person[],
  campaign: CampaignState,
  context: SendContext,
): Promise<PreparedRecipient[]> => {
  const yieldIfDue = createYield()
  const prepared: PreparedRecipient[] = []
  for (const person of people) {
    prepared.push(prepareRecipient(person, campaign, context))
    await yieldIfDue()
  }
  return prepared
}

const prepareRecipient = (person: Person, campaign: CampaignState, context: SendContext): PreparedRecipient => {
  const message = composeMessage(person, campaign, context)
  if (message === null)
    return { customerId: person.id, reason: skipReason(person, context) ?? 'no_address', message: null }
  const sentBy = { type: 'campaign' as const, id: campaign.id }
  return { customerId: person.id, reason: null, message: { ...message, sentBy, writtenBy: null, skipped: null } }
}

/**
 * Isolates a recipient whose data makes the page fail: the page shrinks until that recipient is alone, and is then
 * skipped.
 */
const afterFailure = async (
  { sql, onSettled }: CampaignDeps,
  campaign: CampaignState,
  prepared: PreparedRecipient[],
  error: unknown,
): Promise<Step> => {
  const isLocked = sqlState(error) === '55P03'
  if (!isLocked && (!isRowError(error) || isMoving(error))) throw error
  if (prepared.length > 1) return 'smaller'
  if (isLocked) return 'wait'
  const refused = { customerId: prepared[0]!.customerId, reason: 'refused', message: null }
  if (await beginRecipients(sql, campaign, [refused])) onSettled?.(1)
  return 'smaller'
}

/** Skips pending recipients of a cancelled campaign, and withdraws queued messages that have not been sent. */
const finishCancelled = async (deps: CampaignDeps, campaign: CampaignState): Promise<Step> => {
  const { sql } = deps
  const { recipients, queued, ended, filled } = campaign
  if (!filled || recipients - queued - ended > 0) {
    deps.onSettled?.(await withRetry(() => skipPending(sql, campaign, fillPage)))
    return 'done'
  }
  if (queued === 0) return suspend(sql, campaign)
  await withdrawQueued(sql, campaign, collectPage)
  return collect(deps, campaign)
}

/** Conditions of the whole campaign, read once per execution. They can be at most about a second old. */
class SendContextLoader {
  #loaded: Promise<[boolean, Awaited<ReturnType<typeof findTemplates>>]> | null = null

  constructor(private readonly sql: Database) {}

  async load({ workspaceId, templateId, variables, channel }: CampaignState): Promise<SendContext> {
    this.#loaded ??= Promise.all([
      hasFeature(this.sql, workspaceId, 'campaigns'),
      findTemplates(this.sql, workspaceId, [templateId]),
    ])
    const [inPlan, [template]] = await this.#loaded
    return { inPlan, template: template ?? null, variables, connected: channel?.connected ?? false }
  }
}

/**
 * One execution of a campaign actor: it works until nothing is left to do or its time is used up. All progress is
 * stored in rows, so that a later or concurrent execution continues from there.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { type Database, retrying, sqlState } from '../../db/client.ts'
import { liesInARow } from '../../db/each-on-its-own.ts'
import { providers } from '../channels/index.ts'
import { Budget, holds } from '../conditions/index.ts'
import { includes } from '../entitlements/index.ts'
import { noteChanges } from '../stream/index.ts'
import { findTemplates } from '../templates/index.ts'
import { inTurns } from '../turns.ts'
import { readsAttributes } from './audience.ts'
import type { Flow } from './flow.ts'
import { factsOf, type Person, reasonToSkip, type Terms, written } from './judge.ts'
import { firstId, readEverybody, readNamed, readPending } from './people.ts'
import {
  addRecipients,
  type Begun,
  beginRecipients,
  beginScheduled,
  type CampaignAtWork,
  collectOutcomes,
  completeCampaign,
  dropPending,
  findCampaignAtWork,
  findNamed,
  restCampaign,
  withdrawQueued,
} from './run-sql.ts'

/** Number of customers checked per page while the audience is computed. */
const fillPage = 1000
/** Number of recipients processed per page. */
const beginPage = 500
/** Number of message results collected per page. */
const collectPage = 4000
/** Seconds of a rate-limited channel's throughput that can be queued. */
const windowSeconds = 2
const leastWindow = 20

/** Maximum duration of an execution in milliseconds, so that other campaigns of this process run as well. */
const turnMs = 1000
/** Milliseconds between polls of the channel's progress. Doubles while there is none. */
const lookMs = { first: 10, most: 200 }
/** Maximum backpressure delay before a step in milliseconds. Guarantees progress under permanent load. */
const mostRestMs = 500
const busyRests = 4
/** Milliseconds without progress after which an execution ends. */
const patienceMs = 400

export interface TurnDeps {
  sql: Database
  /** Called when messages were queued on the channel. */
  wakeChannel: (workspaceId: string, channelId: string) => void
  /** Returns the current backpressure delay in milliseconds. */
  restMs: () => number
  /** Returns whether this process is serving many callers. */
  isBusy: () => boolean
  stopping: AbortSignal
}

/** The campaign to run. `idleMs` is the previous delay without progress, from which the next one is computed. */
export interface CampaignTurn {
  workspaceId: string
  id: string
  idleMs: number
  /** Throughput of the channel, measured by earlier executions. */
  flow: Flow
}

/**
 * Runs a campaign. Returns the milliseconds to wait if the next execution makes no progress either, or 0 if there was
 * progress.
 */
export const takeTurn = async (deps: TurnDeps, { workspaceId, id, idleMs, flow }: CampaignTurn): Promise<number> => {
  const end = performance.now() + turnMs
  const terms = new TermsOfTurn(deps.sql)
  let [look, waited, active, page, tookMs] = [lookMs.first, 0, false, beginPage, 0]
  while (performance.now() < end && !deps.stopping.aborted) {
    await giveWay(deps, tookMs)
    const begun = performance.now()
    const campaign = await retrying(() => findCampaignAtWork(deps.sql, workspaceId, id))
    if (!campaign?.due) return 0
    const step = await takeStep(deps, campaign, { terms, page, flow })
    tookMs = performance.now() - begun
    page = step === 'smaller' ? Math.max(1, page >> 2) : beginPage
    if (step === 'end') return 0
    if (step !== 'wait') {
      active = true
      ;[look, waited] = [lookMs.first, 0]
      continue
    }
    if (waited >= patienceMs) {
      const restMs = active ? restsMs.least : Math.min(2 * Math.max(idleMs, restsMs.least), restsMs.most)
      await restCampaign(deps.sql, campaign, restMs)
      return active ? 0 : restMs
    }
    await sleep(look)
    waited += look
    look = Math.min(2 * look, lookMs.most)
  }
  return 0
}

/**
 * Waits before a step for the backpressure delay. While callers are waiting, the delay is at least `busyRests` times
 * the duration of the last step.
 */
const giveWay = async ({ restMs, isBusy }: TurnDeps, tookMs: number): Promise<void> => {
  const ms = Math.min(Math.max(restMs(), isBusy() ? busyRests * tookMs : 0), mostRestMs)
  if (ms >= 1) await sleep(ms)
}

/** Milliseconds to wait for a channel without progress. Doubles each time. */
const restsMs = { least: 200, most: 2000 }

/**
 * `done`: progress was made. `wait`: the channel must progress first. `smaller`: the next page must be smaller. `end`:
 * no work left.
 */
type Step = 'done' | 'wait' | 'smaller' | 'end'

/** State shared by the steps of an execution. */
interface Shared {
  terms: TermsOfTurn
  /** Maximum number of recipients in the next page. */
  page: number
  flow: Flow
}

const takeStep = async (deps: TurnDeps, campaign: CampaignAtWork, shared: Shared): Promise<Step> => {
  const { sql } = deps
  switch (campaign.status) {
    case 'scheduled':
      await beginScheduled(sql, campaign)
      return 'done'
    case 'running':
      if (!campaign.filled) return fill(sql, campaign)
      return goOn(deps, campaign, shared)
    case 'paused':
      if (!campaign.filled) return fill(sql, campaign)
      if (campaign.queued > 0) return collect(sql, campaign)
      return rest(sql, campaign)
    case 'cancelled':
      return windUp(sql, campaign)
    default:
      return rest(sql, campaign)
  }
}

const rest = async (sql: Database, campaign: CampaignAtWork): Promise<Step> => {
  await restCampaign(sql, campaign, null)
  return 'end'
}

/** Adds a page of the audience. The condition is evaluated outside of a transaction, and yields to other work. */
const fill = async (sql: Database, campaign: CampaignAtWork): Promise<Step> => {
  const { workspaceId, channelId, id, where, startedAt, isNamed } = campaign
  const page = {
    workspaceId,
    channelId,
    after: campaign.filledTo ?? firstId,
    limit: fillPage,
    attributes: readsAttributes({ where }),
  }
  const { people, isEnd } = isNamed
    ? await readNamed(sql, { ...page, ids: await findNamed(sql, workspaceId, id) })
    : await readEverybody(sql, { ...page, at: startedAt })
  const ids = (where === null ? people : await those(people, where)).map(one => one.id)
  await retrying(() => addRecipients(sql, campaign, { ids, to: people.at(-1)?.id ?? page.after, isEnd }))
  return 'done'
}

/** Returns the people that match the condition. */
export const those = async (people: Person[], where: NonNullable<CampaignAtWork['where']>): Promise<Person[]> => {
  const rest = inTurns()
  const found: Person[] = []
  for (const person of people) {
    if (holds(where, factsOf(person), new Budget())) found.push(person)
    await rest()
  }
  return found
}

/**
 * Collects results of sent messages, queues more if the window allows, and completes the campaign when none are left.
 */
const goOn = async (deps: TurnDeps, campaign: CampaignAtWork, { terms, page, flow }: Shared): Promise<Step> => {
  const { sql } = deps
  const { recipients, queued, ended } = campaign
  if (ended === recipients && queued === 0) {
    await retrying(() => completeCampaign(sql, campaign))
    noteChanges(sql, 'campaign', [campaign])
    return 'done'
  }
  if (queued === 0) flow.ranOut()
  const left = recipients - queued - ended
  const window = windowOf(campaign, flow)
  const room = window - queued
  const wanted = Math.min(page, left)
  if (left > 0 && room >= Math.min(wanted, window >> 1)) return begin(deps, campaign, terms, Math.min(wanted, room))
  return collect(sql, campaign, flow)
}

/**
 * Returns how many messages the campaign can have queued on its channel. The limit keeps the delay of other messages
 * short.
 */
const windowOf = ({ channel }: CampaignAtWork, flow: Flow): number => {
  const pace = channel ? providers[channel.kind]?.capabilities.pace : null
  return pace ? Math.min(flow.window, Math.max(leastWindow, Math.ceil(pace.perSecond * windowSeconds))) : flow.window
}

const collect = async (sql: Database, campaign: CampaignAtWork, flow?: Flow): Promise<Step> => {
  const moved = await retrying(() => collectOutcomes(sql, campaign, collectPage))
  flow?.moved(moved ?? 0)
  return moved === 0 ? 'wait' : 'done'
}

/** Processes the next page of recipients, evaluated at the current time. */
const begin = async (deps: TurnDeps, campaign: CampaignAtWork, terms: TermsOfTurn, limit: number): Promise<Step> => {
  const { sql } = deps
  const { workspaceId, channelId, id, variables } = campaign
  const { people } = await readPending(sql, {
    workspaceId,
    channelId,
    campaignId: id,
    after: campaign.begunTo ?? firstId,
    limit,
    attributes: readsAttributes({ variables }),
  })
  // Another actor has already processed them.
  if (people.length === 0) return 'wait'
  const begun = await judged(people, campaign, await terms.of(campaign))
  try {
    await retrying(() => beginRecipients(sql, campaign, begun))
  } catch (error) {
    return afterFailure(sql, campaign, begun, error)
  }
  if (begun.some(({ message }) => message !== null)) deps.wakeChannel(workspaceId, channelId)
  return 'done'
}

const judged = async (people: Person[], campaign: CampaignAtWork, terms: Terms): Promise<Begun[]> => {
  const turns = inTurns()
  const begun: Begun[] = []
  for (const person of people) {
    begun.push(begunOf(person, campaign, terms))
    await turns()
  }
  return begun
}

const begunOf = (person: Person, { workspaceId, id, channelId }: CampaignAtWork, terms: Terms): Begun => {
  const reason = reasonToSkip(person, terms)
  const { template } = terms
  if (reason !== null || template === null || person.address === null)
    return { customerId: person.id, reason: reason ?? 'no_address', message: null }
  const { text, provider } = written(person, template, terms.variables)
  const message = {
    workspaceId,
    customerId: person.id,
    channelId,
    handle: person.address,
    text,
    template: { id: template.id, marketing: template.category === 'marketing', provider },
    sentBy: { type: 'campaign' as const, id },
    writtenBy: null,
    skipped: null,
  }
  return { customerId: person.id, reason: null, message }
}

/**
 * Isolates a recipient whose data makes the page fail: the page shrinks until that recipient is alone, and is then
 * skipped.
 */
const afterFailure = async (sql: Database, campaign: CampaignAtWork, begun: Begun[], error: unknown): Promise<Step> => {
  const isHeld = sqlState(error) === '55P03'
  if (!isHeld && !liesInARow(error)) throw error
  if (begun.length > 1) return 'smaller'
  if (isHeld) return 'wait'
  await beginRecipients(sql, campaign, [{ customerId: begun[0]!.customerId, reason: 'refused', message: null }])
  return 'smaller'
}

/** After a cancellation: skips pending recipients, and withdraws queued messages that have not been sent. */
const windUp = async (sql: Database, campaign: CampaignAtWork): Promise<Step> => {
  const { recipients, queued, ended, filled } = campaign
  if (!filled || recipients - queued - ended > 0) {
    await retrying(() => dropPending(sql, campaign, fillPage))
    return 'done'
  }
  if (queued === 0) return rest(sql, campaign)
  await withdrawQueued(sql, campaign, collectPage)
  return collect(sql, campaign)
}

/** Conditions of the whole campaign, read once per execution. They can be at most about a second old. */
class TermsOfTurn {
  #asked: Promise<[boolean, Awaited<ReturnType<typeof findTemplates>>]> | null = null

  constructor(private readonly sql: Database) {}

  async of({ workspaceId, templateId, variables, channel }: CampaignAtWork): Promise<Terms> {
    this.#asked ??= Promise.all([
      includes(this.sql, workspaceId, 'campaigns'),
      findTemplates(this.sql, workspaceId, [templateId]),
    ])
    const [inPlan, [template]] = await this.#asked
    return { inPlan, template: template ?? null, variables, connected: channel?.connected ?? false }
  }
}

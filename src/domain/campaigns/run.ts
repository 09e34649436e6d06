/**
 * One turn of a campaign: what its actor does until there is nothing to do at the moment, or its time is over. Everything
 * it knows stands in rows; whoever comes after it, or beside it, goes on from there.
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

/** Customers that are looked at together while the audience is being fixed. */
const fillPage = 1000
/** Recipients that are begun together. */
const beginPage = 500
/** What became of messages is taken notice of in pages. */
const collectPage = 4000
/** Where the provider has a pace, its channel is given messages for so many seconds of it. */
const windowSeconds = 2
const leastWindow = 20

/** Milliseconds that a turn lasts; then others of this process have theirs. */
const turnMs = 1000
/** Milliseconds between two looks whether the channel has come further: doubled each time it has not. */
const lookMs = { first: 10, most: 200 }
/** Before each of its statements it gives way for so many milliseconds at most, so that it goes on in any case. */
const mostRestMs = 500
const busyRests = 4
/** A turn that would wait longer than so many milliseconds ends. */
const patienceMs = 400

export interface TurnDeps {
  sql: Database
  /** The channel was given messages. */
  wakeChannel: (workspaceId: string, channelId: string) => void
  /** For how many milliseconds it is to rest, since other work is late. */
  restMs: () => number
  /** Whether much else is done in this process that somebody waits for. */
  isBusy: () => boolean
  stopping: AbortSignal
}

/** Which campaign; `idleMs`: how long it has waited for its channel by now, which says how long it rests. */
export interface CampaignTurn {
  workspaceId: string
  id: string
  idleMs: number
  /** What is known of its channel by the turns before. */
  flow: Flow
}

/** Answers how long it is to rest if the next turn finds no more to do; 0 where something was done. */
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

/** Rests before a step: where other work is late, and where callers wait, so many times as long as the last step took. */
const giveWay = async ({ restMs, isBusy }: TurnDeps, tookMs: number): Promise<void> => {
  const ms = Math.min(Math.max(restMs(), isBusy() ? busyRests * tookMs : 0), mostRestMs)
  if (ms >= 1) await sleep(ms)
}

/** Milliseconds that a campaign rests whose channel does not come further: doubled each time. */
const restsMs = { least: 200, most: 2000 }

/** `done`: it went on. `wait`: its channel has to, first. `smaller`: the next page is to be. `end`: nothing is left to do. */
type Step = 'done' | 'wait' | 'smaller' | 'end'

/** What the steps of a turn share. */
interface Shared {
  terms: TermsOfTurn
  /** Recipients to begin together, at most. */
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

/** Fixes a page of the audience. A condition is asked while no transaction is open, and others have their turns. */
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

/** Of these people those of whom the condition holds. */
export const those = async (people: Person[], where: NonNullable<CampaignAtWork['where']>): Promise<Person[]> => {
  const rest = inTurns()
  const found: Person[] = []
  for (const person of people) {
    if (holds(where, factsOf(person), new Budget())) found.push(person)
    await rest()
  }
  return found
}

/** Takes notice of what was sent, and has more sent where there is room; completes where nothing is left. */
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

/** Messages of the campaign that may be with its channel at once: whatever else is written over it comes behind them. */
const windowOf = ({ channel }: CampaignAtWork, flow: Flow): number => {
  const pace = channel ? providers[channel.kind]?.capabilities.pace : null
  return pace ? Math.min(flow.window, Math.max(leastWindow, Math.ceil(pace.perSecond * windowSeconds))) : flow.window
}

const collect = async (sql: Database, campaign: CampaignAtWork, flow?: Flow): Promise<Step> => {
  const moved = await retrying(() => collectOutcomes(sql, campaign, collectPage))
  flow?.moved(moved ?? 0)
  return moved === 0 ? 'wait' : 'done'
}

/** Begins the next page of recipients: each is judged as of now. */
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
  // Somebody else has begun them.
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

/** What lies in one recipient must not keep the others: the page is made smaller until it stands alone, and is skipped. */
const afterFailure = async (sql: Database, campaign: CampaignAtWork, begun: Begun[], error: unknown): Promise<Step> => {
  const isHeld = sqlState(error) === '55P03'
  if (!isHeld && !liesInARow(error)) throw error
  if (begun.length > 1) return 'smaller'
  if (isHeld) return 'wait'
  await beginRecipients(sql, campaign, [{ customerId: begun[0]!.customerId, reason: 'refused', message: null }])
  return 'smaller'
}

/** After a cancellation: nobody is begun any more, and what is not begun of what is with the channel is withdrawn. */
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

/** What holds for the whole campaign, asked once in a turn: a second ago is as of now. */
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

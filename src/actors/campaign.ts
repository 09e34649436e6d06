/** Runs each campaign with one actor. Its queue is its own row, which says when the next execution is due. */
import type { Database } from '../db/client.ts'
import type { Horizon } from '../db/horizon.ts'
import { Flow, findCampaignDue, findDueCampaigns, takeTurn } from '../domain/campaigns/index.ts'
import { Floors, Sweep } from '../domain/mailbox.ts'
import { wakeCampaign } from '../domain/tasks.ts'
import type { ActorKind } from './actor.ts'
import { channelKind } from './channel.ts'
import type { ActorHost } from './host.ts'

export const campaignKind = 'campaign'

/** Maximum number of concurrent campaign executions in this process, because they share the database connections. */
const turnsAtOnce = 4
/** Maximum number of campaigns whose wait time and channel rate are remembered. The oldest entry is dropped first. */
const maxKnown = 1000

export interface CampaignDeps {
  sql: Database
  horizon: Horizon
  wake: ActorHost['wake']
  /** Returns the delay in milliseconds for work that is not urgent, while other work is late. */
  restMs?: () => number
  /** Returns whether this process is busy with more urgent work. */
  isBusy?: () => boolean
}

/** Actors of campaigns. At most `turnsAtOnce` executions run concurrently. */
export const campaignActors = ({
  sql,
  horizon,
  wake,
  restMs = () => 0,
  isBusy = () => false,
}: CampaignDeps): ActorKind => {
  const sweep = new Sweep(new Floors(horizon))
  const places = new Places(turnsAtOnce)
  const idle = new Map<string, number>()
  const flows = new Map<string, Flow>()
  const wakeChannel = (workspaceId: string, id: string) => wake({ kind: channelKind, workspaceId, id })

  return {
    name: campaignKind,
    maxInHand: 1,
    read: async ({ workspaceId, id }, _limit, except) => {
      if (except.includes(id)) return []
      const dueInMs = await findCampaignDue(sql, workspaceId, id)
      return dueInMs !== null && dueInMs <= 0 ? [{ id }] : []
    },
    handle: async ({ workspaceId, id }, _letter, stopping) => {
      const idleMs = idle.get(id) ?? 0
      idle.delete(id)
      const flow = flows.get(id) ?? new Flow()
      flows.delete(id)
      const rested = await places.with(() =>
        takeTurn({ sql, wakeChannel, restMs, isBusy, stopping }, { workspaceId, id, idleMs, flow }),
      )
      if (rested > 0) idle.set(id, rested)
      flows.set(id, flow)
      for (const known of [idle, flows]) if (known.size > maxKnown) known.delete(known.keys().next().value!)
      return 'prompt'
    },
    dueInMs: ({ workspaceId, id }) => findCampaignDue(sql, workspaceId, id),
    wakeIn: ({ workspaceId, id }, ms) => wakeCampaign(sql, workspaceId, id, ms),
    findDue: (after, limit) => sweep.page(after, from => findDueCampaigns(sql, after, limit, from)),
  }
}

/** Semaphore with a fixed number of permits. Waiters are served in order of arrival. */
class Places {
  readonly #line: (() => void)[] = []

  constructor(private free: number) {}

  async with<T>(work: () => Promise<T>): Promise<T> {
    if (this.free > 0) this.free--
    else await new Promise<void>(resolve => this.#line.push(resolve))
    try {
      return await work()
    } finally {
      const next = this.#line.shift()
      if (next) next()
      else this.free++
    }
  }
}

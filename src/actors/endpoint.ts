/** Delivers to webhook endpoints, with one actor for each endpoint. */
import { Batcher } from '../db/batch.ts'
import { type Database, retrying } from '../db/client.ts'
import { eachOnItsOwn } from '../db/each-on-its-own.ts'
import type { Horizon } from '../db/horizon.ts'
import type { ActorId } from '../db/lease.ts'
import {
  type AttemptEnd,
  type AttemptSettlement,
  attemptDelivery,
  type createAttempt,
  type DeliveryPolicy,
  findDueDeliveries,
  findDueEndpoints,
  findLastAttempt,
  findNextDueDelivery,
  type Given,
  type Letter,
  settleAttempts,
} from '../domain/deliveries/index.ts'
import { findLivingEndpoint, takeTurns } from '../domain/endpoints/index.ts'
import { Floors, Sweep } from '../domain/mailbox.ts'
import type { Seals } from '../domain/sealing.ts'
import { noteChanges } from '../domain/stream/index.ts'
import { wakeEndpoint } from '../domain/tasks.ts'
import type { Log } from '../platform/log.ts'
import type { ActorKind } from './actor.ts'
import { Conduct } from './conduct.ts'
import type { HealthLedger } from './health.ts'
import type { ActorHost } from './host.ts'
import { Slots, type Standing } from './slots.ts'
import { type Turn, TurnTaking, turnsOf } from './turns.ts'
import { untilDone } from './until-done.ts'
import type { Response } from './window.ts'

export const endpointKind = 'endpoint'

/** Wakes an endpoint and hands over its new deliveries. `askedAt` is the time before they were written. */
export const handToEndpoint = (
  wake: ActorHost['wake'],
  { workspaceId, webhookId, letters }: Given,
  askedAt: number,
): void => wake({ kind: endpointKind, workspaceId, id: webhookId }, { letters, askedAt })

/**
 * Maximum number of concurrent attempts of one endpoint: the permits that `Slots` grants to a single endpoint that
 * answers.
 */
const maxInHandOf = (maxInFlight: number): number => Math.max(4, maxInFlight >> 1)

/** Attempts that take longer, in milliseconds, share a part of the permits of the process. See `Slots`. */
const slowMs = 2000
/**
 * Receivers that answer faster than this, in milliseconds, do not delay other work. If their delivery was late, this
 * service caused it.
 */
const quickMs = 25

const responseTo = ({ statusCode }: AttemptSettlement): Response => {
  if (statusCode === null) return 'none'
  return statusCode === 429 || statusCode >= 500 ? 'strained' : 'prompt'
}

/**
 * Classifies an endpoint by how long its attempt held the permit. A permit is held until the start of the response body
 * was read.
 */
const standingBy = (end: AttemptEnd | null, heldMs: number): Standing => {
  if (end === null || heldMs <= slowMs) return end?.statusCode ? 'answers' : 'unknown'
  return end.statusCode === null ? 'hangs' : 'slow'
}

/**
 * Time for which new deliveries do not wake an endpoint that was read as held or disabled. A poll can wake it earlier.
 */
const restMs = 5000
/** Maximum number of endpoints remembered as held or disabled. The oldest entry is dropped first. */
const maxAtRest = 10_000

/** Endpoints that were held or disabled when they were last read. */
class AtRest {
  readonly #until = new Map<string, number>()

  know(id: string, rests: boolean): void {
    if (!rests && this.#until.size === 0) return
    this.#until.delete(id)
    if (!rests) return
    if (this.#until.size >= maxAtRest) this.#until.delete(this.#until.keys().next().value!)
    this.#until.set(id, performance.now() + restMs)
  }

  has(id: string): boolean {
    return (this.#until.get(id) ?? 0) > performance.now()
  }
}

export interface EndpointDeps {
  sql: Database
  horizon: Horizon
  attempt: ReturnType<typeof createAttempt>
  policy: DeliveryPolicy
  /** Maximum number of concurrent attempts in this process, over all endpoints. The limit depends on the runtime. */
  maxInFlight: number
  log: Log
  /** Called with the milliseconds by which an attempt began late because of this service. */
  onLate: (ms: number) => void
  /** Called after each attempt with the new status of its delivery: delivered, retrying or failed. */
  onAttempt: (outcome: string) => void
  /** Collects the health of endpoints. */
  health: HealthLedger
  /** Keyring for endpoint secrets and owners' headers. Null without an encryption key. */
  seals: Seals | null
}

/** Delivery. If the endpoint has a rate limit, it includes the reserved time. */
type Timed = Letter & { turn?: Turn }

/** Actors of endpoints. Attempts of all endpoints that end concurrently are settled in one statement. */
export const endpointActors = ({
  sql,
  horizon,
  attempt,
  policy,
  maxInFlight,
  log,
  onLate,
  onAttempt,
  health,
  seals,
}: EndpointDeps): ActorKind<Timed> => {
  const turns = new TurnTaking()
  const atRest = new AtRest()
  const slots = new Slots(maxInFlight)
  const conduct = new Conduct()
  const floors = new Floors(horizon)
  const sweep = new Sweep(floors)
  /**
   * Loads the last attempt of an endpoint that this process does not know. Findings of other processes, or from before
   * a restart, are used again.
   */
  const learn = async ({ workspaceId, id }: ActorId): Promise<void> => {
    if (slots.knows(id)) return
    const last = await findLastAttempt(sql, workspaceId, id)
    slots.learn(id, standingBy(last, last?.durationMs ?? 0))
  }
  /**
   * Reserves a time for each delivery, if the endpoint has a rate limit. Returns only the deliveries with a
   * reservation.
   */
  const inTurn = async (actor: ActorId, letters: Letter[], ratePerSecond: number | null): Promise<Timed[]> => {
    if (ratePerSecond === null || letters.length === 0) return letters
    const { workspaceId, id: webhookId } = actor
    const taken = await takeTurns(sql, { workspaceId, webhookId, ratePerSecond, wanted: letters.length })
    return turnsOf(taken, ratePerSecond).map((turn, place) => ({ ...letters[place]!, turn }))
  }
  const settler = new Batcher<AttemptSettlement, boolean>({
    maxSize: 500,
    lanes: 2,
    work: settlements =>
      eachOnItsOwn(sql, settlements, async some => {
        const locked = await retrying(() => settleAttempts(sql, some))
        noteChanges(
          sql,
          'delivery',
          some
            .filter(({ deliveryId }) => !locked.has(deliveryId))
            .map(({ workspaceId, deliveryId: id }) => ({ workspaceId, id })),
        )
        return some.map(({ deliveryId }) => !locked.has(deliveryId))
      }),
  })

  return {
    name: endpointKind,
    maxInHand: maxInHandOf(maxInFlight),
    mostInHand: ({ endpoint }) => endpoint.maxConcurrency,

    read: async (actor, limit, except) => {
      const { workspaceId, id } = actor
      const look = floors.look(id)
      const [endpoint, { due, firstMs }] = await Promise.all([
        findLivingEndpoint(sql, workspaceId, id),
        findDueDeliveries(sql, { workspaceId, webhookId: id, limit, except, from: look.from }),
        learn(actor),
      ])
      if (firstMs !== undefined) look.found(firstMs)
      atRest.know(id, endpoint === null)
      if (!endpoint) return []
      health.learn(workspaceId, id, endpoint.failing)
      const now = performance.now()
      const letters = due.map(({ lateMs, ...delivery }) => ({
        ...delivery,
        workspaceId,
        webhookId: id,
        endpoint,
        dueSince: now - lateMs,
      }))
      return inTurn(actor, letters, endpoint.ratePerSecond)
    },

    handle: async ({ workspaceId, id }: ActorId, letter, deadline, responded) => {
      const { turn } = letter
      if (turn && !(await turns.wait(id, turn, deadline))) return 'prompt'
      const lateMs = turn ? 0 : performance.now() - letter.dueSince
      const settlement = await slots.with(
        id,
        () => attemptDelivery(attempt, policy, letter, seals, deadline),
        standingBy,
      )
      responded()
      if (settlement === null) return 'none'
      const response = responseTo(settlement)
      conduct.tell(id, { promptly: response === 'prompt', tookMs: settlement.durationMs })
      const quickly = settlement.statusCode !== null && settlement.durationMs < quickMs
      if (settlement.number === 1 && quickly && !conduct.isToBlame(id)) onLate(lateMs)
      await untilDone(() => settler.add(settlement), deadline)
      onAttempt(settlement.status)
      health.tell(workspaceId, id, { ...settlement, delivered: settlement.status === 'delivered' })
      const { deliveryId, number, status, statusCode, error, durationMs } = settlement
      log[status === 'delivered' ? 'debug' : 'info'](
        {
          workspaceId,
          webhookId: id,
          deliveryId,
          eventId: letter.event.id,
          eventType: letter.event.type,
          number,
          status,
          statusCode,
          error,
          durationMs,
        },
        'delivery attempted',
      )
      return response
    },

    isAtRest: ({ id }) => atRest.has(id),
    dueInMs: ({ workspaceId, id }) => findNextDueDelivery(sql, workspaceId, id, floors.look(id).from),
    wakeIn: ({ workspaceId, id }, ms) => wakeEndpoint(sql, workspaceId, id, ms),
    findDue: (after, limit) => sweep.page(after, from => findDueEndpoints(sql, after, limit, from)),
  }
}

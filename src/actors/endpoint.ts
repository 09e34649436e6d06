/** Delivers for webhook endpoints: one actor each. */
import { Batcher } from '../db/batch.ts'
import { type Database, retrying } from '../db/client.ts'
import { eachOnItsOwn } from '../db/each-on-its-own.ts'
import type { ActorId } from '../db/lease.ts'
import {
  type AttemptSettlement,
  attemptDelivery,
  type createAttempt,
  type DeliveryPolicy,
  findDueDeliveries,
  findDueEndpoints,
  findNextDueDelivery,
  type Letter,
  settleAttempts,
} from '../domain/deliveries/index.ts'
import { findLivingEndpoint } from '../domain/endpoints/index.ts'
import { wakeEndpoint } from '../domain/tasks.ts'
import type { Log } from '../platform/log.ts'
import type { ActorKind } from './actor.ts'
import { Slots } from './slots.ts'
import { untilDone } from './until-done.ts'

export const endpointKind = 'endpoint'

/**
 * Attempts of one endpoint at once: enough for a receiver that takes a while to answer, and so few of what the process
 * can carry that several receivers which stop answering at the same moment, their windows wide open, leave room for the
 * others.
 */
const maxInHandOf = (maxInFlight: number): number => Math.max(4, Math.min(64, maxInFlight >> 4))

/** Slower than this, an answer does not widen the window. */
const goodTimeMs = 2000

export interface EndpointDeps {
  sql: Database
  attempt: ReturnType<typeof createAttempt>
  policy: DeliveryPolicy
  /** Attempts that this process makes at once, over all endpoints: what the runtime can carry. */
  maxInFlight: number
  log: Log
  /** Told what each attempt made of its delivery: delivered, retrying or failed. */
  onAttempt: (outcome: string) => void
}

/** The mailbox of endpoints. Attempts of all endpoints that end at the same time are settled in one statement. */
export const endpointActors = ({
  sql,
  attempt,
  policy,
  maxInFlight,
  log,
  onAttempt,
}: EndpointDeps): ActorKind<Letter> => {
  const slots = new Slots(maxInFlight)
  const settler = new Batcher<AttemptSettlement, boolean>({
    maxSize: 500,
    lanes: 2,
    work: settlements =>
      eachOnItsOwn(settlements, async some => {
        const locked = await retrying(() => settleAttempts(sql, some))
        return some.map(({ deliveryId }) => !locked.has(deliveryId))
      }),
  })

  return {
    name: endpointKind,
    maxInHand: maxInHandOf(maxInFlight),

    read: async ({ workspaceId, id }, limit, except) => {
      const [endpoint, due] = await Promise.all([
        findLivingEndpoint(sql, workspaceId, id),
        findDueDeliveries(sql, { workspaceId, webhookId: id, limit, except }),
      ])
      return endpoint ? due.map(delivery => ({ ...delivery, workspaceId, endpoint })) : []
    },

    handle: async ({ workspaceId, id }: ActorId, letter, deadline) => {
      const settlement = await slots.with(() => attemptDelivery(attempt, policy, letter, deadline))
      if (settlement === null) return false
      await untilDone(() => settler.add(settlement), deadline)
      onAttempt(settlement.status)
      const { deliveryId, number, status, statusCode, error, durationMs } = settlement
      log.info(
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
      return statusCode !== null && durationMs < goodTimeMs
    },

    dueInMs: ({ workspaceId, id }) => findNextDueDelivery(sql, workspaceId, id),
    wakeIn: ({ workspaceId, id }, ms) => wakeEndpoint(sql, workspaceId, id, ms),
    findDue: (after, limit) => findDueEndpoints(sql, after, limit),
  }
}

/** Delivers to webhook endpoints, with one actor for each endpoint. */
import { LRUCache } from 'lru-cache'
import { recordChanges } from '../../core/changes/index.ts'
import type { Keyring } from '../../platform/encryption.ts'
import type { Log } from '../../platform/log.ts'
import { Batcher } from '../../platform/micro-batch.ts'
import { bisectOnError } from '../../platform/postgres/bisect.ts'
import { type Database, withRetry } from '../../platform/postgres/client.ts'
import type { ActorId } from '../../platform/postgres/lease.ts'
import type { Watermark } from '../../platform/postgres/watermark.ts'
import { type Tracer, traceIdOf } from '../../platform/tracing.ts'
import type { ActorKind } from '../../queue/actor.ts'
import type { ResponseKind } from '../../queue/concurrency.ts'
import { HealthSamples } from '../../queue/health-sample.ts'
import type { ActorHost } from '../../queue/host.ts'
import { type HolderHealth, Permits } from '../../queue/permits.ts'
import { QueuePoll, QueueWatermarks } from '../../queue/queue.ts'
import { retryWhileLocked } from '../../queue/retry-while-locked.ts'
import { wakeEndpoint } from '../../queue/tasks.ts'
import {
  type AttemptOutcome,
  type AttemptSettlement,
  attemptDelivery,
  type createAttempt,
  type DeliveryJob,
  type DeliveryPolicy,
  type EndpointJobs,
  findDueDeliveries,
  findDueEndpoints,
  findLastAttempt,
  findNextDueDelivery,
  settleAttempts,
} from '../../webhooks/deliveries/index.ts'
import { findActiveEndpoint, reservePermits } from '../../webhooks/endpoints/index.ts'
import { EndpointRateLimiter, type Reservation, toReservations } from './endpoint-rate-limit.ts'
import type { HealthRecorder } from './health.ts'

const endpointKind = 'endpoint'

/** Wakes an endpoint and hands over its new deliveries. `writeStartedAt` is the time before they were written. */
export const dispatchToEndpoint = (
  wake: ActorHost['wake'],
  { workspaceId, webhookId, jobs }: EndpointJobs,
  writeStartedAt: number,
): void => wake({ kind: endpointKind, workspaceId, id: webhookId }, { jobs, writeStartedAt })

/**
 * Maximum number of concurrent attempts of one endpoint: the permits that `Permits` grants to a single endpoint that
 * answers.
 */
const maxInFlightOf = (maxInFlight: number): number => Math.max(4, maxInFlight >> 1)

/** Attempts that take longer, in milliseconds, share a part of the permits of the process. See `Permits`. */
const slowMs = 2000
/**
 * Receivers that answer faster than this, in milliseconds, do not delay other work. If their delivery was late, this
 * service caused it.
 */
const quickMs = 25

/** Classifies the response of a receiver for its concurrency limit. */
export const classifyResponse = ({ statusCode }: Pick<AttemptSettlement, 'statusCode'>): ResponseKind => {
  if (statusCode === null) return 'none'
  return statusCode === 429 || statusCode >= 500 ? 'overload' : 'success'
}

/**
 * Classifies an endpoint by how long its attempt held the permit. A permit is held until the start of the response body
 * was read.
 */
const classifyAttempt = (end: AttemptOutcome | null, heldMs: number): HolderHealth => {
  if (end === null || heldMs <= slowMs) return end?.statusCode ? 'answers' : 'unknown'
  return end.statusCode === null ? 'hangs' : 'slow'
}

/**
 * Time for which new deliveries do not wake an endpoint that was read as held or disabled. A poll can wake it earlier.
 */
const inactiveMs = 5000
/** Maximum number of endpoints remembered as held or disabled. The oldest entry is dropped first. */
const maxInactive = 10_000

/** Endpoints that were held or disabled when they were last read. */
class InactiveEndpoints {
  readonly #until = new LRUCache<string, number>({ max: maxInactive })

  record(id: string, isInactive: boolean): void {
    if (isInactive) this.#until.set(id, performance.now() + inactiveMs)
    else this.#until.delete(id)
  }

  isInactive(id: string): boolean {
    return (this.#until.peek(id) ?? 0) > performance.now()
  }
}

export interface EndpointDeps {
  sql: Database
  watermark: Watermark
  attempt: ReturnType<typeof createAttempt>
  policy: DeliveryPolicy
  /** Maximum number of concurrent attempts in this process, over all endpoints. The limit depends on the runtime. */
  maxInFlight: number
  log: Log
  /** Called with the milliseconds by which an attempt began late because of this service. */
  onLate: (ms: number) => void
  /** Called after each attempt. `sinceEventMs` is the time from the outbound event to its first attempt, or null. */
  onAttempt: (attempt: AttemptSettlement, sinceEventMs: number | null) => void
  /** Collects the health of endpoints. */
  health: HealthRecorder
  /** Keyring for endpoint secrets and owners' headers. Null without an encryption key. */
  keyring: Keyring | null
  /** Null without an exporter of traces. */
  tracer?: Tracer | null
}

/** Returns the milliseconds from an outbound event to this attempt. Null unless it is the first after the event. */
const sinceEventMs = ({ event, resent }: DeliveryJob, { number, at }: AttemptSettlement): number | null =>
  number === 1 && !resent ? Math.max(0, at.getTime() - event.createdAt.getTime()) : null

/**
 * Runs an attempt in its span, whose context the receiver gets. The first attempt after an event also ends the span of
 * the event, which began when it was emitted. An event without a trace gives its ID to a new one, for all endpoints and
 * attempts.
 */
const traceAttempt = async (
  tracer: Tracer | null,
  job: DeliveryJob,
  run: (job: DeliveryJob) => Promise<AttemptSettlement | null>,
): Promise<AttemptSettlement | null> => {
  if (!tracer) return run(job)
  const { event, id, webhookId, workspaceId } = job
  const attributes = { 'event.type': event.type, 'event.id': event.id, 'delivery.id': id, 'webhook.id': webhookId }
  let parent = event.traceparent
  if (job.attempts === 0 && !job.resent) {
    const startedAt = event.createdAt.getTime()
    const span = tracer.start('outbound event', { kind: 'internal', parent, traceOf: event.id, startedAt, attributes })
    span.end()
    parent = span.traceparent
  }
  const span = tracer.start('delivery attempt', { kind: 'client', parent, traceOf: event.id, attributes })
  try {
    const settlement = await run({ ...job, event: { ...event, traceparent: span.traceparent } })
    const results = {
      workspace_id: workspaceId,
      'delivery.attempt': settlement?.number,
      'delivery.status': settlement?.status,
      'http.response.status_code': settlement?.statusCode ?? undefined,
    }
    span.end(results, settlement?.status === 'delivered' ? null : (settlement?.error ?? 'interrupted'))
    return settlement
  } catch (error) {
    span.end({}, 'internal_error')
    throw error
  }
}

/** Fields of the line about an attempt. `interrupted`: the process stops, and the attempt does not count. */
type AttemptFields = Pick<AttemptSettlement, 'number'> & {
  status: AttemptSettlement['status'] | 'interrupted'
} & Partial<Pick<AttemptSettlement, 'statusCode' | 'error' | 'durationMs'>>

/** Logs an attempt: at `debug` if it was delivered, otherwise at `info`. `traceparent` is what the receiver got. */
const logAttempt = (log: Log, job: DeliveryJob, traceparent: string | null, fields: AttemptFields): void =>
  log[fields.status === 'delivered' ? 'debug' : 'info'](
    {
      ...(traceparent !== null && { trace_id: traceIdOf(traceparent) }),
      workspaceId: job.workspaceId,
      webhookId: job.webhookId,
      deliveryId: job.id,
      eventId: job.event.id,
      eventType: job.event.type,
      ...fields,
    },
    'delivery attempted',
  )

/** Delivery. If the endpoint has a rate limit, it includes the reserved time. */
type ReservedJob = DeliveryJob & { reservation?: Reservation }

/** Actors of endpoints. Attempts of all endpoints that end concurrently are settled in one statement. */
export const endpointActors = ({
  sql,
  watermark,
  attempt,
  policy,
  maxInFlight,
  log,
  onLate,
  onAttempt,
  health,
  keyring,
  tracer = null,
}: EndpointDeps): ActorKind<ReservedJob> => {
  const rateLimiter = new EndpointRateLimiter()
  const inactive = new InactiveEndpoints()
  const permits = new Permits(maxInFlight)
  const healthSamples = new HealthSamples()
  const watermarks = new QueueWatermarks(watermark)
  const poll = new QueuePoll(watermarks)
  /**
   * Loads the last attempt of an endpoint that this process does not know. Findings of other processes, or from before
   * a restart, are used again.
   */
  const loadHealth = async ({ workspaceId, id }: ActorId): Promise<void> => {
    if (permits.hasHealth(id)) return
    const last = await findLastAttempt(sql, workspaceId, id)
    permits.setInitialHealth(id, classifyAttempt(last, last?.durationMs ?? 0))
  }
  /**
   * Reserves a time for each delivery, if the endpoint has a rate limit. Returns only the deliveries with a
   * reservation.
   */
  const reserve = async (actor: ActorId, jobs: DeliveryJob[], ratePerSecond: number | null): Promise<ReservedJob[]> => {
    if (ratePerSecond === null || jobs.length === 0) return jobs
    const { workspaceId, id: webhookId } = actor
    const reservations = await reservePermits(sql, { workspaceId, webhookId, ratePerSecond, wanted: jobs.length })
    return toReservations(reservations, ratePerSecond).map((reservation, index) => ({
      ...jobs[index]!,
      reservation,
    }))
  }
  const settler = new Batcher<AttemptSettlement, boolean>({
    maxSize: 500,
    concurrency: 2,
    work: settlements =>
      bisectOnError(sql, settlements, async some => {
        const locked = await withRetry(() => settleAttempts(sql, some))
        recordChanges(
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
    maxInFlight: maxInFlightOf(maxInFlight),
    maxInFlightFor: ({ endpoint }) => endpoint.maxConcurrency,

    read: async (actor, limit, except) => {
      const { workspaceId, id } = actor
      const queueRead = watermarks.startRead(id)
      const [endpoint, { due, firstMs }] = await Promise.all([
        findActiveEndpoint(sql, workspaceId, id),
        findDueDeliveries(sql, { workspaceId, webhookId: id, limit, except, from: queueRead.from }),
        loadHealth(actor),
      ])
      if (firstMs !== undefined) queueRead.complete(firstMs)
      inactive.record(id, endpoint === null)
      if (!endpoint) return []
      health.setInitialHealth(workspaceId, id, endpoint.failing)
      const now = performance.now()
      const jobs = due.map(({ lateMs, ...delivery }) => ({
        ...delivery,
        workspaceId,
        webhookId: id,
        endpoint,
        dueSince: now - lateMs,
      }))
      return reserve(actor, jobs, endpoint.ratePerSecond)
    },

    handle: async ({ workspaceId, id }: ActorId, job, deadline, onResponse) => {
      const { reservation } = job
      if (reservation && !(await rateLimiter.wait(id, reservation, deadline))) return 'success'
      const lateMs = reservation ? 0 : performance.now() - job.dueSince
      let { traceparent } = job.event
      const settlement = await permits.run(
        id,
        () =>
          traceAttempt(tracer, job, traced => {
            traceparent = traced.event.traceparent
            return attemptDelivery(attempt, policy, traced, keyring, deadline)
          }),
        classifyAttempt,
      )
      onResponse()
      if (settlement === null) {
        logAttempt(log, job, traceparent, { number: job.attempts + 1, status: 'interrupted' })
        return 'none'
      }
      const response = classifyResponse(settlement)
      healthSamples.record(id, { isHealthy: response === 'success', tookMs: settlement.durationMs })
      const isQuick = settlement.statusCode !== null && settlement.durationMs < quickMs
      if (settlement.number === 1 && isQuick && !healthSamples.causesDelay(id)) onLate(lateMs)
      await retryWhileLocked(() => settler.add(settlement), deadline)
      onAttempt(settlement, sinceEventMs(job, settlement))
      health.recordAttempt(workspaceId, id, { ...settlement, delivered: settlement.status === 'delivered' })
      const { number, status, statusCode, error, durationMs } = settlement
      logAttempt(log, job, traceparent, { number, status, statusCode, error, durationMs })
      return response
    },

    isInactive: ({ id }) => inactive.isInactive(id),
    dueInMs: ({ workspaceId, id }) => findNextDueDelivery(sql, workspaceId, id, watermarks.startRead(id).from),
    wakeIn: ({ workspaceId, id }, ms) => wakeEndpoint(sql, workspaceId, id, ms),
    findDue: (after, limit) => poll.page(after, from => findDueEndpoints(sql, after, limit, from)),
  }
}

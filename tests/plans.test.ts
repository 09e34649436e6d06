/** Tests the plan of every statement against a large database: none reads more than the page that it returns. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import * as apiKeys from '../src/accounts/api-keys/sql.ts'
import * as audit from '../src/accounts/audit/sql.ts'
import * as members from '../src/accounts/members/sql.ts'
import * as rateLimits from '../src/accounts/rate-limits/sql.ts'
import { eraseSavedViews } from '../src/accounts/saved-views/erase.ts'
import * as savedViews from '../src/accounts/saved-views/sql.ts'
import { encryptedFactors } from '../src/accounts/second-factors/encrypted.ts'
import * as sessions from '../src/accounts/sessions/sql.ts'
import * as sso from '../src/accounts/single-sign-on/sql.ts'
import * as tokens from '../src/accounts/tokens/sql.ts'
import * as accounts from '../src/accounts/users/sql.ts'
import { readWorkspaceAccess } from '../src/accounts/workspace-access/index.ts'
import * as workspaces from '../src/accounts/workspaces/sql.ts'
import { minIdAt } from '../src/core/ids.ts'
import { chooseKeyId, findFirstKeyConflict } from '../src/core/keyring.ts'
import * as handles from '../src/customers/handles.ts'
import * as customerLists from '../src/customers/list-sql.ts'
import type { SaleToMark } from '../src/customers/sales/sql.ts'
import * as sales from '../src/customers/sales/sql.ts'
import * as customerRows from '../src/customers/sql.ts'
import { eraseEventsOf } from '../src/events/erase.ts'
import { EventWriter } from '../src/events/event-writer.ts'
import { reportAllowance } from '../src/events/notify-allowance.ts'
import { eraseRejectedRequests } from '../src/events/rejected-requests/erase.ts'
import * as rejectedRequests from '../src/events/rejected-requests/sql.ts'
import { removeOldEvents } from '../src/events/retention.ts'
import type { IncomingEvent } from '../src/events/sql.ts'
import * as events from '../src/events/sql.ts'
import * as trials from '../src/events/trials/sql.ts'
import { findUnhandledTypes } from '../src/events/unhandled.ts'
import { selectUsageByType } from '../src/events/usage-sql.ts'
import * as activity from '../src/insights/activity/sql.ts'
import * as inbox from '../src/insights/inbox/sql.ts'
import { findNewRows, type PollRange } from '../src/insights/live-feed/sql.ts'
import * as search from '../src/insights/search/sql.ts'
import * as verification from '../src/insights/verify/sql.ts'
import { selectOutcomes } from '../src/messaging/campaigns/outcomes.ts'
import * as audiences from '../src/messaging/campaigns/people.ts'
import * as campaignResults from '../src/messaging/campaigns/results-sql.ts'
import * as campaignRuns from '../src/messaging/campaigns/run-sql.ts'
import * as campaigns from '../src/messaging/campaigns/sql.ts'
import { encryptedChannels } from '../src/messaging/channels/encrypted.ts'
import { resumeDecryptable } from '../src/messaging/channels/resume-decryptable.ts'
import * as channels from '../src/messaging/channels/sql.ts'
import { type InboundMessage, receiveMessage } from '../src/messaging/inbound/index.ts'
import type { ConversationFilter } from '../src/messaging/messages/conversation-list-sql.ts'
import * as conversationLists from '../src/messaging/messages/conversation-list-sql.ts'
import * as conversations from '../src/messaging/messages/conversation-sql.ts'
import { enqueueMessage } from '../src/messaging/messages/enqueue.ts'
import { eraseMessagesOf } from '../src/messaging/messages/erase.ts'
import * as inboxActions from '../src/messaging/messages/inbox-actions.ts'
import { skipForOptedOut } from '../src/messaging/messages/opted-out.ts'
import * as messageLists from '../src/messaging/messages/read-sql.ts'
import { removeOldMessages, wasRemoved } from '../src/messaging/messages/retention.ts'
import type { MessageId, MessageSettlement } from '../src/messaging/messages/sql.ts'
import * as messages from '../src/messaging/messages/sql.ts'
import * as statuses from '../src/messaging/messages/statuses-sql.ts'
import * as templates from '../src/messaging/templates/sql.ts'
import { Keyring } from '../src/platform/encryption.ts'
import type { Database } from '../src/platform/postgres/client.ts'
import { LeaseHolder, readWorkCounts } from '../src/platform/postgres/lease.ts'
import { findUndecryptable, reencryptAll } from '../src/privacy/re-encryption/index.ts'
import * as retention from '../src/privacy/retention/sql.ts'
import { movedTables } from '../src/privacy/workspaces/move-copy.ts'
import * as workspaceMoves from '../src/privacy/workspaces/move-sql.ts'
import * as transfers from '../src/privacy/workspaces/sql.ts'
import { exportedTables, keptTables, splitTables, temporaryTables } from '../src/privacy/workspaces/tables.ts'
import { readBacklogLag, readDepths, readDueDepths, readLags } from '../src/queue/lag.ts'
import {
  deletePause,
  findPauses,
  hasTooManyPauses,
  insertPause,
  PausedWork,
  pausableKinds,
  readPauses,
} from '../src/queue/pauses/index.ts'
import { startKey } from '../src/queue/queue.ts'
import * as arrivals from '../src/queue/waits/arrivals.ts'
import { eraseResponsesOf } from '../src/webhooks/deliveries/erase.ts'
import { fanOut } from '../src/webhooks/deliveries/fan-out.ts'
import * as deliveryRetention from '../src/webhooks/deliveries/retention.ts'
import * as deliveries from '../src/webhooks/deliveries/sql.ts'
import { addAfterCommitListener } from '../src/webhooks/emit/after-commit.ts'
import { encryptedWebhooks } from '../src/webhooks/endpoints/encrypted.ts'
import * as health from '../src/webhooks/endpoints/health-sql.ts'
import * as endpoints from '../src/webhooks/endpoints/sql.ts'
import { eraseOutboundEventsOf } from '../src/webhooks/outbound-events/erase.ts'
import * as pulls from '../src/webhooks/outbound-events/pull-sql.ts'
import { deleteRestoredTrim, moveRestoredEvents } from '../src/webhooks/outbound-events/restored.ts'
import { removeOldOutboundEvents } from '../src/webhooks/outbound-events/retention.ts'
import { outboundEventTypes } from '../src/webhooks/outbound-events/schema.ts'
import * as outbound from '../src/webhooks/outbound-events/sql.ts'
import { readFanOut } from '../src/webhooks/outbound-events/throughput.ts'
import { countMissing, selectMissing } from '../src/webhooks/recoveries/missing-sql.ts'
import * as recoveries from '../src/webhooks/recoveries/sql.ts'
import { selectEndpointStats, selectGroups, selectReasons } from '../src/webhooks/statistics/groups-sql.ts'
import { statsRange } from '../src/webhooks/statistics/range.ts'
import { deleteOldGroupStats, firstCursor, rollUpPage, sumRecentCounts } from '../src/webhooks/statistics/sql.ts'
import { eraseRunsOf } from '../src/workflows/erase.ts'
import { removeOldRuns } from '../src/workflows/retention.ts'
import { advanceRuns } from '../src/workflows/runs/advance-runs.ts'
import * as runs from '../src/workflows/runs/sql.ts'
import * as moves from '../src/workflows/runs/stop-and-move-sql.ts'
import * as runLists from '../src/workflows/runs-sql.ts'
import type { Definition } from '../src/workflows/schema.ts'
import * as workflows from '../src/workflows/sql.ts'
import * as workflowStats from '../src/workflows/stats-sql.ts'
import * as versions from '../src/workflows/versions-sql.ts'
import { kindOf, readTables, type TableKind } from './support/catalogue.ts'
import type { TestDatabase } from './support/database.ts'
import { filledDatabase, idOf } from './support/filled.ts'
import {
  comesFrom,
  type Executed,
  isStatement,
  nameOfNode,
  nodesOf,
  type PlanKind,
  type PlanNode,
  pagesOf,
  reachOf,
  readTemplates,
  tablesOf,
  templateOf,
  type Watched,
  watched,
} from './support/plans.ts'

const sources = readTemplates()

let database: TestDatabase
beforeAll(async () => {
  database = await filledDatabase()
}, 180_000)
afterAll(() => database?.drop())

const workspaceId = idOf('workspace', 0)
const webhookId = idOf('webhook', 0)
const channelId = idOf('channel', 0)
const first = { limit: 50, before: null }
/** Maximum number of rows that a list reads when no index covers its filters. */
const maxScanned = 400
const hash = 'ab'.repeat(32)
const before = (id: string) => ({ limit: 50, before: id })
const oldest = { ...first, sort: 'oldest' as const }
/** Pages in both orders: the first one, one after this row, and one of a time range of few rows, long ago. */
const pagesAt = (sort: Parameters<typeof idOf>[0], n: number) => [
  first,
  before(idOf(sort, n)),
  inRange(sort, n),
  oldest,
  { ...oldest, after: idOf(sort, n) },
  { ...inRange(sort, n), ...oldest, before: idOf(sort, n), after: idOf(sort, n - 200) },
]
/** A page of a time range of few rows, long ago. */
const inRange = (sort: Parameters<typeof idOf>[0], n: number) => ({
  ...before(idOf(sort, n)),
  range: { since: new Date(0), end: new Date(), fromId: idOf(sort, n - 300) },
})
const person = (n: number) => ({ workspaceId, customerId: idOf('customer', n * 10) })
const afterCustomer = { ...oldest, after: idOf('customer', 100_000) }
/** Some events for each way to record one, in several workspaces. */
const incoming: IncomingEvent[] = Array.from({ length: 40 }, (_, n) => ({
  workspaceId: idOf('workspace', n % 5),
  source: 'api',
  sender: 'custom',
  type: n % 2 ? 'type.1' : 'Type 1',
  phone: n % 4 === 1 ? null : `+4915${n % 4 === 3 ? 2 : 1}${String(n).padStart(8, '0')}`,
  customerId: n % 4 === 1 ? idOf('customer', n % 5 === 0 ? n : (n % 5) + 5) : null,
  externalId: n % 4 === 2 ? `customer-${n}` : null,
  name: null,
  data: { total: 1 },
  idempotencyKey: n % 3 === 0 ? `key-${n * 10}` : null,
  occurredAt: n % 6 === 0 ? new Date() : null,
  optInEvidence: n % 7 === 0 ? 'form' : null,
  monthlyLimit: n % 5 === 4 ? 1e9 : null,
  traceparent: n % 3 === 0 ? `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01` : null,
}))
const seals = new Keyring([Buffer.alloc(32, 1)])
let key = 0
const fresh = () => `fresh-${++key}`

const record = (sql: Database, events: IncomingEvent[]) => {
  const writer = new EventWriter({ sql, onBatch: () => {}, onRunsStarted: () => {}, onQueued: () => {} })
  // Some events name an unknown customer and are refused.
  return Promise.allSettled(events.map(event => writer.add(event)))
}

const optOut = (customer: number) =>
  ({ workspaceId, id: idOf('customer', customer), reason: 'STOP', source: 'api' }) as const

const deliveredNow = ({ workspaceId, id }: MessageId): MessageSettlement => ({
  workspaceId,
  id,
  providerMessageId: fresh(),
  statuses: (['sent', 'delivered'] as const).map(status => ({ status, detail: null })),
})

/** The statements by purpose. Each is run with both kinds of plans. */
const work: Record<string, (sql: Database) => Promise<unknown>> = {
  'recording events': sql => {
    const events = incoming.map(event => ({ ...event, idempotencyKey: event.idempotencyKey && fresh() }))
    return record(sql, events)
  },
  'replaying events': sql => record(sql, incoming),
  authentication: async sql => {
    await rateLimits.takeSignInAttempt(sql, hash, 5)
    const budgets = [hash, 'cd'.repeat(32)].map(keyHash => ({ keyHash, attempts: 50 }))
    await rateLimits.takeFromBudgets(sql, budgets, 600)
    await sessions.selectSessions(sql, idOf('user', 1), first)
    await sessions.selectSessions(sql, idOf('user', 1), before(idOf('user', 1)))
    const exchange = { processId: idOf('user', 3), keyIds: seals.ids, maxAgeSeconds: 5 }
    const report = { callerId: idOf('user', 4), callerType: 'user', admitted: 1, missing: 1 } as const
    for (const reports of [[], [report]]) await rateLimits.exchangeAdmissions(sql, { ...exchange, reports })
  },
  'fan-out': sql => fanOut(sql, 200),
  'the queue of an endpoint': async sql => {
    await endpoints.findActiveEndpoint(sql, workspaceId, webhookId)
    await deliveries.findDueDeliveries(sql, { workspaceId, webhookId, limit: 200, except: [idOf('delivery', 0)] })
    await deliveries.findDueDeliveries(sql, { workspaceId, webhookId: idOf('webhook', 5), limit: 200, except: [] })
    await deliveries.findNextDueDelivery(sql, workspaceId, webhookId)
    await health.reservePermits(sql, { workspaceId, webhookId, ratePerSecond: 100, wanted: 20 })
    const [due] = await sql<{ id: string; attempts: number }[]>`
      select id, attempts from deliveries where workspace_id = ${workspaceId} and webhook_id = ${webhookId} and due_at is not null limit 1`
    const response = { statusCode: 200, error: null, durationMs: 12, responseBody: 'ok', signature: 't=1' }
    const attempt = { ...response, number: due!.attempts + 1, planned: 8, manual: false, at: new Date() }
    const outcome = { status: 'delivered', retryDelayMs: null } as const
    await deliveries.settleAttempts(sql, [{ ...attempt, ...outcome, workspaceId, deliveryId: due!.id }])
    const failed = { ...attempt, number: attempt.number + 1, planned: attempt.number + 1, statusCode: 500, error: 'x' }
    const end = { status: 'failed', retryDelayMs: null } as const
    await deliveries.settleAttempts(sql, [{ ...failed, ...end, workspaceId, deliveryId: due!.id }])
    const lastFailure = { at: new Date(), statusCode: 500, error: 'timed out' }
    const sample = { workspaceId, webhookId, succeededAt: null, firstFailedAt: new Date(), lastFailure }
    await health.upsertHealthSamples(sql, [{ ...sample, succeeded: false, failed: 1 }])
  },
  'the queue of a channel': async sql => {
    const { due: page } = await messages.findDueMessages(sql, { workspaceId, channelId, limit: 200, except: [] })
    const ids = page.slice(0, 20)
    await messages.markSendStarted(sql, ids, 1000)
    const deferred = ids.map(({ id }) => ({ workspaceId, id, leftMs: 1000 }))
    await messages.deferMessages(sql, deferred)
    const retried = ids.map(({ id }) => ({ workspaceId, id, retries: 0, afterMs: 1000 }))
    await messages.retryMessages(sql, retried)
    await messages.settleMessages(sql, ids.map(deliveredNow))
    const read = { workspaceId, channelId, status: 'read' as const, detail: null, at: null }
    const reports = ids.map(({ id }, n) => ({ ...read, messageId: n % 2 ? id : null, providerMessageId: fresh() }))
    await statuses.recordReported(sql, reports)
    const failures = reports.map(one => ({ ...one, messageId: idOf('message', 20), status: 'failed' as const }))
    await statuses.recordReported(sql, failures)
    for (const one of reports.slice(0, 3)) await statuses.findFirstRecordedAt(sql, one)
  },
  'emitting with a listener': async sql => {
    const stop = addAfterCommitListener(sql, { onDeliveriesCreated: () => {}, onOutboxWritten: () => {} })
    const { due: page } = await messages.findDueMessages(sql, { workspaceId, channelId, limit: 20, except: [] })
    await messages.settleMessages(sql, page.slice(0, 10).map(deliveredNow))
    const failed = { providerMessageId: null, statuses: [{ status: 'failed' as const, detail: 'no' }] }
    const failures = page.slice(10).map(({ workspaceId, id }) => ({ ...failed, workspaceId, id }))
    await messages.settleMessages(sql, failures)
    const numbers = [++key, ++key, ++key].map(one => 30 + 10 * one)
    await customerRows.markOptedOut(sql, numbers.map(optOut))
    stop()
  },
  'the poll': async sql => {
    await deliveries.findDueEndpoints(sql, startKey, 500)
    await deliveries.findDueEndpoints(sql, { workspaceId, id: idOf('webhook', 3) }, 5)
    await messages.findDueChannels(sql, startKey, 500)
    await campaignRuns.findDueCampaigns(sql, startKey, 500)
    const lease = new LeaseHolder(sql)
    await lease.renew()
    const actor = { kind: 'endpoint', workspaceId, id: webhookId }
    await lease.acquire(actor)
    await lease.heldByOthers([actor])
    await readWorkCounts(sql)
    await lease.release(actor)
    await lease.releaseAll()
  },
  'the runs': async sql => {
    await runs.nextRunDue(sql)
    const claimOthers = { limit: 10, alone: true, claimMs: 5000, paused: [idOf('workspace', 1)] }
    await runs.releaseRuns(sql, (await runs.claimDueRuns(sql, claimOthers)).runs)
    await runs.requeuePausedRuns(sql, claimOthers.paused, 200)
    await runs.requeuePausedRuns(sql, [], 200)
    await runs.releaseRuns(sql, (await runs.claimDueRuns(sql, { limit: 100, alone: true, claimMs: 5000 })).runs)
    const [first, ...others] = (await runs.claimDueRuns(sql, { limit: 10, alone: true, claimMs: 5000 })).runs
    await runs.postponeRun(sql, first!, 1000)
    await runs.releaseRuns(sql, others)
    await runs.failFirstDueRun(sql, { maxAttempts: 3, waitMs: 1000 })
    const claimed = await runs.claimDueRuns(sql, { limit: 100, alone: true, claimMs: 5000 })
    const observer = { onFailure: () => {}, onPageFailure: () => {}, onUnknownType: () => {} }
    await advanceRuns(sql, claimed, observer, new AbortController().signal)
  },
  'what runs wait for': async sql => {
    const workflowId = idOf('workflow', 0)
    const claimed = await runs.claimDueRuns(sql, { limit: 50, alone: true, claimMs: 5000 })
    const waits = claimed.runs.map(run => ({ ...run, waitUntil: null }))
    await arrivals.readArrivals(sql, waits, claimed.now)
    await runs.releaseRuns(sql, claimed.runs)
    const parked = waits.map(({ workspaceId, id }) => ({ workspaceId, runId: id }))
    await arrivals.recheckRuns(sql, parked, { last: false })
    await arrivals.recheckRuns(sql, parked.slice(0, 10), { last: true })
    await arrivals.resumeWoken(sql)
    await workflows.findBlockingRuns(sql, [{ workspaceId, workflowId, entryKey: 'once:a' }])
    await runLists.stopRun(sql, workspaceId, idOf('run', 100 + 10 * ++key))
    await versions.selectVersions(sql, workspaceId, workflowId, first)
    await versions.findVersion(sql, workspaceId, workflowId, 1)
    const to = { workspaceId, workflowId, version: 2 }
    for (const { version, stepId } of await moves.findOccupiedSteps(sql, to)) {
      const page = await moves.selectRunsAtStep(sql, { ...to, version, stepId, after: idOf('run', 0), limit: 20 })
      const waitsFor = [{ kind: 'event' as const, eventType: 'type.2' }]
      const wait = { workspaceId, waitsFor, endsByOptOut: true, ended: false, isNew: true, seen: [idOf('event', 10)] }
      const moved = page.map(run => {
        const { id, customerId, wakeAt, waitUntil } = run
        return { run, wakeAt, waitUntil, wait: { ...wait, runId: id, customerId } }
      })
      await moves.moveRunsTo(sql, to, moved)
    }
    await moves.stopPage(sql, { workspaceId, workflowId, startedBy: new Date().toISOString(), limit: 20 })
  },
  'counts of runs': async sql => {
    await workflowStats.countActiveRuns(sql, workspaceId, idOf('workflow', 0))
    await workflowStats.countRecentRuns(sql, workspaceId, idOf('workflow', 0))
    await workflowStats.findLastRunAt(sql, workspaceId, idOf('workflow', 0))
    const range = {
      workspaceId,
      workflowId: idOf('workflow', 0),
      fromId: idOf('run', 0),
      untilId: idOf('run', 200_000),
    }
    const limits = { runs: 100, steps: 200 }
    for (const version of [null, 1]) {
      await workflowStats.countRunsByDay(sql, { ...range, version }, 100)
      await workflowStats.countSteps(sql, { ...range, version }, limits)
      const messages = { ...range, version, withinMs: 86_400_000, readKinds: ['sandbox'] }
      await workflowStats.countStepMessages(sql, messages, limits)
    }
  },
  lags: async sql => {
    await readLags(sql)
    await readBacklogLag(sql)
    await readDepths(sql)
    await readDueDepths(sql)
    const paused = pausableKinds.map(kind => ({ kind, workspaceId: idOf('workspace', 1) }))
    await readLags(sql, new PausedWork(paused))
    await readBacklogLag(sql, new PausedWork(paused))
    await readPauses(sql)
    await findPauses(sql, workspaceId)
    for (const workspace of [null, workspaceId]) {
      await insertPause(sql, 'runs', workspace)
      await hasTooManyPauses(sql)
      await deletePause(sql, 'runs', workspace)
    }
  },
  'the lists of events': async sql => {
    // A frequent type, a rare one and one that was never sent.
    for (const page of pagesAt('event', 500_000))
      for (const type of [undefined, 'type.3', 'rare', 'unheard of']) {
        for (const customerId of [undefined, idOf('customer', 10), idOf('customer', 0)]) {
          const filter = { workspaceId, type, customerId, page }
          await events.selectEvents(sql, filter, maxScanned)
          await events.findLastScannedEvent(sql, filter, maxScanned)
        }
        // In the second workspace, each event has a listener.
        for (const reason of [undefined, 'no_listener', 'switched_off', 'never_published'] as const)
          for (const place of [workspaceId, idOf('workspace', 1)]) {
            const filter = { workspaceId: place, type, reason, page }
            await activity.selectActivityEvents(sql, filter, maxScanned)
            await activity.findLastScannedActivity(sql, filter, maxScanned)
          }
        for (const asked of [
          { started: true },
          { started: false, sender: 'custom' },
          { sender: 'wix' },
          { sender: 'wix', reason: 'switched_off' },
          // The customer with the most events, and one with few.
          { customerId: idOf('customer', 0) },
          { customerId: idOf('customer', 0), started: true, reason: 'switched_off' },
          { customerId: idOf('customer', 10), sender: 'wix' },
        ] as const) {
          const filter = { workspaceId, type, page, ...asked }
          await activity.selectActivityEvents(sql, filter, maxScanned)
          await activity.findLastScannedActivity(sql, filter, maxScanned)
          await events.findEvent(sql, workspaceId, idOf('event', 10))
        }
      }
    for (const before of [null, idOf('event', 500_000)])
      for (const type of ['type.3', 'rare', 'unheard of'])
        await trials.findEventsToReplay(sql, workspaceId, type, before)
  },
  'the live feed': async sql => {
    const since = (fromId: string, from: Date): PollRange[] =>
      [0, 1, 2].map(n => ({ workspaceId: idOf('workspace', n), fromId, from, problemsFromId: fromId }))
    // One recent time and one long ago, with many rows since.
    const recent = new Date(Date.now() - 10_000)
    const long = since(idOf('event', 0), new Date(0))
    for (const some of [since(minIdAt(recent), recent), long, long.slice(0, 1)]) await findNewRows(sql, some, 50)
  },
  'the lists of customers': async sql => {
    const phones = [null, '+4915100000010', '+4915999999999']
    const externalIds = [null, 'customer-10', 'nobody']
    for (const page of [first, before(idOf('customer', 100_000)), oldest, afterCustomer]) {
      // A search without other filters uses another statement, tested below.
      for (const phone of phones)
        for (const externalId of externalIds)
          for (const search of [null, 'Name 10', 'unheard of'])
            if (search === null || phone !== null || externalId !== null)
              await customerLists.selectCustomers(
                sql,
                { workspaceId, phone, externalId, ids: null, text: search },
                page,
              )
      const ids = Array.from({ length: 100 }, (_, n) => idOf('customer', n * 100))
      await customerLists.selectCustomers(sql, { workspaceId, phone: null, externalId: null, ids, text: null }, page)
      await customerRows.selectTimeline(sql, workspaceId, idOf('customer', 0), page)
      await customerRows.selectTimeline(sql, workspaceId, idOf('customer', 10), page)
      await customerRows.findCustomer(sql, workspaceId, idOf('customer', 10))
    }
    await customerRows.findCustomers(sql, [{ workspaceId, id: idOf('customer', 10) }])
    const identifiers = { phone: '+4915100000010', externalId: 'customer-20', exceptId: null }
    await customerRows.findHolders(sql, { workspaceId, ...identifiers })
  },
  'searching customers': async sql => {
    for (const page of [first, before(idOf('customer', 100_000)), oldest, afterCustomer])
      for (const text of ['Name 1234', '1234, nämé', 'unheard of']) {
        const search = { workspaceId, text, page }
        await customerLists.searchFirst(sql, search, 1000)
        await customerLists.findLastSearched(sql, search, 1000)
        await customerLists.searchByIndex(sql, search, 1000)
        await customerLists.findMatchingIds(sql, search, 1000)
      }
    const range = { since: new Date(Date.now() - 3_600_000), end: new Date(), fromId: idOf('customer', 190_000) }
    for (const page of [first, before(idOf('customer', 100_000)), { ...first, range }, oldest, afterCustomer])
      for (const consent of [undefined, 'opted_in', 'opted_out', 'none'] as const)
        for (const on of [undefined, channelId])
          for (const text of [null, 'Name 1234']) {
            const search = { workspaceId, consent, channelId: on, text, page }
            await customerLists.searchFirst(sql, search, 1000)
            await customerLists.findLastSearched(sql, search, 1000)
            if (text !== null) await customerLists.searchByIndex(sql, { ...search, text }, 1000)
          }
  },
  'changes of customers': async sql => {
    const id = idOf('customer', 30)
    const name = fresh()
    const customer = { workspaceId, phone: null, externalId: name, name, email: null, attributes: {} }
    await customerRows.insertCustomer(sql, customer)
    const same = { phone: undefined, externalId: undefined, email: undefined, attributes: { set: {}, removed: [] } }
    await customerRows.updateCustomer(sql, { ...same, workspaceId, id, name })
    await customerRows.markOptedIn(sql, { workspaceId, id, evidence: 'form', source: 'api', userId: null })
    const optOuts = [key, key + 1, key + 2].map(one => optOut(30 + 10 * one))
    await customerRows.markOptedOut(sql, optOuts)
    await customerRows.findCustomers(sql, optOuts)
  },
  'messages from customers': async sql => {
    const message = { workspaceId, channelId, channelKind: 'sandbox', otherHandle: null, name: 'Ana' } as const
    const received = (n: number, more: Partial<InboundMessage>) => {
      const content = { type: 'text', text: n % 3 === 0 ? 'STOP' : 'Hello', sentAt: new Date() } as const
      return receiveMessage(sql, { ...message, ...content, providerMessageId: fresh(), handle: `US.${n}`, ...more })
    }
    const phone = (start: string, n: number) => start + String(n).padStart(8, '0')
    const messages = Array.from({ length: 8 }, (_, n) => [
      received(n * 10, {}),
      received(n * 10, { handle: phone('+49151', n * 20), otherHandle: `US.${n * 10}` }),
      received(n, { handle: phone('+4917', ++key) }),
      received(n, { handle: `new.${++key}` }),
    ])
    await Promise.all(messages.flat())
    const providerMessageId = fresh()
    for (const _ of [1, 2]) await received(1, { providerMessageId })
    const address = { workspaceId, channelId, handle: 'US.20', phone: null }
    await handles.enrolByAddress(sql, { ...address, handle: 'US.99999' })
    await handles.enrolByAddress(sql, { ...address, handle: '+4915100088888', phone: '+4915100088888' })
    const wish = { workspaceId, id: idOf('customer', 20), words: 'STOP', at: new Date() }
    for (const by of ['provider', 'row'] as const) await handles.isOptOutSettled(sql, { ...wish, by })
    await skipForOptedOut(sql, [20, 30, 40].map(optOut))
    await customerRows.wasOptedOutHere(sql, workspaceId, idOf('customer', 20))
  },
  'the lists of conversations': async sql => {
    const none = {
      status: undefined,
      assigneeId: undefined,
      unread: undefined,
      waiting: undefined,
      unanswered: undefined,
      workspaceId,
      period: undefined,
    }
    const hour = { since: new Date(Date.now() - 3_600_000), end: new Date() }
    const anywhere = { channelId: undefined, customerId: undefined, looksLikeOptOut: undefined, text: undefined }
    const wanted: Partial<ConversationFilter>[] = [
      {},
      { status: 'open' },
      { assigneeId: null },
      { assigneeId: idOf('user', 1) },
      { unread: true, status: 'open' },
      { unread: false },
      { waiting: true },
      { unanswered: true },
      { unanswered: false },
      { waiting: false, channelId },
      { customerId: idOf('customer', 10) },
      { channelId: idOf('channel', 9) },
      { looksLikeOptOut: true },
      { looksLikeOptOut: false },
      { period: hour },
      { period: hour, unanswered: true },
      { period: hour, channelId: idOf('channel', 9) },
      { text: 'Name 123' },
      { text: 'Name 123', customerIds: [10, 20, 1230, 12_300].map(n => idOf('customer', n)) },
    ]
    const after = { sortedAt: new Date(Date.now() - 3_600_000).toISOString(), id: idOf('conversation', 25_000) }
    for (const place of [null, after])
      for (const sort of ['newest', 'longest_waiting'] as const)
        for (const one of wanted) {
          const filter = { ...none, ...anywhere, ...one, sort, page: { limit: 50, after: place } }
          await conversationLists.selectConversations(sql, filter, maxScanned)
          await conversationLists.findLastScannedConversation(sql, filter, maxScanned)
        }
    const id = idOf('conversation', 10)
    await conversationLists.findConversation(sql, workspaceId, id)
    for (const page of [first, before(idOf('message', 100_000))])
      await messageLists.selectMessagesOf(sql, workspaceId, id, page)
    await conversations.findResent(sql, workspaceId, idOf('message', 10))
    await messageLists.selectStatuses(sql, workspaceId, idOf('message', 10))
    for (const page of [first, before(idOf('run', 1))])
      await customerRows.selectConsents(sql, workspaceId, idOf('customer', 10), page)
  },
  'work on conversations': async sql => {
    const conversationId = idOf('conversation', 10)
    const customerId = idOf('customer', 60_000 + 10 * ++key)
    await conversations.insertConversation(sql, { workspaceId, channelId, customerId, handle: '+4915100000000' })
    const userId = idOf('user', 1)
    const changes = { workspaceId, id: conversationId, status: 'closed', assigneeId: null, userId }
    await conversations.updateConversation(sql, changes)
    await conversations.updateConversation(sql, { ...changes, status: undefined, assigneeId: undefined })
    await conversations.endWait(sql, workspaceId, idOf('conversation', 1))
    await conversations.unassignPage(sql, { workspaceId, userId: idOf('conversation', 1), limit: 100 })
    const into = (await conversations.lockConversationState(sql, workspaceId, conversationId))!
    const idempotencyKey = fresh()
    const written = { text: 'Hello', template: null, writtenBy: null, skipped: null, idempotencyKey }
    const sentBy = { type: 'user', id: idOf('user', 1) } as const
    const { customerId: to, channelId: over, handle } = into
    await conversations.lockConversationOf(sql, { workspaceId, channelId: over, customerId: to })
    await enqueueMessage(sql, { workspaceId, customerId: to, channelId: over, handle: handle!, sentBy, ...written })
    await conversations.findByKey(sql, { workspaceId, conversationId, idempotencyKey })
    const id = idOf('customer', 40 + 10 * key)
    await customerRows.markOptedOut(sql, [optOut(40 + 10 * key)])
    await customerRows.liftOptOut(sql, { workspaceId, id, reason: 'asked', userId: idOf('user', 1) })
  },
  'the lists of deliveries': async sql => {
    for (const page of pagesAt('outbound event', 100_000)) {
      // In the second workspace, no message has a status.
      for (const type of [null, ...outboundEventTypes])
        for (const place of [workspaceId, idOf('workspace', 4)]) {
          for (const to of [null, webhookId]) {
            const filter = { workspaceId: place, type, webhookId: to, status: null, page }
            await outbound.selectOutboundEvents(sql, filter, maxScanned)
            await outbound.findLastScannedOutboundEvent(sql, filter, maxScanned)
            for (const status of type === null ? (['failed', 'waiting', 'delivered', 'none'] as const) : [])
              await outbound.selectOutboundEvents(sql, { ...filter, status }, maxScanned)
          }
        }
      for (const customerId of [undefined, idOf('customer', 10)])
        for (const runId of [undefined, idOf('run', 10), idOf('run', 11)])
          for (const filter of [{}, { status: 'failed', direction: 'outbound', channelId, text: 'order' } as const]) {
            const whole = {
              workspaceId,
              customerId,
              runId,
              channelId: undefined,
              direction: undefined,
              status: undefined,
              text: null,
              ...filter,
              page,
            }
            await messageLists.selectMessages(sql, whole, maxScanned)
            await messageLists.findLastScannedMessage(sql, whole, maxScanned)
          }
    }
    const { end } = await pulls.findStreamEnd(sql, workspaceId)
    await pulls.findStreamEnds(sql, [workspaceId, idOf('workspace', 4)])
    for (const id of [idOf('outbound event', 0), idOf('outbound event', 100_000)])
      for (const types of [null, ['message.received', 'ping']]) {
        const range = { workspaceId, after: { xid: end.xid, id }, types, limit: 101, maxBytes: 4_000_000 }
        await pulls.selectPulled(sql, { ...range, maxScanned: types === null ? 101 : maxScanned })
      }
    await moveRestoredEvents(sql, { workspaceId, limit: 500 })
    await deleteRestoredTrim(sql, workspaceId)
    for (const page of pagesAt('delivery', 100_000))
      for (const status of [null, 'pending', 'retrying', 'delivered', 'failed'] as const)
        for (const eventType of [null, 'message.status', 'campaign.completed'] as const) {
          const filter = { workspaceId, webhookId, status, eventType, statusCode: null, error: null, page }
          await deliveries.selectDeliveries(sql, filter, maxScanned)
          await deliveries.findLastScannedDelivery(sql, filter, maxScanned)
          await deliveries.insertResend(sql, { workspaceId, webhookId, eventId: idOf('outbound event', 10) })
        }
    for (const statusCode of ['none', [500, 599]] as const)
      for (const error of [null, 'timed out']) {
        const filter = { workspaceId, webhookId, status: null, eventType: null, statusCode, error, page: first }
        await deliveries.selectDeliveries(sql, filter, maxScanned)
      }
    await deliveries.selectRecent(sql, { workspaceId, webhookId, limit: 50 })
    await deliveries.findLastSuccess(sql, { workspaceId, webhookId, limit: maxScanned })
    await deliveries.findWaiting(sql, workspaceId, webhookId, 400)
    const span = { workspaceId, webhookId, after: idOf('delivery', 0), last: idOf('delivery', 900_000) }
    await deliveries.countUndelivered(sql, span, 400)
    const { ids: page } = await deliveries.requestPageRetries(sql, span, 50)
    await deliveries.requestPageRetries(sql, span, 50, ['sale.created'])
    await deliveries.insertMissing(sql, { workspaceId, webhookId, eventIds: [idOf('outbound event', 10)] })
    for (const types of [['message.status'], ['sale.created', 'campaign.completed']])
      for (const filter of [null, { path: 'data.status', op: 'eq', value: 'read' } as const]) {
        const [after, last] = [idOf('outbound event', 0), idOf('outbound event', 900_000)]
        await selectMissing(sql, { ...span, types, filter, after, last }, 50, 400)
        await countMissing(sql, { ...span, types, filter, after, last }, 400)
      }
    await deliveries.selectStillDue(sql, workspaceId, page)
    await deliveries.cancelPageRetries(sql, workspaceId, page)
    await deliveries.findDelivery(sql, { workspaceId, webhookId, id: idOf('delivery', 0) })
    await deliveries.requestRetry(sql, { workspaceId, webhookId, id: idOf('delivery', 0) })
    await deliveries.insertPing(sql, workspaceId, webhookId)
  },
  sales: async sql => {
    const [conversationId, customerId] = [idOf('conversation', 0), idOf('customer', 0)]
    const times = [null, idOf('sale', 20_000), idOf('sale', 80_000)]
    for (const page of pagesAt('sale', 50_000))
      for (const talk of [null, conversationId, idOf('conversation', 10)])
        for (const customer of [null, customerId, idOf('customer', 10), idOf('customer', 9)])
          for (const from of times)
            for (const to of times)
              for (const [markedBy, voided] of [
                [null, null],
                ['user', null],
                [null, true],
              ] as const) {
                const filter = { workspaceId, customerId: customer, conversationId: talk, from, to, markedBy, voided }
                await sales.selectSales(sql, filter, page, maxScanned)
                if (voided) await sales.findLastScannedSale(sql, filter, page, maxScanned)
              }
    await sales.findSale(sql, workspaceId, idOf('sale', 10))
    await sales.findSales(sql, [{ workspaceId, id: idOf('sale', 10) }])
    await sales.findConversations(sql, [{ workspaceId, conversationId }])
    await sales.markVoided(sql, { workspaceId, id: idOf('sale', 20 + 10 * ++key), reason: 'Entered twice' })
    const markedBy = { type: 'workflow', id: idOf('workflow', 0) } as const
    const content = { workspaceId, id: null, amount: '12.50', currency: 'EUR', note: null, markedBy, writtenBy: null }
    const sale: SaleToMark = { ...content, conversationId: null, customerId }
    const ofRuns = Array.from({ length: 20 }, (_, n) => {
      const writtenBy = { runId: idOf('run', n * 10), position: ++key }
      return { ...sale, customerId: idOf('customer', n * 10), writtenBy }
    })
    await sales.insertSales(sql, [sale, { ...content, conversationId, customerId: null }, ...ofRuns])
  },
  'reading settings': async sql => {
    await endpoints.findWebhook(sql, workspaceId, webhookId)
    await endpoints.listSecrets(sql, workspaceId)
    await channels.findChannel(sql, workspaceId, channelId)
    await members.findMember(sql, workspaceId, idOf('user', 1))
    await members.findMemberByEmail(sql, workspaceId, 'user17@shop.example')
    await templates.findTemplate(sql, workspaceId, idOf('template', 0))
    await templates.findTemplates(sql, workspaceId, [idOf('template', 0), idOf('template', 5)])
    await sessions.findSession(sql, hash)
    await readWorkspaceAccess(sql, [workspaceId])
    await sessions.findTicket(sql, hash)
    await tokens.findToken(sql, hash)
    await accounts.findAccount(sql, idOf('user', 1))
    const holder = { userId: idOf('user', 1), workspaceIds: [workspaceId] }
    for (const page of [first, before(idOf('user', 1))]) await tokens.selectTokens(sql, holder, page)
    await tokens.findExpiringTokens(sql, { workspaceId, days: 7, limit: 50 })
    await accounts.findUserNames(sql, [idOf('user', 1)])
    await accounts.selectUsers(sql, null, 500)
    await accounts.selectUsers(sql, idOf('user', 1), 500)
    await endpoints.selectWebhooks(sql, workspaceId, first)
    await chooseKeyId(sql, seals)
    await findFirstKeyConflict(sql, seals)
    await findUndecryptable(sql, seals)
    await channels.selectChannels(sql, workspaceId, first)
    await apiKeys.selectApiKeys(sql, workspaceId, first)
    const owner = { workspaceId, memberId: (await members.findMembership(sql, workspaceId, idOf('user', 0)))! }
    await savedViews.selectViews(sql, { ...owner, list: null })
    await savedViews.selectViews(sql, { ...owner, list: 'events' })
    await apiKeys.findApiKey(sql, workspaceId, idOf('user', 1))
    await members.selectMembers(sql, workspaceId, first)
    await members.selectWorkspacesWithMembers(sql, null, 50)
    await members.selectWorkspacesWithMembers(sql, workspaceId, 50)
    await workflows.findWorkflow(sql, workspaceId, idOf('workflow', 0))
    const anyWorkflow = { workspaceId, text: null, triggerType: null, enabled: null }
    const start = { limit: 50, sort: 'newest', after: null } as const
    for (const archived of [true, false]) await workflows.selectWorkflows(sql, { ...anyWorkflow, archived }, start)
    for (const sort of ['newest', 'oldest', 'name', 'name_descending'] as const)
      for (const after of [null, { id: idOf('workflow', 0), name: 'cart' }])
        await workflows.selectWorkflows(sql, { ...anyWorkflow, archived: false }, { limit: 50, sort, after })
    const filters = { text: 'cart', triggerType: 'type.1', enabled: true, archived: false }
    await workflows.selectWorkflows(sql, { workspaceId, ...filters }, start)
    await trials.findTrialWorkflow(sql, workspaceId, idOf('workflow', 0), null)
    await trials.findTrialWorkflow(sql, workspaceId, idOf('workflow', 0), 1)
    await templates.selectTemplates(sql, workspaceId, first)
    for (const page of pagesAt('run', 100_000))
      for (const status of [undefined, 'failed', 'waiting'] as const)
        for (const version of [undefined, 1])
          for (const customerId of [undefined, idOf('customer', 0)]) {
            const filter = { workspaceId, workflowId: idOf('workflow', 0), status, version, customerId, page }
            await runLists.selectRuns(sql, filter, maxScanned)
            await runLists.findLastScannedRun(sql, filter, maxScanned)
          }
  },
  'secret maintenance': async sql => {
    const row = { workspaceId, version: '0' }
    const secrets = { secret: 'ab', previous: 'ab', headers: 'ab' }
    await encryptedWebhooks.replace(sql, [{ ...row, id: webhookId, encrypted: secrets }])
    await encryptedChannels.replace(sql, [{ ...row, id: channelId, encrypted: { credentials: 'ab' } }])
    await encryptedFactors.replace(sql, [{ ...row, id: idOf('user', 1), encrypted: { secret: 'ab' } }])
    await reencryptAll(sql, seals)
    await resumeDecryptable(sql, seals)
  },
  'changing settings': async sql => {
    const [id, name, newName] = [Bun.randomUUIDv7(), crypto.randomUUID(), crypto.randomUUID()]
    const [bytes, userId] = [Buffer.from('sealed'), idOf('user', 1)]
    const of = { workspaceId, id }
    const endpoint = { ...of, url: 'https://example.com', events: ['ping'], enabled: false }
    await endpoints.insertWebhook(sql, { ...endpoint, secret: { bytes, hash } })
    const headers = { names: ['X-Token'], encrypted: bytes }
    await endpoints.updateWebhook(sql, { ...of, description: 'new', enabled: false, headers, filter: null })
    await endpoints.markHeld(sql, workspaceId, id)
    await health.resetFailures(sql, workspaceId, id)
    await endpoints.markReleased(sql, workspaceId, id)
    await endpoints.rotateSecret(sql, { ...of, secret: { bytes, hash: 'ab' }, overlapHours: 24 })
    const keyHash = name.replaceAll('-', '').repeat(2)
    await apiKeys.lockAndCountKeys(sql, workspaceId, { active: 100, all: 1000 })
    const owner = { workspaceId, memberId: (await members.lockMembership(sql, workspaceId, idOf('user', 0)))! }
    const view = { ...owner, list: 'events', name, search: 'type=order.created' }
    await savedViews.countOtherViews(sql, view)
    const saved = await savedViews.upsertView(sql, view)
    await savedViews.deleteViewOf(sql, { ...owner, id: saved.id })
    await apiKeys.insertApiKey(sql, { workspaceId, name, prefix: 'ces_live_', keyHash, createdBy: userId })
    await sessions.deleteSessionOf(sql, userId, idOf('user', 2))
    const issuer = 'https://login.example.com'
    const identity = { issuer, subject: '1', session: '1' }
    await sessions.deleteSsoSessions(sql, { ...identity, session: null })
    await sessions.deleteSsoSessions(sql, { ...identity, subject: null })
    await sessions.deleteSsoSessions(sql, identity)
    for (const named of [identity, { ...identity, session: null }, { ...identity, subject: null }])
      await sessions.deleteSsoTickets(sql, named)
    await sso.insertLogout(sql, keyHash, 20)
    const logout = { subjectHash: keyHash, since: new Date() }
    for (const sessionHash of [null, keyHash]) await sso.wasLoggedOut(sql, { ...logout, sessionHash })
    await sso.deleteIdentityLinksOf(sql, { ...identity, session: null })
    await sso.deleteIdentityLinksOf(sql, { ...identity, subject: null })
    await sessions.deleteSessionsOfIdentity(sql, userId, issuer, idOf('user', 2))
    await sso.insertLinkedIdentity(sql, userId, { ...identity, subject: name })
    await tokens.findWorkspaceName(sql, workspaceId)
    await tokens.lockHolder(sql, userId)
    const account = await accounts.insertServiceAccount(sql, { name, workspaceId })
    await members.insertServiceMember(sql, { workspaceId, userId: account, role: 'agent' })
    await members.countServiceAccounts(sql, workspaceId, 10)
    await tokens.isSignedIn(sql, userId, idOf('user', 2))
    await tokens.lockMembership(sql, workspaceId, userId)
    await tokens.countActiveTokens(sql, userId, 20)
    const token = {
      tokenHash: keyHash,
      userId,
      workspaceId,
      name,
      prefix: 'cest_live',
      access: 'read',
      days: 90,
    } as const
    await tokens.insertToken(sql, token)
    await tokens.touchTokens(sql, [keyHash])
    await tokens.deleteToken(sql, userId, idOf('user', 2))
    await tokens.deleteTokensOf(sql, { userId: idOf('user', 2), workspaceId })
    await tokens.deleteTokensOf(sql, { userId: idOf('user', 2) })
    const channel = { ...of, kind: 'sandbox', name, number: name, sandboxDelivery: 'delivered' } as const
    await channels.countChannels(sql, workspaceId, 1000)
    await channels.insertChannel(sql, { ...channel, credentials: bytes })
    const changed = { ...of, name: newName, credentials: null, number: null, sandboxDelivery: null }
    await channels.updateChannel(sql, changed)
    await channels.updateChannel(sql, { ...changed, credentials: bytes, sandboxDelivery: 'read' })
    await channels.markFailing(sql, { workspaceId, id: channelId, detail: 'expired', afterMs: 1000 })
    await channels.clearFailure(sql, { workspaceId, id: channelId, statusDetail: 'expired' })
    await channels.markConnected(sql, workspaceId, channelId)
    await messages.skipChannelPage(sql, { workspaceId, channelId, limit: 100 })
    await workspaces.updateWorkspace(sql, {
      workspaceId,
      name,
      timezone: null,
      requireSecondFactor: null,
      requireSso: null,
    })
    const content = { name, category: 'utility', body: 'Hello', provider: null } as const
    const template = await templates.insertTemplate(sql, { workspaceId, ...content, variables: [] })
    await templates.lockTemplate(sql, workspaceId, template.id)
    await templates.updateTemplate(sql, { workspaceId, ...template, name: newName })
    const steps: Definition['steps'] = { wait: { type: 'delay', for: '1h', next: null } }
    const draft: Definition = { trigger: { eventType: 'type.1' }, start: 'wait', steps }
    const workflow = await workflows.insertWorkflow(sql, { workspaceId, name, draft, draftErrors: [], eventType: 'x' })
    const version = { workspaceId, id: workflow.id, userId, draft }
    await workflows.insertVersion(sql, { ...version, awaits: ['type.2'], templateIds: [] })
    const settings = { name: newName, draftErrors: [], eventType: 'type.1', enabled: false, archived: false }
    await workflows.updateWorkflow(sql, { ...version, ...settings })
    await versions.pruneVersions(sql, { workspaceId, workflowId: workflow.id, max: 1 })
    const recipients = { channelId, templateId: channelId, variables: {}, audience: { all: true } as const }
    const campaign = await campaigns.insertCampaign(sql, { workspaceId, name, ...recipients })
    await campaigns.lockCampaign(sql, workspaceId, campaign.id)
    await campaigns.updateCampaign(sql, { workspaceId, ...recipients, id: campaign.id, name: null })
    const kind = { of: 'all', events: null, phase: 'failed' } as const
    const recovered = { ...kind, since: new Date(0), until: new Date(), total: 10, cursor: id, last: id, pageSize: 16 }
    await recoveries.insertRecovery(sql, { workspaceId, webhookId: idOf('webhook', 10), ...recovered })
  },
  'the lists of campaigns': async sql => {
    for (const filter of [{ text: null, status: null }, { text: 'spring', status: 'running' } as const])
      for (const page of [first, before(idOf('campaign', 10)), oldest])
        await campaigns.selectCampaigns(sql, { workspaceId, ...filter }, page)
    const campaignId = idOf('campaign', 0)
    for (const outcome of [null, 'sent', 'pending'] as const) {
      for (const customerId of [null, idOf('customer', 10)])
        for (const page of [first, before(idOf('customer', 155_000))])
          await campaigns.selectRecipients(sql, { workspaceId, campaignId, outcome, customerId }, page)
    }
    const of = { workspaceId, campaignId, withinMs: 86_400_000 }
    await campaignResults.countResults(sql, of, idOf('customer', 0), 100)
    await campaignResults.countSentStatuses(sql, of)
    const effects = { ...of, channelId, from: new Date(Date.now() - 60_000), until: new Date() }
    await selectOutcomes(sql, workspaceId, campaignId)
    await campaignResults.hasFewEffects(sql, effects, 100)
    await campaignResults.countEffects(sql, of, effects)
    const hour = { since: new Date(Date.now() - 3_600_000), end: new Date() }
    for (const page of [first, before(idOf('customer', 155_000))]) {
      const inPeriod = { ...of, result: null, period: hour, page }
      for (const outcome of [null, 'sent'] as const)
        for (const customerId of [null, idOf('customer', 10)])
          await campaignResults.selectRecipientsWith(sql, { ...inPeriod, outcome, customerId }, maxScanned)
      await campaignResults.findLastRecipient(sql, { ...inPeriod, outcome: null, customerId: null }, maxScanned)
      const sent = { ...of, outcome: 'sent', period: undefined, page } as const
      for (const result of ['delivered', 'read', 'failed', 'replied', 'opted_out', 'sale'] as const)
        for (const customerId of [null, idOf('customer', 10)])
          await campaignResults.selectRecipientsWith(sql, { ...sent, result, customerId }, maxScanned)
      await campaignResults.findLastRecipient(sql, { ...sent, result: null, customerId: null }, maxScanned)
    }
  },
  'running campaigns': async sql => {
    const page = { workspaceId, channelId, after: idOf('customer', 1000), limit: 200, attributes: true }
    const content = { name: 'Spring', channelId, templateId: channelId, variables: {} }
    const { id } = await campaigns.insertCampaign(sql, { workspaceId, ...content, audience: { all: true } })
    await campaigns.startCampaignAt(sql, { workspaceId, id, at: null })
    const fresh = async () => (await campaignRuns.findCampaignState(sql, workspaceId, id))!
    await campaignRuns.startScheduled(sql, await fresh())
    const { people } = await audiences.readEverybody(sql, { ...page, at: new Date() })
    const ids = people.map(one => one.id)
    await audiences.readNamed(sql, { ...page, ids })
    await campaignRuns.addRecipients(sql, await fresh(), { ids, to: ids.at(-1)!, isEnd: true })
    await campaignRuns.completeCampaign(sql, await fresh())
    const large = (await campaignRuns.findCampaignState(sql, workspaceId, idOf('campaign', 0)))!
    const pending = await audiences.readPending(sql, { ...page, campaignId: large.id, after: large.queueCursor! })
    const template = { id: channelId, marketing: false, provider: null }
    const sentBy = { type: 'campaign', id: large.id } as const
    const message = { workspaceId, channelId, text: 'Hello', template, sentBy, writtenBy: null, skipped: null }
    const recipients = pending.people.map(({ id, address }) => {
      const own = { ...message, customerId: id, handle: address! }
      return { customerId: id, reason: null, message: own }
    })
    await campaignRuns.beginRecipients(sql, large, recipients)
    await campaignRuns.collectOutcomes(sql, (await campaignRuns.findCampaignState(sql, workspaceId, large.id))!, 200)
    await campaigns.updateCampaignStatus(sql, { workspaceId, id, from: ['running'], to: 'cancelled' })
    await campaignRuns.skipPending(sql, await fresh(), 200)
    await campaignRuns.withdrawQueued(sql, await fresh(), 200)
  },
  'the audit log': async sql => {
    // An actor of nearly all entries and an actor of none; combined filters without an index.
    const [everybody, nobody] = [idOf('user', 1), idOf('user', 3)]
    for (const page of pagesAt('audit entry', 100_000))
      for (const actorId of [undefined, everybody, nobody])
        for (const action of [undefined, 'signIn', 'deleteWebhook', 'liftOptOut'] as const)
          for (const targetId of [undefined, webhookId, idOf('webhook', 3), nobody]) {
            const filter = { workspaceId, actorId, action, targetId, page }
            await audit.selectEntries(sql, filter, maxScanned)
            await audit.findLastEntryScanned(sql, filter, maxScanned)
          }
    const actor = { type: 'user', id: everybody } as const
    const target = { type: 'webhook', id: webhookId } as const
    const entry = {
      workspaceId,
      actor,
      action: 'changeWebhook',
      target,
      detail: { changed: [] },
      request: null,
      via: null,
    } as const
    await audit.insertRepeatedEntry(sql, entry, 600)
    await audit.insertRows(sql, [])
    await workspaces.anyMemberExists(sql)
  },
  'rejected requests': async sql => {
    const rejectedFilters = [
      {},
      { sender: 'custom' },
      { apiKeyId: idOf('user', 1) },
      { code: 'conflict' },
      { message: 'no' },
      { sender: 'custom', apiKeyId: idOf('user', 1), code: 'conflict', message: 'no' },
    ]
    for (const page of pagesAt('run', 100_000))
      for (const filter of rejectedFilters)
        await rejectedRequests.selectRejectedRequests(sql, workspaceId, page, filter)
    await rejectedRequests.findRejectedRequest(sql, workspaceId, idOf('run', 1))
  },
  'recording rejected requests': async sql => {
    const ids = { workspaceId, id: Bun.randomUUIDv7(), eventId: idOf('event', 3), requestId: Bun.randomUUIDv7() }
    const request = { sender: 'custom', apiKeyId: null, method: 'POST', path: '/v1/events', digest: hash } as const
    const error = {
      status: 400,
      code: 'invalid_request',
      message: 'no',
      details: null,
      sample: { a: 'number' },
    } as const
    const problem = { ...ids, ...request, ...error, firstAt: new Date(), lastAt: new Date(), count: 1 }
    await rejectedRequests.closeElapsedGroups(sql, [problem])
    await rejectedRequests.upsertGroups(sql, [problem])
    await rejectedRequests.deleteExcess(sql, [workspaceId], 1000)
    const repeat = { id: idOf('event', 3), dataText: '{}', optInEvidence: 'form' }
    await events.compareRepeats(sql, workspaceId, [repeat])
    await events.recordMismatches(sql, [{ workspaceId, eventId: idOf('event', 0), fields: ['type'] }])
  },
  statistics: async sql => {
    const until = new Date()
    for (const by of ['hour', 'day'] as const) {
      const from = new Date(until.getTime() - (by === 'hour' ? 31 : 400) * 86_400_000)
      await activity.selectStats(sql, { workspaceId, from, until, by })
      const range = statsRange(by, { since: from.toISOString(), until: until.toISOString() }, { since: '', until: '' })
      for (const kind of ['type', 'channel', 'webhook', 'problem'] as const)
        await selectGroups(sql, {
          workspaceId,
          kind,
          range,
          limit: 20,
          further: selectUsageByType(sql, { workspaceId, ...range }),
        })
      await selectReasons(sql, { workspaceId, range, limit: 10 })
      await selectEndpointStats(sql, { workspaceId, webhookId, range })
      await deleteOldGroupStats(sql, by, 1000)
    }
    await channels.selectChannelNames(sql, workspaceId, [channelId])
    await endpoints.selectWebhookNames(sql, workspaceId, [webhookId])
    await rejectedRequests.selectProblemMessages(sql, workspaceId, [hash])
    await sumRecentCounts(sql)
    const { sample } = await readFanOut(sql, null)
    await readFanOut(sql, sample)
    await rollUpPage(sql, firstCursor, 200)
    await conversations.findUnanswered(sql, workspaceId, 400)
    await inbox.countUnanswered(sql, { workspaceId, limits: [300, 900], max: 400 })
    await inbox.countUnread(sql, { workspaceId, max: 400 })
    const period = { workspaceId, from: new Date(0), until, by: 'day' as const }
    await inbox.selectInboxActions(sql, { ...period, max: 400 })
  },
  alerts: async sql => {
    await deliveries.findUnhealthyEndpoints(sql, { workspaceId, max: 10_000, lateSeconds: 60 })
    const since = new Date(Date.now() - 86_400_000)
    await workflows.findFailingWorkflows(sql, { workspaceId, since, maxRuns: 500, limit: 50 })
    await findUnhandledTypes(sql, {
      workspaceId,
      since,
      maxTypes: 200,
      recent: { events: 1000, types: 50 },
      maxEvents: 100,
      limit: 10,
    })
  },
  searching: async sql => {
    const sorts = ['event', 'customer', 'run', 'message', 'delivery', 'outbound event', 'webhook', 'sale'] as const
    for (const sort of sorts) await search.findById(sql, workspaceId, idOf(sort, 100_000))
    for (const text of ['customer-20', 'US.20', 'nobody'])
      await search.findByAddress(sql, { workspaceId, text, phone: '+4915100000020', limit: 20 })
    for (const text of ['n', 'name 1', 'Work', 'nobody', 'EXAMPLE']) {
      await search.findByNameStart(sql, { workspaceId, text, limit: 20 })
      await search.findByPartOfName(sql, { workspaceId, text, limit: 20, max: 400 })
      await members.findMembersByText(sql, { workspaceId, text, limit: 20, max: 400 })
    }
    for (const digits of ['123456', '0120'])
      await customerLists.findByPhoneEnding(sql, { workspaceId, digits, limit: 20 }, 100)
  },
  'erasing a customer': async sql => {
    const one = person(100 + ++key)
    await eraseRejectedRequests(sql, one.workspaceId, ['+4915112345678'])
    await eraseSavedViews(sql, one.workspaceId, ['+4915112345678'])
    await eraseRunsOf(sql, one)
    await eraseMessagesOf(sql, one)
    await eraseEventsOf(sql, one)
    await eraseOutboundEventsOf(sql, one)
    await eraseResponsesOf(sql, one)
  },
  'removing an endpoint': async sql => {
    const gone = { workspaceId: idOf('workspace', 4), webhookId: idOf('webhook', 40 + (key++ % 10)) }
    await endpoints.markWebhookDeleted(sql, gone.workspaceId, gone.webhookId)
    await deliveries.findEndpointsToDrop(sql)
    await deliveries.dropPage(sql, gone)
  },
  retention: async sql => {
    // From the first row, from a row in the middle, and after the last row.
    for (const at of [0, 100_000, 5_000_000])
      for (const [sort, remove] of [
        ['event', removeOldEvents],
        ['delivery', deliveryRetention.removeOldDeliveries],
        ['delivery', deliveryRetention.deleteOldResponses],
        ['delivery', deliveryRetention.deleteLateResponses],
        ['outbound event', removeOldOutboundEvents],
        ['run', removeOldRuns],
        ['message', removeOldMessages],
      ] as const)
        await remove(sql, { workspaceId, after: idOf(sort, at), olderThan: new Date(), limit: 250 })
    await wasRemoved(sql, { workspaceId, conversationId: idOf('conversation', 10), idempotencyKey: fresh() })
    const mark = { workspaceId, kind: 'events' }
    for (const _ of [1, 2]) {
      await retention.lockWatermark(sql, workspaceId, mark.kind)
      await retention.moveWatermark(sql, { ...mark, cursor: idOf('event', 10), isReset: true, hasRemoved: true })
    }
    const walk = await retention.readCursor(sql)
    await retention.writeCursor(sql, walk)
    await retention.findWorkspacesAfter(sql, workspaceId, 100)
  },
  verification: async sql => {
    const hour = new Date(0)
    const from = idOf('workspace', 0)
    for (const n of [0, 100_000]) {
      const page = (sort: Parameters<typeof idOf>[0]) => ({ workspaceId, after: idOf(sort, n), limit: 500 })
      await verification.checkEvents(sql, { ...page('event'), runsFrom: from, hour, month: hour })
      await verification.checkRuns(sql, { ...page('run'), eventsFrom: from, hour })
      await verification.checkSteps(sql, { ...page('run'), position: 0, messagesFrom: from })
      await verification.checkMessages(sql, { ...page('message'), hour })
      await verification.checkOutboundEvents(sql, { ...page('outbound event'), deliveriesFrom: from })
      await verification.checkDeliveries(sql, page('delivery'))
      await verification.selectCampaignCounters(sql, page('campaign'))
      await verification.countRecipients(sql, { ...page('customer'), campaignId: idOf('campaign', 0) })
    }
    await verification.sumCounters(sql, { workspaceId, events: hour, runs: hour, messages: hour, month: hour })
    await verification.sumGroups(sql, workspaceId)
    await retention.findRemovedUpTo(sql, workspaceId)
  },
  'moving and deleting a workspace': async sql => {
    const tables = [
      ...exportedTables,
      ...Object.keys(temporaryTables).map(name => ({ name, accounts: [], omitted: [], inDirectory: false })),
    ]
    const shapes = await transfers.readShapes(
      sql,
      tables.map(({ name }) => name),
    )
    const id = idOf('workspace', 3)
    for (const table of tables) {
      const shape = shapes.find(({ name }) => name === table.name)!
      const page = { workspaceId: id, shape, limit: 25 }
      const size = { omitted: table.omitted, maxBytes: 1_000_000 }
      const rows = await transfers.readRows(sql, { ...page, ...size, after: null })
      const after = rows.at(-1)?.key ?? null
      await transfers.readRows(sql, { ...page, ...size, after })
      await transfers.countRows(sql, { workspaceId: id, table: table.name, max: maxRows })
      if (table.name in keptTables) continue
      const [first, last] = shape.key.length === 0 ? [null, null] : [rows[0]?.key ?? null, after]
      for (const skipLocked of [true, false])
        for (const range of [
          { after, until: null },
          { after: null, until: last },
          { after: first, until: last },
        ])
          await transfers.deleteRows(sql, { ...page, ...range, limit: 5, skipLocked })
      const nobody = { workspaceId: id, table, shape, rows: '[]' }
      for (const accounts of [null, '{}']) await transfers.insertRows(sql, { ...nobody, accounts })
    }
    for (const table of movedTables) {
      const shape = shapes.find(({ name }) => name === table.name)!
      for (const pending of splitTables.includes(table.name) ? [false, true] : [null]) {
        const part = { workspaceId: id, table, shape, pending }
        const { last } = await workspaceMoves.summarize(sql, { ...part, after: null, until: null }, 25)
        const range = { ...part, after: null, until: last }
        await workspaceMoves.summarize(sql, range, 26)
        const page = await workspaceMoves.readRange(sql, range, { limit: 25, maxBytes: 1_000_000 })
        const rows = `[${page.map(({ row }) => row).join(',')}]`
        await workspaceMoves.readByKeys(sql, part, { keys: rows, maxBytes: 4_000_000 })
        await workspaceMoves.upsertRows(sql, part, rows)
        if (table.name in keptTables) {
          const keys = await workspaceMoves.readKeys(sql, range, 25)
          await workspaceMoves.countByKeys(sql, part, keys)
        }
        if (table.name in keptTables || pending) continue
        for (const { name } of await sql<{ name: string }[]>`
          select indexrelid::regclass::text as name from pg_index
          where indrelid = ${table.name}::text::regclass and indisunique and not indisprimary`)
          await workspaceMoves.deleteSameValues(sql, part, name, rows)
        await workspaceMoves.deleteOthers(sql, range, rows)
        await workspaceMoves.deleteMissing(sql, part, rows, '[]')
      }
    }
    await workspaceMoves.insertMove(sql, id, 'b')
    await workspaceMoves.updateDraining(sql, id, true)
    await workspaceMoves.findMove(sql, id)
    const changes = await workspaceMoves.selectChanges(sql, id, idOf('event', 0), 100)
    await workspaceMoves.deleteChanges(
      sql,
      id,
      changes.map(change => change.id),
    )
    await workspaceMoves.hasLeases(sql, id)
    await workspaceMoves.deleteAbandonedChanges(sql, 100)
    await workspaceMoves.selectErasedSince(sql, id, new Date())
    await workspaceMoves.deleteMove(sql, id)
    await transfers.lockTransfer(sql, id)
    await transfers.holdsTransferLock(sql)
    await transfers.unlockTransfer(sql, id)
    await tokens.deleteTokensIn(sql, id, 100)
    await members.selectJoinedMembers(sql, { workspaceId: id, kinds: ['service'], limit: 100 })
    await channels.findSharedChannel(sql, id)
  },
  pruning: async sql => {
    await sessions.deleteExpiredSessions(sql, 1000)
    await tokens.deleteExpiredTokens(sql, 1000)
    await rejectedRequests.deleteOldRejectedRequests(sql, 1000)
    await statuses.deleteOldEarlyStatuses(sql, 1000)
    await inboxActions.deleteOldInboxActions(sql, 1000)
    for (const after of [null, workspaceId])
      await workspaces.selectEventUsage(sql, { planIds: ['unlimited'], after, limit: 100 })
    await reportAllowance(sql, { workspaceId, percent: 90, limit: 1000, used: 900 })
    await audit.writeAuditRetention(sql, 86_400)
    await audit.writeAuditRetention(sql, null)
    await audit.deleteOldEntries(sql, { olderThanSeconds: 86_400, limit: 300 })
  },
}

/**
 * Maximum rows per plan node and pages per statement. A queue is read 200 rows at a time, and each row is looked up.
 */
const maxRows = 500
const maxPages = 2500

/** Statements with a higher limit, and the reason. */
const wider: Record<string, [rows: number, pages: number, because: string]> = {
  findDueMessages: [maxRows, 4000, 'passes the index entries of messages that were just skipped'],
  fanOutPage: [2500, 40_000, 'makes ten deliveries of each of 200 events'],
  settleMessages: [maxRows, 5000, 'makes ten deliveries of each of 20 events'],
  beginRecipients: [maxRows, 20_000, 'queues 200 messages in conversations that it opens'],
  summarize: [2500, 4000, 'passes the outbox of all workspaces, which is usually empty'],
  readRange: [2500, 4000, 'passes the outbox of all workspaces, which is usually empty'],
  readDepths: [10_000, 20_000, 'counts entries of the indexes of five queues, at most 10,000 each, for a scrape'],
  readDueDepths: [10_000, 20_000, 'counts due rows of five queues, at most 10,000 each, for an operator who asks'],
  sumRecentCounts: [25_000, 40_000, 'adds up two hours of every workspace, for an operator who asks'],
  readFanOut: [2500, 10_000, 'passes the outbox, which is usually empty, and all workspaces, for an operator who asks'],
  countActiveRuns: [100_000, 10_000, 'counts entries of an index, at most 100,000, for a person who asks'],
  readArrivals: [maxRows, 5000, 'looks for the events and messages of 100 runs whose waits have timed out'],
  countRecentRuns: [2500, maxPages, 'counts the runs of seven days, at most 100,000, for a person who asks'],
  findUnhandledTypes: [1000, maxPages, 'looks at the newest 1,000 events of a day'],
  skipChannelPage: [maxRows, 8000, 'skips 100 messages, and looks at up to 50 of each of their conversations'],
  selectOutboundEvents: [maxRows, 5000, 'looks up the deliveries of each event of a page, here ten'],
  countSentStatuses: [8000, 30_000, 'counts the messages of a whole campaign'],
  selectOutcomes: [1000, maxPages, 'reads all rows of a campaign, about 60 for each length of buckets'],
  countEffects: [8000, 2000, 'reads the recipients of a whole campaign without the outcome `sent`'],
  collectOutcomes: [maxRows, 8000, 'moves 200 recipients'],
  dropPage: [2500, 40_000, 'drops a thousand deliveries'],
  deleteLateResponses: [maxRows, 5000, 'empties 250 answers'],
  removeOldEvents: [maxRows, 6000, 'removes 250 events, and writes what remains of each'],
  removeOldRuns: [maxRows, 5000, 'removes 250 runs, with what they wait for'],
  removeOldOutboundEvents: [maxRows, 5000, 'looks for the deliveries of 250 events'],
  removeOldMessages: [maxRows, 8000, 'removes 250 messages, and looks at each conversation'],
  noteOpeners: [maxRows, 15_000, 'looks for the first message of 250 conversations'],
  findNewRows: [1500, 10_000, 'reads a page of each of fifteen parts of three workspaces'],
  selectRejectedRequests: [2500, maxPages, 'looks at all that are kept of a workspace, here more'],
  searchFirst: [1000, 10_000, 'looks at a thousand customers'],
  firstCustomers: [1100, 10_000, 'looks up a thousand customers of a channel'],
  findLastScanned: [1002, 10_000, 'counts a thousand customers'],
  searchByIndex: [2500, 20_000, 'finds up to a thousand customers'],
  eraseRejectedRequests: [2500, 4000, 'looks at all that are kept of a workspace, here more'],
  selectStats: [12_000, 5000, 'adds up the hours of 400 days, and what was counted of late'],
  selectGroups: [40_000, 10_000, 'adds up the counters of ten endpoints in the hours of 31 days'],
  selectReasons: [10_000, 5000, 'adds up the names of two channels in the hours of 31 days'],
  selectEndpointStats: [10_000, 5000, 'adds up the names of an endpoint in the hours of 31 days'],
  findUnhealthyEndpoints: [12_000, 10_000, 'counts at most 10,000 entries of an index, for a person who asks'],
  checkEvents: [maxRows, 8000, 'looks up the runs and outcomes of 500 events'],
  checkRuns: [maxRows, 8000, 'looks up the event, version and steps of 500 runs'],
  checkMessages: [1500, 8000, 'looks up the conversation and statuses of 500 messages'],
  checkDeliveries: [maxRows, 8000, 'looks up the event and attempts of 500 deliveries'],
  sumCounters: [14_000, 8000, 'adds up all hours of a workspace, for an operator who asks'],
  sumGroups: [14_000, 12_000, 'adds up 400 days of a workspace and of its groups, for an operator who asks'],
  readShapes: [3000, 4000, 'reads the columns of all tables of workspaces, for an operator'],
  deleteExcess: [2000, 4000, 'counts up to the thousand that are kept'],
  ...Object.fromEntries(
    (
      'deleteExpiredSessions deleteExpiredTokens deleteExpiredTickets deleteExpiredLinks deleteOldRejectedRequests deleteStaleAdmissions ' +
      'deleteFullBudgets deleteOldNetworks deleteOldInboxActions'
    )
      .split(' ')
      .map(name => [name, [1000, 10_000, 'deletes a thousand']]),
  ),
}

/** Statements that are neither run nor explained here, by reason. */
const notRun = {
  'it is of Graphile Worker':
    'countHeldMails deferTasksOf enqueue enqueueMoved findCompletingTask hasTasks lockTasks readMailQueue readTasksVersion releaseStuckTasks releaseTasksOfDeadProcesses removeTasksOf resumeTasksOf selectOpenTasks selectTasksOf skipHeldMails',
  'it is for operators and the first start, or about plans':
    'countByAge countHeldCampaigns countHeldDeliveries countHeldEvents countHeldMessages countHeldRecoveries countHeldRuns endHold lockWorkspaces countMembers skipHeldDeliveries stopHeldRuns',
  'it reads the server or the one row about it': 'findStored readIdentity updateIdentity',
}

/** Statements across workspaces, by reason. With several databases, their callers would query each one. */
const acrossWorkspaces = {
  'workers find due rows of all workspaces':
    'readLags readBacklogLag readDepths readDueDepths selectDueActors fanOutPage lockOutboxPage nextRunDue claimDueRuns requeuePausedRuns ' +
    'failFirstDueRun resumeWoken findRunsToRecheck rollUpPage findWatched selectPauses hasTooManyPauses',
  'maintenance walks through all workspaces':
    'findEndpointsToDrop findStalledRecoveries deleteOldRejectedRequests deleteOldGroupStats deleteExpiredSecrets findEncryptedWebhooks ' +
    'findEncryptedChannels findFailingChannels findSharedChannel selectEventUsage deleteOldEntries deleteOldChanges deleteAbandonedChanges ' +
    'deleteOldEarlyStatuses deleteOldInboxActions findWorkspacesAfter anyWorkspaceExists selectWorkspaces sumRecentCounts readFanOut',
  // With several databases, all of them are asked.
  'the credential of the caller determines the workspace':
    'findActiveKeys findCallbackChannels findKnownHashes findKnownChannels',
  'the outbox has no index by workspace': 'readRange summarize',
}

/** Batches, whose rows carry their workspace_id. With several databases, they would be split by it. */
const batches = {
  'requests that wait together':
    'readExecutionData writeInOneStatement findEventsByKey findCustomersNamed findListeningWorkflows countTriggerTypes ' +
    'sumUsage findBlockingRuns markOptedOut recordReceived enqueueMessage findCustomers insertSales findSales ' +
    'findConversations skipForOptedOut clearSettledFlags touchApiKeys selectWorkspaceAccess selectWorkspaceIds',
  'a page of runs, messages, attempts or secrets':
    'recordAdvances readArrivals recheckRuns releaseRuns postponeRun stopRun markSendStarted retryMessages deferMessages ' +
    'settleMessages recordReported findEarlyStatuses deleteEarlyStatuses settleAttempts replaceEncryptedWebhooks ' +
    'replaceEncryptedChannels',
  'what happened in the last second':
    'upsertHealthSamples closeElapsedGroups recordMismatches deleteExcess findNewRows findStreamEnds',
}

const namesIn = (lists: Record<string, string>): string[] =>
  Object.values(lists)
    .flatMap(names => names.split(' '))
    .sort()

/** Result of the plans of each statement. */
const seen = new Map<string, { reaches: Set<string>; kinds: Set<TableKind> }>()
const texts = new Set<string>()
const tables = new Set<string>()
/** Names of the statements that read tables of workspaces and of the directory together. */
const mixed = new Set<string>()

describe.each<PlanKind>(['custom', 'generic'])('with %s plans', kind => {
  let pool: Watched
  beforeAll(() => {
    pool = watched(database.url, kind)
  })
  afterAll(() => pool?.end())

  test.each(Object.keys(work))('%s: reads at most what it returns', async name => {
    pool.executed()
    await work[name]!(pool.sql)
    const executed = pool.executed().filter(({ text }) => !isOfDriver(text))
    expect(executed.length).toBeGreaterThan(0)
    expect(executed.flatMap(complaintsOf)).toEqual([])
  })
})

/** Returns whether the statement is the driver's query for the types, made once per connection. */
const isOfDriver = (text: string): boolean => text.includes('pg_catalog.pg_type')

const complaintsOf = ({ text, plan }: Executed): string[] => {
  const name = templateOf(text, sources)?.name ?? text
  note(name, { text, plan })
  const [most, mostPages] = wider[name] ?? [maxRows, maxPages]
  const pages = pagesOf(plan)
  return [
    ...nodesOf(plan).flatMap(({ node, rows }) => [
      ...(rows > most ? [`${name} goes through ${rows} rows: ${nameOfNode(node)}`] : []),
      ...(isWholeScan(node) ? [`${name} reads a whole table: ${nameOfNode(node)}`] : []),
    ]),
    ...(pages > mostPages ? [`${name} touches ${pages} pages`] : []),
  ]
}

/** These tables have one row, about one row per process, or are only searched without their key when a process ends. */
const smallTables = new Set([
  'plans',
  'http_processes',
  'processes',
  'rate_limit_usage',
  'leases',
  'service_identity',
  'service_pauses',
])

const isWholeScan = (node: PlanNode): boolean =>
  node['Node Type'] === 'Seq Scan' && !smallTables.has(node['Relation Name'] ?? 'plans')

const note = (name: string, { text, plan }: Executed): void => {
  const { reaches, kinds } = seen.get(name) ?? { reaches: new Set(), kinds: new Set() }
  seen.set(name, { reaches: reaches.add(reachOf(plan)), kinds })
  const read = new Set<TableKind>()
  for (const table of tablesOf(plan)) {
    tables.add(table)
    read.add(table.startsWith('_') ? 'process' : kindOf(table))
  }
  for (const kind of read) kinds.add(kind)
  if (read.has('tenant') && read.has('directory')) mixed.add(name)
  if (text.includes('graphile_worker')) kinds.add('process')
  texts.add(text)
}

/** Returns the names of the statements whose plans fit. */
const namesWhere = (fits: (reaches: Set<string>, kinds: Set<TableKind>) => boolean): string[] =>
  [...seen].flatMap(([name, { reaches, kinds }]) => (fits(reaches, kinds) ? [name] : [])).sort()

const ofContexts = sources.filter(
  template =>
    /^((core|queue|accounts|webhooks|customers|messaging|workflows|events|privacy|insights)\/|platform\/postgres\/lease)/.test(
      template.path,
    ) && isStatement(template),
)

/** Maximum estimated cost of a statement that is only explained: some pages, and the rows in them. */
const maxCost = 1000

test('a statement without fragments is cheap for any value', async () => {
  for (const { name, parts } of ofContexts.filter(({ hasFragments }) => !hasFragments)) {
    const text = parts.reduce((before, part, index) => `${before}$${index}${part}`)
    const [row] = await database.sql.unsafe(`explain (generic_plan, format json) ${text}`).catch(() => [])
    const plan: PlanNode | undefined = row?.['QUERY PLAN'][0].Plan
    // The rest has fragments, reads more, or reads many rows at once. It is run above.
    if (!plan || plan['Total Cost']! > maxCost || nodesOf(plan).some(({ node }) => isWholeScan(node))) continue
    if (!seen.has(name)) note(name, { text: parts.join('$'), plan })
  }
})

test('every statement of a context is run, explained, or listed with a reason', () => {
  expect(ofContexts.length).toBeGreaterThan(300)
  const missing = ofContexts.filter(template => ![...texts].some(text => comesFrom(text, template)))
  expect(missing.map(({ name }) => name).filter(name => !namesIn(notRun).includes(name))).toEqual([])
  const names = ofContexts.map(({ name }) => name)
  expect(namesIn(notRun).filter(name => !names.includes(name))).toEqual([])
})

describe('with several databases', () => {
  test('a statement limits every table to one workspace, or is listed', () => {
    const listed = namesIn({ ...acrossWorkspaces, ...batches })
    expect(namesWhere(reaches => reaches.has('across') || reaches.has('rows'))).toEqual(listed)
    expect(namesWhere(reaches => reaches.has('several'))).toEqual([])
  })

  test('a batch limits every table to the workspaces of its rows', () => {
    const across = namesWhere(reaches => reaches.has('across'))
    // A plan of these can read the whole index of a table that is empty.
    const hashed = ['findBlockingRuns', 'recheckRuns', 'recordReported']
    expect(across).toEqual([...namesIn(acrossWorkspaces), ...hashed].sort())
  })

  test('no statement reads tables of workspaces and of the directory', () => {
    expect([...mixed].sort()).toEqual([])
  })

  test('no statement joins tables of processes (leases, limits, tasks) with others', () => {
    expect(namesWhere((_, kinds) => kinds.has('process') && (kinds.has('tenant') || kinds.has('directory')))).toEqual(
      [],
    )
  })

  test('every table of workspaces is in a plan', async () => {
    const tenants = (await readTables(database.sql)).filter(table => kindOf(table) === 'tenant')
    expect(tenants.filter(table => !tables.has(table))).toEqual([])
  })

  test.each([
    ['select from customers where workspace_id = $1', 'one'],
    ['select from customers c join handles h on h.workspace_id = c.workspace_id where c.workspace_id = $1', 'one'],
    ['select from workspaces w join members m on m.workspace_id = w.id where w.id = $1', 'one'],
    ['select from customers where workspace_id = any(array[$1::uuid, $2])', 'rows'],
    ['select from unnest(array[$1::uuid, $2]) as i(id) join customers on workspace_id = i.id', 'rows'],
    ['select from customers c join events e on e.customer_id = c.id where c.workspace_id = $1 or $2 is null', 'across'],
    ['select from customers where id = $1', 'across'],
    ['select from customers where workspace_id <> $1', 'across'],
    ['select from customers where workspace_id = $1 or id = $2', 'across'],
    ['select from events e left join customers c on c.id = e.customer_id where e.workspace_id = $1', 'across'],
    ['select (select count(*) from messages) from events where workspace_id = $1', 'across'],
    ['select from (select * from customers limit 1) c where c.workspace_id = $1', 'across'],
    ['delete from customers c using events e where e.workspace_id = $1 and c.id = e.customer_id', 'across'],
    ['select from customers c, events e where c.workspace_id = $1 and e.workspace_id = $2', 'several'],
  ])('the check judges %s as %s', async (text, reach) => {
    const [first, second] = [idOf('workspace', 0), idOf('workspace', 1)]
    const given = text.replaceAll('$1', `'${first}'::uuid`).replaceAll('$2', `'${second}'::uuid`)
    const [row] = await database.sql.unsafe(`explain (format json) ${given}`)
    expect<string>(reachOf(row!['QUERY PLAN'][0].Plan)).toBe(reach)
  })
})

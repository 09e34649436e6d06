/** Tests the plan of every statement against a large database: none reads more than the page that it returns. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { resolve } from 'node:path'
import {
  findActiveKeys,
  insertApiKey,
  lockAndCountActiveKeys,
  markApiKeyRevoked,
  selectApiKeys,
  touchApiKeys,
} from '../src/accounts/api-keys/sql.ts'
import {
  deleteOldEntries,
  findAuditRetention,
  findLastEntryScanned,
  findUserNames,
  insertAccountEntries,
  insertEntry,
  selectEntries,
  writeAuditRetention,
} from '../src/accounts/audit/sql.ts'
import { findEntitlements } from '../src/accounts/entitlements/sql.ts'
import {
  countMemberships,
  countOwners,
  deleteMember,
  deleteMemberOf,
  findInvitation,
  findMember,
  findMemberByEmail,
  findOwners,
  findWorkspacesOf,
  insertInvitation,
  insertOwner,
  isInTeam,
  joinWithInvitation,
  renewInvitation,
  selectMembers,
  updateRole,
} from '../src/accounts/members/sql.ts'
import {
  consumeLink,
  countRecentLinks,
  deleteExpiredLinks,
  deleteLinksOf,
  findLink,
  findLinkAccount,
  insertLink,
} from '../src/accounts/people/sql.ts'
import {
  deleteFullBudgets,
  deleteOldNetworks,
  deleteStaleAdmissions,
  exchangeAdmissions,
  isKnownNetwork,
  takeFromBudgets,
  takeSignInAttempt,
  upsertKnownNetwork,
} from '../src/accounts/rate-limits/sql.ts'
import { encryptedFactors } from '../src/accounts/second-factors/encrypted.ts'
import {
  confirmSecondFactor,
  consumePeriod,
  consumeRecoveryCode,
  countAttempt,
  deleteSecondFactor,
  findSecondFactor,
  findUsersWithSecondFactor,
  hasSecondFactor,
  insertSecondFactor,
  replaceRecoveryCodes,
} from '../src/accounts/second-factors/sql.ts'
import {
  deleteExpiredSessions,
  deleteExpiredTickets,
  deleteOtherSessions,
  deleteSession,
  deleteSessionOf,
  deleteTicket,
  findSession,
  findTicket,
  insertSession,
  insertTicket,
  selectSessions,
  touchSessions,
} from '../src/accounts/sessions/sql.ts'
import {
  deleteUser,
  findAccount,
  findPasswordHash,
  findUser,
  findUserForSignIn,
  insertUser,
  lockUser,
  markConfirmed,
  replacePassword,
  selectUsers,
  updateDisabled,
  updateUser,
} from '../src/accounts/users/sql.ts'
import {
  findWorkspace,
  findWorkspaceName,
  markEventsNotified,
  selectEventUsage,
  updateWorkspace,
} from '../src/accounts/workspaces/sql.ts'
import { deleteOldChanges, findWatched, markWatched, writeChanges } from '../src/core/changes/sql.ts'
import { minIdAt } from '../src/core/ids.ts'
import { chooseKeyId, findFirstKeyConflict } from '../src/core/keyring.ts'
import { eraseConsentsOf, eraseHandlesOf, markErased } from '../src/customers/erase.ts'
import {
  assignPhone,
  enrolByAddress,
  findByAddress,
  isOptOutSettled,
  recordRenewedOptIn,
} from '../src/customers/handles.ts'
import { eraseSalesOf } from '../src/customers/sales/erase.ts'
import {
  findConversations,
  findSale,
  findSales,
  insertSales,
  markVoided,
  type SaleToMark,
  selectSales,
} from '../src/customers/sales/sql.ts'
import {
  countCustomers,
  findCustomer,
  findCustomers,
  findHolders,
  findLastSearched,
  insertCustomer,
  liftOptOut,
  markOptedIn,
  markOptedOut,
  searchByIndex,
  searchNewest,
  selectConsents,
  selectCustomers,
  selectTimeline,
  updateCustomer,
} from '../src/customers/sql.ts'
import { eraseEventsOf } from '../src/events/erase.ts'
import { EventWriter } from '../src/events/event-writer.ts'
import { eraseRejectedRequests } from '../src/events/rejected-requests/erase.ts'
import {
  closeElapsedGroups,
  deleteExcess,
  deleteOldRejectedRequests,
  findRejectedRequest,
  findRejectedSummary,
  selectRejectedRequests,
  upsertGroups,
} from '../src/events/rejected-requests/sql.ts'
import { removeOldEvents } from '../src/events/retention.ts'
import {
  findEvent,
  findLastScannedEvent,
  type IncomingEvent,
  recordMismatches,
  selectData,
  selectEvents,
  selectSameData,
  sumUsage,
} from '../src/events/sql.ts'
import {
  findEnvironment,
  findEventsToReplay,
  findRunCustomer,
  findStoredEvent,
  findTrialWorkflow,
} from '../src/events/trials/sql.ts'
import { findUnhandledTypes } from '../src/events/unhandled.ts'
import { findLastScannedActivity, selectActivityEvents, selectStats } from '../src/insights/activity/sql.ts'
import { findNewRows, findNow, type PollRange } from '../src/insights/live-feed/sql.ts'
import { findByAddress as findByExactly, findById, findByName } from '../src/insights/search/sql.ts'
import { readEverybody, readNamed, readPending } from '../src/messaging/campaigns/people.ts'
import {
  addRecipients,
  beginRecipients,
  collectOutcomes,
  completeCampaign,
  findCampaignDue,
  findCampaignState,
  findDueCampaigns,
  findNamed,
  setNextExecution,
  skipPending,
  startScheduled,
  withdrawQueued,
} from '../src/messaging/campaigns/run-sql.ts'
import {
  campaignsUsingTemplate,
  deleteCampaign,
  deleteEnded,
  deleteRecipients,
  findCampaign,
  findChannelOf,
  findOldestEnded,
  findUnknownCustomers,
  insertCampaign,
  lockAndCountCampaigns,
  lockCampaign,
  selectCampaigns,
  selectRecipients,
  startCampaignAt,
  updateCampaign,
  updateCampaignStatus,
} from '../src/messaging/campaigns/sql.ts'
import { encryptedChannels } from '../src/messaging/channels/encrypted.ts'
import { resumeDecryptable } from '../src/messaging/channels/resume-decryptable.ts'
import {
  clearFailure,
  findCallbackChannels,
  findChannel,
  insertChannel,
  markConnected,
  markDisconnected,
  markFailing,
  pauseChannel,
  selectChannels,
  selectFailing,
  updateChannel,
} from '../src/messaging/channels/sql.ts'
import { type InboundMessage, receiveMessage } from '../src/messaging/inbound/index.ts'
import {
  type ConversationFilter,
  clearOptOutFlag,
  findByKey,
  findConversation,
  findConversationTarget,
  findFlaggedConversations,
  findLastScannedConversation,
  findResent,
  findWaitingCustomers,
  insertConversation,
  lockConversation,
  lockConversationState,
  markRead,
  recordResent,
  selectConversations,
  unassignPage,
  updateConversation,
} from '../src/messaging/messages/conversation-sql.ts'
import { enqueueMessage } from '../src/messaging/messages/enqueue.ts'
import { eraseMessagesOf } from '../src/messaging/messages/erase.ts'
import { skipForOptedOut } from '../src/messaging/messages/opted-out.ts'
import {
  findMessage,
  findMessageTemplate,
  selectMessages,
  selectMessagesOf,
  selectMessagesOfRuns,
  selectStatuses,
} from '../src/messaging/messages/read-sql.ts'
import { removeOldMessages, wasRemoved } from '../src/messaging/messages/retention.ts'
import {
  beginMessages,
  deferMessages,
  findDueChannels,
  findDueMessages,
  findNextDueMessage,
  type MessageId,
  type MessageSettlement,
  retryMessages,
  settleMessages,
  skipChannelPage,
} from '../src/messaging/messages/sql.ts'
import {
  deleteEarlyStatuses,
  deleteOldEarlyStatuses,
  findEarlyStatuses,
  findFirstRecordedAt,
  recordReported,
} from '../src/messaging/messages/statuses-sql.ts'
import { findWords, replaceWords } from '../src/messaging/opt-out-words/sql.ts'
import {
  deleteTemplate,
  findTemplate,
  findTemplates,
  insertTemplate,
  lockTemplate,
  selectTemplates,
  updateTemplate,
} from '../src/messaging/templates/sql.ts'
import { Keyring } from '../src/platform/encryption.ts'
import type { Database } from '../src/platform/postgres/client.ts'
import { LeaseHolder } from '../src/platform/postgres/lease.ts'
import { findUndecryptable, reencryptAll } from '../src/privacy/re-encryption/index.ts'
import {
  findWorkspacesAfter,
  lockWatermark,
  moveWatermark,
  readCursor,
  writeCursor,
} from '../src/privacy/retention/sql.ts'
import { readBacklogLag, readLags } from '../src/queue/lag.ts'
import { startKey } from '../src/queue/queue.ts'
import { findRunsToRecheck, readArrivals, recheckRuns, resumeWoken } from '../src/queue/waits/arrivals.ts'
import { eraseResponsesOf } from '../src/webhooks/deliveries/erase.ts'
import { fanOut } from '../src/webhooks/deliveries/fan-out.ts'
import { deleteLateResponses, deleteOldResponses, removeOldDeliveries } from '../src/webhooks/deliveries/retention.ts'
import {
  cancelPageRetries,
  countUndelivered,
  dropPage,
  findDelivery,
  findDueDeliveries,
  findDueEndpoints,
  findEndpointsToDrop,
  findLastAttempt,
  findLastScannedDelivery,
  findLastSuccess,
  findNextDueDelivery,
  findUnhealthyEndpoints,
  findWaiting,
  insertPing,
  insertResend,
  requestPageRetries,
  requestRetry,
  selectDeliveries,
  selectRecent,
  selectStillDue,
  settleAttempts,
} from '../src/webhooks/deliveries/sql.ts'
import { addAfterCommitListener } from '../src/webhooks/emit/after-commit.ts'
import { encryptedWebhooks } from '../src/webhooks/endpoints/encrypted.ts'
import {
  findHealth,
  findHeldEndpoint,
  reservePermits,
  resetFailures,
  restartFailurePeriod,
  upsertHealthSamples,
} from '../src/webhooks/endpoints/health-sql.ts'
import {
  deleteExpiredSecrets,
  findActiveEndpoint,
  findWebhook,
  insertWebhook,
  listSecrets,
  lockAndCountWebhooks,
  lockWebhook,
  markHeld,
  markReleased,
  markWebhookDeleted,
  rotateSecret,
  selectWebhooks,
  updateWebhook,
} from '../src/webhooks/endpoints/sql.ts'
import { eraseOutboundEventsOf } from '../src/webhooks/outbound-events/erase.ts'
import { removeOldOutboundEvents } from '../src/webhooks/outbound-events/retention.ts'
import { outboundEventTypes } from '../src/webhooks/outbound-events/schema.ts'
import {
  findLastScannedOutboundEvent,
  findOutboundEvent,
  findSentEvent,
  selectDestinations,
  selectOutboundEvents,
} from '../src/webhooks/outbound-events/sql.ts'
import {
  endRecovery,
  findRecovery,
  findStalledRecoveries,
  insertRecovery,
  lockRecovery,
  lockRunningRecovery,
  saveProgress,
} from '../src/webhooks/recoveries/sql.ts'
import { firstCursor, rollUpPage } from '../src/webhooks/statistics/sql.ts'
import { eraseRunsOf } from '../src/workflows/erase.ts'
import { removeOldRuns } from '../src/workflows/retention.ts'
import { advanceRuns } from '../src/workflows/runs/advance-runs.ts'
import { claimDueRuns, failFirstDueRun, nextRunDue, postponeRun, releaseRuns } from '../src/workflows/runs/sql.ts'
import {
  findDefinition,
  findOccupiedSteps,
  moveRunsTo,
  selectRunsAtStep,
  stopPage,
} from '../src/workflows/runs/stop-and-move-sql.ts'
import type { Definition } from '../src/workflows/schema.ts'
import {
  countTriggerTypes,
  findBlockingRuns,
  findChannels,
  findFailingWorkflows,
  findListeningWorkflows,
  findRun,
  findWorkflow,
  insertVersion,
  insertWorkflow,
  lockAndCountWorkflows,
  lockEnabled,
  lockWorkflow,
  removeWorkflow,
  selectRuns,
  selectWorkflows,
  stopRun,
  updateWorkflow,
  workflowsUsingTemplate,
} from '../src/workflows/sql.ts'
import {
  countActiveRuns,
  countRecentRuns,
  findVersion,
  pruneVersions,
  selectVersions,
} from '../src/workflows/versions-sql.ts'
import type { TestDatabase } from './support/database.ts'
import { filledDatabase, idOf } from './support/filled.ts'
import {
  nameOfNode,
  nodesOf,
  type PlanKind,
  type PlanNode,
  pagesOf,
  statementOf,
  type Watched,
  watched,
} from './support/plans.ts'
import { gatheredInSrc, sourcesOf, statementsIn } from './support/statements.ts'

const root = resolve(import.meta.dir, '..')
const statements = statementsIn(sourcesOf(root), gatheredInSrc)

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
const lookedAt = 400
const hash = 'ab'.repeat(32)
const before = (id: string) => ({ limit: 50, before: id })
const person = (n: number) => ({ workspaceId, customerId: idOf('customer', n * 10) })
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
}))
const seals = new Keyring([Buffer.alloc(32, 1)])
let key = 0
const fresh = () => `fresh-${++key}`

const record = (sql: Database, events: IncomingEvent[]) => {
  const writer = new EventWriter({ sql, onBatch: () => {}, onRunsStarted: () => {}, onQueued: () => {} })
  // Some events name an unknown customer and are refused.
  return Promise.allSettled(events.map(event => writer.add(event)))
}

const deliveredAtOnce = ({ workspaceId, id }: MessageId): MessageSettlement => ({
  workspaceId,
  id,
  providerMessageId: fresh(),
  statuses: [
    { status: 'sent', detail: null },
    { status: 'delivered', detail: null },
  ],
})

/** Runs everything that can happen to an account. */
const lookAfterAccount = async (sql: Database, userId: string, [first, second]: [string, string]) => {
  await findAccount(sql, userId)
  await selectUsers(sql, null, 500)
  await selectUsers(sql, userId, 500)
  await countMemberships(sql, [userId])
  for (const tokenHash of [first, second])
    await insertLink(sql, { tokenHash, userId, kind: 'reset', mailed: true, lifetimeMinutes: 60 })
  await countRecentLinks(sql, userId, 'reset')
  await findLink(sql, first, 'reset')
  await findLinkAccount(sql, first)
  await consumeLink(sql, first, 'reset')
  await deleteLinksOf(sql, userId, 'reset')
  await insertSecondFactor(sql, userId, Buffer.from('sealed'))
  await findSecondFactor(sql, userId)
  await countAttempt(sql, userId, { maxAttempts: 10, withinSeconds: 3600 })
  await confirmSecondFactor(sql, userId, [first])
  await hasSecondFactor(sql, userId)
  await replaceRecoveryCodes(sql, userId, [first])
  await findUsersWithSecondFactor(sql, [userId])
  await consumePeriod(sql, userId, 1)
  await consumeRecoveryCode(sql, userId, first)
  await insertTicket(sql, { tokenHash: first, userId, passwordHash: 'none', invitationHash: null, lifetimeMinutes: 10 })
  await findTicket(sql, first)
  await deleteTicket(sql, first)
  await deleteSecondFactor(sql, userId)
  await markConfirmed(sql, userId)
  await updateDisabled(sql, userId, true)
}

/** The statements by purpose. Each is run with both kinds of plans. */
const work: Record<string, (sql: Database) => Promise<unknown>> = {
  'recording events': sql =>
    record(
      sql,
      incoming.map(event => ({ ...event, idempotencyKey: event.idempotencyKey && fresh() })),
    ),
  'replaying events': sql => record(sql, incoming),
  'looking up callers': async sql => {
    await findActiveKeys(sql, [hash])
    await findSession(sql, hash)
    await findUserForSignIn(sql, 'USER17@shop.example')
    await findEntitlements(sql, workspaceId)
    await sumUsage(sql, [workspaceId])
    await takeSignInAttempt(sql, hash, 5)
    await takeFromBudgets(
      sql,
      [
        { keyHash: hash, attempts: 50 },
        { keyHash: 'cd'.repeat(32), attempts: 100 },
      ],
      600,
    )
    await upsertKnownNetwork(sql, idOf('user', 1), hash)
    await isKnownNetwork(sql, hash)
    await insertSession(sql, {
      tokenHash: crypto.randomUUID().replaceAll('-', '').repeat(2),
      userId: idOf('user', 1),
      passwordHash: 'none',
      lifetimeDays: 1,
      address: '127.0.0.1',
      userAgent: null,
    })
    await touchApiKeys(sql, [{ workspaceId, id: idOf('user', 1), at: new Date() }])
    await touchSessions(sql, [hash, 'cd'.repeat(32)])
    await selectSessions(sql, idOf('user', 1), first)
    await selectSessions(sql, idOf('user', 1), before(idOf('user', 1)))
    await exchangeAdmissions(sql, { processId: idOf('user', 3), keyIds: seals.ids, reports: [], maxAgeSeconds: 5 })
    await exchangeAdmissions(sql, {
      processId: idOf('user', 3),
      keyIds: seals.ids,
      reports: [{ callerId: idOf('user', 4), callerType: 'user', admitted: 1, missing: 1 }],
      maxAgeSeconds: 5,
    })
  },
  'fan-out': sql => fanOut(sql, 200),
  'the mailbox of an endpoint': async sql => {
    await findActiveEndpoint(sql, workspaceId, webhookId)
    await findDueDeliveries(sql, { workspaceId, webhookId, limit: 200, except: [idOf('delivery', 0)] })
    await findDueDeliveries(sql, { workspaceId, webhookId: idOf('webhook', 5), limit: 200, except: [] })
    await findNextDueDelivery(sql, workspaceId, webhookId)
    await findLastAttempt(sql, workspaceId, webhookId)
    await reservePermits(sql, { workspaceId, webhookId, ratePerSecond: 100, wanted: 20 })
    const conduct = { succeededAt: null, succeeded: false, failed: 1, firstFailedAt: new Date(), lastFailure: null }
    await upsertHealthSamples(
      sql,
      [0, 1, 2].map(n => ({ workspaceId, webhookId: idOf('webhook', 5 * n), ...conduct })),
    )
    await restartFailurePeriod(sql, workspaceId, webhookId)
    await resetFailures(sql, workspaceId, webhookId)
    const [due] = await sql<{ id: string; attempts: number }[]>`
      select id, attempts from deliveries where workspace_id = ${workspaceId} and webhook_id = ${webhookId} and due_at is not null limit 1`
    await settleAttempts(sql, [
      {
        workspaceId,
        deliveryId: due!.id,
        number: due!.attempts + 1,
        planned: 8,
        manual: false,
        at: new Date(),
        statusCode: 200,
        error: null,
        durationMs: 12,
        responseBody: 'ok',
        signature: 't=1',
        status: 'delivered',
        retryDelayMs: null,
      },
    ])
  },
  'the mailbox of a channel': async sql => {
    const { due: page } = await findDueMessages(sql, { workspaceId, channelId, limit: 200, except: [] })
    await findNextDueMessage(sql, workspaceId, channelId)
    const ids = page.slice(0, 20)
    await beginMessages(sql, ids, 1000)
    await deferMessages(
      sql,
      ids.map(({ id }) => ({ workspaceId, id, leftMs: 1000 })),
    )
    await retryMessages(
      sql,
      ids.map(({ id }) => ({ workspaceId, id, retries: 0, afterMs: 1000 })),
    )
    await settleMessages(sql, ids.map(deliveredAtOnce))
    const told = ids.map(({ id }, place) => ({
      workspaceId,
      channelId,
      messageId: place % 2 ? id : null,
      providerMessageId: fresh(),
      status: 'read' as const,
      detail: null,
      at: null,
    }))
    await recordReported(sql, told)
    await recordReported(
      sql,
      told.map(one => ({ ...one, messageId: idOf('message', 20), status: 'failed' as const })),
    )
    await findEarlyStatuses(sql, told)
    for (const one of told.slice(0, 3)) await findFirstRecordedAt(sql, one)
    await deleteEarlyStatuses(
      sql,
      told.map(one => ({ ...one, id: idOf('message', 1) })),
    )
  },
  'telling where somebody acts on it': async sql => {
    const stop = addAfterCommitListener(sql, { onDeliveriesCreated: () => {}, onOutboxWritten: () => {} })
    const { due: page } = await findDueMessages(sql, { workspaceId, channelId, limit: 20, except: [] })
    await settleMessages(sql, page.slice(0, 10).map(deliveredAtOnce))
    await settleMessages(
      sql,
      page.slice(10).map(({ workspaceId, id }) => ({
        workspaceId,
        id,
        providerMessageId: null,
        statuses: [{ status: 'failed' as const, detail: 'no' }],
      })),
    )
    const customers = [++key, ++key, ++key].map(one => ({ workspaceId, id: idOf('customer', 30 + 10 * one) }))
    await markOptedOut(
      sql,
      customers.map(customer => ({ ...customer, reason: 'STOP', source: 'api' })),
    )
    stop()
  },
  'the sweep': async sql => {
    await findDueEndpoints(sql, startKey, 500)
    await findDueEndpoints(sql, { workspaceId, id: idOf('webhook', 3) }, 5)
    await findDueChannels(sql, startKey, 500)
    await findDueCampaigns(sql, startKey, 500)
    const lease = new LeaseHolder(sql)
    await lease.renew()
    const actor = { kind: 'endpoint', workspaceId, id: webhookId }
    await lease.acquire(actor)
    await lease.heldByOthers([actor])
    await lease.release(actor)
    await lease.releaseAll()
  },
  'the runs': async sql => {
    await nextRunDue(sql)
    await releaseRuns(sql, (await claimDueRuns(sql, { limit: 100, alone: true, claimMs: 5000 })).runs)
    const [first, ...others] = (await claimDueRuns(sql, { limit: 10, alone: true, claimMs: 5000 })).runs
    await postponeRun(sql, first!, 1000)
    await releaseRuns(sql, others)
    await failFirstDueRun(sql, { maxAttempts: 3, waitMs: 1000 })
    const claimed = await claimDueRuns(sql, { limit: 100, alone: true, claimMs: 5000 })
    const observer = { onFailure: () => {}, onPageFailure: () => {}, onUnknownType: () => {} }
    await advanceRuns(sql, claimed, observer, new AbortController().signal)
  },
  'what runs wait for': async sql => {
    const workflowId = idOf('workflow', 0)
    const claimed = await claimDueRuns(sql, { limit: 50, alone: true, claimMs: 5000 })
    const waits = claimed.runs.map(run => ({ ...run, waitUntil: null }))
    await readArrivals(sql, waits, claimed.now)
    await releaseRuns(sql, claimed.runs)
    const parked = waits.map(({ workspaceId, id }) => ({ workspaceId, runId: id }))
    await recheckRuns(sql, parked, { last: false })
    await findRunsToRecheck(sql, 100)
    await recheckRuns(sql, parked.slice(0, 10), { last: true })
    await resumeWoken(sql)
    await findBlockingRuns(sql, [{ workspaceId, workflowId, entryKey: 'once:a' }])
    await findRun(sql, workspaceId, idOf('run', 10))
    await stopRun(sql, workspaceId, idOf('run', 100 + 10 * ++key))
    await selectVersions(sql, workspaceId, workflowId, first)
    await findVersion(sql, workspaceId, workflowId, 1)
    const to = { workspaceId, workflowId, version: 2 }
    await findDefinition(sql, to)
    for (const { version, stepId } of await findOccupiedSteps(sql, to)) {
      const page = await selectRunsAtStep(sql, { ...to, version, stepId, after: idOf('run', 0), limit: 20 })
      await moveRunsTo(
        sql,
        to,
        page.map(run => ({
          run,
          wakeAt: run.wakeAt,
          waitUntil: run.waitUntil,
          wait: {
            workspaceId,
            runId: run.id,
            customerId: run.customerId,
            waitsFor: [{ kind: 'event', eventType: 'type.2' }],
            endsByOptOut: true,
            ended: false,
            isNew: true,
            seen: [idOf('event', 10)],
          },
        })),
      )
    }
    await stopPage(sql, { workspaceId, workflowId, startedBy: new Date().toISOString(), limit: 20 })
  },
  'how runs do': async sql => {
    await countActiveRuns(sql, workspaceId, idOf('workflow', 0))
    await countRecentRuns(sql, workspaceId, idOf('workflow', 0))
  },
  lags: async sql => {
    await readLags(sql)
    await readBacklogLag(sql)
  },
  'the lists of events': async sql => {
    const middle = before(idOf('event', 500_000))
    // A frequent type, a rare one and one that was never sent.
    for (const page of [first, middle])
      for (const type of [undefined, 'type.3', 'rare', 'unheard of']) {
        for (const customerId of [undefined, idOf('customer', 10), idOf('customer', 0)]) {
          const filter = { workspaceId, type, customerId, page }
          await selectEvents(sql, filter, lookedAt)
          await findLastScannedEvent(sql, filter, lookedAt)
        }
        // In the second workspace, each event has a listener.
        for (const reason of [undefined, 'no_listener', 'switched_off', 'never_published'] as const)
          for (const place of [workspaceId, idOf('workspace', 1)]) {
            const filter = { workspaceId: place, type, reason, page }
            await selectActivityEvents(sql, filter, lookedAt)
            await findLastScannedActivity(sql, filter, lookedAt)
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
          await selectActivityEvents(sql, filter, lookedAt)
          await findLastScannedActivity(sql, filter, lookedAt)
        }
      }
    await findEvent(sql, workspaceId, idOf('event', 10))
    await findStoredEvent(sql, workspaceId, idOf('event', 10))
    await findRunCustomer(sql, workspaceId, idOf('customer', 10))
    for (const before of [null, idOf('event', 500_000)])
      for (const type of ['type.3', 'rare', 'unheard of']) await findEventsToReplay(sql, workspaceId, type, before)
    await selectMessagesOfRuns(sql, workspaceId, [idOf('run', 10), idOf('run', 20)], 50)
    await selectData(sql, workspaceId, [idOf('event', 10), idOf('event', 20)], 1000)
    await selectSameData(sql, workspaceId, [{ id: idOf('event', 10), dataText: '{}' }])
  },
  'what streams tell': async sql => {
    const changed = [0, 10, 20].flatMap(n => [
      { workspaceId, kind: 'message', subjectId: idOf('message', n) },
      { workspaceId, kind: 'conversation', subjectId: idOf('conversation', n) },
      { workspaceId, kind: 'run', subjectId: idOf('run', n) },
      { workspaceId, kind: 'delivery', subjectId: idOf('delivery', n) },
      { workspaceId, kind: 'campaign', subjectId: idOf('campaign', 0) },
    ])
    await markWatched(sql, [workspaceId, idOf('workspace', 1)])
    await findWatched(sql)
    await writeChanges(sql, changed)
    await findNow(sql)
    const since = (n: number, fromId: string, from: Date): PollRange => ({
      workspaceId: idOf('workspace', n),
      fromId,
      from,
      problemsFromId: fromId,
    })
    // One recent time and one long ago, with many rows since.
    const now = [0, 1, 2].map(n => since(n, minIdAt(new Date(Date.now() - 10_000)), new Date(Date.now() - 10_000)))
    const long = [0, 1, 2].map(n => since(n, idOf('event', 0), new Date(0)))
    for (const some of [now, long, long.slice(0, 1)]) await findNewRows(sql, some, 50)
    await deleteOldChanges(sql, 10_000)
  },
  'the lists of customers': async sql => {
    const phones = [null, '+4915100000010', '+4915999999999']
    const externalIds = [null, 'customer-10', 'nobody']
    for (const page of [first, before(idOf('customer', 100_000))]) {
      // A search without other filters uses another statement, tested below.
      for (const phone of phones)
        for (const externalId of externalIds)
          for (const search of [null, 'Name 10', 'unheard of'])
            if (search === null || phone !== null || externalId !== null)
              await selectCustomers(sql, workspaceId, { phone, externalId, search }, page)
      await selectTimeline(sql, workspaceId, idOf('customer', 0), page)
      await selectTimeline(sql, workspaceId, idOf('customer', 10), page)
    }
    await findCustomer(sql, workspaceId, idOf('customer', 10))
    await findCustomers(sql, [{ workspaceId, id: idOf('customer', 10) }])
    await findHolders(sql, { workspaceId, phone: '+4915100000010', externalId: 'customer-20', exceptId: null })
  },
  'searching customers': async sql => {
    for (const page of [first, before(idOf('customer', 100_000))])
      for (const text of ['Name 1234', 'unheard of']) {
        const search = { workspaceId, text, page }
        await searchNewest(sql, search, 1000)
        await findLastSearched(sql, search, 1000)
        await searchByIndex(sql, search, 1000)
      }
  },
  'changes of customers': async sql => {
    const id = idOf('customer', 30)
    const name = fresh()
    await countCustomers(sql, workspaceId, 100)
    await insertCustomer(sql, { workspaceId, phone: null, externalId: name, name, email: null, attributes: {} })
    await updateCustomer(sql, {
      workspaceId,
      id,
      phone: undefined,
      externalId: undefined,
      name,
      email: undefined,
      attributes: { set: {}, removed: [] },
    })
    await markOptedIn(sql, { workspaceId, id, evidence: 'form', source: 'api', userId: null })
    const customers = [key, key + 1, key + 2].map(one => ({ workspaceId, id: idOf('customer', 30 + 10 * one) }))
    await markOptedOut(
      sql,
      customers.map(customer => ({ ...customer, reason: 'STOP', source: 'api' })),
    )
    await findCustomers(sql, customers)
  },
  'messages from customers': async sql => {
    const told = (n: number, more: Partial<InboundMessage>): InboundMessage => ({
      workspaceId,
      channelId,
      channelKind: 'sandbox',
      providerMessageId: fresh(),
      handle: `US.${n}`,
      otherHandle: null,
      name: 'Ana',
      type: 'text',
      text: n % 3 === 0 ? 'STOP' : 'Hello',
      sentAt: new Date(),
      ...more,
    })
    const again = fresh()
    const messages = Array.from({ length: 8 }, (_, n) => [
      told(n * 10, {}),
      told(n * 10, { handle: `+49151${String(n * 20).padStart(8, '0')}`, otherHandle: `US.${n * 10}` }),
      told(n, { handle: `+4917${String(++key).padStart(8, '0')}` }),
      told(n, { handle: `new.${++key}` }),
    ])
    await Promise.all(messages.flat().map(message => receiveMessage(sql, message)))
    for (const _ of [1, 2]) await receiveMessage(sql, told(1, { providerMessageId: again }))
    const address = { workspaceId, channelId, handle: 'US.20', phone: null }
    await findByAddress(sql, address)
    await enrolByAddress(sql, { ...address, handle: 'US.99999' })
    await enrolByAddress(sql, { ...address, handle: '+4915100088888', phone: '+4915100088888' })
    await findByAddress(sql, { ...address, phone: '+4915100000020' })
    await assignPhone(sql, { workspaceId, id: idOf('customer', 20), phone: '+4915100099999' })
    await recordRenewedOptIn(sql, { workspaceId, id: idOf('customer', 20), words: 'START' })
    const wish = { workspaceId, id: idOf('customer', 20), words: 'STOP', at: new Date() }
    for (const by of ['provider', 'row'] as const) await isOptOutSettled(sql, { ...wish, by })
    await skipForOptedOut(
      sql,
      [20, 30, 40].map(n => ({ workspaceId, id: idOf('customer', n) })),
    )
    await findWords(sql, workspaceId)
    await replaceWords(sql, { workspaceId, words: ['Basta'], normalised: ['BASTA'] })
  },
  'the lists of conversations': async sql => {
    const none = { status: undefined, assigneeId: undefined, unread: undefined, waiting: undefined }
    const wanted: Partial<ConversationFilter>[] = [
      {},
      { status: 'open' },
      { assigneeId: null },
      { assigneeId: idOf('user', 1) },
      { unread: true, status: 'open' },
      { unread: false },
      { waiting: true },
      { waiting: false, channelId },
      { customerId: idOf('customer', 10) },
      { channelId: idOf('channel', 9) },
    ]
    const after = { activeAt: new Date(Date.now() - 3_600_000).toISOString(), id: idOf('conversation', 25_000) }
    for (const page of [first, { limit: 50, after }])
      for (const one of wanted) {
        const where = { channelId: undefined, customerId: undefined }
        const filter = {
          workspaceId,
          ...none,
          ...where,
          ...one,
          page: { limit: 50, after: 'after' in page ? page.after : null },
        }
        await selectConversations(sql, filter, lookedAt)
        await findLastScannedConversation(sql, filter, lookedAt)
      }
    const id = idOf('conversation', 10)
    await findConversation(sql, workspaceId, id)
    for (const page of [first, before(idOf('message', 100_000))]) await selectMessagesOf(sql, workspaceId, id, page)
    await findMessage(sql, workspaceId, idOf('message', 10))
    await findMessageTemplate(sql, workspaceId, idOf('message', 10))
    await findResent(sql, workspaceId, idOf('message', 10))
    await selectStatuses(sql, workspaceId, idOf('message', 10))
    for (const page of [first, before(idOf('run', 1))])
      await selectConsents(sql, workspaceId, idOf('customer', 10), page)
  },
  'work on conversations': async sql => {
    const conversationId = idOf('conversation', 10)
    await findConversationTarget(sql, { workspaceId, channelId, customerId: idOf('customer', 20) })
    const customerId = idOf('customer', 60_000 + 10 * ++key)
    await insertConversation(sql, { workspaceId, channelId, customerId, handle: '+4915100000000' })
    await isInTeam(sql, workspaceId, idOf('user', 1))
    const changes = { workspaceId, id: conversationId, status: 'closed', assigneeId: null }
    await lockConversation(sql, workspaceId, idOf('conversation', 0))
    await updateConversation(sql, changes)
    await updateConversation(sql, { ...changes, status: undefined, assigneeId: undefined })
    await markRead(sql, workspaceId, conversationId)
    await clearOptOutFlag(sql, workspaceId, conversationId)
    await findFlaggedConversations(
      sql,
      [20, 30, 40].map(n => ({ workspaceId, id: idOf('customer', n) })),
      50,
    )
    await recordResent(sql, { workspaceId, id: idOf('message', 10), resentAs: idOf('message', 20) })
    await unassignPage(sql, { workspaceId, userId: idOf('conversation', 1), limit: 100 })
    const into = (await lockConversationState(sql, workspaceId, conversationId))!
    const idempotencyKey = fresh()
    await enqueueMessage(sql, {
      workspaceId,
      customerId: into.customerId,
      channelId: into.channelId,
      handle: into.handle!,
      text: 'Hello',
      template: null,
      sentBy: { type: 'user', id: idOf('user', 1) },
      writtenBy: null,
      skipped: null,
      idempotencyKey,
    })
    await findByKey(sql, { workspaceId, conversationId, idempotencyKey })
    const id = idOf('customer', 40 + 10 * key)
    await markOptedOut(sql, [{ workspaceId, id, reason: 'STOP', source: 'api' }])
    await liftOptOut(sql, { workspaceId, id, reason: 'asked', userId: idOf('user', 1) })
  },
  'the lists of what goes out': async sql => {
    for (const page of [first, before(idOf('outbound event', 100_000))]) {
      // In the second workspace, no message has a status.
      for (const type of [null, ...outboundEventTypes])
        for (const place of [workspaceId, idOf('workspace', 4)]) {
          const filter = { workspaceId: place, type, page }
          await selectOutboundEvents(sql, filter, lookedAt)
          await findLastScannedOutboundEvent(sql, filter, lookedAt)
        }
      for (const customerId of [undefined, idOf('customer', 10)])
        for (const runId of [undefined, idOf('run', 10), idOf('run', 11)])
          await selectMessages(sql, { workspaceId, customerId, runId, page })
    }
    await findOutboundEvent(sql, workspaceId, idOf('outbound event', 10))
    await selectDestinations(sql, workspaceId, idOf('outbound event', 10), 100)
    await findSentEvent(sql, workspaceId, idOf('delivery', 40))
    for (const page of [first, before(idOf('delivery', 100_000))])
      for (const status of [null, 'pending', 'retrying', 'delivered', 'failed'] as const)
        for (const eventType of [null, 'message.status', 'campaign.completed'] as const) {
          const filter = { workspaceId, webhookId, status, eventType, page }
          await selectDeliveries(sql, filter, lookedAt)
          await findLastScannedDelivery(sql, filter, lookedAt)
        }
    await insertResend(sql, { workspaceId, webhookId, eventId: idOf('outbound event', 10) })
    await selectRecent(sql, { workspaceId, webhookId, limit: 50 })
    await findLastSuccess(sql, { workspaceId, webhookId, limit: lookedAt })
    await findWaiting(sql, workspaceId, webhookId, 400)
    await findHealth(sql, workspaceId, webhookId)
    await findHeldEndpoint(sql, workspaceId, webhookId)
    const span = { workspaceId, webhookId, after: idOf('delivery', 0), last: idOf('delivery', 900_000) }
    await countUndelivered(sql, span, 400)
    const { ids: page } = await requestPageRetries(sql, span, 50)
    await selectStillDue(sql, workspaceId, page)
    await cancelPageRetries(sql, workspaceId, page)
    await findDelivery(sql, { workspaceId, webhookId, id: idOf('delivery', 0) })
    await requestRetry(sql, { workspaceId, webhookId, id: idOf('delivery', 0) })
    await insertPing(sql, workspaceId, webhookId)
  },
  sales: async sql => {
    const [conversationId, customerId] = [idOf('conversation', 0), idOf('customer', 0)]
    const times = [null, idOf('sale', 20_000), idOf('sale', 80_000)]
    for (const page of [first, before(idOf('sale', 50_000))])
      for (const talk of [null, conversationId, idOf('conversation', 10)])
        for (const customer of [null, customerId, idOf('customer', 10), idOf('customer', 9)])
          for (const from of times)
            for (const to of times)
              await selectSales(sql, { workspaceId, customerId: customer, conversationId: talk, from, to }, page)
    await findSale(sql, workspaceId, idOf('sale', 10))
    await findSales(sql, [{ workspaceId, id: idOf('sale', 10) }])
    await findConversations(sql, [{ workspaceId, conversationId }])
    await markVoided(sql, { workspaceId, id: idOf('sale', 20 + 10 * ++key), reason: 'Entered twice' })
    const sale: SaleToMark = {
      workspaceId,
      id: null,
      conversationId,
      customerId: null,
      amount: '12.50',
      currency: 'EUR',
      note: null,
      markedBy: { type: 'workflow', id: idOf('workflow', 0) },
      writtenBy: null,
    }
    await insertSales(sql, [
      sale,
      { ...sale, conversationId: null, customerId },
      ...Array.from({ length: 20 }, (_, n) => ({
        ...sale,
        conversationId: null,
        customerId: idOf('customer', n * 10),
        writtenBy: { runId: idOf('run', n * 10), position: ++key },
      })),
    ])
  },
  'what people set up': async sql => {
    await selectWebhooks(sql, workspaceId, first)
    await findWebhook(sql, workspaceId, webhookId)
    await listSecrets(sql, workspaceId)
    await chooseKeyId(sql, seals)
    await findFirstKeyConflict(sql, seals)
    await findUndecryptable(sql, seals)
    await lockWebhook(sql, workspaceId, webhookId)
    await lockAndCountWebhooks(sql, workspaceId)
    await selectChannels(sql, workspaceId, first)
    await findChannel(sql, workspaceId, channelId)
    await findCallbackChannels(sql, [channelId])
    await selectApiKeys(sql, workspaceId, first)
    await lockAndCountActiveKeys(sql, workspaceId, 100)
    await markApiKeyRevoked(sql, workspaceId, idOf('user', 1))
    await selectMembers(sql, workspaceId, first)
    await findMember(sql, workspaceId, idOf('user', 1))
    await findMemberByEmail(sql, workspaceId, 'user17@shop.example')
    await selectWorkflows(sql, workspaceId, first)
    await findWorkflow(sql, workspaceId, idOf('workflow', 0))
    await findChannels(sql, workspaceId, [channelId])
    await findTrialWorkflow(sql, workspaceId, idOf('workflow', 0), null)
    await findTrialWorkflow(sql, workspaceId, idOf('workflow', 0), 1)
    await findEnvironment(sql, workspaceId, idOf('customer', 10))
    await findEnvironment(sql, workspaceId, null)
    await findWorkspace(sql, workspaceId)
    await findWorkspaceName(sql, workspaceId)
    await selectTemplates(sql, workspaceId, first)
    await findTemplate(sql, workspaceId, idOf('template', 0))
    await findTemplates(sql, workspaceId, [idOf('template', 0), idOf('template', 5)])
    await workflowsUsingTemplate(sql, workspaceId, idOf('template', 0))
    await findListeningWorkflows(sql, [{ workspaceId, type: 'type.1' }])
    await countTriggerTypes(sql, [workspaceId])
    for (const page of [first, before(idOf('run', 100_000))])
      await selectRuns(sql, workspaceId, idOf('workflow', 0), page)
  },
  'secret maintenance': async sql => {
    await deleteExpiredSecrets(sql, 50)
    await encryptedWebhooks.replace(sql, [
      { workspaceId, id: webhookId, version: '0', encrypted: { secret: 'ab', previous: 'ab', headers: 'ab' } },
    ])
    await encryptedChannels.replace(sql, [
      { workspaceId, id: channelId, version: '0', encrypted: { credentials: 'ab' } },
    ])
    await encryptedFactors.replace(sql, [
      { workspaceId, id: idOf('user', 1), version: '0', encrypted: { secret: 'ab' } },
    ])
    await reencryptAll(sql, seals)
    await resumeDecryptable(sql, seals)
    await clearFailure(sql, { workspaceId, id: channelId, statusDetail: 'no' })
  },
  'changing what people set up': async sql => {
    const [name, newName] = [crypto.randomUUID(), crypto.randomUUID()]
    const hashes = [name, newName].map(one => one.replaceAll('-', '').repeat(2))
    const { id } = await insertWebhook(sql, {
      workspaceId,
      id: Bun.randomUUIDv7(),
      url: 'https://example.com',
      events: ['ping'],
      secret: { bytes: Buffer.from('whsec_none'), hash: 'ab' },
    })
    const headers = { names: ['X-Token'], encrypted: Buffer.from('sealed') }
    await updateWebhook(sql, { workspaceId, id, description: 'new', enabled: false, headers, filter: null })
    await markHeld(sql, workspaceId, id)
    await markReleased(sql, workspaceId, id)
    await rotateSecret(sql, {
      workspaceId,
      id,
      secret: { bytes: Buffer.from('sealed'), hash },
      overlapHours: 24,
    })
    await markWebhookDeleted(sql, workspaceId, id)

    const users: string[] = []
    for (const one of [name, newName])
      users.push((await insertUser(sql, { email: `${one}@shop.example`, name: one, passwordHash: 'none' }))!)
    await lookAfterAccount(sql, users[0]!, hashes as [string, string])
    await insertOwner(sql, workspaceId, users[0]!)
    const invitation = { workspaceId, email: `${newName}@shop.example`, name: newName, role: 'agent' } as const
    const member = await insertInvitation(sql, { ...invitation, tokenHash: hashes[0]!, lifetimeDays: 1 })
    await findInvitation(sql, hashes[0]!)
    await renewInvitation(sql, workspaceId, member!.id, hashes[0]!)
    await joinWithInvitation(sql, hashes[0]!, users[1]!)
    await updateRole(sql, workspaceId, member!.id, 'owner')
    await countOwners(sql, workspaceId)
    await findOwners(sql, workspaceId)
    await deleteMember(sql, workspaceId, member!.id)
    await insertApiKey(sql, { workspaceId, name, prefix: 'ces_live_', keyHash: hashes[0]! })
    await deleteSession(sql, hashes[0]!)
    const leaving = users[0]!
    await deleteSessionOf(sql, leaving, idOf('user', 1))
    await deleteOtherSessions(sql, leaving, idOf('user', 1))
    await findPasswordHash(sql, leaving)
    await findUser(sql, leaving)
    await replacePassword(sql, { userId: leaving, currentHash: 'none', passwordHash: 'other' })
    await updateUser(sql, leaving, { name: newName, locale: 'de', timezone: null })
    await lockUser(sql, { userId: leaving, currentHash: 'other' })
    for (const left of await findWorkspacesOf(sql, leaving)) await deleteMemberOf(sql, left, leaving)
    await deleteUser(sql, leaving)
    const channel = { workspaceId, id: Bun.randomUUIDv7(), kind: 'sandbox', name, number: name } as const
    await insertChannel(sql, { ...channel, credentials: Buffer.from('sealed'), sandboxDelivery: 'delivered' })
    const same = { workspaceId, id: channel.id }
    await updateChannel(sql, {
      ...same,
      name: newName,
      credentials: Buffer.from('anew'),
      number: newName,
      sandboxDelivery: 'read',
    })
    await updateChannel(sql, { ...same, name: newName, credentials: null, number: null, sandboxDelivery: null })
    await markFailing(sql, { ...same, detail: 'no', afterMs: 1 })
    await pauseChannel(sql, { ...same, afterMs: 1 })
    await markConnected(sql, workspaceId, channel.id)
    await markDisconnected(sql, workspaceId, channel.id)
    await skipChannelPage(sql, { workspaceId, channelId, limit: 100 })
    await updateWorkspace(sql, { workspaceId, name, timezone: null, requireSecondFactor: null })
    const content = { name, category: 'utility', body: 'Hello', provider: null } as const
    const template = await insertTemplate(sql, { workspaceId, ...content, variables: [] })
    await lockTemplate(sql, workspaceId, template.id)
    await updateTemplate(sql, { workspaceId, ...template, name: newName })
    await deleteTemplate(sql, workspaceId, template.id)

    const draft: Definition = {
      trigger: { eventType: 'type.1' },
      start: 'wait',
      steps: { wait: { type: 'delay', for: '1h', next: null } },
    }
    const workflow = await insertWorkflow(sql, { workspaceId, name, draft, draftErrors: [], eventType: 'x' })
    await lockEnabled(sql, workspaceId, workflow.id)
    await lockWorkflow(sql, workspaceId, workflow.id)
    await insertVersion(sql, {
      workspaceId,
      id: workflow.id,
      userId: users[0]!,
      draft,
      awaits: ['type.2'],
      templateIds: [],
    })
    await updateWorkflow(sql, {
      workspaceId,
      id: workflow.id,
      name: newName,
      draft,
      draftErrors: [],
      eventType: 'type.1',
      enabled: false,
      userId: users[0]!,
    })
    await lockAndCountWorkflows(sql, workspaceId)
    await pruneVersions(sql, { workspaceId, workflowId: workflow.id, max: 1 })
    await removeWorkflow(sql, workspaceId, workflow.id)
  },
  'the lists of campaigns': async sql => {
    await selectCampaigns(sql, workspaceId, first)
    await selectCampaigns(sql, workspaceId, before(idOf('campaign', 10)))
    await findCampaign(sql, workspaceId, idOf('campaign', 3))
    const campaignId = idOf('campaign', 0)
    for (const outcome of [null, 'sent', 'pending'] as const) {
      await selectRecipients(sql, { workspaceId, campaignId, outcome }, first)
      await selectRecipients(sql, { workspaceId, campaignId, outcome }, before(idOf('customer', 155_000)))
    }
    await campaignsUsingTemplate(sql, workspaceId, idOf('campaign', 1))
  },
  'changing campaigns': async sql => {
    const audience = { customerIds: [100, 110, 120].map(n => idOf('customer', n)) }
    const content = { workspaceId, name: 'Spring', channelId, templateId: channelId, variables: {}, audience }
    const { id } = await insertCampaign(sql, content)
    await lockCampaign(sql, workspaceId, id)
    await updateCampaign(sql, { ...content, id, name: null })
    await findChannelOf(sql, workspaceId, channelId)
    await findUnknownCustomers(sql, workspaceId, audience.customerIds, 20)
    await startCampaignAt(sql, { workspaceId, id, at: '2039-01-01T00:00:00Z' })
    await updateCampaignStatus(sql, { workspaceId, id, from: ['scheduled'], to: 'cancelled' })
    await lockAndCountCampaigns(sql, workspaceId)
    await findOldestEnded(sql, workspaceId, 5)
    await deleteRecipients(sql, workspaceId, id, 5000)
    await deleteEnded(sql, workspaceId, id)
    await deleteCampaign(sql, workspaceId, id)
  },
  'what a campaign does': async sql => {
    const page = { workspaceId, channelId, after: idOf('customer', 1000), limit: 200, attributes: true }
    const { id } = await insertCampaign(sql, {
      workspaceId,
      name: 'Spring',
      channelId,
      templateId: channelId,
      variables: {},
      audience: { all: true },
    })
    await startCampaignAt(sql, { workspaceId, id, at: null })
    const fresh = async () => (await findCampaignState(sql, workspaceId, id))!
    await startScheduled(sql, await fresh())
    await findNamed(sql, workspaceId, id)
    const { people } = await readEverybody(sql, { ...page, at: new Date() })
    const ids = people.map(one => one.id)
    await readNamed(sql, { ...page, ids })
    await addRecipients(sql, await fresh(), { ids, to: ids.at(-1)!, isEnd: true })
    await completeCampaign(sql, await fresh())
    const large = (await findCampaignState(sql, workspaceId, idOf('campaign', 0)))!
    const pending = await readPending(sql, { ...page, campaignId: large.id, after: large.begunTo! })
    await beginRecipients(
      sql,
      large,
      pending.people.map(one => ({
        customerId: one.id,
        reason: null,
        message: {
          workspaceId,
          customerId: one.id,
          channelId,
          handle: one.address!,
          text: 'Hello',
          template: { id: channelId, marketing: false, provider: null },
          sentBy: { type: 'campaign', id: large.id },
          writtenBy: null,
          skipped: null,
        },
      })),
    )
    await collectOutcomes(sql, (await findCampaignState(sql, workspaceId, large.id))!, 200)
    await updateCampaignStatus(sql, { workspaceId, id, from: ['running'], to: 'cancelled' })
    await skipPending(sql, await fresh(), 200)
    await withdrawQueued(sql, await fresh(), 200)
    await setNextExecution(sql, await fresh(), 1000)
    await findCampaignDue(sql, workspaceId, id)
  },
  'the audit log': async sql => {
    // An actor of nearly all entries and an actor of none; combined filters without an index.
    const [everybody, nobody] = [idOf('user', 1), idOf('user', 3)]
    for (const page of [first, before(idOf('audit entry', 100_000))])
      for (const actorId of [undefined, everybody, nobody])
        for (const action of [undefined, 'signIn', 'deleteWebhook', 'liftOptOut'] as const)
          for (const targetId of [undefined, webhookId, idOf('webhook', 3), nobody]) {
            const filter = { workspaceId, actorId, action, targetId, page }
            await selectEntries(sql, filter, lookedAt)
            await findLastEntryScanned(sql, filter, lookedAt)
          }
    await findUserNames(sql, [everybody, nobody])
  },
  'writing the audit log': async sql => {
    const request = { requestId: Bun.randomUUIDv7(), address: '203.0.113.7' }
    const deed = { action: 'signIn', detail: {}, request } as const
    const target = { type: 'user', id: idOf('user', 1) } as const
    await insertEntry(sql, { workspaceId, actor: target, target, ...deed })
    const accounts = [1, 2, 3].map(n => ({
      userId: idOf('user', n),
      by: n > 1 ? ('user' as const) : ('operator' as const),
    }))
    await insertAccountEntries(
      sql,
      accounts.map(account => ({ ...account, ...deed })),
    )
  },
  'what was not accepted': async sql => {
    for (const page of [first, before(idOf('run', 100_000))]) await selectRejectedRequests(sql, workspaceId, page)
    await findRejectedRequest(sql, workspaceId, idOf('run', 1))
  },
  'keeping what was not accepted': async sql => {
    const problem = {
      workspaceId,
      id: Bun.randomUUIDv7(),
      digest: hash,
      firstAt: new Date(),
      lastAt: new Date(),
      count: 1,
      sender: 'custom',
      method: 'POST',
      path: '/v1/events',
      status: 400,
      code: 'invalid_request',
      message: 'no',
      details: null,
      eventId: idOf('event', 3),
      requestId: Bun.randomUUIDv7(),
    } as const
    await closeElapsedGroups(sql, [problem])
    await upsertGroups(sql, [problem])
    await deleteExcess(sql, [workspaceId], 1000)
    await recordMismatches(sql, [{ workspaceId, eventId: idOf('event', 0), fields: ['type'] }])
  },
  'what there was, by the hour and by the day': async sql => {
    const until = new Date()
    for (const [by, days] of [
      ['hour', 31],
      ['day', 400],
    ] as const)
      await selectStats(sql, { workspaceId, from: new Date(until.getTime() - days * 86_400_000), until, by })
    await rollUpPage(sql, firstCursor, 200)
  },
  'what needs somebody': async sql => {
    await findUnhealthyEndpoints(sql, { workspaceId, max: 10_000, lateSeconds: 60 })
    await selectFailing(sql, workspaceId, 50)
    await findWaitingCustomers(sql, workspaceId, 500)
    await findFailingWorkflows(sql, workspaceId, 500, 50)
    await findRejectedSummary(sql, workspaceId, 500)
    await findUnhandledTypes(sql, { workspaceId, maxTypes: 200, maxEvents: 100, limit: 10 })
  },
  searching: async sql => {
    for (const sort of [
      'event',
      'customer',
      'run',
      'message',
      'delivery',
      'outbound event',
      'webhook',
      'sale',
    ] as const)
      await findById(sql, workspaceId, idOf(sort, 100_000))
    for (const text of ['customer-20', 'US.20', 'nobody'])
      await findByExactly(sql, { workspaceId, text, phone: '+4915100000020', limit: 20 })
    for (const text of ['n', 'name 1', 'Work', 'nobody', 'EXAMPLE'])
      await findByName(sql, { workspaceId, text, limit: 20 })
  },
  'erasing a customer': async sql => {
    const one = person(100 + ++key)
    await markErased(sql, one)
    await eraseRejectedRequests(sql, one.workspaceId, ['+4915112345678'])
    await eraseRunsOf(sql, one)
    await eraseHandlesOf(sql, one)
    await eraseMessagesOf(sql, one)
    await eraseEventsOf(sql, one)
    await eraseOutboundEventsOf(sql, one)
    await eraseResponsesOf(sql, one)
    await eraseSalesOf(sql, one)
    await eraseConsentsOf(sql, one)
  },
  'recovering deliveries': async sql => {
    const of = { workspaceId, webhookId: idOf('webhook', 10) }
    const [cursor, last] = [idOf('delivery', 0), idOf('delivery', 900_000)]
    const times = { since: new Date(0), until: new Date() }
    const { id } = (await insertRecovery(sql, { ...of, ...times, total: 10, cursor, last, pageSize: 16 }))!
    await findRecovery(sql, { ...of, id })
    await lockRecovery(sql, { ...of, id })
    await lockRunningRecovery(sql, of.workspaceId, of.webhookId)
    await saveProgress(sql, { workspaceId, id, done: 0, page: [cursor], isNewPage: true, pageSize: 16, cursor })
    await findStalledRecoveries(sql)
    await endRecovery(sql, { workspaceId, id, status: 'completed', done: 1 })
  },
  'removing an endpoint': async sql => {
    const gone = { workspaceId: idOf('workspace', 4), webhookId: idOf('webhook', 40 + (key++ % 10)) }
    await markWebhookDeleted(sql, gone.workspaceId, gone.webhookId)
    await findEndpointsToDrop(sql)
    await dropPage(sql, gone)
  },
  'removing what is too old': async sql => {
    // From the first row, from a row in the middle, and after the last row.
    for (const at of [0, 100_000, 5_000_000])
      for (const [sort, remove] of [
        ['event', removeOldEvents],
        ['delivery', removeOldDeliveries],
        ['delivery', deleteOldResponses],
        ['delivery', deleteLateResponses],
        ['outbound event', removeOldOutboundEvents],
        ['run', removeOldRuns],
        ['message', removeOldMessages],
      ] as const)
        await remove(sql, { workspaceId, after: idOf(sort, at), olderThan: new Date(), limit: 250 })
    await wasRemoved(sql, { workspaceId, conversationId: idOf('conversation', 10), idempotencyKey: fresh() })
    const mark = { workspaceId, kind: 'events' }
    for (const _ of [1, 2]) {
      await lockWatermark(sql, workspaceId, mark.kind)
      await moveWatermark(sql, { ...mark, cursor: idOf('event', 10), isReset: true })
    }
    const walk = await readCursor(sql)
    await writeCursor(sql, walk)
    await findWorkspacesAfter(sql, workspaceId, 100)
  },
  pruning: async sql => {
    await deleteExpiredSessions(sql, 1000)
    await deleteExpiredTickets(sql, 1000)
    await deleteExpiredLinks(sql, 1000)
    await deleteOldRejectedRequests(sql, 1000)
    await deleteOldEarlyStatuses(sql, 1000)
    await deleteStaleAdmissions(sql, 1000)
    await deleteFullBudgets(sql, 1000)
    await deleteOldNetworks(sql, 1000)
    await selectEventUsage(sql, null, 100)
    await selectEventUsage(sql, workspaceId, 100)
    await markEventsNotified(sql, workspaceId, 90)
    await writeAuditRetention(sql, 86_400)
    await findAuditRetention(sql)
    await deleteOldEntries(sql, { olderThanSeconds: 86_400, limit: 300 })
  },
}

/**
 * Maximum rows per plan node and pages per statement. A queue is read 200 rows at a time, and each row is looked up.
 */
const maxRows = 500
const maxPages = 2500

/** Statements with a higher limit, and the reason. */
const wider: Record<string, { rows: number; pages: number; because: string }> = {
  fanOutPage: { rows: 2500, pages: 40_000, because: 'makes ten deliveries of each of 200 events' },
  settleMessages: { rows: maxRows, pages: 5000, because: 'makes ten deliveries of each of 20 events' },
  beginRecipients: { rows: maxRows, pages: 20_000, because: 'queues 200 messages in conversations that it opens' },
  countActiveRuns: {
    rows: 100_000,
    pages: 10_000,
    because: 'counts entries of an index, at most 100,000, for a person who asks',
  },
  skipChannelPage: {
    rows: maxRows,
    pages: 8000,
    because: 'skips 100 messages, and looks at up to 50 of each of their conversations',
  },
  collectOutcomes: { rows: maxRows, pages: 8000, because: 'moves 200 recipients' },
  dropPage: { rows: 2500, pages: 40_000, because: 'drops a thousand deliveries' },
  deleteLateResponses: { rows: maxRows, pages: 5000, because: 'empties 250 answers' },
  removeOldEvents: { rows: maxRows, pages: 6000, because: 'removes 250 events, and writes what remains of each' },
  removeOldRuns: { rows: maxRows, pages: 5000, because: 'removes 250 runs, with what they wait for' },
  removeOldOutboundEvents: { rows: maxRows, pages: 5000, because: 'looks for the deliveries of 250 events' },
  removeOldMessages: { rows: maxRows, pages: 8000, because: 'removes 250 messages, and looks at each conversation' },
  noteOpeners: { rows: maxRows, pages: 15_000, because: 'looks for the first message of 250 conversations' },
  findNewRows: { rows: 1500, pages: 10_000, because: 'reads a page of each of fifteen parts of three workspaces' },
  searchNewest: { rows: 1000, pages: 10_000, because: 'looks at a thousand customers' },
  findLastScanned: { rows: 1002, pages: 10_000, because: 'counts a thousand customers' },
  searchByIndex: { rows: 2500, pages: 20_000, because: 'finds up to a thousand customers' },
  eraseRejectedRequests: { rows: 2500, pages: 4000, because: 'looks at all that are kept of a workspace, here more' },
  selectStats: { rows: 12_000, pages: 5000, because: 'adds up the hours of 400 days, and what was counted of late' },
  findUnhealthyEndpoints: {
    rows: 12_000,
    pages: 10_000,
    because: 'counts entries of an index, at most 10,000 for all endpoints together, for a person who asks',
  },
  deleteExcess: { rows: 2000, pages: 4000, because: 'counts up to the thousand that are kept' },
  deleteExpiredSessions: { rows: 1000, pages: 10_000, because: 'deletes a thousand' },
  deleteExpiredTickets: { rows: 1000, pages: 10_000, because: 'deletes a thousand' },
  deleteExpiredLinks: { rows: 1000, pages: 10_000, because: 'deletes a thousand' },
  deleteOldRejectedRequests: { rows: 1000, pages: 10_000, because: 'deletes a thousand' },
  deleteStaleAdmissions: { rows: 1000, pages: 10_000, because: 'deletes a thousand' },
  deleteFullBudgets: { rows: 1000, pages: 10_000, because: 'deletes a thousand' },
  deleteOldNetworks: { rows: 1000, pages: 10_000, because: 'deletes a thousand' },
}

const ofOperators = 'is for operators and the first start, and about workspaces or plans'

/** Statements that are not run here, and the reason. */
const notHere: Record<string, string> = {
  enqueue: 'is of Graphile Worker',
  releaseStuckTasks: 'is of Graphile Worker',
  'LeaseHolder.#reap': 'processes are few',
  countByAge: ofOperators,
  endHold: ofOperators,
  findHeldCampaigns: ofOperators,
  skipHeldDeliveries: ofOperators,
  skipHeldMails: ofOperators,
  skipHeldMessages: ofOperators,
  stopHeldRuns: ofOperators,
  findReadableParts: 'reads functions of the server',
  findStored: 'the table has one row',
  insertIdentity: 'the table has one row',
  readIdentity: 'reads functions of the server',
  updateIdentity: 'the table has one row',
  deleteProcess: 'is about one process',
  deleteDeadProcesses: 'processes are few',
  findPlan: ofOperators,
  listPlanIds: ofOperators,
  listAllowances: ofOperators,
  anyWorkspaceExists: ofOperators,
  insertWorkspace: ofOperators,
  updatePlan: ofOperators,
  selectWorkspaces: ofOperators,
  lockWorkspaces: ofOperators,
  readClock: 'reads no table',
  isOlderTransactionOpen: 'reads no table',
}

const seen = new Set<string>()

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
    expect(executed.flatMap(({ text, plan }) => complaintsOf(text, plan))).toEqual([])
  })
})

/** Returns whether the statement is the driver's query for the types, made once per connection. */
const isOfDriver = (text: string): boolean => text.includes('pg_catalog.pg_type')

const complaintsOf = (text: string, plan: PlanNode): string[] => {
  const name = statementOf(text, statements)?.name ?? text
  seen.add(name)
  const { rows: most, pages: mostPages } = wider[name] ?? { rows: maxRows, pages: maxPages }
  const pages = pagesOf(plan)
  return [
    ...nodesOf(plan)
      .filter(({ rows }) => rows > most)
      .map(({ node, rows }) => `${name} goes through ${rows} rows: ${nameOfNode(node)}`),
    ...nodesOf(plan)
      .filter(({ node }) => node['Node Type'] === 'Seq Scan' && isLarge(node['Relation Name']))
      .map(({ node }) => `${name} reads a whole table: ${nameOfNode(node)}`),
    ...(pages > mostPages ? [`${name} touches ${pages} pages`] : []),
  ]
}

const isLarge = (table: string | undefined): boolean => table !== undefined && !smallTables.has(table)
/** These tables have about one row per process, or are only searched without their key when a process ends. */
const smallTables = new Set(['plans', 'http_processes', 'processes', 'rate_limit_usage', 'leases'])

test('every statement of a context is run here or listed with a reason', () => {
  const names = statements
    .filter(
      ({ path }) =>
        /^src\/(core|queue|accounts|webhooks|customers|messaging|workflows|events|privacy|insights)\//.test(path) ||
        path === 'src/platform/postgres/lease.ts',
    )
    .map(({ name }) => name)
  expect(names.filter(name => !seen.has(name) && !(name in notHere))).toEqual([])
  expect(Object.keys(notHere).filter(name => seen.has(name) || !names.includes(name))).toEqual([])
})

/** Releases a restored database: lists what is due, skips what is too old, and ends the hold. */

import { writeOperatorEntry } from '../../accounts/audit/index.ts'
import { findWorkspaceIds } from '../../accounts/workspace-access/index.ts'
import { selectWorkspaces } from '../../accounts/workspaces/index.ts'
import { cancelHeldCampaigns, countHeldCampaigns } from '../../messaging/campaigns/index.ts'
import { countHeldMessages, skipHeldMessages } from '../../messaging/messages/index.ts'
import { type Database, transaction } from '../../platform/postgres/client.ts'
import { type Ages, addAges, endHold, noAges } from '../../queue/hold/index.ts'
import { countHeldMails, skipHeldMails } from '../../queue/tasks.ts'
import { countHeldDeliveries, fanOut, skipHeldDeliveries } from '../../webhooks/deliveries/index.ts'
import { countHeldEvents, deleteRestoredTrim, moveRestoredEvents } from '../../webhooks/outbound-events/index.ts'
import { cancelHeldRecoveries, countHeldRecoveries } from '../../webhooks/recoveries/index.ts'
import { countHeldRuns, stopHeldRuns } from '../../workflows/index.ts'

/** Queues of due work, in the order of the list. */
export const heldKinds = ['deliveries', 'outbound events', 'messages', 'runs', 'campaigns', 'mails'] as const
export type HeldKind = (typeof heldKinds)[number]

/** All kinds of due work. A recovery is in no queue: it makes the deliveries of a time span due, page by page. */
export const dueKinds = [...heldKinds, 'recoveries'] as const
export type DueKind = (typeof dueKinds)[number]

/** Maximum number of rows that one statement skips. */
const pageSize = 500

const counters: Record<Exclude<DueKind, 'mails'>, (sql: Database, workspaceId: string) => Promise<Ages>> = {
  deliveries: countHeldDeliveries,
  'outbound events': countHeldEvents,
  messages: countHeldMessages,
  runs: countHeldRuns,
  campaigns: countHeldCampaigns,
  recoveries: countHeldRecoveries,
}

/** Counts the due work of all workspaces by kind and age. */
export const countHeld = async (sql: Database): Promise<Record<DueKind, Ages>> => {
  const found = Object.fromEntries(dueKinds.map(kind => [kind, noAges])) as Record<DueKind, Ages>
  for (const { id } of await selectWorkspaces(sql))
    for (const [kind, count] of Object.entries(counters))
      found[kind as DueKind] = addAges(found[kind as DueKind], await count(sql, id))
  return { ...found, mails: await countHeldMails(sql) }
}

/** Number of workspaces that one statement looks for. */
const maxCompared = 1000

/** Returns workspaces that two cells have, which are not copies of a move. It can end before it has found all of them. */
export const findSharedWorkspaces = async (one: Database, other: Database): Promise<string[]> => {
  const workspaces = await selectWorkspaces(one)
  const ids = workspaces.flatMap(({ id, closedFor }) => (closedFor === 'copy' ? [] : [id]))
  for (let first = 0; first < ids.length; first += maxCompared) {
    const shared = await findWorkspaceIds(other, ids.slice(first, first + maxCompared))
    if (shared.length > 0) return shared
  }
  return []
}

type Skip = (sql: Database, p: { workspaceId: string; before: Date; limit: number }) => Promise<number>

/**
 * Campaigns come first, so that a cancelled campaign queues no message. Recoveries come before deliveries: a running one
 * would send the skipped deliveries again.
 */
const skippers: Record<Exclude<DueKind, 'mails' | 'outbound events'>, Skip> = {
  campaigns: cancelHeldCampaigns,
  runs: stopHeldRuns,
  messages: skipHeldMessages,
  recoveries: cancelHeldRecoveries,
  deliveries: skipHeldDeliveries,
}

/** Number of skipped rows by kind. An outbound event counts by its deliveries. */
export type Skipped = Record<keyof typeof skippers | 'mails', number>

const noSkips = () => ({ campaigns: 0, runs: 0, messages: 0, recoveries: 0, deliveries: 0 })

/**
 * Skips the work that became due before `before`. Each skipped row keeps a reason, and each workspace gets an audit
 * entry with the numbers. Idempotent, and can be repeated after an interruption.
 */
export const skipHeld = async (sql: Database, before: Date): Promise<Skipped> => {
  // Events in the outbox become deliveries, which are then skipped by the age of their event.
  for (let found = 1; found > 0; ) found = (await fanOut(sql, pageSize)).events
  const skipped: Skipped = { ...noSkips(), mails: 0 }
  for (const { id: workspaceId } of await selectWorkspaces(sql)) {
    const counts = await skipInWorkspace(sql, workspaceId, before)
    for (const [kind, count] of Object.entries(counts)) skipped[kind as keyof Skipped] += count
  }
  skipped.mails = await skipHeldMails(sql, before)
  return skipped
}

const skipInWorkspace = async (sql: Database, workspaceId: string, before: Date): Promise<Omit<Skipped, 'mails'>> => {
  const skipped = noSkips()
  for (const [kind, skip] of Object.entries(skippers))
    for (let count = 1; count > 0; skipped[kind as keyof typeof skipped] += count)
      count = await skip(sql, { workspaceId, before, limit: pageSize })
  if (Object.values(skipped).some(count => count > 0))
    await transaction(sql, tx =>
      writeOperatorEntry(tx, workspaceId, {
        action: 'releaseRestored',
        target: { type: 'workspace', id: workspaceId },
        detail: { skippedDueBefore: before.toISOString(), ...skipped },
      }),
    )
  return skipped
}

/** Moves restored outbound events to the beginning of their streams, and then ends the hold. Can be repeated. */
export const releaseHold = async (sql: Database): Promise<void> => {
  for (const { id: workspaceId } of await selectWorkspaces(sql)) {
    for (let moved = 1; moved > 0; ) moved = await moveRestoredEvents(sql, { workspaceId, limit: pageSize })
    await deleteRestoredTrim(sql, workspaceId)
  }
  await endHold(sql)
}

/**
 * Erases the personal data of a customer and keeps the rows that are counted. Each module erases the data in its
 * tables.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { withAudit } from '../../accounts/audit/index.ts'
import { eraseSavedViews } from '../../accounts/saved-views/index.ts'
import type { Ctx } from '../../core/context.ts'
import { notFound } from '../../core/errors.ts'
import { isId } from '../../core/ids.ts'
import type { ErasedCustomer } from '../../core/personal-data.ts'
import { verb } from '../../core/verb.ts'
import { eraseConsentsOf, eraseHandlesOf, markErased } from '../../customers/index.ts'
import { eraseSalesOf } from '../../customers/sales/index.ts'
import { eraseEventsOf } from '../../events/index.ts'
import { eraseRejectedRequests } from '../../events/rejected-requests/index.ts'
import { eraseMessagesOf } from '../../messaging/messages/index.ts'
import type { Sql } from '../../platform/postgres/client.ts'
import { enqueue } from '../../queue/tasks.ts'
import { eraseResponsesOf } from '../../webhooks/deliveries/index.ts'
import { eraseOutboundEventsOf } from '../../webhooks/outbound-events/index.ts'
import { eraseRunsOf } from '../../workflows/index.ts'
import { isOlderTransactionOpen, readClock } from './sql.ts'

/**
 * Delay of the second pass in milliseconds. It exceeds the statement timeout of 30 s (client.ts), so the second pass
 * sees what every running statement wrote.
 */
const secondPassMs = 60_000

/**
 * Erases the customer. After the first commit the customer is unknown everywhere, and its phone and external id can be
 * used again. All personal data is erased when this returns. This commit enqueues a second pass, which also
 * finishes the work of a process that died.
 */
export const eraseCustomer = verb({ by: 'key or owner' }, async (ctx, id: string): Promise<void> => {
  const customer = { workspaceId: ctx.caller.workspaceId, customerId: id }
  if (!isId(id)) throw notFound('customer')
  const eraseIdentity = async ({ sql }: Ctx): Promise<string[]> => {
    const words = await markErased(sql, customer)
    if (!words) throw notFound('customer')
    // Done in this transaction, because the words identify the customer and are not stored afterwards.
    await eraseSavedViews(sql, customer.workspaceId, [...words, id])
    await eraseRejectedRequests(sql, customer.workspaceId, words)
    await enqueue(sql, 'erase_traces', customer, `erase:${id}`, secondPassMs)
    return words
  }
  const words = await withAudit(ctx, eraseIdentity, () => ({
    action: 'eraseCustomer',
    target: { type: 'customer', id },
  }))
  await waitForOpenTransactions(ctx.sql)
  await eraseRejectedRequests(ctx.sql, customer.workspaceId, words)
  await eraseSavedViews(ctx.sql, customer.workspaceId, [...words, id])
  await eraseTraces(ctx.sql, customer)
})

/**
 * Erases the data of a customer that is marked as erased. Idempotent. Runs end before their messages are erased, so
 * that no run writes a message afterwards.
 */
export const eraseTraces = async (sql: Sql, customer: ErasedCustomer): Promise<void> => {
  await eraseRunsOf(sql, customer)
  await eraseHandlesOf(sql, customer)
  await eraseMessagesOf(sql, customer)
  await eraseEventsOf(sql, customer)
  await eraseOutboundEventsOf(sql, customer)
  await eraseResponsesOf(sql, customer)
  await eraseSalesOf(sql, customer)
  await eraseConsentsOf(sql, customer)
}

const maxWaitMs = 3000
const pollMs = 5

/**
 * Waits for open transactions that began before the customer was marked. They may not see the mark and can still write
 * about the customer, for example an event. Waiting here avoids a lock on the customer for every event. After
 * `maxWaitMs`, the second pass handles the rest.
 */
const waitForOpenTransactions = async (sql: Sql): Promise<void> => {
  const markedAt = await readClock(sql)
  const end = performance.now() + maxWaitMs
  while (performance.now() < end && (await isOlderTransactionOpen(sql, markedAt))) await sleep(pollMs)
}

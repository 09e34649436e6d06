/**
 * Erases the personal data of a customer and keeps the rows that are counted. Each module erases the data in its
 * tables.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Sql } from '../../db/client.ts'
import { audited } from '../audited.ts'
import type { Ctx } from '../context.ts'
import { eraseConsentsOf, eraseHandlesOf, markErased } from '../customers/index.ts'
import { eraseAnswersOf } from '../deliveries/index.ts'
import { notFound } from '../errors.ts'
import { eraseEventsOf } from '../events/index.ts'
import { isId } from '../ids.ts'
import { eraseMessagesOf } from '../messages/index.ts'
import { eraseOutboundEventsOf } from '../outbound-events/index.ts'
import type { ErasedCustomer } from '../personal.ts'
import { eraseRefusalsWith } from '../refusals/index.ts'
import { eraseSalesOf } from '../sales/index.ts'
import { enqueue } from '../tasks.ts'
import { verb } from '../verb.ts'
import { eraseRunsOf } from '../workflows/index.ts'
import { isOlderTransactionOpen, readClock } from './sql.ts'

/**
 * Delay of the second pass in milliseconds. It exceeds the statement timeout (db/client.ts: 30 s), so the second pass
 * sees what every running statement wrote.
 */
const secondLookMs = 60_000

/**
 * Erases the customer. After the first commit the customer is unknown everywhere, and its phone and external id can be
 * used again. All personal data is erased when this returns. The same commit enqueues a second pass, which also
 * finishes the work of a process that died.
 */
export const eraseCustomer = verb({ by: 'key or owner' }, async (ctx, id: string): Promise<void> => {
  const person = { workspaceId: ctx.caller.workspaceId, customerId: id }
  if (!isId(id)) throw notFound('customer')
  const mark = async ({ sql }: Ctx): Promise<string[]> => {
    const words = await markErased(sql, person)
    if (!words) throw notFound('customer')
    // Done in this transaction, because the words identify the customer and are not stored afterwards.
    await eraseRefusalsWith(sql, person.workspaceId, words)
    await enqueue(sql, 'erase_traces', person, `erase:${id}`, secondLookMs)
    return words
  }
  const words = await audited(ctx, mark, () => ({ action: 'eraseCustomer', target: { type: 'customer', id } }))
  await letWritersFinish(ctx.sql)
  await eraseRefusalsWith(ctx.sql, person.workspaceId, words)
  await eraseTraces(ctx.sql, person)
})

/**
 * Erases the data of a customer that is marked as erased. Idempotent. Runs end before their messages are erased, so
 * that no run writes a message afterwards.
 */
export const eraseTraces = async (sql: Sql, person: ErasedCustomer): Promise<void> => {
  await eraseRunsOf(sql, person)
  await eraseHandlesOf(sql, person)
  await eraseMessagesOf(sql, person)
  await eraseEventsOf(sql, person)
  await eraseOutboundEventsOf(sql, person)
  await eraseAnswersOf(sql, person)
  await eraseSalesOf(sql, person)
  await eraseConsentsOf(sql, person)
}

const maxWaitMs = 3000
const pollMs = 5

/**
 * Waits for open transactions that began before the customer was marked. They may not see the mark and can still write
 * about the customer, for example an event. Waiting here avoids a lock on the customer for every event. After
 * `maxWaitMs`, the second pass handles the rest.
 */
const letWritersFinish = async (sql: Sql): Promise<void> => {
  const marked = await readClock(sql)
  const end = performance.now() + maxWaitMs
  while (performance.now() < end && (await isOlderTransactionOpen(sql, marked))) await sleep(pollMs)
}

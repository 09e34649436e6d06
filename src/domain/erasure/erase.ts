/** Erasing a person: what was theirs goes, the rows that are counted stay. Each noun erases what it keeps of them. */
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

/** Longer than any statement may run (db/client.ts: 30 s), so that the second look sees what each of them wrote. */
const secondLookMs = 60_000

/**
 * Erases the person. From the first commit on the customer is unknown everywhere, and its phone and external id are
 * free. All traces are gone when this returns. The task that is enqueued by the same commit looks again: it finishes the
 * work of a process that died over it.
 */
export const eraseCustomer = verb({ by: 'key or owner' }, async (ctx, id: string): Promise<void> => {
  const person = { workspaceId: ctx.caller.workspaceId, customerId: id }
  if (!isId(id)) throw notFound('customer')
  const mark = async ({ sql }: Ctx): Promise<string[]> => {
    const words = await markErased(sql, person)
    if (!words) throw notFound('customer')
    // With the words themselves: nobody knows them afterwards.
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
 * Erases what belongs to a customer that is marked as erased; safe to repeat. Runs end before their messages are looked
 * for, so that none is written afterwards.
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
 * Whoever began before the customer was marked may not see that it is, and write about it still: an event of the same
 * moment. Such a statement is waited for, rather than have every event take a lock on its customer. What lasts longer
 * than this is left to the second look.
 */
const letWritersFinish = async (sql: Sql): Promise<void> => {
  const marked = await readClock(sql)
  const end = performance.now() + maxWaitMs
  while (performance.now() < end && (await isOlderTransactionOpen(sql, marked))) await sleep(pollMs)
}

/** Erasing a person: what was theirs goes, the rows that are counted stay. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Sql } from '../../db/client.ts'
import { inTransaction } from '../context.ts'
import { notFound } from '../errors.ts'
import { isId } from '../ids.ts'
import { enqueue } from '../tasks.ts'
import { verb } from '../verb.ts'
import { markErased } from './sql.ts'
import {
  blankConsents,
  blankConversations,
  blankEvents,
  blankMessages,
  blankOutboundEvents,
  blankRunSteps,
  type ErasedCustomer,
  endRuns,
  isOlderTransactionOpen,
  readClock,
} from './traces.ts'

/** Longer than any statement may run (db/client.ts: 30 s), so that the second look sees what each of them wrote. */
const secondLookMs = 60_000

/**
 * Erases the person. From the first commit on the customer is unknown everywhere, and its phone and external id are
 * free. All traces are gone when this returns. The task that is enqueued by the same commit looks again: it finishes the
 * work of a process that died over it.
 */
export const eraseCustomer = verb({ by: 'key or member' }, async (ctx, id: string): Promise<void> => {
  const person = { workspaceId: ctx.caller.workspaceId, customerId: id }
  const erased =
    isId(id) &&
    (await inTransaction(ctx, async ({ sql }) => {
      const marked = await markErased(sql, person.workspaceId, id)
      if (marked) await enqueue(sql, 'erase_traces', person, `erase:${id}`, new Date(Date.now() + secondLookMs))
      return marked
    }))
  if (!erased) throw notFound('customer')
  await letWritersFinish(ctx.sql)
  await eraseTraces(ctx.sql, person)
})

/**
 * Erases what belongs to a customer that is marked as erased; safe to repeat. Runs end before their messages are looked
 * for, so that none is written afterwards.
 */
export const eraseTraces = async (sql: Sql, person: ErasedCustomer): Promise<void> => {
  await endRuns(sql, person)
  await blankRunSteps(sql, person)
  await blankAllMessages(sql, person)
  await blankAllEvents(sql, person)
  await blankOutboundEvents(sql, person)
  await blankConversations(sql, person)
  await blankConsents(sql, person)
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

/** In pages, each a statement of its own: none holds many locks, and none runs into the time limit. */
const blankAllEvents = async (sql: Sql, person: ErasedCustomer): Promise<void> => {
  for (let last: string | null = firstId; last !== null; ) last = await blankEvents(sql, person, last)
}

const firstId = '00000000-0000-0000-0000-000000000000'

/** A message that is being settled at this moment is passed over and looked for again. */
const blankAllMessages = async (sql: Sql, person: ErasedCustomer): Promise<void> => {
  for (;;) {
    const { found, blanked } = await blankMessages(sql, person)
    if (!found) return
    if (blanked === 0) await sleep(pollMs)
  }
}

/** Opt-outs from all sources, written in micro-batches. */

import { LockConflict, notFound } from '../../core/errors.ts'
import { type CustomerRow, findCustomers, markOptedOut, type OptOutEntry } from '../../customers/index.ts'
import { Failed, Retry } from '../../platform/micro-batch.ts'
import type { Sql } from '../../platform/postgres/client.ts'
import { microBatched } from '../../platform/postgres/micro-batched.ts'
import { clearFlags, skipForOptedOut } from '../messages/index.ts'

/**
 * Opts a customer out and skips the queued messages. The first of several calls counts; later ones change nothing and
 * emit no event. 404 (DomainError) for an unknown customer.
 */
export const optOut = microBatched<OptOutEntry, CustomerRow>((sql, requests) => optOutBatch(sql, requests), {
  resourceOf: customerKey,
  groupOf: ({ channelId }) => channelId ?? null,
})

const optOutBatch = async (sql: Sql, requests: OptOutEntry[]): Promise<(CustomerRow | Failed | Retry)[]> => {
  const first = new Map<string, OptOutEntry>()
  for (const one of requests) if (!first.has(customerKey(one))) first.set(customerKey(one), one)
  const customers = byCustomer(await markOptedOut(sql, [...first.values()]))
  await clearFlags(
    sql,
    [...first].filter(([name]) => customers.has(name)).map(([, one]) => one),
  )
  const others = [...first].filter(([name]) => !customers.has(name)).map(([, one]) => one)
  if (others.length > 0)
    for (const [name, row] of byCustomer(await findCustomers(sql, others))) customers.set(name, row)
  await skipForOptedOut(
    sql,
    [...first].filter(([name]) => customers.get(name)?.optedOutAt).map(([, one]) => one),
  )
  return requests.map(one => {
    const row = customers.get(customerKey(one))
    if (!row) return new Failed(notFound('customer'))
    return row.optedOutAt === null ? conflict : row
  })
}

const conflict = new Retry(new LockConflict('The customer is being changed by another call.'))

function customerKey({ workspaceId, id }: { workspaceId: string; id: string }): string {
  return `${workspaceId} ${id.toLowerCase()}`
}

const byCustomer = (rows: (CustomerRow & { workspaceId: string })[]): Map<string, CustomerRow> =>
  new Map(rows.map(({ workspaceId, ...row }) => [customerKey({ workspaceId, id: row.id }), row]))

/** Opt-outs from all sources, written in micro-batches. */
import { Again, Failed } from '../../db/batch.ts'
import type { Sql } from '../../db/client.ts'
import { HeldUp, notFound } from '../errors.ts'
import { gathered } from '../gather.ts'
import { noteUnmarked, skipForOptedOut } from '../messages/index.ts'
import { type CustomerRow, findCustomers, markOptedOut, type OptOutWords } from './sql.ts'

/**
 * Opts a customer out and skips the queued messages. The first of several calls counts; later ones change nothing and
 * emit no event. 404 (DomainError) for an unknown customer.
 */
export const optOut = gathered<OptOutWords, CustomerRow>((sql, asked) => optOutTogether(sql, asked), {
  thingOf: nameOf,
  groupOf: ({ channelId }) => channelId ?? null,
})

const optOutTogether = async (sql: Sql, asked: OptOutWords[]): Promise<(CustomerRow | Failed | Again)[]> => {
  const first = new Map<string, OptOutWords>()
  for (const one of asked) if (!first.has(nameOf(one))) first.set(nameOf(one), one)
  const customers = byName(await markOptedOut(sql, [...first.values()]))
  await noteUnmarked(
    sql,
    [...first].filter(([name]) => customers.has(name)).map(([, one]) => one),
  )
  const others = [...first].filter(([name]) => !customers.has(name)).map(([, one]) => one)
  if (others.length > 0) for (const [name, row] of byName(await findCustomers(sql, others))) customers.set(name, row)
  await skipForOptedOut(
    sql,
    [...first].filter(([name]) => customers.get(name)?.optedOutAt).map(([, one]) => one),
  )
  return asked.map(one => {
    const row = customers.get(nameOf(one))
    if (!row) return new Failed(notFound('customer'))
    return row.optedOutAt === null ? beingChanged : row
  })
}

const beingChanged = new Again(new HeldUp('Somebody else is changing the customer.'))

function nameOf({ workspaceId, id }: { workspaceId: string; id: string }): string {
  return `${workspaceId} ${id.toLowerCase()}`
}

const byName = (rows: (CustomerRow & { workspaceId: string })[]): Map<string, CustomerRow> =>
  new Map(rows.map(({ workspaceId, ...row }) => [nameOf({ workspaceId, id: row.id }), row]))

/** Tests the search for events that an endpoint has missed, with large events. */
import { expect, test } from 'bun:test'
import { selectMissing } from '../../src/webhooks/recoveries/missing-sql.ts'
import { useDatabase } from '../support/database.ts'
import { watched } from '../support/plans.ts'
import { use } from '../support/use.ts'

const database = useDatabase()
const watch = use(async () => {
  const { sql, executed, end } = watched(database.url, 'custom')
  return { sql, executed, stop: end }
})

const workspaceId = '01981b7e-3c00-7a51-9a64-000000000001'
const range = {
  workspaceId,
  webhookId: '01981b7e-3c00-7a51-9a64-000000000002',
  after: '00000000-0000-0000-0000-000000000000',
  last: 'ffffffff-ffff-ffff-ffff-ffffffffffff',
  filter: { path: 'data.text', op: 'eq', value: 'x' } as const,
}

test.each([[['message.received']], [['message.received', 'message.status']]])(
  'a page of %p copies only what it returns, and the pages have no gap',
  async types => {
    const { sql } = database
    await sql`delete from outbound_events`
    await sql`
      insert into outbound_events (workspace_id, type, data, fanned_out_at, not_sent_to)
      select ${workspaceId}, 'message.received', jsonb_build_object('text', random_text), now(), '{}'
      from generate_series(1, 3000) as event(n) cross join lateral (
        select string_agg(md5(random()::text || part || n), '') as random_text from generate_series(1, 125) as part) texts`
    watch.executed()
    const ids: string[] = []
    const pages: number[] = []
    for (let after: string | null = range.after; after !== null; ) {
      const { events, cursor } = await selectMissing(watch.sql, { ...range, types, after }, 5000, 5000)
      if (events.length > 0) pages.push(events.length)
      ids.push(...events.map(({ id }) => id))
      after = cursor
    }
    expect(pages.length).toBeGreaterThan(1)
    expect(new Set(ids).size).toBe(3000)
    expect(ids).toEqual(ids.toSorted())
    // 4 MiB are 512 blocks. A step of the statement copies them at most once.
    const copied = watch.executed().map(({ plan }) => plan['Temp Written Blocks'] ?? 0)
    expect(Math.max(...copied)).toBeLessThan(6 * 512)
  },
)

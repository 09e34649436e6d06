/** Tests of long deletions of workspaces: entries of deleted rows, and statements that expire. */
import { expect, test } from 'bun:test'
import { connect } from '../../src/platform/postgres/client.ts'
import { removeWorkspace } from '../../src/privacy/workspaces/index.ts'
import { deleteRows, readShapes } from '../../src/privacy/workspaces/sql.ts'
import { newWorkspace, openTransaction, useDatabase } from '../support/database.ts'
import { pagesOf, watched } from '../support/plans.ts'
import { eventually } from '../support/world.ts'

const database = useDatabase()

test('a pass reads the entries of deleted rows in parts, while a snapshot keeps them from vacuum', async () => {
  const { sql } = database
  const workspaceId = await newWorkspace(sql)
  await sql`insert into hourly_stat_changes (workspace_id, hour) select ${workspaceId}, now() from generate_series(1, 21000)`
  const endSnapshot = await openTransaction(sql, async tx => {
    await tx`set transaction isolation level repeatable read`
    await tx`select 1 from hourly_stat_changes limit 1`
  })
  const watch = watched(database.url, 'generic', 2)
  const { rows } = await removeWorkspace(watch.sql, workspaceId)
  expect(rows.hourly_stat_changes).toBe(21_000)
  const pagesRead = () =>
    watch.executed().flatMap(({ text, plan }) => (text.includes('from "hourly_stat_changes"') ? pagesOf(plan) : []))
  const statements = pagesRead()
  const [shape] = await readShapes(sql, ['hourly_stat_changes'])
  await deleteRows(watch.sql, { workspaceId, shape: shape!, after: null, until: null, limit: 1000, skipLocked: false })
  const [whole] = pagesRead()
  await watch.end()
  await endSnapshot()
  // Three passes of three parts follow the first one.
  expect(whole).toBeGreaterThan(0)
  expect(statements.length).toBeGreaterThan(9)
  expect(Math.min(...statements.slice(-9))).toBeGreaterThan(0)
  expect(statements.slice(-9).filter(pages => pages > whole! * 0.6)).toEqual([])
})

test('a deletion repeats a statement that has expired', async () => {
  const { sql } = database
  database.expectErrors('57014')
  const id = await newWorkspace(sql)
  await sql`insert into customers (workspace_id, external_id) values (${id}, 'locked')`
  const unlock = await openTransaction(sql, tx => tx`select 1 from customers for update`)
  const impatient = connect({ url: database.url, applicationName: 'deletion', max: 2, maxStatementMs: 300 })
  const deletion = removeWorkspace(impatient, id, { waits: Array.from({ length: 1000 }, () => 10) })
  const begun = async () => {
    const [row] = await sql`select query_start::text as at from pg_stat_activity
      where application_name = 'deletion' and wait_event_type = 'Lock'`
    return row?.at as string | undefined
  }
  const first = await eventually('the deletion waits for the row', begun)
  await eventually('the statement is repeated', async () => ((await begun()) ?? first) !== first)
  await unlock()
  expect(await deletion).toMatchObject({ name: 'Shop', rows: { customers: 1 } })
  await impatient.end()
})

/**
 * The reference for ingestion: the same rows in the same table, one INSERT and one commit each, over 64 connections.
 * Uses `pgbench` if it is installed, which needs little processor time, and otherwise a loop.
 */
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import { newId } from '../../src/core/ids.ts'

export interface OneRowTask {
  databaseUrl: string
  /** Workspace of the rows, without other writers. */
  workspaceId: string
  customerId: string
  seconds: number
}

const connections = 64

/** Returns the name of the inserting program. */
export const inserterName = (): string => (Bun.which('pgbench') ? 'pgbench' : 'postgres.js')

/** Inserts for the given time and returns rows per second. */
export const insertOneByOne = (task: OneRowTask): Promise<number> =>
  Bun.which('pgbench') ? byPgbench(task) : byLoop(task)

const data = (orderId: string): string =>
  `{"orderId":"A-${orderId}","total":129.9,"currency":"EUR","items":3,"channel":"web"}`

const byPgbench = async ({ databaseUrl, workspaceId, customerId, seconds }: OneRowTask): Promise<number> => {
  const script = join(tmpdir(), `one-row-${newId()}.sql`)
  await Bun.write(
    script,
    `\\set order random(1, 9000000000000000000)
insert into events (workspace_id, id, type, source, sender, customer_id, data, idempotency_key, matched_workflows, reason)
values ('${workspaceId}', uuidv7(), 'order.created', 'api', 'custom', '${customerId}', '${data('00000000')}'::jsonb,
  'order-' || :order::text || '-created', 0, 'no_listener');
`,
  )
  try {
    const { hostname, port, username, password, pathname } = new URL(databaseUrl)
    const child = Bun.spawn(
      [
        'pgbench',
        '-n',
        '-M',
        'prepared',
        '-c',
        String(connections),
        '-j',
        '2',
        '-T',
        String(seconds),
        '-f',
        script,
      ].concat(['-h', hostname, '-p', port, '-U', username, pathname.slice(1)]),
      { env: { ...process.env, PGPASSWORD: decodeURIComponent(password) }, stdout: 'pipe', stderr: 'pipe' },
    )
    const [text, complaints] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
    const rate = /tps = ([\d.]+) \(without/.exec(text)?.[1]
    if ((await child.exited) !== 0 || !rate) throw new Error(`pgbench failed: ${text}${complaints}`)
    return Number(rate)
  } finally {
    await rm(script, { force: true })
  }
}

const byLoop = async ({ databaseUrl, workspaceId, customerId, seconds }: OneRowTask): Promise<number> => {
  const sql = postgres(databaseUrl, { max: connections })
  const run = newId()
  let rows = 0
  let until = 0
  const insert = () => {
    const order = String(rows++)
    return sql`
      insert into events (workspace_id, id, type, source, sender, customer_id, data, idempotency_key, matched_workflows, reason)
      values (${workspaceId}, ${newId()}, 'order.created', 'api', 'custom', ${customerId}, ${data(order)}::text::jsonb,
        ${`order-${run}-${order}-created`}, 0, 'no_listener')`
  }
  const many = (work: () => Promise<unknown>) => Promise.all(Array.from({ length: connections }, work))
  await many(async () => insert())
  rows = 0
  const from = performance.now()
  until = from + seconds * 1000
  await many(async () => {
    while (performance.now() < until) await insert()
  })
  const rate = rows / ((performance.now() - from) / 1000)
  await sql.end()
  return rate
}

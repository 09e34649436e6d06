/** The reference for ingestion: `pgbench` inserts the same rows, one INSERT and one commit each, over 64 connections. */
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { newId } from '../../src/core/ids.ts'

interface OneRowTask {
  databaseUrl: string
  /** Workspace of the rows, without other writers. */
  workspaceId: string
  customerId: string
  seconds: number
}

/** Inserts for the given time and returns rows per second. */
export const insertOneByOne = async ({
  databaseUrl,
  workspaceId,
  customerId,
  seconds,
}: OneRowTask): Promise<number> => {
  const script = join(tmpdir(), `one-row-${newId()}.sql`)
  const data = '{"orderId":"A-00000000","total":129.9,"currency":"EUR","items":3,"channel":"web"}'
  await Bun.write(
    script,
    `\\set order random(1, 9000000000000000000)
insert into events (workspace_id, id, type, source, sender, customer_id, data, idempotency_key, matched_workflows, reason)
values ('${workspaceId}', uuidv7(), 'order.created', 'api', 'custom', '${customerId}', '${data}'::jsonb,
  'order-' || :order::text || '-created', 0, 'no_listener');
`,
  )
  try {
    const { hostname, port, username, password, pathname } = new URL(databaseUrl)
    const options = `-n -M prepared -c 64 -j 2 -T ${seconds} -f ${script} -h ${hostname} -p ${port} -U ${username}`
    if (!Bun.which('pgbench'))
      throw new Error('pgbench is not in PATH. Install the server package of PostgreSQL, or name other measurements.')
    const child = Bun.spawn(['pgbench', ...options.split(' '), pathname.slice(1)], {
      env: { ...process.env, PGPASSWORD: decodeURIComponent(password) },
      stdout: 'pipe',
      stderr: 'pipe',
    })
    const [text, complaints] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
    const rate = /tps = ([\d.]+) \(without/.exec(text)?.[1]
    if ((await child.exited) !== 0 || !rate) throw new Error(`pgbench failed: ${text}${complaints}`)
    return Number(rate)
  } finally {
    await rm(script, { force: true })
  }
}

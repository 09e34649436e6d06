/** Measures how long due work waits when a process is killed and started again on the same host. */
import type { Environment } from './environment.ts'
import { type Figure, figure, median } from './figures.ts'
import { addEndpoint, inRounds, waitUntilReceived } from './latency.ts'
import { addOutboundEvents } from './slow.ts'

export const aboutRestart =
  'from SIGKILL, in the middle of 1,000 deliveries to four endpoints that take 20 ms, to the last arrival, the start of the new process included.'

const endpoints = 4
const events = 250

/** Kills the service in the middle of its deliveries and starts it again immediately. */
export const measureRestart = async (environment: Environment, quick: boolean): Promise<Figure[]> => {
  const workspace = await environment.workspace('restart')
  for (let index = 0; index < endpoints; index++) await addEndpoint(environment, workspace.call, `/slow/20/${index}`)
  const seconds = await inRounds(quick ? 1 : 5, async () => {
    await environment.receiver.take()
    await addOutboundEvents(environment, workspace.id, events)
    await waitUntilReceived(environment, events, 15_000)
    const from = performance.now()
    await environment.killAndRestart()
    await waitUntilSettled(environment, workspace.id)
    return (performance.now() - from) / 1000
  })
  return [figure('restart', 'after kill -9, until all is out', 's', seconds, null, median.atMost(1.5))]
}

const waitUntilSettled = async ({ sql }: Environment, workspaceId: string): Promise<void> => {
  const from = performance.now()
  for (;;) {
    const [row] = await sql<{ open: boolean }[]>`
      select exists (select 1 from deliveries where workspace_id = ${workspaceId} and due_at is not null)
        or exists (select 1 from outbound_events where workspace_id = ${workspaceId} and fanned_out_at is null) as open`
    if (!row!.open) return
    if (performance.now() - from > 30_000) throw new Error('not all is out after 30 seconds')
    await Bun.sleep(10)
  }
}

/** Tests that pulling skips and repeats no event while many clients record and the service is killed. */
import { expect, setDefaultTimeout, test } from 'bun:test'
import { type ServiceProcess, startProcess } from '../support/process.ts'
import { eventually } from '../support/world.ts'
import { connectionsLost, pause, recordedOf, startLoad, useProcesses } from './support.ts'

setDefaultTimeout(180_000)

const { start } = useProcesses()

const clients = 64
const kills = 2

interface PullQuery {
  limit: number
  wait: number
  types?: string
}

test('three pullers get every event once while 64 clients record and the service is killed twice', async () => {
  const { sql, settings, shop, ask, ...started } = await start({ errors: connectionsLost })
  let service: ServiceProcess = started.service
  const { token } = await ask(201, 'POST', '/v1/auth/tokens', { name: 'puller', access: 'read' })
  const url = () => (service.running ? service.url : null)

  let going = true
  /** Pulls with its cursor until it is told to end and has reached the end of the stream. */
  const startPuller = ({ limit, wait, types }: PullQuery) => {
    const ids: string[] = []
    const run = async () => {
      for (let after = 'beginning', isAtEnd = false; going || !isAtEnd; ) {
        const query = new URLSearchParams({
          after,
          limit: String(limit),
          wait: String(going ? wait : 0),
          ...(types !== undefined && { types }),
        })
        const answer = await fetch(`${url()}/v1/outbound-events/pull?${query}`, {
          headers: { Authorization: `Bearer ${token}` },
        }).catch(() => null)
        // A process that was killed has not answered: the same cursor is sent again.
        if (answer === null || answer.status === 503) {
          await pause(20)
          continue
        }
        const text = await answer.text()
        if (answer.status !== 200) throw new Error(`${answer.status} ${text}`)
        const page = JSON.parse(text)
        ids.push(...page.data.map(({ id }: { id: string }) => id))
        after = page.cursor
        isAtEnd = page.data.length === 0 && !page.hasMore
      }
    }
    return { ids, done: run() }
  }
  const pullers = [
    startPuller({ limit: 100, wait: 5 }),
    startPuller({ limit: 7, wait: 0, types: 'message.status' }),
    startPuller({ limit: 1, wait: 1, types: 'message.status,ping' }),
  ]
  const load = startLoad(url, shop.key, clients)
  for (let kill = 0; kill < kills; kill++) {
    const before = recordedOf(load.sent).length
    await eventually('orders are recorded', () => recordedOf(load.sent).length > before + 200, 60_000)
    await service.end('SIGKILL')
    service = await startProcess(settings)
  }
  const sent = recordedOf(await load.stop()).length
  const stored = async (): Promise<string[]> =>
    (await sql<{ id: string }[]>`select id from outbound_events order by id`).map(({ id }) => id)
  await eventually('every order has its event', async () => (await stored()).length >= sent, 60_000)
  await eventually(
    'no run is active',
    async () => {
      const active = await sql`select from workflow_runs where status = 'active' limit 1`
      return active.length === 0
    },
    60_000,
  )
  const all = await stored()
  await eventually('the pullers have every event', () => pullers.every(({ ids }) => ids.length >= all.length), 60_000)
  going = false
  for (const { ids, done } of pullers) {
    await done
    expect(ids.length).toBe(all.length)
    expect(ids.toSorted()).toEqual(all)
  }
  // Each puller had the same order.
  expect(pullers[1]!.ids).toEqual(pullers[0]!.ids)
  expect(pullers[2]!.ids).toEqual(pullers[0]!.ids)
})

/** Test of a failover to a standby under load. A proxy leads to the primary, as the address of a cluster does. */
import { expect, setDefaultTimeout, test } from 'bun:test'
import { startProxy } from '../platform/postgres/proxy.ts'
import { prove } from './faults.ts'
import { startPair } from './standby.ts'
import { expectOnlyRecordsOrEnvelopes, useProcesses } from './support.ts'

setDefaultTimeout(120_000)

const { start, atEnd } = useProcesses()

/** Maximum time until the service works again after the promotion, in milliseconds. */
const recoveryMs = 5000

test('a failover to a standby loses nothing, and the running process uses the new primary', async () => {
  const pair = await startPair()
  atEnd(pair.stop)
  const proxy = await startProxy(await pair.ensureDatabase('engagement'))
  atEnd(proxy.stop)
  const started = await start({ url: proxy.url })
  const { sent, outMs } = await prove('failover to a standby', started, async () =>
    proxy.lead(await pair.failOver('engagement')),
  )
  expectOnlyRecordsOrEnvelopes(sent)
  expect(outMs).toBeLessThan(recoveryMs)
  expect(started.service.complaints).toBe('')
  expect(await (await fetch(`${started.service.url}/readyz`)).json()).not.toHaveProperty('held', true)
})

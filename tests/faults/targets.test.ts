/** Tests of each fault of a receiver and of DNS: every delivery arrives after it, and no private address is reached. */
import { afterAll, afterEach, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { connect } from 'node:net'
import { createResolver, type Resolve } from '../../src/webhooks/endpoints/index.ts'
import { type HttpServer, startHttpServer } from '../support/http-server.ts'
import { tell } from '../support/outbox.ts'
import {
  type Behaviour,
  hang,
  type Receiver,
  redirect,
  respond,
  slowHeaders,
  startReceiver,
} from '../support/receiver.ts'
import { eventually, startWorld, type World } from '../support/world.ts'
import { type Fault, report } from './faults.ts'
import { expectDeliveriesToAgree, expectVerified } from './support.ts'

setDefaultTimeout(30_000)

const host = 'receiver.example'
/** Public address of the receiver in DNS. The test has no public address, so the resolver translates it to loopback. */
const publicAddress = '8.8.8.8'
/** Address of a private server on the port of the receiver. */
const privateAddress = '127.0.0.2'
/** Events of each fault. */
const count = 20
/** Failed attempts of a fault before it ends. */
const attemptsBefore = 5

let receiver: Receiver
let privateServer: HttpServer
let privateRequests = 0
let world: World
/** Answer of DNS. */
let lookup: () => Promise<string>

/** Ends the lookups that hang. */
const hanging: (() => void)[] = []

const knownLookup = async () => publicAddress

/** Checks addresses as in production. Without a cache, so that each attempt asks DNS. */
const checked = createResolver({ lookup: async () => [{ address: await lookup(), family: 4 }], cacheMs: 0 })

const resolve: Resolve = async name => {
  const found = await checked(name)
  if (!found.ok) return found
  const [first] = found.addresses
  return { ok: true, addresses: [first === publicAddress ? '127.0.0.1' : first] }
}

beforeAll(async () => {
  receiver = await startReceiver()
  privateServer = await startHttpServer(
    (_, response) => {
      privateRequests++
      response.end()
    },
    privateAddress,
    receiver.port,
  )
  lookup = knownLookup
  world = await startWorld(
    {
      WEBHOOK_ALLOWED_PRIVATE_TARGETS: `${host}:${receiver.port}`,
      WEBHOOK_RETRY_WAITS: Array.from({ length: 7 }, () => '300ms').join(','),
      WEBHOOK_TIMEOUT: '300ms',
    },
    { resolve },
  )
  const body = { url: `http://${host}:${receiver.port}/hook`, events: ['message.status'] }
  await world.expect(201, 'POST', '/v1/webhooks', { body })
})
afterEach(() => {
  receiver.behave(respond())
  lookup = knownLookup
})
afterAll(async () => {
  await receiver.stop()
  await world.stop()
  await privateServer.stop()
})

const failedAttempts = async (): Promise<number> => {
  const [row] = await world.database.sql`
    select count(*)::integer as count from delivery_attempts where error is not null`
  return row!.count
}

/** Injects the fault, emits events, ends the fault after some failed attempts, and waits until every event arrived. */
const proveFor = async (fault: Fault, begin: () => void) => {
  const [arrived, failed] = [receiver.requests.length, await failedAttempts()]
  begin()
  await tell(world.database.sql, world.workspaceId, 'message.status', { count })
  await eventually('attempts fail', async () => (await failedAttempts()) >= failed + attemptsBefore)
  receiver.behave(respond())
  lookup = knownLookup
  for (const end of hanging.splice(0)) end()
  const overAt = Date.now()
  await expectDeliveriesToAgree(world.database.sql)
  await expectVerified(world.database.sql)
  const arrivals = receiver.requests.slice(arrived)
  expect(new Set(arrivals.map(({ headers }) => headers['x-service-event-id'])).size).toBe(count)
  report(fault, count, [arrivals], overAt)
}

/** Answers every second request, and rejects the others. */
const flap = (): Behaviour => {
  let isUp = false
  return (socket, request) => {
    isUp = !isUp
    respond(isUp ? 200 : 503)(socket, request)
  }
}

/**
 * Without an earlier answer. Otherwise the last one of the previous minute is used, and DNS that hangs has no effect.
 */
test.each<[Fault, () => () => Promise<string>]>([
  ['DNS hangs', () => () => new Promise(resolve => hanging.push(() => resolve(publicAddress)))],
  ['DNS lies', () => async () => privateAddress],
  [
    'DNS changes after the check',
    () => {
      let asked = 0
      return async () => (asked++ % 2 === 0 ? publicAddress : privateAddress)
    },
  ],
])('%s: the receiver gets every event afterwards, and the private server none', async (fault, changed) => {
  await proveFor(fault, () => {
    lookup = changed()
  })
  expect(privateRequests).toBe(0)
})

const large = new Uint8Array(100 * 2 ** 20)

test.each<[Fault, () => Behaviour]>([
  ['receiver hangs', hang],
  ['receiver resets', () => socket => void socket.resetAndDestroy()],
  ['receiver drips', slowHeaders],
  ['receiver answers 100 MiB', () => respond(500, large)],
  ['receiver redirects', () => redirect(`http://${privateAddress}:${receiver.port}/`)],
  ['receiver flaps', flap],
])('%s, and gets every event afterwards', async (fault, behaviour) => {
  await proveFor(fault, () => receiver.behave(behaviour()))
  expect(privateRequests).toBe(0)
})

test('the private server can be reached from this machine', async () => {
  const socket = connect(receiver.port, privateAddress)
  await new Promise<void>((connected, failed) => socket.once('connect', connected).once('error', failed))
  socket.destroy()
})

/**
 * Program: receives webhooks. Answers 200 immediately, under `/hang` after ten seconds, under `/slow/200` after 200 ms,
 * and under `/flap` with 503 for 20 seconds of every 40. It counts requests, and on demand records the arrival time of
 * each event. Prints its port.
 */
import { clock } from './programs.ts'

/** A recorded request. */
export interface Arrival {
  eventId: string
  path: string
  /** Time of arrival, by `clock()`. */
  at: number
}

/** Answer to a request for `/control`. */
export interface ReceiverState {
  /** Number of requests since the last call, without those under `/hang`. */
  received: number
  arrivals: Arrival[]
}

const hangMs = 10_000
const flapMs = 20_000

if (import.meta.main) {
  let received = 0
  let noting = false
  let arrivals: Arrival[] = []

  const control = (action: string): Response => {
    if (action === 'count') return Response.json(received)
    const state: ReceiverState = { received, arrivals }
    received = 0
    arrivals = []
    noting = action === 'note'
    return Response.json(state)
  }

  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    idleTimeout: 60,
    fetch: async request => {
      const at = clock()
      const path = request.url.slice(request.url.indexOf('/', 8))
      if (path.startsWith('/control/')) return control(path.slice('/control/'.length))
      if (path.startsWith('/hang')) await Bun.sleep(hangMs)
      else received++
      if (noting) arrivals.push({ eventId: request.headers.get('x-service-event-id') ?? '', path, at })
      if (path.startsWith('/flap') && Math.floor(at / flapMs) % 2 === 1) return new Response('down', { status: 503 })
      if (path.startsWith('/slow/')) await Bun.sleep(Number(path.split('/')[2]))
      return new Response('ok')
    },
  })
  process.stdout.write(`${server.port}\n`)
}

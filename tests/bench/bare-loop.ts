/**
 * Program: runs the minimal work of a delivery in a loop. It makes signed `fetch` calls, without database reads or
 * writes.
 */
import { decodeSigningSecret } from '../../src/core/secrets.ts'
import { deliveryHeaders } from '../../src/webhooks/deliveries/request.ts'
import { deliveryBody } from '../../src/webhooks/outbound-events/index.ts'
import { signStandard, signWebhook } from '../../src/webhooks/signatures/sign.ts'
import { taskOfProgram } from './programs.ts'

export interface BareLoopTask {
  /** URLs, called in rotation. */
  urls: string[]
  inFlight: number
  calls: number
  secret: string
  workspaceId: string
  /** `data` of the event, as text. */
  dataText: string
}

export interface BareLoopResult {
  seconds: number
}

if (import.meta.main) {
  const { urls, inFlight, calls, secret, workspaceId, dataText } = taskOfProgram<BareLoopTask>()
  const createdAt = new Date()
  const firstOfEight = { number: 1, planned: 8, manual: false }
  const decoded = [decodeSigningSecret(secret)]
  let started = 0

  const call = async (url: string) => {
    const event = { id: crypto.randomUUID(), type: 'message.status' as const, createdAt, dataText }
    const body = deliveryBody(workspaceId, event)
    const t = Math.floor(Date.now() / 1000)
    const service = signWebhook([secret], t, body)
    const standard = signStandard(decoded, event.id, t, body)
    const headers = deliveryHeaders(event, crypto.randomUUID(), firstOfEight, { t, service, standard })
    const response = await fetch(url, { method: 'POST', headers, body, redirect: 'manual' })
    if (response.status !== 200) throw new Error(`the receiver answered ${response.status}`)
    await response.arrayBuffer()
  }
  const loop = async (most: number) => {
    while (started < most) await call(urls[started++ % urls.length]!)
  }
  const many = (most: number) => Promise.all(Array.from({ length: inFlight }, () => loop(most)))

  await many(Math.ceil(calls / 10))
  started = 0
  const from = performance.now()
  await many(calls)
  const result: BareLoopResult = { seconds: (performance.now() - from) / 1000 }
  process.stdout.write(JSON.stringify(result))
  process.exit(0)
}

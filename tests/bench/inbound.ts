/** Measures inbound messages: WhatsApp callbacks, from the signature check to the commit that emits the message. */
import type { CallbackTask } from './callbacks.ts'
import { type BenchWorkspace, type Environment, knownCustomers, warmUpSeconds } from './environment.ts'
import { each, type Figure, figure, median, ratio } from './figures.ts'
import type { LoadResult } from './hammer.ts'
import { addCustomers, rateOf, shopOf } from './ingest.ts'
import { inRounds } from './latency.ts'
import { runProgram } from './programs.ts'

export const aboutInbound =
  'callbacks with one message each, signed over their bytes; one in five is of a customer who becomes known by it, the others of 10,000 who exist. A callback is answered once its message, and message.received with it, is committed. Beside it events recorded over as many connections.'

const connections = 64
const newShare = 0.2
const appSecret = '0123456789abcdef0123456789abcdef'

/** Measures messages received at 64 connections, compared with events recorded at the same number. */
export const measureInbound = async (environment: Environment, quick: boolean): Promise<Figure[]> => {
  const shop = await shopOf(environment)
  const inbox = await inboxOf(environment)
  const seconds = quick ? 3 : 6
  await shop.load(environment.service.port, connections, 1)
  await inbox.load(quick ? 1 : 3)
  const rounds = await inRounds(quick ? 1 : 3, async () => {
    await environment.sql`checkpoint`
    const recorded = rateOf(await shop.load(environment.service.port, connections, seconds))
    return { recorded, received: await inbox.load(seconds) }
  })
  await shop.assertAllStored()
  await inbox.assertAllStored()
  const name = `callbacks, ${connections} connections`
  const beside = { name: 'events recorded:', rounds: each(rounds, 'recorded') }
  const received = each(rounds, 'received')
  return [
    figure('inbound', name, 'messages/s', received.map(rateOf), beside, ratio.atLeast(0.5)),
    figure('inbound', `${name}, p50`, 'ms', each(received, 'p50')),
    figure('inbound', `${name}, p99`, 'ms', each(received, 'p99'), null, median.atMost(60)),
  ]
}

interface Inbox extends BenchWorkspace {
  load(seconds: number): Promise<LoadResult>
  /** Fails unless every accepted message was stored. The speed of wrong answers is worthless. */
  assertAllStored(): Promise<void>
}

/** Creates a workspace with a WhatsApp number and customers who write to it. */
const inboxOf = async ({ sql, service, workspace: newWorkspace }: Environment): Promise<Inbox> => {
  const workspace = await newWorkspace('inbound')
  await addCustomers(sql, workspace.id)
  const phoneNumberId = String(Date.now())
  const credentials = { phoneNumberId, accessToken: 'token', appSecret, verifyToken: 'verify-token-of-ours' }
  const channel = await workspace.call('POST', '/v1/channels', { kind: 'whatsapp_cloud', name: 'Shop', credentials })
  let call = 0
  let answered = 0
  return {
    ...workspace,
    load: async seconds => {
      const load = { port: service.port, connections, warmUpSeconds, seconds, knownCustomers, newShare, call: call++ }
      const task = { ...load, channelId: channel.id, phoneNumberId, appSecret }
      const result = await runProgram<CallbackTask, LoadResult>('callbacks.ts', task)
      answered += result.answeredInAll
      return result
    },
    assertAllStored: async () => {
      const [row] = await sql<{ stored: number; told: number }[]>`
        select (select count(*) from messages where workspace_id = ${workspace.id} and direction = 'inbound') as stored,
          (select count(*) from outbound_events where workspace_id = ${workspace.id} and type = 'message.received') as told`
      if (row?.stored !== answered || row.told !== answered)
        throw new Error(
          `${answered} callbacks were answered, but ${row?.stored} messages are stored and ${row?.told} told`,
        )
    },
  }
}

/** Measures a sandbox campaign: its speed, its memory, and its effect on the recording of events. */
import type { Sql } from '../../src/platform/postgres/client.ts'
import type { BenchService, BenchWorkspace, Environment } from './environment.ts'
import { each, type Figure, figure, median, ratio } from './figures.ts'
import { rateOf, shopOf } from './ingest.ts'
import { inRounds } from './latency.ts'

export const aboutCampaign =
  'a template with the name of each customer, sent to all of a workspace over the sandbox, from the start to the campaign being completed. Memory is looked at every 50 ms while it runs. Recording is that of another workspace over 64 connections, with a campaign in the middle of its run, and before that without.'

const connections = 64

/** Measures the campaign alone, and then together with the recording of events. */
export const measureCampaign = async (environment: Environment, quick: boolean): Promise<Figure[]> => {
  const recipients = quick ? 20_000 : 100_000
  const campaigns = await campaignsOf(environment, recipients)
  const alone = await inRounds(1, () => campaigns.send())
  const besides = await measureBeside(environment, campaigns, quick)
  const to = `${recipients.toLocaleString('en-US')} recipients`
  const without = { name: 'without it:', rounds: each(besides, 'without') }
  const besideIt = `events recorded beside it, ${connections} connections`
  return [
    figure('campaign', to, 'messages/s', each(alone, 'perSecond'), null, median.atLeast(3000)),
    figure('campaign', `${to}, most memory of the service`, 'MiB', each(alone, 'peakMiB'), null, median.atMost(250)),
    figure('campaign', besideIt, 'events/s', each(besides, 'beside'), without, ratio.atLeast(0.7)),
    figure('campaign', 'sent meanwhile', 'messages/s', each(besides, 'sent')),
  ]
}

/** Measures recording alternately without and with a campaign. */
const measureBeside = async (environment: Environment, campaigns: Campaigns, quick: boolean) => {
  const shop = await shopOf(environment)
  const record = async () => rateOf(await shop.load(environment.service.port, connections, quick ? 4 : 8))
  await record()
  const rounds = await inRounds(quick ? 1 : 3, async () => {
    const without = await record()
    const running = await campaigns.start()
    await running.untilSent(1)
    const [sentBefore, from] = [await running.sent(), performance.now()]
    const beside = await record()
    const sent = ((await running.sent()) - sentBefore) / ((performance.now() - from) / 1000)
    await running.cancel()
    return { without, beside, sent }
  })
  await shop.assertAllStored()
  return rounds
}

interface Campaigns {
  /** Sends a campaign and waits until it is completed. */
  send(): Promise<{ perSecond: number; peakMiB: number }>
  start(): Promise<Running>
}

interface Running {
  sent(): Promise<number>
  untilSent(count: number): Promise<void>
  isCompleted(): Promise<boolean>
  cancel(): Promise<void>
}

/** Creates a workspace with `recipients` customers, all of them recipients of the campaigns. */
const campaignsOf = async (environment: Environment, recipients: number): Promise<Campaigns> => {
  const { sql, service } = environment
  const workspace = await environment.workspace('campaign')
  await addRecipients(sql, workspace.id, recipients)
  const content = await contentOf(workspace)
  const start = async (): Promise<Running> => {
    const { id } = await workspace.call('POST', '/v1/campaigns', content)
    await workspace.call('POST', `/v1/campaigns/${id}/start`, {})
    return runningOf(workspace, id)
  }
  const send = async () => {
    const memory = watchMemory(service)
    const from = performance.now()
    const running = await start()
    while (!(await running.isCompleted())) await Bun.sleep(50)
    const perSecond = (recipients * 1000) / (performance.now() - from)
    if ((await running.sent()) !== recipients) throw new Error('not everybody was sent a message')
    return { perSecond, peakMiB: await memory.stop() }
  }
  return { send, start }
}

const contentOf = async ({ call }: BenchWorkspace) => {
  const { id: channelId } = await call('POST', '/v1/channels', { kind: 'sandbox', name: 'Sandbox' })
  const { id: templateId } = await call('POST', '/v1/templates', {
    name: 'News',
    category: 'utility',
    body: 'Dear {{name}}, your shop has moved: come and see us.',
    variables: [{ name: 'name', sample: 'Ana' }],
  })
  const variables = { name: '{{customer.name|friend}}' }
  return { name: 'News', channelId, templateId, variables, audience: { all: true } }
}

const runningOf = ({ call }: BenchWorkspace, id: string): Running => {
  const read = () => call('GET', `/v1/campaigns/${id}`)
  const sent = async () => (await read()).progress.sent as number
  return {
    sent,
    untilSent: async count => {
      while ((await sent()) < count) await Bun.sleep(20)
    },
    isCompleted: async () => (await read()).status === 'completed',
    cancel: async () => {
      await call('POST', `/v1/campaigns/${id}/cancel`)
      // Waits until the channel has processed its queue, so that it does not affect the next measurement.
      while (await isWindingUp(await call('GET', `/v1/campaigns/${id}/recipients?outcome=queued&limit=1`)))
        await Bun.sleep(50)
    },
  }
}

const isWindingUp = ({ data }: { data: unknown[] }): boolean => data.length > 0

const addRecipients = (sql: Sql, workspaceId: string, count: number) => sql`
  insert into customers (workspace_id, phone, name, opted_in_at)
  select ${workspaceId}, '+49152' || lpad(n::text, 8, '0'), 'Ana', now() from generate_series(1, ${count}::integer) n`

const watchMemory = (service: BenchService) => {
  let peakMiB = 0
  const look = async () => {
    peakMiB = Math.max(peakMiB, await service.residentMiB())
  }
  const timer = setInterval(() => void look(), 50)
  return {
    stop: async () => {
      clearInterval(timer)
      await look()
      return peakMiB
    },
  }
}

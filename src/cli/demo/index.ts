/** `demo`: shows the main function with realistic data, from shop orders to signed webhooks. */
import type { Config } from '../../config.ts'
import { embeddedPostgresIsInstalled } from '../../embedded/index.ts'
import { dashboardFiles } from '../../service/dashboard.ts'
import { StartError } from '../../service/problem.ts'
import { aborted, stopRequested } from '../signals.ts'
import { type Command, parsedArguments } from '../usage.ts'
import { DemoError, isTimeout } from './api.ts'
import { castOf, readOrders } from './orders.ts'
import { eventType, type Workspace } from './owner.ts'
import { play } from './play.ts'
import type { Receipt } from './receiver.ts'
import { agent } from './second-act/cast.ts'
import { openStage, type Stage } from './stage.ts'
import { Story } from './story.ts'

/** Exit status that shells use for a program ended by Ctrl-C. */
const interruptedStatus = 130

/**
 * Runs the demo on a file of orders and prints the results. Then keeps everything running until Ctrl-C, or ends with
 * `--exit`. Returns 0 if every count is as the file expects, and otherwise 1.
 */
export const demo: Command = args => {
  const { exit, file } = readArguments(args)
  return config => show(config, exit, file)
}

const show = async (config: Config, exit: boolean, file: string | null): Promise<number> => {
  if (!embeddedPostgresIsInstalled()) {
    throw new StartError(
      'The demo needs the embedded PostgreSQL, which is not part of this installation; run it from the source with "bun run demo".',
    )
  }
  const orders = await readOrders(file)
  const story = new Story(process.stdout)
  const interrupted = stopRequested()
  const { customers, senders } = castOf(orders)
  story.title(
    `From shop order to signed webhook: ${orders.length} calls, ${customers} customers, ${senders} shop systems`,
  )

  const stage = await openStage(config, story)
  try {
    const hasDashboard = !exit && (await openDashboard(stage, story))
    const { right, workspace } = await play(stage, orders, story, interrupted)
    if (!exit) {
      showAround(stage, workspace, story)
      await letIn(stage, hasDashboard, story)
      stage.receiver.onReceipt(receipt => story.line(`  ${lineOf(receipt)}`))
      await aborted(interrupted)
      story.line('\n  Stopping.')
    }
    return right ? 0 : 1
  } catch (error) {
    if (interrupted.aborted) {
      story.line('\n  Interrupted.')
      return interruptedStatus
    }
    if (error instanceof DemoError) story.problem(error.message)
    else if (isTimeout(error)) story.problem('The service did not answer in time.')
    else throw error
    return 1
  } finally {
    await stage.close()
  }
}

export const demoUsage = 'demo [--exit] [--orders FILE]'

const readArguments = (args: string[]): { exit: boolean; file: string | null } => {
  const options = { exit: { type: 'boolean' }, orders: { type: 'string' } } as const
  const { values } = parsedArguments({ args, options }, [demoUsage])
  return { exit: values.exit ?? false, file: values.orders ?? null }
}

/** Bundles the dashboard in advance, so that opening it is fast. Returns false if the runtime has no dashboard. */
const openDashboard = async ({ url }: Stage, story: Story): Promise<boolean> => {
  const isThere = (await dashboardFiles()) !== null
  if (isThere) story.step('Dashboard', `${url}, at the end with a link that signs you in`)
  return isThere
}

const showAround = ({ url, data }: Stage, { key }: Workspace, story: Story): void => {
  story.title('Still running, for you to try')
  story.step('Interface', `${url}/docs, as a document ${url}/openapi.json`)
  story.step('Metrics', `${url}/metrics`)
  story.step('API key', key)
  story.step('Data', data)
  story.line()
  story.text('Post an order yourself, and its webhook is told of below; the same once more is a replay:')
  story.line(`\n${curlLine(url, key)}`)
}

/** Prints the sign-in information last, so that it stays visible. */
const letIn = async (stage: Stage, hasDashboard: boolean, story: Story): Promise<void> => {
  const { owner, makeLink, linkCommand } = stage
  story.title(hasDashboard ? 'Look at all of it in the dashboard' : 'Sign in')
  if (hasDashboard) {
    story.step('Dashboard', story.isOnTerminal ? await makeLink() : stage.url)
    story.detail(story.isOnTerminal ? aboutLink : howToGetOne)
    if (!story.isOnTerminal) story.line(`\n${linkCommand}\n`)
  }
  story.step(
    'Sign in',
    `e-mail ${owner.email}, password ${story.isOnTerminal ? owner.password : 'shown on a terminal alone'}`,
  )
  story.detail(`or as an agent: e-mail ${agent.email}, with the same password`)
  story.line('\n  Ctrl-C ends it.\n')
}

const aboutLink = 'signs you in as the owner; good once, for ten minutes'
const howToGetOne =
  'A link that signs you in is shown on a terminal alone; in this folder this makes one (without Bun: npx bun in place of bun):'

const curlLine = (url: string, key: string): string => {
  const event = {
    type: eventType,
    phone: '+12025550199',
    name: 'Ana',
    data: { orderId: 'TRY-1', total: 249, currency: 'USD' },
    idempotencyKey: 'order-TRY-1-created',
  }
  return `curl -s ${url}/v1/events -H 'X-API-Key: ${key}' -H 'Content-Type: application/json' -d '${JSON.stringify(event)}'`
}

const lineOf = ({ type, data, ms }: Receipt): string => {
  const what = typeof data.status === 'string' ? `${type} “${data.status}”` : type
  return `${new Date().toTimeString().slice(0, 8)}  ${what} arrived, its signature is good, ${ms} ms after createdAt`
}

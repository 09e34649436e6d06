/** `demo`: shows the main function with realistic data, from shop orders to signed webhooks. */
import type { Config } from '../../../config.ts'
import { embeddedPostgresIsInstalled } from '../../../platform/embedded-postgres/index.ts'
import { servedDashboard } from '../../dashboard.ts'
import { StartError } from '../../start-error.ts'
import { watchOutput } from '../client/output.ts'
import { bunCommand, clientCommand } from '../show-owner.ts'
import { createPrintSignal, waitForAbort } from '../signals.ts'
import { type Command, parseArguments } from '../usage.ts'
import { DemoError, isTimeout } from './api.ts'
import { type Environment, openEnvironment } from './environment.ts'
import { countParticipants, readOrders } from './orders.ts'
import { Output } from './output.ts'
import { eventType, type Workspace } from './owner.ts'
import { play } from './play.ts'
import type { Receipt } from './receiver.ts'
import { agent } from './second-act/customers.ts'

/** Exit status that shells use for a program ended by Ctrl-C. */
const interruptedStatus = 130

/**
 * Runs the demo on a file of orders and prints the results. Then keeps everything running until Ctrl-C, or ends with
 * `--exit`. Returns 0 if every count is as the file expects, and otherwise 1.
 */
export const demo: Command = args => {
  const { exit, file } = readArguments(args)
  return config => runDemo(config, exit, file)
}

const runDemo = async (config: Config, exit: boolean, file: string | null): Promise<number> => {
  if (!embeddedPostgresIsInstalled()) {
    throw new StartError(
      'The demo requires the embedded PostgreSQL, which this installation does not include. Run it from the source with "bun run demo".',
    )
  }
  const orders = await readOrders(file)
  const output = new Output(process.stdout)
  const interruption = createPrintSignal()
  const { customers, senders } = countParticipants(orders)
  output.title(
    `From shop order to signed webhook: ${orders.length} calls, ${customers} customers, ${senders} shop systems`,
  )

  interruption.addEventListener('abort', () => output.line('\n  Stopping.'), { once: true })
  let environment: Environment | null = null
  try {
    environment = await openEnvironment(config, output, !exit, interruption)
    const hasDashboard = !exit && (await loadDashboard(environment, output))
    const { isAsExpected, workspace } = await play(environment, orders, output, interruption)
    if (!exit) {
      printAccess(environment, workspace, output)
      await printSignIn(environment, hasDashboard, output)
      environment.receiver.onReceipt(receipt => output.line(`  ${formatReceipt(receipt)}`))
      await waitForAbort(interruption)
    }
    return isAsExpected ? 0 : 1
  } catch (error) {
    if (interruption.aborted) {
      output.line('\n  Interrupted.')
      return watchOutput().aborted ? 0 : interruptedStatus
    }
    if (error instanceof DemoError) output.problem(error.message)
    else if (isTimeout(error)) output.problem('The service did not answer in time.')
    else throw error
    return 1
  } finally {
    await environment?.close()
  }
}

export const demoUsage = 'demo [--exit] [--orders FILE]'

const readArguments = (args: string[]): { exit: boolean; file: string | null } => {
  const options = { exit: { type: 'boolean' }, orders: { type: 'string' } } as const
  const { values } = parseArguments({ args, options }, [demoUsage])
  return { exit: values.exit ?? false, file: values.orders ?? null }
}

/** Loads the dashboard. Returns false if the runtime has none. */
const loadDashboard = async ({ url }: Environment, output: Output): Promise<boolean> => {
  const isAvailable = await servedDashboard.load()
  if (isAvailable) output.step('Dashboard', `${url}; a sign-in link follows at the end`)
  return isAvailable
}

const printAccess = ({ url, data }: Environment, { key, token }: Workspace, output: Output): void => {
  output.title('Still running: try it')
  output.step('Interface', `${url}/docs, OpenAPI document ${url}/openapi.json`)
  output.step('Metrics', `${url}/metrics`)
  output.step('API key', key)
  output.step('Data', data)
  output.line()
  output.text('Post an order yourself. Its webhook is shown below. Posting it again is a replay:')
  output.line(`\n${curlCommand(url, key)}`)
  if (!output.isOnTerminal) return
  output.line()
  output.text('Receive every event on this machine, and cause one from another terminal:')
  for (const command of ['listen', 'trigger message.received']) output.line(`\n${clientCommand(command, url, token)}`)
}

/** Prints the sign-in information last, so that it stays visible. */
const printSignIn = async (environment: Environment, hasDashboard: boolean, output: Output): Promise<void> => {
  const { owner, makeLink, linkCommand } = environment
  output.title(hasDashboard ? 'Open the dashboard' : 'Sign in')
  if (hasDashboard) {
    output.step('Dashboard', output.isOnTerminal ? await makeLink() : environment.url)
    output.detail(output.isOnTerminal ? aboutLink : linkCommandHint)
    if (!output.isOnTerminal) output.line(`\n${linkCommand}\n`)
  }
  output.step(
    'Sign in',
    `e-mail ${owner.email}, password ${output.isOnTerminal ? owner.password : 'only shown on a terminal'}`,
  )
  output.detail(`or as an agent: e-mail ${agent.email}, with the same password`)
  output.line('\n  Press Ctrl-C to stop.\n')
}

const aboutLink = 'signs you in as the owner, once, within ten minutes'
const linkCommandHint = `The sign-in link is only shown on a terminal. This command creates one in this folder (without Bun, use ${bunCommand}):`

const curlCommand = (url: string, key: string): string => {
  const event = {
    type: eventType,
    phone: '+12025550199',
    name: 'Ana',
    data: { orderId: 'TRY-1', total: 249, currency: 'USD' },
    idempotencyKey: 'order-TRY-1-created',
  }
  return `curl -s ${url}/v1/events -H 'X-API-Key: ${key}' -H 'Content-Type: application/json' -d '${JSON.stringify(event)}'`
}

const formatReceipt = ({ type, data, ms }: Receipt): string => {
  const label = typeof data.status === 'string' ? `${type} “${data.status}”` : type
  return `${new Date().toTimeString().slice(0, 8)}  ${label} arrived with a valid signature, ${ms} ms after createdAt`
}

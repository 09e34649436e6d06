/**
 * First act: posts the orders of a file. Each order starts its workflow, and webhooks report the status of the
 * messages.
 */
import { type Api, DemoError, isTimeout } from './api.ts'
import { countAll, mismatchesIn, percentile, rowsOf } from './counts.ts'
import { expectedCounts, type Order, type Outcome, outcomes } from './orders.ts'
import type { Output } from './output.ts'
import { eventType, type Workspace } from './owner.ts'
import { findUnexpected, type PostResult, postOrders } from './posting.ts'
import type { WebhookReceiver } from './receiver.ts'

/** Milliseconds for reading the counts, which also happens after the deadline. */
const countingMs = 10_000
const maxUnexpected = 10

export interface FirstAct {
  orders: Order[]
  workspace: Workspace
  receiver: WebhookReceiver
  output: Output
  /** Aborts at the deadline or on interruption. */
  signal: AbortSignal
  interrupted: AbortSignal
}

/**
 * Posts the orders, waits for the webhooks and prints the results. Returns a description of each difference from the
 * expected results.
 */
export const playFirstAct = async (act: FirstAct): Promise<string[]> => {
  const { orders, workspace, receiver, output, signal, interrupted } = act
  const results = await post(workspace.shop, orders, output)
  const missing = await awaitWebhooks(receiver, results, signal, output)
  interrupted.throwIfAborted()

  const actual = await countAll(workspace, results, receiver, AbortSignal.timeout(countingMs))
  const rows = rowsOf(actual, expectedCounts(orders, eventType))
  output.title('Results of the orders')
  output.table(rows)
  output.line()
  showDelay(receiver, output)
  const problems = [...missing, ...mismatchesIn(rows, 'the file'), ...limitProblems(findUnexpected(results))]
  for (const problem of problems) output.problem(problem)
  return problems
}

const post = async (api: Api, orders: Order[], output: Output): Promise<PostResult[]> => {
  const progress = output.progress('Orders', orders.length)
  const counts: Record<Outcome | 'other', number> = { recorded: 0, replayed: 0, refused: 0, other: 0 }
  let done = 0
  const summary = () => outcomes.map(outcome => `${counts[outcome]} ${outcome}`).join(' · ')
  try {
    return await postOrders(api, orders, ({ outcome }) => {
      counts[outcome]++
      progress.update(++done, summary())
    })
  } catch (error) {
    if (!isTimeout(error)) throw error
    throw new DemoError(`Timed out: ${orders.length - done} of ${orders.length} orders had no response.`)
  } finally {
    progress.end(done, summary())
  }
}

/**
 * Waits for as many webhooks as the service announced with the matched workflows of each event. Whether the file
 * expects the same number is checked later. Returns a description of what is missing at the deadline.
 */
const awaitWebhooks = async (
  receiver: WebhookReceiver,
  results: PostResult[],
  signal: AbortSignal,
  output: Output,
): Promise<string[]> => {
  const runs = results.reduce((sum, result) => sum + (result.outcome === 'recorded' ? result.matchedWorkflows : 0), 0)
  const progress = output.progress('Webhooks', runs)
  const countWebhooks = (status: string) => receiver.receipts.filter(({ data }) => data.status === status).length
  const summary = () =>
    `${countWebhooks('delivered')} for delivered messages · ${countWebhooks('failed')} for failed messages`
  const showProgress = () => progress.update(receiver.receipts.length, summary())
  showProgress()
  const unsubscribe = receiver.onReceipt(showProgress)
  const hasArrived = await receiver.waitFor(runs, signal)
  unsubscribe()
  progress.end(receiver.receipts.length, summary())
  return hasArrived
    ? []
    : [`Timed out: ${runs - receiver.receipts.length} of ${runs} webhooks did not arrive or were not verified.`]
}

const showDelay = (receiver: WebhookReceiver, output: Output): void => {
  const delays = receiver.receipts.map(({ ms }) => ms)
  const [p50, p99] = [percentile(delays, 0.5), percentile(delays, 0.99)]
  if (p50 === null || p99 === null) return
  output.text(
    `From commit to receipt: p50 ${p50} ms, p99 ${p99} ms, over ${delays.length} webhooks. Measured from createdAt, which the database sets just before the commit, until the receiver has read the request.`,
  )
  output.line()
}

const limitProblems = (unexpected: string[]): string[] =>
  unexpected.length > maxUnexpected
    ? [...unexpected.slice(0, maxUnexpected), `And ${unexpected.length - maxUnexpected} more lines.`]
    : unexpected

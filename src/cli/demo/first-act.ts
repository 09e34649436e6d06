/**
 * First act: posts the orders of a file. Each order starts its workflow, and webhooks report the status of the
 * messages.
 */
import { type Api, DemoError, isTimeout } from './api.ts'
import { countAll, mismatchesIn, percentile, rowsOf } from './counts.ts'
import { expectedCounts, type Fate, fates, type Order } from './orders.ts'
import { eventType, type Workspace } from './owner.ts'
import { type Answered, postOrders, surprisesIn } from './posting.ts'
import type { WebhookReceiver } from './receiver.ts'
import type { Story } from './story.ts'

/** Milliseconds for reading the counts, which also happens after the deadline. */
const countingMs = 10_000
const maxSurprises = 10

export interface FirstAct {
  orders: Order[]
  workspace: Workspace
  receiver: WebhookReceiver
  story: Story
  /** Aborts at the deadline or on interruption. */
  signal: AbortSignal
  interrupted: AbortSignal
}

/**
 * Posts the orders, waits for the webhooks and prints the results. Returns a description of each difference from the
 * expected results.
 */
export const playFirstAct = async (act: FirstAct): Promise<string[]> => {
  const { orders, workspace, receiver, story, signal, interrupted } = act
  const answers = await post(workspace.shop, orders, story)
  const late = await awaitWebhooks(receiver, answers, signal, story)
  interrupted.throwIfAborted()

  const found = await countAll(workspace, answers, receiver, AbortSignal.timeout(countingMs))
  const rows = rowsOf(found, expectedCounts(orders, eventType))
  story.title('What came of the orders')
  story.table(rows)
  story.line()
  showDelay(receiver, story)
  const problems = [...late, ...mismatchesIn(rows, 'the file'), ...fewOf(surprisesIn(answers))]
  for (const problem of problems) story.problem(problem)
  return problems
}

const post = async (api: Api, orders: Order[], story: Story): Promise<Answered[]> => {
  const progress = story.progress('Orders', orders.length)
  const counts: Record<Fate | 'other', number> = { recorded: 0, replayed: 0, refused: 0, other: 0 }
  let done = 0
  const note = () => fates.map(fate => `${counts[fate]} ${fate}`).join(' · ')
  try {
    return await postOrders(api, orders, ({ fate }) => {
      counts[fate]++
      progress.update(++done, note())
    })
  } catch (error) {
    if (!isTimeout(error)) throw error
    throw new DemoError(`When the time was up, ${orders.length - done} of ${orders.length} orders had no answer.`)
  } finally {
    progress.end(done, note())
  }
}

/**
 * Waits for as many webhooks as the service announced with the matched workflows of each event. Whether the file
 * expects the same number is checked later. Returns a description of what is missing at the deadline.
 */
const awaitWebhooks = async (
  receiver: WebhookReceiver,
  answers: Answered[],
  signal: AbortSignal,
  story: Story,
): Promise<string[]> => {
  const runs = answers.reduce((sum, answer) => sum + (answer.fate === 'recorded' ? answer.matchedWorkflows : 0), 0)
  const progress = story.progress('Webhooks', runs)
  const telling = (status: string) => receiver.receipts.filter(({ data }) => data.status === status).length
  const note = () => `${telling('delivered')} tell of a message delivered · ${telling('failed')} of one failed`
  const show = () => progress.update(receiver.receipts.length, note())
  show()
  const forget = receiver.onReceipt(show)
  const arrived = await receiver.waitFor(runs, signal)
  forget()
  progress.end(receiver.receipts.length, note())
  return arrived
    ? []
    : [
        `When the time was up, ${runs - receiver.receipts.length} of ${runs} webhooks had not arrived and been verified.`,
      ]
}

const showDelay = (receiver: WebhookReceiver, story: Story): void => {
  const delays = receiver.receipts.map(({ ms }) => ms)
  const [p50, p99] = [percentile(delays, 0.5), percentile(delays, 0.99)]
  if (p50 === null || p99 === null) return
  story.text(
    `From commit to receipt: p50 ${p50} ms, p99 ${p99} ms, over ${delays.length} webhooks. Measured from createdAt, which the database sets as it writes the event just before the commit, until the receiver has read the whole request.`,
  )
  story.line()
}

const fewOf = (surprises: string[]): string[] =>
  surprises.length > maxSurprises
    ? [...surprises.slice(0, maxSurprises), `And ${surprises.length - maxSurprises} more lines.`]
    : surprises

/** Counts the results of the orders through the API, and at the receiver where the API has no count. */
import type { Counts } from './orders.ts'
import type { Note, Row } from './output.ts'
import type { Workspace } from './owner.ts'
import { countOf, countRejections, type PostResult } from './posting.ts'
import type { WebhookReceiver } from './receiver.ts'

export interface Results {
  counts: Counts
  /** Explanations of rows in the summary. */
  notes: Partial<Record<keyof Counts, Note[]>>
}

interface Message {
  channelId: string
  status: string
  text: string | null
  detail: string | null
}

/** Reads runs and messages as the owner and counts the results. */
export const countAll = async (
  { owner, workflowId, channelId }: Workspace,
  results: PostResult[],
  receiver: WebhookReceiver,
  signal: AbortSignal,
): Promise<Results> => {
  const runs = await owner.list<{ status: string }>(`/v1/workflows/${workflowId}/runs`, signal)
  // The history has its own channels.
  const messages = (await owner.list<Message>('/v1/messages', signal)).filter(one => one.channelId === channelId)
  const withStatus = (status: string) => messages.filter(message => message.status === status)
  const countWebhooks = (status: string) => receiver.receipts.filter(({ data }) => data.status === status).length
  const delivered = withStatus('delivered')
  const failed = withStatus('failed')
  return {
    counts: {
      recorded: countOf(results, 'recorded'),
      replayed: countOf(results, 'replayed'),
      refused: countOf(results, 'refused'),
      runs: runs.filter(({ status }) => status === 'done').length,
      delivered: delivered.length,
      failed: failed.length,
      unsettled: messages.length - delivered.length - failed.length,
      webhooksDelivered: countWebhooks('delivered'),
      webhooksFailed: countWebhooks('failed'),
      rejected: sum(receiver.rejected.values()),
    },
    notes: {
      replayed: [{ text: 'repeated idempotency key: nothing was recorded again, and the first event was returned' }],
      refused: countRejections(results).map(({ field, reason, count }) => ({ count, text: `${field}: ${reason}` })),
      delivered: delivered.slice(0, 1).map(({ text }) => ({ text: `for example “${text}”` })),
      failed: groupReasons(failed.map(({ detail }) => detail ?? 'No reason was given.')),
      rejected: [...receiver.rejected].map(([reason, count]) => ({ count, text: reason })),
    },
  }
}

const sum = (numbers: Iterable<number>): number => [...numbers].reduce((total, number) => total + number, 0)

const groupReasons = (reasons: string[]): Note[] =>
  [...new Set(reasons)].map(text => ({ text, count: reasons.filter(reason => reason === text).length }))

const labels: Record<keyof Counts, [group: string, name: string]> = {
  recorded: ['Orders', 'recorded'],
  replayed: ['Orders', 'replayed'],
  refused: ['Orders', 'refused'],
  runs: ['Runs', 'done'],
  delivered: ['Messages', 'delivered'],
  failed: ['Messages', 'failed'],
  unsettled: ['Messages', 'otherwise'],
  webhooksDelivered: ['Webhooks', 'verified, delivered'],
  webhooksFailed: ['Webhooks', 'verified, failed'],
  rejected: ['Webhooks', 'rejected'],
}

/** Returns the rows of the summary. */
export const rowsOf = ({ counts, notes }: Results, expected: Counts): Row[] =>
  names.map(name => {
    const [group, label] = labels[name]
    return { group, label, actual: counts[name], expected: expected[name], notes: notes[name] ?? [] }
  })

/** Describes each count that differs from the expected one. `source` names the source of the expected count. */
export const mismatchesIn = (rows: Row[], source: string): string[] =>
  rows
    .filter(({ actual, expected }) => actual !== expected)
    .map(({ group, label, actual, expected }) => `${group} ${label}: ${actual}, but ${source} says ${expected}.`)

const names = Object.keys(labels) as (keyof Counts)[]

/** Returns the percentile by nearest rank. Null without values. */
export const percentile = (values: number[], share: number): number | null => {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? null
}

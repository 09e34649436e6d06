/** Counts the results of the orders through the API, and at the receiver where the API has no count. */
import type { Counts } from './orders.ts'
import type { Workspace } from './owner.ts'
import { type Answered, countOf, refusalsIn } from './posting.ts'
import type { WebhookReceiver } from './receiver.ts'
import type { Note, Row } from './story.ts'

export interface Found {
  counts: Counts
  /** Explanations of rows in the summary. */
  notes: Partial<Record<keyof Counts, Note[]>>
}

interface Message {
  status: string
  text: string | null
  detail: string | null
}

/** Reads runs and messages as the owner and counts the results. */
export const countAll = async (
  { owner, workflowId }: Workspace,
  answers: Answered[],
  receiver: WebhookReceiver,
  signal: AbortSignal,
): Promise<Found> => {
  const runs = await owner.list<{ status: string }>(`/v1/workflows/${workflowId}/runs`, signal)
  const messages = await owner.list<Message>('/v1/messages', signal)
  const having = (status: string) => messages.filter(message => message.status === status)
  const telling = (status: string) => receiver.receipts.filter(({ data }) => data.status === status).length
  const delivered = having('delivered')
  const failed = having('failed')
  return {
    counts: {
      recorded: countOf(answers, 'recorded'),
      replayed: countOf(answers, 'replayed'),
      refused: countOf(answers, 'refused'),
      runs: runs.filter(({ status }) => status === 'done').length,
      delivered: delivered.length,
      failed: failed.length,
      unsettled: messages.length - delivered.length - failed.length,
      toldDelivered: telling('delivered'),
      toldFailed: telling('failed'),
      rejected: sum(receiver.rejected.values()),
    },
    notes: {
      replayed: [
        { text: 'their idempotency key had been seen: nothing is recorded twice, and the first event is answered' },
      ],
      refused: refusalsIn(answers).map(({ field, sentence, count }) => ({ count, text: `${field}: ${sentence}` })),
      delivered: delivered.slice(0, 1).map(({ text }) => ({ text: `for example “${text}”` })),
      failed: grouped(failed.map(({ detail }) => detail ?? 'No reason was given.')),
      rejected: [...receiver.rejected].map(([reason, count]) => ({ count, text: reason })),
    },
  }
}

const sum = (numbers: Iterable<number>): number => [...numbers].reduce((total, number) => total + number, 0)

const grouped = (reasons: string[]): Note[] =>
  [...new Set(reasons)].map(text => ({ text, count: reasons.filter(reason => reason === text).length }))

const labels: Record<keyof Counts, [group: string, name: string]> = {
  recorded: ['Orders', 'recorded'],
  replayed: ['Orders', 'replayed'],
  refused: ['Orders', 'refused'],
  runs: ['Runs', 'done'],
  delivered: ['Messages', 'delivered'],
  failed: ['Messages', 'failed'],
  unsettled: ['Messages', 'otherwise'],
  toldDelivered: ['Webhooks', 'verified, delivered'],
  toldFailed: ['Webhooks', 'verified, failed'],
  rejected: ['Webhooks', 'turned away'],
}

/** Returns the rows of the summary. */
export const rowsOf = ({ counts, notes }: Found, expected: Counts): Row[] =>
  names.map(name => {
    const [group, label] = labels[name]
    return { group, label, found: counts[name], expected: expected[name], notes: notes[name] ?? [] }
  })

/** Describes each count that differs from the expected one. `whoWants` names the source of the expected count. */
export const mismatchesIn = (rows: Row[], whoWants: string): string[] =>
  rows
    .filter(({ found, expected }) => found !== expected)
    .map(({ group, label, found, expected }) => `${group} ${label}: ${found}, but ${whoWants} says ${expected}.`)

const names = Object.keys(labels) as (keyof Counts)[]

/** Returns the percentile by nearest rank. Null without values. */
export const percentile = (values: number[], share: number): number | null => {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? null
}

/** Counts the results of the second act through the API and at the receiver, next to the expected counts. */
import type { Note, Row } from '../output.ts'
import type { Campaign } from './campaign.ts'
import { agreedSale, customers } from './customers.ts'
import * as expected from './expected.ts'
import type { Message, Run, Scenario } from './scenario.ts'

const row = (group: string, label: string, actual: number, expected: number, notes: Note[] = []): Row => ({
  group,
  label,
  actual,
  expected,
  notes,
})

/** Counts the runs of “Win back a cart”. Each of the five has a different end reason. */
export const rowsOfRuns = async ({ owner }: Scenario, workflowId: string): Promise<Row[]> => {
  const runs = await owner.list<Run>(`/v1/workflows/${workflowId}/runs`)
  const runRow = (label: string, reason: string, detail?: string) =>
    row('Runs', label, runs.filter(run => run.endReason === reason && run.endDetail === detail).length, 1)
  return [
    runRow('completed', 'completed'),
    runRow('paid', 'exit_condition', 'paid'),
    runRow('opted out', 'opted_out'),
    runRow('for a person', 'exited', 'For a person'),
    runRow('no answer', 'exited', 'No answer'),
    row('Runs', 'total', runs.length, 5),
  ]
}

export const rowsOfMessages = async ({ owner, customerIds }: Scenario): Promise<Row[]> => {
  const messages = (await owner.list<Message>('/v1/messages')).filter(({ customerId }) => customerIds.has(customerId))
  // Messages that a campaign skipped are counted with the campaign.
  const counted = messages.filter(({ status, sentBy }) => status !== 'skipped' || sentBy?.type !== 'campaign')
  return Object.entries(expected.messages).map(([status, conversationRow]) => {
    const actual = counted.filter(message => message.status === status)
    const notes = status === 'skipped' ? actual.map(({ detail }) => ({ text: detail ?? 'No reason was given.' })) : []
    return row('Messages', status, actual.length, conversationRow, notes)
  })
}

export const rowsOfSales = async ({ owner, customerIds }: Scenario): Promise<Row[]> => {
  const all = await owner.list<{ customerId: string; amount: number; currency: string }>('/v1/sales')
  const sales = all.filter(({ customerId }) => customerIds.has(customerId))
  const saleRow = (label: string, wanted: { amount: number; currency: string }) => {
    const actual = sales.filter(({ amount, currency }) => amount === wanted.amount && currency === wanted.currency)
    return row('Sales', `${label}, ${wanted.amount} ${wanted.currency}`, actual.length, 1)
  }
  const { total, currency } = customers.ana.cart
  return [
    saleRow('by the workflow', { amount: total, currency }),
    saleRow('manually', agreedSale),
    row('Sales', 'total', sales.length, 2),
  ]
}

export const rowsOfCustomers = async ({ owner, customerIds }: Scenario): Promise<Row[]> => {
  const customers = await owner.list<{ id: string; optedOutAt: string | null }>('/v1/customers')
  const optedOut = customers.filter(({ id, optedOutAt }) => customerIds.has(id) && optedOutAt !== null)
  return [row('Customers', 'opted out', optedOut.length, expected.optedOut)]
}

interface Conversation {
  customerId: string
  status: string
  assigneeId: string | null
  waitingSince: string | null
  looksLikeOptOut: boolean
}

export const rowsOfConversations = async ({ owner, customerIds }: Scenario, agentId: string): Promise<Row[]> => {
  const all = await owner.list<Conversation>('/v1/conversations')
  const own = all.filter(({ customerId }) => customerIds.has(customerId))
  const conversationRow = (label: string, expected: number, isCounted: (conversation: Conversation) => boolean) =>
    row('Conversations', label, own.filter(isCounted).length, expected)
  return [
    conversationRow('waiting', 2, ({ status, waitingSince }) => status === 'open' && waitingSince !== null),
    conversationRow('like an opt-out', 1, ({ looksLikeOptOut }) => looksLikeOptOut),
    conversationRow('assigned', 1, ({ assigneeId }) => assigneeId === agentId),
    conversationRow('closed', 2, ({ status }) => status === 'closed'),
  ]
}

export const rowsOfCampaign = ({ progress }: Campaign): Row[] => {
  const reasons = Object.entries(progress.skippedBy).map(([text, conversationRow]) => ({
    text,
    count: conversationRow,
  }))
  return (['audience', 'sent', 'skipped', 'unknown'] as const).map(label =>
    row('Campaign', label, progress[label], expected.campaign[label], label === 'skipped' ? reasons : []),
  )
}

interface ActivityEvent {
  id: string
  reason: string | null
  explanation: string | null
}

export const rowsOfEvents = async ({ owner, eventIds }: Scenario): Promise<Row[]> => {
  const events = (await owner.list<ActivityEvent>('/v1/activity/events')).filter(({ id }) => eventIds.has(id))
  const eventRow = (label: string, expectedReason: string | null, expected: number) => {
    const actual = events.filter(({ reason }) => reason === expectedReason)
    const notes = actual.flatMap(({ explanation }) =>
      expectedReason === null || !explanation ? [] : [{ text: explanation }],
    )
    return row('Events', label, actual.length, expected, notes)
  }
  return [
    eventRow('started a run', null, 6),
    eventRow('nothing listens', 'no_listener', 2),
    eventRow('switched off', 'switched_off', 1),
    eventRow('never published', 'never_published', 1),
    eventRow('not run for customer', 'not_run_for_customer', 2),
  ]
}

export const rowsOfWebhooks = (scenario: Scenario): Row[] => [
  ...Object.entries(expected.webhooks).map(([type, conversationRow]) =>
    row('Webhooks', type, scenario.webhooks(type).length, conversationRow),
  ),
  row('Webhooks', 'rejected', scenario.receiver.rejected.size, 0),
]

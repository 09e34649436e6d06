/** Counts the results of the second act through the API and at the receiver, next to the expected counts. */
import type { Note, Row } from '../story.ts'
import type { Campaign } from './campaign.ts'
import { agreed, cast } from './cast.ts'
import * as expected from './expected.ts'
import type { Message, Run, Scene } from './scene.ts'

const row = (group: string, label: string, found: number, expected: number, notes: Note[] = []): Row => ({
  group,
  label,
  found,
  expected,
  notes,
})

/** Counts the runs of “Win back a cart”. Each of the five has a different end reason. */
export const rowsOfRuns = async ({ owner }: Scene, workflowId: string): Promise<Row[]> => {
  const runs = await owner.list<Run>(`/v1/workflows/${workflowId}/runs`)
  const ended = (label: string, reason: string, detail?: string) =>
    row('Runs', label, runs.filter(run => run.endReason === reason && run.endDetail === detail).length, 1)
  return [
    ended('to the end', 'completed'),
    ended('paid', 'exit_condition', 'paid'),
    ended('opted out', 'opted_out'),
    ended('for a person', 'exited', 'for_a_person'),
    ended('no answer', 'exited', 'no_answer'),
    row('Runs', 'in all', runs.length, 5),
  ]
}

export const rowsOfMessages = async ({ owner, customerIds }: Scene): Promise<Row[]> => {
  const messages = (await owner.list<Message>('/v1/messages')).filter(({ customerId }) => customerIds.has(customerId))
  // Messages that a campaign skipped are counted with the campaign.
  const those = messages.filter(({ status, sentBy }) => status !== 'skipped' || sentBy?.type !== 'campaign')
  return Object.entries(expected.messages).map(([status, count]) => {
    const found = those.filter(message => message.status === status)
    const notes = status === 'skipped' ? found.map(({ detail }) => ({ text: detail ?? 'No reason was given.' })) : []
    return row('Messages', status, found.length, count, notes)
  })
}

export const rowsOfSales = async ({ owner }: Scene): Promise<Row[]> => {
  const sales = await owner.list<{ amount: number; currency: string }>('/v1/sales')
  const of = (label: string, wanted: { amount: number; currency: string }) => {
    const found = sales.filter(({ amount, currency }) => amount === wanted.amount && currency === wanted.currency)
    return row('Sales', `${label}, ${wanted.amount} ${wanted.currency}`, found.length, 1)
  }
  const { total, currency } = cast.ana.cart
  return [
    of('by the workflow', { amount: total, currency }),
    of('by hand', agreed),
    row('Sales', 'in all', sales.length, 2),
  ]
}

export const rowsOfCustomers = async ({ owner, customerIds }: Scene): Promise<Row[]> => {
  const customers = await owner.list<{ id: string; optedOutAt: string | null }>('/v1/customers')
  const out = customers.filter(({ id, optedOutAt }) => customerIds.has(id) && optedOutAt !== null)
  return [row('Customers', 'opted out', out.length, expected.optedOut)]
}

interface Conversation {
  customerId: string
  status: string
  assigneeId: string | null
  waitingSince: string | null
  looksLikeOptOut: boolean
}

export const rowsOfConversations = async ({ owner, customerIds }: Scene, agentId: string): Promise<Row[]> => {
  const all = await owner.list<Conversation>('/v1/conversations')
  const ours = all.filter(({ customerId }) => customerIds.has(customerId))
  const count = (label: string, expected: number, is: (conversation: Conversation) => boolean) =>
    row('Conversations', label, ours.filter(is).length, expected)
  return [
    count('waiting', 2, ({ status, waitingSince }) => status === 'open' && waitingSince !== null),
    count('like an opt-out', 1, ({ looksLikeOptOut }) => looksLikeOptOut),
    count('assigned', 1, ({ assigneeId }) => assigneeId === agentId),
    count('closed', 2, ({ status }) => status === 'closed'),
  ]
}

export const rowsOfCampaign = ({ progress }: Campaign): Row[] => {
  const reasons = Object.entries(progress.skippedBy).map(([text, count]) => ({ text, count }))
  return (['audience', 'sent', 'skipped', 'unknown'] as const).map(label =>
    row('Campaign', label, progress[label], expected.campaign[label], label === 'skipped' ? reasons : []),
  )
}

interface ActivityEvent {
  id: string
  reason: string | null
  explanation: string | null
}

export const rowsOfEvents = async ({ owner, eventIds }: Scene): Promise<Row[]> => {
  const events = (await owner.list<ActivityEvent>('/v1/activity/events')).filter(({ id }) => eventIds.has(id))
  const because = (label: string, why: string | null, expected: number) => {
    const found = events.filter(({ reason }) => reason === why)
    const notes = found.flatMap(({ explanation }) => (why === null || !explanation ? [] : [{ text: explanation }]))
    return row('Events', label, found.length, expected, notes)
  }
  return [
    because('start something', null, 6),
    because('nothing listens', 'no_listener', 2),
    because('switched off', 'switched_off', 1),
    because('never published', 'never_published', 1),
    because('not run for them', 'not_run_for_customer', 2),
  ]
}

export const rowsOfWebhooks = (scene: Scene): Row[] => [
  ...Object.entries(expected.told).map(([type, count]) => row('Webhooks', type, scene.told(type).length, count)),
  row('Webhooks', 'turned away', scene.receiver.rejected.size, 0),
]

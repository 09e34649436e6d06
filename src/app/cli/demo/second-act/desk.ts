/** An agent handles the conversation that the workflow handed over, and marks a sale manually. */

import type { Carts } from './carts.ts'
import { agent, agreedSale, customers, greta, hugo } from './customers.ts'
import type { Drafts } from './drafts.ts'
import type { Message, Scenario } from './scenario.ts'

/** Returns the user id of the agent. */
export const playDesk = async (
  scenario: Scenario,
  { templates }: Drafts,
  { ana, david, emma }: Carts,
): Promise<string> => {
  const { output } = scenario
  const { noor, id } = await joinTeam(scenario)
  output.step('Noor', 'joins the team as an agent with an invitation link')

  const conversation = `/v1/conversations/${emma.conversationId}`
  await noor.call('PATCH', conversation, { body: { assigneeId: id } })
  await noor.call('POST', `${conversation}/read`)
  const text = `Hi Emma, yes! In blue it is ${agreedSale.amount} EUR. Shall I send it?`
  const reply = await noor.call<Message>('POST', `${conversation}/messages`, { body: { text } })
  await waitForStatus(scenario, reply, 'delivered')
  const read = { messageId: reply.id, status: 'read' }
  await scenario.owner.call('POST', `/v1/channels/${scenario.workspace.channelId}/sandbox/statuses`, { body: read })
  await waitForStatus(scenario, reply, 'read')
  output.detail(`takes Emma’s conversation and answers “${text}”; Emma has read it`)

  await scenario.sendMessage(customers.emma, 'Lovely, please do.')
  await noor.call('POST', `${conversation}/messages`, {
    body: { templateId: templates.thanks, variables: { name: customers.emma.name, item: agreedSale.item } },
  })
  const { amount, currency } = agreedSale
  await noor.call('POST', `${conversation}/sale`, { body: { amount, currency, note: agreedSale.item } })
  output.detail(`“Lovely, please do.”: Noor thanks her and marks a sale of ${amount} ${currency} manually`)

  for (const { conversationId } of [ana, david])
    await noor.call('PATCH', `/v1/conversations/${conversationId}`, { body: { status: 'closed' } })
  output.detail('and closes the conversations with Ana and David')

  await scenario.sendMessage(greta, 'Hello! Are you open on Saturday?')
  const complaint = await scenario.sendMessage(hugo, 'please stop texting me')
  output.step('Greta, Hugo', 'write first, and wait for an answer')
  output.detail(`“${complaint.text}” looks like an opt-out, but only the word alone is one`)
  return id
}

const joinTeam = async ({ owner, workspace: { password } }: Scenario) => {
  const { invitation } = await owner.call<{ invitation: { token: string } }>('POST', '/v1/members', {
    body: { ...agent, role: 'agent' },
  })
  const { token, user } = await owner.call<{ token: string; user: { id: string } }>(
    'POST',
    '/v1/auth/accept-invitation',
    { body: { token: invitation.token, password } },
  )
  return { noor: owner.withHeaders({ Authorization: `Bearer ${token}` }), id: user.id }
}

const waitForStatus = ({ owner }: Scenario, { id }: Message, expected: string): Promise<Message> =>
  owner.pollUntil(`/v1/messages/${id}`, `the message is ${expected}`, ({ status }: Message) => status === expected)

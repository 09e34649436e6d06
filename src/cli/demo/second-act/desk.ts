/** An agent handles the conversation that the workflow handed over, and marks a sale manually. */

import type { Carts } from './carts.ts'
import { agent, agreed, cast, greta, hugo } from './cast.ts'
import type { Drafts } from './drafts.ts'
import type { Message, Scene } from './scene.ts'

/** Returns the user id of the agent. */
export const playDesk = async (scene: Scene, { templates }: Drafts, { ana, david, emma }: Carts): Promise<string> => {
  const { story } = scene
  const { noor, id } = await join(scene)
  story.step('Noor', 'joins the team as an agent, by the link of an invitation')

  const conversation = `/v1/conversations/${emma.conversationId}`
  await noor.call('PATCH', conversation, { body: { assigneeId: id } })
  await noor.call('POST', `${conversation}/read`)
  const text = `Hello Emma, it is: in blue it comes to ${agreed.amount} EUR. Shall I send it?`
  const answer = await noor.call<Message>('POST', `${conversation}/messages`, { body: { text } })
  await becomes(scene, answer, 'delivered')
  const read = { messageId: answer.id, status: 'read' }
  await scene.owner.call('POST', `/v1/channels/${scene.workspace.channelId}/sandbox/statuses`, { body: read })
  await becomes(scene, answer, 'read')
  story.detail(`takes Emma’s conversation and answers “${text}”; Emma has read it`)

  await scene.write(cast.emma, 'Lovely, please do.')
  await noor.call('POST', `${conversation}/messages`, {
    body: { templateId: templates.thanks, variables: { name: cast.emma.name, item: agreed.item } },
  })
  const { amount, currency } = agreed
  await noor.call('POST', `${conversation}/sale`, { body: { amount, currency, note: agreed.item } })
  story.detail(`“Lovely, please do.”: Noor thanks her and marks a sale of ${amount} ${currency} by hand`)

  for (const { conversationId } of [ana, david])
    await noor.call('PATCH', `/v1/conversations/${conversationId}`, { body: { status: 'closed' } })
  story.detail('and closes the conversations with Ana and David')

  await scene.write(greta, 'Hello! Are you open on Saturday?')
  const annoyed = await scene.write(hugo, 'please stop texting me')
  story.step('Greta, Hugo', 'write by themselves, and wait for a person')
  story.detail(`“${annoyed.text}” is marked as looking like an opt-out: only the word alone is one`)
  return id
}

const join = async ({ owner, workspace: { password } }: Scene) => {
  const { invitation } = await owner.call<{ invitation: { token: string } }>('POST', '/v1/members', {
    body: { ...agent, role: 'agent' },
  })
  const { token, user } = await owner.call<{ token: string; user: { id: string } }>(
    'POST',
    '/v1/auth/accept-invitation',
    { body: { token: invitation.token, password } },
  )
  return { noor: owner.as({ Authorization: `Bearer ${token}` }), id: user.id }
}

const becomes = ({ owner }: Scene, { id }: Message, wanted: string): Promise<Message> =>
  owner.until(`/v1/messages/${id}`, `the message is ${wanted}`, ({ status }: Message) => status === wanted)

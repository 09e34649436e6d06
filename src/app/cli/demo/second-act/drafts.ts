/** Templates and workflows that the owner creates for the second act. */
import type { Output } from '../output.ts'
import { createWorkflow, enable, publish, type Workflow, type Workspace } from '../owner.ts'
import { giftFrom, minTotal, timeout, wait, winBackDefinition } from './win-back.ts'

export interface Drafts {
  templates: Record<keyof typeof templates, string>
  winBack: Workflow
}

const name = { name: 'name', sample: 'Ana Moreno' }
const item = { name: 'item', sample: 'Floor lamp, brass' }
const total = { name: 'total', sample: '129.95 EUR' }
const city = { name: 'city', sample: 'Lisbon' }

const templates = {
  reminder: {
    name: 'Cart reminder',
    category: 'utility',
    body: 'Hi {{name}}, your cart is waiting: {{item}}, {{total}}. Shall we send it? Just answer yes.',
    variables: [name, item, total],
  },
  gift: {
    name: 'Cart reminder with a gift',
    category: 'utility',
    body: 'Dear {{name}}, {{item}} is still in your cart, {{total}} in total. Reply YES and we’ll add a gift.',
    variables: [name, item, total],
  },
  thanks: {
    name: 'Order confirmed',
    category: 'utility',
    body: 'Thank you, {{name}}! On its way to you: {{item}}.',
    variables: [name, item],
  },
  offer: {
    name: 'Lamps for regulars',
    category: 'marketing',
    body: 'Hi {{name}}, until Sunday all lamps are 20% off for our regulars in {{city}}. Reply STOP to opt out.',
    variables: [name, city],
  },
}

/**
 * Creates the templates and three workflows. One workflow is published and enabled; one is only published, and one is
 * only enabled.
 */
export const createDrafts = async ({ owner, channelId }: Workspace, output: Output): Promise<Drafts> => {
  const ids = {} as Drafts['templates']
  for (const [key, body] of Object.entries(templates)) {
    const { id } = await owner.call<{ id: string }>('POST', '/v1/templates', { body })
    ids[key as keyof typeof templates] = id
  }
  output.step(
    'Templates',
    Object.values(templates)
      .map(({ name }) => `“${name}”`)
      .join(', '),
  )

  const winBack = await createWorkflow(owner, 'Win back a cart', winBackDefinition(ids, channelId))
  await publish(owner, winBack)
  await enable(owner, winBack)
  output.step('Workflow', `“${winBack.name}” published and switched on, for carts from ${minTotal} EUR`)
  output.detail(
    `on cart.abandoned: wait ${wait}; write, from ${giftFrom} EUR with a gift; wait for an answer, at most ${timeout}. A yes marks a sale, other words go to a person. A payment or an opt-out ends the run immediately`,
  )
  const review = await createWorkflow(
    owner,
    'Ask for a review',
    oneStepWorkflow('order.delivered', 'How do you like it?'),
  )
  await publish(owner, review)
  const birthday = await createWorkflow(owner, 'Birthday', oneStepWorkflow('customer.birthday', 'Happy birthday!'))
  await enable(owner, birthday)
  output.detail(`also “${review.name}”, which is disabled, and “${birthday.name}”, which was never published`)
  return { templates: ids, winBack }
}

const oneStepWorkflow = (eventType: string, text: string) => ({
  trigger: { eventType },
  start: 'write',
  steps: { write: { type: 'send_message', text, next: null } },
})

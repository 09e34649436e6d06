/** Workflow of the second act: it reminds customers of an abandoned cart and waits for their reaction. */

export const minTotal = 20
export const giftFrom = 200
export const wait = '300ms'
/**
 * Timeout of the answer. It leaves enough time for the customers who answer, and keeps the demo short for the one who
 * does not.
 */
export const timeout = '4s'

/** Returns the workflow definition with these templates on the channel. */
export const winBackDefinition = (templateIds: Record<'reminder' | 'gift' | 'thanks', string>, channelId: string) => {
  const cartVariables = { name: '{{customer.name|there}}', item: '{{data.items.0.name}}' }
  const withTotal = { ...cartVariables, total: '{{data.total}} {{data.currency}}' }
  const send = (template: keyof typeof templateIds, variables: object, next: string) => ({
    type: 'send_template',
    channelId,
    templateId: templateIds[template],
    variables,
    next,
  })
  return {
    trigger: { eventType: 'cart.abandoned', where: { path: 'data.total', op: 'gte', value: minTotal } },
    entry: { reentry: 'not_while_active', key: 'data.cartId' },
    exitOn: [
      { event: 'order.paid', match: { 'data.cartId': 'trigger.data.cartId' }, reason: 'paid' },
      { optOut: true },
    ],
    start: 'wait',
    steps: {
      wait: { type: 'delay', for: wait, next: 'is_it_large?' },
      'is_it_large?': {
        type: 'condition',
        if: { path: 'data.total', op: 'gte', value: giftFrom },
        then: 'gift',
        else: 'reminder',
      },
      gift: send('gift', withTotal, 'answer'),
      reminder: send('reminder', withTotal, 'answer'),
      answer: {
        type: 'wait_for',
        timeout,
        onTimeout: 'silent',
        any: [
          { reply: { in: ['yes', '1'] }, next: 'sold' },
          { reply: {}, next: 'ask_a_person' },
        ],
      },
      sold: {
        type: 'mark_sale',
        amount: '{{data.total}}',
        currency: '{{data.currency}}',
        note: 'Cart {{data.cartId}}',
        next: 'thanks',
      },
      thanks: send('thanks', cartVariables, 'remember'),
      remember: { type: 'set_attribute', set: { lastCart: '{{data.cartId}}' }, next: null },
      ask_a_person: { type: 'exit', reason: 'For a person' },
      silent: { type: 'exit', reason: 'No answer' },
    },
  }
}

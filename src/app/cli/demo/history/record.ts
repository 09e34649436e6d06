/** Records the history through the interface, one moment after the other. */
import type { Api } from '../api.ts'
import type { HistoryReceiver } from './receivers.ts'
import type { Moment } from './schedule.ts'
import type { HistoryShop } from './setup.ts'

interface Customer {
  name: string
  phone: string
}

const firstNames = ['Aino', 'Bram', 'Celia', 'Dario', 'Edda', 'Faris', 'Gwen', 'Hanna', 'Ilse', 'Jonas', 'Karim']
const lastNames = ['Abel', 'Brun', 'Costa', 'Dahl', 'Egger', 'Faber', 'Grau', 'Holm', 'Iversen', 'Juhl']
const products = ['Wool throw', 'Floor lamp, brass', 'Oak side table', 'Linen napkins', 'Fig candle']
const questions = [
  'Does the wool throw come in green?',
  'When does my parcel arrive?',
  'Can I change the address of my order?',
  'Do you also deliver to islands?',
]
const answers = [
  'Yes, it is. Shall we send it to you?',
  'It arrives tomorrow before noon.',
  'We changed it for you.',
  'We do, within three days.',
]

/** Names of fictional people. Every tenth number always fails in the sandbox. */
const customers: Customer[] = Array.from({ length: 40 }, (_, index) => {
  const [first, last] = [firstNames[index % firstNames.length], lastNames[(index * 7) % lastNames.length]]
  const number = String(index + 10)
  return { name: `${first} ${last}`, phone: index % 10 === 9 ? `+44770092${number}0000` : `+447700921${number}` }
})

const rejections = [
  { type: 'payment.received', phone: '0664 12', data: { amount: 12 } },
  { phone: '+447700921010', data: { amount: 19 } },
  { type: 'parcel.sent', phone: '+447700921011', data: 'EU-1' },
]

export class HistoryRecorder {
  /** Conversations that wait for an answer, with the number of moments until it comes. */
  readonly #waiting: { id: string; in: number }[] = []
  #event = 0

  constructor(
    private readonly shop: HistoryShop,
    private readonly stock: HistoryReceiver,
    private readonly random: () => number,
  ) {}

  /**
   * Records what happens at a moment. The service may still work on it when this resolves, except for rejected events:
   * they are written after the answer, and the list waits for them.
   */
  async record(moment: Moment): Promise<void> {
    const { owner, stock } = this.shop
    this.stock.fails = moment.isOutage
    await Promise.all([
      this.#sendEvents(moment.events),
      this.#receiveMessage(moment.isAfterCampaign ? 0.9 : 0.5),
      this.#answer(),
      ...(moment.isCampaign ? [this.#startCampaign()] : []),
    ])
    await owner.call('GET', '/v1/activity/not-accepted?limit=1')
    if (moment.isRecovery) {
      const since = new Date(Date.now() - 3_600_000).toISOString()
      await owner.call('POST', `/v1/webhooks/${stock}/recoveries`, { body: { since } })
    }
  }

  async #sendEvents(count: number): Promise<void> {
    const events = Array.from({ length: count }, () => this.#nextEvent())
    if (this.random() < 0.4) events.push(this.#pick(rejections))
    const headers = { 'User-Agent': this.random() < 0.6 ? 'WooCommerce/9.4 Hookshot' : 'warehouse/2.4' }
    await this.shop.shop.call('POST', '/v1/events/batch', { headers, body: { events } })
  }

  #nextEvent(): object {
    const { name, phone } = this.#pick(customers)
    const id = `EU-${61_000 + this.#event++}`
    const amount = Math.round(15 + this.random() ** 2 * 400)
    const share = this.random()
    const event = { name, phone, idempotencyKey: `history-${id}` }
    if (share < 0.4) return { ...event, type: 'payment.received', data: { orderId: id, amount, currency: 'EUR' } }
    if (share < 0.75) return { ...event, type: 'parcel.sent', data: { parcelId: id } }
    return { ...event, type: 'product.viewed', data: { item: this.#pick(products) } }
  }

  /** A customer writes on the chat line. */
  async #receiveMessage(probability: number): Promise<void> {
    if (this.random() > probability) return
    const { name, phone } = this.#pick(customers.filter(({ phone }) => !phone.endsWith('0000')))
    const path = `/v1/channels/${this.shop.chatChannel}/sandbox/messages`
    const body = { from: phone, name, text: this.#pick(questions) }
    const { conversationId: id } = await this.shop.owner.call<{ conversationId: string }>('POST', path, { body })
    if (!this.#waiting.some(one => one.id === id)) this.#waiting.push({ id, in: 1 + Math.floor(this.random() * 4) })
  }

  /** Answers the conversations whose time has come. Some of them end with a sale. */
  async #answer(): Promise<void> {
    for (const one of this.#waiting) one.in--
    const due = this.#waiting.filter(one => one.in <= 0)
    for (const one of due) {
      this.#waiting.splice(this.#waiting.indexOf(one), 1)
      await this.#answerOne(this.shop.owner, one.id)
    }
  }

  async #answerOne(owner: Api, id: string): Promise<void> {
    const path = `/v1/conversations/${id}`
    await owner.call('POST', `${path}/messages`, { body: { text: this.#pick(answers) } })
    if (this.random() < 0.4) {
      const amount = Math.round(20 + this.random() * 180) + 0.95
      await owner.call('POST', `${path}/sale`, { body: { amount, currency: 'EUR', note: this.#pick(products) } })
    }
    if (this.random() < 0.7) await owner.call('PATCH', path, { body: { status: 'closed' } })
  }

  /** Sends the offer to all customers with an opt-in. */
  async #startCampaign(): Promise<void> {
    const { owner, shop, chatChannel, offer } = this.shop
    const optIns = customers.slice(0, 30).map(async ({ phone }) => {
      const path = `/v1/customers?phone=${encodeURIComponent(phone)}`
      const { data } = await owner.call<{ data: { id: string }[] }>('GET', path)
      const body = { evidence: 'Ticked “Write to me about offers” at the checkout' }
      if (data[0]) await shop.call('POST', `/v1/customers/${data[0].id}/opt-in`, { body })
    })
    await Promise.all(optIns)
    const { id } = await owner.call<{ id: string }>('POST', '/v1/campaigns', {
      body: {
        name: 'Wool throws for autumn',
        channelId: chatChannel,
        templateId: offer,
        variables: { name: '{{customer.name|there}}', item: 'wool throw' },
        audience: { all: true },
      },
    })
    await owner.call('POST', `/v1/campaigns/${id}/start`)
  }

  #pick<T>(values: readonly T[]): T {
    return values[Math.floor(this.random() * values.length)]!
  }
}

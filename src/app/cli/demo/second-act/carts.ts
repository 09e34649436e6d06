/** Abandoned carts: the workflow sends reminders, and each customer reacts differently. */
import { type CartCustomer, customers } from './customers.ts'
import type { Message, Recorded, Scenario } from './scenario.ts'

/** A customer who got a reminder. */
interface RemindedCustomer {
  customerId: string
  runId: string
  message: Message
}

export interface Carts {
  ana: Message
  /** Emma's question, which the workflow cannot answer. */
  emma: Message
  david: Message
  /** Resolves once all remaining runs have ended. */
  finish: () => Promise<void>
}

export const playCarts = async (scenario: Scenario): Promise<Carts> => {
  const { output } = scenario
  const { ana, bruno, clara, david, emma } = await remind(scenario)
  // Runs in parallel, so that a slow customer does not delay the others past their timeout.
  const [thanks, order, question] = await Promise.all([
    replyYes(scenario, ana),
    replyStop(scenario, david),
    askQuestion(scenario, emma),
    pay(scenario, bruno),
    abandonCart(scenario, customers.clara),
  ])
  output.step('Ana', `“Yes!”: the workflow marks a sale of ${customers.ana.cart.total} EUR and writes “${thanks.text}”`)
  output.step('Bruno', 'pays in the shop: his run ended, and he gets no more messages')
  output.step('David', '“STOP”: he opted out, and his run ended. He repeats it, which changes nothing')
  output.step('Emma', `“${question.text}” is not a yes: the workflow leaves the answer to a person`)
  output.step('Clara', 'does not answer. The shop sends her cart event again, and no second run starts')

  const finish = async () => {
    await scenario.waitForEnd(clara.runId)
    output.step('Clara', 'did not answer before the timeout: her run ended')
    await scenario.waitForEnd(runIdOf(order))
    const skipped = await scenario.waitForNewest(david.customerId, 'skipped')
    output.step('David', `ordered later, and gets no thank-you message: “${skipped.detail}”`)
  }
  return { ana: thanks, emma: question, david: david.message, finish }
}

/** Records the abandoned carts and waits until each reminder is delivered. */
const remind = async (scenario: Scenario) => {
  const { output } = scenario
  const { felix, ...others } = customers
  const events = await mapValues(others, one => abandonCart(scenario, one))
  await abandonCart(scenario, felix)
  output.step('Shop', `5 carts are abandoned, and one of ${felix.cart.total} EUR, which starts no run`)

  const remindedCustomers = await mapValues(events, async (recorded): Promise<RemindedCustomer> => {
    const { customerId } = recorded.event
    return { customerId, runId: runIdOf(recorded), message: await scenario.waitForNewest(customerId, 'delivered') }
  })
  output.step('To Ana', `“${remindedCustomers.ana.message.text}”`)
  output.step('To Bruno', `“${remindedCustomers.bruno.message.text}”`)
  return remindedCustomers
}

/** Returns the thank-you message of the workflow. */
const replyYes = async (scenario: Scenario, { customerId, runId }: RemindedCustomer): Promise<Message> => {
  await scenario.sendMessage(customers.ana, 'Yes!')
  await scenario.waitForEnd(runId)
  return scenario.waitForNewest(customerId, 'delivered')
}

const pay = async (scenario: Scenario, { runId }: RemindedCustomer): Promise<void> => {
  await scenario.record('order.paid', customers.bruno, { orderId: 'EU-70112', cartId: customers.bruno.cart.cartId })
  await scenario.waitForEnd(runId)
}

/** Returns David's next order, recorded after his opt-out. */
const replyStop = async (scenario: Scenario, { runId }: RemindedCustomer): Promise<Recorded> => {
  await scenario.sendMessage(customers.david, 'STOP')
  await scenario.waitForEnd(runId)
  await scenario.sendMessage(customers.david, 'stop')
  return scenario.record('order.created', customers.david, { orderId: 'EU-70113', total: 39, currency: 'EUR' })
}

const askQuestion = async (scenario: Scenario, { runId }: RemindedCustomer): Promise<Message> => {
  const question = await scenario.sendMessage(customers.emma, 'Do you have it in blue?')
  await scenario.waitForEnd(runId)
  return question
}

/** Runs the work for all entries in parallel and returns the results by key. */
const mapValues = async <Key extends string, One, Result>(
  all: Record<Key, One>,
  work: (one: One) => Promise<Result>,
): Promise<Record<Key, Result>> => {
  const results = Object.entries<One>(all).map(async ([key, one]) => [key, await work(one)])
  return Object.fromEntries(await Promise.all(results))
}

const abandonCart = (scenario: Scenario, one: CartCustomer): Promise<Recorded> =>
  scenario.record('cart.abandoned', one, one.cart)

const runIdOf = ({ outcomes }: Recorded): string => outcomes.find(({ runId }) => runId !== null)!.runId!

/** Abandoned carts: the workflow sends reminders, and each customer reacts differently. */
import { cast, type Left } from './cast.ts'
import type { Message, Recorded, Scene } from './scene.ts'

/** A customer who got a reminder. */
interface Reminded {
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
  silence: () => Promise<void>
}

export const playCarts = async (scene: Scene): Promise<Carts> => {
  const { story } = scene
  const { ana, bruno, clara, david, emma } = await remind(scene)
  // Runs in parallel, so that a slow customer does not delay the others past their timeout.
  const [thanks, order, question] = await Promise.all([
    sayYes(scene, ana),
    sayStop(scene, david),
    ask(scene, emma),
    pay(scene, bruno),
    leave(scene, cast.clara),
  ])
  story.step('Ana', `“Yes!”: the workflow marks a sale of ${cast.ana.cart.total} EUR and writes “${thanks.text}”`)
  story.step('Bruno', 'pays in the shop meanwhile: his run has ended, and nobody bothers him')
  story.step('David', '“STOP”: he has opted out, and his run has ended. He says it again, which changes nothing')
  story.step('Emma', `“${question.text}” is no yes: the workflow leaves her to a person`)
  story.step('Clara', 'says nothing. The shop tells of her cart once more, and she is not let in a second time')

  const silence = async () => {
    await scene.ended(clara.runId)
    story.step('Clara', 'has said nothing for long enough: her run has ended')
    await scene.ended(runOf(order))
    const skipped = await scene.newestTo(david.customerId, 'skipped')
    story.step('David', `has ordered all the same, and is not even thanked: “${skipped.detail}”`)
  }
  return { ana: thanks, emma: question, david: david.message, silence }
}

/** Records the abandoned carts and waits until each reminder is delivered. */
const remind = async (scene: Scene) => {
  const { story } = scene
  const { felix, ...others } = cast
  const left = await ofEach(others, one => leave(scene, one))
  await leave(scene, felix)
  story.step('Shop', `5 carts are left, and one of ${felix.cart.total} EUR, which starts nothing`)

  const reminded = await ofEach(left, async (recorded): Promise<Reminded> => {
    const { customerId } = recorded.event
    return { customerId, runId: runOf(recorded), message: await scene.newestTo(customerId, 'delivered') }
  })
  story.step('To Ana', `“${reminded.ana.message.text}”`)
  story.step('To Bruno', `“${reminded.bruno.message.text}”`)
  return reminded
}

/** Returns the thank-you message of the workflow. */
const sayYes = async (scene: Scene, { customerId, runId }: Reminded): Promise<Message> => {
  await scene.write(cast.ana, 'Yes!')
  await scene.ended(runId)
  return scene.newestTo(customerId, 'delivered')
}

const pay = async (scene: Scene, { runId }: Reminded): Promise<void> => {
  await scene.record('order.paid', cast.bruno, { orderId: 'EU-70112', cartId: cast.bruno.cart.cartId })
  await scene.ended(runId)
}

/** Returns David's next order, recorded after his opt-out. */
const sayStop = async (scene: Scene, { runId }: Reminded): Promise<Recorded> => {
  await scene.write(cast.david, 'STOP')
  await scene.ended(runId)
  await scene.write(cast.david, 'stop')
  return scene.record('order.created', cast.david, { orderId: 'EU-70113', total: 39, currency: 'EUR' })
}

const ask = async (scene: Scene, { runId }: Reminded): Promise<Message> => {
  const question = await scene.write(cast.emma, 'Is it also there in blue?')
  await scene.ended(runId)
  return question
}

/** Runs the work for all entries in parallel and returns the results by key. */
const ofEach = async <Key extends string, One, Result>(
  all: Record<Key, One>,
  work: (one: One) => Promise<Result>,
): Promise<Record<Key, Result>> => {
  const results = Object.entries<One>(all).map(async ([key, one]) => [key, await work(one)])
  return Object.fromEntries(await Promise.all(results))
}

const leave = (scene: Scene, one: Left): Promise<Recorded> => scene.record('cart.abandoned', one, one.cart)

const runOf = ({ outcomes }: Recorded): string => outcomes.find(({ runId }) => runId !== null)!.runId!

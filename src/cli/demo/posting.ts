/** Posts the orders concurrently, like shop systems. */
import type { Api, Refusal } from './api.ts'
import type { Fate, Order } from './orders.ts'

/** Answer of the service to one order. */
export type Answered =
  | { order: Order; fate: 'recorded' | 'replayed'; eventId: string; matchedWorkflows: number }
  | { order: Order; fate: 'refused'; details: Record<string, string> }
  /** Any other answer. No order of the demo should get one. */
  | { order: Order; fate: 'other'; status: number; message: string }

const atOnce = 16

/**
 * Posts all orders in order, 16 concurrently. An order with an idempotency key that was already used waits for the
 * answer to the previous one. Otherwise a race would decide which of the two is the repeat.
 */
export const postOrders = async (
  api: Api,
  orders: Order[],
  onAnswer: (answered: Answered) => void,
): Promise<Answered[]> => {
  const answers = new Array<Answered>(orders.length)
  const lastOfKey = new Map<unknown, Promise<void>>()
  let next = 0
  const post = async (index: number): Promise<void> => {
    answers[index] = await postOne(api, orders[index]!)
    onAnswer(answers[index])
  }
  const poster = async (): Promise<void> => {
    while (next < orders.length) {
      const index = next++
      const key = orders[index]!.event.idempotencyKey
      const before = key === undefined ? undefined : lastOfKey.get(key)
      const answered = before ? before.then(() => post(index)) : post(index)
      if (key !== undefined) lastOfKey.set(key, answered)
      await answered
    }
  }
  await Promise.all(Array.from({ length: atOnce }, poster))
  return answers
}

interface RecordedEvent {
  recorded: boolean
  matchedWorkflows: number
  event: { id: string }
}

const postOne = async (api: Api, order: Order): Promise<Answered> => {
  const { status, body } = await api.ask<RecordedEvent | Refusal>('POST', '/v1/events', {
    headers: order.userAgent === null ? {} : { 'User-Agent': order.userAgent },
    body: order.event,
  })
  if ((status === 201 || status === 200) && 'event' in body) {
    const fate = body.recorded ? 'recorded' : 'replayed'
    return { order, fate, eventId: body.event.id, matchedWorkflows: body.matchedWorkflows }
  }
  const { code, message, details } = (body as Refusal).error
  if (status === 400 && code === 'invalid_request') return { order, fate: 'refused', details: details ?? {} }
  return { order, fate: 'other', status, message }
}

/** Describes each answer that differs from the expected one. */
export const surprisesIn = (answers: Answered[]): string[] => {
  const firstOfKey = new Map<unknown, string>()
  return answers.flatMap(answer => {
    const { order } = answer
    const key = order.event.idempotencyKey
    if (answer.fate === 'recorded' && key !== undefined) firstOfKey.set(key, answer.eventId)
    const surprise = surpriseOf(answer, firstOfKey.get(key))
    return surprise === null ? [] : [`Line ${order.line} ${surprise}.`]
  })
}

const surpriseOf = (answer: Answered, firstEventId: string | undefined): string | null => {
  const { expect, field } = answer.order
  if (answer.fate === 'other') return `was answered with ${answer.status}: ${answer.message}`
  if (answer.fate !== expect) return `was ${answer.fate}${reasonOf(answer)}, and should have been ${expect}`
  if (answer.fate === 'replayed' && answer.eventId !== firstEventId)
    return 'was answered with another event than the first'
  if (answer.fate === 'refused' && field !== null && !(field in answer.details))
    return `was refused${reasonOf(answer)}, and not for ${field}`
  return null
}

const reasonOf = (answer: Answered): string =>
  answer.fate === 'refused' ? ` for ${Object.keys(answer.details).join(', ')}` : ''

/** Returns the validation errors with field, message and count, most frequent first. */
export const refusalsIn = (answers: Answered[]): { field: string; sentence: string; count: number }[] => {
  const groups = new Map<string, { field: string; sentence: string; count: number }>()
  for (const answer of answers) {
    if (answer.fate !== 'refused') continue
    const [field = 'body', sentence = ''] = Object.entries(answer.details)[0] ?? []
    const group = groups.get(`${field} ${sentence}`) ?? { field, sentence, count: 0 }
    group.count++
    groups.set(`${field} ${sentence}`, group)
  }
  return [...groups.values()].sort((a, b) => b.count - a.count || a.field.localeCompare(b.field))
}

/** Returns the number of orders with this result. */
export const countOf = (answers: Answered[], fate: Fate): number =>
  answers.filter(answer => answer.fate === fate).length

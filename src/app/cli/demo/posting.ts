/** Posts the orders concurrently, like shop systems. */
import type { Api, ErrorBody } from './api.ts'
import type { Order, Outcome } from './orders.ts'

/** Answer of the service to one order. */
export type PostResult =
  | { order: Order; outcome: 'recorded' | 'replayed'; eventId: string; matchedWorkflows: number }
  | { order: Order; outcome: 'refused'; details: Record<string, string> }
  /** Any other answer. No order of the demo should get one. */
  | { order: Order; outcome: 'other'; status: number; message: string }

const concurrency = 16

/**
 * Posts all orders in order, 16 concurrently. An order with an idempotency key that was already used waits for the
 * answer to the previous one. Otherwise a race would decide which of the two is the repeat.
 */
export const postOrders = async (
  api: Api,
  orders: Order[],
  onResult: (result: PostResult) => void,
): Promise<PostResult[]> => {
  const results = new Array<PostResult>(orders.length)
  const lastOfKey = new Map<unknown, Promise<void>>()
  let next = 0
  const post = async (index: number): Promise<void> => {
    results[index] = await postOne(api, orders[index]!)
    onResult(results[index])
  }
  const worker = async (): Promise<void> => {
    while (next < orders.length) {
      const index = next++
      const key = orders[index]!.event.idempotencyKey
      const previous = key === undefined ? undefined : lastOfKey.get(key)
      const result = previous ? previous.then(() => post(index)) : post(index)
      if (key !== undefined) lastOfKey.set(key, result)
      await result
    }
  }
  await Promise.all(Array.from({ length: concurrency }, worker))
  return results
}

interface RecordedEvent {
  recorded: boolean
  matchedWorkflows: number
  event: { id: string }
}

const postOne = async (api: Api, order: Order): Promise<PostResult> => {
  const { status, body } = await api.request<RecordedEvent | ErrorBody>('POST', '/v1/events', {
    headers: order.userAgent === null ? {} : { 'User-Agent': order.userAgent },
    body: order.event,
  })
  if ((status === 201 || status === 200) && 'event' in body) {
    const outcome = body.recorded ? 'recorded' : 'replayed'
    return { order, outcome, eventId: body.event.id, matchedWorkflows: body.matchedWorkflows }
  }
  const { code, message, details } = (body as ErrorBody).error
  if (status === 400 && code === 'invalid_request') return { order, outcome: 'refused', details: details ?? {} }
  return { order, outcome: 'other', status, message }
}

/** Describes each answer that differs from the expected one. */
export const findUnexpected = (results: PostResult[]): string[] => {
  const firstOfKey = new Map<unknown, string>()
  return results.flatMap(result => {
    const { order } = result
    const key = order.event.idempotencyKey
    if (result.outcome === 'recorded' && key !== undefined) firstOfKey.set(key, result.eventId)
    const problem = describeUnexpected(result, firstOfKey.get(key))
    return problem === null ? [] : [`Line ${order.line} ${problem}.`]
  })
}

const describeUnexpected = (result: PostResult, firstEventId: string | undefined): string | null => {
  const { expect, field } = result.order
  if (result.outcome === 'other') return `got status ${result.status}: ${result.message}`
  if (result.outcome !== expect) return `was ${result.outcome}${formatReason(result)}, expected ${expect}`
  if (result.outcome === 'replayed' && result.eventId !== firstEventId) return 'returned another event than the first'
  if (result.outcome === 'refused' && field !== null && !(field in result.details))
    return `was rejected${formatReason(result)}, expected ${field}`
  return null
}

const formatReason = (result: PostResult): string =>
  result.outcome === 'refused' ? ` for ${Object.keys(result.details).join(', ')}` : ''

/** Returns the validation errors with field, message and count, most frequent first. */
export const countRejections = (results: PostResult[]): { field: string; reason: string; count: number }[] => {
  const groups = new Map<string, { field: string; reason: string; count: number }>()
  for (const result of results) {
    if (result.outcome !== 'refused') continue
    const [field = 'body', reason = ''] = Object.entries(result.details)[0] ?? []
    const group = groups.get(`${field} ${reason}`) ?? { field, reason, count: 0 }
    group.count++
    groups.set(`${field} ${reason}`, group)
  }
  return [...groups.values()].sort((a, b) => b.count - a.count || a.field.localeCompare(b.field))
}

/** Returns the number of orders with this result. */
export const countOf = (results: PostResult[], outcome: Outcome): number =>
  results.filter(result => result.outcome === outcome).length

/** Reads the orders that the demo posts, with their expected results. */
import { readFile } from 'node:fs/promises'
import { StartError } from '../../service/problem.ts'
import ownOrders from './orders.jsonl' with { type: 'text' }

export const fates = ['recorded', 'replayed', 'refused'] as const
export type Fate = (typeof fates)[number]

/** One line of the file: a body for POST /v1/events, its sender and the expected result. */
export interface Order {
  /** Line number, starting at 1. */
  line: number
  expect: Fate
  /** Field that a validation error must name. Null accepts any. */
  field: string | null
  /** User-Agent of the sending system. Null sends none. */
  userAgent: string | null
  event: Record<string, unknown>
}

/** Reads a file of orders. Defaults to the file of the demo. Throws StartError with the number of an invalid line. */
export const readOrders = async (path: string | null): Promise<Order[]> => {
  const text = path === null ? ownOrders : await textOf(path)
  const orders = text.split('\n').flatMap((line, index) => (line.trim() === '' ? [] : [orderFrom(line, index + 1)]))
  if (orders.length === 0) throw new StartError(`There are no orders in ${path}.`)
  return orders
}

const textOf = async (path: string): Promise<string> => {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    throw new StartError(`The orders cannot be read: ${error instanceof Error ? error.message : error}.`)
  }
}

const orderFrom = (text: string, line: number): Order => {
  const order = parsed(text)
  const expect = fates.find(fate => fate === order?.expect)
  if (!isObject(order) || !expect || !isObject(order.event)) {
    throw new StartError(
      `Line ${line} of the orders must be an object with "event" and "expect", which is one of ${fates.join(', ')}.`,
    )
  }
  return { line, expect, field: textOrNull(order.field), userAgent: textOrNull(order.userAgent), event: order.event }
}

const parsed = (text: string): Record<string, unknown> | null => {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null)

/** Counts that follow from the file. */
export interface Counts {
  recorded: number
  replayed: number
  refused: number
  /** Completed runs of the workflow. */
  runs: number
  delivered: number
  failed: number
  /** Messages in any other status. */
  unsettled: number
  /** Webhooks with a valid signature, by the reported status. Each event is counted once. */
  toldDelivered: number
  toldFailed: number
  /** Webhooks that the receiver rejected. */
  rejected: number
}

/** Returns the expected counts. Each recorded order of the workflow's type starts one run, which sends one message. */
export const expectedCounts = (orders: Order[], eventType: string): Counts => {
  const having = (fate: Fate) => orders.filter(({ expect }) => expect === fate)
  const running = having('recorded').filter(({ event }) => event.type === eventType)
  const failed = running.filter(({ event }) => sandboxFails(event.phone)).length
  const delivered = running.length - failed
  return {
    recorded: having('recorded').length,
    replayed: having('replayed').length,
    refused: having('refused').length,
    runs: running.length,
    delivered,
    failed,
    unsettled: 0,
    toldDelivered: delivered,
    toldFailed: failed,
    rejected: 0,
  }
}

const sandboxFails = (phone: unknown): boolean => typeof phone === 'string' && phone.endsWith('0000')

/** Returns the number of distinct phone numbers and of sending systems. */
export const castOf = (orders: Order[]): { customers: number; senders: number } => ({
  customers: new Set(orders.filter(({ expect }) => expect === 'recorded').map(({ event }) => event.phone)).size,
  senders: new Set(orders.map(({ userAgent }) => userAgent)).size,
})

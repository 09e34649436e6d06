/** Reads the orders that the demo posts, with their expected results. */
import { readFile } from 'node:fs/promises'
import { StartError } from '../../start-error.ts'
import ownOrders from './orders.jsonl' with { type: 'text' }

export const outcomes = ['recorded', 'replayed', 'refused'] as const
export type Outcome = (typeof outcomes)[number]

/** One line of the file: a body for POST /v1/events, its sender and the expected result. */
export interface Order {
  /** Line number, starting at 1. */
  line: number
  expect: Outcome
  /** Field that a validation error must name. Null accepts any. */
  field: string | null
  /** User-Agent of the sending system. Null sends none. */
  userAgent: string | null
  event: Record<string, unknown>
}

/** Reads a file of orders. Defaults to the file of the demo. Throws StartError with the number of an invalid line. */
export const readOrders = async (path: string | null): Promise<Order[]> => {
  const text = path === null ? ownOrders : await readText(path)
  const orders = text.split('\n').flatMap((line, index) => (line.trim() === '' ? [] : [parseOrder(line, index + 1)]))
  if (orders.length === 0) throw new StartError(`${path} contains no orders.`)
  return orders
}

const readText = async (path: string): Promise<string> => {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    throw new StartError(`The orders cannot be read: ${error instanceof Error ? error.message : error}.`)
  }
}

const parseOrder = (text: string, line: number): Order => {
  const order = parseJson(text)
  const expect = outcomes.find(outcome => outcome === order?.expect)
  if (!isObject(order) || !expect || !isObject(order.event)) {
    throw new StartError(
      `Line ${line} of the orders must be an object with "event" and "expect". "expect" must be one of ${outcomes.join(', ')}.`,
    )
  }
  return { line, expect, field: textOrNull(order.field), userAgent: textOrNull(order.userAgent), event: order.event }
}

const parseJson = (text: string): Record<string, unknown> | null => {
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
  webhooksDelivered: number
  webhooksFailed: number
  /** Webhooks that the receiver rejected. */
  rejected: number
}

/** Returns the expected counts. Each recorded order of the workflow's type starts one run, which sends one message. */
export const expectedCounts = (orders: Order[], eventType: string): Counts => {
  const withOutcome = (outcome: Outcome) => orders.filter(({ expect }) => expect === outcome)
  const startingRuns = withOutcome('recorded').filter(({ event }) => event.type === eventType)
  const failed = startingRuns.filter(({ event }) => failsInSandbox(event.phone)).length
  const delivered = startingRuns.length - failed
  return {
    recorded: withOutcome('recorded').length,
    replayed: withOutcome('replayed').length,
    refused: withOutcome('refused').length,
    runs: startingRuns.length,
    delivered,
    failed,
    unsettled: 0,
    webhooksDelivered: delivered,
    webhooksFailed: failed,
    rejected: 0,
  }
}

const failsInSandbox = (phone: unknown): boolean => typeof phone === 'string' && phone.endsWith('0000')

/** Returns the number of distinct phone numbers and of sending systems. */
export const countParticipants = (orders: Order[]): { customers: number; senders: number } => ({
  customers: new Set(orders.filter(({ expect }) => expect === 'recorded').map(({ event }) => event.phone)).size,
  senders: new Set(orders.map(({ userAgent }) => userAgent)).size,
})

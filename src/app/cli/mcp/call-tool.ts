/** Calls the operation of a tool. */
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { ClientError } from '../client/errors.ts'
import { type Service, sendCall } from '../client/service.ts'
import type { Tool } from './tools.ts'

/** Maximum number of characters of a result. */
const maxCharacters = 100_000
/** A pull waits up to 30 seconds. */
const timeoutMs = 45_000

/** Returns the response as text. An error is a result too, so that the model can correct its call. */
export const callTool = async (
  service: Service,
  { method, path, parameters, definition }: Tool,
  values: Record<string, unknown>,
  signal: AbortSignal,
): Promise<CallToolResult> => {
  const known = Object.keys(definition.inputSchema.properties ?? {})
  const unknown = Object.keys(values).find(name => !known.includes(name))
  if (unknown !== undefined)
    return failure(`"${unknown}" is not an argument. The arguments are: ${known.join(', ') || 'none'}.`)
  const missing = parameters.find(({ name, in: place }) => place === 'path' && !isScalar(values[name]))
  if (missing) return failure(`"${missing.name}" is missing.`)
  const given = parameters.filter(({ name }) => values[name] !== undefined)
  const textOf = (name: string) => String(values[name])
  const query = new URLSearchParams(
    given.flatMap(({ name, in: place }) => (place === 'query' ? [[name, textOf(name)]] : [])),
  )
  const headers = Object.fromEntries(
    given.flatMap(({ name, in: place }) => (place === 'header' ? [[name, textOf(name)]] : [])),
  )
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(textOf(name)))
  const address = query.size > 0 ? `${filled}?${query}` : filled
  try {
    const { status, text } = await sendCall(service, method, address, { body: values.body, headers, timeoutMs, signal })
    return status >= 200 && status < 300 ? success(status, text) : failure(describeError(status, text))
  } catch (error) {
    if (error instanceof ClientError) return failure(error.message)
    throw error
  }
}

const isScalar = (value: unknown): boolean => ['string', 'number'].includes(typeof value) && value !== ''

const success = (status: number, text: string): CallToolResult => ({
  content: [{ type: 'text', text: text === '' ? `Done (status ${status}).` : shorten(text) }],
})

const failure = (text: string): CallToolResult => ({ content: [{ type: 'text', text }], isError: true })

const shorten = (text: string): string =>
  text.length <= maxCharacters
    ? text
    : `${text.slice(0, maxCharacters)}\n\nThe response was cut after ${maxCharacters} of ${text.length} characters. Use a smaller limit, filters or a time range.`

/** Returns code, message and details of an error response (contract 5.1). */
const describeError = (status: number, text: string): string => {
  try {
    const { error } = JSON.parse(text) as { error?: object }
    if (error) return JSON.stringify({ status, ...error })
  } catch {
    // The response of a proxy, which the status describes.
  }
  return `The service responded with the status ${status}.`
}

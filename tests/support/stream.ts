/** A reader of `GET /v1/stream` on a separate connection. */
import { eventually } from './world.ts'

interface Heard {
  event: string
  id: string
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever it holds
  data: any
}

export interface StreamReader {
  status: number
  headers: Headers
  /** Everything received so far. */
  text(): string
  heard(): Heard[]
  /** The last id received. */
  lastId(): string
  ended(): boolean
  /** Waits for a matching event. */
  hears(event: string, fits?: (data: Heard['data']) => boolean): Promise<Heard>
  close(): void
}

/** Opens the stream and reads until it is closed. */
export const readStream = async (url: string, headers: Record<string, string>): Promise<StreamReader> => {
  const aborting = new AbortController()
  const response = await fetch(`${url}/v1/stream`, { headers, signal: aborting.signal })
  let text = ''
  let isOver = false
  const decoder = new TextDecoder()
  const read = async () => {
    for await (const bytes of response.body!) text += decoder.decode(bytes as Uint8Array, { stream: true })
  }
  void read()
    .catch(() => {})
    .finally(() => {
      isOver = true
    })
  const heard = () =>
    text
      .split('\n\n')
      .slice(0, -1)
      .map(heardOf)
      .filter(one => one.event !== '')
  return {
    status: response.status,
    headers: response.headers,
    text: () => text,
    heard,
    lastId: () => [...text.matchAll(/^id: (.+)$/gm)].at(-1)?.[1] ?? '',
    ended: () => isOver,
    hears: (event, fits = () => true) =>
      eventually(`a stream that tells ${event}: ${text.slice(-2000)}`, () =>
        heard().find(one => one.event === event && fits(one.data)),
      ),
    close: () => aborting.abort(),
  }
}

const heardOf = (block: string): Heard => {
  const field = (name: string) =>
    block
      .split('\n')
      .find(line => line.startsWith(`${name}: `))
      ?.slice(name.length + 2) ?? ''
  const data = field('data')
  return { event: field('event'), id: field('id'), data: data === '' ? null : JSON.parse(data) }
}

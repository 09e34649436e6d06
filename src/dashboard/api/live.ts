/** Live feed of the workspace: one stream per tab, dispatched to the subscribers of each kind. */
import { EventSourceParserStream } from 'eventsource-parser/stream'
import { reportSessionLost } from './client.ts'
import { selectedWorkspace, setWorkspaceChangeHandler } from './workspace.ts'

const liveKinds = [
  'event',
  'not_accepted',
  'message',
  'conversation',
  'run',
  'outbound_event',
  'delivery',
  'campaign',
  'attention',
] as const
export type LiveKind = (typeof liveKinds)[number]

/** One message of the stream: the record and the few fields that decide whether it matters to a subscriber. */
export interface LiveMessage {
  kind: LiveKind
  id: string
  fields: Record<string, unknown>
}

type Listener = (message: LiveMessage) => void
export type LiveState = 'off' | 'open' | 'lost'

const listeners = new Map<Listener, ReadonlySet<LiveKind>>()
const stateListeners = new Set<() => void>()
let state: LiveState = 'off'
let connection: AbortController | null = null
let lastId: string | null = null

/**
 * Time in which a page that opens shows a response without fetching it again, in milliseconds. A query that the page
 * refreshes live must not have a longer `staleTime`.
 */
export const freshMs = 5_000
/** Time of the last message of each kind. */
const lastMessageAt = new Map<LiveKind, number>()

/** The server sends something every 15 s. After three times that long without data the stream counts as lost. */
const idleTimeoutMs = 45_000
const minBackoffMs = 1_000
const maxBackoffMs = 30_000
/** Delay before a hidden tab closes its stream. A person who only looks something up in another tab is back sooner. */
const hiddenCloseDelayMs = 2_000
/** Delay before an unused stream is closed. A page change usually subscribes again within this time. */
const unusedCloseDelayMs = 5_000

/**
 * Calls `listener` for each message of these kinds until the returned function is called. After a gap that cannot be
 * filled, it is called once for each kind, with an empty id. It is also called this way for a kind that had a message
 * within `freshMs`, because the page could show a response from before it.
 */
export const subscribe = (kinds: readonly LiveKind[], listener: Listener): (() => void) => {
  listeners.set(listener, new Set(kinds))
  const missed = kinds.filter(kind => Date.now() - (lastMessageAt.get(kind) ?? 0) < freshMs)
  for (const kind of missed) listener({ kind, id: '', fields: {} })
  resume()
  return () => {
    listeners.delete(listener)
    if (listeners.size === 0) setTimeout(closeIfUnused, unusedCloseDelayMs)
  }
}

/** Calls `listener` whenever the connection state changes. Used to show that the stream is interrupted. */
export const subscribeState = (listener: () => void): (() => void) => {
  stateListeners.add(listener)
  return () => void stateListeners.delete(listener)
}
export const liveState = (): LiveState => state

const setState = (next: LiveState): void => {
  if (state === next) return
  state = next
  for (const listener of stateListeners) listener()
}

const closeIfUnused = (): void => {
  if (listeners.size > 0) return
  connection?.abort()
  connection = null
  lastId = null
  setState('off')
}

/** Restarts the stream, because another workspace or session has a different stream. */
export const reconnect = (): void => {
  lastId = null
  connection?.abort()
  connection = null
  resume()
}
setWorkspaceChangeHandler(reconnect)

const isHidden = (): boolean => document.visibilityState === 'hidden'

/**
 * A browser opens at most six HTTP/1.1 connections to one server, for all tabs together. A hidden tab therefore closes
 * its stream and gets the missed messages when it is shown again.
 */
document.addEventListener('visibilitychange', () => {
  if (isHidden()) setTimeout(pause, hiddenCloseDelayMs)
  else resume()
})

const pause = (): void => {
  if (!isHidden()) return
  connection?.abort()
  connection = null
  setState('off')
}

const resume = (): void => {
  if (listeners.size > 0 && !isHidden()) connection ??= connect()
}

const connect = (): AbortController => {
  const controller = new AbortController()
  void connectWithRetry(controller.signal)
  return controller
}

const connectWithRetry = async (signal: AbortSignal): Promise<void> => {
  let backoffMs = minBackoffMs
  while (!signal.aborted) {
    const startedAt = Date.now()
    await readStream(signal).catch(() => {})
    if (signal.aborted) return
    setState('lost')
    backoffMs = Date.now() - startedAt > maxBackoffMs ? minBackoffMs : Math.min(backoffMs * 2, maxBackoffMs)
    await new Promise(resolve => setTimeout(resolve, backoffMs * (0.5 + Math.random())))
  }
}

const readStream = async (signal: AbortSignal): Promise<void> => {
  const idleTimeout = new AbortController()
  let timer = setTimeout(() => idleTimeout.abort(), idleTimeoutMs)
  const workspace = selectedWorkspace()
  try {
    const response = await fetch('/v1/stream', {
      headers: {
        Accept: 'text/event-stream',
        ...(workspace && { 'X-Workspace-Id': workspace }),
        ...(lastId !== null && { 'Last-Event-ID': lastId }),
      },
      signal: AbortSignal.any([signal, idleTimeout.signal]),
    })
    if (response.status === 401) reportSessionLost()
    if (!response.ok || !response.body) throw new Error(`The stream answered ${response.status}.`)
    setState('open')
    const monitoredBody = response.body.pipeThrough(
      new TransformStream<Uint8Array<ArrayBuffer>, BufferSource>({
        transform: (chunk, controller) => {
          clearTimeout(timer)
          timer = setTimeout(() => idleTimeout.abort(), idleTimeoutMs)
          controller.enqueue(chunk)
        },
      }),
    )
    // The stream begins with an id but no event. Without it, a stream that closes before its first event cannot resume.
    const onId = (id: string) => {
      if (!signal.aborted) lastId ??= id
    }
    const events = new EventSourceParserStream({ onId })
    const reader = monitoredBody.pipeThrough(new TextDecoderStream()).pipeThrough(events).getReader()
    for (let next = await reader.read(); !next.done; next = await reader.read()) handleStreamEvent(next.value)
  } finally {
    clearTimeout(timer)
  }
}

const handleStreamEvent = ({
  event,
  data,
  id,
}: {
  event?: string | undefined
  data: string
  id?: string | undefined
}): void => {
  if (id !== undefined) lastId = id
  // The missed messages are unknown, so everything that is shown is fetched again.
  if (event === 'reset') {
    for (const kind of liveKinds) dispatch({ kind, id: '', fields: {} })
    return
  }
  if (!liveKinds.includes(event as LiveKind)) return
  const fields: Record<string, unknown> = JSON.parse(data)
  dispatch({ kind: event as LiveKind, id: String(fields.id), fields })
}

const dispatch = (message: LiveMessage): void => {
  lastMessageAt.set(message.kind, Date.now())
  for (const [listener, kinds] of listeners) if (kinds.has(message.kind)) listener(message)
}

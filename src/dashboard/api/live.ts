/** Live feed of the workspace: one stream per tab, dispatched to the subscribers of each kind. */
import { EventSourceParserStream } from 'eventsource-parser/stream'
import { sessionIsLost } from './client.ts'
import { chosenWorkspace, whenWorkspaceChanges } from './workspace.ts'

export const liveKinds = [
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

/** One message of the stream: the record and the few fields that tell whether it matters to a subscriber. */
export interface News {
  kind: LiveKind
  id: string
  fields: Record<string, unknown>
}

type Listener = (news: News) => void
export type LiveState = 'off' | 'open' | 'lost'

const listeners = new Map<Listener, ReadonlySet<LiveKind>>()
const watchers = new Set<() => void>()
let state: LiveState = 'off'
let connection: AbortController | null = null
let lastId: string | null = null

/** The server sends something every 15 s. After three times that long without data the stream counts as lost. */
const silenceMs = 45_000
const firstPauseMs = 1_000
const longestPauseMs = 30_000
/** Delay before a hidden tab closes its stream. A person who only looks something up in another tab is back sooner. */
const hiddenMs = 2_000
/** Delay before an unused stream is closed. A page change usually subscribes again within this time. */
const lingerMs = 5_000

/**
 * Calls `told` for each message of these kinds until the returned function is called. After a gap that cannot be
 * filled, it is called once for each kind, with an empty id.
 */
export const listen = (kinds: readonly LiveKind[], told: Listener): (() => void) => {
  listeners.set(told, new Set(kinds))
  resume()
  return () => {
    listeners.delete(told)
    if (listeners.size === 0) setTimeout(closeIfUnused, lingerMs)
  }
}

/** Calls `changed` whenever the connection state changes. Used to show that the stream is interrupted. */
export const watchState = (changed: () => void): (() => void) => {
  watchers.add(changed)
  return () => void watchers.delete(changed)
}
export const liveState = (): LiveState => state

const enter = (next: LiveState): void => {
  if (state === next) return
  state = next
  for (const changed of watchers) changed()
}

const closeIfUnused = (): void => {
  if (listeners.size > 0) return
  connection?.abort()
  connection = null
  lastId = null
  enter('off')
}

/** Restarts the stream, because another workspace or session has a different stream. */
export const listenAnew = (): void => {
  lastId = null
  connection?.abort()
  connection = null
  resume()
}
whenWorkspaceChanges(listenAnew)

const isHidden = (): boolean => document.visibilityState === 'hidden'

/**
 * A browser opens at most six HTTP/1.1 connections to one server, for all tabs together. A hidden tab therefore closes
 * its stream and gets the missed messages when it is shown again.
 */
document.addEventListener('visibilitychange', () => {
  if (isHidden()) setTimeout(pause, hiddenMs)
  else resume()
})

const pause = (): void => {
  if (!isHidden()) return
  connection?.abort()
  connection = null
  enter('off')
}

const resume = (): void => {
  if (listeners.size > 0 && !isHidden()) connection ??= connect()
}

const connect = (): AbortController => {
  const closing = new AbortController()
  void keepOpen(closing.signal)
  return closing
}

const keepOpen = async (closed: AbortSignal): Promise<void> => {
  let pauseMs = firstPauseMs
  while (!closed.aborted) {
    const before = Date.now()
    await readOnce(closed).catch(() => {})
    if (closed.aborted) return
    enter('lost')
    pauseMs = Date.now() - before > longestPauseMs ? firstPauseMs : Math.min(pauseMs * 2, longestPauseMs)
    await new Promise(resolve => setTimeout(resolve, pauseMs * (0.5 + Math.random())))
  }
}

const readOnce = async (closed: AbortSignal): Promise<void> => {
  const silence = new AbortController()
  let timer = setTimeout(() => silence.abort(), silenceMs)
  const workspace = chosenWorkspace()
  try {
    const response = await fetch('/v1/stream', {
      headers: {
        Accept: 'text/event-stream',
        ...(workspace && { 'X-Workspace-Id': workspace }),
        ...(lastId !== null && { 'Last-Event-ID': lastId }),
      },
      signal: AbortSignal.any([closed, silence.signal]),
    })
    if (response.status === 401) sessionIsLost()
    if (!response.ok || !response.body) throw new Error(`The stream answered ${response.status}.`)
    enter('open')
    const heard = response.body.pipeThrough(
      new TransformStream<Uint8Array<ArrayBuffer>, BufferSource>({
        transform: (chunk, controller) => {
          clearTimeout(timer)
          timer = setTimeout(() => silence.abort(), silenceMs)
          controller.enqueue(chunk)
        },
      }),
    )
    const reader = heard.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream()).getReader()
    for (let next = await reader.read(); !next.done; next = await reader.read()) take(next.value)
  } finally {
    clearTimeout(timer)
  }
}

const take = ({ event, data, id }: { event?: string | undefined; data: string; id?: string | undefined }): void => {
  if (id !== undefined) lastId = id
  // The missed messages are unknown, so everything that is shown is fetched again.
  if (event === 'reset') {
    for (const kind of liveKinds) tell({ kind, id: '', fields: {} })
    return
  }
  if (!liveKinds.includes(event as LiveKind)) return
  const fields: Record<string, unknown> = JSON.parse(data)
  tell({ kind: event as LiveKind, id: String(fields.id), fields })
}

const tell = (news: News): void => {
  for (const [told, kinds] of listeners) if (kinds.has(news.kind)) told(news)
}

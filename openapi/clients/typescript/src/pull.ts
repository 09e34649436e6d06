/** Pulls outbound events without a webhook endpoint (contract 10.3). */
import { type Client, pause } from './client.js'
import { orThrow } from './errors.js'
import type { components } from './schema.js'

export type PulledPage = components['schemas']['PulledEvents']

export interface PullOptions {
  /** Stored `cursor`, or `beginning`. Without it, the stream starts now. */
  after?: string
  /** Defaults to all types. */
  types?: string[]
  /** Seconds that a request waits for an event, at most 30. Defaults to 25. */
  waitSeconds?: number
  /** Ends the stream. */
  signal?: AbortSignal
}

/** Time between requests if the service answers without a wait, because it is stopping. */
const idleMs = 500

/**
 * Yields pages of events, oldest first, until `signal` is aborted. Process `data`, which can be empty, and store
 * `cursor`. Throws ApiError, with status 422 and `details.after` if events after the cursor were removed.
 */
export async function* pull(client: Client, options: PullOptions = {}): AsyncGenerator<PulledPage, void, undefined> {
  const { types, waitSeconds = 25, signal } = options
  let { after } = options
  try {
    for (;;) {
      const askedAt = performance.now()
      // The first request sets the position, and must not wait before a cursor exists.
      const wait = after === undefined ? 0 : waitSeconds
      const query = { wait, ...(after !== undefined && { after }), ...(types && { types: types.join(',') }) }
      const page = orThrow(await client.GET('/v1/outbound-events/pull', { params: { query }, signal }))
      yield page
      after = page.cursor
      const isIdle = page.data.length === 0 && !page.hasMore && wait > 0
      if (isIdle && performance.now() - askedAt < idleMs) await pause(idleMs, signal)
    }
  } catch (error) {
    if (!signal?.aborted) throw error
  }
}

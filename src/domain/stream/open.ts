import { verb } from '../verb.ts'
import type { Listener, Streams } from './streams.ts'

/** Parameters of a live feed that come from the connection. */
export type Asking = Pick<Listener, 'after' | 'credential' | 'signal'> & {
  /** Returns whether the caller still has access to the workspace. */
  mayStill: (workspaceId: string) => Promise<boolean>
  /** True for a HEAD request, which opens no feed. */
  headOnly: boolean
}

/** Opens a live feed of everything that happens in the workspace. */
export const openStream = verb(
  { by: 'member' },
  async ({ caller }, streams: Streams, asking: Asking): Promise<ReadableStream<Uint8Array> | null> => {
    const { mayStill, headOnly, ...more } = asking
    if (headOnly) return null
    const { workspaceId, id: userId } = caller
    return streams.listen({ ...more, workspaceId, userId, mayStill: () => mayStill(workspaceId) })
  },
)

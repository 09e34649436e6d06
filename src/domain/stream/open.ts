import { verb } from '../verb.ts'
import type { Listener, Streams } from './streams.ts'

/** Who asks for a stream, besides what their call says. */
export type Asking = Pick<Listener, 'after' | 'credential' | 'signal'> & {
  /** Whether the caller may still be in the workspace. */
  mayStill: (workspaceId: string) => Promise<boolean>
  /** Only how it would be answered is asked. */
  headOnly: boolean
}

/** Everything that happens in the workspace, as it happens. */
export const openStream = verb(
  { by: 'member' },
  async ({ caller }, streams: Streams, asking: Asking): Promise<ReadableStream<Uint8Array> | null> => {
    const { mayStill, headOnly, ...more } = asking
    if (headOnly) return null
    const { workspaceId, id: userId } = caller
    return streams.listen({ ...more, workspaceId, userId, mayStill: () => mayStill(workspaceId) })
  },
)

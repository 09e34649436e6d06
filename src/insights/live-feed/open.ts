import { verb } from '../../core/verb.ts'
import type { LiveFeeds, Subscriber } from './live-feeds.ts'

/** Parameters of a live feed that come from the connection. */
export type FeedRequest = Pick<Subscriber, 'after' | 'credential' | 'signal'> & {
  /** Returns whether the caller still has access to the workspace. */
  hasAccess: (workspaceId: string) => Promise<boolean>
  /** True for a HEAD request, which opens no feed. */
  headOnly: boolean
}

/** Opens a live feed of everything that happens in the workspace. */
export const openStream = verb(
  { by: 'member' },
  async ({ caller }, feeds: LiveFeeds, request: FeedRequest): Promise<ReadableStream<Uint8Array> | null> => {
    const { hasAccess, headOnly, ...more } = request
    if (headOnly) return null
    const { workspaceId, id: userId } = caller
    return feeds.subscribe({ ...more, workspaceId, userId, hasAccess: () => hasAccess(workspaceId) })
  },
)

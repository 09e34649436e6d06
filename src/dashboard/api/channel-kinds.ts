/** Kinds of channels that the service offers. They change only with a new release. */
import type { QueryClient } from '@tanstack/react-query'
import { hooks, type Schemas } from './client.ts'

export type ChannelKind = Schemas['AvailableChannelKind']

const cacheOptions = { staleTime: Number.POSITIVE_INFINITY }

/** Query for all kinds of channels. */
export const useChannelKinds = () => hooks.useQuery('get', '/v1/channel-kinds', {}, cacheOptions)

/** Returns a kind of channel, or undefined until the kinds are loaded. */
export const useChannelKind = (kind: ChannelKind['kind']): ChannelKind | undefined =>
  useChannelKinds().data?.data.find(one => one.kind === kind)

/** Returns a function for the name of a kind, which is the kind itself until the names are loaded. */
export const useChannelKindName = (): ((kind: ChannelKind['kind']) => string) => {
  const kinds = useChannelKinds().data?.data
  return kind => kinds?.find(one => one.kind === kind)?.name ?? kind
}

/** Prefetches the kinds while the code of a page loads. */
export const prefetchChannelKinds = (queries: QueryClient): void => {
  if (queries.getQueryData(['get', '/v1/auth/session', {}]) === undefined) return
  void queries.prefetchQuery(hooks.queryOptions('get', '/v1/channel-kinds', {}, cacheOptions))
}

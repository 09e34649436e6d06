/** Steps of the setup of a new workspace, and which of them are done. */
import { useLocalStorage } from '@mantine/hooks'
import { useQueries } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { hooks, type Schemas } from '../../api/client.ts'
import { useLiveRefresh } from '../../api/useLive.ts'
import { useIsOwner } from '../../shell/session.tsx'
import { draftKey } from '../../ui/hooks/draft.ts'

/** Steps in the order in which most people do them. */
export const steps = [
  { key: 'key', link: { to: '/api-keys/new' } },
  { key: 'event', link: { to: '/events/send' } },
  { key: 'channel', link: { to: '/channels/new' } },
  { key: 'template', link: { to: '/templates/new' } },
  { key: 'workflow', link: { to: '/workflows', search: { new: '' } } },
  { key: 'message', link: { to: '/inbox' } },
  { key: 'webhook', link: { to: '/webhooks/new' } },
  { key: 'member', link: { to: '/team', search: { new: true } } },
] as const
type StepKey = (typeof steps)[number]['key']

const one = { params: { query: { limit: 1 } } }
const enabled = { params: { query: { limit: 1, enabled: true } } }

interface DoneSteps {
  /** Undefined until the state of every step is known. */
  done: Record<StepKey, boolean> | undefined
  /** Error of a request without which the state of a step is unknown. */
  error: unknown
  /** Repeats the failed requests. */
  retry: () => void
}

/** Reads which steps are done. */
const useDoneSteps = (isEnabled: boolean): DoneSteps => {
  // Always refetches, so that a person who returns from a step sees it as done.
  const options = { enabled: isEnabled, staleTime: 0 }
  const keys = hooks.useQuery('get', '/v1/api-keys', {}, options)
  const events = hooks.useQuery('get', '/v1/activity/events', one, options)
  const channels = hooks.useQuery('get', '/v1/channels', {}, options)
  const templates = hooks.useQuery('get', '/v1/templates', one, options)
  const workflows = hooks.useQuery('get', '/v1/workflows', enabled, options)
  const messages = hooks.useQuery('get', '/v1/messages', one, options)
  const webhooks = hooks.useQuery('get', '/v1/webhooks', {}, options)
  // Unlike the statistics, the last success has no limit of time.
  const health = useQueries({
    queries: (webhooks.data?.data ?? []).map(({ id }) => ({
      ...hooks.queryOptions('get', '/v1/webhooks/{id}/health', { params: { path: { id } } }),
      ...options,
    })),
  })
  const members = hooks.useQuery('get', '/v1/members', {}, options)
  useLiveRefresh(
    ['event', 'delivery', 'message'],
    [
      '/v1/activity/events',
      '/v1/api-keys',
      '/v1/channels',
      '/v1/templates',
      '/v1/workflows',
      '/v1/messages',
      '/v1/webhooks/{id}/health',
    ],
  )
  const queries = [keys, events, channels, templates, workflows, messages, webhooks, ...health, members]
  const known: Record<StepKey, boolean | undefined> = {
    key: keys.data && keys.data.data.length > 0,
    event: events.data && events.data.data.length > 0,
    channel: channels.data && channels.data.data.length > 0,
    template: templates.data && templates.data.data.length > 0,
    workflow: workflows.data && workflows.data.data.length > 0,
    message: messages.data && messages.data.data.length > 0,
    webhook: webhooks.data && hasDelivered(health.map(({ data }) => data)),
    member: members.data && members.data.data.filter(({ kind }) => kind === 'person').length > 1,
  }
  const failed = queries.filter(({ error, data }) => error !== null && data === undefined)
  const isKnown = Object.values(known).every(isDone => isDone !== undefined)
  return {
    done: isKnown ? (known as Record<StepKey, boolean>) : undefined,
    error: failed[0]?.error ?? null,
    retry: () => {
      for (const { refetch } of failed) void refetch()
    },
  }
}

/** Returns whether an endpoint received a delivery. Undefined while none is known to have, and some are unknown. */
const hasDelivered = (health: readonly (Schemas['WebhookHealth'] | undefined)[]): boolean | undefined =>
  health.some(one => one?.lastSuccessAt) || (health.includes(undefined) ? undefined : false)

/** `new`: never shown. `open`: shown with steps to do. `done`: ended by itself. `hidden`: by the person. */
type ChecklistState = 'new' | 'open' | 'done' | 'hidden'

/** State of the checklist in this browser, for a person and a workspace. */
const useChecklistState = () =>
  useLocalStorage<ChecklistState>({
    key: draftKey('home.checklist'),
    defaultValue: 'new',
    getInitialValueInEffect: false,
    deserialize: text => (['open', 'done', 'hidden'] as const).find(state => JSON.stringify(state) === text) ?? 'new',
  })

export interface Checklist {
  /** `loading` until the steps are known, `failed` if one cannot be read. `none` for agents and once it has ended. */
  view: 'loading' | 'failed' | 'full' | 'none'
  /** The rest of the page waits for the checklist, for up to 0.9 seconds. */
  isAwaited: boolean
  /** It took longer and may be complete, so it comes below the rest of the page, where it moves nothing. */
  isAtEnd: boolean
  done: Partial<Record<StepKey, boolean>>
  error: unknown
  /** Repeats the failed requests. */
  retry: () => void
  hide: () => void
}

/**
 * The setup checklist. It ends by itself once all steps are done. A person who has seen steps to do sees it complete
 * once, until they leave the page. A workspace without activity has steps to do.
 */
export const useChecklist = (hasActivity: boolean): Checklist => {
  const isOwner = useIsOwner()
  const [state, setState] = useChecklistState()
  const [wasDone] = useState(state === 'done')
  const [wasOpen, setWasOpen] = useState(state === 'open')
  const isOver = !isOwner || wasDone || state === 'hidden'
  const { done, error, retry } = useDoneSteps(!isOver)
  const isComplete = done && steps.every(({ key }) => done[key])
  if (isComplete === false && !wasOpen) setWasOpen(true)
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once the steps are known, and when the last is done.
  useEffect(() => {
    if (isComplete !== undefined && !isOver) setState(isComplete ? 'done' : 'open')
  }, [isComplete])
  const view = isOver
    ? 'none'
    : error !== null
      ? 'failed'
      : !done
        ? 'loading'
        : isComplete && !wasOpen
          ? 'none'
          : 'full'
  const isSlow = useIsSlow(view === 'loading')
  const [isAtEnd, setIsAtEnd] = useState<boolean | null>(null)
  if (isAtEnd === null && (isSlow || view === 'full' || view === 'none'))
    setIsAtEnd(view === 'loading' && !wasOpen && hasActivity)
  const isAwaited = view === 'loading' && !isSlow
  return { view, isAwaited, isAtEnd: isAtEnd === true, done: done ?? {}, error, retry, hide: () => setState('hidden') }
}

/** Milliseconds for which the page waits for the checklist. */
const maxWaitMs = 900

/** Returns whether loading takes longer than the page waits. */
const useIsSlow = (isLoading: boolean): boolean => {
  const [isSlow, setIsSlow] = useState(false)
  useEffect(() => {
    if (!isLoading) return
    const timer = setTimeout(() => setIsSlow(true), maxWaitMs)
    return () => {
      clearTimeout(timer)
      setIsSlow(false)
    }
  }, [isLoading])
  return isSlow
}

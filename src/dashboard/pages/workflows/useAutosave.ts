/** Saves a draft shortly after each change, and when the person leaves the page. */
import { useCallback, useEffect, useRef, useState } from 'react'
import { Failure as ApiFailure, api, isVersionConflict } from '../../api/client.ts'
import { isEqual, toDrawnWorkflow } from './definition/edit.ts'
import type { Definition, DrawnWorkflow } from './definition/types.ts'
import { useUpdateCache } from './queries.ts'
import { type Draft, forgetUnsaved } from './useDraft.ts'

/** Pause after a change, in milliseconds. */
const pauseMs = 800
/** Time until a failed save is tried again, in milliseconds. */
const retryMs = 5_000
/** Largest body, in characters, that a browser sends after its page is closed. */
const maxKeepalive = 60_000

export type SaveState =
  | { kind: 'saved'; at: string | null }
  | { kind: 'saving' }
  | { kind: 'failed'; error: unknown; canRetry: boolean }

export interface Autosave {
  state: SaveState
  /** Saves immediately. Returns the saved workflow, or null if it could not be saved. */
  save: () => Promise<DrawnWorkflow | null>
}

const isTemporary = (error: unknown): boolean =>
  error instanceof ApiFailure && (error.status === 0 || error.status === 429 || error.status >= 500)

export const useAutosave = (
  workflow: DrawnWorkflow,
  draft: Draft,
  { enabled, onRejected }: { enabled: boolean; onRejected: (definition: Definition, error: unknown) => void },
): Autosave => {
  const updateCache = useUpdateCache()
  const [state, setState] = useState<SaveState>({ kind: 'saved', at: null })
  const latest = useRef({ workflow, draft, onRejected })
  latest.current = { workflow, draft, onRejected }
  /** Newest known record. The cache follows a moment later. */
  const server = useRef(workflow)
  if (workflow.updatedAt > server.current.updatedAt) server.current = workflow
  const running = useRef<Promise<DrawnWorkflow | null> | null>(null)

  const send = useCallback(
    async (definition: Definition): Promise<DrawnWorkflow | null> => {
      const path = { id: server.current.id }
      const patch = () =>
        api.PATCH('/v1/workflows/{id}', {
          params: { path, header: { 'If-Match': `"${server.current.updatedAt}"` } },
          body: { definition },
          keepalive: document.visibilityState === 'hidden' && JSON.stringify(definition).length < maxKeepalive,
        })
      setState({ kind: 'saving' })
      try {
        const { data } = await patch().catch(async error => {
          if (!isVersionConflict(error)) throw error
          const { data: current } = await api.GET('/v1/workflows/{id}', { params: { path } })
          if (!current) throw error
          const theirs = toDrawnWorkflow(current)
          const isSameDraft = isEqual(theirs.draft, server.current.draft)
          server.current = theirs
          updateCache(current)
          // The name or the switch changed, which does not concern the draft.
          return isSameDraft ? patch() : { data: undefined }
        })
        if (!data) {
          setState({ kind: 'saved', at: null })
          return null
        }
        const saved = toDrawnWorkflow(data)
        server.current = saved
        // First the draft: otherwise the new record looks like a change by another person.
        latest.current.draft.markSaved(saved)
        updateCache(data)
        if (isEqual(latest.current.draft.definition, saved.draft)) forgetUnsaved(saved.id, saved.draft)
        setState({ kind: 'saved', at: new Date().toISOString() })
        return saved
      } catch (error) {
        latest.current.onRejected(definition, error)
        setState({ kind: 'failed', error, canRetry: isTemporary(error) })
        return null
      }
    },
    [updateCache],
  )
  const save = useCallback(async (): Promise<DrawnWorkflow | null> => {
    await running.current
    const { draft } = latest.current
    if (isEqual(draft.definition, server.current.draft)) return server.current
    if (draft.theirs) return null
    running.current = send(draft.definition)
    try {
      return await running.current
    } finally {
      running.current = null
    }
  }, [send])

  const isDue = enabled && draft.isChanged && draft.theirs === null
  // biome-ignore lint/correctness/useExhaustiveDependencies: each change of the definition starts the pause again.
  useEffect(() => {
    if (!isDue) return
    const timer = setTimeout(() => void save(), pauseMs)
    return () => clearTimeout(timer)
  }, [isDue, draft.definition, save])
  const canRetry = isDue && state.kind === 'failed' && state.canRetry
  useEffect(() => {
    if (!canRetry) return
    const timer = setInterval(() => void save(), retryMs)
    return () => clearInterval(timer)
  }, [canRetry, save])
  // The tab is hidden or closed, or the person opens another page.
  useEffect(() => {
    if (!isDue) return
    const saveHidden = () => {
      if (document.visibilityState === 'hidden') void save()
    }
    document.addEventListener('visibilitychange', saveHidden)
    return () => document.removeEventListener('visibilitychange', saveHidden)
  }, [isDue, save])
  const isDueNow = useRef(isDue)
  isDueNow.current = isDue
  useEffect(
    () => () => {
      if (isDueNow.current) void save()
    },
    [save],
  )
  return { state, save }
}

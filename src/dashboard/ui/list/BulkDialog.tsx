import { Button, Group, Modal, Progress, Stack, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Failure as ApiFailure } from '../../api/client.ts'
import type { paths } from '../../api/generated.ts'
import { withRetryAfter } from '../../api/retry.ts'
import { useTranslate } from '../../texts/index.tsx'
import { useNotify } from '../useNotify.tsx'
import { firstClick } from './firstClick.ts'
import styles from './list.module.css'

/** One record of a bulk action. */
interface BulkItem {
  id: string
  label: string
  /** Why the action does not apply to the record, which is then left out. */
  skip?: string | undefined
}

/** A bulk action: its request for each record, its words, and the data that it changes. */
export interface BulkOperation {
  title: string
  /** Effect on each record. */
  text: ReactNode
  /** Verb on the button, with the number of records. */
  confirm: (count: number) => string
  /** Name of the button that closes the dialog. Set it only if the action itself cancels something. */
  keep?: string
  items: readonly BulkItem[]
  /** Sends the request for one record. */
  send: (id: string) => Promise<unknown>
  /** Returns true for a path whose responses the action changes. They are refetched at the end. */
  changes?: (path: keyof paths) => boolean
}

interface Result {
  item: BulkItem
  /** Null if the action succeeded. */
  error: string | null
}

/** Number of concurrent requests, so that a bulk action leaves room for other requests. */
const concurrency = 4
/** Maximum number of records listed by name. */
const maxListed = 8

/**
 * Dialog of an action on selected records: a preview with the records that are left out, the progress with a button that
 * stops it, and the records that failed with their reasons. Closing it while the action runs stops the action and shows
 * the result. Unmounting it also stops the action, and a notification reports the result.
 */
export const BulkDialog = ({
  operation: { title, text, confirm, keep, items, send, changes },
  onStart = start => void start(),
  onClose,
  children,
}: {
  operation: BulkOperation
  /** Called when the action is confirmed. Validates the fields, and starts unless one has an error. */
  onStart?: (start: () => Promise<void>) => void
  /** Called when the dialog closes. `hasRun` is true if any request was sent. */
  onClose: (hasRun: boolean) => void
  /** Fields whose values apply to all records. */
  children?: ReactNode
}) => {
  const t = useTranslate()
  const queries = useQueryClient()
  const [pending, setPending] = useState(() => items.filter(({ skip }) => skip === undefined))
  const [results, setResults] = useState<Result[]>([])
  const [state, setState] = useState<'preview' | 'running' | 'done'>('preview')
  const notify = useNotify()
  const stop = useRef<AbortController>(null)
  const isMounted = useRef(true)
  useEffect(() => {
    isMounted.current = true
    return () => {
      isMounted.current = false
      stop.current?.abort()
    }
  }, [])
  const skipped = items.filter(({ skip }) => skip !== undefined)
  const failed = results.filter(({ error }) => error !== null)

  const runAll = async (batch: readonly BulkItem[]) => {
    const queue = [...batch]
    let succeeded = 0
    const { signal } = (stop.current = new AbortController())
    setPending([...batch])
    setResults([])
    setState('running')
    const work = async () => {
      for (let item = queue.shift(); item && !signal.aborted; item = queue.shift()) {
        const result = { item, error: await errorOf(() => send(item.id), signal, t('failure.page')) }
        if (result.error === null) succeeded++
        setResults(before => [...before, result])
      }
    }
    await Promise.all(Array.from({ length: concurrency }, work))
    setState('done')
    if (isMounted.current) return
    refetch()
    notify.error(t('bulk.interrupted', { action: title, succeeded, total: batch.length }))
  }
  const refetch = () => {
    // Some queries have no path.
    const isChanged = (path: unknown) => typeof path === 'string' && changes?.(path as keyof paths) === true
    void queries.invalidateQueries({ predicate: ({ queryKey }) => isChanged(queryKey[1]) })
  }
  const close = () => {
    if (state === 'running') return stop.current?.abort()
    const hasRun = state === 'done'
    if (hasRun) refetch()
    onClose(hasRun)
  }
  return (
    <Modal
      opened
      onClose={close}
      title={title}
      // The dialog becomes smaller when the action starts, so the second click of a double click can be beside it.
      closeOnClickOutside={state === 'preview'}
      closeButtonProps={{ 'aria-label': keep ?? t('confirm.cancel') }}
    >
      <Stack gap="md">
        {state === 'preview' && (
          <>
            {pending.length > 0 && (
              <>
                <Text size="sm" component="div">
                  {text}
                </Text>
                <Names label={t('bulk.items')} names={pending.map(({ label }) => label)} />
                {children}
              </>
            )}
            {skipped.length > 0 && (
              <div>
                <Text size="sm">{t('bulk.skipped', { count: skipped.length })}</Text>
                <Names
                  label={t('bulk.skipped', { count: skipped.length })}
                  names={skipped.map(({ label, skip }) => `${label}: ${skip}`)}
                />
              </div>
            )}
          </>
        )}
        {state !== 'preview' && (
          <>
            <Text size="sm" role="status" className="tabular">
              {state === 'running'
                ? t('bulk.progress', { done: results.length, total: pending.length })
                : t('bulk.succeeded', { count: results.length - failed.length })}
            </Text>
            <Progress value={(results.length / Math.max(pending.length, 1)) * 100} aria-label={title} />
            {state === 'done' && results.length < pending.length && (
              <Text size="sm">{t('bulk.stopped', { count: pending.length - results.length })}</Text>
            )}
            {failed.length > 0 && (
              <div role="alert">
                <Text size="sm">{t('bulk.failed', { count: failed.length })}</Text>
                <Names
                  label={t('bulk.failed', { count: failed.length })}
                  names={failed.map(({ item, error }) => `${item.label}: ${error}`)}
                />
              </div>
            )}
          </>
        )}
        {/* "Stop" is not where the pointer is after the click that starts the action. */}
        <Group justify={state === 'running' ? 'flex-start' : 'flex-end'}>
          {state === 'running' && (
            <Button variant="default" onClick={firstClick(close)}>
              {t('bulk.stop')}
            </Button>
          )}
          {state === 'done' && failed.length > 0 && (
            <Button variant="default" onClick={() => void runAll(failed.map(({ item }) => item))}>
              {t('bulk.retryFailed')}
            </Button>
          )}
          {state === 'done' && <Button onClick={firstClick(close)}>{t('bulk.close')}</Button>}
          {state === 'preview' && (
            <>
              <Button variant="default" onClick={close}>
                {keep ?? t('confirm.cancel')}
              </Button>
              {pending.length > 0 && (
                <Button data-autofocus={!children || undefined} onClick={() => onStart(() => runAll(pending))}>
                  {confirm(pending.length)}
                </Button>
              )}
            </>
          )}
        </Group>
      </Stack>
    </Modal>
  )
}

/** Sends a request, again after the given time if the API asks to wait. Returns the error, or null. */
const errorOf = async (
  request: () => Promise<unknown>,
  signal: AbortSignal,
  unknownError: string,
): Promise<string | null> => {
  try {
    await withRetryAfter(request, signal)
    return null
  } catch (error) {
    return error instanceof ApiFailure ? error.message : unknownError
  }
}

/** The first names of a list, and the number of the others. Equal names are counted. */
const Names = ({ label, names: all }: { label: string; names: readonly string[] }) => {
  const t = useTranslate()
  const counts = all.reduce((sums, name) => sums.set(name, (sums.get(name) ?? 0) + 1), new Map<string, number>())
  const names = [...counts].map(([name, count]) => (count > 1 ? t('bulk.repeated', { name, count }) : name))
  return (
    <ul className={styles.bulkNames} aria-label={label}>
      {names.slice(0, maxListed).map((name, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: names can repeat and keep their position.
        <li key={index}>
          <bdi>{name}</bdi>
        </li>
      ))}
      {names.length > maxListed && <li>{t('bulk.more', { count: names.length - maxListed })}</li>}
    </ul>
  )
}

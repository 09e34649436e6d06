/** Error page, shown when a page cannot be rendered. */
import { useEffect } from 'react'
import { Failure as ApiFailure } from '../api/client.ts'
import { useTranslate } from '../texts/index.tsx'
import { Failure } from '../ui/Failure.tsx'
import { ExclamationTriangleIcon } from '../ui/icons.ts'
import { Body } from '../ui/Page.tsx'
import styles from './shell.module.css'

const probeIntervalMs = 3_000
/** Minimum time between two automatic reloads. If a reload did not help, the next one would not help either. */
const minReloadIntervalMs = 60_000
const reloadedAtKey = 'loaded-anew'

export const ErrorPage = ({ error, reset }: { error: unknown; reset: () => void }) => {
  const t = useTranslate()
  const isUnreachable = error instanceof ApiFailure && error.code === 'unreachable'
  useEffect(() => {
    if (!isUnreachable || Date.now() - Number(sessionStorage.getItem(reloadedAtKey)) < minReloadIntervalMs) return
    const timer = setInterval(() => void reload(), probeIntervalMs)
    return () => clearInterval(timer)
  }, [isUnreachable])
  return (
    <Body>
      <div className={styles.errorPage}>
        <span className={styles.errorMark} data-tone="failed" aria-hidden="true">
          <ExclamationTriangleIcon width={28} />
        </span>
        <Failure error={error} retry={isUnreachable ? () => void reload() : reset} />
        {!isUnreachable && <a href="/">{t('notFound.back')}</a>}
      </div>
    </Body>
  )
}

/**
 * Reloads the dashboard once the server answers. A retry is not enough, because the browser also caches the failed
 * module.
 */
const reload = async (): Promise<void> => {
  const response = await fetch(location.href, { headers: { Accept: 'text/html' } }).catch(() => null)
  if (!response?.ok) return
  sessionStorage.setItem(reloadedAtKey, String(Date.now()))
  location.reload()
}

/** Error page, shown under the title of the page when it cannot be loaded or rendered. */
import { Stack } from '@mantine/core'
import { useLocation } from '@tanstack/react-router'
import { useEffect } from 'react'
import { Failure as ApiFailure } from '../api/client.ts'
import { useTranslate } from '../texts/index.tsx'
import { Failure } from '../ui/Failure.tsx'
import { Body, Page } from '../ui/Page.tsx'
import ui from '../ui/ui.module.css'
import { sectionAt } from './navigation.ts'

const probeIntervalMs = 3_000
/** Minimum time between two automatic reloads. If a reload did not help, the next one would not help either. */
const minReloadIntervalMs = 60_000
const reloadedAtKey = 'loaded-anew'

export const ErrorPage = ({ error, reset }: { error: unknown; reset: () => void }) => {
  const t = useTranslate()
  const { pathname } = useLocation()
  const isUnreachable = error instanceof ApiFailure && error.code === 'unreachable'
  useEffect(() => {
    if (!isUnreachable || Date.now() - Number(sessionStorage.getItem(reloadedAtKey)) < minReloadIntervalMs) return
    const timer = setInterval(() => void reload(), probeIntervalMs)
    return () => clearInterval(timer)
  }, [isUnreachable])
  return (
    <Page title={t(sectionAt(pathname))}>
      <Body>
        <Stack align="flex-start">
          <Failure error={error} retry={isUnreachable ? () => void reload() : reset} />
          {!isUnreachable && (
            <a className={ui.inLink} href="/">
              {t('notFound.back')}
            </a>
          )}
        </Stack>
      </Body>
    </Page>
  )
}

/**
 * Reloads the dashboard once the server answers. A retry is not enough, because the browser also caches the failed
 * module.
 */
const reload = async (): Promise<void> => {
  const signal = AbortSignal.timeout(probeIntervalMs)
  const response = await fetch(location.href, { headers: { Accept: 'text/html' }, signal }).catch(() => null)
  if (!response?.ok) return
  sessionStorage.setItem(reloadedAtKey, String(Date.now()))
  location.reload()
}

/** Error page, shown when a page cannot be rendered. */
import { useEffect } from 'react'
import { Failure as ApiFailure } from '../api/client.ts'
import { Failure } from '../ui/Failure.tsx'
import { Body } from '../ui/Page.tsx'

const lookAgainMs = 3_000
/** Minimum time between two automatic reloads. If a reload did not help, the next one would not help either. */
const seldomMs = 60_000
const keptAs = 'loaded-anew'

export const Broken = ({ error, reset }: { error: unknown; reset: () => void }) => {
  const isUnloaded = error instanceof ApiFailure && error.code === 'unreachable'
  useEffect(() => {
    if (!isUnloaded || Date.now() - Number(sessionStorage.getItem(keptAs)) < seldomMs) return
    const timer = setInterval(() => void loadAnew(), lookAgainMs)
    return () => clearInterval(timer)
  }, [isUnloaded])
  return (
    <Body>
      <Failure of={error} retry={isUnloaded ? () => void loadAnew() : reset} />
    </Body>
  )
}

/**
 * Reloads the dashboard once the server answers. A retry is not enough, because the browser also caches the failed
 * module.
 */
const loadAnew = async (): Promise<void> => {
  const answer = await fetch(location.href, { headers: { Accept: 'text/html' } }).catch(() => null)
  if (!answer?.ok) return
  sessionStorage.setItem(keptAs, String(Date.now()))
  location.reload()
}

/** In the place of a page that could not be drawn. */
import { useEffect } from 'react'
import { Failure as ApiFailure } from '../api/client.ts'
import { Failure } from '../ui/Failure.tsx'
import { Body } from '../ui/Page.tsx'

const lookAgainMs = 3_000
/** Who still lacks a page after everything was loaded anew would lack it again. */
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

/** Once there is an answer: a page that could not be loaded is remembered as such, by the browser too. */
const loadAnew = async (): Promise<void> => {
  const answer = await fetch(location.href, { headers: { Accept: 'text/html' } }).catch(() => null)
  if (!answer?.ok) return
  sessionStorage.setItem(keptAs, String(Date.now()))
  location.reload()
}

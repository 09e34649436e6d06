import { useTexts } from '../../texts/index.tsx'
import { Status } from '../../ui/Status.tsx'
import { useDuration, useNow } from '../../ui/Time.tsx'

/** For how long a customer has had no answer. */
export const Waits = ({ since }: { since: string }) => {
  const say = useTexts()
  const duration = useDuration()
  const seconds = Math.max(Math.round((useNow() - new Date(since).getTime()) / 1000), 1)
  return <Status tone="moving">{say('inbox.waits', { time: duration(seconds * 1000) })}</Status>
}

import { Sentence, useTranslate } from '../../../texts/index.tsx'
import { Time } from '../../../ui/Time.tsx'
import type { BlockReason } from '../delivery-status.tsx'

/** Time of the next attempt of a delivery, or what it waits for. */
export const NextAttempt = ({ at, blockReason }: { at: string; blockReason: BlockReason }) => {
  const t = useTranslate()
  if (blockReason) return t(`webhooks.nextAttempt.${blockReason}`)
  if (Date.parse(at) <= Date.now()) return t('webhooks.attemptInProgress')
  return <Sentence id="webhooks.nextAttemptAt" values={{ next: <Time at={at} />, at: <Time at={at} clock /> }} />
}

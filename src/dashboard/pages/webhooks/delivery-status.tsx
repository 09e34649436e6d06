/** Shared texts and statuses of endpoints and deliveries. */
import type { Schemas } from '../../api/client.ts'
import { useNumbers, useTranslate } from '../../texts/index.tsx'
import { Status } from '../../ui/Status.tsx'
import { tones } from '../../ui/tones.ts'

export const getHost = (url: string): string => {
  try {
    return new URL(url).host
  } catch {
    return url
  }
}

/** Returns the name of an endpoint, or its host. */
export const endpointName = ({ name, url }: { name: string | null; url: string }): string => name || getHost(url)

/** Reason why no attempt is made for an endpoint. null if attempts are made. */
export type BlockReason = 'held' | 'off' | null

export const getBlockReason = (webhook: { enabled: boolean; heldAt: string | null } | undefined): BlockReason => {
  if (webhook?.enabled === false) return 'off'
  return webhook?.heldAt ? 'held' : null
}

/** Returns the status that is shown: the reason why a delivery waits, if its endpoint is held or off. */
export const getShownStatus = (status: Schemas['Delivery']['status'], blockReason: BlockReason) =>
  blockReason && (status === 'pending' || status === 'retrying') ? blockReason : status

/** Status of a delivery. It also says if the delivery waits because its endpoint is held or off. */
export const DeliveryStatus = ({
  status,
  blockReason = null,
}: {
  status: Schemas['Delivery']['status']
  blockReason?: BlockReason
}) => {
  const t = useTranslate()
  const shown = getShownStatus(status, blockReason)
  const tone = shown === 'held' ? 'care' : shown === 'off' ? 'off' : tones.delivery[shown]
  return <Status tone={tone}>{t(`webhooks.status.${shown}`)}</Status>
}

/** Returns the result of an attempt: the HTTP status, or the error if there was no response. */
export const useAttemptResult = (): ((attempt: {
  statusCode: number | null
  error: string | null
}) => string | null) => {
  const numbers = useNumbers()
  return ({ statusCode, error }) => (statusCode === null ? error : numbers(statusCode, { useGrouping: false }))
}

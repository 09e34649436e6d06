/** Shared texts and statuses of endpoints and deliveries. */
import type { Schemas } from '../../api/client.ts'
import { useNumbers, useTexts } from '../../texts/index.tsx'
import { Status, type Tone } from '../../ui/Status.tsx'

export const hostOf = (url: string): string => {
  try {
    return new URL(url).host
  } catch {
    return url
  }
}

/** Returns the name of an endpoint, or its host. */
export const endpointName = ({ name, url }: { name: string | null; url: string }): string => name || hostOf(url)

const tones: Record<Schemas['Delivery']['status'], Tone> = {
  pending: 'moving',
  retrying: 'care',
  delivered: 'done',
  failed: 'failed',
}

export const toneOf = (status: Schemas['Delivery']['status']): Tone => tones[status]

/** Reason why no attempt is made for an endpoint. null if attempts are made. */
export type NotAttempted = 'held' | 'off' | null

export const notAttempted = (webhook: { enabled: boolean; heldAt: string | null } | undefined): NotAttempted => {
  if (webhook?.enabled === false) return 'off'
  return webhook?.heldAt ? 'held' : null
}

/** Status of a delivery. It also says if the delivery waits because its endpoint is held or off. */
export const DeliveryStatus = ({
  status,
  without = null,
}: {
  status: Schemas['Delivery']['status']
  without?: NotAttempted
}) => {
  const say = useTexts()
  if (without && (status === 'pending' || status === 'retrying'))
    return <Status tone="off">{say(`webhooks.status.${without}`)}</Status>
  return <Status tone={toneOf(status)}>{say(`webhooks.status.${status}`)}</Status>
}

/** Returns the result of an attempt: the HTTP status, or the error if there was no response. */
export const useAnswer = (): ((of: { statusCode: number | null; error: string | null }) => string | null) => {
  const numbers = useNumbers()
  return ({ statusCode, error }) => (statusCode === null ? error : numbers(statusCode, { useGrouping: false }))
}

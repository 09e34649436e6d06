/** How endpoints and deliveries are spoken of on every page that shows them. */
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

/** What people call it, else where it is. */
export const endpointName = ({ name, url }: { name: string | null; url: string }): string => name || hostOf(url)

const tones: Record<Schemas['Delivery']['status'], Tone> = {
  pending: 'moving',
  retrying: 'care',
  delivered: 'done',
  failed: 'failed',
}

export const toneOf = (status: Schemas['Delivery']['status']): Tone => tones[status]

/** Why no attempt is made for an endpoint; null where attempts are made. */
export type NotAttempted = 'held' | 'off' | null

export const notAttempted = (webhook: { enabled: boolean; heldAt: string | null } | undefined): NotAttempted => {
  if (webhook?.enabled === false) return 'off'
  return webhook?.heldAt ? 'held' : null
}

/** The status of a delivery. A delivery that waits for its endpoint says so. */
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

/** What the receiver said to an attempt: its status, or why none came. */
export const useAnswer = (): ((of: { statusCode: number | null; error: string | null }) => string | null) => {
  const numbers = useNumbers()
  return ({ statusCode, error }) => (statusCode === null ? error : numbers(statusCode, { useGrouping: false }))
}

import type { ComponentType, SVGProps } from 'react'
import type { Schemas } from '../../api/client.ts'
import { useTranslate } from '../../texts/index.tsx'
import { CheckCircleIcon, ClockIcon, ExclamationTriangleIcon, PauseIcon } from '../../ui/icons.ts'
import { NoSymbolIcon, XCircleIcon } from '../../ui/page-icons.ts'
import type { Tone } from '../../ui/Status.tsx'
import { tones } from '../../ui/tones.ts'
import styles from './webhooks.module.css'

type EndpointHealth = Schemas['WebhookHealth']
/** State of an endpoint as shown: that of the API, or what its deliveries add to `healthy`. */
export type ShownState = EndpointHealth['state'] | 'unused' | 'behind'

/** Delay after which the first waiting delivery counts as late, as in `/v1/attention`. */
const lateMs = 60_000

export const isLate = ({ state, nextAttemptAt }: EndpointHealth): boolean =>
  state === 'healthy' && nextAttemptAt !== null && Date.parse(nextAttemptAt) < Date.now() - lateMs

export const shownState = (health: EndpointHealth): ShownState => {
  if (isLate(health)) return 'behind'
  return health.state === 'healthy' && health.last50.length === 0 ? 'unused' : health.state
}

/** States by urgency, the most urgent first. */
export const stateOrder: readonly ShownState[] = ['failing', 'behind', 'held', 'healthy', 'unused', 'off']

const icons: Record<ShownState, ComponentType<SVGProps<SVGSVGElement>>> = {
  failing: XCircleIcon,
  behind: ExclamationTriangleIcon,
  held: PauseIcon,
  healthy: CheckCircleIcon,
  unused: ClockIcon,
  off: NoSymbolIcon,
}
const stateTones: Record<ShownState, Tone> = { ...tones.endpoint, behind: 'care', unused: 'off' }

/** State of an endpoint as an icon with its word. */
export const EndpointState = ({ health }: { health: EndpointHealth }) => {
  const t = useTranslate()
  const state = shownState(health)
  const Icon = icons[state]
  return (
    <span className={styles.state} data-tone={stateTones[state]}>
      <Icon width={16} aria-hidden="true" />
      {t(`webhooks.state.${state}`)}
    </span>
  )
}

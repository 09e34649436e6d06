import { Link } from '@tanstack/react-router'
import type { Schemas } from '../../api/client.ts'
import { useNumbers, useTranslate } from '../../texts/index.tsx'
import { Hint } from '../../ui/Hint.tsx'
import { EventIcon } from '../outbound/EventIcon.tsx'
import styles from './webhooks.module.css'

/** Event types of an endpoint, each with its icon. */
export const SubscribedEvents = ({ events }: { events: string[] }) =>
  events.map(type => (
    <span key={type} className={styles.chip}>
      <EventIcon type={type} />
      {type}
    </span>
  ))

/** First event type of an endpoint, with the number of others. It has them as its hint, and opens the settings. */
export const SubscribedEventsCell = ({ webhook: { id, events } }: { webhook: Schemas['Webhook'] }) => {
  const t = useTranslate()
  const number = useNumbers()
  const [first, ...others] = events
  const hint = t('webhooks.moreEvents', { count: others.length, names: others.join(', ') })
  return (
    <span className={styles.none}>
      {first}
      {others.length > 0 && (
        <>
          {' '}
          <Hint label={() => hint}>
            <Link className={styles.none} aria-label={hint} to="/webhooks/$id/settings" params={{ id }}>
              +{number(others.length)}
            </Link>
          </Hint>
        </>
      )}
    </span>
  )
}

import { EventIcon } from '../outbound/EventIcon.tsx'
import styles from './webhooks.module.css'

/** Event types of an endpoint, each with its icon. */
export const SubscribedEvents = ({ to }: { to: string[] }) =>
  to.map(type => (
    <span key={type} className={styles.chip}>
      <EventIcon type={type} />
      {type}
    </span>
  ))

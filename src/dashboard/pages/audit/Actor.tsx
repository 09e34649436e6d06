import { useTranslate } from '../../texts/index.tsx'
import { Avatar } from '../../ui/Avatar.tsx'
import { KeyIcon } from '../../ui/icons.ts'
import { CommandLineIcon } from '../../ui/page-icons.ts'
import { Status } from '../../ui/Status.tsx'
import styles from './audit.module.css'
import { type Entry, useActionText, useActorText } from './entries.tsx'
import { actionIcon } from './icons.ts'

/** Person, API key or operator of an entry, with a picture, and the access token if one was used. */
export const Actor = ({ entry }: { entry: Entry }) => {
  const name = useActorText()(entry)
  const { type } = entry.actor
  const Icon = type === 'api_key' ? KeyIcon : type === 'operator' ? CommandLineIcon : null
  return (
    <span className={styles.withIcon}>
      {Icon ? (
        <span className={styles.machine}>
          <Icon width={14} aria-hidden="true" />
        </span>
      ) : (
        <Avatar name={entry.actor.name} />
      )}
      <bdi>{name}</bdi>
      {entry.via && <Via via={entry.via} />}
    </span>
  )
}

/** Access token with which an action was called. */
const Via = ({ via: { name } }: { via: NonNullable<Entry['via']> }) => {
  const t = useTranslate()
  return (
    <span className={styles.via}>
      <CommandLineIcon width={14} aria-hidden="true" />
      <bdi>{t('audit.via', { name })}</bdi>
    </span>
  )
}

/** Action of an entry with its icon. A failed sign-in stands out. */
export const ActionName = ({ entry }: { entry: Entry }) => {
  const text = useActionText()(entry)
  const Icon = actionIcon(entry.action)
  const isFailed = entry.action === 'signInFailed'
  return (
    <span className={styles.withIcon} data-tone={isFailed ? 'failed' : undefined}>
      <Icon width={16} aria-hidden="true" />
      {isFailed ? <Status tone="failed">{text}</Status> : <span className={styles.name}>{text}</span>}
    </span>
  )
}

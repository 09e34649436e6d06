import { Link } from '@tanstack/react-router'
import type { Schemas } from '../../api/client.ts'
import { useNumbers, useTranslate } from '../../texts/index.tsx'
import { Hint } from '../../ui/Hint.tsx'
import { Status } from '../../ui/Status.tsx'
import { tones } from '../../ui/tones.ts'
import type { OutboundFilters } from './filters.ts'
import styles from './outbound.module.css'

/**
 * Endpoints that the event was sent to. Among several, those that delay the event are first, with its mark. A number stands
 * for the names beyond `maxCharacters`. It has them as its hint, and opens the event, which lists all endpoints.
 */
export const SentTo = ({
  event,
  endpointName,
  maxCharacters,
  search,
}: {
  event: Schemas['OutboundEvent']
  /** Null if the endpoint was deleted. */
  endpointName: (id: string) => string | null
  /** Number of characters of the names that fit. At least one name is shown. */
  maxCharacters: number
  /** Filters of the list. */
  search: OutboundFilters
}) => {
  const t = useTranslate()
  const number = useNumbers()
  const { fannedOutAt, sentTo, webhookIds, deliveries, passedOver, status } = event
  if (fannedOutAt === null) return null
  if (sentTo === 0) {
    return <span className={styles.quiet}>{t(passedOver > 0 ? 'outbound.noMatch' : 'outbound.noEndpoint')}</span>
  }
  const isDelayed = status === 'retrying' || status === 'failed'
  const delayed = new Set(
    isDelayed ? deliveries.filter(one => one.status === status).map(({ webhookId }) => webhookId) : [],
  )
  const named = webhookIds
    .toSorted((a, b) => Number(delayed.has(b)) - Number(delayed.has(a)))
    .map(id => ({ id, name: endpointName(id) ?? t('outbound.deletedEndpoint') }))
  const shown = named.slice(0, countFitting(named, maxCharacters))
  const hidden = named.slice(shown.length).map(({ name }) => name)
  const hint = t('outbound.moreEndpoints', { count: hidden.length, names: hidden.join(', ') })
  const others = shown.filter(({ id }) => !delayed.has(id)).map(({ name }) => name)
  const marked = shown.filter(({ id }) => delayed.has(id))
  return (
    <span className={styles.sentTo} title={shown.map(({ name }) => name).join(', ')}>
      {marked.map(({ id, name }, index) => (
        <bdi key={id} className={styles.marked}>
          <Status tone={tones.outboundEvent[status]}>
            {index + 1 < marked.length + others.length ? `${name},` : name}
          </Status>
        </bdi>
      ))}
      {others.length > 0 && <bdi>{others.join(', ')}</bdi>}
      {hidden.length > 0 && (
        <Hint label={() => hint}>
          <Link
            className={styles.more}
            aria-label={hint}
            title=""
            to="/outbound/$id"
            params={{ id: event.id }}
            search={search}
          >
            +{number(hidden.length)}
          </Link>
        </Hint>
      )}
    </span>
  )
}

const separatorLength = 2

/** Returns the number of leading names that fit. The first is always shown. */
const countFitting = (named: readonly { name: string }[], maxCharacters: number): number => {
  let length = 0
  const index = named.findIndex(({ name }) => {
    length += name.length + separatorLength
    return length - separatorLength > maxCharacters
  })
  return index === -1 ? named.length : Math.max(index, 1)
}

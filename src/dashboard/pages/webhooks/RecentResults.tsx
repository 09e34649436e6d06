import { VisuallyHidden } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { type KeyboardEvent, useRef, useState } from 'react'
import { useIntl } from 'react-intl'
import type { Schemas } from '../../api/client.ts'
import { useIsOwner } from '../../shell/session.tsx'
import { useTranslate } from '../../texts/index.tsx'
import { formatRelative } from '../../ui/formats.ts'
import { useMeasured } from '../../ui/Time.tsx'
import { useZone } from '../../ui/zone.ts'
import { type BlockReason, getShownStatus, useAttemptResult } from './delivery-status.tsx'
import styles from './webhooks.module.css'

type Recent = Schemas['WebhookHealth']['last50'][number]

/** Statuses in the order of their numbers, with the colors of the chart below. */
const attemptTones = { delivered: 'done', pending: 'moving', retrying: 'care', failed: 'failed' } as const

/**
 * Results of the last deliveries as bars, by their last attempt, the newest at the right. Each opens its delivery. The bars
 * are one tab stop; the arrow keys move between them.
 */
export const RecentResults = ({
  webhookId,
  deliveries,
  blockReason,
}: {
  webhookId: string
  deliveries: Recent[]
  blockReason: BlockReason
}) => {
  const t = useTranslate()
  const isOwner = useIsOwner()
  const describe = useDescribe(blockReason)
  const strip = useRef<HTMLDivElement>(null)
  const [current, setCurrent] = useState<number | null>(null)
  if (deliveries.length === 0) return null
  const bars = deliveries.toReversed()
  const count = (status: Recent['status']) => deliveries.filter(one => one.status === status).length
  const label = t('webhooks.recentResults', {
    count: deliveries.length,
    delivered: count('delivered'),
    retrying: count('retrying') + count('pending'),
    failed: count('failed'),
  })
  const statuses = (Object.keys(attemptTones) as Recent['status'][]).filter(status => count(status) > 0)
  // One color needs no legend: the sentence says that all succeeded.
  const shown = Map.groupBy(statuses.join() === 'delivered' ? [] : statuses, status =>
    getShownStatus(status, blockReason),
  )
  const legend = [...shown]
    .map(([status, of]) =>
      t('webhooks.recentCount', {
        count: of.reduce((sum, one) => sum + count(one), 0),
        status: t(`webhooks.status.${status}`),
      }),
    )
    .join(' · ')
  const barProps = (one: Recent) => ({
    className: styles.mark,
    'data-tone': attemptTones[one.status],
    'data-outcome': one.status,
    title: describe(one),
  })
  if (!isOwner)
    return (
      <div className={styles.recent}>
        <VisuallyHidden>{label}</VisuallyHidden>
        <span aria-hidden="true">{t('webhooks.recent')}</span>
        <div className={styles.recentResults} aria-hidden="true">
          {bars.map(one => (
            <span key={one.deliveryId} {...barProps(one)} />
          ))}
        </div>
        {legend && <span aria-hidden="true">{legend}</span>}
      </div>
    )
  const stop = Math.min(current ?? bars.length - 1, bars.length - 1)
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowLeft: -1, ArrowRight: 1, Home: -bars.length, End: bars.length }[event.key]
    if (step === undefined) return
    event.preventDefault()
    const next = Math.min(Math.max(stop + step, 0), bars.length - 1)
    setCurrent(next)
    strip.current?.querySelectorAll('a')[next]?.focus()
  }
  return (
    <div className={styles.recent}>
      <span aria-hidden="true">{t('webhooks.recent')}</span>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset has form semantics. */}
      <div ref={strip} role="group" aria-label={label} className={styles.recentResults} onKeyDown={onKeyDown}>
        {bars.map((one, index) => (
          <Link
            key={one.deliveryId}
            {...barProps(one)}
            aria-label={describe(one)}
            tabIndex={index === stop ? 0 : -1}
            onFocus={() => setCurrent(index)}
            preload={false}
            to="/webhooks/$id/deliveries/$deliveryId"
            params={{ id: webhookId, deliveryId: one.deliveryId }}
          />
        ))}
      </div>
      {legend && <span aria-hidden="true">{legend}</span>}
    </div>
  )
}

const useDescribe = (blockReason: BlockReason): ((one: Recent) => string) => {
  const t = useTranslate()
  const { locale } = useIntl()
  const zone = useZone()
  const duration = useMeasured()
  const attemptResult = useAttemptResult()
  return one =>
    [
      one.eventType,
      t(`webhooks.status.${getShownStatus(one.status, blockReason)}`),
      attemptResult(one),
      duration(one.durationMs),
      formatRelative(new Date(one.at), Date.now(), locale, zone),
    ]
      .filter(part => part !== null)
      .join(', ')
}

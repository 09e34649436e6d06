import { Skeleton } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useNumbers, useTranslate } from '../../texts/index.tsx'
import { Sparkline } from '../../ui/charts/Sparkline.tsx'
import {
  ArrowsRightLeftIcon,
  ArrowTrendingDownIcon,
  ArrowTrendingUpIcon,
  BoltIcon,
  ChatBubbleLeftRightIcon,
  ShareIcon,
} from '../../ui/icons.ts'
import styles from './home.module.css'
import { compare, type Entry, type Period, toBars } from './period.ts'
import type { Summary } from './useSummary.ts'

interface Tile {
  key: 'events' | 'runs' | 'messages' | 'deliveries'
  to: '/events' | '/workflows' | '/messages' | '/webhooks'
  icon: typeof BoltIcon
  select: (entry: Entry) => number
}

const tiles: readonly Tile[] = [
  { key: 'events', to: '/events', icon: BoltIcon, select: entry => entry.events },
  { key: 'runs', to: '/workflows', icon: ShareIcon, select: entry => entry.runsStarted },
  {
    key: 'messages',
    to: '/messages',
    icon: ChatBubbleLeftRightIcon,
    select: entry => entry.messages.delivered,
  },
  { key: 'deliveries', to: '/webhooks', icon: ArrowsRightLeftIcon, select: entry => entry.deliveries.delivered },
]

/** Totals of a period, each with its change and its course. Without a response they are links without a number. */
export const Tiles = ({ period, summary }: { period: Period; summary: Summary }) => {
  const t = useTranslate()
  const isFailed = summary.error && !summary.data
  return (
    <section className={styles.tiles} aria-label={t('home.totals', { period: t(`time.range.${period}`) })}>
      {tiles.map(tile =>
        summary.data || isFailed ? (
          <TileLink key={tile.key} tile={tile} period={period} entries={summary.data?.data} />
        ) : (
          <Skeleton key={tile.key} height={106} radius={8} />
        ),
      )}
    </section>
  )
}

const TileLink = ({
  tile: { key, to, icon: Icon, select },
  period,
  entries,
}: {
  tile: Tile
  period: Period
  entries: readonly Entry[] | undefined
}) => {
  const t = useTranslate()
  const number = useNumbers()
  const name = t(`home.${key}`)
  if (!entries)
    return (
      <Link to={to} search={{ range: period }} className={styles.tile}>
        <span className={styles.tileName}>
          <Icon width={16} aria-hidden="true" />
          {name}
        </span>
        <span className={styles.number} data-unknown>
          –
        </span>
      </Link>
    )
  const { current, previous } = compare(period, entries, Date.now(), select)
  const bars = toBars(period, entries)
  return (
    <Link to={to} search={{ range: period }} className={styles.tile}>
      <span className={styles.tileName}>
        <Icon width={16} aria-hidden="true" />
        {name}
      </span>
      <span className={styles.numberRow}>
        <span className={styles.number}>{number(current)}</span>
        <span className={styles.chart}>
          {current > 0 && (
            <Sparkline label={t('home.chart', { name, period: t(`time.range.${period}`) })} values={bars.map(select)} />
          )}
        </span>
      </span>
      {(current > 0 || previous > 0) && <Change current={current} previous={previous} period={period} />}
    </Link>
  )
}

/** A larger change is shown as a multiple. */
const maxPercentage = 9.99

const Change = ({ current, previous, period }: { current: number; previous: number; period: Period }) => {
  const t = useTranslate()
  const number = useNumbers()
  const change = previous === 0 ? 0 : current / previous - 1
  const isNew = previous === 0 && current > 0
  const Icon = change < 0 ? ArrowTrendingDownIcon : ArrowTrendingUpIcon
  const shown =
    change > maxPercentage
      ? t('home.multiple', { count: number(current / previous, { maximumFractionDigits: 0 }) })
      : number(change, { style: 'percent', signDisplay: 'exceptZero', maximumFractionDigits: 0 }).replace('-', '−')
  return (
    <span className={styles.change} data-tone={isNew || Math.round(change * 100) !== 0 ? 'accent' : 'off'}>
      {(isNew || previous > 0) && (
        <span className={styles.percent}>
          <Icon width={14} aria-hidden="true" />
          {isNew ? t('home.new') : shown}
        </span>
      )}
      {previous > 0 ? t('home.before', { period, count: number(previous) }) : t('home.noneBefore', { period })}
    </span>
  )
}

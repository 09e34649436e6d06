import { Anchor, Text, UnstyledButton, useMatches } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useNumbers, useTranslate } from '../../texts/index.tsx'
import { Card } from '../../ui/Card.tsx'
import { BarTable } from '../../ui/charts/BarTable.tsx'
import type { ChartQuery } from '../../ui/charts/series.ts'
import { TimeChart } from '../../ui/charts/TimeChart.tsx'
import segments from '../../ui/form/segments.module.css'
import type { Tone } from '../../ui/Status.tsx'
import { useDuration } from '../../ui/Time.tsx'
import { type TimeRange, withDefaultRange } from '../../ui/time-range/time-range.ts'
import { useListChart } from '../../ui/time-range/useListChart.tsx'
import { defaultRange } from './delivery/filters.ts'
import { statsQuery, useAttemptSeries } from './statistics.ts'
import styles from './webhooks.module.css'

/** Maximum number of response codes shown. */
const maxCodes = 5
const plotHeight = 96

const partNames = ['attempts', 'latency', 'codes'] as const
type Part = (typeof partNames)[number]

/**
 * Attempts, latency and response codes of an endpoint. A click on a bar or on a code filters the deliveries below. A
 * window narrower than 1200 px shows one of them at a time.
 */
export const EndpointCharts = ({
  id,
  range,
  isNarrowed,
  onRange,
  onCode,
}: {
  id: string
  range: TimeRange
  /** True if the list has filters that the charts ignore. */
  isNarrowed: boolean
  onRange: (range: TimeRange) => void
  onCode: (code: string) => void
}) => {
  const t = useTranslate()
  const duration = useDuration()
  const number = useNumbers()
  // Steps of a low axis lie between whole milliseconds.
  const formatMs = (ms: number) =>
    Number.isInteger(ms) || ms >= 10
      ? duration(Math.round(ms))
      : number(ms, { style: 'unit', unit: 'millisecond', unitDisplay: 'short', maximumFractionDigits: 1 })
  const isNarrow = useMatches({ base: true, lg: false }, { getInitialValueInEffect: false })
  const [part, setPart] = useState<Part>('attempts')
  const request = useQuery(statsQuery(id, range))
  const stats = request.data
  const { query, label, isCounted, toRange, note } = useListChart(withDefaultRange(range, defaultRange))
  const series = useAttemptSeries()
  const chart = { rows: stats?.data, query: request, by: query.by, height: plotHeight, isCounted }
  const parts: Record<Part, ReactNode> = {
    attempts: (
      <>
        <TimeChart
          {...chart}
          title={t('webhooks.stats.attemptsOf', { range: label })}
          series={series}
          onSelect={row => onRange(toRange(row))}
        />
        {note}
        {isNarrowed && (
          <Text size="xs" c="dimmed">
            {t('webhooks.stats.all')}
          </Text>
        )}
      </>
    ),
    latency: (
      <TimeChart
        {...chart}
        title={t('webhooks.stats.latencyOf', { range: label })}
        kind="lines"
        format={formatMs}
        series={[
          { key: 'p50', label: t('webhooks.stats.p50'), tone: 'accent', value: row => row.p50Ms },
          { key: 'p95', label: t('webhooks.stats.p95'), tone: 'moving', value: row => row.p95Ms },
        ]}
      />
    ),
    codes: <Codes codes={stats?.codes} query={request} onCode={onCode} />,
  }
  if (isNarrow)
    return (
      <div className={styles.chart}>
        <PartSwitch part={part} setPart={setPart} />
        <div className={styles.part}>{parts[part]}</div>
      </div>
    )
  return (
    <div className={styles.charts}>
      <Card>{parts.attempts}</Card>
      <Card>{parts.latency}</Card>
      <Card title={t('webhooks.stats.codes')}>{parts.codes}</Card>
    </div>
  )
}

/** Buttons that choose which part is shown. */
const PartSwitch = ({ part, setPart }: { part: Part; setPart: (part: Part) => void }) => {
  const t = useTranslate()
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset has form semantics.
    <div className={segments.segments} role="group" aria-label={t('webhooks.stats.parts')}>
      {partNames.map(name => (
        <UnstyledButton key={name} aria-pressed={name === part} onClick={() => setPart(name)}>
          {t(`webhooks.stats.${name}`)}
        </UnstyledButton>
      ))}
    </div>
  )
}

/** Color of a code, as in the state of the endpoint: an attempt without a 2xx code failed. */
const codeTone = (statusCode: number | null): Tone => (statusCode !== null && statusCode < 300 ? 'done' : 'failed')

const Codes = ({
  codes,
  query,
  onCode,
}: {
  codes: readonly { statusCode: number | null; count: number }[] | undefined
  query: ChartQuery
  onCode: (code: string) => void
}) => {
  const t = useTranslate()
  const number = useNumbers()
  const total = codes?.reduce((sum, { count }) => sum + count, 0) ?? 0
  return (
    <BarTable
      title={t('webhooks.stats.codes')}
      total={total}
      query={query}
      bars={codes?.slice(0, maxCodes).map(({ statusCode, count }) => ({
        key: String(statusCode),
        label: (
          <Anchor
            component="button"
            type="button"
            size="sm"
            c="inherit"
            className={styles.codeLabel!}
            onClick={() => onCode(statusCode === null ? 'none' : String(statusCode))}
          >
            {statusCode === null ? t('webhooks.noAnswer') : String(statusCode)}
          </Anchor>
        ),
        value: count,
        tone: codeTone(statusCode),
        note: number(count / total, { style: 'percent' }),
      }))}
    />
  )
}

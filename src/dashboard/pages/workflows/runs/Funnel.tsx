import { Skeleton, Text } from '@mantine/core'
import { keepPreviousData } from '@tanstack/react-query'
import { useState } from 'react'
import { hooks, type Schemas } from '../../../api/client.ts'
import { useNumbers, useTranslate } from '../../../texts/index.tsx'
import { ChartToggle } from '../../../ui/charts/ChartToggle.tsx'
import { Failure } from '../../../ui/Failure.tsx'
import { type TimeRange, toTimeQuery } from '../../../ui/time-range/time-range.ts'
import { listPointers } from '../definition/edit.ts'
import type { Definition } from '../definition/types.ts'
import type { StepBadge } from '../diagram/context.ts'
import { Diagram } from '../diagram/Diagram.tsx'
import { makeEdgeId } from '../diagram/graph.ts'
import styles from '../workflows.module.css'
import { FunnelTable } from './FunnelTable.tsx'
import funnel from './funnel.module.css'
import { endedAt, isSending, messageCounts, type StepStats } from './step-stats.ts'

/** Longest period of the statistics in days, for all times. */
const maxDays = 400

/** Returns the period of the statistics. The API counts 7 days by default. */
export const toStatsQuery = (period: TimeRange, version: number | undefined) => {
  const { since, until } = toTimeQuery(period)
  const allTimes = new Date(Math.floor(Date.now() / 3_600_000) * 3_600_000 - (maxDays - 1) * 86_400_000).toISOString()
  return { since: since ?? allTimes, ...(until && { until }), ...(version && { version }) }
}

/** Steps with the runs that entered, wait and left, and the share of the runs on each edge. */
export const Funnel = ({
  id,
  definition,
  period,
  version,
}: {
  id: string
  definition: Definition
  period: TimeRange
  version: number | undefined
}) => {
  const t = useTranslate()
  const numbers = useNumbers()
  const [isTable, setIsTable] = useState(false)
  const query = hooks.useQuery(
    'get',
    '/v1/workflows/{id}/stats',
    { params: { path: { id }, query: { by: 'step', ...toStatsQuery(period, version) } } },
    { placeholderData: keepPreviousData },
  )
  const { data } = query
  if (query.error && !data) return <Failure error={query.error} retry={() => void query.refetch()} />
  if (!data) return <Skeleton className={styles.diagramShape!} />
  const { steps = [], edges = [], period: counted } = data
  const share = (runs: number, of: number) =>
    of === 0 ? numbers(runs) : `${numbers(runs)} · ${numbers(runs / of, { style: 'percent' })}`
  return (
    <div className={funnel.funnel}>
      <div className={funnel.head}>
        <Text size="sm" fw={500}>
          {t('workflows.run.diagram')}
        </Text>
        {counted?.complete === false && <Text size="sm">{t('workflows.run.incomplete', { count: counted.runs })}</Text>}
        <ChartToggle
          title={t('workflows.run.diagram')}
          text={isTable ? 'chart.hideTable' : 'chart.showTable'}
          onClick={() => setIsTable(!isTable)}
        />
      </div>
      {isTable ? (
        <FunnelTable definition={definition} steps={steps} edges={edges} />
      ) : (
        <Diagram
          definition={definition}
          label={t('workflows.run.diagram')}
          // The edges show how many runs entered and left a step.
          badges={Object.fromEntries(
            steps.filter(step => step.waiting + endedAt(step) > 0).map(step => [step.stepId, toBadge(step, t)]),
          )}
          results={Object.fromEntries(
            steps.filter(step => isSending(definition, step)).map(step => [step.stepId, toResult(step, t)]),
          )}
          {...countEdges(definition, steps, edges, counted?.runs ?? 0, share)}
        />
      )}
    </div>
  )
}

/** Returns how many runs of a step wait, and how many ended there, so that the numbers below it add up. */
const toBadge = (step: StepStats, t: ReturnType<typeof useTranslate>): StepBadge => {
  const { waiting } = step
  const ended = endedAt(step)
  return {
    text: [
      waiting > 0 && t('workflows.run.waitingCount', { waiting }),
      ended > 0 && t('workflows.run.droppedCount', { count: ended }),
    ]
      .filter(text => text !== false)
      .map(keepTogether)
      .join(' · '),
    tone: waiting > 0 ? 'moving' : 'off',
    ...(ended > 0 && { hint: t('workflows.run.droppedText') }),
  }
}

/** Returns a number with its word, between which no line ends. */
const keepTogether = (text: string): string => text.replaceAll(' ', '\u00a0')

/** Returns the results of the messages of a step. Omits reads, replies and failures if there are none. */
const toResult = (step: StepStats, t: ReturnType<typeof useTranslate>): string =>
  messageCounts
    .filter(name => name === 'sent' || name === 'delivered' || step[name])
    .map(name => keepTogether(t(`workflows.run.${name}Count`, { count: step[name] })))
    .join(' · ')

/**
 * Texts of the edges, and their shares of all runs. Edges from one step to the same next step share a count, which stands
 * at the first of them.
 */
const countEdges = (
  definition: Definition,
  steps: readonly StepStats[],
  edges: readonly Schemas['WorkflowStepEdge'][],
  started: number,
  share: (runs: number, of: number) => string,
): { counts: Record<string, string>; shares: Record<string, number> } => {
  const counts: Record<string, string> = { start: share(started, 0) }
  const shares: Record<string, number> = { start: started === 0 ? 0 : 1 }
  for (const { stepId, entered } of steps) {
    const step = Object.hasOwn(definition.steps, stepId) ? definition.steps[stepId] : undefined
    const counted = new Set<string | null>()
    for (const { name, target } of step ? listPointers(step) : []) {
      const runs = edges.find(edge => edge.from === stepId && edge.to === target)?.runs ?? 0
      const id = makeEdgeId(stepId, name)
      // A loop can pass an edge more often than runs started.
      shares[id] = Math.min(runs / Math.max(started, 1), 1)
      if (!counted.has(target)) counts[id] = share(runs, entered)
      counted.add(target)
    }
  }
  return { counts, shares }
}

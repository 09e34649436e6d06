import { Button, Group, NumberInput, Stack, Text, VisuallyHidden } from '@mantine/core'
import { useState } from 'react'
import { api, hooks, type Schemas } from '../../../api/client.ts'
import { useNumbers, useTranslate } from '../../../texts/index.tsx'
import { Failure } from '../../../ui/Failure.tsx'
import { Facts, Section } from '../../../ui/Panel.tsx'
import type { Definition } from '../definition/types.ts'
import { Diagram } from '../diagram/Diagram.tsx'
import { layOut } from '../diagram/graph.ts'
import { Incomplete } from '../faults/Incomplete.tsx'
import { usePublished } from '../queries.ts'
import { VersionChoice, type WhichVersion } from '../versions/VersionChoice.tsx'
import type { ViewProps } from '../view-props.ts'
import styles from '../workflows.module.css'
import { countEdges } from './executed-path.ts'
import { useOutcomeTexts } from './StepList.tsx'

type Replayed = Schemas['ReplayedWorkflow']

const hourMs = 3_600_000

/** Replay of recent events: how many would have started the workflow, and how they branch. Nothing is sent. */
export const ReplayView = ({ workflow, draft, readOnly, faults, edit, prepare, showApiFaults: refused }: ViewProps) => {
  const t = useTranslate()
  const numbers = useNumbers()
  const { end } = useOutcomeTexts()
  const [days, setDays] = useState(7)
  const [selectedVersion, setSelectedVersion] = useState<WhichVersion>('draft')
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>(null)
  /** Draft that was not run because it is incomplete. */
  const [rejectedDefinition, setRejectedDefinition] = useState<Definition | null>(null)
  const [result, setResult] = useState<{ definition: Definition; replayed: Replayed } | null>(null)
  const published = usePublished(workflow)
  /** Returns the definition to run, or null if it is incomplete or was not saved. */
  const getSubject = async (): Promise<Definition | null> => {
    if (selectedVersion === 'published') return published.data?.definition ?? null
    if (readOnly) return workflow.draft
    const prepared = await prepare()
    if (prepared && prepared.faults.length > 0) setRejectedDefinition(draft.definition)
    return prepared && prepared.faults.length === 0 ? prepared.workflow.draft : null
  }
  const replay = async () => {
    setBusy(true)
    setFailure(null)
    setRejectedDefinition(null)
    try {
      const definition = await getSubject()
      if (!definition) return
      const version = selectedVersion === 'published' ? workflow.publishedVersion : null
      const { data } = await api.POST('/v1/workflows/{id}/replay', {
        params: { path: { id: workflow.id } },
        body: { days, ...(version !== null && { version }) },
      })
      if (data) setResult({ definition, replayed: data })
    } catch (error) {
      if (refused(error)) setRejectedDefinition(draft.definition)
      else setFailure(error)
    } finally {
      setBusy(false)
    }
  }
  const definition =
    result?.definition ?? (selectedVersion === 'published' ? published.data?.definition : null) ?? draft.definition
  const started = result?.replayed.verdicts.started ?? 0
  const countTable = (counts: Record<string, number>, name: (key: string) => string) =>
    Object.fromEntries(
      Object.entries(counts)
        .sort(([, one], [, next]) => next - one)
        .map(([key, count]) => [name(key), numbers(count)]),
    )
  return (
    <div className={styles.diagramAndAside}>
      <Diagram
        definition={definition}
        label={t('workflows.replay.diagram')}
        {...(result && annotateDiagram(result.definition, result.replayed, t, numbers))}
      />
      <aside className={styles.aside} aria-label={t('workflows.view.replay')}>
        <VisuallyHidden component="h2">{t('workflows.view.replay')}</VisuallyHidden>
        <Section title={t('workflows.replay.title')}>
          <Stack gap="md">
            <Text size="sm" c="dimmed">
              {t('workflows.replay.text')}
            </Text>
            <VersionChoice
              workflow={workflow}
              draft={draft.definition}
              value={selectedVersion}
              onChange={setSelectedVersion}
            />
            <Group align="flex-end">
              <NumberInput
                label={t('workflows.replay.days')}
                suffix={t('workflows.replay.daysSuffix')}
                size="sm"
                w={180}
                min={1}
                max={30}
                clampBehavior="strict"
                allowDecimal={false}
                value={days}
                onChange={value => setDays(Number(value) || 1)}
              />
              <Button loading={busy} onClick={() => void replay()} h={36}>
                {t('workflows.replay.start')}
              </Button>
            </Group>
            {!result && <EventCount type={definition.trigger.eventType} days={days} />}
            {selectedVersion === 'draft' && (
              <Incomplete
                faults={faults}
                definition={draft.definition}
                isRejected={rejectedDefinition === draft.definition}
                edit={edit}
              />
            )}
            {failure !== null && <Failure error={failure} retry={() => void replay()} />}
          </Stack>
        </Section>
        {result && (
          <>
            <Section title={t('workflows.replay.results')}>
              <Text size="sm" role="status">
                {t('workflows.replay.summary', {
                  events: result.replayed.events,
                  type: result.definition.trigger.eventType,
                  started,
                })}
              </Text>
              {!result.replayed.complete && (
                <Text size="sm" mt="sm">
                  {t('workflows.replay.incomplete')}
                </Text>
              )}
            </Section>
            {result.replayed.events > 0 && (
              <>
                <Section title={t('workflows.replay.verdicts')}>
                  <Facts items={countTable(result.replayed.verdicts, key => t(verdictText(key)))} />
                </Section>
                {started > 0 && (
                  <Section title={t('workflows.replay.ends')}>
                    <Facts items={countTable(result.replayed.ends, end)} />
                  </Section>
                )}
              </>
            )}
          </>
        )}
      </aside>
    </div>
  )
}

/** Number of events that a backtest has. Hidden for a type that is too rare to be counted alone. */
const EventCount = ({ type, days }: { type: string; days: number }) => {
  const t = useTranslate()
  const from = new Date((Math.floor(Date.now() / hourMs) - days * 24) * hourMs).toISOString()
  const { data } = hooks.useQuery('get', '/v1/activity/summary', {
    params: { query: { by: 'hour', from, group: 'type' } },
  })
  const counts = data?.groups?.find(({ id }) => id === type)?.counts
  const total =
    counts && Object.values(counts).reduce((sum, byHour) => sum + byHour.reduce((all, one) => all + one, 0), 0)
  return total === undefined ? null : (
    <Text size="sm" c="dimmed">
      {t('workflows.replay.events', { count: total, type, days })}
    </Text>
  )
}

/** Counts per edge. Where the counts per edge are ambiguous, the count is shown on the step. */
const annotateDiagram = (
  definition: Definition,
  { byStep, verdicts }: Replayed,
  t: ReturnType<typeof useTranslate>,
  numbers: ReturnType<typeof useNumbers>,
) => {
  const { edges } = layOut(definition, () => 0)
  const counts = countEdges(definition, byStep, edges, verdicts.started ?? 0)
  const isCounted = (step: string) => edges.every(({ id, target }) => target !== step || counts[id] !== undefined)
  const badges = Object.entries(byStep)
    .filter(([step]) => !isCounted(step))
    .map(([step, count]) => [step, { text: t('workflows.replay.runsHere', { count }), tone: 'off' as const }])
  return {
    counts: Object.fromEntries(Object.entries(counts).map(([edge, count]) => [edge, numbers(count)])),
    badges: Object.fromEntries(badges),
  }
}

const verdictText = (verdict: string) =>
  verdict === 'started'
    ? ('workflows.verdict.started' as const)
    : verdict === 'no_listener'
      ? ('workflows.verdict.no_listener' as const)
      : ('workflows.verdict.not_run_for_customer' as const)

import { Button, Group, NumberInput, Stack, Text, VisuallyHidden } from '@mantine/core'
import { useState } from 'react'
import { api, type Schemas } from '../../api/client.ts'
import { useNumbers, useTexts } from '../../texts/index.tsx'
import { Failure } from '../../ui/Failure.tsx'
import { Facts, Section } from '../../ui/Panel.tsx'
import type { Definition } from './definition/types.ts'
import { Incomplete } from './Incomplete.tsx'
import { draw } from './picture/graph.ts'
import { Picture } from './picture/Picture.tsx'
import { usePublished } from './queries.ts'
import { useOutcomes } from './Trace.tsx'
import { VersionChoice, type WhichVersion } from './Version.tsx'
import type { ViewOf } from './view.ts'
import { countsOfEdges } from './way.ts'
import styles from './workflows.module.css'

type Replayed = Schemas['ReplayedWorkflow']

/** Replay of recent events: how many would have started the workflow, and how they branch. Nothing is sent. */
export const ReplayView = ({ workflow, draft, readOnly, faults, edit, save, refused }: ViewOf) => {
  const say = useTexts()
  const numbers = useNumbers()
  const { end } = useOutcomes()
  const [days, setDays] = useState(7)
  const [which, setWhich] = useState<WhichVersion>('draft')
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>(null)
  /** Draft that was not run because it is incomplete. */
  const [incomplete, setIncomplete] = useState<Definition | null>(null)
  const [result, setResult] = useState<{ of: Definition; replayed: Replayed } | null>(null)
  const published = usePublished(workflow)
  const unsaved = draft.changed && which === 'draft' && !readOnly
  const replay = async () => {
    setBusy(true)
    setFailure(null)
    setIncomplete(null)
    try {
      const saved = unsaved ? await save() : workflow
      if (!saved) return
      const version = which === 'published' ? workflow.publishedVersion : null
      const { data } = await api.POST('/v1/workflows/{id}/replay', {
        params: { path: { id: workflow.id } },
        body: { days, ...(version !== null && { version }) },
      })
      const of = version === null ? saved.draft : (published.data?.definition ?? saved.draft)
      if (data) setResult({ of, replayed: data })
    } catch (error) {
      if (refused(error)) setIncomplete(draft.definition)
      else setFailure(error)
    } finally {
      setBusy(false)
    }
  }
  const definition = result?.of ?? (which === 'published' ? published.data?.definition : null) ?? draft.definition
  const started = result?.replayed.verdicts.started ?? 0
  const table = (counts: Record<string, number>, name: (key: string) => string) =>
    Object.fromEntries(
      Object.entries(counts)
        .sort(([, one], [, other]) => other - one)
        .map(([key, count]) => [name(key), numbers(count)]),
    )
  return (
    <div className={styles.pictureAndAside}>
      <Picture
        definition={definition}
        label={say('workflows.replay.picture')}
        {...(result && fanOut(result.of, result.replayed, say))}
      />
      <aside className={styles.aside} aria-label={say('workflows.view.replay')}>
        <VisuallyHidden component="h2">{say('workflows.view.replay')}</VisuallyHidden>
        <Section title={say('workflows.replay.title')}>
          <Stack gap="md">
            <Text size="sm" c="dimmed">
              {say('workflows.replay.text')}
            </Text>
            <VersionChoice workflow={workflow} draft={draft.definition} value={which} onChange={setWhich} />
            <Group align="flex-end">
              <NumberInput
                label={say('workflows.replay.days')}
                size="sm"
                w={120}
                min={1}
                max={30}
                clampBehavior="strict"
                allowDecimal={false}
                value={days}
                onChange={value => setDays(Number(value) || 1)}
              />
              <Button loading={busy} onClick={() => void replay()} h={36}>
                {say(unsaved ? 'workflows.replay.saveAndGo' : 'workflows.replay.go')}
              </Button>
            </Group>
            {which === 'draft' && <Incomplete faults={faults} refused={incomplete === draft.definition} edit={edit} />}
            {failure !== null && <Failure of={failure} retry={() => void replay()} />}
          </Stack>
        </Section>
        {result && (
          <>
            <Section title={say('workflows.replay.found')}>
              <Text size="sm" role="status">
                {say('workflows.replay.sentence', {
                  events: result.replayed.events,
                  type: result.of.trigger.eventType,
                  started,
                })}
              </Text>
              {!result.replayed.complete && (
                <Text size="sm" mt="sm">
                  {say('workflows.replay.incomplete')}
                </Text>
              )}
            </Section>
            {result.replayed.events > 0 && (
              <>
                <Section title={say('workflows.replay.verdicts')}>
                  <Facts of={table(result.replayed.verdicts, key => say(verdictOf(key)))} />
                </Section>
                {started > 0 && (
                  <Section title={say('workflows.replay.ends')}>
                    <Facts of={table(result.replayed.ends, end)} />
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

/** Counts per edge. Where the counts per edge are ambiguous, the count is shown on the step. */
const fanOut = (of: Definition, { byStep, verdicts }: Replayed, say: ReturnType<typeof useTexts>) => {
  const { edges } = draw(of, () => 0)
  const counts = countsOfEdges(of, byStep, edges, verdicts.started ?? 0)
  const isTold = (step: string) => edges.every(({ id, target }) => target !== step || counts[id] !== undefined)
  const marks = Object.entries(byStep)
    .filter(([step]) => !isTold(step))
    .map(([step, count]) => [step, { text: say('workflows.replay.cameHere', { count }), tone: 'off' as const }])
  return { counts, marks: Object.fromEntries(marks) }
}

const verdictOf = (verdict: string) =>
  verdict === 'started'
    ? ('workflows.verdict.started' as const)
    : verdict === 'no_listener'
      ? ('workflows.verdict.no_listener' as const)
      : ('workflows.verdict.not_run_for_customer' as const)

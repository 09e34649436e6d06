import {
  Button,
  Group,
  SegmentedControl,
  Select,
  Stack,
  Text,
  Textarea,
  TextInput,
  VisuallyHidden,
} from '@mantine/core'
import { useEffect, useState } from 'react'
import { useIntl } from 'react-intl'
import { api, type Schemas } from '../../../api/client.ts'
import { parseJson } from '../../../api/json.ts'
import { isText, type TextId, useTranslate } from '../../../texts/index.tsx'
import { Explanation } from '../../../ui/Explanation.tsx'
import { Failure } from '../../../ui/Failure.tsx'
import { draftKey } from '../../../ui/hooks/draft.ts'
import { Section } from '../../../ui/Panel.tsx'
import { Status } from '../../../ui/Status.tsx'
import { Time, useDuration } from '../../../ui/Time.tsx'
import { useZone } from '../../../ui/zone.ts'
import { customerName } from '../../customers/name.ts'
import type { Definition } from '../definition/types.ts'
import { Diagram } from '../diagram/Diagram.tsx'
import { parseDuration } from '../duration.ts'
import { DurationField } from '../forms/fields.tsx'
import { FormContext } from '../forms/forms.ts'
import { Incomplete } from '../Incomplete.tsx'
import { usePublished } from '../queries.ts'
import { useEventsOfType } from '../references.ts'
import { VersionChoice, type WhichVersion } from '../versions/VersionChoice.tsx'
import type { ViewProps } from '../view-props.ts'
import styles from '../workflows.module.css'
import { toExecutedPath } from './executed-path.ts'
import { StepList, useOutcomeTexts, useStepBadges } from './StepList.tsx'
import { TryPhone } from './TryPhone.tsx'

type DryRun = Schemas['TriedWorkflow']
type Answer = NonNullable<Schemas['TryWorkflow']['answers']>[number]
type Event = Schemas['RecordEvent']

interface DryRunResult {
  subject: Definition
  dryRun: DryRun
}

/** Input of this page, kept when the person leaves it. */
interface SavedInput {
  kind: 'past' | 'own'
  eventId: string | null
  phone: string
  name: string
  data: string
}

const storageKey = (id: string) => draftKey(`workflow-try/${id}`)
const readInput = (id: string): SavedInput => {
  const emptyInput: SavedInput = { kind: 'past', eventId: null, phone: '', name: '', data: '{\n  "total": 120\n}' }
  try {
    return { ...emptyInput, ...JSON.parse(sessionStorage.getItem(storageKey(id)) ?? '{}') }
  } catch {
    return emptyInput
  }
}

const parseData = (text: string): Record<string, unknown> | null => {
  try {
    const value: unknown = text.trim() === '' ? {} : parseJson(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null
  } catch {
    return null
  }
}

const pastEvents = 25

type Moment = { at: string } | undefined
const msBetween = (from: Moment, to: Moment): number => (from && to ? Date.parse(to.at) - Date.parse(from.at) : 0)

/** Dry run of one event, step by step, with a simulated clock. Nothing is sent. */
export const TryView = ({
  workflow,
  draft,
  readOnly,
  event,
  faults,
  edit,
  save,
  showApiFaults: refused,
}: ViewProps) => {
  const t = useTranslate()
  const badges = useStepBadges()
  const { id } = workflow
  const [input, setInput] = useState<SavedInput>(() => {
    const storedInput = readInput(id)
    return event ? { ...storedInput, kind: 'past', eventId: event } : storedInput
  })
  useEffect(() => sessionStorage.setItem(storageKey(id), JSON.stringify(input)), [id, input])
  const [selectedVersion, setSelectedVersion] = useState<WhichVersion>('draft')
  const [answers, setAnswers] = useState<Answer[]>([])
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>(null)
  /** Draft that was not run because it is incomplete. */
  const [rejectedDefinition, setRejectedDefinition] = useState<Definition | null>(null)
  const [result, setResult] = useState<DryRunResult | null>(null)
  /** Number of steps that the clock has passed. */
  const [shownCount, setShownCount] = useState(0)
  const published = usePublished(workflow)
  const type = draft.definition.trigger.eventType
  const events = useEventsOfType(type, pastEvents)
  const eventId = input.eventId ?? events?.[0]?.id ?? null
  const data = parseData(input.data)
  const isOwnEvent = input.kind === 'own' || events?.length === 0
  const hasUnsavedChanges = draft.isChanged && selectedVersion === 'draft' && !readOnly

  const runDryRun = async (nextAnswers: Answer[], countShown: (steps: DryRun['steps']) => number = () => 1) => {
    setBusy(true)
    setFailure(null)
    setRejectedDefinition(null)
    try {
      const saved = hasUnsavedChanges ? await save() : workflow
      if (!saved) return
      const version = selectedVersion === 'published' ? workflow.publishedVersion : null
      const testEvent: Event = {
        type: saved.draft.trigger.eventType,
        ...(input.phone.trim() && { phone: input.phone.trim() }),
        ...(input.name.trim() && { name: input.name.trim() }),
        data: data ?? {},
      }
      const answer = await api.POST('/v1/workflows/{id}/try', {
        params: { path: { id } },
        body: {
          ...(isOwnEvent ? { event: testEvent } : eventId && { eventId }),
          ...(version !== null && { version }),
          ...(nextAnswers.length > 0 && { answers: nextAnswers }),
        },
      })
      if (!answer.data) return
      setAnswers(nextAnswers)
      setResult({
        subject: version === null ? saved.draft : (published.data?.definition ?? saved.draft),
        dryRun: answer.data,
      })
      setShownCount(Math.min(countShown(answer.data.steps), answer.data.steps.length))
    } catch (error) {
      if (refused(error)) setRejectedDefinition(draft.definition)
      else setFailure(error)
    } finally {
      setBusy(false)
    }
  }

  const steps = result?.dryRun.steps ?? []
  const shownSteps = steps.slice(0, shownCount)
  const last = shownSteps.at(-1)
  const isFinished = shownCount === steps.length
  const definition =
    result?.subject ?? (selectedVersion === 'published' ? published.data?.definition : null) ?? draft.definition
  /** Replies one second after the clock's time. The clock then moves to the steps that follow immediately. */
  const reply = (text: string) => {
    const seconds = Math.ceil(msBetween(steps[0], last) / 1000) + 1
    void runDryRun([...answers, { after: `${seconds}s`, reply: text }], now =>
      Math.max(shownCount, now.filter(step => msBetween(now[0], step) <= seconds * 1000).length),
    )
  }
  const current = last?.outcome === 'waiting' && !isFinished ? last.stepId : null
  return (
    <div className={styles.diagramAndAside}>
      <Diagram
        definition={definition}
        label={t('workflows.try.diagram')}
        {...(result && {
          path: toExecutedPath(result.subject, shownSteps, isFinished && result.dryRun.endReason === 'completed'),
          badges: badges(shownSteps, current),
        })}
      />
      <aside className={styles.aside} aria-label={t('workflows.view.try')}>
        <VisuallyHidden component="h2">{t('workflows.view.try')}</VisuallyHidden>
        <Section title={t('workflows.try.title')}>
          <Stack gap="md">
            <Text size="sm" c="dimmed">
              {t('workflows.try.text')}
            </Text>
            <VersionChoice
              workflow={workflow}
              draft={draft.definition}
              value={selectedVersion}
              onChange={setSelectedVersion}
            />
            <SegmentedControl
              aria-label={t('workflows.try.kind')}
              fullWidth
              size="xs"
              data={[
                { value: 'past', label: t('workflows.try.pastEvent') },
                { value: 'own', label: t('workflows.try.customEvent') },
              ]}
              value={input.kind}
              onChange={kind => setInput({ ...input, kind: kind === 'own' ? 'own' : 'past' })}
            />
            {isOwnEvent ? (
              <>
                {input.kind === 'past' && <Text size="sm">{t('workflows.try.noPastEvents', { type })}</Text>}
                <TextInput
                  label={t('workflows.try.phone')}
                  description={t('workflows.try.phoneHint')}
                  placeholder="+12025550199"
                  value={input.phone}
                  onChange={event => setInput({ ...input, phone: event.currentTarget.value })}
                />
                <TextInput
                  label={t('workflows.try.name')}
                  value={input.name}
                  onChange={event => setInput({ ...input, name: event.currentTarget.value })}
                />
                <Textarea
                  label={t('workflows.try.data')}
                  autosize
                  minRows={3}
                  maxRows={12}
                  spellCheck={false}
                  classNames={{ input: styles.code! }}
                  value={input.data}
                  error={data === null ? t('workflows.try.dataBroken') : undefined}
                  onChange={event => setInput({ ...input, data: event.currentTarget.value })}
                />
              </>
            ) : (
              <PastEvent events={events} value={eventId} onChange={eventId => setInput({ ...input, eventId })} />
            )}
            <Group>
              <Button
                loading={busy}
                disabled={isOwnEvent ? data === null : eventId === null}
                onClick={() => void runDryRun([])}
              >
                {t(hasUnsavedChanges ? 'workflows.try.saveAndStart' : 'workflows.try.start')}
              </Button>
            </Group>
            {selectedVersion === 'draft' && (
              <Incomplete faults={faults} isRejected={rejectedDefinition === draft.definition} edit={edit} />
            )}
            {failure !== null && <Failure error={failure} retry={() => void runDryRun(answers)} />}
          </Stack>
        </Section>
        {result && result.dryRun.verdict.verdict !== 'started' && <NotStarted subject={result.dryRun} />}
        {result && result.dryRun.verdict.verdict === 'started' && (
          <>
            <Clock steps={steps} shownCount={shownCount} onChange={setShownCount} dryRun={result.dryRun} />
            <Section title={t('workflows.run.steps')}>
              <StepList trace={shownSteps} definition={result.subject} current={current} />
              {last?.outcome === 'waiting' && result.subject.steps[last.stepId]?.type === 'wait_for' && (
                <AnswerForm
                  key={shownCount}
                  definition={result.subject}
                  since={Date.parse(last.at) - Date.parse(steps[0]!.at)}
                  busy={busy}
                  onAnswer={answer => void runDryRun([...answers, answer], () => shownCount + 1)}
                />
              )}
            </Section>
            <TryPhone
              dryRun={result.dryRun}
              answers={answers}
              until={isFinished ? null : (last?.at ?? null)}
              next={steps[shownCount]?.at ?? null}
              steps={shownSteps.map(one => one.stepId)}
              busy={busy}
              onReply={reply}
            />
          </>
        )}
      </aside>
    </div>
  )
}

const PastEvent = ({
  events,
  value,
  onChange,
}: {
  events: Schemas['ActivityEvent'][] | undefined
  value: string | null
  onChange: (id: string | null) => void
}) => {
  const t = useTranslate()
  const { locale } = useIntl()
  const zone = useZone()
  const format = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium', timeZone: zone })
  const options = (events ?? []).map(one => ({
    value: one.id,
    label: `${format.format(new Date(one.createdAt))} · ${customerName(one.customer) ?? t('workflows.try.erased')}`,
  }))
  if (value && !options.some(option => option.value === value)) options.push({ value, label: value })
  return (
    <Select
      label={t('workflows.try.pastEvent')}
      data={options}
      value={value}
      searchable
      allowDeselect={false}
      onChange={onChange}
    />
  )
}

const operatorTextId = (op: string) => `condition.sign.${op}` as TextId

const NotStarted = ({ subject: { verdict } }: { subject: DryRun }) => {
  const t = useTranslate()
  return (
    <Section title={t('workflows.try.notStarted')}>
      <Text size="sm" role="status">
        <Explanation>{verdict.explanation}</Explanation>
      </Text>
      {verdict.comparisons.map(({ path, op, value, found, negated }) => (
        <Text size="sm" key={`${path} ${op}`} mt="sm">
          {t(negated ? 'workflows.try.comparedNot' : 'workflows.try.compared', {
            path,
            op: isText(operatorTextId(op)) ? t(operatorTextId(op)) : op,
            value: JSON.stringify(value) ?? '',
            found: found === undefined ? t('workflows.try.nothing') : JSON.stringify(found),
          })}
        </Text>
      ))}
    </Section>
  )
}

/** Simulated time, with buttons to advance it. */
const Clock = ({
  steps,
  shownCount,
  dryRun,
  onChange,
}: {
  steps: DryRun['steps']
  shownCount: number
  dryRun: DryRun
  onChange: (shownCount: number) => void
}) => {
  const t = useTranslate()
  const duration = useDuration()
  const { end } = useOutcomeTexts()
  const at = steps[Math.max(0, shownCount - 1)]?.at
  const next = steps[shownCount]?.at
  const elapsed = at && steps[0] ? Date.parse(at) - Date.parse(steps[0].at) : 0
  const isFinished = shownCount === steps.length
  const wait = at && next ? Date.parse(next) - Date.parse(at) : 0
  return (
    <Section title={t('workflows.try.clock')}>
      <Stack gap="sm">
        <Text size="sm" component="div" role="status">
          {at && <Time at={at} exact />}{' '}
          {elapsed > 0 && (
            <span className={styles.quiet}>{t('workflows.try.timeAfterEvent', { time: duration(elapsed) })}</span>
          )}{' '}
          {isFinished && dryRun.endReason && (
            <Status tone={dryRun.endReason === 'completed' ? 'done' : 'off'}>{end(dryRun.endReason)}</Status>
          )}
        </Text>
        <Group gap="sm">
          <Button variant="default" disabled={shownCount <= 1} onClick={() => onChange(shownCount - 1)}>
            {t('workflows.try.back')}
          </Button>
          <Button variant="default" disabled={isFinished} onClick={() => onChange(shownCount + 1)}>
            {wait > 0 ? t('workflows.try.advance', { time: duration(wait) }) : t('workflows.try.next')}
          </Button>
          <Button variant="default" disabled={isFinished} onClick={() => onChange(steps.length)}>
            {t('workflows.try.skipToEnd')}
          </Button>
        </Group>
      </Stack>
    </Section>
  )
}

/** Form for what the customer does while the run waits. */
const AnswerForm = ({
  definition,
  since,
  busy,
  onAnswer,
}: {
  definition: Definition
  /** Start of the wait, in milliseconds from the start of the run. */
  since: number
  busy: boolean
  onAnswer: (answer: Answer) => void
}) => {
  const t = useTranslate()
  const [kind, setKind] = useState<'reply' | 'event'>('reply')
  const [text, setText] = useState('')
  const [data, setData] = useState('{}')
  const [wait, setWait] = useState('1m')
  const parsed = parseData(data)
  const after = `${Math.max(1, Math.ceil((since + (parseDuration(wait) ?? 0)) / 1000))}s`
  return (
    <FormContext.Provider
      value={{ definition, readOnly: false, channels: [], templates: [], paths: [], getFault: () => undefined }}
    >
      <form
        className={styles.answer}
        onSubmit={event => {
          event.preventDefault()
          onAnswer(
            kind === 'reply' ? { after, reply: text } : { after, event: { type: text.trim(), data: parsed ?? {} } },
          )
        }}
      >
        <Stack gap="sm">
          <Text size="sm" fw={600}>
            {t('workflows.try.answer')}
          </Text>
          <SegmentedControl
            aria-label={t('workflows.try.answer')}
            size="xs"
            data={[
              { value: 'reply', label: t('workflows.form.reply') },
              { value: 'event', label: t('workflows.form.event') },
            ]}
            value={kind}
            onChange={next => setKind(next === 'event' ? 'event' : 'reply')}
          />
          <TextInput
            label={t(kind === 'reply' ? 'workflows.try.replyText' : 'workflows.form.eventType')}
            value={text}
            onChange={event => setText(event.currentTarget.value)}
          />
          {kind === 'event' && (
            <Textarea
              label={t('workflows.try.data')}
              autosize
              minRows={2}
              spellCheck={false}
              classNames={{ input: styles.code! }}
              value={data}
              error={parsed === null ? t('workflows.try.dataBroken') : undefined}
              onChange={event => setData(event.currentTarget.value)}
            />
          )}
          <DurationField label={t('workflows.try.answerAfter')} value={wait} onChange={setWait} />
          <Group>
            <Button
              type="submit"
              variant="default"
              loading={busy}
              disabled={text.trim() === '' || (kind === 'event' && parsed === null)}
            >
              {t('workflows.try.answerContinue')}
            </Button>
          </Group>
        </Stack>
      </form>
    </FormContext.Provider>
  )
}
